// The study that is shown and its changes: positions, marks, stones that are set up, and what the engine is asked about.

import assert from "node:assert/strict";
import {mock, test} from "node:test";
import {outlineOf} from "../../tournaments/board/page/study/graph.js";
import {parseCell} from "../../tournaments/board/page/board/notation.js";
import {server} from "../../tournaments/board/page/net/connection.js";
import {Address} from "../../tournaments/board/page/study/address.js";
import {Analyst} from "../../tournaments/board/page/study/analysis.js";
import {losesMuch} from "../../tournaments/board/page/study/evaluation.js";
import {FoulWatch} from "../../tournaments/board/page/study/fouls.js";
import {noteChange} from "../../tournaments/board/page/study/history.js";
import {
  awaitLine, beginRun, completeTree, endRun, forgetPosition, goToMistake, hasOtherSignature, makeStudy, mark, nameOf, neighbour, nextAwaited,
  redoChange, replaceTree, runId, setPreview, setUp, step, takeAnalysis, takeLine, takeRefusal, undoChange,
} from "../../tournaments/board/page/study/state.js";
import {settingsFrom, treeOfGame, treeOfLink} from "../../tournaments/board/page/study/transfer.js";
import {Tree} from "../../tournaments/board/page/study/tree.js";

const cells = names => (names.match(/[a-z]\d+/g) ?? []).map(name => parseCell(name, 15, 15));
const cell = name => cells(name)[0];
const names = study => study.tree.cells().map(each => nameOf(study, each)).join("");
const line = (moves, win = .5) => ({moves, win, score: 0, mate: null, depth: 4});
const analysis = (study, more) => ({type: "analysis", id: runId(study), lines: [], nodes: 1, speed: 1, done: false, ...more});

function open(moves) {
  const study = makeStudy();
  study.tree.add(cells(moves));
  study.tree.last();
  return study;
}

test("a study that is replaced can be brought back, an empty one not", () => {
  const study = makeStudy(), first = new Tree({width: 15, height: 15, rule: 0}), second = new Tree({width: 9, height: 9, rule: 4});
  replaceTree(study, first);
  assert.equal(study.earlier, null);
  first.play([0, 0]);
  study.free = [[], []];
  replaceTree(study, second);
  assert.deepEqual([study.earlier, study.tree, study.free], [first, second, null]);
});

test("the whole study of a link takes the place of its position, and the study before both can be brought back", () => {
  const study = open("h8i9"), before = study.tree, plain = treeOfLink({width: 15, height: 15, rule: 0, cells: cells("j10"), ply: 1});
  replaceTree(study, plain);
  const whole = new Tree({width: 15, height: 15, rule: 0});
  completeTree(study, whole);
  assert.deepEqual([study.tree, study.earlier], [whole, before]);
});

test("one steps through the line, but not while stones are set up", () => {
  const study = open("h8i9");
  step(study, "back");
  assert.equal(names(study), "h8");
  study.free = [[], []];
  step(study, "first");
  assert.equal(names(study), "h8");
});

test("what was shown of a position goes with it", () => {
  const study = open("h8"), shown = {cells: cells("i9j9"), colour: 1, count: 1};
  assert.equal(setPreview(study, shown), true);
  assert.equal(setPreview(study, {...shown}), false, "it is shown already");
  assert.equal(setPreview(study, {...shown, count: 2}), true);
  study.balanced = cells("a1");
  forgetPosition(study);
  assert.deepEqual([study.preview, study.balanced], [null, []]);
  assert.equal(setPreview(study, null), false);
});

test("the first moves of a line are taken into the tree", () => {
  const study = open("h8");
  takeLine(study, cells("i9j9k9"), 2);
  assert.equal(names(study), "h8i9j9");
});

test("a mark is put on a cell and taken away, and letters follow each other", () => {
  const study = open("h8");
  mark(study, cell("a1"), "letter");
  mark(study, cell("b1"), "letter");
  mark(study, cell("c1"), "triangle");
  assert.deepEqual([...study.tree.current.labels.values()], ["A", "B", "triangle"]);
  mark(study, cell("a1"), "cross");
  mark(study, cell("d1"), "letter");
  assert.deepEqual([...study.tree.current.labels.values()], ["B", "triangle", "A"]);
});

test("stones of any colour make a position when Black has as many as White or one more", () => {
  const study = open("h8i9");
  assert.equal(setUp(study, cell("a1"), "white"), null);
  assert.deepEqual(study.free, [cells("h8"), cells("i9a1")]);
  assert.deepEqual(setUp(study, cell("b1"), "black")?.start, cells("h8i9b1a1"));
  assert.deepEqual(setUp(study, cell("a1"), "erase")?.start, cells("h8i9"));
  assert.equal(setUp(study, cell("h8"), "white"), null, "a stone of the other colour takes its place");
  assert.deepEqual(study.free, [[], cells("i9a1h8")]);
});

