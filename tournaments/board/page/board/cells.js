// A board before it is drawn: the places and the names of its cells, and the moves of the cursor by keys.

import {cellName, cellOfKey} from "../board.js";
import {say, sayFacts} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../board.js").Size} Size
 * @typedef {{cell: Cell, kind: string, text: string}} Candidate a move with a word on it; kind "best", "near",
 *   "far" or "worse", by what it loses, "worse rest" for one of very many; "won" or "lost" if that is proved; "other" for other words
 * @typedef {{cell: Cell, text: string, on?: number}} Mark `on` is the colour of the stone that it lies on
 * @typedef {{cell: Cell, colour: number, level: number, words: string}} Dot on a stone of that colour: how much it lost, from
 *   0 to 4, and in words
 *
 * @typedef {object} More
 * @property {number | null} next the colour of the stone that a click would place, null for none
 * @property {Record<string, string>} [forbidden] keys of cells to their fouls
 * @property {Candidate[]} [candidates]
 * @property {Mark[]} [marks]
 * @property {{cell: Cell, colour: number} | null} [ahead] the player's move in advance
 * @property {{cell: Cell, kind: string} | null} [slip] a mistake that was played, and its kind
 * @property {Dot[]} [dots] on stones, in the place of their numbers
 * @property {Cell[]} [barred] cells that an analysis leaves out
 * @property {{cell: Cell, colour: number, number: number}[]} [preview] a line of play, as stones that are not played
 * @typedef {Size & import("../board.js").Shown & More} Shown the stones and marks to draw and to name
 *
 * @typedef {object} Actions the actions of a board; one that is missing is not possible
 * @property {(cell: Cell, isAgain?: boolean) => void} play the second click of a double click comes with true
 * @property {() => void} [undo]
 * @property {(by: number) => void} [step]
 * @property {(key: string, button: HTMLElement) => boolean} [command] a key of the board itself; true if it is one
 *
 * @typedef {{turned: boolean, mirrored: boolean}} Way how the board lies
 */

/**
 * The place of a cell in the drawing. Turning and mirroring are their own inverses.
 * @param {Cell} cell
 * @param {Size} size
 * @param {Way} way
 * @returns {Cell}
 */
export function placeCell([x, y], {width, height}, {turned, mirrored}) {
  const [across, down] = turned ? [width - 1 - x, height - 1 - y] : [x, y];
  return [mirrored ? width - 1 - across : across, down];
}

/**
 * The names of the cells that are not empty, and of those that are forbidden or left out, for a screen reader: keys of cells to texts.
 * @param {Shown} shown
 */
export function nameCells({height, stones, forbidden = {}, ahead = null, barred = [], dots = []}) {
  const last = stones.at(-1);
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const cell of barred) names.set(String(cell), say("cell_barred", {cell: cellName(cell, height)}));
  for (const [key, foul] of Object.entries(forbidden)) {
    names.set(key, say("cell_forbidden", {cell: cellName(cellOfKey(key), height), foul: say(`foul_${foul}`)}));
  }
  if (ahead) names.set(String(ahead.cell), say("cell_ahead", {cell: cellName(ahead.cell, height)}));
  for (const stone of stones) {
    const cell = cellName(stone.cell, height), colour = stone.colour ? "white" : "black", {number} = stone;
    names.set(String(stone.cell), number === undefined ? say(`cell_${colour}`, {cell})
      : say(stone === last ? `cell_${colour}_last` : `cell_${colour}_move`, {cell, number}));
  }
  for (const {cell, words} of dots) names.set(String(cell), sayFacts(names.get(String(cell)) ?? "", words));
  return names;
}

/**
 * The cell that a key leads to, by places in the drawing; null for other keys, and at the edge.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "shiftKey">} event
 * @param {Cell} place
 * @param {Size} size
 * @returns {Cell | null}
 */
export function nextPlace({key, ctrlKey, shiftKey}, [column, row], {width, height}) {
  /** @type {Record<string, Cell>} */
  const places = {
    ArrowLeft: [column - 1, row], ArrowRight: [column + 1, row], ArrowUp: [column, row - 1], ArrowDown: [column, row + 1],
    Home: [0, ctrlKey ? 0 : row], End: [width - 1, ctrlKey ? height - 1 : row],
  };
  if (shiftKey || !Object.hasOwn(places, key)) return null;
  const [x, y] = places[key];
  return [Math.max(0, Math.min(width - 1, x)), Math.max(0, Math.min(height - 1, y))];
}
