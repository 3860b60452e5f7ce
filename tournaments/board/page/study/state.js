// The study that is shown: its tree of moves, what this page knows beside that, and every change of both. Nothing is
// drawn here, and nothing is sent.

import {cellName, cellOfKey, isSame} from "../board.js";
import {redo, undo} from "./history.js";
import {Tree} from "./tree.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Node} Node
 * @typedef {{cells: Cell[], colour: number, count: number}} Preview the first `count` moves of a line that begins with
 *   `colour`
 *
 * @typedef {object} Run of the engine: what it is asked about
 * @property {boolean} isOn
 * @property {Tree | null} tree of the node that the engine is asked about
 * @property {number} number of the last request, whose messages count
 * @property {Node | null} node that the request is about
 * @property {Cell[]} barred cells that the last request left out
 * @property {Node[] | null} waiting the nodes that an analysis of the whole line has still to look at, null without one
 * @property {boolean} playsBest true while the analysis is to end in a move
 *
 * @typedef {object} Study
 * @property {Tree} tree
 * @property {Tree | null} earlier the study that the last import or set-up replaced
 * @property {[Cell[], Cell[]] | null} free stones of Black and White that are being set up and make no position yet
 * @property {Tree[]} imported the studies of the last import
 * @property {Run} run
 * @property {Preview | null} preview a line that is shown
 * @property {Cell[]} balanced cells that the balance finder found, at the current position
 * @property {boolean} hasLines
 * @property {boolean} hasMarks
 * @property {string} signature of the engine here
 * @property {string | null} linked signature of the engine that made the link that was followed
 * @property {boolean} isOpen
 */

// The mark of a cell that an analysis of its position leaves out.
export const BARRED = "⊘";

/** @returns {Study} */
export const makeStudy = () => ({
  tree: new Tree({width: 15, height: 15, rule: 0}), earlier: null, free: null, imported: [],
  run: {isOn: false, tree: null, number: 0, node: null, barred: [], waiting: null, playsBest: false}, preview: null, balanced: [], hasLines: true,
  hasMarks: true, signature: "", linked: null, isOpen: false,
});

/**
 * @param {Study} study
 * @param {Cell} cell
 */
export const nameOf = ({tree}, cell) => cellName(cell, tree.height);

// The position that is shown

/**
 * Shows another study; one with stones can be brought back.
 * @param {Study} study
 * @param {Tree} tree
 */
export function replaceTree(study, tree) {
  const {root, start, before} = study.tree, isFurtherStone = before && tree.before === study.tree && !root.children.length;
  if (!isFurtherStone && (root.children.length || start.length)) study.earlier = study.tree;
  study.tree = tree;
  study.free = null;
}

/**
 * The position of a link is shown already, and its whole study has come from the server: it takes the position's place.
 * @param {Study} study
 * @param {Tree} tree
 */
export function completeTree(study, tree) {
  study.tree = tree;
  study.free = null;
}

/**
 * Takes back the last change that this page knows: stones that make no position yet, a change of the study, or the set-up
 * that began it. False if there is none.
 * @param {Study} study
 */
export function undoChange(study) {
  const {tree} = study;
  if (study.free) {
    study.free = null;
  } else if (!undo(tree)) {
    if (!tree.before) return false;
    tree.before.after = tree;
    study.tree = tree.before;
  }
  return true;
}

/**
 * Does again what was taken back last. False if there is nothing.
 * @param {Study} study
 */
export function redoChange(study) {
  if (study.free) return false;
  if (redo(study.tree)) return true;
  if (!study.tree.after) return false;
  study.tree = study.tree.after;
  return true;
}

/**
 * The current position is another one: what was shown of the one before goes.
 * @param {Study} study
 */
export function forgetPosition(study) {
  study.preview = null;
  study.balanced = [];
}

/**
 * @param {Study} study
 * @param {"back" | "forward" | "first" | "last"} how
 */
export function step(study, how) {
  if (!study.free) study.tree[how]();
}

/**
 * Shows the first moves of a line, null for none. False if they are shown already.
 * @param {Study} study
 * @param {Preview | null} preview
 */
export function setPreview(study, preview) {
  const before = study.preview;
  if (String(preview?.cells) === String(before?.cells) && preview?.count === before?.count) return false;
  study.preview = preview;
  return true;
}

/**
 * Puts the first `count` moves of a line into the tree and goes there.
 * @param {Study} study
 * @param {Cell[]} cells
 * @param {number} count
 */
export function takeLine({tree}, cells, count) {
  for (const cell of cells.slice(0, count)) tree.play(cell);
}

/**
 * Goes to the next (1) or previous (-1) mistake of the line. Returns its node; null where there is none.
 * @param {Study} study
 * @param {number} by
 * @param {(node: import("./tree.js").Move) => boolean} isMistake
 */
export function goToMistake({tree}, by, isMistake) {
  const line = tree.line(), here = line.findIndex(node => node === tree.current);
  const found = by > 0 ? line.slice(here + 1).find(isMistake) : line.slice(0, Math.max(0, here)).findLast(isMistake);
  if (!found) return null;
  tree.current = found;
  return found;
}

/**
 * The next (1) or previous (-1) study of the last import.
 * @param {Study} study
 * @param {number} by
 */
export const neighbour = ({imported, tree}, by) => imported[imported.indexOf(tree) + by];

