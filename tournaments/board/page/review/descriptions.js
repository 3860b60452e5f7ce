// What the coach says of moves that were tried, and the buttons of what one may do about them.

import {cellName} from "../board.js";
import {make} from "../dom.js";
import {formatShare} from "../study/evaluation.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {unknown[][]} Proof as it is sent: a list of steps
 * @typedef {[number | null, number | null, [number, number, number][], number | null, Cell[]]} ProofStep
 *   [x, y, [[x, y, step], …], otherwise, fouls]: the attacker's move, none if a defence comes first, the steps that
 *   answer each defence, the step that answers any other, and the defences that are fouls
 * @typedef {{move: Cell | null, otherwise: number | null, fouls: Cell[], replies: Map<string, number>}} Step of a proof:
 *   `replies` are keys of cells to the steps that answer them
 *
 * @typedef {object} Shown the study that the coach speaks of
 * @property {() => import("../study/tree.js").Tree} tree
 * @property {(node: import("../study/tree.js").Node) => void} go shows a position
 * @property {() => import("../study/tree.js").Move[]} line the nodes of the game
 * @property {() => void} stop ends an analysis
 * @property {() => boolean} isSetUp false while stones are set up that make no position
 */

export const MOST_NAMED = 6;   // defences that are named beside the board

/**
 * The steps of a proof by names.
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
 * A button of what one may do.
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
 * What was found of a move that was tried.
 * @param {{verdict: string, cell: Cell, loss: number}} found
 * @param {number} height
 */
export function describeAttempt({verdict, cell, loss}, height) {
  return say(`tried_${verdict}`, {cell: cellName(cell, height), loss: formatShare(loss)});
}

/**
 * The right answers; of a position to hold they are only those that are not proved to lose.
 * @param {Cell[]} cells
 * @param {boolean} isHold
 * @param {number} height
 */
export function describeAnswers(cells, isHold, height) {
  const names = cells.slice(0, MOST_NAMED).map(cell => cellName(cell, height)).join(", ");
  return say(isHold ? "answers_hold" : "answers", {cells: names + (cells.length > MOST_NAMED ? " …" : "")});
}
