// What was changed in a study, to undo it and to do it again. Every change counts, however it was made: what the study
// was before is compared with what it is. The server keeps older states of a kept study, see library/studies.js.

const MOST = 100;  // states that are remembered of a study that is open

const read = tree => ({text: JSON.stringify(tree.toJson()), at: tree.path().map(node => node.cell)});

// The study may have changed. Changes with the same `key`, as of a comment that is typed, are one.
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
  history.key = key;
}

function put(tree, state) {
  const {history} = tree;
  tree.restore(JSON.parse(state.text));
  tree.follow(state.at);
  history.seen = read(tree);
  history.key = "";
}

// Takes the last change back. False where there is none.
export function undo(tree) {
  const {history} = tree, state = history.past.pop();
  if (!state) return false;
  history.future.push(history.seen);
  put(tree, state);
  return true;
}

export function redo(tree) {
  const {history} = tree, state = history.future.pop();
  if (!state) return false;
  history.past.push(history.seen);
  put(tree, state);
  return true;
}

// Makes the study what the server says that it was before.
export function takeOlder(tree, content) {
  const {history} = tree;
  history.future.push(history.seen);
  put(tree, {text: JSON.stringify(content), at: history.seen.at});
}
