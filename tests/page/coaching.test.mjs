// The coach's knowledge of a study: reviews, mistakes that are tried again, and what it offers at each position.

import assert from "node:assert/strict";
import {test} from "node:test";
import {parseCell} from "../../tournaments/board/page/board/notation.js";
import {
  actionsAt, adviceAt, beginReview, beginTry, beginWalk, candidatesAt, endReview, endTry, forget, judgeByReview, listMistakes,
  makeCoaching, setResult, showAnswer, subjectOf, succeed, takeQuiz, takeReview,
} from "../../tournaments/board/page/review/coaching.js";
import {Tree} from "../../tournaments/board/page/study/tree.js";

const cells = names => (names.match(/[a-z]\d+/g) ?? []).map(name => parseCell(name, 15, 15));
const cell = name => cells(name)[0];
const labels = actions => actions.map(action => action.label);

// Black has four in a row and wins at l8; the proof says so.
const WIN = [[11, 7, [], null, []]];

const judged = (ply, names, more) => ({
  ply, colour: ply % 2, cell: cell(names), best: cell("l8"), score: 0, mate: null, before: .5, after: .5, loss: 0, label: "good",
  missed: "", lost: "", win: null, refutation: null, accepted: [], ...more,
});

// A reviewed game: Black's last move, o15, missed the win at l8.
function reviewed() {
  const tree = new Tree({width: 15, height: 15, rule: 0}), coaching = makeCoaching();
  tree.add(cells("h8a1i8a3j8a5k8a7o15"));
  tree.last();
  const missed = {label: "missed_win", missed: "proved", win: WIN, accepted: cells("l8"), loss: .9, before: 1, after: .1};
  const moves = [judged(0, "h8", {}), judged(7, "a7", {label: "mistake", after: .2}), judged(8, "o15", missed)];
  const answer = {type: "review", review: {proves: true, moves}, quizzes: [{moves: cells("h8a1i8a3j8a5k8a7")}], kept: []};
  takeReview(coaching, answer, tree, tree.line());
  return {tree, coaching, line: tree.line()};
}

test("a review gives its moves judgements, and its positions shares", () => {
  const {tree, coaching, line} = reviewed();
  assert.deepEqual([tree.root.share, line[0].share, line[7].share, line[8].share], [.5, .5, .8, .1], "from Black's side");
  assert.deepEqual(listMistakes(coaching).map(({node, mayKeep}) => [line.indexOf(node), mayKeep]), [[7, false], [8, true]]);
  takeQuiz(coaching, 8);
  assert.deepEqual(listMistakes(coaching).map(({mayKeep}) => mayKeep), [false, false]);
  assert.equal(coaching.fact(), "review_proves review_kept");
  assert.equal(forget(coaching), false);
  assert.deepEqual([coaching.moves.size, coaching.fact(), listMistakes(coaching)], [0, "", []]);
});

test("stones that were set up, or placed by an opening, are not judged", () => {
  const moves = cells("h8a1i8a3"), setUp = new Tree({width: 15, height: 15, rule: 0, start: moves.slice(0, 2)});
  setUp.add(moves.slice(2));
  const swapped = new Tree({width: 15, height: 15, rule: 0});
  swapped.add(moves);
  Object.assign(swapped, {played: {game: "a", cells: cells("h8a1j8"), setUp: 2}});
  const review = {proves: true, moves: [1, 2, 3].map(ply => judged(ply, "h8", {label: "mistake", after: .2}))};
  for (const tree of [setUp, swapped]) {
    tree.last();
    const coaching = makeCoaching(), {position, start} = subjectOf(tree, tree.line());
    assert.deepEqual([position.moves, start], [moves, 2]);
    takeReview(coaching, {type: "review", review, quizzes: [], kept: []}, tree, tree.line());
    assert.deepEqual(coaching.reviewed.review.moves.map(move => move.ply), [2, 3], "a review that was kept may have more");
    assert.equal(coaching.moves.size, 2);
  }
  const other = new Tree({width: 15, height: 15, rule: 0});
  other.add(cells("j10a1i8"));
  other.last();
  Object.assign(other, {played: swapped.played});
  assert.equal(subjectOf(other, other.line()).start, 0, "another opening");
});

test("a newer review ends the one before", () => {
  const coaching = makeCoaching(), first = beginReview(coaching), second = beginReview(coaching);
  assert.equal(endReview(coaching, first), false);
  assert.equal(coaching.isBusy, true);
  assert.equal(endReview(coaching, second), true);
  assert.equal(coaching.isBusy, false);
});

test("a review of a study that is replaced comes too late", () => {
  const coaching = makeCoaching(), number = beginReview(coaching);
  assert.equal(forget(coaching), true, "the server is to be told");
  assert.equal(coaching.isBusy, false);
  assert.equal(endReview(coaching, number), false);
});

