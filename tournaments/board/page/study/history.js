// The changes of a study, for undo and redo. A change is found by comparing the study with its last state, so that
// every kind of change counts. The server keeps older states of a kept study, see library/studies.js.

const MOST = 100;  // how many states of an open study are remembered

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {{text: string, at: Cell[]}} Moment a study as JSON, and the cells that lead to its current position
 * @typedef {{past: Moment[], future: Moment[], seen: Moment | null, key: string}} History
 */

/**
 * @param {Tree} tree
 * @returns {Moment}
 */
const read = tree => ({text: JSON.stringify(tree.toJson()), at: tree.moves()});

/**
 * The study may have changed. Changes with the same `key`, such as the letters of a comment, count as one.
 * @param {Tree} tree
 * @param {string} [key]
 */
export function noteChange(tree, key = "") {
  const {history} = tree, now = read(tree), was = history.seen;
  history.seen = now;
  if (!was) return;
  if (now.text === was.text) {
    if (String(now.at) !== String(was.at)) history.key = "";
    return;
  }
  if (!key || key !== history.key) history.past = [...history.past, was].slice(-MOST);
  history.future = [];
  tree.after = null;
  history.key = key;
}

/**
 * @param {Tree} tree
 * @param {Moment} state
 */
function put(tree, state) {
  const {history} = tree;
  tree.restore(JSON.parse(state.text));
  tree.follow(state.at);
  history.seen = read(tree);
  history.key = "";
}

/**
 * Undoes the last change. False if there is none.
 * @param {Tree} tree
 */
export const undo = tree => exchange(tree, tree.history.past, tree.history.future);

/**
 * Does the last undone change again. False if there is none.
 * @param {Tree} tree
 */
export const redo = tree => exchange(tree, tree.history.future, tree.history.past);

/**
 * @param {Tree} tree
 * @param {Moment[]} from
 * @param {Moment[]} to
 */
function exchange(tree, from, to) {
  const state = from.pop();
  if (!state) return false;
  to.push(tree.history.seen ?? read(tree));
  put(tree, state);
  return true;
}

/**
 * Puts the study into the earlier state that the server has sent.
 * @param {Tree} tree
 * @param {import("../net/exchange.js").Study} content
 */
export function takeOlder(tree, content) {
  const {history} = tree, seen = history.seen ?? read(tree);
  history.future.push(seen);
  put(tree, {text: JSON.stringify(content), at: seen.at});
}
