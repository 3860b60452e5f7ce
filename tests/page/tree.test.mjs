// A study's tree of moves: playing, stepping, variations, and the way to the server and back.

import assert from "node:assert/strict";
import {test} from "node:test";
import {parseCell} from "../../tournaments/board/page/board/notation.js";
import {noteChange, redo, takeOlder, undo} from "../../tournaments/board/page/study/history.js";
import {Tree} from "../../tournaments/board/page/study/tree.js";
import {cellName} from "../../tournaments/report/board.js";

const cells = names => (names.match(/[a-z]\d+/g) ?? []).map(name => parseCell(name, 15, 15));
const names = tree => tree.cells().map(cell => cellName(cell, 15)).join("");

// A study with the main line h8 i9 g7 and White's other answers j6 and a1 to h8.
function fork() {
  const tree = new Tree({width: 15, height: 15, rule: 0});
  tree.add(cells("h8i9g7"));
  tree.forward();
  tree.add(cells("j6"));
  tree.add(cells("a1"));
  return tree;
}

test("a line is added, and one steps through it", () => {
  const tree = fork();
  assert.equal(names(tree), "h8");
  assert.equal(tree.toMove(), 1);
  tree.last();
  assert.equal(names(tree), "h8i9g7");
  tree.back();
  assert.equal(names(tree), "h8i9");
  tree.first();
  assert.equal(names(tree), "");
  tree.back();
  assert.equal(names(tree), "", "there is nothing before the first position");
});

test("a stone on a stone is refused, and a move that is there is gone to", () => {
  const tree = fork();
  assert.equal(tree.play(cells("h8")[0]), false);
  assert.equal(tree.play(cells("i9")[0]), true);
  assert.deepEqual(tree.root.children[0].children.map(node => cellName(node.cell, 15)), ["i9", "j6", "a1"]);
});

test("one turns to the variations at a fork, as far as there are any", () => {
  const tree = fork();
  tree.forward();
  assert.equal(tree.turn(-1), false);
  assert.equal(tree.turn(1), true);
  assert.equal(names(tree), "h8j6");
  assert.equal(tree.turn(1), true);
  assert.equal(tree.turn(1), false);
  assert.equal(names(tree), "h8a1");
  tree.first();
  assert.equal(tree.turn(1), false, "the first position has no other beside it");
});

test("the keys for forks stop where there is more than one continuation, or at the end", () => {
  const tree = fork();
  tree.first();
  tree.toFork(1);
  assert.equal(names(tree), "h8");
  tree.toFork(1);
  assert.equal(names(tree), "h8i9g7");
  tree.toFork(-1);
  assert.equal(names(tree), "h8");
  tree.toFork(-1);
  assert.equal(names(tree), "");
});

test("a promoted variation is the main line, and a removed one is gone", () => {
  const tree = fork();
  tree.follow(cells("h8a1"));
  tree.promote();
  tree.first();
  tree.last();
  assert.equal(names(tree), "h8a1");
  tree.remove();
  assert.equal(names(tree), "h8", "one stands where the variation began");
  tree.last();
  assert.equal(names(tree), "h8i9g7");
  tree.first();
  tree.remove();
  assert.equal(tree.line().length, 3, "the first position cannot be removed");
});

test("a study comes back from the server as it was sent", () => {
  const tree = fork();
  tree.title = "Mine";
  tree.root.comment = "the beginning";
  tree.current.comment = "Black begins";
  tree.current.labels.set("3,4", "A");
  const again = Tree.fromJson(JSON.parse(JSON.stringify(tree.toJson())));
  assert.deepEqual(again.toJson(), tree.toJson());
  assert.equal(again.title, "Mine");
  assert.deepEqual(again.root.children[0].labels, new Map([["3,4", "A"]]));
});

test("a game without a tree is shown at its end", () => {
  const tree = Tree.fromJson({width: 15, height: 15, rule: 4, start: cells("h8"), moves: cells("i9g7")});
  assert.equal(names(tree), "h8i9g7");
  assert.deepEqual(tree.position(tree.root), {width: 15, height: 15, rule: 4, moves: cells("h8")});
});

test("a study is worth keeping once it has a variation, a comment or a mark", () => {
  const tree = new Tree({width: 15, height: 15, rule: 0});
  tree.add(cells("h8i9"));
  assert.equal(tree.hasMore(), false);
  tree.root.children[0].labels.set("0,0", "△");
  assert.equal(tree.hasMore(), true);
  assert.equal(fork().hasMore(), true);
});

test("changes are undone and done again, with the position that was shown", () => {
  const tree = new Tree({width: 15, height: 15, rule: 0});
  noteChange(tree);
  for (const name of ["h8", "i9"]) {
    tree.play(cells(name)[0]);
    noteChange(tree);
  }
  const {analysis} = Object.assign(tree.current, {analysis: {id: "kept with its move"}});
  assert.equal(undo(tree), true);
  assert.equal(names(tree), "h8");
  assert.equal(undo(tree), true);
  assert.equal(undo(tree), false);
  assert.equal(tree.root.children.length, 0);
  assert.equal(redo(tree), true);
  assert.equal(redo(tree), true);
  assert.equal(redo(tree), false);
  assert.equal(names(tree), "h8i9");
  assert.equal(tree.current.analysis, analysis);
});

test("a comment that is typed is one change, and a new change ends what could be done again", () => {
  const tree = fork();
  noteChange(tree);
  for (const text of ["a", "ab", "abc"]) {
    tree.current.comment = text;
    noteChange(tree, "comment h8");
  }
  undo(tree);
  assert.equal(tree.current.comment, "");
  tree.title = "new";
  noteChange(tree, "title");
  assert.equal(redo(tree), false);
});

test("an older state from the server takes the place of the study, and can be taken back", () => {
  const tree = fork();
  noteChange(tree);
  takeOlder(tree, {width: 15, height: 15, rule: 0, title: "older", tree: []});
  assert.equal(tree.title, "older");
  assert.equal(tree.root.children.length, 0);
  assert.equal(redo(tree), true);
  assert.equal(tree.hasMore(), true);
});
