// What was changed in a study, to undo it and to do it again. Every change counts, however it was made: what the study
// was before is compared with what it is. The server keeps older states of a kept study, see library/studies.js.

const MOST = 100;  // states that are remembered of a study that is open

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {{text: string, at: Cell[]}} Moment a study as JSON, and the cells that lead to the position that was shown
 * @typedef {{past: Moment[], future: Moment[], seen: Moment | null, key: string}} History
 */

/**
 * @param {Tree} tree
 * @returns {Moment}
 */
const read = tree => ({text: JSON.stringify(tree.toJson()), at: tree.moves()});

/**
 * The study may have changed. Changes with the same `key`, as of a comment that is typed, are one.
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
 * Takes the last change back. False if there is none.
 * @param {Tree} tree
 */
export const undo = tree => exchange(tree, tree.history.past, tree.history.future);

/**
 * Does again what was taken back last. False if there is nothing.
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
 * Makes the study what the server says that it was before.
 * @param {Tree} tree
 * @param {import("../net/exchange.js").Study} content
 */
export function takeOlder(tree, content) {
  const {history} = tree, seen = history.seen ?? read(tree);
  history.future.push(seen);
  put(tree, {text: JSON.stringify(content), at: seen.at});
}
