// A tournament that is watched: which game is on the board, and the clocks.

import assert from "node:assert/strict";
import {test} from "node:test";
import {lineOf, rangeOf, ticksOf} from "../../tournaments/board/page/watch/ratings.js";
import {boardWidth, choose, crossTable, formatPoints, isOver, look, makeWatch, placeGames, plyShown, scoreOf, shareAt, takeNews, takeTournament,
  timeLeft, timeOf} from "../../tournaments/board/page/watch/state.js";

const running = (number, more = {}) => ({
  number, black: "a", white: "b", moves: [[7, 7]], shares: [null], used: [1000, 0], left: [null, 60_000], thinking: 1, for: 500, ...more,
});
const finished = number => ({number, black: "a", white: "b", winner: 0, reason: "five", moves: [[7, 7], [1, 1]], shares: [40, 60]});
const player = (id, place, more = {}) => ({id, place, name: `p${id}`, elo: 10 * id, margin: 5, ...more});
const said = (games, last = [], more = {}) => ({
  width: 15, height: 15, running: games, last, finished: last.length, players: [], cross: [], history: {step: 1, points: []}, time_left: null, ...more,
});

test("a game that is chosen stays on the board, and is asked for when it is over", () => {
  const watch = makeWatch();
  takeTournament(watch, said([running(3), running(4)]), 0);
  assert.deepEqual([watch.chosen, watch.game], [null, null], "at first all boards are shown");
  assert.equal(choose(watch, 4), null);
  assert.equal(watch.game.number, 4);
  assert.equal(takeNews(watch, {type: "tournament_news", over: [4], last: [finished(4)]}, 0), 4);
  watch.game = finished(4);
  assert.equal(isOver(watch.game), true);
  assert.equal(takeNews(watch, {type: "tournament_news", finished: 2}, 0), null, "it is known by now");
  assert.equal(choose(watch, null), null);
});

test("a game of an address is asked for when the first state has come", () => {
  const watch = makeWatch();
  assert.equal(choose(watch, 9), null);
  assert.equal(takeTournament(watch, said([running(10)]), 0), 9);
});

test("one who steps through a game is not taken away from it", () => {
  const watch = makeWatch(), moves = [[1, 1], [2, 2]];
  takeTournament(watch, said([running(3, {moves, shares: [null, 50]})]), 0);
  choose(watch, 3);
  look(watch, 1);
  takeNews(watch, {type: "tournament_news", running: [{number: 3, from: 2, moves: [[3, 3]], shares: [60], thinking: 0, for: 0, used: [1, 2], left: [1, 2]}]}, 5);
  assert.deepEqual([watch.game.moves.length, plyShown(watch)], [3, 1]);
  look(watch, 99);
  assert.equal(watch.shownPly, null);
});

test("news change what they name, and nothing else", () => {
  const watch = makeWatch(), grown = {used: [2, 2], left: [3, 3], thinking: 0, for: 100};
  takeTournament(watch, said([running(3), running(4)], [finished(2)], {
    players: [player(0, 1), player(1, 2)], cross: [{first: 0, second: 1, wins: 1, draws: 0, losses: 0}], note: "calm",
    history: {step: 1, points: [{games: 1, elo: [0, 0], margin: [9, 9]}, {games: 2, elo: [1, 2], margin: [8, 8]}]},
  }), 0);
  takeNews(watch, {
    type: "tournament_news", finished: 3, over: [3], last: [finished(3)],
    running: [{number: 4, from: 1, moves: [[8, 8]], shares: [55], ...grown}, {number: 5, from: 0, black: "b", white: "a", moves: [], shares: [], ...grown}],
    players: [player(1, 1, {elo: 50}), player(0, 2)], cross: [{first: 0, second: 1, wins: 1, draws: 0, losses: 1}],
    history: {step: 2, points: [{games: 4, elo: [5, 6], margin: [null, 7]}]},
  }, 700);
  const now = watch.said;
  assert.deepEqual([now.finished, now.note], [3, "calm"]);
  assert.deepEqual(now.running.map(({number, black, moves, shares}) => [number, black, moves.length, shares]), [[4, "a", 2, [null, 55]], [5, "b", 0, []]]);
  assert.deepEqual(now.players.map(({id, elo}) => [id, elo]), [[1, 50], [0, 0]], "by their places");
  assert.equal(now.cross[0].losses, 1);
  assert.deepEqual(now.history.points.map(({games}) => games), [2, 4], "every second one");
  assert.deepEqual(now.last.map(({number}) => number), [3, 2]);
  assert.deepEqual([...watch.heardAt], [[4, 700], [5, 700]]);
});

