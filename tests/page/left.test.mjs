// What a page is left with before the server has taken it: kept by the browser, and written by the next page.

import assert from "node:assert/strict";
import {beforeEach, mock, test} from "node:test";
import {Keeper} from "../../tournaments/board/page/library/keeper.js";
import {makeKept} from "../../tournaments/board/page/library/kept.js";
import {LeftStudies} from "../../tournaments/board/page/library/left.js";
import {NoAnswer, server} from "../../tournaments/board/page/net/connection.js";
import {identity} from "../../tournaments/board/page/net/identity.js";
import {Leftovers} from "../../tournaments/board/page/net/leftovers.js";
import {Tree} from "../../tournaments/board/page/study/tree.js";

class Shelf {
  constructor() {
    this.values = new Map();
    this.room = Infinity;  // letters of a value
  }

  get length() {
    return this.values.size;
  }

  key(index) {
    return [...this.values.keys()][index] ?? null;
  }

  getItem(name) {
    return this.values.get(name) ?? null;
  }

  setItem(name, value) {
    if (value.length > this.room) throw new Error("full");
    this.values.set(name, String(value));
  }

  removeItem(name) {
    this.values.delete(name);
  }
}

const told = {linked: mock.fn(), written: mock.fn(), changed: mock.fn()};

beforeEach(() => {
  globalThis.localStorage = new Shelf();
  globalThis.document = {getElementById: () => ({textContent: ""}), querySelectorAll: () => []};
  identity.library = "here";
  identity.keep({owner: "a".repeat(32)});
  server.isOpen = true;
});

// A server with one study, which answers as the real one.
function serve(t, content, version = 3) {
  const stored = {version, content, older: []};
  t.mock.method(server, "ask", async message => {
    if (!server.isOpen) throw new NoAnswer("");
    const {type, version: known, content: sent} = structuredClone(message);
    if (type === "study") return {type: "study", study: "abcdefgh", version: stored.version, content: stored.content, undo: 1};
    const isDone = JSON.stringify(sent) === JSON.stringify(stored.content) && known >= stored.version - 1;
    const wasDone = stored.older.some(each => each.version === known + 1 && JSON.stringify(each.content) === JSON.stringify(sent));
    if (wasDone) return {type: "kept", study: "abcdefgh", version: known + 1, undo: 1};
    if (known !== stored.version && !isDone) return {type: "outdated", study: "abcdefgh"};
    if (!isDone) write(stored, sent);
    return {type: "kept", study: "abcdefgh", version: stored.version, undo: 1};
  });
  return stored;
}

// Another version of the study is written.
function write(stored, content) {
  stored.older.push({version: stored.version, content: stored.content});
  Object.assign(stored, {version: stored.version + 1, content});
}

function study(comment) {
  const tree = new Tree({width: 15, height: 15, rule: 0});
  tree.play([7, 7]);
  tree.current.comment = comment;
  tree.kept = makeKept("abcdefgh", 3, "", 1);
  return tree;
}

// A page that was left after the comment was typed.
async function leavePage(comment) {
  const keeper = new Keeper(told), tree = study(comment);
  keeper.isOwner = true;
  keeper.notice(tree, false);
  keeper.leave();
  await new Promise(setImmediate);
  return tree;
}

test("values are taken once and in order, those of two pages too, and only those of this server", () => {
  const shelf = new Shelf(), [one, other, next] = Array.from({length: 3}, () => new Leftovers("words", () => shelf));
  const many = Array.from({length: 12}, (_, index) => index);
  one.leave(["a", "b"]);
  other.leave(["c"]);
  one.leave(many);
  identity.library = "there";
  assert.deepEqual(next.take(), []);
  identity.library = "here";
  assert.deepEqual(new Leftovers("others", () => shelf).take(), []);
  const taken = next.take();
  assert.deepEqual(taken.filter(each => each !== "c"), many);
  assert.equal(taken.length, 13);
  assert.equal(one.stay(), false, "another page has taken them");
  assert.equal(one.stay(), true);
  one.leave(["d"]);
  assert.equal(one.stay(), true);
  assert.equal(shelf.length, 0);
});

test("values end with their lifetime", t => {
  t.mock.timers.enable({apis: ["Date"]});
  const shelf = new Shelf(), [one, next] = [0, 1].map(() => new Leftovers("words", () => shelf, 1000));
  for (const [milliseconds, found] of [[1000, ["a"]], [1001, []]]) {
    one.leave(["a"]);
    t.mock.timers.tick(milliseconds);
    assert.deepEqual(next.take(), found);
  }
  assert.equal(shelf.length, 0);
});

test("a browser that refuses storage or has no room, and what another program wrote", () => {
  const refused = new Leftovers("words", () => { throw new Error("refused"); });
  refused.leave(["a"]);
  assert.equal(refused.stay(), true, "no other page has taken anything");
  assert.deepEqual(refused.take(), []);
  const shelf = new Shelf(), kept = new Leftovers("words", () => shelf), next = new Leftovers("words", () => shelf);
  for (const [index, text] of ["{}", "no JSON", "null", '{"at": 0, "value": 7}'].entries()) shelf.setItem(kept.start + index, text);
  assert.deepEqual(kept.take(), [7]);
  kept.leave(["own"]);
  assert.deepEqual(kept.take(), [], "a hidden page does not take what it has left itself");
  shelf.room = 100;
  kept.leave(["a", "b".repeat(100), "c"]);
  assert.deepEqual(next.take(), ["a", "c"], "what has room");
  const studies = [null, {}, {study: "a", version: 1, undo: 0, content: {}}, {study: 1, version: 1, undo: 0, content: study("").toJson()}];
  for (const [index, value] of studies.entries()) {
    localStorage.setItem(`tengen-here-left-studies-${index}`, JSON.stringify({at: Date.now(), value}));
  }
  assert.deepEqual(new LeftStudies().take(), []);
});

