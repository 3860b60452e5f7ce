// The coach, the quizzes and the rules in a study. Words are not loaded here, so that a text is the key of its word.

import assert from "node:assert/strict";
import {test} from "node:test";
import {parseCell} from "../../tournaments/board/page/board/notation.js";
import {countLabels, countMistakes, describeMove, describeRight, describeTask, isMistake, labelOf} from "../../tournaments/board/page/review/moves.js";
import {
  beginJudging, candidatesOf, choose, chosen, countQuizzes, describeJudged, earliestDue, endJudging, isAnswered, isDue, makeTraining, neighbour,
  nextDue, noneWords, secondsToNext, takeJudgement, takeQuizzes,
} from "../../tournaments/board/page/review/quizzes.js";
import {cellName} from "../../tournaments/report/board.js";
import {readProof} from "../../tournaments/board/page/review/descriptions.js";
import {mainLine} from "../../tournaments/board/page/review/line.js";
import {pliesFrom, Walk} from "../../tournaments/board/page/review/walk.js";
import {advance, hasNext} from "../../tournaments/board/page/study/autoplay.js";
import {blackShare, changeAt, formatScore} from "../../tournaments/board/page/study/evaluation.js";
import {describeEnd, findEnd, forbiddenAfter, needsFouls, whyNot} from "../../tournaments/board/page/study/rules.js";
import {Tree} from "../../tournaments/board/page/study/tree.js";

const cells = names => (names.match(/[a-z]\d+/g) ?? []).map(name => parseCell(name, 15, 15));
const cell = name => cells(name)[0];

// A study at the end of a line.
function study(names, rule = 0) {
  const tree = new Tree({width: 15, height: 15, rule});
  tree.add(cells(names));
  tree.last();
  return tree;
}

// Black has four in a row, and wins at l8; and three, with a proof that begins with k8.
const FOUR = "h8a1i8a3j8a5k8a7", PROOF = [[11, 7, [], null, []]];
const THREE = "h8a1i8a3j8a5", LONG = [[10, 7, [[6, 7, 1]], 2, [[5, 7]]], [11, 7, [], null, []], [6, 7, [], null, []]];

test("a proof is walked: the attacker plays, any defence is answered, and it ends in a win", () => {
  const tree = study(THREE), walk = new Walk(), start = tree.current;
  assert.equal(walk.begin(tree, start, LONG), "proof_attack choose_defence");
  assert.equal(tree.toMove(), 1, "a defence is to be clicked");
  assert.deepEqual(walk.defences(tree.current), [cell("g8")]);
  assert.equal(walk.describe(tree.current, 15), "defences defence_fouls");
  const here = tree.current;
  assert.equal(walk.click(tree, cell("f8")), "defence_fouls");
  assert.equal(walk.click(tree, cell("h8")), "", "a stone lies there");
  assert.equal(tree.current, here);
  assert.equal(walk.click(tree, cell("g8")), "proof_defence proof_ends");
  assert.deepEqual(tree.current.cell, cell("l8"));
  tree.current = here;
  assert.equal(walk.click(tree, cell("o15")), "proof_defence proof_ends");
  assert.deepEqual(tree.current.cell, cell("g8"));
});

// What is drawn of a proof: each level with its defences, the one that is walked marked by a star.
const drawn = (walk, tree) => walk.levels(tree, tree.current).map(({move, replies, fouls}) => [move && cellName(move, 15),
  ...replies.map(({cell: at, isOther, answer, plies, isWalked}) =>
    `${isWalked ? "*" : ""}${isOther ? "other " : ""}${at ? cellName(at, 15) : ""}>${cellName(answer, 15)} ${plies}`), ...fouls.map(at => `${cellName(at, 15)} foul`)]);

test("a proof is a tree: at each position every defence with what answers it", () => {
  // After k8 the defence g8 is answered by l8; any other by g8.
  const tree = study(THREE), walk = new Walk(), start = tree.current;
  walk.begin(tree, start, LONG);
  const here = tree.current;
  assert.deepEqual(drawn(walk, tree), [["k8", "g8>l8 1", "other >g8 1", "f8 foul"]]);
  walk.click(tree, cell("g8"));
  assert.deepEqual(drawn(walk, tree), [["k8", "*g8>l8 1", "other >g8 1", "f8 foul"]]);
  tree.back();
  assert.deepEqual(drawn(walk, tree), [["k8", "*g8>l8 1", "other >g8 1", "f8 foul"]], "between the defence and the answer");
  tree.current = here;
  walk.click(tree, cell("o15"));
  assert.deepEqual(drawn(walk, tree), [["k8", "g8>l8 1", "*other o15>g8 1", "f8 foul"]]);
  tree.current = start;
  assert.deepEqual(drawn(walk, tree), [], "the game");
  const [level] = walk.levels(tree, here);
  assert.deepEqual(walk.anyOther(tree, level), cell("a15"), "a free cell that is no named defence");
});