test("news before the whole state are left alone", () => {
  assert.equal(takeNews(makeWatch(), {type: "tournament_news", finished: 3}, 0), null);
});

test("a game keeps its place on the page, and a new one takes a free place", () => {
  assert.deepEqual(placeGames([], [1, 2, 3]), [1, 2, 3]);
  assert.deepEqual(placeGames([1, 2, 3], [1, 3, 4]), [1, 4, 3]);
  assert.deepEqual(placeGames([1, 4, 3], [3, 4]), [4, 3]);
  assert.deepEqual(placeGames([1, 4, 3], []), []);
});

test("boards are as large as they fit into the window, and are scrolled if there are many", () => {
  const measures = {gap: 10, besides: 100, least: 200};
  assert.equal(boardWidth(1, {width: 700, height: 700}, measures), 600, "the height counts");
  assert.equal(boardWidth(6, {width: 720, height: 1000}, measures), 233, "three columns");
  assert.equal(boardWidth(64, {width: 720, height: 700}, measures), 200);
  assert.equal(boardWidth(1, {width: 150, height: 700}, measures), 150, "never wider than the window");
});

test("points and chances are shown as people write them", () => {
  assert.deepEqual([0, .5, 1, 4.5, 10].map(formatPoints), ["0", "½", "1", "4½", "10"]);
  assert.deepEqual([shareAt([]), shareAt([null, null]), shareAt([null, 40, null]), shareAt([30, 40], 1)], [null, null, .4, .3]);
});

test("both sides of a duel are in the cross-table", () => {
  const table = crossTable([{first: 2, second: 0, wins: 3, draws: 1, losses: 1}]);
  assert.deepEqual([table.get("2 0"), table.get("0 2"), table.get("1 2")], [{points: 3.5, games: 5}, {points: 1.5, games: 5}, undefined]);
});

test("the graph of ratings ends with the ratings of the table", () => {
  const state = said([], [], {finished: 4, history: {step: 2, points: [{games: 2, elo: [7, 9], margin: [null, 30]}, {games: 4, elo: [1, 2], margin: [3, 4]}]}});
  assert.deepEqual(lineOf(state, player(1, 1)), [{games: 2, elo: 9, margin: 30}, {games: 4, elo: 10, margin: 5}]);
  assert.deepEqual(lineOf({...state, finished: 0, history: {step: 1, points: []}}, player(1, 1)), []);
  const [low, high] = rangeOf([[{games: 1, elo: 900, margin: 9}, {games: 2, elo: 0, margin: 9}], [{games: 2, elo: 100, margin: 20}]]);
  assert.ok(low < 0 && low > -10 && high > 100 && high < 110, "the wild beginning does not count");
  assert.deepEqual(ticksOf(-105, 420), [0, 200, 400]);
});

test("the time left goes down until the connection is lost", () => {
  const watch = {...makeWatch(), said: said([], [], {time_left: 100}), leftAt: 5000};
  assert.equal(timeLeft(watch, 15_000), 90);
  assert.equal(timeLeft({...watch, lostAt: 6000}, 15_000), 99);
  assert.equal(timeLeft({...watch, said: said([])}, 15_000), null);
});

test("the clock of the side that thinks runs, until the connection is lost", () => {
  const watch = {...makeWatch(), heardAt: new Map([[1, 10_000]])};
  assert.deepEqual(timeOf(watch, running(1), 0, 12_000), {isThinking: false, hasLimit: false, seconds: 1});
  assert.deepEqual(timeOf(watch, running(1), 1, 12_000), {isThinking: true, hasLimit: true, seconds: 57.5});
  assert.equal(timeOf({...watch, lostAt: 11_000}, running(1), 1, 99_000)?.seconds, 58.5);
  assert.equal(timeOf(watch, running(1), 1, 999_000)?.seconds, 0);
  assert.equal(timeOf(watch, running(1, {used: null}), 1, 0), null, "before the game begins");
});

test("results are told as scores", () => {
  assert.deepEqual([0, 1, null].map(scoreOf), ["1–0", "0–1", "½–½"]);
});
