// What a click on the board of a study does: a move, a mark, or a stone of a position that is set up.

import {isSame} from "../board.js";
import {byId} from "../dom.js";
import {show} from "./drawing.js";
import {askFouls, describeEnd, findEnd, needsFouls, whyNot} from "./rules.js";
import {announce} from "../shared/status.js";
import {childAt, Tree} from "./tree.js";
import {moved, nameOf, parts, replace, view} from "./view.js";
import {say} from "../shared/i18n.js";

/** @typedef {import("../board.js").Cell} Cell */

/**
 * A click on the board, by the tool that is chosen.
 * @param {Cell} cell
 */
export function click(cell) {
  const tool = byId("tool", HTMLSelectElement).value;
  if (["black", "white", "erase"].includes(tool)) return setUp(cell, tool);
  if (tool === "play") {
    if (view.free) announce(say("set_up_first"));
    else if (!parts.coach.click(cell)) playStone(cell);
    return;
  }
  const {labels} = view.tree.current, key = String(cell);
  if (labels.has(key)) labels.delete(key);
  else labels.set(key, tool === "letter" ? nextLetter(labels) : tool);
  show();
}

/**
 * Plays a stone, which the rule may not allow; a move that the study has already is gone to.
 * @param {Cell} cell
 * @param {boolean} isAsked true once the server was asked about fouls
 */
function playStone(cell, isAsked = false) {
  const {tree} = view, node = tree.current;
  if (tree.isTaken(cell)) return announce(say("taken", {cell: nameOf(cell)}));
  if (!childAt(node, cell)) {
    if (!isAsked && needsFouls(tree, node)) {
      const go = () => { if (view.tree === tree && tree.current === node) playStone(cell, true); };
      askFouls(tree, node).then(go, go);  // without a connection nobody knows the fouls
      return;
    }
    const reason = whyNot(tree, node, cell);
    if (reason) return announce(reason);
  }
  tree.play(cell);
  moved();
  const end = findEnd(tree, tree.current);
  if (end) announce(describeEnd(tree, end));
}

/** @param {Map<string, string>} labels */
function nextLetter(labels) {
  const used = new Set(labels.values());
  return Array.from({length: 26}, (_, index) => String.fromCharCode(65 + index)).find(letter => !used.has(letter)) ?? "A";
}

/**
 * Places or takes away a stone of any colour. They make a position when Black has as many stones as White or one more.
 * @param {Cell} cell
 * @param {string} tool
 */
function setUp(cell, tool) {
  const cells = view.tree.cells(), colour = tool === "white" ? 1 : 0;
  const before = view.free ?? [0, 1].map(own => cells.filter((_, index) => index % 2 === own));
  const wasThere = before[colour].some(each => isSame(each, cell));
  const stones = /** @type {[Cell[], Cell[]]} */ (before.map(own => own.filter(each => !isSame(each, cell))));
  if (tool !== "erase" && !wasThere) stones[colour].push(cell);
  const more = stones[0].length - stones[1].length;
  if (more === 0 || more === 1) {
    const {width, height, rule} = view.tree;
    replace(new Tree({width, height, rule, start: stones[0].flatMap((stone, index) =>
      index < stones[1].length ? [stone, stones[1][index]] : [stone])}));
  } else {
    view.free = stones;
    moved();
    announce(say("set_up_count", {black: stones[0].length, white: stones[1].length}));
  }
}
