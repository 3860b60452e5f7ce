// How well each side played in the parts of a game, by a review. The accuracy of a move is the share of its side's chances
// that it kept.

/**
 * @typedef {import("../net/messages.js").ReviewedMove} ReviewedMove
 * @typedef {{name: string, first: number, last: number}} Phase the numbers of its first and last move
 * @typedef {{share: number | null, moves: number, mistakes: number}} Accuracy `share` is the mean of the moves whose chances
 *   are known, null for none
 */

import {isMistake} from "./moves.js";

/** @type {Phase[]} */
export const PHASES = [
  {name: "opening", first: 1, last: 10}, {name: "middle", first: 11, last: 30}, {name: "end", first: 31, last: Infinity},
];
/** @type {Phase} */
export const WHOLE = {name: "whole", first: 1, last: Infinity};

/**
 * The accuracy of a side in a phase.
 * @param {ReviewedMove[]} moves
 * @param {number} colour
 * @param {Phase} phase
 * @returns {Accuracy}
 */
export function accuracyOf(moves, colour, {first, last}) {
  const own = moves.filter(({ply, ...move}) => move.colour === colour && ply + 1 >= first && ply + 1 <= last);
  const known = own.filter(({before, after}) => before !== null && after !== null);
  const lost = known.reduce((sum, {loss}) => sum + loss, 0);
  return {share: known.length ? 1 - lost / known.length : null, moves: own.length, mistakes: own.filter(isMistake).length};
}

/**
 * The phases that the moves of a review reach.
 * @param {ReviewedMove[]} moves
 */
export const phasesOf = moves => PHASES.filter(({first, last}) => moves.some(({ply}) => ply + 1 >= first && ply + 1 <= last));
