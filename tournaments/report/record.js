// A game as a file, equal to that of records/, which wrote all parts except the moves; and lines of play in MESSAGEs.

import {isSame} from "./board.js";
import {make} from "./dom.js";

/**
 * @typedef {import("./board.js").Cell} Cell
 * @typedef {import("./board.js").Size} Size
 * @typedef {import("./games.js").OpenGame} OpenGame
 */

/**
 * @param {OpenGame} game
 * @param {number} ply
 */
function formatComment(game, ply) {
  const isOpening = ply < game.openingPlies;
  if (isOpening && !game.ms[ply]) return "opening move";
  const words = [`${game.ms[ply]}ms`], score = game.scores[ply];
  if (game.depths[ply] !== null) words.push(`depth ${game.depths[ply]}`);
  if (score !== null) words.push(`ev ${score.value === null && score.sign > 0 ? "+" : ""}${score.text}`);
  // With more than fifteen digits they are written in thousands.
  if (game.nodes[ply] !== null) words.push(`n ${String(game.nodes[ply]).replace(/^(\d{13,})\d{3}$/, "$1K")}`);
  return (isOpening ? "opening move " : "") + words.join(" ");
}

/** @param {OpenGame} game */
export function formatSgf(game) {
  /** @type {(cell: Cell | null) => string} */
  const letters = cell => cell === null ? "" : String.fromCharCode(97 + cell[0], 97 + cell[1]);
  const said = new Map(game.said);
  const moves = game.stones.map((cell, ply) => {
    const text = said.get(ply + 1);
    return `\n;${"BW"[ply % 2]}[${letters(cell)}]C[${formatComment(game, ply)}${text === undefined ? "" : `\n${text}`}]`;
  });
  return `${game.sgf}${moves.join("")})\n`;
}

/**
 * The game as a psq file; this format has no pass, so that a game with a pass cannot be saved so.
 * @param {OpenGame} game
 */
export function formatPsq(game) {
  const end = game.psq.indexOf("\n") + 1;
  const moves = game.stones.map((cell, ply) => cell === null ? "" : `${cell[0] + 1},${cell[1] + 1},${game.ms[ply]}\n`);
  return game.psq.slice(0, end) + moves.join("") + game.psq.slice(end);
}

/**
 * @param {OpenGame} game
 * @param {string} text
 * @param {string} suffix
 */
export function save(game, text, suffix) {
  const address = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
  make("a", {href: address, download: `game${String(game.number).padStart(4, "0")}.${suffix}`}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// The last line of play in a move's MESSAGEs, after `pv` or `bestline`: cells by name, or pairs "column,row" from 0.
const LINE = /\b(?:pv|bestline)\b[\s:=]*((?:[a-z]\d{1,2}[\s,;]*)+|(?:\[?\d{1,2},\d{1,2}\]?[\s;]*)+)/gi;

/**
 * The line of play in the MESSAGEs of a move, as far as it fits the position before the move.
 * @param {OpenGame} game
 * @param {number} ply
 * @param {boolean} fromTop true if the brain counts rows from the top
 * @param {Size} size of the board
 * @returns {Cell[]}
 */
export function findLine(game, ply, fromTop, {width, height}) {
  const found = [...(game.messages[ply] ?? "").matchAll(LINE)].at(-1);
  if (!found) return [];
  /** @type {Cell[]} */
  const named = [...found[1].matchAll(/([a-z])(\d{1,2})/gi)].map(([, letter, number]) =>
    [letter.toLowerCase().charCodeAt(0) - 97, fromTop ? Number(number) - 1 : height - Number(number)]);
  /** @type {Cell[]} */
  const cells = named.length ? named : [...found[1].matchAll(/(\d+),(\d+)/g)].map(([, x, y]) => [+x, +y]);
  // A move that is not on an empty point of that position does not belong to the line.
  const taken = new Set(game.stones.slice(0, ply).map(String));
  const end = cells.findIndex(cell => {
    const isFree = cell[0] < width && cell[1] >= 0 && cell[1] < height && !taken.has(String(cell));
    taken.add(String(cell));
    return !isFree;
  });
  return end < 0 ? cells : cells.slice(0, end);
}

/**
 * True if the brain counts rows from the top: then most of its lines, read so, begin with the move that it played.
 * @param {OpenGame} game
 * @param {number} side
 * @param {Size} size
 */
export function countsFromTop(game, side, size) {
  let balance = 0;
  for (let ply = side; ply < game.length; ply += 2) {
    for (const fromTop of [true, false]) {
      const [first] = findLine(game, ply, fromTop, size);
      if (isSame(first, game.stones[ply])) balance += fromTop ? 1 : -1;
    }
  }
  return balance > 0;
}