// The proof of a loss: c3 loses in five plies, d4 in three, and all others at once.
const DEEP = [
  [null, null, [[2, 12, 1], [3, 11, 3]], 4, []], [4, 4, [], 2, []], [5, 5, [], 4, []], [6, 6, [], 4, []], [7, 1, [], null, []],
];

test("the longest defence is chosen, and how long it lasts is told", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map(at => pliesFrom(readProof(DEEP), at)), [6, 5, 3, 3, 1]);
  const tree = study("h8a1"), walk = new Walk();
  walk.begin(tree, tree.current, DEEP);
  assert.deepEqual(drawn(walk, tree), [[null, "c3>e11 5", "d4>g9 3", "other >h14 1"]]);
  assert.equal(walk.resist(tree), "proof_defence proof_attack choose_defence");
  assert.deepEqual(tree.moves().slice(2).map(each => cellName(each, 15)), ["c3", "e11"]);
  assert.equal(drawn(walk, tree).length, 2, "a level more");
  walk.resist(tree);
  walk.resist(tree);
  assert.equal(walk.resist(tree), "", "the proof has ended");
  assert.equal(tree.moves().length, 8);
});

test("the main line of a proof has the reason of each move", () => {
  const tree = study(THREE), told = (proof, made) => mainLine(proof, made, made.current).map(({cell: at, number, colour, reason}) =>
    `${number} ${at ? cellName(at, 15) : "any"} ${colour} ${reason}`);
  assert.deepEqual(told(LONG, tree), ["7 k8 0 open_four", "8 g8 1 forced", "9 l8 0 five"]);
  assert.deepEqual(told(PROOF, study(FOUR)), ["9 l8 0 five"]);
  assert.deepEqual(told([[3, 3, [], 1, []], [4, 4, [], null, []]], study("h8a1")), ["3 d12 0 three", "4 any 1 reply", "5 e11 0 three"]);
  assert.deepEqual(told(DEEP, study("h8a1"))[0], "3 c3 0 reply", "the proof of a loss begins with a defence");
});

test("playing through follows the line, and in a proof the longest defence", () => {
  const tree = study("h8a1"), walk = new Walk();
  tree.first();
  assert.deepEqual([hasNext(tree, walk), advance(tree, walk), advance(tree, walk), hasNext(tree, walk), advance(tree, walk)], [true, true, true, false, false]);
  walk.begin(tree, tree.current, DEEP);
  while (hasNext(tree, walk)) assert.equal(advance(tree, walk), true);
  assert.deepEqual([tree.moves().length, tree.current.cell], [8, [7, 1]]);
});

test("a click after the end of a proof is no move", () => {
  const tree = study(FOUR), walk = new Walk();
  walk.begin(tree, tree.current, PROOF);
  const end = tree.current;
  assert.equal(walk.click(tree, cell("o15")), "proof_end");
  assert.equal(tree.current, end);
  assert.equal(end.children.length, 0);
  walk.clear();
  assert.equal(walk.click(tree, cell("o15")), "");
});

test("the proof of a loss begins with a defence", () => {
  const tree = study(FOUR.slice(0, -2)), walk = new Walk(), here = tree.current;
  assert.equal(walk.begin(tree, here, [[null, null, [], 1, []], [6, 7, [], null, []]]), "choose_defence");
  assert.equal(tree.current, here);
  assert.equal(walk.click(tree, cell("l8")), "proof_defence proof_ends");
});

test("the bar has a notch for what a mistake changed", () => {
  const tree = study("h8a1"), node = tree.current;
  assert.equal(changeAt(tree, node), null);
  node.parent.share = .7;
  node.share = .9;
  assert.deepEqual(changeAt(tree, node), [.7, .9]);
  node.share = .2;
  assert.deepEqual(changeAt(tree, node), [.2, .7], "from the smaller share to the larger one");
  assert.equal(changeAt(tree, tree.root), null);
});

