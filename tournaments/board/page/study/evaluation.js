// The result of an analysis as text and as a bar, which shows Black's chances, from 0 to 1.

import {cellName} from "../board.js";
import {find, make, setText} from "../dom.js";
import {formatNumber, say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./tree.js").Node} Node
 */

const MISTAKE = .15;  // what a move loses of its side's chances to be called one

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
export const formatShare = share => say("percent", {number: formatNumber(share * 100)});

/**
 * Black's chances after a node, null if unknown.
 * @param {Tree} tree
 * @param {Node} node
 */
export function blackShare(tree, node) {
  const best = node.barred.length ? null : node.analysis?.lines[0];  // the best move may be left out
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
 * Black's chances before and after a move, the smaller share first; null if one of them is unknown.
 * @param {Tree} tree
 * @param {Node} node
 * @returns {[number, number] | null}
 */
export function changeAt(tree, node) {
  const shares = node.parent ? [blackShare(tree, node.parent), blackShare(tree, node)].filter(share => share !== null) : [];
  return shares.length === 2 ? [Math.min(...shares), Math.max(...shares)] : null;
}

/**
 * @param {HTMLElement} element
 * @param {number | null} share
 * @param {[number, number] | null} lost the shares between which a mistake has moved the bar
 */
export function showBar(element, share, lost) {
  const notch = find(element, "b");
  notch.hidden = !lost;
  if (lost) {
    notch.style.setProperty("--notch-from", String(lost[0]));
    notch.style.setProperty("--notch-to", String(lost[1]));
  }
  element.classList.toggle("is-unknown", share === null);
  find(element, "i").style.setProperty("--share", String(share ?? .5));
  element.setAttribute("aria-label", share === null ? say("no_evaluation") : say("black_share", {share: formatShare(share)}));
  setText(find(element, "span"), share === null ? "" : formatNumber(share * 100));
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
