// The game in the viewer: the stones on the board, and the words about the last one.

import {isSame} from "./board.js";
import {formatTime, nameOfCell} from "./games.js";
import {isTimed} from "./graph.js";
import {playerName} from "./list.js";
import {countsFromTop, findLine} from "./record.js";
import {sayIn} from "./words.js";

/**
 * @typedef {import("./board.js").Cell} Cell
 * @typedef {import("./board.js").Stone} Stone
 * @typedef {import("./games.js").Data} Data
 * @typedef {import("./games.js").Game} Game
 * @typedef {import("./games.js").OpenGame} OpenGame
 *
 * @typedef {object} Replay
 * @property {OpenGame} game
 * @property {number} ply the number of its stones on the board
 * @property {Cell[]} line the cells of a line of play that are drawn after the stones
 * @property {boolean[]} fromTop for each side, true if the brain counts rows from the top in its lines of play
 */

/**
 * The game, unpacked, after `ply` stones.
 * @param {Game} game
 * @param {number} ply
 * @param {Data} data
 * @returns {Replay}
 */
export function openReplay(game, ply, data) {
  const opened = {...game, ...game.unpack()};
  return goTo({game: opened, ply: 0, line: [], fromTop: [0, 1].map(side => countsFromTop(opened, side, data))}, ply);
}

/**
 * The same game after `ply` stones, or the nearest number that it has, without a line of play.
 * @param {Replay} replay
 * @param {number} ply
 * @returns {Replay}
 */
export const goTo = (replay, ply) => ({...replay, ply: Math.max(0, Math.min(replay.game.length, ply)), line: []});

/**
 * The stones on the board; a pass leaves none.
 * @param {Replay} replay
 * @returns {Stone[]}
 */
export const stonesOf = ({game, ply}) => game.stones.slice(0, ply).flatMap((cell, index) =>
  cell === null ? [] : [{cell, colour: index % 2, number: index + 1}]);

/**
 * The line of play after them.
 * @param {Replay} replay
 * @returns {Stone[]}
 */
export const lineOf = ({ply, line}) => line.map((cell, index) => ({cell, colour: (ply + index) % 2, number: ply + index + 1}));

/**
 * The board in words, for a screen reader.
 * @param {Replay} replay
 * @param {Data} data
 */
export function describeBoard({game, ply, line}, data) {
  const cell = game.stones[ply - 1], parts = [sayIn(data, "board", {number: ply, stones: game.length})];
  if (ply) parts.push(cell ? sayIn(data, "last", {cell: nameOfCell(cell, data)}) : sayIn(data, "last_pass"));
  const board = parts.join(sayIn(data, "comma"));
  return line.length ? sayIn(data, "goes_on", {board, cells: line.map(each => nameOfCell(each, data)).join(" ")}) : board;
}

/**
 * The last stone in words: its player, time, depth and score.
 * @param {Replay} replay
 * @param {Data} data
 */
export function describeStone({game, ply}, data) {
  if (!ply) return sayIn(data, "empty_board", {stones: game.length});
  const index = ply - 1, depth = game.depths[index], score = game.scores[index], isOpening = index < game.openingPlies;
  const cell = nameOfCell(game.stones[index], data), parts = [sayIn(data, "stone", {number: ply, name: playerName(data, game, index % 2), cell})];
  if (isOpening) parts.push(sayIn(data, "opening"));
  if (!isOpening && isTimed(game)) parts.push(formatTime(game.ms[index], data));
  if (!isOpening && depth !== null) parts.push(sayIn(data, "depth", {depth}));
  if (!isOpening && score !== null) parts.push(sayIn(data, "score", {score: score.text}));
  return parts.join(sayIn(data, "comma"));
}

/**
 * The brain's words before the last stone: its text, and its line of play, which may begin with that stone.
 * @param {Replay} replay
 * @param {Data} data
 */
export function thoughtOf({game, ply, fromTop}, data) {
  const index = ply - 1;
  if (index < 0) return {text: "", cells: [], isPlayed: false};
  const cells = findLine(game, index, fromTop[index % 2], data);
  return {text: game.messages[index] ?? "", cells, isPlayed: cells.length > 0 && isSame(cells[0], game.stones[index])};
}
