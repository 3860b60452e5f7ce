// The coach's words about moves that were tried, and the buttons for the next steps.

import {cellName} from "../board.js";
import {make} from "../dom.js";
import {formatShare} from "../study/evaluation.js";
import {say, sayList} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {unknown[][]} Proof a list of steps, as in messages
 * @typedef {[number | null, number | null, [number, number, number][], number | null, Cell[]]} ProofStep
 *   [x, y, [[x, y, step], …], otherwise, fouls]: the attacker's move, null if a defence comes first, the step that
 *   answers each defence, the step that answers all other defences, and the defences that are fouls
 * @typedef {{move: Cell | null, otherwise: number | null, fouls: Cell[], replies: Map<string, number>}} Step of a proof:
 *   `replies` are keys of cells to the steps that answer them
 *
 * @typedef {object} Shown the coach's study
 * @property {() => import("../study/tree.js").Tree} tree
 * @property {(node: import("../study/tree.js").Node) => void} go shows a position
 * @property {() => void} shown is called after more is known of the position that is shown
 * @property {() => import("../study/tree.js").Move[]} line the nodes of the game
 * @property {() => void} stop ends an analysis
 * @property {() => boolean} isSetUp false while the stones that are being set up do not make a position
 * @property {() => boolean} isOwner false for a guest, who has no reviews
 */

export const MOST_NAMED = 6;   // how many defences are named beside the board

/**
 * The steps of a proof as objects.
 * @param {Proof} proof
 */
export const readProof = proof => proof.map(step => readStep(/** @type {ProofStep} */ (step)));

/**
 * @param {ProofStep} step
 * @returns {Step}
 */
const readStep = ([x, y, replies, otherwise, fouls]) => ({
  move: x === null || y === null ? null : [x, y], otherwise, fouls, replies: new Map(replies.map(([column, row, step]) => [`${column},${row}`, step])),
});

/**
 * A button for a next step.
 * @param {string} key of its word
 * @param {() => void} action
 * @param {string} [kind] its class
 */
export function makeAction(key, action, kind = "") {
  const made = make("button", kind ? {type: "button", class: kind} : {type: "button"}, say(key));
  made.addEventListener("click", action);
  return made;
}

/**
 * True for another move than the brain's, if it is not known what it loses: the brain gave no score.
 * @param {{verdict: string, loss: number}} found
 */
export const isUnrated = ({verdict, loss}) => verdict === "worse" && !loss;

/**
 * The judgement of a move that was tried, as a sentence.
 * @param {{verdict: string, cell: Cell, loss: number}} found
 * @param {number} height
 */
export function describeAttempt({verdict, cell, loss}, height) {
  return say(`tried_${isUnrated({verdict, loss}) ? "unrated" : verdict}`, {cell: cellName(cell, height), loss: formatShare(loss)});
}

/**
 * The right answers; in a position to hold, these are the moves that are not proved to lose.
 * @param {Cell[]} cells
 * @param {boolean} isHold
 * @param {number} height
 */
export function describeAnswers(cells, isHold, height) {
  const names = sayList(cells.slice(0, MOST_NAMED).map(cell => cellName(cell, height)));
  return say(isHold ? "answers_hold" : "answers", {cells: cells.length > MOST_NAMED ? say("and_others", {cells: names}) : names});
}