test("rows win by the rule", () => {
  const rows = (names, rule) => findEnd(study(names, rule), study(names, rule).current) !== null;
  const six = "h8a1i8a3j8a5l8c1m8c3k8", five = "h8a1i8a3j8a5k8c3l8";
  assert.equal(rows(five, 0), true);
  assert.equal(rows(six, 0), true);
  assert.equal(rows(six, 1), false, "exactly five");
  assert.equal(rows(six, 4), false, "Black's six is no win");
  const blocked = "h8g8i8m8j8a5k8c3l8";
  assert.equal(rows(blocked, 0), true);
  assert.equal(rows(blocked, 8), false, "both ends are blocked");
});

test("after the end of a game no stone is placed, and the sentence says where it was", () => {
  const tree = study("h8a1i8a3j8a5k8c3l8"), end = findEnd(tree, tree.current);
  assert.deepEqual(end, {number: 9, cell: cell("l8"), foul: null});
  assert.equal(describeEnd(tree, end), "study_over");
  assert.equal(whyNot(tree, tree.current, cell("o15")), "study_over");
  assert.equal(whyNot(tree, tree.current.parent, cell("o15")), "");
});

test("fouls are known once the server was asked", () => {
  const tree = study("h8a1", 4), node = tree.current;
  assert.equal(needsFouls(tree, node), true);
  node.fouls = {forbidden: [{cell: cell("c3"), foul: "double_three"}], played: null};
  assert.deepEqual(forbiddenAfter(tree, node), {[String(cell("c3"))]: "double_three"});
  assert.equal(whyNot(tree, node, cell("c3")), "study_forbidden");
  node.fouls = {forbidden: [], played: {ply: 0, foul: "overline"}};
  assert.deepEqual(findEnd(tree, node), {number: 1, cell: cell("h8"), foul: "overline"});
  assert.deepEqual(forbiddenAfter(tree, node), {});
});

test("an analysis is told from Black's side, and a review stands in for it", () => {
  const tree = study("h8"), node = tree.current;
  assert.equal(blackShare(tree, node), null);
  node.share = .6;
  assert.equal(blackShare(tree, node), .6);
  node.analysis = {lines: [{win: .3, score: -20, mate: null, moves: [], depth: 5}]};
  assert.equal(blackShare(tree, node), .7, "White is to move");
  assert.equal(formatScore({score: -20, mate: null}), "−20");
  assert.equal(formatScore({score: null, mate: 5}), "+M5");
  assert.equal(formatScore({score: null, mate: null}), "");
});

const judged = more => ({ply: 5, colour: 1, cell: cell("h8"), loss: .2, label: "mistake", missed: "", lost: "", accepted: [], ...more});

test("a judged move has a mark and a sentence", () => {
  assert.equal(labelOf(undefined), "");
  assert.equal(labelOf(judged()), "label_mistake −20 %");
  assert.equal(labelOf(judged({label: "missed_win"})), "label_missed_win");
  assert.equal(labelOf(judged({label: "good"})), "", "nothing happened");
  assert.equal(describeMove(judged({lost: "proved", missed: "probably"}), 15), "review_move missed_probably lost_proved");
  assert.equal(describeMove(judged({label: "losing_move", lost: "proved"}), 15), "review_move_only");
  assert.deepEqual([judged(), judged({label: "good"}), undefined].map(isMistake), [true, false, false]);
  assert.equal(countLabels([judged(), judged(), judged({colour: 0})], 1), "white: label_mistake 2");
  assert.deepEqual(countMistakes([judged(), judged({label: "good"}), judged({colour: 0})]), {black: 1, white: 1});
  assert.equal(countLabels([], 0), "black: –");
});

test("what is to be found depends on what was missed", () => {
  const tasks = [{missed: "proved", lost: "proved"}, {lost: "proved"}, {}].map(more => judged(more));
  assert.deepEqual(tasks.map(describeTask), ["find_win", "find_hold", "find_best"]);
  assert.deepEqual(tasks.map(each => describeRight(each, "h8")), ["tried_wins", "tried_holds", "tried_good"]);
});

const quiz = (number, due, more = {}) =>
  ({quiz: number, due, kind: "win", to_move: 0, moves: cells("h8i9"), width: 15, height: 15, rule: 0, created: 0, game: null, ...more});

