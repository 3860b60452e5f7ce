// The board, as the report and the page for players draw it: one cell is one unit, stones lie on the crossings.

import {draw, makeSvg} from "./dom.js";

/**
 * @typedef {[number, number]} Cell column and row from 0, the row from the top
 * @typedef {{cell: Cell, colour: number, number?: number, isWaiting?: boolean}} Stone colour 0 is Black's, 1 White's; the number
 *   of its move; whether the server has yet to take it
 * @typedef {[Cell, Cell]} Row the ends of a row of stones
 * @typedef {{width: number, height: number}} Size
 * @typedef {Size & {svg: SVGSVGElement, place: (cell: Cell) => Cell, fills: string[], stones: SVGGElement,
 *   over: SVGGElement}} Board a drawing: the stones lie in the group `stones`, what lies on them in `over`
 * @typedef {{stones: Stone[], line?: Stone[], rows?: Row[], hasNumbers?: boolean, hasMark?: boolean}} Shown
 */

/**
 * A cell as people name it.
 * @param {Cell} cell
 * @param {number} height of the board
 */
export const cellName = ([x, y], height) => String.fromCharCode(97 + x) + (height - y);

/**
 * Whether both are the same cell, or the same list of cells.
 * @param {Cell | Cell[] | null | undefined} one
 * @param {Cell | Cell[] | null | undefined} other
 */
export const isSame = (one, other) => String(one) === String(other);

/**
 * The cell of a key "x,y", which is what String() makes of a cell.
 * @param {string} key
 */
export const cellOfKey = key => /** @type {Cell} */ (key.split(",").map(Number));

const MARGIN = .82;  // around the outer lines, in cells
const STONE = .465;  // the radius of a stone
// The dark stripes of the wood, as parts of its width.
const GRAIN = [[.03, .045], [.1, .16], [.19, .2], [.27, .29], [.33, .4], [.44, .45], [.52, .55], [.61, .62], [.66, .74], [.79, .8],
  [.85, .88], [.93, .97]];

const counter = {boards: 0};

/**
 * An empty board. `place` returns a cell's place in the drawing, which differs on a board that is turned.
 * @param {number} width
 * @param {number} height
 * @param {(cell: Cell) => Cell} place
 * @returns {Board}
 */
export function makeBoard(width, height, place = cell => cell) {
  const box = {x: -MARGIN, y: -MARGIN, width: width - 1 + 2 * MARGIN, height: height - 1 + 2 * MARGIN};
  const svg = makeSvg({viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`, class: "board"});
  const definitions = draw(svg, "defs", {});
  // Each board has its own, because a visible board cannot use the definitions of a hidden one.
  counter.boards += 1;
  const fills = ["black", "white"].map(colour => {
    const id = `${colour}-stone-${counter.boards}`;
    const gradient = draw(definitions, "radialGradient", {id, class: `${colour}-stone`, cx: "35%", cy: "30%", r: "75%"});
    draw(gradient, "stop", {offset: 0, class: "light"});
    draw(gradient, "stop", {offset: .45, class: "middle"});
    draw(gradient, "stop", {offset: 1, class: "dark"});
    return `url(#${id})`;
  });
  const ground = draw(definitions, "linearGradient", {id: `wood-${counter.boards}`, class: "wood-end", x1: 0, y1: 0, x2: .35, y2: 1});
  draw(ground, "stop", {offset: 0, class: "from"});
  draw(ground, "stop", {offset: 1, class: "to"});
  draw(svg, "rect", {class: "wood", ...box});
  draw(svg, "rect", {fill: `url(#wood-${counter.boards})`, ...box});
  for (const [from, to] of GRAIN) {
    draw(svg, "rect", {class: "grain", ...box, x: box.x + from * box.width, width: (to - from) * box.width});
  }
  let lines = "";
  for (let x = 0; x < width; x++) lines += `M${x} 0V${height - 1}`;
  for (let y = 0; y < height; y++) lines += `M0 ${y}H${width - 1}`;
  draw(svg, "path", {class: "lines", d: lines});
  draw(svg, "rect", {class: "edge", x: 0, y: 0, width: width - 1, height: height - 1});
  for (const x of starLines(width)) {
    for (const y of starLines(height)) {
      const isMiddle = x === (width - 1) / 2 && y === (height - 1) / 2;
      const isCorner = x !== (width - 1) / 2 && y !== (height - 1) / 2;
      if (isMiddle || isCorner) draw(svg, "circle", {class: "star", cx: x, cy: y, r: .08});
    }
  }
  for (let x = 0; x < width; x++) {
    draw(svg, "text", {class: "axis", x: place([x, 0])[0], y: height - .28}, String.fromCharCode(65 + x));
  }
  for (let y = 0; y < height; y++) draw(svg, "text", {class: "axis", x: -.56, y: place([0, y])[1] + .11}, height - y);
  const stones = draw(svg, "g", {}), over = draw(svg, "g", {});
  return {svg, width, height, place, fills, stones, over};
}

/**
 * The lines with star points: the middle one, and the fourth from each edge if there is room.
 * @param {number} size
 */
function starLines(size) {
  const middle = size % 2 ? [(size - 1) / 2] : [];
  return size >= 13 ? [3, ...middle, size - 4] : middle;
}

/**
 * The ends of every row of five or more through `cell`, on which one of the stones lies.
 * @param {Size} board
 * @param {Stone[]} stones
 * @param {Cell} cell
 * @returns {Row[]}
 */
export function fivesThrough(board, stones, cell) {
  const {width, height} = board;
  const colours = new Map(stones.map(stone => [stone.cell[1] * width + stone.cell[0], stone.colour]));
  const [x, y] = cell, own = colours.get(y * width + x);
  /** @type {Row[]} */
  const rows = [];
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const [before, after] = [-1, 1].map(sign => {
      for (let steps = 1; ; steps++) {
        const cx = x + sign * steps * dx, cy = y + sign * steps * dy;
        if (cx < 0 || cy < 0 || cx >= width || cy >= height || colours.get(cy * width + cx) !== own) return steps - 1;
      }
    });
    if (before + after >= 4) rows.push([[x - before * dx, y - before * dy], [x + after * dx, y + after * dy]]);
  }
  return rows;
}

