// The card of the coach: the words about the position, a proof at a glance, and the next steps.

import {cellName} from "../board.js";
import {byId, make} from "../dom.js";
import {mainLine} from "./line.js";
import {makeIcon} from "../shared/icons.js";
import {say} from "../shared/i18n.js";

const MOST_PLIES = 21;  // a longer line is cut
const MOST_GHOSTS = 9;  // of a line on the board

/**
 * @typedef {import("./coaching.js").WalkAction} WalkAction
 * @typedef {import("./line.js").Ply} Ply
 */

/** @type {WeakMap<import("./descriptions.js").Proof, Ply[]>} the lines that were read already */
const lines = new WeakMap();

/**
 * The line of a proof that can be walked. Null after a move of its own, which is not in the study yet.
 * @param {import("../study/tree.js").Tree} tree
 * @param {WalkAction | undefined} walk
 */
function lineOf(tree, walk) {
  if (!walk || walk.cell) return null;
  const known = lines.get(walk.proof) ?? mainLine(walk.proof, tree, walk.node);
  lines.set(walk.proof, known);
  return known;
}

/**
 * The first of the actions that walks a proof.
 * @param {import("./coaching.js").Action[]} actions
 */
export const walkOf = actions => actions.flatMap(action => action.label === "walk_win" || action.label === "walk_refutation" ? [action] : [])[0];

/**
 * The first moves of the win that the last move has missed, as stones that are not played: as far as they are free of
 * that move's own stone.
 * @param {import("../study/tree.js").Tree} tree
 * @param {WalkAction | undefined} walk
 */
export function ghostsOf(tree, walk) {
  const isMissed = walk?.label === "walk_win" && walk.node === tree.current.parent;
  const line = isMissed ? lineOf(tree, walk) ?? [] : [], own = String(tree.cells().at(-1));
  const end = line.findIndex(({cell}) => String(cell) === own);
  return line.slice(0, end < 0 ? MOST_GHOSTS : Math.min(end, MOST_GHOSTS)).flatMap(({cell, colour, number}) => cell ? [{cell, colour, number}] : []);
}

/**
 * Draws the card; nothing without words.
 * @param {import("../study/tree.js").Tree} tree
 * @param {string} words
 * @param {string} kind of a mistake, "" for none
 * @param {WalkAction | undefined} walk a proof to be shown
 * @param {HTMLElement[]} buttons
 * @param {(walk: WalkAction, plies: number) => void} goTo a move of the proof
 */
export function drawCard(tree, words, kind, walk, buttons, goTo) {
  const card = byId("verdict"), line = lineOf(tree, walk), focus = card.contains(document.activeElement) ? document.activeElement?.textContent : null;
  card.hidden = !words;
  if (line) buttons[0]?.classList.add("main");
  const head = make("div", {class: `headline ${kind}`}, ...kind ? [makeIcon(kind)] : [], make("p", {}, words),
    ...line ? [make("span", {class: "chip"}, say("proved"))] : []);
  card.replaceChildren(head, ...line && walk ? [drawLine(line, tree.height, plies => goTo(walk, plies))] : [],
    make("div", {class: "buttons"}, ...buttons));
  // The focus of a player at the keyboard stays on the same button, or comes to the first one.
  if (focus !== null) (buttons.find(button => button.textContent === focus) ?? buttons[0])?.focus();
}

/**
 * @param {Ply[]} line
 * @param {number} height
 * @param {(plies: number) => void} goTo
 */
function drawLine(line, height, goTo) {
  const shown = line.slice(0, MOST_PLIES);
  return make("ol", {class: "plies", "aria-label": say("proof")}, ...shown.map(({cell, colour, number, reason}, index) => {
    const button = make("button", {type: "button"}, make("i", {class: colour ? "stone-white" : "stone-black"}, make("span", {}, String(number))),
      make("b", {}, cell ? cellName(cell, height) : say("any_cell")), make("span", {class: "soft"}, say(`reason_${reason}`)));
    button.addEventListener("click", () => goTo(index + 1));
    return make("li", {}, button);
  }), ...line.length > shown.length ? [make("li", {class: "soft"}, "…")] : []);
}
