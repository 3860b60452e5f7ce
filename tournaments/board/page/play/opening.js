// The dialogue of a swap or renju opening: what to do now, how this opening goes, and what was chosen so far.

import {byId, make, setText} from "../dom.js";
import {onSingleClick} from "../shared/clicks.js";
import {titleOf} from "./home.js";
import {choiceWords, describeChoice, describeTurn, isMine, nameOf} from "./table.js";
import {say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").State} State
 * @typedef {import("./table.js").Table} Table
 */

/**
 * Whether the panel tells what to do in the opening.
 * @param {State} state
 */
export const isInOpening = ({phase, seats, paused}) =>
  ["opening", "choice", "offer", "take"].includes(phase) && !paused && seats.every(({taken}) => taken);

/**
 * What each side has chosen, in order, as sentences to this player.
 * @param {State} state
 * @param {import("./table.js").TitleOf} title
 */
export const chosenSoFar = (state, title) => state.chosen.map(({seat, choice}) => {
  const word = /^\d+$/.test(choice) ? "number" : choice;
  if (state.you.seats.length === 1 && isMine(state, seat)) return say(`you_chose_${word}`, {number: choice});
  // Two people at one screen have no names but the colours, which the choice changes.
  const isNameless = state.you.seats.length === 2 && !state.seats[seat].name;
  const name = isNameless ? say(seat ? "second_player" : "first_player") : nameOf(state, seat, title);
  return say(`chose_${word}`, {name, number: choice});
});

/**
 * @param {Table} table
 * @param {State} state
 * @param {(type: string, more?: Record<string, unknown>) => void} send
 */
export function showOpening(table, state, send) {
  const box = byId("choice"), {choice, chooser} = state;
  const asked = choice && chooser !== null && isMine(state, chooser) ? choice : [];
  const said = chosenSoFar(state, titleOf), last = said.at(-1);
  setText(byId("opening-log"), saySentences(...said));
  box.hidden = !isInOpening(state);
  if (box.hidden) return;
  const task = asked.length ? say(choiceWords(asked)) : describeTurn(table, state, titleOf);
  const buttons = asked.map(what => onSingleClick(make("button", {type: "button"}, describeChoice(what)),
    () => send("choose", {choice: what, ply: state.moves.length})));
  box.replaceChildren(make("h2", {}, say(asked.length ? "opening_choice" : `opening_${state.opening}`)),
    ...last ? [make("p", {class: "chosen"}, last)] : [], make("p", {class: "task"}, task),
    ...buttons.length ? [make("div", {class: buttons.length > 3 ? "buttons" : "buttons stack"}, ...buttons)] : [],
    make("p", {class: "soft"}, say(`opening_words_${state.opening}`)));
}
