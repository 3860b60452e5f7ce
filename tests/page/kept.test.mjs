// What becomes of comments and studies that are written by themselves: when they are sent, and what is known after it.

import assert from "node:assert/strict";
import {mock, test} from "node:test";
import {Keeper} from "../../tournaments/board/page/library/keeper.js";
import {
  beginWriting, describeKept, endWriting, failWriting, hasOlder, isWorthKeeping, makeKept, takeWritten,
} from "../../tournaments/board/page/library/kept.js";
import {NoAnswer, server} from "../../tournaments/board/page/net/connection.js";
import {makeDraft, takeRefusal, takeUnsent, turnTo, write} from "../../tournaments/board/page/play/draft.js";
import {Delay} from "../../tournaments/board/page/shared/delay.js";
import {noteChange} from "../../tournaments/board/page/study/history.js";
import {Tree} from "../../tournaments/board/page/study/tree.js";

function study() {
  const tree = new Tree({width: 15, height: 15, rule: 0});
  tree.play([7, 7]);
  return tree;
}

function kept() {
  const tree = study();
  tree.kept = makeKept("abcdefgh", 3, "", 1);
  return tree;
}

test("a study is worth keeping once it has a comment, or where the player says so", () => {
  const tree = study();
  assert.equal(isWorthKeeping(tree, false), false);
  assert.equal(isWorthKeeping(tree, true), true);
  tree.current.comment = "good";
  assert.equal(isWorthKeeping(tree, false), true);
  tree.source = JSON.stringify(tree.toJson());
  assert.equal(isWorthKeeping(tree, true), false, "it is kept elsewhere, as a game");
  tree.title = "mine";
  assert.equal(isWorthKeeping(tree, false), true);
  tree.kept = makeKept();
  assert.match(tree.kept.id, /^[a-z2-9]{12}$/);
  assert.equal(isWorthKeeping(tree, true), false, "it is kept already");
});

test("a study is written for the first time with the states that it had before, and later without them", () => {
  const tree = study();
  noteChange(tree);
  tree.play([8, 6]);
  noteChange(tree);
  tree.current.comment = "good";
  noteChange(tree);
  tree.kept = makeKept();
  const first = beginWriting(tree);
  assert.deepEqual(first.request.earlier.map(each => each.tree.length), [1, 2]);
  takeWritten(tree.kept, {type: "kept", study: tree.kept.id, version: 1, undo: 2}, first);
  endWriting(tree.kept);
  tree.current.comment = "better";
  noteChange(tree);
  assert.deepEqual(beginWriting(tree).request.earlier, []);
});

test("a copy of a long study is written with as many of its earlier states as the server takes", () => {
  const tree = study();
  for (let number = 1; number <= 9; number++) {
    noteChange(tree);
    tree.current.comment = `${number}${"\u4e94".repeat(50_000)}`;
  }
  noteChange(tree);
  tree.kept = makeKept();
  const {request} = beginWriting(tree);
  assert.deepEqual(request.earlier.map(({tree: [node]}) => node.comment[0]), ["5", "6", "7", "8"]);
  assert.ok(new Blob([JSON.stringify(request)]).size < 1 << 20);
});

test("a study is written once at a time, and again where it was changed meanwhile", () => {
  const tree = kept(), begun = beginWriting(tree);
  assert.equal(begun.request.version, 3);
  assert.equal(begun.request.joins, false);
  tree.current.comment = "later";
  assert.equal(beginWriting(tree), null, "the first writing has not ended");
  assert.equal(takeWritten(tree.kept, {type: "kept", study: "abcdefgh", version: 4, undo: 2}, begun), true);
  assert.equal(endWriting(tree.kept), true, "there is something to write again");
  const again = beginWriting(tree);
  assert.equal(again.request.content.tree[0].comment, "later");
  takeWritten(tree.kept, {type: "kept", study: "abcdefgh", version: 5, undo: 3}, again);
  assert.equal(endWriting(tree.kept), false);
  assert.equal(beginWriting(tree), null, "nothing has changed");
});

