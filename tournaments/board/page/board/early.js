// The position of an address, which is drawn first: before the words have come, and the view that goes on with it.

import {drawStones, makeBoard} from "../board.js";
import {placeCell} from "./cells.js";
import {byId, make} from "../dom.js";
import {parseLink} from "./notation.js";
import {preference} from "../shared/preferences.js";
import {served} from "../shared/served.js";

const FRAME = 50;  // milliseconds, longer than a frame: a page in the background has no frames

const early = {address: ""};  // whose board is drawn

/**
 * The id of the game in an address, "" for none.
 * @param {string} path
 */
export const gameIn = path => /^\/g\/([\w-]+)/.exec(path)?.[1] ?? "";

// Draws the board of the address, unless it is drawn. False for an address without a position.
export function drawEarly() {
  const {pathname, hash, href} = location, id = gameIn(pathname);
  if (early.address === href) return true;
  if (id) {
    const {game} = served();
    if (game?.game !== id) return false;
    drawBoard("board", game, game.moves, preference("numbers", false));
  } else {
    const link = parseLink(hash);
    if (!link) return false;
    const moves = link.cells.slice(0, link.ply).map((cell, index) => ({cell, colour: index % 2}));
    drawBoard("study-board", link, moves, preference("studyNumbers", true));
  }
  early.address = href;
  return true;
}

// Waits until the board that was drawn is on the screen.
export const isSeen = () => new Promise(go => {
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, FRAME);
});

/**
 * @param {string} id of the element for the board
 * @param {{width: number, height: number}} size
 * @param {{cell: import("../board.js").Cell, colour: number}[]} moves
 * @param {boolean} hasNumbers
 */
function drawBoard(id, {width, height}, moves, hasNumbers) {
  const holder = byId(id), view = holder.closest("main"), way = {turned: preference("turned", false), mirrored: preference("mirrored", false)};
  const board = makeBoard(width, height, cell => placeCell(cell, {width, height}, way));
  drawStones(board, {stones: moves.map(({cell, colour}, index) => ({cell, colour, number: index + 1})), hasNumbers});
  holder.replaceChildren(make("div", {class: "frame"}, board.svg));
  for (const element of [holder.firstElementChild, view]) {
    if (!(element instanceof HTMLElement)) continue;
    element.style.setProperty("--across", String(width));
    element.style.setProperty("--down", String(height));
  }
  if (view) view.hidden = false;
}