test("an undo takes back stones that were set up one by one, and brings the study before them back", () => {
  const study = open("h8i9g7"), first = study.tree;
  noteChange(first);
  const place = (name, tool) => {
    const made = setUp(study, cell(name), tool);
    if (made) replaceTree(study, made);
    noteChange(study.tree);
  };
  place("a1", "white");
  const second = study.tree;
  assert.notEqual(second, first);
  place("b1", "black");
  place("c1", "black");
  assert.deepEqual([study.earlier, study.free?.length], [first, 2], "the study with moves, not the set-up before");
  assert.equal(undoChange(study), true);
  assert.equal(study.free, null);
  assert.equal(names(study), "h8i9g7a1b1");
  assert.equal(undoChange(study), true);
  assert.equal(study.tree, second);
  assert.equal(undoChange(study), true);
  assert.deepEqual([study.tree, names(study)], [first, "h8i9g7"]);
  assert.equal(undoChange(study), false);
  assert.equal(redoChange(study), true);
  assert.equal(study.tree, second);
  undoChange(study);
  first.play(cell("k1"));
  noteChange(first);
  assert.equal(redoChange(study), false, "another change was made instead");
});

test("the last import is leafed through", () => {
  const study = makeStudy(), trees = [1, 2].map(() => new Tree({width: 15, height: 15, rule: 0}));
  study.imported = trees;
  replaceTree(study, trees[0]);
  assert.equal(neighbour(study, 1), trees[1]);
  assert.equal(neighbour(study, -1), undefined);
});

test("one goes from mistake to mistake", () => {
  const study = open("h8a1i8a2"), wrong = study.tree.line().filter((_, index) => index % 2), isMistake = node => wrong.includes(node);
  assert.equal(goToMistake(study, 1, isMistake), null, "the last move is one");
  assert.equal(goToMistake(study, -1, isMistake), wrong[0]);
  assert.equal(names(study), "h8a1");
  assert.equal(goToMistake(study, -1, isMistake), null);
  assert.equal(goToMistake(study, 1, isMistake), wrong[1]);
});

test("a move that costs its side much is a mistake", () => {
  const study = open("h8i9"), [black, white] = study.tree.line();
  study.tree.root.share = .5;
  black.share = .4;
  white.share = .56;
  assert.deepEqual([losesMuch(study.tree, black), losesMuch(study.tree, white)], [false, true]);
  black.share = null;
  assert.equal(losesMuch(study.tree, white), false, "nothing is known");
});

test("figures of another engine are noticed once, when both are known", () => {
  const study = makeStudy();
  study.linked = "old";
  assert.equal(hasOtherSignature(study), false);
  study.signature = "new";
  assert.equal(hasOtherSignature(study), true);
  assert.equal(hasOtherSignature(study), false);
});

test("only the last request to the engine counts", () => {
  const study = open("h8"), late = analysis(study);
  assert.equal(takeAnalysis(study, late), null, "nothing was asked");
  beginRun(study, study.tree.current);
  assert.equal(takeAnalysis(study, late), null);
  const message = analysis(study, {lines: [line(cells("i9"))]});
  assert.deepEqual(takeAnalysis(study, message), {best: null});
  assert.deepEqual([study.tree.current.analysis, study.run.isOn], [message, true]);
  assert.deepEqual(takeAnalysis(study, {...message, done: true}), {best: null});
  assert.equal(study.run.isOn, false);
  beginRun(study, study.tree.current);
  const before = runId(study);
  assert.deepEqual([endRun(study), endRun(study)], [true, false]);
  assert.equal(takeRefusal(study, {id: before}), false, "it was ended");
});

test("the engine's move is played when its analysis is done, if the position is still shown", () => {
  const study = open("h8"), ask = () => {
    beginRun(study, study.tree.current);
    study.run.playsBest = true;
    return analysis(study, {lines: [line(cells("i9"))], done: true});
  };
  const first = ask();
  assert.deepEqual(takeAnalysis(study, {...first, done: false}), {best: null});
  assert.deepEqual(takeAnalysis(study, first), {best: cell("i9")});
  assert.equal(study.run.playsBest, false);
  const second = ask();
  study.tree.back();
  assert.deepEqual(takeAnalysis(study, second), {best: null});
  assert.equal(study.run.playsBest, false, "it is played nowhere else");
  const empty = ask();
  assert.deepEqual(takeAnalysis(study, {...empty, lines: []}), {best: null});
  assert.equal(study.run.playsBest, false);
  study.run.playsBest = true;
  assert.equal(takeRefusal(study, {id: empty.id}), true);
  assert.deepEqual([study.run.isOn, study.run.playsBest], [false, false]);
  awaitLine(study);
  assert.deepEqual(takeAnalysis(study, ask()), {best: cell("i9")}, "also while positions of the line wait");
});

