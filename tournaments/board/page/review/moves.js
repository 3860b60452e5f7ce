// A review's judgement of a move, in words.

import {cellName} from "../board.js";
import {formatShare} from "../study/evaluation.js";
import {colourName, say, sayLabelled, sayList, saySentences} from "../shared/i18n.js";

/** @typedef {import("../net/messages.js").ReviewedMove} ReviewedMove */

const LABELS = ["best", "good", "inaccuracy", "mistake", "blunder", "missed_win", "losing_move"];
const LOSSES = ["inaccuracy", "mistake", "blunder"];
const PROVED = ["missed_win", "losing_move"];  // labels that a proof gives, however little the move lost
const WORST_FIRST = [...PROVED, "blunder", "mistake"];

/** @param {ReviewedMove | undefined} move */
export const isMistake = move => move !== undefined && WORST_FIRST.includes(move.label);

/**
 * How many mistakes each side made.
 * @param {ReviewedMove[]} moves
 */
export function countMistakes(moves) {
  const [black, white] = [0, 1].map(colour => moves.filter(move => move.colour === colour && isMistake(move)).length);
  return {black, white};
}

/**
 * Mistakes with the worst first, or in the order of the game. What is proved is worse than what a score says.
 * @template {{move: ReviewedMove}} T
 * @param {T[]} mistakes in the order of the game
 * @param {boolean} isWorstFirst
 */
export function sortMistakes(mistakes, isWorstFirst) {
  if (!isWorstFirst) return mistakes;
  /** @param {ReviewedMove} move */
  const weigh = move => move.loss + (PROVED.includes(move.label) ? 1 : 0);
  return [...mistakes].sort((one, other) => weigh(other.move) - weigh(one.move));
}

/**
 * The label of a move at which something happened, "" for any other.
 * @param {ReviewedMove | undefined} move
 */
export const markOf = move => move && [...LOSSES, ...PROVED].includes(move.label) ? move.label : "";

/**
 * A move's label and loss, in a few letters; "" for a move at which nothing happened.
 * @param {ReviewedMove | undefined} move
 */
export function labelOf(move) {
  if (!move || !markOf(move)) return "";
  const label = say(`label_${move.label}`);
  return PROVED.includes(move.label) ? label : `${label} −${formatShare(move.loss)}`;
}

/**
 * The same as a sentence; "" without a judgement.
 * @param {ReviewedMove | undefined} move
 * @param {number} height
 */
export function describeMove(move, height) {
  if (!move) return "";
  const values = {number: move.ply + 1, colour: colourName(move.colour), cell: cellName(move.cell, height),
    label: say(`label_${move.label}`), loss: formatShare(move.loss)};
  const words = [say(move.loss < .01 || PROVED.includes(move.label) ? "review_move_only" : "review_move", values)];
  if (move.missed === "probably") words.push(say("missed_probably"));
  if (move.lost && move.label !== "losing_move") words.push(say(`lost_${move.lost}`));
  return saySentences(...words);
}

/**
 * The mistakes of a colour by their kinds, the worst first, in a few words.
 * @param {ReviewedMove[]} moves
 * @param {number} colour
 */
export function describeFindings(moves, colour) {
  const told = WORST_FIRST.flatMap(label => {
    const count = moves.filter(move => move.colour === colour && move.label === label).length;
    return count ? [say(`finding_${label}`, {count})] : [];
  });
  return sayList(told) || say("finding_none");
}

/**
 * How often each label was given to the moves of a colour, in a line.
 * @param {ReviewedMove[]} moves
 * @param {number} colour
 */
export function countLabels(moves, colour) {
  const own = moves.filter(move => move.colour === colour);
  const told = LABELS.flatMap(label => {
    const count = own.filter(move => move.label === label).length;
    return count ? [`${say(`label_${label}`)} ${count}`] : [];
  });
  return sayLabelled(colourName(colour), told.join(" · ") || "–");
}

/**
 * True if all moves except the accepted ones are proved to lose.
 * @param {ReviewedMove} move
 */
export const isHold = ({missed, lost}) => missed !== "proved" && lost === "proved";

/**
 * The task after a mistake, as a sentence.
 * @param {ReviewedMove} move
 */
export const describeTask = move =>
  say(move.missed === "proved" ? "find_win" : isHold(move) ? "find_hold" : "find_best", {colour: colourName(move.colour)});

/**
 * The sentence about an accepted answer; `cell` is its name.
 * @param {ReviewedMove} move
 * @param {string} cell
 */
export const describeRight = (move, cell) =>
  say(move.missed === "proved" ? "tried_wins" : isHold(move) ? "tried_holds" : "tried_good", {cell});
