// Puzzles: the current one, its answer, and the sentences. Words are not loaded here, so that a text is the key of its word.

import assert from "node:assert/strict";
import {test} from "node:test";
import {
  describePuzzle, describeVerdict, makeSolving, puzzleMarks, puzzleTask, shownPuzzle, takePuzzle, takeVerdict,
} from "../../tournaments/board/page/review/puzzles.js";
import {dayOf} from "../../tournaments/board/page/shared/day.js";

const standing = {rating: 1500, deviation: 350, solved: 0, answered: 0, of: 2};
const puzzle = id => ({puzzle: id, width: 15, height: 15, rule: 0, moves: [[7, 7]], to_move: 1, rating: 1400});
const asked = (id, more = {}) =>
  ({type: "puzzle", asked: id ? puzzle(id) : null, day: null, is_answered: false, is_solved: false, standing, ...more});
const judged = (id, more = {}) => ({
  type: "puzzle_judged", puzzle: id, cell: [8, 8], right: true, verdict: "wins", loss: 0, proof: null, answer: [8, 8],
  plies: 5, line: [[8, 8]], change: 12, standing, ...more,
});

test("a day is that of this machine's clock", () => {
  assert.equal(dayOf(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
  assert.equal(dayOf(new Date(2026, 10, 25)), "2026-11-25");
});

test("an answer belongs to the puzzle that is shown", () => {
  const solving = makeSolving();
  assert.equal(puzzleTask(solving), "", "nothing has come yet");
  takePuzzle(solving, asked("aaaaaaaa"));
  assert.equal(puzzleTask(solving), "find_win");
  solving.isJudging = true;
  takePuzzle(solving, asked("bbbbbbbb"));
  assert.equal(solving.isJudging, false, "another puzzle can be answered at once");
  assert.equal(takeVerdict(solving, judged("aaaaaaaa")), false, "a late judgement");
  assert.equal(solving.judged, null);
  assert.equal(takeVerdict(solving, judged("bbbbbbbb")), true);
  assert.equal(solving.judged.puzzle, "bbbbbbbb");
  assert.deepEqual(solving.seen, ["aaaaaaaa", "bbbbbbbb"]);
  takePuzzle(solving, asked("aaaaaaaa"));
  assert.deepEqual(solving.seen, ["aaaaaaaa", "bbbbbbbb"], "once");
  takePuzzle(solving, asked(""));
  assert.equal(shownPuzzle(solving), null);
  assert.equal(puzzleTask(solving), "puzzle_none");
});

test("the sentences follow the day, the answer and the rating", () => {
  assert.equal(describePuzzle(asked("")), "");
  assert.equal(describePuzzle(asked("aaaaaaaa")), "puzzle_facts");
  assert.equal(describePuzzle(asked("aaaaaaaa", {day: "2026-11-25", is_answered: true})), "puzzle_of puzzle_facts puzzle_known");
  assert.equal(describeVerdict(judged("a"), 15), "tried_wins puzzle_plies puzzle_changed");
  const wrong = {cell: [0, 0], right: false, verdict: "loses", change: null};
  assert.equal(describeVerdict(judged("a", wrong), 15), "tried_loses puzzle_answer puzzle_plies puzzle_same");
  assert.equal(describeVerdict(judged("a", {cell: null, right: false, verdict: ""}), 15), "answers puzzle_plies puzzle_changed");
});

test("the answer and a wrong move are marked", () => {
  assert.deepEqual(puzzleMarks(makeSolving()), []);
  const marks = more => puzzleMarks({...makeSolving(), judged: judged("a", more)}).map(({cell, text}) => [cell, text]);
  assert.deepEqual(marks({}), [[[8, 8], "!"]]);
  assert.deepEqual(marks({cell: null, right: false}), [[[8, 8], "!"]]);
  assert.deepEqual(marks({cell: [0, 0], right: false}), [[[8, 8], "!"], [[0, 0], "×"]]);
});
