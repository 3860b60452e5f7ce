// The limits of an analysis, and the cells that it leaves out.

import assert from "node:assert/strict";
import {test} from "node:test";
import {parseCell} from "../../tournaments/board/page/board/notation.js";
import {blackShare} from "../../tournaments/board/page/study/evaluation.js";
import {noteChange} from "../../tournaments/board/page/study/history.js";
import {formatLimits, limitsOf, USUAL} from "../../tournaments/board/page/study/limits.js";
import {
  awaitLine, BARRED, barredAt, beginRun, dropStale, freeBarred, makeStudy, mark, runId, takeAnalysis, undoChange,
} from "../../tournaments/board/page/study/state.js";

const cell = name => parseCell(name, 15, 15), SIZE = {width: 15, height: 15};

// A study after one move, with these cells left out.
function study(...barred) {
  const made = makeStudy();
  made.tree.play(cell("h8"));
  noteChange(made.tree);
  for (const name of barred) mark(made, cell(name), BARRED);
  return made;
}

const found = made => takeAnalysis(made, {id: runId(made), lines: [{win: .3, moves: [cell("i9")]}], nodes: 1, speed: 1, done: true});

test("the fields say the limits of an analysis", () => {
  assert.deepEqual(limitsOf(USUAL, SIZE), {lines: 3, seconds: null, depth: null, nodes: null, threads: 1, memory: 128});
  const chosen = {lines: "all", seconds: "2.5", depth: "9.6", nodes: "1000", threads: "4", memory: "512"};
  assert.deepEqual(limitsOf(chosen, SIZE), {lines: 225, seconds: 2.5, depth: 10, nodes: 1000, threads: 4, memory: 512});
  assert.deepEqual([limitsOf({...USUAL, seconds: "0", depth: "99"}, SIZE)].map(({seconds, depth}) => [seconds, depth]), [[.1, 60]]);
});

test("a link has limits only if they give the same figures everywhere", () => {
  const nodes = {...USUAL, nodes: "1000"};
  assert.equal(formatLimits(USUAL, "abc"), "");
  assert.equal(formatLimits(nodes, "abc"), ";n=1000;v=abc");
  assert.equal(formatLimits({...nodes, lines: "5"}, ""), ";n=1000;l=5");
  for (const more of [{seconds: "3"}, {depth: "4"}, {threads: "2"}, {memory: "512"}, {lines: "all"}]) {
    assert.equal(formatLimits({...nodes, ...more}, "abc"), "", JSON.stringify(more));
  }
});

test("cells that are left out are marks of their position, which an undo takes back", () => {
  const made = study("c3", "d4");
  assert.deepEqual(barredAt(made.tree), [cell("c3"), cell("d4")]);
  assert.deepEqual(barredAt(made.tree, made.tree.root), [], "those of another position are other ones");
  mark(made, cell("c3"), BARRED);
  assert.deepEqual(barredAt(made.tree), [cell("d4")]);
  noteChange(made.tree);
  undoChange(made);
  assert.deepEqual(barredAt(made.tree), []);
  mark(made, cell("e5"), BARRED);
  mark(made, cell("f6"), "A");
  freeBarred(made);
  assert.deepEqual([...made.tree.current.labels.values()], ["A"]);
});

test("an analysis that left cells out says nothing about the position, and nothing at all once they are free", () => {
  const made = study("c3"), node = made.tree.current;
  beginRun(made, node);
  assert.deepEqual(made.run.barred, [cell("c3")]);
  found(made);
  assert.equal(blackShare(made.tree, node), null, "the best move may be the one that was left out");
  dropStale(made);
  assert.notEqual(node.analysis, null);
  freeBarred(made);
  dropStale(made);
  assert.equal(node.analysis, null);
  beginRun(made, node);
  found(made);
  assert.equal(blackShare(made.tree, node), .7);
});

test("the analysis of a whole line leaves nothing out", () => {
  const made = study("c3");
  awaitLine(made);
  beginRun(made, made.tree.current);
  assert.deepEqual(made.run.barred, []);
});