// Training with a quiz that is due, one that comes later, and one that is solved; the server's clock is a minute ahead.
function training() {
  const made = makeTraining();
  takeQuizzes(made, {quizzes: [quiz(1, 150), quiz(2, 500), quiz(3, null)], unlisted: {all: 4, due: 0, solved: 4}, now: 160}, 100);
  assert.deepEqual(countQuizzes(made, 100), {all: 7, due: 1, solved: 5}, "also those that are not listed");
  return made;
}

test("quizzes are due by the server's clock", () => {
  const made = training();
  assert.deepEqual(made.quizzes.map(each => isDue(made, each, 100)), [true, false, false]);
  assert.equal(nextDue(made, 100)?.quiz, 1);
  choose(made, made.quizzes[0]);
  assert.equal(nextDue(made, 100), undefined, "the one that is shown is left out");
  assert.equal(nextDue(made, 450)?.quiz, 2);
  assert.equal(neighbour(made, 1)?.quiz, 2);
  assert.equal(neighbour(made, -1), undefined);
  assert.equal(noneWords(made), "quiz_none_due");
  assert.equal(noneWords(makeTraining()), "quiz_none");
  assert.equal(secondsToNext(made, 100), 340, "500 by the server's clock, which shows 160 now");
  assert.equal(secondsToNext(made, 450), null);
});

test("the next time is the earliest, in whatever order the quizzes are listed", () => {
  const made = training();
  takeJudgement(made, {quiz: quiz(1, 900), cell: cell("a1"), right: false, verdict: "worse", loss: .1});
  assert.deepEqual(made.quizzes.map(each => each.due), [900, 500, null]);
  assert.equal(earliestDue(made.quizzes), 500);
  assert.equal(earliestDue([quiz(3, null)]), null);
});

test("an answer is shown with its judgement, unless another quiz is shown by then", () => {
  const made = training();
  choose(made, made.quizzes[0]);
  const wrong = {quiz: quiz(1, 900), cell: cell("a1"), right: false, verdict: "worse", loss: .1};
  assert.equal(takeJudgement(made, wrong), true);
  assert.equal(isAnswered(made), false, "it may be tried again");
  assert.equal(chosen(made)?.due, 900);
  assert.deepEqual(candidatesOf(made, quiz(1, 900)), [{cell: cell("a1"), kind: "lost", text: "×"}]);
  assert.equal(describeJudged(wrong, quiz(1, 900)), "tried_worse quiz_comes_back");
  const given = {quiz: quiz(1, null), cell: null, right: false, accepted: cells("c3d4"), played: cell("o15"), loss: 0, verdict: ""};
  assert.equal(takeJudgement(made, given), true);
  assert.equal(isAnswered(made), true);
  assert.deepEqual(candidatesOf(made, quiz(1, null)).map(({text}) => text), ["!", "!", "?"]);
  assert.equal(describeJudged(given, quiz(1, null)), "answers quiz_played quiz_solved_now");
  choose(made, made.quizzes[1]);
  assert.equal(takeJudgement(made, given), false);
  assert.deepEqual(candidatesOf(made, quiz(2, 500)), []);
});

test("an answer that is being judged does not keep the next quiz from being answered", () => {
  const made = training();
  choose(made, made.quizzes[0]);
  assert.equal(beginJudging(made), true);
  assert.equal(beginJudging(made), false, "the same quiz waits for its judgement");
  choose(made, made.quizzes[1]);
  assert.equal(beginJudging(made), true);
  assert.equal(endJudging(made, 1), false, "another quiz is current");
  assert.equal(endJudging(made, 2), true);
  assert.equal(beginJudging(made), true, "after a fault it may be answered again");
});

test("a right answer is no candidate: it is played", () => {
  const made = training();
  choose(made, made.quizzes[0]);
  const right = {quiz: quiz(1, 999), cell: cell("c3"), right: true, accepted: cells("c3"), played: cell("o15"), loss: 0, verdict: ""};
  takeJudgement(made, right);
  assert.deepEqual(candidatesOf(made, quiz(1, 999)), [{cell: cell("o15"), kind: "other", text: "?"}]);
  assert.equal(describeJudged(right, quiz(1, 999)), "tried_wins quiz_played quiz_comes_back");
});
