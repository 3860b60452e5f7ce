// Teaching in a game: what the player's last move throws away, as words and on the board, and how often that was heeded.

import {byId, make, setText} from "../dom.js";
import {isMine, seatOf} from "./table.js";
import {say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/messages.js").State} State
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("../net/exchange.js").Position} Position
 */

/**
 * Whether the game can teach: one person at this screen against Tengen, without clocks.
 * @param {State} state
 */
export const canTeach = ({seats, clock, you, phase}) =>
  phase !== "over" && !clock && you.seats.length === 1 && seats.some(({kind, brain}) => kind === "brain" && brain === "tengen")
  && seats.some(({kind}) => kind === "local");

/**
 * The number of stones before the win that the last move throws away: without that move, or with it.
 * @param {State} state
 */
export const plyOfWin = ({moves, slip}) => slip?.kind === "misses" ? moves.length - 1 : moves.length;

/**
 * The win as stones that are not played; null if none is to be shown.
 * @param {Table} table
 * @param {State} state
 * @returns {{ply: number, preview: {cell: Cell, colour: number, number: number}[]} | null}
 */
export function shownWin({showsWin}, state) {
  if (!showsWin || !state.slip) return null;
  const ply = plyOfWin(state);
  return {ply, preview: state.slip.line.map((cell, index) => ({cell, colour: (ply + index) % 2, number: ply + index + 1}))};
}

/**
 * The position in which the win begins, for a walk through its proof.
 * @param {State} state
 * @returns {Position}
 */
export const positionOfWin = state => ({
  width: state.width, height: state.height, rule: /** @type {Position["rule"]} */ (state.rule),
  moves: state.moves.slice(0, plyOfWin(state)).map(({cell}) => cell),
});

/** @param {State} state */
export const slipWords = ({slip}) => slip ? say(`slip_${slip.kind}`, {plies: slip.plies}) : "";

/**
 * What is told of teaching when the game is over or goes on; "" if there is nothing to count.
 * @param {State} state
 */
export function countLessons({lessons, taken_back: back, seats, you}) {
  const isPlayed = you.seats.length > 0 || seats.some(({kind}) => kind !== "brain");
  const parts = isPlayed && back ? [say("taken_back_count", {count: back})] : [];
  if (lessons.warned) parts.push(say("lessons_count", {...lessons}));
  return saySentences(...parts);
}

/**
 * The question about the last move, and the switch with its counts.
 * @param {Table} table
 * @param {State} state
 * @param {Record<"takeBack" | "insist" | "showWin" | "walkWin", () => void>} actions
 */
export function showLesson(table, state, actions) {
  const box = byId("slip"), isAsked = state.slip !== null && isMine(state, seatOf(state, (state.moves.length + 1) % 2));
  const key = `${state.game} ${isAsked} ${state.moves.length} ${table.showsWin} ${document.documentElement.lang}`;
  box.hidden = !isAsked;
  if (isAsked && box.dataset.key !== key) {
    const [back, stay, show, walk] = /** @type {[keyof typeof actions, string, string][]} */ ([
      ["takeBack", "slip_undo", "main"], ["insist", "slip_insist", ""],
      ["showWin", table.showsWin ? "slip_hide" : "slip_show", ""], ["walkWin", "slip_walk", ""]]).map(([what, word, kind]) => {
      const button = make("button", kind ? {type: "button", class: kind} : {type: "button"}, say(word));
      button.addEventListener("click", () => actions[what]());
      return button;
    });
    box.replaceChildren(make("h2", {}, say("slip")), make("p", {}, slipWords(state)),
      make("div", {class: "buttons"}, back, show, walk, stay));
  }
  box.dataset.key = isAsked ? key : "";
  byId("teach-field").hidden = !canTeach(state);
  byId("teach", HTMLInputElement).checked = state.teaches;
  setText(byId("lessons"), countLessons(state));
}
