// What the report's script knows of games, apart from drawing: the list, the game in the viewer, files, lines of play.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {deflateSync} from "node:zlib";
import {readColumn, readGames, readScore} from "../../tournaments/report/games.js";
import {chance} from "../../tournaments/report/graph.js";
import {filterList, gamesOfPage, makeList, neighbour, NO_FILTERS, sortList, turnTo} from "../../tournaments/report/list.js";
import {countsFromTop, findLine, formatPsq, formatSgf} from "../../tournaments/report/record.js";
import {describeBoard, describeStone, goTo, lineOf, openReplay, stonesOf, thoughtOf} from "../../tournaments/report/replay.js";

const catalogue = JSON.parse(readFileSync(new URL("../../tournaments/translations/en.json", import.meta.url), "utf8"));
const SAID = "report.say_";
const words = Object.fromEntries(Object.entries(catalogue).filter(([key]) => key.startsWith(SAID)).map(([key, text]) => [key.slice(SAID.length), text]));

const DATA = {
  language: "en", words, width: 15, height: 15, players: [{name: "ant", scale: 100}, {name: "bee", scale: 100}, {name: "Cat 10", scale: 100}],
  endings: ["five", "time"], five: 0,
};

// A game for the list: its number, players and winner.
const listed = (number, players, winner, more = {}) =>
  ({number, place: number - 1, length: 20 + number, players, winner, ending: 0, reason: "", origin: number % 2, ...more});

const GAMES = [listed(1, [0, 1], 0), listed(2, [1, 0], 0, {ending: 1}), listed(3, [0, 2], -1), listed(4, [2, 1], 1)];
const numbers = list => list.shown.map(({number}) => number);
const filtered = filters => numbers(filterList(makeList(GAMES), {...NO_FILTERS, ...filters}, DATA));

// A game of three stones at h8, a pass, i9, with what the brains said of them.
function game(more = {}) {
  const moves = {
    stones: [[7, 7], null, [8, 6]], ms: [0, 1500, 20], depths: [null, 4, 12], scores: [null, readScore("-12", 0), readScore("5", 10)],
    nodes: [null, 100, "12345678901234567"], messages: ["", "thinking", "depth 3 pv i9 j10\nbestline i9, j10, k11"], ...more,
  };
  return {...listed(7, [0, 1], 0), length: moves.stones.length, openingPlies: 1, sgf: "(;GM[4]", psq: "head\ntail\n", unpack: () => moves};
}

test("the filters leave what they say, and nothing more", () => {
  assert.deepEqual(filtered({}), [1, 2, 3, 4]);
  assert.deepEqual(filtered({brain: "0"}), [1, 2, 3]);
  assert.deepEqual(filtered({brain: "0", colour: "white"}), [2]);
  assert.deepEqual(filtered({brain: "0", result: "lost"}), [2]);
  assert.deepEqual(filtered({brain: "1", opponent: "2"}), [4]);
  assert.deepEqual(filtered({result: "drawn"}), [3]);
  assert.deepEqual(filtered({result: "white"}), [4]);
  assert.deepEqual(filtered({ending: "1"}), [2]);
  assert.deepEqual(filtered({opening: "0"}), [2, 4]);
});

test("the list is sorted by any column, both ways", () => {
  const sorted = (column, sign) => numbers(sortList(makeList(GAMES), {column, sign}, DATA));
  assert.deepEqual(sorted(0, -1), [4, 3, 2, 1]);
  assert.deepEqual(sorted(1, 1), [1, 3, 2, 4], "names, and the games' own order where they are the same");
  assert.deepEqual(sorted(5, -1), [4, 3, 2, 1]);
  assert.deepEqual(GAMES.map(each => each.number), [1, 2, 3, 4], "the games themselves stay in their order");
});

test("a long list has pages, and turns to the page of a game", () => {
  const list = makeList(Array.from({length: 250}, (_, index) => listed(index + 1, [0, 1], 0)));
  assert.equal(gamesOfPage(list).length, 100);
  const turned = turnTo(list, list.games[249]);
  assert.deepEqual([turned.page, gamesOfPage(turned).length], [2, 50]);
  assert.equal(turnTo(turned, listed(999, [0, 1], 0)), turned, "a game that is not in the list turns no page");
  assert.equal(filterList(turned, {...NO_FILTERS, brain: "0"}, DATA).page, 0);
  assert.equal(neighbour(list, list.games[0], 1), list.games[1]);
  assert.equal(neighbour(list, list.games[0], -1), undefined);
  assert.equal(neighbour(list, null, 1), undefined);
});

test("one steps through a game as far as it has stones", () => {
  const replay = openReplay(game(), 3, DATA);
  assert.deepEqual(stonesOf(replay), [{cell: [7, 7], colour: 0, number: 1}, {cell: [8, 6], colour: 0, number: 3}]);
  assert.equal(describeStone(replay, DATA), "3. ant i9, 20 ms, depth 12, score M5");
  assert.equal(describeStone(goTo(replay, 2), DATA), "2. bee pass, 1.50 s, depth 4, score -12");
  const comma = {...DATA, words: {...words, decimal_mark: ","}};
  assert.equal(describeStone(goTo(replay, 2), comma), "2. bee pass, 1,50 s, depth 4, score -12");
  assert.equal(describeStone(goTo(replay, 1), DATA), "1. ant h8, the opening");
  assert.equal(describeStone(goTo(replay, -5), DATA), "The empty board; 3 stones follow.");
  assert.equal(goTo(replay, 99).ply, 3);
  assert.equal(describeBoard(goTo(replay, 2), DATA), "2 of 3 stones, the last a pass");
});

