// The position of an address, which is drawn before the view is loaded that goes on with it.

import {drawStones, makeBoard} from "../board.js";
import {placeCell} from "./cells.js";
import {byId, make} from "../dom.js";
import {preference} from "../shared/preferences.js";

/**
 * @param {string} id of the element for the board
 * @param {{width: number, height: number}} size
 * @param {{cell: import("../board.js").Cell, colour: number}[]} moves
 * @param {boolean} hasNumbers
 */
export function drawEarly(id, {width, height}, moves, hasNumbers) {
  const holder = byId(id), way = {turned: preference("turned", false), mirrored: preference("mirrored", false)};
  const board = makeBoard(width, height, cell => placeCell(cell, {width, height}, way));
  drawStones(board, {stones: moves.map(({cell, colour}, index) => ({cell, colour, number: index + 1})), hasNumbers});
  holder.replaceChildren(make("div", {class: "frame"}, board.svg));
  for (const element of [holder.firstElementChild, holder.closest("main")]) {
    if (!(element instanceof HTMLElement)) continue;
    element.style.setProperty("--across", String(width));
    element.style.setProperty("--down", String(height));
  }
}
