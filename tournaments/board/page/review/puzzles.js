// The current puzzle, its judged answer, and the sentences about both.

import {cellName, isSame} from "../board.js";
import {describeAnswers, describeAttempt} from "./descriptions.js";
import {colourName, formatDay, say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").PuzzleAsked} Asked
 * @typedef {import("../net/messages.js").PuzzleJudged} Judged
 * @typedef {import("../net/messages.js").PuzzleJson} Puzzle
 *
 * @typedef {object} Solving
 * @property {import("../net/messages.js").Rule} rule of the puzzles
 * @property {Asked | null} asked the server's last answer to a request for a puzzle
 * @property {Judged | null} judged the server's judgement of the answer to the current puzzle
 * @property {boolean} isJudging true while the server judges
 * @property {string[]} seen the puzzles that were shown since the page was loaded
 */

const MOST_SEEN = 1000;  // the server takes no more

/** @returns {Solving} */
export const makeSolving = () => ({rule: 0, asked: null, judged: null, isJudging: false, seen: []});

/**
 * The current puzzle, null for none.
 * @param {Solving} solving
 * @returns {Puzzle | null}
 */
export const shownPuzzle = ({asked}) => asked?.asked ?? null;

/**
 * Shows the puzzle that came from the server.
 * @param {Solving} solving
 * @param {Asked} asked
 */
export function takePuzzle(solving, asked) {
  solving.asked = asked;
  solving.judged = null;
  solving.isJudging = false;
  const id = asked.asked?.puzzle;
  if (id && !solving.seen.includes(id)) solving.seen = [...solving.seen, id].slice(-MOST_SEEN);
}

/**
 * Takes the judgement of an answer. False if another puzzle is current now.
 * @param {Solving} solving
 * @param {Judged} judged
 */
export function takeVerdict(solving, judged) {
  if (shownPuzzle(solving)?.puzzle !== judged.puzzle) return false;
  solving.judged = judged;
  solving.isJudging = false;
  return true;
}

/**
 * The task, or the reason why there is none, as a sentence.
 * @param {Solving} solving
 */
export function puzzleTask(solving) {
  const puzzle = shownPuzzle(solving);
  if (!puzzle) return solving.asked ? say("puzzle_none") : "";
  return say("find_win", {colour: colourName(puzzle.to_move)});
}

/**
 * What is known of the puzzle before it is answered: its rating, its day, and whether it was answered before.
 * @param {Asked} asked
 */
export function describePuzzle({asked, day, is_answered: isAnswered}) {
  if (!asked) return "";
  const parts = [say("puzzle_facts", {rule: say(`rule_${asked.rule}`), rating: asked.rating})];
  if (day) parts.unshift(say("puzzle_of", {day: formatDay(day)}));
  if (isAnswered) parts.push(say("puzzle_known"));
  return saySentences(...parts);
}

/**
 * The sentences about an answer: what it does, the right move, and the rating.
 * @param {Judged} judged
 * @param {number} height
 */
export function describeVerdict({cell, answer, verdict, loss, plies, right, change, standing: {rating}}, height) {
  const parts = cell ? [describeAttempt({verdict, cell, loss}, height)] : [describeAnswers([answer], false, height)];
  if (cell && !right) parts.push(say("puzzle_answer", {cell: cellName(answer, height)}));
  parts.push(say("puzzle_plies", {plies}));
  parts.push(change === null ? say("puzzle_same", {rating}) : say("puzzle_changed", {rating, change: signed(change)}));
  return saySentences(...parts);
}

/** @param {number} change */
const signed = change => `${change < 0 ? "−" : "+"}${Math.abs(change)}`;

/**
 * The words on free cells of the board: the right move, and a wrong answer.
 * @param {Solving} solving
 * @returns {import("../board/cells.js").Candidate[]}
 */
export function puzzleMarks({judged}) {
  if (!judged) return [];
  const {cell, answer, right} = judged, wrong = cell && !right && !isSame(cell, answer) ? cell : null;
  return [
    {cell: answer, kind: "best", text: "!"},
    ...wrong ? [/** @type {import("../board/cells.js").Candidate} */ ({cell: wrong, kind: "lost", text: "×"})] : [],
  ];
}