test("an analysis of the whole line leaves out what is known", () => {
  const study = open("h8i9"), [black, white] = study.tree.line();
  black.analysis = {...analysis(study), done: true};
  awaitLine(study);
  assert.deepEqual([nextAwaited(study), nextAwaited(study)], [study.tree.root, white]);
  assert.deepEqual([nextAwaited(study), study.run.waiting], [null, null]);
});

test("an analysis of the whole line ends with the study that it is about", t => {
  globalThis.HTMLSelectElement = class {
    value = "";
  };
  globalThis.document = {getElementById: () => new HTMLSelectElement()};
  const sent = [];
  t.mock.method(server, "send", message => Boolean(sent.push(message.type)));
  const study = open("h8i9"), panel = {showAnalysis: () => {}, drawBoard: () => {}, showTree: () => {}};
  study.isOpen = true;
  const analyst = new Analyst(study, panel, () => {});
  analyst.thinkOfAll();
  analyst.follow();
  assert.deepEqual([sent, study.run.waiting?.length], [["analyse"], 2], "another position of the same study is shown");
  replaceTree(study, new Tree({width: 15, height: 15, rule: 0}));
  analyst.follow();
  assert.deepEqual([sent, study.run.isOn, study.run.waiting], [["analyse", "stop"], false, null]);
});

test("the address follows the position that is shown, not at every step of a held key, and ends at the last one", t => {
  const written = [];
  let now = 5000;
  t.mock.timers.enable({apis: ["setTimeout"]});
  t.mock.method(performance, "now", () => now);
  globalThis.history = {state: null, replaceState: (state, title, address) => { written.push(address); }};
  const address = new Address(), pass = milliseconds => {
    now += milliseconds;
    t.mock.timers.tick(milliseconds);
  };
  for (let count = 1; count <= 1000; count++) {
    address.set(`/#${count}`);
    if (count === 10) assert.equal(written.at(-1), "/#10", "the first ones are written at once");
    pass(30);
  }
  pass(1000);
  assert.ok(written.length < 100, `${written.length} changes in 30 seconds`);
  assert.equal(written.at(-1), "/#1000");
  address.set("/#a");
  address.set("/#b");
  address.settle();
  assert.equal(written.at(-1), "/#b", "before the page leads elsewhere");
  address.set("/#c");
  address.drop();
  pass(1000);
  assert.equal(written.at(-1), "/#b", "the address belongs to another view by then");
});

test("one question about fouls is asked at a time, and the next one about what is shown then", async t => {
  t.mock.timers.enable({apis: ["setTimeout"]});
  const study = open("h8i9"), asked = [], answers = [], used = mock.fn();
  study.tree.rule = 4;
  const watch = new FoulWatch(study, used, (tree, node) => {
    asked.push(node);
    return new Promise((resolve, reject) => {
      answers.push({resolve: () => { node.fouls = {type: "fouls", forbidden: [], played: null}; resolve(); }, reject});
    });
  });
  const settle = () => new Promise(resolve => setImmediate(resolve));
  const [first, second] = study.tree.line();
  watch.look();
  step(study, "back");
  watch.look();
  assert.deepEqual(asked, [second], "the first question is not answered yet");
  answers[0].resolve();
  await settle();
  assert.equal(used.mock.callCount(), 0, "another position is shown");
  watch.look();
  assert.equal(asked.length, 1, "there is a pause");
  t.mock.timers.tick(100);
  assert.deepEqual(asked, [second, first]);
  answers[1].reject(new Error());
  await settle();
  t.mock.timers.tick(100);
  assert.equal(asked.length, 2, "the same question is not asked again by itself");
  watch.look();
  answers[2].resolve();
  await settle();
  assert.equal(used.mock.callCount(), 1);
});

test("links and games become studies, and a position becomes a game", () => {
  const tree = treeOfLink({width: 15, height: 15, rule: 4, cells: cells("h8i9g7"), ply: 2});
  assert.deepEqual([tree.cells(), tree.line().length], [cells("h8i9"), 3]);
  const moves = cells("h8i9").map((each, colour) => ({cell: each, colour}));
  const game = treeOfGame({game: "abc", width: 15, height: 15, rule: 0, moves, comments: [{ply: 1, text: "good"}], set_up: 1});
  assert.deepEqual([game.path()[0].comment, game.played], ["good", {game: "abc", cells: cells("h8i9"), setUp: 1}]);
  assert.equal(JSON.stringify(game.toJson()), game.source, "the game is kept, so that the study need not be");
  const {start, black, white, rule} = settingsFrom(tree, {kind: "brain", brain: "tengen", level: 3});
  assert.deepEqual([start, black.kind, white.brain, white.level, rule], [cells("h8i9"), "local", "tengen", 3, 4]);
});

test("the area of the graph has a gap where nothing is known", () => {
  assert.equal(outlineOf([.5, 1, null, 0], index => index / 3), "M0 1000V500L333 0V1000z");
  assert.equal(outlineOf([null, null], index => index), "");
});
