// The study that is shown, and what this page knows of it.

import {cellName} from "../board.js";
import {byId} from "../dom.js";
import {Tree} from "./tree.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Node} Node
 *
 * @typedef {object} View
 * @property {Tree} tree
 * @property {Tree | null} earlier the study that the last import or set-up replaced
 * @property {[Cell[], Cell[]] | null} free stones of Black and White that are being set up and make no position yet
 * @property {Tree[]} imported the studies of the last import
 * @property {boolean} isThinking
 * @property {number} request the number of the analysis whose messages count
 * @property {Node | null} asked the node that it is about
 * @property {number} askedAt when the last analysis was asked for, in milliseconds
 * @property {ReturnType<typeof setTimeout> | undefined} timer of the analysis that is to be asked for
 * @property {Node[] | null} waiting the nodes that an analysis of the whole line has still to look at, null without one
 * @property {boolean} playsBest true while the analysis is to end in a move
 * @property {{cells: Cell[], colour: number, count: number} | null} preview a line that is shown
 * @property {Cell[]} balanced cells that the balance finder found, at the current position
 * @property {boolean} hasLines
 * @property {boolean} hasMarks
 * @property {string} signature of the engine here
 * @property {string | null} linked signature of the engine that made the link that was followed
 * @property {Node | null} listed the node whose lines are listed
 * @property {boolean} isOpen
 * @property {() => void} react is called whenever the current position is another one
 *
 * @typedef {object} Parts which prepareStudy() makes before anything else is done
 * @property {import("../board/grid.js").Grid} grid
 * @property {import("../review/review.js").Coach} coach
 * @property {import("../library/studies.js").StudyList} studies
 */

/** @type {View} */
export const view = {
  tree: new Tree({width: 15, height: 15, rule: 0}), earlier: null, free: null, imported: [], isThinking: false, request: 0,
  asked: null, askedAt: 0, timer: undefined, waiting: null, playsBest: false, preview: null, balanced: [], hasLines: true,
  hasMarks: true, signature: "", linked: null, listed: null, isOpen: false, react: () => {},
};

export const parts = /** @type {Parts} */ ({});

// The current position is another one.
export const moved = () => view.react();

/** @param {Cell} cell */
export const nameOf = cell => cellName(cell, view.tree.height);

/** @param {Tree} study */
export function replace(study) {
  if (view.tree.root.children.length || view.tree.start.length) view.earlier = view.tree;
  view.tree = study;
  view.free = null;
  parts.coach.forget();
  byId("bring-back").hidden = view.earlier === null;
  moved();
}

/** @param {"back" | "forward" | "first" | "last"} how */
export function step(how) {
  if (!view.free) view.tree[how]();
  moved();
}
