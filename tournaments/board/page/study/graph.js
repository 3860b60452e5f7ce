// The graph of a line: Black's chances after each move, from below, with a mark where a review found something. A click on
// it goes to a position.

import {cellName} from "../board.js";
import {draw, makeSvg} from "../dom.js";
import {blackShare, formatShare} from "./evaluation.js";
import {SHAPES} from "../shared/shapes.js";
import {say, sayFacts, sayLabelled} from "../shared/i18n.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./tree.js").Node} Node
 */

const WIDE = 1000;  // the width and the height of the area, which is stretched over the strip

/**
 * The outlines of the areas below the known shares; where one is not known there is a gap, and one alone has no area.
 * @param {(number | null)[]} shares
 * @param {(index: number) => number} across from 0 to 1
 */
export function outlineOf(shares, across) {
  let path = "", run = "";
  const close = () => {
    if (run.includes("L")) path += `${run}V${WIDE}z`;
    run = "";
  };
  shares.forEach((share, index) => {
    if (share === null) return close();
    const x = Math.round(across(index) * WIDE), y = Math.round((1 - share) * WIDE);
    run += run ? `L${x} ${y}` : `M${x} ${WIDE}V${y}`;
  });
  close();
  return path;
}

/**
 * Draws the graph of the line through the current position.
 * @param {HTMLElement} holder
 * @param {Tree} tree
 * @param {(node: Node) => string} markOf what a review found at a node, "" for nothing
 * @param {(node: Node) => void} goTo
 */
export function drawGraph(holder, tree, markOf, goTo) {
  /** @type {Node[]} */
  const nodes = [tree.root, ...tree.line()];
  const shares = nodes.map(node => blackShare(tree, node)), last = Math.max(1, nodes.length - 1);
  /** @param {number} index */
  const across = index => index / last;
  /** @param {number} part */
  const percent = part => `${(100 * part).toFixed(2)}%`;
  const told = nodes.flatMap((node, index) => {
    const share = shares[index], name = node.cell ? ` ${cellName(node.cell, tree.height)}` : "";
    return share === null ? [] : [sayLabelled(`${index}${name}`, formatShare(share))];
  });
  const plot = makeSvg({class: "plot", role: "img", "aria-label": sayLabelled(say("graph"), sayFacts(...told) || say("no_evaluation"))});
  const area = draw(plot, "svg", {viewBox: `0 0 ${WIDE} ${WIDE}`, preserveAspectRatio: "none", width: "100%", height: "100%", "aria-hidden": "true"});
  draw(area, "path", {class: "area", d: outlineOf(shares, across)});
  draw(plot, "line", {class: "middle", x1: 0, x2: "100%", y1: "50%", y2: "50%"});
  const here = percent(across(nodes.indexOf(tree.current)));
  if (told.length) draw(plot, "line", {class: "now", x1: here, x2: here, y1: 0, y2: "100%"});
  shares.forEach((share, index) => {
    if (share === null) return;
    const mark = markOf(nodes[index]), x = across(index);
    draw(plot, "circle", {class: "point", cx: percent(x), cy: percent(1 - share), r: 2});
    if (!SHAPES[mark]) return;
    const place = {x: percent(Math.min(x, .98)), y: percent(Math.max(.2, Math.min(.8, 1 - share)))};  // the mark is whole
    draw(draw(plot, "svg", {...place, overflow: "visible", "aria-hidden": "true"}), "path", {class: `finding ${mark}`, d: SHAPES[mark]});
  });
  plot.addEventListener("click", event => {
    const box = plot.getBoundingClientRect(), part = (event.clientX - box.left) / box.width;
    goTo(nodes[Math.max(0, Math.min(nodes.length - 1, Math.round(part * last)))]);
  });
  holder.replaceChildren(plot);
}
