// The main line of a proof, against a defence that lasts longest: each move with the reason for it.

import {fivesThrough} from "../board.js";
import {isWin} from "../study/rules.js";
import {readProof} from "./descriptions.js";
import {pliesFrom} from "./walk.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../study/tree.js").Tree} Tree
 * @typedef {"five" | "open_four" | "four" | "three" | "forced" | "reply"} Reason
 * @typedef {{cell: Cell | null, colour: number, number: number, reason: Reason}} Ply a move of the line; the cell is null for
 *   any defence, if the proof names none
 */

/**
 * The free cells at which a colour would win.
 * @param {Tree} tree
 * @param {import("../board.js").Stone[]} stones
 * @param {number} colour
 */
function winningCells(tree, stones, colour) {
  const colours = new Map(stones.map(stone => [String(stone.cell), stone.colour]));
  /** @type {Cell[]} */
  const found = [];
  for (let at = 0; at < tree.width * tree.height; at++) {
    const cell = /** @type {Cell} */ ([at % tree.width, Math.floor(at / tree.width)]), key = String(cell);
    if (colours.has(key)) continue;
    const rows = fivesThrough(tree, [...stones, {cell, colour}], cell);
    if (rows.length && rows.some(row => isWin(tree, new Map([...colours, [key, colour]]), row, colour))) found.push(cell);
  }
  return found;
}

/**
 * The line of a proof that begins in the position after `node`.
 * @param {import("./descriptions.js").Proof} proof
 * @param {Tree} tree
 * @param {import("../study/tree.js").Node} node
 * @returns {Ply[]}
 */
export function mainLine(proof, tree, node) {
  const steps = readProof(proof), known = new Map(), start = tree.cells(node);
  const stones = start.map((cell, index) => ({cell, colour: index % 2}));
  /** @type {Ply[]} */
  const line = [];
  let at = 0, colour = start.length % 2;
  for (;;) {
    const {move, replies, otherwise} = steps[at];
    if (move) {
      const isFive = winningCells(tree, stones, colour).some(cell => String(cell) === String(move));
      stones.push({cell: move, colour});
      const threats = isFive ? 0 : winningCells(tree, stones, colour).length;
      const reason = isFive ? "five" : threats > 1 ? "open_four" : threats ? "four" : "three";
      line.push({cell: move, colour, number: start.length + line.length + 1, reason});
      colour = 1 - colour;
    }
    /** @type {[string, number][]} */
    const choices = [...replies, ...otherwise === null ? [] : [/** @type {[string, number]} */ (["", otherwise])]];
    if (!choices.length) return line;
    const [key, next] = choices.reduce((best, each) => pliesFrom(steps, each[1], known) > pliesFrom(steps, best[1], known) ? each : best);
    const cell = key ? /** @type {Cell} */ (key.split(",").map(Number)) : null;
    const isForced = winningCells(tree, stones, 1 - colour).length > 0;
    line.push({cell, colour, number: start.length + line.length + 1, reason: isForced ? "forced" : "reply"});
    if (cell) stones.push({cell, colour});
    colour = 1 - colour;
    at = next;
  }
}
