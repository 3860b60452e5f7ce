// The games, as games.py packs them.

import {cellName} from "./board.js";
import {sayIn} from "./words.js";

/**
 * @typedef {import("./board.js").Cell} Cell
 *
 * @typedef {object} Data the page's data for its script
 * @property {string} language
 * @property {Record<string, string>} words the texts of the page in that language, by key
 * @property {number} width
 * @property {number} height
 * @property {Player[]} players
 * @property {string[]} endings
 * @property {number} five the place of five in a row among the endings
 * @property {Packed} games
 *
 * @typedef {{name: string, colour: string, dash: string, shape: string, scale: number}} Player the classes and the
 *   outline of its mark, and a typical score
 * @typedef {{index: string, messages?: string, exceptions: Record<string, Record<string, string>>}
 *   & Partial<Record<"cells" | "ms" | "depths" | "scores" | "kinds" | "nodes", string>>} Packed
 * @typedef {{text: string, value: number | null, sign: number}} Score without a value it is a forced win or loss, "M5"
 *
 * @typedef {object} Listed a game's values in the list
 * @property {number} number
 * @property {number} place in the order of the games
 * @property {number} length
 * @property {[number, number]} players places in the list of players: Black's, White's
 * @property {number} winner 0 for Black, 1 for White, -1 for a draw, -2 if unknown
 * @property {number} ending
 * @property {string} reason
 * @property {number | string} origin
 *
 * @typedef {object} Moves a game's values in the viewer; lists have an entry for each stone
 * @property {(Cell | null)[]} stones null for a pass
 * @property {number[]} ms
 * @property {(number | null)[]} depths
 * @property {(Score | null)[]} scores
 * @property {(number | string | null)[]} nodes
 * @property {string[]} messages empty if the page leaves them out
 *
 * @typedef {Listed & {openingPlies: number, sgf: string, psq: string, said: [number, string][], unpack: () => Moves}} Game
 *   with the beginnings of its files, the comments of people (each with its number of stones, and as SGF writes it), and
 *   the function that unpacks its moves
 * @typedef {Game & Moves} OpenGame
 *
 * @typedef {(place: number) => number | string | null} Column
 */

const MATE = 10, MESSAGE_END = "\x1f", GAME_END = "\x1e";
const COLUMNS = /** @type {const} */ (["cells", "ms", "depths", "scores", "kinds", "nodes"]);

/** @param {string} text deflated bytes in base64 */
async function inflate(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * A function from a place to the number there, to its text for one of the exceptions, or to null.
 * @param {Uint8Array} bytes
 * @param {number} count
 * @param {Record<string, string>} exceptions
 * @param {boolean} isSigned
 * @returns {Column}
 */
export function readColumn(bytes, count, exceptions, isSigned) {
  const planes = count ? bytes.length / count : 0;
  return place => {
    let stored = 0;
    for (let plane = planes; plane--;) stored = stored * 256 + bytes[plane * count + place];
    if (stored === 0) return exceptions[place] ?? null;
    if (!isSigned) return stored - 1;
    return stored % 2 ? (stored - 1) / 2 : -stored / 2;
  };
}

/**
 * A score, from its entries in the columns `scores` and `kinds`.
 * @param {number | string | null} entry
 * @param {number | null} kind
 * @returns {Score | null}
 */
export function readScore(entry, kind) {
  if (kind === null) return null;
  const sign = String(entry).startsWith("-") ? "-" : "", size = String(entry).replace("-", "");
  if (kind === MATE) return {text: `${sign}M${size}`, value: null, sign: sign ? -1 : 1};
  let text = String(entry);
  if (kind > 0) {
    const digits = size.padStart(kind + 1, "0");
    text = `${sign}${digits.slice(0, -kind)}.${digits.slice(-kind)}`;
  }
  return {text, value: Number(text), sign: sign ? -1 : 1};
}

/**
 * All games. `unpack` of a game makes its values for the viewer.
 * @param {Data} data
 * @returns {Promise<Game[]>}
 */
export async function readGames({width, games: packed}) {
  const decoder = new TextDecoder();
  const [index, messages, ...columns] = await Promise.all([
    inflate(packed.index).then(bytes => JSON.parse(decoder.decode(bytes))),
    packed.messages ? inflate(packed.messages).then(bytes => decoder.decode(bytes).split(GAME_END)) : null,
    ...COLUMNS.map(name => inflateColumn(packed[name])),
  ]);
  /** @type {number[]} */
  const lengths = index.lengths;
  const count = lengths.reduce((sum, length) => sum + length, 0);
  const [cells, ms, depths, scores, kinds, nodes] = columns.map((bytes, number) => {
    const name = COLUMNS[number];
    return bytes === null ? () => null : readColumn(bytes, count, packed.exceptions[name] ?? {}, name === "scores");
  });
  /** @type {(column: Column, at: number) => number | null} */
  const whole = (column, at) => {
    const value = column(at);
    return value === null ? null : Number(value);
  };
  let end = 0;
  return lengths.map((length, place) => {
    const start = end;
    end += length;
    const places = () => Array.from({length}, (_, ply) => start + ply);
    return {
      number: index.numbers[place], place, length, players: [index.black[place], index.white[place]],
      winner: index.winners[place], ending: index.endings[place], reason: index.reasons[place],
      origin: index.origins[place], openingPlies: index.openings[place], sgf: index.sgf[place], psq: index.psq[place], said: index.said[place],
      unpack: () => ({
        stones: places().map(at => whole(cells, at)).map(cell => cell === null ? null : [cell % width, Math.floor(cell / width)]),
        ms: places().map(at => whole(ms, at) ?? 0),
        depths: places().map(at => whole(depths, at)),
        scores: places().map(at => readScore(scores(at), whole(kinds, at))),
        nodes: places().map(nodes),
        messages: messages ? messages[place].split(MESSAGE_END) : [],
      }),
    };
  });
}

/** @param {string | undefined} text */
const inflateColumn = async text => text === undefined ? null : inflate(text);

/**
 * A cell's name for people: a letter from the left, a number from the bottom.
 * @param {Cell | null} cell
 * @param {Data} data
 */
export const nameOfCell = (cell, data) => cell === null ? sayIn(data, "pass") : cellName(cell, data.height);

/**
 * @param {number} ms
 * @param {Data} data
 */
export const formatTime = (ms, data) =>
  ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2).replace(".", sayIn(data, "decimal_mark"))} s`;