test("a writing whose answer was lost is sent again as it was, before what was changed meanwhile", async t => {
  globalThis.document = {getElementById: () => ({textContent: ""}), querySelectorAll: () => []};
  const tree = kept(), sent = [], told = mock.fn();
  // The server writes, but the connection is lost before its first answer.
  const stored = {version: 3, text: ""};
  t.mock.method(server, "ask", async message => {
    const {version, content} = structuredClone(message), text = JSON.stringify(content);
    sent.push(version);
    if (version !== stored.version && !(version === stored.version - 1 && text === stored.text)) return {type: "outdated"};
    if (text !== stored.text) Object.assign(stored, {version: version + 1, text});
    if (sent.length === 1) throw new NoAnswer("");
    return {type: "kept", version: stored.version, undo: 1};
  });
  server.isOpen = false;
  const keeper = new Keeper({linked: told, written: told, changed: told});
  await keeper.write(tree);
  tree.title = "later";
  assert.equal(tree.kept.version, 3);
  server.isOpen = true;
  await keeper.write(tree);
  assert.equal(tree.kept.isOutdated, false);
  assert.deepEqual([sent, stored.version, JSON.parse(stored.text).title], [[3, 3, 4], 5, "later"]);
});

test("an undo whose answer was lost is sent again, before what was changed meanwhile", async t => {
  globalThis.document = {getElementById: () => ({textContent: ""}), querySelectorAll: () => []};
  const tree = kept(), sent = [], told = mock.fn(), older = study().toJson();
  const stored = {version: 3, undo: 1, title: ""};
  t.mock.method(server, "ask", async ({type, version, undo, content}) => {
    sent.push(`${type} ${version}`);
    const isDone = type === "undo_study" && version === stored.version - 1 && undo === stored.undo + 1;
    if (version !== stored.version && !isDone) return {type: "outdated"};
    if (type === "keep") Object.assign(stored, {version: version + 1, undo: stored.undo + 1, title: content.title});
    else if (!isDone) Object.assign(stored, {version: version + 1, undo: stored.undo - 1});
    if (sent.length === 1) throw new NoAnswer("");
    const {version: newest, undo: left} = stored;
    return type === "keep" ? {type: "kept", version: newest, undo: left} : {type: "study", version: newest, undo: left, content: older};
  });
  tree.title = "first";
  tree.kept.text = JSON.stringify(tree.toJson());
  const keeper = new Keeper({linked: told, written: told, changed: told});
  server.isOpen = true;
  assert.equal(await keeper.undo(tree), false);
  tree.title = "later";
  await keeper.write(tree);
  assert.equal(tree.kept.isOutdated, false);
  assert.deepEqual([sent, stored.title], [["undo_study 3", "undo_study 3", "keep 4"], "later"]);
});

test("a writing that the server has refused is not sent again", () => {
  const tree = kept(), begun = beginWriting(tree);
  failWriting(tree.kept, "Too long.", true);
  endWriting(tree.kept);
  tree.title = "short";
  assert.notEqual(beginWriting(tree), begun);
});

test("a text that is typed is one change", () => {
  const tree = kept();
  tree.history.key = "title";
  const first = beginWriting(tree);
  takeWritten(tree.kept, {type: "kept", study: "abcdefgh", version: 4, undo: 2}, first);
  endWriting(tree.kept);
  tree.title = "more";
  assert.deepEqual([first.request.joins, beginWriting(tree).request.joins], [false, true]);
});

test("what another page has written is not written over", () => {
  const tree = kept(), begun = beginWriting(tree);
  assert.equal(takeWritten(tree.kept, {type: "outdated", study: "abcdefgh"}, begun), false);
  endWriting(tree.kept);
  tree.title = "mine";
  assert.equal(beginWriting(tree), null);
  assert.equal(hasOlder(tree.kept), false);
  assert.equal(describeKept(tree.kept), "");
});

test("how it stands with a study is told", () => {
  assert.equal(describeKept(null), "");
  assert.equal(describeKept(makeKept()), "study_keeping");
  assert.equal(describeKept(kept().kept), "study_kept");
  assert.equal(describeKept({...makeKept(), error: "The disk is full."}), "study_not_kept");
  assert.deepEqual([hasOlder(makeKept()), hasOlder(kept().kept)], [false, true]);
});

