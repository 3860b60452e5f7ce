// The proof that is walked, as a tree: at each position on the way every defence, and the move that answers it.

import {cellName} from "../board.js";
import {byId, make, setText} from "../dom.js";
import {bringIntoView} from "../shared/tabs.js";
import {colourName, say} from "../shared/i18n.js";

const MOST_SHOWN = 60;  // defences of a position; a click on the board tries any other

/**
 * @typedef {import("./walk.js").Level} Level
 * @typedef {import("./walk.js").Reply} Reply
 * @typedef {{show: (level: Level) => void, choose: (level: Level, reply: Reply) => void}} Actions
 */

/**
 * Draws the proof that has the current position in it.
 * @param {Level[]} levels from its beginning to that position
 * @param {import("../study/tree.js").Tree} tree
 * @param {Actions} actions
 */
export function drawProof(levels, tree, actions) {
  const section = byId("proof"), holder = byId("proof-tree"), hadFocus = holder.contains(document.activeElement);
  section.hidden = !levels.length;
  holder.replaceChildren();
  if (!levels.length) return;
  const [{node, move, replies}] = levels, longest = Math.max(0, ...replies.map(({plies}) => plies + 1)) + (move ? 1 : 0);
  setText(byId("proof-words"), say("proof_words", {colour: colourName(1 - tree.toMove(node)), plies: longest}));
  holder.append(writeLevel(levels, 0, tree, actions));
  const current = holder.querySelector("[aria-current]");
  if (!(current instanceof HTMLElement)) return;
  if (hadFocus) current.focus();
  bringIntoView(current);
}

/**
 * @param {Level[]} levels
 * @param {number} at
 * @param {import("../study/tree.js").Tree} tree
 * @param {Actions} actions
 * @returns {Element}
 */
function writeLevel(levels, at, tree, actions) {
  const level = levels[at], {move, number, node, replies, fouls} = level, next = levels[at + 1];
  /** @type {(cell: import("../board.js").Cell) => string} */
  const name = cell => cellName(cell, tree.height);
  const isCurrent = node === tree.current, head = make("button", isCurrent ? {type: "button", "aria-current": "true"} : {type: "button"},
    move ? `${number}. ${name(move)}` : say("proof_start"));
  head.addEventListener("click", () => actions.show(level));
  const shown = replies.filter((reply, index) => index < MOST_SHOWN || reply.isWalked || reply.isOther);
  const items = shown.map(reply => {
    const {cell, isOther, answer, plies, isWalked} = reply;
    const words = !isOther ? name(/** @type {import("../board.js").Cell} */ (cell)) : cell ? say("any_other_at", {cell: name(cell)}) : say("any_other");
    // Where the win ends, its last move stands on no level of its own.
    const isEnd = isWalked && !next && !isCurrent && tree.current.parent?.parent === node;
    const button = make("button", isEnd ? {type: "button", "aria-current": "true"} : {type: "button"}, `${number + 1}. ${words}`);
    button.addEventListener("click", () => actions.choose(level, reply));
    return make("li", isWalked ? {class: "walked"} : {}, button, make("span", {class: "answer"}, ` → ${number + 2}. ${name(answer)} `,
      make("span", {class: "soft"}, plies === 1 ? say("proof_five") : say("proof_plies", {plies}))),
    ...isWalked && next ? [writeLevel(levels, at + 1, tree, actions)] : []);
  });
  const barred = fouls.map(cell => make("li", {class: "foul-line"}, `${number + 1}. ${name(cell)} `, make("span", {class: "soft"}, say("proof_foul"))));
  const more = replies.length - shown.length;
  return make("div", {class: "level"}, head, make("ul", {}, ...items, ...barred,
    ...more > 0 ? [make("li", {class: "soft"}, say("more_defences", {count: more}))] : []));
}
