// Black's chances in a game, as the brains tell them with their moves: a bar, and a strip for the whole game.

import {draw, makeSvg} from "../dom.js";
import {outlineOf} from "../study/graph.js";
import {formatShare} from "../study/evaluation.js";
import {say} from "../shared/i18n.js";
import {shareAt} from "./state.js";

const WIDE = 1000;  // of outlineOf()

/**
 * The words for the chances after a stone, "" if no brain has told a score.
 * @param {(number | null)[]} shares
 * @param {number} [ply]
 */
export function tellShare(shares, ply) {
  const share = shareAt(shares, ply);
  return share === null ? "" : say("black_share", {share: formatShare(share)});
}

/**
 * A strip, to be filled by drawStrip().
 * @returns {SVGSVGElement}
 */
export function makeStrip() {
  const strip = makeSvg({class: "plot", role: "img"});
  const area = draw(strip, "svg", {viewBox: `0 0 ${WIDE} ${WIDE}`, preserveAspectRatio: "none", width: "100%", height: "100%", "aria-hidden": "true"});
  draw(area, "path", {class: "area", d: ""});
  draw(strip, "line", {class: "middle", x1: 0, x2: "100%", y1: "50%", y2: "50%"});
  return strip;
}

/**
 * Draws the chances after each stone; neighbours that are known are joined.
 * @param {SVGSVGElement} strip
 * @param {(number | null)[]} shares
 */
export function drawStrip(strip, shares) {
  const known = shares.flatMap((share, index) => share === null ? [] : [{index, share: share / 100}]);
  const last = Math.max(1, shares.length - 1);
  const path = outlineOf(known.map(({share}) => share), place => known[place].index / last);
  strip.querySelector(".area")?.setAttribute("d", path);
  strip.setAttribute("aria-label", say("graph"));
}
