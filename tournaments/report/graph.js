// The graph: above, Black's chances by the scores of both sides; below, their times to think.

import {draw, makeSvg} from "./dom.js";
import {formatTime} from "./games.js";
import {sayIn} from "./words.js";

/**
 * @typedef {import("./games.js").Data} Data
 * @typedef {import("./games.js").OpenGame} OpenGame
 * @typedef {import("./games.js").Player} Player
 */

const GRAPH = {width: 400, height: 212, left: 24, right: 8, top: 8, middle: 132, pace: 156, bottom: 206};

/**
 * @param {OpenGame} game
 * @param {number} count
 */
const across = (game, count) => GRAPH.left + (GRAPH.width - GRAPH.left - GRAPH.right) * count / Math.max(1, game.length);

/**
 * True if the game has times: records of other programs may lack them.
 * @param {OpenGame} game
 */
export const isTimed = game => game.ms.some(ms => ms > 0);

/**
 * From -1 (White wins) to 1 (Black wins), null without a score. A typical score is half of the way.
 * @param {OpenGame} game
 * @param {number} index
 * @param {Player[]} players
 */
export function chance(game, index, players) {
  const score = game.scores[index], sign = index % 2 ? -1 : 1;
  if (score === null) return null;
  if (score.value === null) return sign * score.sign;
  const value = sign * score.value / (Math.abs(score.value) + players[game.players[index % 2]].scale);
  return Number.isFinite(value) ? value : null;
}

/**
 * Draws the graph. A click on it calls `goTo` with a number of stones. Returns a function that marks such a number.
 * @param {Element} holder
 * @param {OpenGame} game
 * @param {Data} data
 * @param {(ply: number) => void} goTo
 */
export function drawGraph(holder, game, data, goTo) {
  const {players} = data;
  const plot = makeSvg({viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}`, class: "plot", role: "img", "aria-label": sayIn(data, "graph")});
  const inner = GRAPH.width - GRAPH.left - GRAPH.right, centre = (GRAPH.top + GRAPH.middle) / 2;
  draw(plot, "rect", {class: "frame", x: GRAPH.left, y: GRAPH.top, width: inner, height: GRAPH.middle - GRAPH.top});
  draw(plot, "path", {class: "middle", d: `M${GRAPH.left} ${centre}h${inner}`});
  draw(plot, "text", {x: 4, y: GRAPH.top + 12}, sayIn(data, "black_letter"));
  draw(plot, "text", {x: 4, y: GRAPH.middle - 2}, sayIn(data, "white_letter"));
  const slowest = Math.max(1, ...game.ms);
  for (const side of [0, 1]) {
    const player = players[game.players[side]], points = [];
    for (let index = side; index < game.length; index += 2) {
      const value = chance(game, index, players), x = across(game, index + 1);
      if (value !== null) points.push([x.toFixed(1), (centre - value * (GRAPH.middle - GRAPH.top) / 2).toFixed(1)]);
      const tall = (GRAPH.bottom - GRAPH.pace) * Math.sqrt(Math.max(0, game.ms[index]) / slowest);
      const wide = Math.max(1, inner / Math.max(20, game.length) * .7);
      if (tall > 0) {
        draw(plot, "rect", {class: `pace ${player.colour}`, x: x - wide / 2, y: GRAPH.bottom - tall, width: wide, height: tall});
      }
    }
    if (!points.length) continue;
    draw(plot, "polyline", {class: `curve ${player.colour} ${player.dash}`, points: points.map(String).join(" ")});
    for (const [x, y] of points.length > 1 ? [points[0], points[points.length - 1]] : points) {
      draw(plot, "path", {class: `shape ${player.colour}`, d: player.shape, transform: `translate(${x} ${y}) scale(4)`});
    }
  }
  if (isTimed(game)) {
    draw(plot, "text", {x: GRAPH.left, y: GRAPH.pace - 6}, sayIn(data, "graph_time", {time: formatTime(slowest, data)}));
  }
  const now = draw(plot, "path", {class: "now", d: ""});
  plot.addEventListener("click", event => {
    const box = plot.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * GRAPH.width;
    goTo(Math.round((x - GRAPH.left) / inner * game.length));
  });
  holder.replaceChildren(plot);
  /** @param {number} ply */
  return ply => now.setAttribute("d", `M${across(game, ply)} ${GRAPH.top}V${GRAPH.bottom}`);
}