test("a comment that is written is sent once, with its ply", () => {
  const draft = makeDraft();
  assert.equal(write(draft, "too early"), false);
  assert.deepEqual(turnTo(draft, [{ply: 2, text: "old"}], 2, 5, null), {text: "old", isMoved: false});
  assert.equal(write(draft, "new"), true);
  assert.deepEqual(turnTo(draft, [], 4, 5, null), {text: "", isMoved: false});
  assert.deepEqual(takeUnsent(draft), {ply: 2, text: "new"}, "after the player has gone elsewhere too");
  assert.equal(takeUnsent(draft), null);
});

test("a move of the other player leaves a comment alone that is being written", () => {
  const draft = makeDraft();
  turnTo(draft, [], 2, 2, null);
  assert.deepEqual(turnTo(draft, [{ply: 3, text: "theirs"}], 3, 3, "mine"), {text: null, isMoved: false});
  assert.equal(draft.shown, 2);
});

test("a comment of the other player on the same position is not written over", () => {
  const draft = makeDraft(), theirs = [{ply: 2, text: "theirs"}], quiet = {text: null, isMoved: false};
  turnTo(draft, [], 2, 2, null);
  assert.deepEqual(turnTo(draft, theirs, 2, 2, ""), {text: "theirs", isMoved: false}, "nothing is written yet");
  write(draft, "theirs, mine");
  assert.deepEqual(turnTo(draft, theirs, 2, 2, "theirs, mine"), quiet);
  takeUnsent(draft);
  write(draft, "theirs, mine too");
  assert.deepEqual(turnTo(draft, [{ply: 2, text: "theirs, mine"}], 2, 2, "theirs, mine too"), quiet, "the own one comes back");
  assert.deepEqual(turnTo(draft, [{ply: 2, text: "other"}], 2, 2, "theirs, mine too"), {text: "other\ntheirs, mine too", isMoved: false});
  const sent = {ply: 2, text: "other\ntheirs, mine too"};
  assert.deepEqual(takeUnsent(draft), sent);
  takeRefusal(draft, sent);
  assert.deepEqual(turnTo(draft, theirs, 2, 2, sent.text), quiet, "what is refused stays in the box");
  const both = makeDraft();
  turnTo(both, [{ply: 2, text: "x"}], 2, 2, null);
  write(both, "x");
  assert.deepEqual(turnTo(both, [{ply: 2, text: "x y"}], 2, 2, "x"), {text: "x y", isMoved: false});
  assert.equal(takeUnsent(both), null, "a letter that was written and taken away again");
  assert.deepEqual(turnTo(both, [{ply: 2, text: "x y z"}], 2, 2, "x y!"), {text: "x y z!", isMoved: false});
  assert.deepEqual(turnTo(both, [{ply: 2, text: "x y z\ufffd!"}], 2, 2, "x\u00a0y z\u0007!"), quiet, "as the server writes it");
});

test("a comment whose stone is taken back goes to the position that is left", () => {
  const draft = makeDraft();
  turnTo(draft, [], 4, 4, null);
  write(draft, "mine");
  assert.deepEqual(turnTo(draft, [{ply: 2, text: "there"}], 2, 2, "mine"), {text: "there\nmine", isMoved: true});
  assert.deepEqual(takeUnsent(draft), {ply: 2, text: "there\nmine"});
  const empty = makeDraft();
  turnTo(empty, [], 4, 4, null);
  assert.deepEqual(turnTo(empty, [{ply: 2, text: "there"}], 2, 2, ""), {text: "there", isMoved: false}, "nothing is written");
});

test("a delayed action runs once, and a restart begins its time again", t => {
  t.mock.timers.enable({apis: ["setTimeout"]});
  const act = mock.fn(), delay = new Delay(act, 100);
  delay.start();
  t.mock.timers.tick(60);
  delay.start();
  t.mock.timers.tick(40);
  assert.equal(act.mock.callCount(), 1);
  delay.restart();
  t.mock.timers.tick(60);
  delay.restart();
  t.mock.timers.tick(60);
  assert.equal(act.mock.callCount(), 1);
  t.mock.timers.tick(40);
  assert.equal(act.mock.callCount(), 2);
  delay.start();
  delay.run();
  delay.start();
  delay.cancel();
  t.mock.timers.tick(200);
  assert.equal(act.mock.callCount(), 3);
});
