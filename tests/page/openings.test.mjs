// The openings that the page knows: answers, figures, tiles, and the changes of notes. Words are not loaded here.

import assert from "node:assert/strict";
import {test} from "node:test";
import {
  bookOf, countGames, figureOf, forgetBooks, keepDraft, keyOf, makeOpenings, noteChange, notesOf, positionAfter, provedMove, resultsOf, searchOf, takeBook, takeDraft, tilesOf,
  typeNotes, undoChange, unfold,
} from "../../tournaments/board/page/openings/state.js";
import {candidatesOf, describeJudged, makeTraining} from "../../tournaments/board/page/review/quizzes.js";

const position = (...moves) => ({width: 15, height: 15, rule: 4, moves});
const notes = more => ({title: "", text: "", label: "", mark: "", board_text: "", ...more});
const record = (win, more) => ({kind: "searched", score: 0, mate: null, win, depth: 9, nodes: 100, best: null, source: "a test", ...more});
const move = (cell, more) => ({cell, same: [], record: null, games: [0, 0, 0], notes: notes(), ...more});
const book = (moves, more) => ({type: "book", record: null, games: [0, 0, 0], notes: notes(), moves, own: [], symmetries: 1, why: "", ...more});

test("an answer belongs to its position, and the oldest are forgotten", () => {
  const openings = makeOpenings();
  for (let x = 0; x < 301; x++) takeBook(openings, position([x, 0]), book([]));
  assert.equal(bookOf(openings, position([0, 0])), null);
  assert.notEqual(bookOf(openings, position([1, 0])), null);
  assert.equal(bookOf(openings, position([300, 0], [1, 1])), null);
  forgetBooks(openings, position([300, 0]));
  assert.deepEqual([...openings.known.keys()], [keyOf(position([300, 0]))], "what is shown stays until the new answer");
  forgetBooks(openings, null);
  assert.equal(openings.known.size, 0);
});

test("replies are listed until they are asked for again", () => {
  const openings = makeOpenings(), after = positionAfter(position([7, 7]), [[8, 6]]);
  assert.deepEqual(after.moves, [[7, 7], [8, 6]]);
  assert.deepEqual([unfold(openings, after), unfold(openings, after)], [true, false]);
});

test("figures are shares, bounds and plies", () => {
  assert.equal(figureOf(null), "");
  assert.equal(figureOf(record(.514)), "51 %");
  assert.equal(figureOf(record(.4, {kind: "least"})), "≥ 40 %");
  assert.equal(figureOf(record(.4, {kind: "most"})), "≤ 40 %");
  assert.equal(figureOf(record(0, {kind: "proved", mate: -22, score: null})), "−M22");
});

test("of the search behind a record is told what is known", () => {
  const told = more => searchOf(record(.5, more));  // the keys of the texts: no words are loaded here
  assert.deepEqual([told({}), told({depth: 0}), told({nodes: 0})], [["depth", "nodes"], ["nodes"], ["depth"]]);
  assert.deepEqual(searchOf(null), []);
});

test("the bar shows games, or else the share, with Black first", () => {
  assert.deepEqual(resultsOf(move([1, 1], {games: [3, 1, 0]}), 1), [.75, .25, 0]);
  assert.deepEqual(resultsOf(move([1, 1], {record: record(.25)}), 1), [.75, 0, .25]);
  assert.deepEqual(resultsOf(move([1, 1], {record: record(.25)}), 0), [.25, 0, .75]);
  assert.equal(resultsOf(move([1, 1]), 0), null);
  assert.equal(countGames({games: [3, 1, 2]}), 6);
});

test("tiles fade with the loss, a proof has its plies, and a text on a stone stands in place of a share", () => {
  const tiles = tilesOf(book([
    move([0, 0], {record: record(.6)}), move([1, 0], {record: record(.56)}), move([2, 0], {record: record(.46)}),
    move([3, 0], {record: record(.3)}), move([4, 0], {record: record(0, {mate: -4})}), move([5, 0], {notes: notes({board_text: "A long"})}),
    move([6, 0], {games: [1, 0, 0]}),
  ]));
  assert.deepEqual(tiles.map(({kind, text}) => `${kind} ${text}`),
    ["best 60%", "near 56%", "far 46%", "worse 30%", "lost −M4", "other A l"]);
  assert.deepEqual(tilesOf(book([move([0, 0], {record: record(1, {mate: 5})})]))[0], {cell: [0, 0], kind: "won best", text: "M5"});
});

