// What lies on free points of the board: moves with a word on a tile, points that are forbidden, a move in advance.

import {drawGhost} from "../board.js";
import {draw} from "../dom.js";
import {SHAPES} from "../shared/shapes.js";

/** @typedef {import("./cells.js").Cell} Cell */

/**
 * The shapes of what a foul is, in the letters that players use.
 * @type {Record<string, string>}
 */
const FOULS = {"double-three": "3×3", "double-four": "4×4", "overline": "6+"};

/**
 * A tile: never round, so that nobody takes its word for the number of a move.
 * @param {Element} layer
 * @param {Cell} place in the drawing
 * @param {string} kind
 * @param {string} text
 */
export function drawTile(layer, [x, y], kind, text) {
  const width = text.length < 4 ? .84 : .98, size = text.length < 3 && !kind.endsWith("rest") ? .34 : .28;
  const tile = draw(layer, "g", {class: "tile"});
  draw(tile, "rect", {class: `candidate ${kind}`, x: x - width / 2, y: y - .27, width, height: .54, rx: .12});
  draw(tile, "text", {class: `candidate ${kind}`, x, y: y + size * .36, "font-size": size}, text);
}

/**
 * @param {Element} layer
 * @param {Cell} place in the drawing
 * @param {string} foul
 */
export function drawFoul(layer, [x, y], foul) {
  const mark = draw(layer, "g", {class: "tile"});
  draw(mark, "path", {class: "foul", d: `M${x - .2} ${y - .3}l.4 .4m0 -.4l-.4 .4`});
  const word = FOULS[foul];
  if (!word) return;
  draw(mark, "rect", {class: "foul-ground", x: x - .31, y: y + .17, width: .62, height: .28, rx: .06});
  draw(mark, "text", {class: "foul-word", x, y: y + .395}, word);
}

/**
 * A move in advance: a ghost with two arrows, because it is played later.
 * @param {import("../board.js").Board} board
 * @param {{cell: Cell, colour: number}} ahead
 */
export function drawAhead(board, {cell, colour}) {
  const [x, y] = board.place(cell);
  drawGhost(board, board.over, cell, colour, undefined, "is-ahead");
  const arrow = (/** @type {number} */ from) => `M${x + from} ${y - .17}l.17 .17l-.17 .17`;
  draw(board.over, "path", {class: `ahead on-${colour ? "white" : "black"}`, d: arrow(-.19) + arrow(.03)});
}

/**
 * A cell that an analysis leaves out.
 * @param {Element} layer
 * @param {Cell} place in the drawing
 */
export function drawBarred(layer, [x, y]) {
  const mark = draw(layer, "g", {class: "tile"});
  draw(mark, "circle", {class: "patch", cx: x, cy: y, r: .33});
  draw(mark, "path", {class: "barred", d: `M${x - .27} ${y}a.27 .27 0 1 0 .54 0a.27 .27 0 1 0-.54 0zM${x - .19} ${y - .19}l.38 .38`});
}

const RADII = [.08, .11, .15, .19, .22];  // of dots, by what they mean
const RING = .32;

/**
 * A dot on a stone: the more it means, from 0 to 4, the larger it is; the largest one has a ring. The last stone has another
 * ring, because the dot takes the place of its mark.
 * @param {Element} layer
 * @param {Cell} place in the drawing
 * @param {number} colour of the stone
 * @param {number} level
 * @param {boolean} isLast
 */
export function drawDot(layer, [cx, cy], colour, level, isLast) {
  const ground = `on-${colour ? "white" : "black"}`;
  draw(layer, "circle", {class: `loss loss-${level} ${ground}`, cx, cy, r: RADII[level]});
  if (level === RADII.length - 1) draw(layer, "circle", {class: `loss-ring ${ground}`, cx, cy, r: RING});
  if (isLast) draw(layer, "circle", {class: `mark last-ring ${ground}`, cx, cy, r: .41});
}

/**
 * A mistake that was played: a ring around its stone, and the shape of the mistake in a corner.
 * @param {Element} layer
 * @param {Cell} place in the drawing
 * @param {string} kind
 */
export function drawSlip(layer, [cx, cy], kind) {
  draw(layer, "circle", {class: `slip ${kind}`, cx, cy, r: .49});
  draw(layer, "rect", {class: `slip-ground ${kind}`, x: cx - .62, y: cy - .62, width: .44, height: .44, rx: .1});
  draw(layer, "path", {class: "slip-mark", d: SHAPES[kind], transform: `translate(${cx - .4} ${cy - .4}) scale(.024)`});
}
