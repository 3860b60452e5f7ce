// The rule in the positions of a study: rows that win, forbidden points, and the end of the game.

import {cellName, fivesThrough} from "../board.js";
import {say} from "../shared/i18n.js";

const STANDARD = 1, RENJU = 4, CARO = 8, STANDARD_CARO = 9;

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../board.js").Row} Row
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./tree.js").Node} Node
 * @typedef {{number: number, cell: Cell, foul: string | null}} End the number of the last stone, its cell, and the foul
 */

/**
 * True if the row from one end to the other wins. `colours` are the colours of the stones by the keys of their cells.
 * @param {{rule: number}} board
 * @param {Map<string, number>} colours
 * @param {Row} row
 * @param {number} colour
 */
export function isWin({rule}, colours, [[x1, y1], [x2, y2]], colour) {
  const length = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) + 1;
  if (length > 5) return rule !== STANDARD && rule !== STANDARD_CARO && !(rule === RENJU && !colour);
  const dx = Math.sign(x2 - x1), dy = Math.sign(y2 - y1);
  const isBlocked = [[x1 - dx, y1 - dy], [x2 + dx, y2 + dy]].every(end => colours.get(String(end)) === 1 - colour);
  return !((rule === CARO || rule === STANDARD_CARO) && isBlocked);
}

/**
 * The ends of the rows that win with the last stone of the position after `node`; at the root, with any stone.
 * @param {Tree} tree
 * @param {Node} node
 */
export function winningRows(tree, node) {
  if (node.rows) return node.rows;
  const stones = tree.cells(node).map((cell, index) => ({cell, colour: index % 2}));
  const colours = new Map(stones.map(({cell, colour}) => [String(cell), colour]));
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const {cell, colour} of node.parent ? stones.slice(-1) : stones) {
    for (const row of fivesThrough(tree, stones, cell)) if (isWin(tree, colours, row, colour)) rows.set(String(row), row);
  }
  node.rows = [...rows.values()];
  return node.rows;
}

/**
 * The end of the game on the way to `node`; null if the game goes on. Fouls are known only after the server was asked.
 * @param {Tree} tree
 * @param {Node} node
 * @returns {End | null}
 */
export function findEnd(tree, node) {
  /** @type {Node[]} */
  const nodes = [tree.root, ...tree.path(node)];
  const won = nodes.find(each => winningRows(tree, each).length), cells = won ? tree.cells(won) : [];
  const number = won ? cells.length : Infinity, foul = node.fouls?.played;
  if (foul && foul.ply + 1 < number) return {number: foul.ply + 1, cell: tree.cells(node)[foul.ply], foul: foul.foul};
  return won ? {number, cell: cells[number - 1], foul: null} : null;
}

/**
 * Keys of the cells that Black may not play after `node`, to their fouls.
 * @param {Tree} tree
 * @param {Node} node
 * @returns {Record<string, string>}
 */
export function forbiddenAfter(tree, node) {
  return findEnd(tree, node) ? {} : Object.fromEntries((node.fouls?.forbidden ?? []).map(({cell, foul}) => [String(cell), foul]));
}

/**
 * True if the server must still be asked about the position after `node`.
 * @param {Tree} tree
 * @param {Node} node
 */
export const needsFouls = (tree, node) => tree.rule === RENJU && !node.fouls;

/**
 * The reason why a stone may not be placed at `cell` after `node`; "" if it may.
 * @param {Tree} tree
 * @param {Node} node
 * @param {Cell} cell
 */
export function whyNot(tree, node, cell) {
  const end = findEnd(tree, node), foul = forbiddenAfter(tree, node)[String(cell)];
  if (end) return describeEnd(tree, end);
  return foul ? say("study_forbidden", {cell: cellName(cell, tree.height), foul: say(`foul_${foul}`)}) : "";
}

/**
 * @param {Tree} tree
 * @param {End} end
 */
export function describeEnd(tree, {number, cell, foul}) {
  const values = {number, cell: cellName(cell, tree.height)};
  return foul ? say("study_foul", {...values, foul: say(`foul_${foul}`)}) : say("study_over", values);
}