/**
 * Whether the figures of the link that was followed come from another engine than the one here; said once. Which one
 * runs here is known when the server has greeted.
 * @param {Study} study
 */
export function hasOtherSignature(study) {
  const {linked, signature} = study;
  if (!linked || !signature) return false;
  study.linked = null;
  return linked !== signature;
}

// Marks and stones

/**
 * Puts a mark on a cell, or takes it away. The tool "letter" puts the next letter.
 * @param {Study} study
 * @param {Cell} cell
 * @param {string} tool
 */
export function mark({tree}, cell, tool) {
  const {labels} = tree.current, key = String(cell);
  if (labels.has(key)) labels.delete(key);
  else labels.set(key, tool === "letter" ? nextLetter(labels) : tool);
}

/** @param {Map<string, string>} labels */
function nextLetter(labels) {
  const used = new Set(labels.values());
  return Array.from({length: 26}, (_, index) => String.fromCharCode(65 + index)).find(letter => !used.has(letter)) ?? "A";
}

/**
 * Places or takes away a stone of any colour. They make a position when Black has as many stones as White or one more:
 * returns the study that begins with it, and null as long as they make none.
 * @param {Study} study
 * @param {Cell} cell
 * @param {string} tool "black", "white" or "erase"
 */
export function setUp(study, cell, tool) {
  const {tree} = study, cells = tree.cells(), colour = tool === "white" ? 1 : 0;
  const before = study.free ?? [0, 1].map(own => cells.filter((_, index) => index % 2 === own));
  const wasThere = before[colour].some(each => isSame(each, cell));
  const stones = /** @type {[Cell[], Cell[]]} */ (before.map(own => own.filter(each => !isSame(each, cell))));
  if (tool !== "erase" && !wasThere) stones[colour].push(cell);
  const [black, white] = stones, more = black.length - white.length, {width, height, rule} = tree;
  if (more === 0 || more === 1) {
    const made = new Tree({width, height, rule, start: black.flatMap((stone, index) =>
      index < white.length ? [stone, white[index]] : [stone])});
    made.before = tree;
    return made;
  }
  study.free = stones;
  return null;
}

// The engine

/**
 * The free cells that an analysis of the position after `node` leaves out.
 * @param {Tree} tree
 * @param {Node} node
 */
export const barredAt = (tree, node = tree.current) =>
  [...node.labels].flatMap(([key, text]) => text === BARRED && !tree.isTaken(cellOfKey(key), node) ? [cellOfKey(key)] : []);

/**
 * Takes the marks of cells that are left out away from the current position.
 * @param {Study} study
 */
export function freeBarred({tree}) {
  for (const cell of barredAt(tree)) tree.current.labels.delete(String(cell));
}

/**
 * An analysis that left out other cells than those that are marked now says nothing any more.
 * @param {Study} study
 */
export function dropStale({tree: {current}, tree}) {
  if (current.analysis && String(current.barred) !== String(barredAt(tree))) current.analysis = null;
}

/**
 * The engine is asked about a node. It leaves the marked cells out, but not while it looks at a whole line.
 * @param {Study} study
 * @param {Node} node
 */
export function beginRun({run, tree}, node) {
  run.barred = run.waiting ? [] : barredAt(tree, node);
  run.isOn = true;
  run.tree = tree;
  run.number += 1;
  run.node = node;
}

/**
 * The id of the last request.
 * @param {Study} study
 */
export const runId = ({run}) => `analysis ${run.number}`;

/**
 * Takes what the engine says. Null where it comes too late; else the move that is to be played now, if there is one.
 * @param {Study} study
 * @param {import("../net/exchange.js").Analysis} message
 * @returns {{best: Cell | null} | null}
 */
export function takeAnalysis(study, message) {
  const {run, tree} = study;
  if (message.id !== runId(study) || !run.node) return null;
  run.node.analysis = message;
  run.node.barred = run.barred;
  if (!message.done) return {best: null};
  run.isOn = false;
  const best = message.lines[0]?.moves[0];
  if (!run.playsBest || !best || run.node !== tree.current) {
    run.playsBest &&= run.waiting?.includes(tree.current) ?? false;  // its position may be looked at yet
    return {best: null};
  }
  run.playsBest = false;
  return {best};
}

/**
 * Takes a refusal. False if it is not one of the last request.
 * @param {Study} study
 * @param {{id?: number | string}} message
 */
export function takeRefusal(study, {id}) {
  if (id !== runId(study)) return false;
  study.run.isOn = study.run.playsBest = false;
  return true;
}

/**
 * Ends the analysis; answers that still come are too late. True if one was made.
 * @param {Study} study
 */
export function endRun({run}) {
  const {isOn} = run;
  Object.assign(run, {isOn: false, playsBest: false, waiting: null, number: run.number + 1});
  return isOn;
}

/**
 * Whether the engine looks at the line of a study that another one has replaced.
 * @param {Study} study
 */
export const isOfOtherStudy = ({run, tree}) => run.isOn && run.waiting !== null && run.tree !== tree;

/**
 * Every position of the line without a whole analysis is to be looked at.
 * @param {Study} study
 */
export function awaitLine({run, tree}) {
  run.waiting = [tree.root, ...tree.line()].filter(node => !node.analysis?.done);
}

/**
 * The next node of the line that is to be looked at, null for none.
 * @param {Study} study
 */
export function nextAwaited({run}) {
  const node = run.waiting?.shift();
  if (!node) run.waiting = null;
  return node ?? null;
}
