// The list of games: what is chosen, and its pages.

import assert from "node:assert/strict";
import {test} from "node:test";
import {allGames, isChosen, namesToChoose, pageOf, requestOf, turnPage} from "../../tournaments/board/page/library/choice.js";

test("a request has the number of a rule, and null for all rules", () => {
  assert.deepEqual(requestOf(allGames()), {type: "games", find: "", player: "", rule: null, result: "", kind: "", day: "", skip: 0, most: 100});
  assert.equal(requestOf({...allGames(), rule: "4"}).rule, 4);
  assert.equal(requestOf({...allGames(), rule: "0"}).rule, 0, "freestyle is a rule too");
});

test("nothing is chosen at first, and a page of the list is no choice", () => {
  assert.equal(isChosen({...allGames(), skip: 200, find: "  "}), false);
  assert.equal(isChosen({...allGames(), day: "2026-11-25"}), true);
  assert.equal(isChosen({...allGames(), find: "anna"}), true);
});

test("pages stay within the list, also after games were deleted", () => {
  const choice = {...allGames(), skip: 100};
  const skips = count => ["first", "back", "forward", "last"].map(step => turnPage(choice, step, count).skip);
  assert.deepEqual(skips(1000), [0, 0, 200, 900]);
  assert.deepEqual(skips(201), [0, 0, 200, 200]);
  assert.deepEqual(skips(200), [0, 0, 100, 100]);
  assert.deepEqual(skips(0), [0, 0, 0, 0]);
  assert.deepEqual([pageOf(choice, 100), pageOf(allGames(), 0)], [{from: 101, to: 200}, {from: 0, to: 0}]);
});

test("players to choose from are those of all games that were listed", () => {
  const known = new Set();
  namesToChoose(known, [{names: ["tengen", ""]}], "en");
  assert.deepEqual(namesToChoose(known, [{names: ["Anna", "tengen"]}], "en"), ["Anna", "tengen"]);
});
