// The results of a review: accuracy by phase, and the mistakes in the order and of the side that one wants.

import assert from "node:assert/strict";
import {test} from "node:test";
import {accuracyOf, PHASES, phasesOf, WHOLE} from "../../tournaments/board/page/review/accuracy.js";
import {isWanted, listMistakes, makeCoaching, ownColour} from "../../tournaments/board/page/review/coaching.js";
import {dotsOn, levelOf} from "../../tournaments/board/page/review/dots.js";
import {sortMistakes} from "../../tournaments/board/page/review/moves.js";

const judged = (ply, more = {}) => ({ply, colour: ply % 2, loss: 0, label: "good", before: .5, after: .5, ...more});

test("the accuracy of a side is what its moves keep, by phase", () => {
  const moves = [judged(0), judged(2, {loss: .2, label: "mistake"}), judged(9, {loss: .5, label: "blunder"}), judged(10, {loss: .1}),
    judged(12, {before: null, loss: 0}), judged(30, {loss: 1, label: "losing_move"})];
  const [opening, middle, end] = PHASES;
  assert.deepEqual(accuracyOf(moves, 0, opening), {share: .9, moves: 2, mistakes: 1});
  assert.deepEqual(accuracyOf(moves, 1, opening), {share: .5, moves: 1, mistakes: 1}, "move 10 is the last one of the opening");
  assert.deepEqual(accuracyOf(moves, 0, middle), {share: .9, moves: 2, mistakes: 0}, "a move whose chances are not known does not count");
  assert.deepEqual(accuracyOf(moves, 1, middle), {share: null, moves: 0, mistakes: 0});
  assert.deepEqual(accuracyOf(moves, 0, end), {share: 0, moves: 1, mistakes: 1}, "move 31 is the first one of the end");
  assert.equal(accuracyOf(moves, 0, WHOLE).moves, 5);
  assert.deepEqual(phasesOf(moves.slice(0, 3)), [opening], "a short game has no middle and no end");
});

test("the worst mistakes come first, and proved ones before all others", () => {
  const mistakes = [["mistake", .2], ["missed_win", .01], ["blunder", .6], ["losing_move", .4]].map(([label, loss], ply) => ({move: judged(ply, {label, loss})}));
  assert.deepEqual(sortMistakes(mistakes, true).map(({move}) => move.label), ["losing_move", "missed_win", "blunder", "mistake"]);
  assert.deepEqual(sortMistakes(mistakes, false), mistakes, "in the order of the game");
});

test("dots are as large as what a move lost, and what is proved counts as much", () => {
  const levels = [["best", .5], ["good", .005], ["good", .03], ["inaccuracy", .1], ["mistake", .2], ["blunder", .5], ["missed_win", .01], ["losing_move", 0]];
  assert.deepEqual(levels.map(([label, loss]) => levelOf({label, loss})), [0, 0, 1, 2, 3, 4, 4, 4]);
  const nodes = [{cell: [7, 7]}, {cell: [8, 8]}, {cell: [9, 9]}], moves = new Map([[nodes[1], judged(1, {label: "mistake", loss: .2})]]);
  assert.deepEqual(dotsOn(moves, nodes), [{cell: [8, 8], colour: 1, level: 3, words: "stone_lost"}], "a stone that was not judged has none");
});

test("only the mistakes of the wanted side are stopped at", () => {
  const coaching = makeCoaching(), nodes = [{}, {}, {}];
  [judged(0, {label: "mistake"}), judged(1, {label: "mistake"}), judged(2)].forEach((move, index) => coaching.moves.set(nodes[index], move));
  assert.deepEqual(nodes.map(node => isWanted(coaching, node)), [true, true, false]);
  coaching.wanted = 1;
  assert.deepEqual(nodes.map(node => isWanted(coaching, node)), [false, true, false]);
  assert.equal(ownColour(coaching), null, "there is no review");
  coaching.reviewed = {own: 1, quizzes: [], kept: []};
  assert.equal(ownColour(coaching), 1);
  assert.equal(listMistakes(coaching).length, 2, "the list is filtered where it is drawn");
});
