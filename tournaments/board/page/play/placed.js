// The stones of the position that is shown, with the stone that the player has placed and the server has not taken yet.

import {isSame} from "../board.js";
import {canPlay, isNewest, plyShown} from "./table.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../board.js").Stone} Stone
 * @typedef {import("../net/messages.js").State} State
 * @typedef {import("./table.js").Table} Table
 */

/**
 * @param {Table} table
 * @param {State} state
 * @returns {Stone[]}
 */
export function stonesShown(table, state) {
  const stones = state.moves.slice(0, plyShown(table, state)).map(({cell, colour}, index) => ({cell, colour, number: index + 1}));
  const {placed} = table, isShown = placed && isNewest(table, state);
  return isShown ? [...stones, {cell: placed, colour: state.to_move, number: stones.length + 1, isWaiting: true}] : stones;
}

/**
 * Places a stone that is shown before the server has taken it. False where it will refuse it, as far as the page knows, or
 * where the cell is only an offer.
 * @param {Table} table
 * @param {State} state
 * @param {Cell} cell
 */
export function place(table, state, cell) {
  const isFree = ![...state.moves, ...state.forbidden].some(each => isSame(each.cell, cell));
  if (!isFree || !canPlay(table, state) || !["opening", "play"].includes(state.phase)) return false;
  table.placed = cell;
  return true;
}

/**
 * Keeps a click that comes before the server has taken the stone of the one before it. False where none is awaited. Of a
 * player who has one side, a second click on the way is a slip, and is forgotten.
 * @param {Table} table
 * @param {State} state
 * @param {Cell} cell
 */
export function keepForLater(table, {you}, cell) {
  if (!table.placed) return false;
  if (you.seats.length === 2) table.later = cell;
  return true;
}

/**
 * Does what the click that was kept is for, if there is one and its turn has come.
 * @param {Table} table
 * @param {(cell: Cell) => void} play
 */
export function takeLater(table, play) {
  const {later, placed} = table;
  if (!later || placed) return;
  table.later = null;
  play(later);
}

/**
 * Takes away the stone that the server has refused. False if none is shown.
 * @param {Table} table
 */
export function takeAway(table) {
  const isShown = table.placed !== null;
  table.placed = table.later = null;
  return isShown;
}
