// Cells and positions as text, and links to positions.

import assert from "node:assert/strict";
import {test} from "node:test";
import {formatCells, formatLink, formatOtherLinks, parseCell, parseLink} from "../../tournaments/board/page/board/notation.js";
import {cellName, cellOfKey, fivesThrough, isSame} from "../../tournaments/report/board.js";

test("cells are read as people write them", () => {
  assert.deepEqual(parseCell("h8", 15, 15), [7, 7]);
  assert.deepEqual(parseCell(" A 15 ", 15, 15), [0, 0]);
  assert.deepEqual(parseCell("v1", 22, 22), [21, 21]);
  for (const text of ["", "h", "8", "h16", "h0", "p8", "h8i9", "ä1"]) assert.equal(parseCell(text, 15, 15), null, text);
});

test("cells are written as they are read", () => {
  for (const cell of [[0, 0], [14, 0], [7, 11], [0, 11]]) assert.deepEqual(parseCell(cellName(cell, 12), 15, 12), cell);
  assert.equal(formatCells([[7, 7], [8, 6]], 15), "h8i9");
  assert.deepEqual(cellOfKey(String([3, 12])), [3, 12]);
  assert.equal(isSame([1, 2], [1, 2]), true);
  assert.equal(isSame([1, 2], [2, 1]), false);
});

test("a link leads to the position that it was made of", () => {
  const board = {width: 15, height: 12, rule: 8}, cells = [[7, 7], [8, 6], [0, 0]];
  const link = formatLink(board, cells, 2);
  assert.equal(link, "#15x12/caro/h5i6a12.2");
  assert.deepEqual(parseLink(link),
    {...board, cells, ply: 2, nodes: null, lines: null, signature: null, study: null});
  assert.equal(formatLink({width: 15, height: 15, rule: 4}, cells, 3), "#15/renju/h8i9a15");
});

test("a link has the limits of an analysis, and the id of a study", () => {
  const found = parseLink("#15/freestyle/h8;n=200000;l=5;v=2a83c444;s=abcdefgh");
  assert.equal(found?.nodes, 200000);
  assert.equal(found.lines, 5);
  assert.equal(found.signature, "2a83c444");
  assert.equal(found.study, "abcdefgh");
});

test("a link of gomocalc is a freestyle board of 15, and capital letters do no harm", () => {
  const found = parseLink("#/H8i9");
  assert.deepEqual([found?.width, found?.height, found?.rule, found?.ply], [15, 15, 0, 2]);
});

test("what is no link is none", () => {
  const texts = ["", "#study", "#15/chess/h8", "#4/freestyle/a1", "#23/freestyle/a1", "#15/freestyle/h8h8", "#15/freestyle/p1",
    "#15/freestyle/h8;x", "#%", "#15/freestyle/h8 and more"];
  for (const text of texts) assert.equal(parseLink(text), null, text);
});

test("other boards know squares of 15 only", () => {
  assert.deepEqual(formatOtherLinks({width: 15, height: 15}, [[7, 7], [14, 0]]), [
    ["gomocalc", "https://gomocalc.com/#/h8o15"], ["renjuportal", "https://www.renjuportal.com/board?mvs=77e0"]]);
  assert.deepEqual(formatOtherLinks({width: 20, height: 20}, []), []);
});

test("rows of five and more are found in every direction, and through the given stone alone", () => {
  const board = {width: 15, height: 15};
  const row = (x, y, dx, dy, length) => Array.from({length}, (_, at) => ({cell: [x + at * dx, y + at * dy], colour: 0}));
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const stones = row(5, 9, dx, dy, 6), {cell} = stones[3];
    assert.deepEqual(fivesThrough(board, stones, cell), [[stones[0].cell, stones[5].cell]]);
    assert.deepEqual(fivesThrough(board, stones.slice(0, 4), cell), []);
  }
  const cut = row(5, 9, 1, 0, 5);
  cut[1].colour = 1;
  assert.deepEqual(fivesThrough(board, cut, cut[3].cell), []);
});