/** @param {number} colour */
const colourName = colour => colour ? "white" : "black";

/**
 * A number on a stone; those of three digits are smaller.
 * @param {Board} board
 * @param {Element} layer
 * @param {Cell} cell
 * @param {number} colour
 * @param {number} number
 * @param {string} [kind] "last" or "of-ghost"
 */
function drawNumber(board, layer, cell, colour, number, kind = "") {
  const [x, y] = board.place(cell), size = number < 100 ? .42 : .34;
  draw(layer, "text", {class: `number on-${colourName(colour)} ${kind}`, x, y: y + size * .36, "font-size": size}, number);
}

/**
 * A stone that has not been played: of a line of play, or without a number the one under the pointer.
 * @param {Board} board
 * @param {Element} layer
 * @param {Cell} cell
 * @param {number} colour
 * @param {number} [number]
 * @param {string} [kind] of a ghost without a number
 */
export function drawGhost(board, layer, cell, colour, number, kind = "hovers") {
  const [cx, cy] = board.place(cell);
  draw(layer, "circle", {class: `ghost ${colourName(colour)} ${number === undefined ? kind : ""}`, cx, cy, r: STONE - .02});
  if (number !== undefined) drawNumber(board, layer, cell, colour, number, "of-ghost");
}

/**
 * Draws stones, the stones of a `line` that is not played, and winning `rows`; the last stone gets a mark.
 * @param {Board} board
 * @param {Shown} shown
 */
export function drawStones(board, {stones, line = [], rows = [], hasNumbers = false, hasMark = true}) {
  const layer = board.stones;
  layer.replaceChildren();
  for (const {cell} of stones) {
    const [cx, cy] = board.place(cell);
    draw(layer, "circle", {class: "shade", cx: cx + .01, cy: cy + .05, r: STONE});
  }
  for (const {cell, colour, isWaiting} of stones) {
    const [cx, cy] = board.place(cell);
    draw(layer, "circle", {
      class: `stone ${colourName(colour)}${isWaiting ? " waiting" : ""}`, cx, cy, r: STONE, fill: board.fills[colour], "data-cell": cellName(cell, board.height),
    });
  }
  for (const {cell, colour, number} of line) drawGhost(board, layer, cell, colour, number);
  const last = stones.at(-1), ground = `on-${colourName(last?.colour ?? 0)}`;
  for (const [from, to] of rows) {
    const [x1, y1] = board.place(from), [x2, y2] = board.place(to);
    for (const kind of ["casing", "win"]) {
      draw(layer, "line", {class: `${kind} ${ground}`, x1, y1, x2, y2});
    }
  }
  const marked = hasMark ? last : undefined;
  for (const stone of hasNumbers ? stones : []) {
    const {cell, colour, number} = stone;
    if (number !== undefined) drawNumber(board, layer, cell, colour, number, stone === marked ? "last" : "");
  }
  if (!marked) return;
  const [cx, cy] = board.place(marked.cell);
  // A stone with a number has a line below it, beside its colour, for players who see colours otherwise.
  if (hasNumbers && marked.number !== undefined) draw(layer, "path", {class: `mark ${ground}`, d: `M${cx - .14} ${cy + .27}h.28`});
  else draw(layer, "circle", {class: `mark dot ${ground}`, cx, cy, r: .13});
}
