// What the coach says of moves that were tried, and the buttons of what one may do about them.

import {cellName} from "../board.js";
import {make} from "../dom.js";
import {formatShare} from "../study/evaluation.js";
import {say} from "../shared/i18n.js";

export const MOST_NAMED = 6;   // defences that are named beside the board

// A step of a proof, [x, y, [[x, y, step], …], otherwise, fouls], by names.
export const readStep = ([x, y, replies, otherwise, fouls]) => ({
  move: x === null ? null : [x, y], otherwise, fouls, replies: new Map(replies.map(([column, row, step]) => [`${column},${row}`, step])),
});

export function makeAction(key, action, kind) {
  const made = make("button", {type: "button", ...kind && {class: kind}}, say(key));
  made.addEventListener("click", action);
  return made;
}

// What was found of a move that was tried.
export function describeAttempt({verdict, cell, loss}, height) {
  return say(`tried_${verdict}`, {cell: cellName(cell, height), loss: formatShare(loss)});
}

// The right answers; of a position to hold they are only those that are not proved to lose.
export function describeAnswers(cells, isHold, height) {
  const names = cells.slice(0, MOST_NAMED).map(cell => cellName(cell, height)).join(", ");
  return say(isHold ? "answers_hold" : "answers", {cells: names + (cells.length > MOST_NAMED ? " …" : "")});
}