test("a study comes back as it was left, and the writing without an answer is sent before what was changed later", async t => {
  const stored = serve(t, study("old").toJson());
  server.isOpen = false;
  const tree = study("sent"), keeper = new Keeper(told);
  await keeper.write(tree);
  tree.current.comment = "not sent";
  keeper.leave();
  const [left] = new LeftStudies().take();
  assert.deepEqual(left.toJson(), tree.toJson());
  assert.deepEqual(left.kept.unanswered, tree.kept.unanswered);
  assert.deepEqual([left.kept.id, left.kept.version, left.kept.undo], ["abcdefgh", 3, 1]);
  new LeftStudies().leave([left]);
  server.isOpen = true;
  const found = await new Keeper(told).read("abcdefgh");
  assert.deepEqual([found.kept.version, stored.older.map(each => each.content.tree[0].comment)], [5, ["old", "sent"]]);
  assert.equal(found.toJson().tree[0].comment, "not sent");
});

test("the next page writes what the last one was left with before it reads the study", async t => {
  const stored = serve(t, study("old").toJson());
  server.isOpen = false;
  await leavePage("new");
  server.isOpen = true;
  const keeper = new Keeper(told), read = await keeper.read("abcdefgh");
  assert.deepEqual([read.toJson().tree[0].comment, read.kept.version, stored.version], ["new", 4, 4]);
  assert.equal(keeper.unconfirmed.size, 0);
  keeper.leave();
  assert.equal(localStorage.length, 1, "only the owner's token");
});

test("the message of a page that is left may come: its repetition changes nothing, even after another page has written", async t => {
  const stored = serve(t, study("old").toJson());
  const keeper = new Keeper(told);
  keeper.isOwner = true;
  keeper.notice(study("new"), false);
  keeper.flush();
  new LeftStudies().leave([...keeper.unconfirmed.keys()]);
  await new Promise(setImmediate);
  assert.equal(stored.version, 4);
  assert.equal(localStorage.length, 2);
  write(stored, study("newer").toJson());
  const read = await new Keeper(told).read("abcdefgh");
  assert.deepEqual([read.toJson().tree[0].comment, read.kept.version, read.kept.isOutdated, stored.version], ["newer", 5, false, 5]);
});

test("a hidden page leaves its study until the server has it", async t => {
  serve(t, study("old").toJson());
  server.isOpen = false;
  const keeper = new Keeper(told), tree = study("new");
  keeper.isOwner = true;
  keeper.notice(tree, false);
  keeper.leave();
  await new Promise(setImmediate);
  assert.equal(localStorage.length, 2);
  server.isOpen = true;
  await keeper.write(tree);
  assert.equal(localStorage.length, 1);
  keeper.stay();
  tree.current.comment = "newer";
  server.isOpen = false;
  await keeper.write(tree);
  assert.equal(localStorage.length, 1, "a page that is shown leaves nothing");
});

test("the owner's next page writes what was left even if another study is shown", async t => {
  const stored = serve(t, study("old").toJson());
  server.isOpen = false;
  await leavePage("new");
  server.isOpen = true;
  const keeper = new Keeper(told);
  keeper.setOwner(false);
  await new Promise(setImmediate);
  assert.equal(stored.version, 3);
  keeper.setOwner(true);
  await new Promise(setImmediate);
  assert.deepEqual([stored.version, stored.content.tree[0].comment], [4, "new"]);
  assert.equal(keeper.unconfirmed.size, 0);
});

test("what another page was faster than is shown, and stays until it is not wanted", async t => {
  const stored = serve(t, study("old").toJson());
  server.isOpen = false;
  await leavePage("mine");
  server.isOpen = true;
  write(stored, study("of another page").toJson());
  const first = new Keeper(told);
  first.setOwner(true);
  const shown = await first.read("abcdefgh");
  assert.deepEqual([shown.toJson().tree[0].comment, shown.kept.isOutdated, stored.version], ["mine", true, 4]);
  first.leave();
  const second = new Keeper(told), again = await second.read("abcdefgh");
  assert.deepEqual([again.toJson().tree[0].comment, again.kept.isOutdated], ["mine", true]);
  second.drop("abcdefgh");
  const other = await second.read("abcdefgh");
  assert.deepEqual([other.toJson().tree[0].comment, other.kept.isOutdated], ["of another page", false]);
  second.leave();
  assert.equal(localStorage.length, 1);
});

test("what is typed while an undo is answered is left too", async t => {
  let answer;
  t.mock.method(server, "ask", () => new Promise(resolve => { answer = resolve; }));
  const tree = study("old"), keeper = new Keeper(told);
  keeper.isOwner = true;
  const undone = keeper.undo(tree);
  tree.current.comment = "typed";
  keeper.notice(tree, false);
  keeper.leave();
  assert.equal(new LeftStudies().take()[0].toJson().tree[0].comment, "typed");
  answer({type: "outdated", study: "abcdefgh"});
  assert.equal(await undone, false);
  tree.current.comment = "typed on";
  keeper.notice(tree, false);
  keeper.leave();
  assert.equal(new LeftStudies().take()[0].toJson().tree[0].comment, "typed on");
});

test("a change that is taken back before it was written needs no writing", async t => {
  serve(t, null);
  const tree = study("old"), keeper = new Keeper(told);
  await keeper.write(tree);
  t.mock.method(server, "ask", async () => { throw new Error("no room"); });
  tree.current.comment = "new";
  await keeper.write(tree);
  assert.equal(keeper.unconfirmed.size, 1);
  tree.current.comment = "old";
  await keeper.write(tree);
  assert.equal(keeper.unconfirmed.size, 0);
});
