// What the board shows of a game: its stones, the stone that the server has not taken yet, and the move in advance.

import {fivesThrough, isSame} from "../board.js";
import {shownWin} from "./lesson.js";
import {canPlay, isMine, isNewest, mine, moverSeat, plyShown} from "./table.js";

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
 * What the board is to show.
 * @param {Table} table
 * @param {State} state
 * @param {boolean} hasNumbers
 * @returns {import("../board/cells.js").Shown}
 */
export function boardShown(table, state, hasNumbers) {
  const {width, height, premove} = state, stones = stonesShown(table, state), last = stones.at(-1), isNow = isNewest(table, state);
  const own = state.seats[mine(state)]?.colour ?? 0, win = shownWin(table, state);
  if (win) return {width, height, stones: stones.slice(0, win.ply), hasNumbers, next: null, preview: win.preview};
  return {
    width, height, stones, rows: isNow && state.win.length && last ? fivesThrough({width, height}, stones, last.cell) : [],
    hasNumbers, next: canPlay(table, state) ? state.to_move : canPlayAhead(table, state) ? own : null,
    ahead: premove && isNow ? {cell: premove, colour: own} : null,
    forbidden: isNow ? Object.fromEntries(state.forbidden.map(({cell, foul}) => [String(cell), foul])) : {},
    marks: isNow && ["offer", "take"].includes(state.phase)
      ? state.fifth_moves.map((cell, index) => ({cell, text: String(index + 1)})) : [],
    candidates: table.hint && isNow ? [{cell: table.hint, kind: "best", text: "!"}] : [],
  };
}

/**
 * True if a click on the board chooses a move in advance: the opponent is to place a stone, and waits for no answer about
 * the player's last move.
 * @param {Table} table
 * @param {State} state
 */
export function canPlayAhead(table, state) {
  const seat = moverSeat(state);
  return isNewest(table, state) && !table.placed && state.phase === "play" && state.you.seats.length === 1 && seat !== null
    && !isMine(state, seat) && !state.slip && state.seats.every(({taken}) => taken);
}

/**
 * The cell of the move in advance after a click on a cell, null if the click takes it back.
 * @param {State} state
 * @param {Cell} cell
 */
export const aheadAfter = ({premove}, cell) => isSame(premove, cell) ? null : cell;

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