test("a line of play is drawn after the stones, until one steps on", () => {
  const replay = openReplay(game(), 3, DATA), {cells, isPlayed} = thoughtOf(replay, DATA);
  assert.deepEqual([cells, isPlayed], [[[8, 6], [9, 5], [10, 4]], true]);
  const shown = {...replay, line: cells.slice(1)};
  assert.deepEqual(lineOf(shown).map(({colour, number}) => [colour, number]), [[1, 4], [0, 5]]);
  assert.match(describeBoard(shown, DATA), /; a line of play goes on with j10 k11$/);
  assert.deepEqual(goTo(shown, 2).line, []);
});

test("lines of play are read in every form, as far as they fit the position", () => {
  const line = message => findLine({...game({messages: ["", "", message]}).unpack()}, 2, false, DATA);
  assert.deepEqual(line("pv 8,6 9,5"), [[8, 6], [9, 5]]);
  assert.deepEqual(line("bestline: I9, h8"), [[8, 6]], "h8 is taken");
  assert.deepEqual(line("pv i9 z1"), [[8, 6]], "z1 is off the board");
  assert.deepEqual(line("nothing of the kind"), []);
  assert.deepEqual(line("pv a1\npv b1"), [[1, 14]], "the last line counts");
});

test("a brain that counts rows from the top is found out by its own moves", () => {
  const moves = {stones: [[7, 3]], ms: [1], messages: ["pv h4"]};
  assert.equal(countsFromTop({...game(), ...moves, length: 1}, 0, DATA), true);
  assert.equal(countsFromTop({...game(), ...moves, length: 1, messages: ["pv h12"]}, 0, DATA), false);
});

test("a game is saved with its comments, and a pass as an empty move", () => {
  const opened = {...game(), ...game().unpack(), said: [[2, "a pass"]]};
  assert.equal(formatSgf(opened), "(;GM[4]\n;B[hh]C[opening move]\n;W[]C[1500ms depth 4 ev -12 n 100\na pass]"
    + "\n;B[ig]C[20ms depth 12 ev +M5 n 12345678901234K])\n");
  assert.equal(formatPsq({...opened, stones: [[7, 7]]}), "head\n8,8,0\ntail\n");
});

test("scores are read with the digits that they had", () => {
  assert.deepEqual(readScore(-5, 2), {text: "-0.05", value: -.05, sign: -1});
  assert.deepEqual(readScore(4, 10), {text: "M4", value: null, sign: 1});
  assert.deepEqual(readScore(-4, 10), {text: "-M4", value: null, sign: -1});
  assert.deepEqual(readScore("-123456789012345678", 2)?.text, "-1234567890123456.78");
  assert.equal(readScore(null, null), null);
});

test("columns have numbers, none, and exceptions", () => {
  const column = readColumn(new Uint8Array([0, 1, 44, 0, 0, 0, 1, 0]), 4, {3: "12345678901234567"}, false);
  assert.deepEqual([0, 1, 2, 3].map(column), [null, 0, 299, "12345678901234567"]);
  assert.deepEqual([0, 1, 2].map(readColumn(new Uint8Array([0, 7, 6]), 3, {}, true)), [null, 3, -3]);
});

test("packed games are unpacked", async () => {
  const pack = bytes => deflateSync(Buffer.from(bytes)).toString("base64");
  const index = {numbers: [1, 2], lengths: [2, 1], black: [0, 1], white: [1, 0], winners: [0, -1], endings: [0, 1],
    reasons: ["a", "b"], origins: ["x", "y"], openings: [0, 0], sgf: ["", ""], psq: ["", ""], said: [[], [[1, "good"]]]};
  const packed = {index: pack(JSON.stringify(index)), cells: pack([113, 0, 1]), messages: pack("one\x1ftwo\x1ethree"), exceptions: {}};
  const [first, second] = await readGames({...DATA, games: packed});
  assert.deepEqual(first.unpack().stones, [[7, 7], null]);
  assert.deepEqual(first.unpack().messages, ["one", "two"]);
  assert.deepEqual(second.unpack().stones, [[0, 0]]);
  assert.deepEqual(second.unpack().depths, [null]);
  assert.deepEqual([first.said, second.said], [[], [[1, "good"]]]);
  assert.deepEqual([second.number, second.players, second.length], [2, [1, 0], 1]);
});

test("the graph has Black's chances: a typical score is half of the way", () => {
  const {players} = DATA, of = (entry, kind, index) => chance({...game(), scores: {[index]: readScore(entry, kind)}}, index, players);
  assert.equal(of(100, 0, 0), .5);
  assert.equal(of(100, 0, 1), -.5);
  assert.equal(of(3, 10, 1), -1, "White has a forced win");
  assert.equal(of(null, null, 0), null);
});