test("the proof of a win is walked before that of a loss", () => {
  const lost = move([0, 0], {record: record(0, {mate: -4})}), won = move([1, 0], {record: record(1, {mate: 5})});
  assert.equal(provedMove(book([lost, won])), won);
  assert.equal(provedMove(book([move([2, 0], {record: record(.5)}), lost])), lost);
  assert.equal(provedMove(book([move([2, 0])])), undefined);
});

test("what is typed belongs to its position, and each change is taken back by itself", () => {
  const openings = makeOpenings(), here = position([7, 7]), there = position([7, 7], [8, 8]);
  takeBook(openings, here, book([], {notes: notes({text: "old", label: "w"})}));
  typeNotes(openings, here, {text: "new"});
  assert.equal(notesOf(openings, here).text, "new");
  assert.equal(notesOf(openings, here).label, "w");
  assert.equal(notesOf(openings, there).text, "");
  const draft = takeDraft(openings);
  assert.equal(takeDraft(openings), null);
  noteChange(openings, draft.position, draft.notes);
  noteChange(openings, here, {text: "newer"});
  noteChange(openings, here, {label: "l"});
  assert.deepEqual(undoChange(openings), {position: here, before: {label: "w"}, fields: "label"});
  assert.deepEqual(undoChange(openings), {position: here, before: {text: "old"}, fields: "text"});
  assert.equal(undoChange(openings), null);
});

test("notes that could not be sent stay as they were typed, unless others are typed by then", () => {
  const openings = makeOpenings(), here = position([7, 7]);
  typeNotes(openings, here, {text: "first"});
  const first = takeDraft(openings);
  assert.equal(notesOf(openings, here).text, "");
  keepDraft(openings, first);
  assert.equal(notesOf(openings, here).text, "first");
  const again = takeDraft(openings);
  typeNotes(openings, here, {text: "second"});
  keepDraft(openings, again);
  assert.equal(notesOf(openings, here).text, "second");
});

test("a wrong move of a line is told with the reply, and a right one without a game", () => {
  const quiz = {quiz: 1, game: null, created: 0, due: 600, asked: 1, missed: 1, width: 15, height: 15, rule: 0, moves: [[7, 7]], to_move: 1, kind: "line"};
  const judged = {type: "quiz_judged", quiz, cell: [0, 0], right: false, verdict: "good", loss: 0, proof: null, now: 0, reply: [8, 8]};
  assert.match(describeJudged(judged, quiz), /^line_other answered_by quiz_comes_back$/);
  assert.match(describeJudged({...judged, verdict: "loses", reply: null}, quiz), /^tried_loses quiz_comes_back$/);
  assert.match(describeJudged({...judged, verdict: "worse", loss: .2}, quiz), /^tried_worse answered_by/);
  assert.match(describeJudged({...judged, verdict: "worse"}, quiz), /^line_wrong answered_by/, "nobody knows what it loses");
  assert.match(describeJudged({...judged, verdict: "worse"}, {...quiz, kind: "best"}), /^tried_unrated quiz_comes_back$/);
  const right = {...judged, cell: [8, 7], right: true, verdict: "", reply: undefined, accepted: [[8, 7]], played: [8, 7]};
  assert.match(describeJudged(right, quiz), /^line_right quiz_comes_back$/);
  assert.match(describeJudged({...right, right: false, cell: null}, quiz), /^line_answers quiz_comes_back$/);
  const training = {...makeTraining(), number: 1, quizzes: [quiz]};
  assert.deepEqual(candidatesOf({...training, judged}, quiz),
    [{cell: [0, 0], kind: "lost", text: "×"}, {cell: [8, 8], kind: "best", text: "1"}]);
  assert.deepEqual(candidatesOf({...training, judged: right}, quiz), []);
});
