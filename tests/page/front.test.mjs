// The front page: the cards of levels, the last games and what became of them. A text is the key of its word.

import assert from "node:assert/strict";
import {test} from "node:test";
import {outcomeOf, partGames} from "../../tournaments/board/page/play/front.js";
import {gameNames} from "../../tournaments/board/page/play/games.js";
import {levelsOnCards, winsAgainstNext} from "../../tournaments/board/page/play/kinds.js";

const game = (more = {}) => ({
  game: "a", phase: "over", winner: 0, names: ["", "tengen"], kinds: ["local", "brain"], levels: [null, 3], you: true, ...more,
});

test("one of two levels has a card, and so has every level that is chosen", () => {
  assert.deepEqual(levelsOnCards(null), [1, 3, 5, 7, 10]);
  assert.deepEqual(levelsOnCards(5), [1, 3, 5, 7, 10]);
  assert.deepEqual([2, 8, 9].map(level => levelsOnCards(level)), [[2, 3, 5, 7, 10], [1, 3, 5, 8, 10], [1, 3, 5, 7, 9]]);
});

test("a level is told by how often it wins against the next one, to the nearest 5 percent", () => {
  const ratings = [{level: 8, rating: -538}, {level: 9, rating: -238}, {level: 10, rating: 0}];
  assert.deepEqual([8, 9, 10].map(level => winsAgainstNext(level, ratings)), [15, 20, null]);
});

test("the newest game that is not over is the one to go on with", () => {
  const games = [game({game: "a", phase: "play", you: false}), game({game: "b"}), game({game: "c", phase: "play"}), game({game: "d", phase: "play"})];
  const {going, last} = partGames(games);
  assert.equal(going.game, "c");
  assert.deepEqual(last.map(each => each.game), ["a", "b", "d"]);
  assert.equal(partGames([games[0]]).going, undefined, "brains play it");
});

test("a result is told from the side of the person at this screen", () => {
  const results = [{}, {winner: 1}, {winner: null}, {phase: "play", winner: null}, {kinds: ["local", "local"]}].map(each => outcomeOf(game(each)));
  assert.deepEqual(results, [["won", "result_won"], ["lost", "result_lost"], ["drawn", "result_drawn"], ["", "game_goes_on"], ["", "result_wins"]]);
  assert.deepEqual(outcomeOf(game({winner: null, ending: "stopped"})), ["", "result_stopped"], "its owner has ended it");
});

test("names of a game are those that its owner knows", () => {
  assert.deepEqual(gameNames(game()), ["you", "brain_level_short"]);
  assert.deepEqual(gameNames(game({levels: [null, null]})), ["you", "Tengen"]);
  assert.deepEqual(gameNames(game({names: ["", ""], kinds: ["local", "friend"], levels: [null, null]})), ["you", "friend"]);
  assert.deepEqual(gameNames(game({names: ["", ""], kinds: ["local", "local"], levels: [null, null]})), ["black", "white"]);
});