test("beside a move stands its judgement with what may be done, and the way to the next mistake", () => {
  const {tree, coaching, line} = reviewed();
  const here = adviceAt(coaching, tree);
  assert.equal(here.words, "review_move_only");
  assert.deepEqual(labels(here.actions), ["walk_win", "try_again", "next_mistake"]);
  assert.equal(here.actions[0].node, line[7], "the win is there before the mistake");
  assert.equal(here.actions[2].node, line[7], "after the last mistake comes the first");
  tree.current = line[1];
  assert.deepEqual(adviceAt(coaching, tree), {words: "review_proves", actions: [{label: "next_mistake", node: line[7]}]});
  assert.deepEqual(actionsAt(coaching, tree.root), []);
  coaching.fact = () => "busy";
  beginReview(coaching);
  tree.current = line[8];
  assert.equal(adviceAt(coaching, tree).words, "busy");
});

test("a proof that is walked leads back to the game, and on to the mistakes after it", () => {
  const {tree, coaching, line} = reviewed();
  beginWalk(coaching, tree, line[7], WIN);
  const {actions} = adviceAt(coaching, tree);
  assert.deepEqual(actions, [{label: "leave_proof", lead: null, node: line[7]}, {label: "next_mistake", node: line[7]}], "the last one was walked");
  tree.current = line[7];
  assert.equal(labels(adviceAt(coaching, tree).actions).includes("leave_proof"), false, "the game is shown again");
});

test("a proof of another view leads back to that view", () => {
  const {tree, coaching, line} = reviewed(), leave = {label: "leave_proof_puzzle", lead: () => {}};
  beginWalk(coaching, tree, line[7], WIN, leave);
  assert.deepEqual(adviceAt(coaching, tree).actions[0], {...leave, node: line[7]});
  forget(coaching);
  beginWalk(coaching, tree, line[7], WIN);
  assert.equal(adviceAt(coaching, tree).actions[0].lead, null, "another study knows no other view");
});

test("a mistake is tried again: a task, an answer that may be shown, and a move that is right", () => {
  const {tree, coaching, line} = reviewed(), node = line[7], move = coaching.moves.get(line[8]);
  beginTry(coaching, node, move);
  tree.current = node;
  assert.deepEqual(labels(adviceAt(coaching, tree).actions), ["show_answer", "stop_trying"]);
  assert.equal(adviceAt(coaching, tree).words, "find_win");
  assert.deepEqual(candidatesAt(coaching, node), []);
  setResult(coaching, node, showAnswer(coaching, node, 15));
  assert.deepEqual(candidatesAt(coaching, node), [{cell: cell("l8"), kind: "best", text: "!"}]);
  assert.deepEqual(labels(adviceAt(coaching, tree).actions), ["stop_trying"]);
  assert.equal(judgeByReview(move, cell("a15"), 15), null, "the server is to be asked");
  const right = judgeByReview(move, cell("l8"), 15);
  assert.deepEqual([right.words(), right.proof], ["tried_wins", WIN]);
  succeed(coaching, tree, node, cell("l8"), right.words, right.proof);
  assert.deepEqual(tree.current.cell, cell("l8"));
  const [walk] = adviceAt(coaching, tree).actions;
  assert.deepEqual([adviceAt(coaching, tree).words, walk.label, walk.node], ["tried_wins", "walk_win", node]);
  assert.equal(coaching.tries.size, 0);
});

test("a wrong try stays a try, with the proof against it", () => {
  const {tree, coaching, line} = reviewed(), node = line[7];
  tree.current = node;
  beginTry(coaching, node, coaching.moves.get(line[8]));
  setResult(coaching, node, () => "wrong", {label: "walk_refutation", node, cell: cell("a15"), proof: WIN});
  assert.deepEqual(adviceAt(coaching, tree).words, "wrong");
  assert.deepEqual(labels(adviceAt(coaching, tree).actions), ["walk_refutation", "show_answer", "stop_trying"]);
  endTry(coaching, node);
  assert.equal(adviceAt(coaching, tree).words, "review_move_only");
  assert.equal(showAnswer(coaching, node, 15), null, "nothing is tried");
});

test("a proof that is walked ends a try, and speaks in place of the review", () => {
  const {tree, coaching, line} = reviewed(), node = line[7];
  beginTry(coaching, node, coaching.moves.get(line[8]));
  assert.equal(beginWalk(coaching, tree, node, WIN), "proof_ends");
  assert.deepEqual(tree.current.cell, cell("l8"));
  assert.equal(coaching.tries.size, 0);
  assert.equal(adviceAt(coaching, tree).words, "proof_end");
});
