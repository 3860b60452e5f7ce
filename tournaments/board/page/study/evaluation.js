// The result of an analysis as text, as a bar and as a graph. Bar and graph show Black's chances, from 0 to 1.

import {cellName} from "../board.js";
import {draw, find, make, makeSvg, setText} from "../dom.js";
import {formatNumber, say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./tree.js").Node} Node
 */

const MISTAKE = .15;  // what a move loses of its side's chances to be called one
const GRAPH = {width: 360, height: 110, left: 34, right: 8, top: 8, bottom: 96};

/**
 * A score for the side to move: "+120", or the plies to the end if that is proved: "+M5".
 * @param {{score: number | null, mate: number | null}} line
 */
export function formatScore({score, mate}) {
  if (mate !== null) return `${mate < 0 ? "−" : "+"}M${Math.abs(mate)}`;
  if (score === null) return "";
  return `${score < 0 ? "−" : "+"}${Math.abs(score)}`;
}

/** @param {number} share from 0 to 1 */
export const formatShare = share => `${formatNumber(share * 100)} %`;

/**
 * Black's chances after a node, null if unknown.
 * @param {Tree} tree
 * @param {Node} node
 */
export function blackShare(tree, node) {
  const best = node.analysis?.lines[0];
  if (!best) return node.share;
  return tree.toMove(node) ? 1 - best.win : best.win;
}

/**
 * Whether the move to this node cost its side much, by the analysis before and after it.
 * @param {Tree} tree
 * @param {import("./tree.js").Move} node
 */
export function losesMuch(tree, node) {
  const before = blackShare(tree, node.parent), after = blackShare(tree, node);
  if (before === null || after === null) return false;
  return (tree.toMove(node) ? before - after : after - before) >= MISTAKE;
}

/**
 * @param {HTMLElement} element
 * @param {number | null} share
 */
export function showBar(element, share) {
  element.classList.toggle("is-unknown", share === null);
  find(element, "i").style.setProperty("--share", String(share ?? .5));
  element.setAttribute("aria-label", share === null ? say("no_evaluation") : say("black_share", {share: formatShare(share)}));
  setText(find(element, "span"), share === null ? "" : formatNumber(share * 100));
}

/**
 * Draws the graph of the line through the current position; a click on it goes to a node.
 * @param {HTMLElement} holder
 * @param {Tree} tree
 * @param {(node: Node) => void} goTo
 */
export function drawGraph(holder, tree, goTo) {
  /** @type {Node[]} */
  const nodes = [tree.root, ...tree.line()];
  const shares = nodes.map(node => blackShare(tree, node));
  const here = nodes.indexOf(tree.current), inner = GRAPH.width - GRAPH.left - GRAPH.right;
  /** @param {number} index */
  const across = index => GRAPH.left + inner * index / Math.max(1, nodes.length - 1);
  /** @param {number} share */
  const down = share => GRAPH.bottom - share * (GRAPH.bottom - GRAPH.top);
  const told = nodes.flatMap((node, index) => {
    const share = shares[index], name = node.cell ? ` ${cellName(node.cell, tree.height)}` : "";
    return share === null ? [] : [`${index}${name}: ${formatShare(share)}`];
  });
  const plot = makeSvg({viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}`, class: "plot", role: "img",
    "aria-label": `${say("graph")}. ${told.join(", ") || say("no_evaluation")}`});
  draw(plot, "rect", {class: "frame", x: GRAPH.left, y: GRAPH.top, width: inner, height: GRAPH.bottom - GRAPH.top});
  for (const share of [0, .5, 1]) {
    draw(plot, "path", {class: "level", d: `M${GRAPH.left} ${down(share)}h${inner}`});
    draw(plot, "text", {x: GRAPH.left - 5, y: down(share) + 4, "text-anchor": "end"}, formatNumber(share * 100));
  }
  let path = "";
  shares.forEach((share, index) => {
    if (share === null) return;
    path += `${index && shares[index - 1] !== null ? "L" : "M"}${across(index).toFixed(1)} ${down(share).toFixed(1)}`;
    draw(plot, "circle", {class: "point", cx: across(index), cy: down(share), r: nodes.length > 60 ? 1.2 : 2.4});
  });
  draw(plot, "path", {class: "curve", d: path});
  draw(plot, "path", {class: "now", d: `M${across(here)} ${GRAPH.top}V${GRAPH.bottom}`});
  plot.addEventListener("click", event => {
    const box = plot.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * GRAPH.width;
    goTo(nodes[Math.max(0, Math.min(nodes.length - 1, Math.round((x - GRAPH.left) / inner * (nodes.length - 1))))]);
  });
  holder.replaceChildren(plot);
  holder.hidden = !told.length;
}

/**
 * A line of play as a list entry: `head` and its moves as buttons. `preview` shows a number of them, 0 none; `take` puts
 * them into the tree.
 * @param {Element[]} head
 * @param {Cell[]} cells
 * @param {number} height
 * @param {(count: number) => void} preview
 * @param {(count: number) => void} take
 */
export function makeLine(head, cells, height, preview, take) {
  const moves = cells.map((cell, index) => {
    const button = make("button", {type: "button"}, cellName(cell, height));
    button.addEventListener("focus", () => preview(index + 1));
    button.addEventListener("pointerenter", () => preview(index + 1));
    button.addEventListener("click", () => take(index + 1));
    return button;
  });
  const line = make("li", {class: "line"}, ...head, make("span", {class: "moves"}, ...moves));
  let wheeled = 0;
  line.addEventListener("wheel", event => {
    event.preventDefault();
    wheeled = Math.max(1, Math.min(cells.length, wheeled + Math.sign(event.deltaY)));
    preview(wheeled);
  }, {passive: false});
  line.addEventListener("pointerleave", () => preview(0));
  line.addEventListener("focusout", event => line.contains(/** @type {Element | null} */ (event.relatedTarget)) || preview(0));
  return line;
}
