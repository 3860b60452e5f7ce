// The graph of the ratings over the games played: a line for each player, and the interval of the chosen one.

import {byId, draw, makeSvg} from "../dom.js";
import {formatNumber, formatSigned, say, sayLabelled} from "../shared/i18n.js";

const WIDE = 400, HIGH = 170, LEFT = 44, RIGHT = 26, TOP = 8, BELOW = 20;
const LABEL = 11;   // pixels between two numbers at the lines' ends
const FEWEST = 2;   // points of a line

/**
 * @typedef {import("../net/messages.js").Tournament} Tournament
 * @typedef {{games: number, elo: number, margin: number | null}} Point
 */

/**
 * The ratings of a player after more and more games; the last point is today's rating.
 * @param {Tournament} said
 * @param {import("../net/messages.js").StandingJson} player
 * @returns {Point[]}
 */
export function lineOf({history, finished}, {id, elo, margin}) {
  const points = history.points.filter(({games}) => games < finished)
    .map(point => ({games: point.games, elo: point.elo[id], margin: point.margin[id]}));
  return finished ? [...points, {games: finished, elo, margin}] : points;
}

/**
 * The lowest and the highest rating of the graph. The first ratings of all may lie far away; the later half counts.
 * @param {Point[][]} lines
 * @param {Point[]} [withInterval]
 */
export function rangeOf(lines, withInterval = []) {
  const late = lines.flatMap(line => line.slice(Math.floor(line.length / 2)).map(({elo}) => elo));
  const ends = withInterval.slice(-1).flatMap(({elo, margin}) => margin === null ? [] : [elo - margin, elo + margin]);
  const low = Math.min(...late, ...ends), high = Math.max(...late, ...ends), space = Math.max(5, (high - low) * .06);
  return [low - space, high + space];
}

/**
 * Round values within a range, about four of them.
 * @param {number} low
 * @param {number} high
 */
export function ticksOf(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(each => each * power).find(each => each >= rough) ?? rough, ticks = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) ticks.push(Math.round(value) || 0);  // not -0
  return ticks;
}

/**
 * @param {Tournament} said
 * @param {number | null} chosen the number of the player whose interval is shown
 */
export function drawRatings(said, chosen) {
  const holder = byId("live-ratings"), {players, finished} = said;
  const lines = players.map(player => lineOf(said, player)), place = players.findIndex(({id}) => id === chosen);
  byId("live-ratings-card").hidden = lines.length === 0 || lines[0].length < FEWEST;
  if (byId("live-ratings-card").hidden) return;
  const [low, high] = rangeOf(lines, lines[place]);
  /** @param {number} games */
  const across = games => LEFT + games / finished * (WIDE - LEFT - RIGHT);
  /** @param {number} elo */
  const down = elo => TOP + (high - elo) / (high - low) * (HIGH - TOP - BELOW);
  const name = players[place]?.name, last = lines[place]?.at(-1);
  const told = last ? say("live_rating_of", {name, elo: formatSigned(last.elo), margin: last.margin === null ? "–" : formatNumber(last.margin)}) : "";
  const svg = makeSvg({viewBox: `0 0 ${WIDE} ${HIGH}`, class: "ratings", role: "img", "aria-label": sayLabelled(say("live_ratings"), told)});
  for (const value of ticksOf(low, high)) {
    draw(svg, "path", {class: "tick", d: `M${LEFT} ${down(value)}H${WIDE - RIGHT}`});
    draw(svg, "text", {class: "value", x: LEFT - 6, y: down(value) + 4}, formatSigned(value));
  }
  draw(svg, "text", {class: "end", x: LEFT, y: HIGH - 4}, "0");
  draw(svg, "text", {class: "end right", x: WIDE - RIGHT, y: HIGH - 4}, say("live_after", {games: finished}));
  const frame = draw(svg, "svg", {"aria-hidden": "true", x: LEFT, y: TOP, width: WIDE - LEFT - RIGHT, height: HIGH - TOP - BELOW, viewBox: `${LEFT} ${TOP} ${WIDE - LEFT - RIGHT} ${HIGH - TOP - BELOW}`});
  /** @param {{games: number, elo: number}[]} points */
  const path = points => points.map(({games, elo}, index) => `${index ? "L" : "M"}${across(games).toFixed(1)} ${down(elo).toFixed(1)}`).join("");
  const known = (lines[place] ?? []).flatMap(({games, elo, margin}) => margin === null ? [] : [{games, elo, margin}]);
  if (known.length > 1) {
    const above = known.map(({games, elo, margin}) => ({games, elo: elo + margin}));
    const below = known.map(({games, elo, margin}) => ({games, elo: elo - margin})).reverse();
    draw(frame, "path", {class: "interval", d: `${path(above)}${path(below).replace("M", "L")}z`});
  }
  lines.forEach((line, index) => { if (index !== place) draw(frame, "path", {class: "line", d: path(line)}); });
  if (place >= 0) draw(frame, "path", {class: "line chosen", d: path(lines[place])});
  let free = -Infinity;
  players.forEach((player, index) => {
    const y = down(player.elo);
    if (index !== place && (y < free + LABEL || place >= 0 && Math.abs(y - down(players[place].elo)) < LABEL)) return;
    draw(svg, "text", {class: `place${index === place ? " chosen" : ""}`, x: WIDE - RIGHT + 5, y: y + 4}, player.place);
    free = y;
  });
  holder.replaceChildren(svg);
}
