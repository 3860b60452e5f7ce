// A tournament that is watched: which game is on the board, and the clocks.

import assert from "node:assert/strict";
import {test} from "node:test";
import {choose, isOver, look, makeWatch, plyShown, scoreOf, takeTournament, timeOf} from "../../tournaments/board/page/watch/state.js";

const running = (number, more = {}) => ({
  number, black: "a", white: "b", moves: [[7, 7]], used: [1000, 0], left: [null, 60_000], thinking: 1, for: 500, ...more,
});
const finished = number => ({number, black: "a", white: "b", winner: 0, reason: "five", moves: [[7, 7], [1, 1]]});
const said = (games, last = []) => ({width: 15, height: 15, running: games, last, finished: last.length});

test("the first game in progress is on the board, and the next one when it is over", () => {
  const watch = makeWatch();
  assert.equal(takeTournament(watch, said([running(3), running(4)]), 0), null);
  assert.equal(watch.game?.number, 3);
  takeTournament(watch, said([running(2), running(4)], [finished(3)]), 0);
  assert.equal(watch.game?.number, 4);
  takeTournament(watch, said([running(2)], [finished(4)]), 0);
  assert.equal(watch.game?.number, 2, "after the last number the first one again");
});

test("a game that the watcher has chosen stays, and is asked for when it is over", () => {
  const watch = makeWatch();
  takeTournament(watch, said([running(3), running(4)]), 0);
  assert.equal(choose(watch, 4), null);
  assert.equal(takeTournament(watch, said([running(3)], [finished(4)]), 0), 4);
  watch.game = finished(4);
  assert.equal(isOver(watch.game), true);
  assert.equal(takeTournament(watch, said([running(3)], [finished(4)]), 0), null, "it is known by now");
});

test("one who steps through a game is not taken away from it", () => {
  const watch = makeWatch();
  takeTournament(watch, said([running(3, {moves: [[1, 1], [2, 2]]})]), 0);
  look(watch, 1);
  takeTournament(watch, said([running(4)], [finished(3)]), 0);
  assert.deepEqual([watch.chosen, plyShown(watch)], [3, 1]);
  look(watch, 99);
  assert.equal(watch.shownPly, null);
});

test("without a game in progress the newest result is shown, and nothing where there is none", () => {
  const watch = makeWatch();
  assert.equal(takeTournament(watch, said([]), 0), null);
  assert.equal(takeTournament(watch, said([], [finished(9)]), 0), 9);
});

test("the clock of the side that thinks runs, until the connection is lost", () => {
  const watch = {...makeWatch(), receivedAt: 10_000};
  assert.deepEqual(timeOf(watch, running(1), 0, 12_000), {isThinking: false, hasLimit: false, seconds: 1});
  assert.deepEqual(timeOf(watch, running(1), 1, 12_000), {isThinking: true, hasLimit: true, seconds: 57.5});
  assert.equal(timeOf({...watch, lostAt: 11_000}, running(1), 1, 99_000)?.seconds, 58.5);
  assert.equal(timeOf(watch, running(1), 1, 999_000)?.seconds, 0);
  assert.equal(timeOf(watch, running(1, {used: null}), 1, 0), null, "before the game begins");
});

test("results are told as scores", () => {
  assert.deepEqual([0, 1, null].map(scoreOf), ["1–0", "0–1", "½–½"]);
});
