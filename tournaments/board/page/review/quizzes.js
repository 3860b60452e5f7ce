// The list of quizzes, the current quiz, and its last answer.

import {cellName, isSame} from "../board.js";
import {describeAnswers, describeAttempt, isUnrated} from "./descriptions.js";
import {colourName, formatTime, say, sayList, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/messages.js").QuizLine} Quiz
 * @typedef {import("../net/messages.js").QuizJudged} JudgedQuiz
 * @typedef {import("../net/messages.js").QuizCounts} Counts
 *
 * @typedef {object} Training
 * @property {Quiz[]} quizzes as the server lists them
 * @property {Counts} unlisted how many others there are
 * @property {number} ahead how many seconds the server's clock is ahead of this machine's
 * @property {number | null} number of the current quiz
 * @property {JudgedQuiz | null} judged the server's judgement of the last answer to it
 * @property {Set<number>} judging the quizzes whose answers are being judged
 */

/** @returns {Training} */
export const makeTraining = () => ({
  quizzes: [], unlisted: {all: 0, due: 0, solved: 0}, ahead: 0, number: null, judged: null, judging: new Set(),
});

/**
 * The current quiz, null for none.
 * @param {Training} training
 */
export const chosen = ({quizzes, number}) => quizzes.find(quiz => quiz.quiz === number) ?? null;

/**
 * True if a quiz is due now.
 * @param {Training} training
 * @param {Quiz} quiz
 * @param {number} now seconds since 1970 by the clock of this machine
 */
export const isDue = ({ahead}, {due}, now) => due !== null && due <= now + ahead;

/**
 * Takes the list that came from the server at the time `now`.
 * @param {Training} training
 * @param {{quizzes: Quiz[], unlisted: Counts, now: number}} answer
 * @param {number} now
 */
export function takeQuizzes(training, answer, now) {
  training.ahead = answer.now - now;
  training.quizzes = answer.quizzes;
  training.unlisted = answer.unlisted;
}

/**
 * How many quizzes there are at the time `now`, also those that are not listed.
 * @param {Training} training
 * @param {number} now
 * @returns {Counts}
 */
export const countQuizzes = (training, now) => ({
  all: training.quizzes.length + training.unlisted.all,
  due: training.quizzes.filter(quiz => isDue(training, quiz, now)).length + training.unlisted.due,
  solved: training.quizzes.filter(quiz => quiz.due === null).length + training.unlisted.solved,
});

/**
 * Shows another quiz; null for none.
 * @param {Training} training
 * @param {Quiz | null | undefined} quiz
 */
export function choose(training, quiz) {
  training.number = quiz?.quiz ?? null;
  training.judged = null;
}

/**
 * The current quiz is answered. False while an earlier answer to it is being judged.
 * @param {Training} training
 */
export function beginJudging({judging, number}) {
  if (number === null || judging.has(number)) return false;
  judging.add(number);
  return true;
}

/**
 * The judging of an answer has ended, well or not. False if another quiz is current now.
 * @param {Training} training
 * @param {number} quiz
 */
export function endJudging({judging, number}, quiz) {
  judging.delete(quiz);
  return number === quiz;
}

/**
 * Takes the judgement of an answer. False if another quiz is current now.
 * @param {Training} training
 * @param {JudgedQuiz} judged
 */
export function takeJudgement(training, judged) {
  training.quizzes = training.quizzes.map(each => each.quiz === judged.quiz.quiz ? judged.quiz : each);
  if (training.number !== judged.quiz.quiz) return false;
  training.judged = judged;
  return true;
}

/**
 * The next quiz that is due, except the current one; undefined for none.
 * @param {Training} training
 * @param {number} now
 */
export const nextDue = (training, now) =>
  training.quizzes.find(quiz => isDue(training, quiz, now) && quiz.quiz !== training.number);

/**
 * The next (1) or previous (-1) quiz of the list; undefined for none.
 * @param {Training} training
 * @param {number} by
 */
export const neighbour = ({quizzes, number}, by) => quizzes[quizzes.findIndex(quiz => quiz.quiz === number) + by];

/**
 * True if the current quiz was answered right, or given up.
 * @param {Training} training
 */
export const isAnswered = ({judged}) => Boolean(judged && (judged.right || judged.cell === null));

/** @param {Quiz} quiz */
export const taskOf = quiz => say(`find_${quiz.kind}`, {colour: colourName(quiz.to_move)});

/**
 * The reason why there is no current quiz, as a sentence.
 * @param {Training} training
 */
export function noneWords({quizzes}) {
  const next = earliestDue(quizzes);
  if (!quizzes.length) return say("quiz_none");
  return next === null ? say("quiz_all_solved") : say("quiz_none_due", {time: formatTime(next)});
}

/**
 * When the first of the quizzes is due, null if all are solved. After an answer the list is not in that order.
 * @param {Quiz[]} quizzes
 */
export function earliestDue(quizzes) {
  const times = quizzes.flatMap(({due}) => due ?? []);
  return times.length ? Math.min(...times) : null;
}

/**
 * Seconds until the next quiz becomes due, null if none is due later.
 * @param {Training} training
 * @param {number} now
 */
export function secondsToNext(training, now) {
  const next = earliestDue(training.quizzes.filter(quiz => !isDue(training, quiz, now)));
  return next === null ? null : next - now - training.ahead;
}

/**
 * The sentence about an answer.
 * @param {JudgedQuiz} found
 * @param {Quiz} quiz
 */
export function describeJudged(found, {kind, height}) {
  const parts = [], {cell, played, verdict, reply, right, quiz: {due}} = found;
  if (kind === "line") parts.push(describeLine(found, height));
  else if (cell === null) parts.push(describeAnswers(found.accepted ?? [], kind === "hold", height));
  else if (verdict) parts.push(describeAttempt({verdict, cell, loss: found.loss}, height));
  else parts.push(say(kind === "win" ? "tried_wins" : kind === "hold" ? "tried_holds" : "tried_good", {cell: cellName(cell, height)}));
  if (kind === "line" && !right && reply) parts.push(say("answered_by", {cell: cellName(reply, height)}));
  if (played && kind !== "line") parts.push(say("quiz_played", {cell: cellName(played, height)}));
  parts.push(due === null ? say("quiz_solved_now") : say("quiz_comes_back", {time: formatTime(due)}));
  return saySentences(...parts);
}

/**
 * The sentence about an answer to a quiz of an opening line.
 * @param {JudgedQuiz} found
 * @param {number} height
 */
function describeLine({cell, verdict, loss, accepted = []}, height) {
  if (cell === null) return say("line_answers", {cells: sayList(accepted.map(each => cellName(each, height)))});
  if (!verdict) return say("line_right", {cell: cellName(cell, height)});
  if (isUnrated({verdict, loss})) return say("line_wrong", {cell: cellName(cell, height)});
  return verdict === "good" ? say("line_other", {cell: cellName(cell, height)}) : describeAttempt({verdict, cell, loss}, height);
}

/**
 * The words on free cells of the board: the right answers, a wrong answer, and the move of the game.
 * @param {Training} training
 * @param {Quiz} quiz
 * @returns {import("../board/cells.js").Candidate[]}
 */
export function candidatesOf(training, quiz) {
  const {judged} = training;
  if (!judged) return [];
  const {cell, right, accepted = [], played, reply} = judged, taken = [...quiz.moves, ...right && cell ? [cell] : []];
  /** @type {import("../board/cells.js").Candidate[]} */
  const all = [
    ...cell === null ? accepted.map(each => ({cell: each, kind: "best", text: "!"})) : [],
    ...cell && !right ? [{cell, kind: "lost", text: "×"}] : [],
    ...quiz.kind === "line" && !right && reply ? [{cell: reply, kind: "best", text: "1"}] : [],
    ...isAnswered(training) && played && quiz.kind !== "line" ? [{cell: played, kind: "other", text: "?"}] : [],
  ];
  return all.filter(candidate => !taken.some(each => isSame(each, candidate.cell)));
}
