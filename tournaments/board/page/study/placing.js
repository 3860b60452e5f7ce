// Clicks on the board of a study: a move, a mark, or a stone of a position that is being set up.

import {byId} from "../dom.js";
import {askFouls} from "./fouls.js";
import {describeEnd, findEnd, needsFouls, whyNot} from "./rules.js";
import {BARRED, mark, nameOf, setUp} from "./state.js";
import {announce} from "../shared/status.js";
import {childAt} from "./tree.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./state.js").Study} Study
 *
 * @typedef {object} Placed what the page does after a click
 * @property {(cell: Cell) => boolean} ask gives the cell to the coach, who may have asked for it; then it is not a move
 * @property {() => void} moved the current position is another one
 * @property {() => void} marked the marks are other ones
 * @property {(tree: import("./tree.js").Tree) => void} replace shows another study
 */

/**
 * A click on the board, by the tool that is chosen.
 * @param {Study} study
 * @param {Cell} cell
 * @param {Placed} page
 */
export function click(study, cell, page) {
  const tool = byId("tool", HTMLSelectElement).value;
  if (["black", "white", "erase"].includes(tool)) return placeFree(study, cell, tool, page);
  if (tool === "play") {
    if (study.free) announce(say("set_up_first"));
    else if (!page.ask(cell)) playStone(study, cell, page);
    return;
  }
  if (tool === BARRED && study.tree.isTaken(cell)) return announce(say("taken", {cell: nameOf(study, cell)}));
  mark(study, cell, tool);
  page.marked();
}

/**
 * Plays a stone, if the rule allows it; if the study already has the move, goes to it.
 * @param {Study} study
 * @param {Cell} cell
 * @param {Placed} page
 * @param {boolean} isAsked true once the server was asked about fouls
 */
function playStone(study, cell, page, isAsked = false) {
  const {tree} = study, node = tree.current;
  if (tree.isTaken(cell)) return announce(say("taken", {cell: nameOf(study, cell)}));
  if (!childAt(node, cell)) {
    if (!isAsked && needsFouls(tree, node)) {
      const go = () => { if (study.tree === tree && tree.current === node) playStone(study, cell, page, true); };
      askFouls(tree, node).then(go, go);  // without a connection the fouls stay unknown
      return;
    }
    const reason = whyNot(tree, node, cell);
    if (reason) return announce(reason);
  }
  tree.play(cell);
  page.moved();
  const end = findEnd(tree, tree.current);
  if (end) announce(describeEnd(tree, end));
}

/**
 * @param {Study} study
 * @param {Cell} cell
 * @param {string} tool
 * @param {Placed} page
 */
function placeFree(study, cell, tool, page) {
  const {root, title} = study.tree, made = setUp(study, cell, tool);
  if (made) {
    page.replace(made);
    if (root.children.length || root.comment || title) announce(say("set_up_new"));
    return;
  }
  page.moved();
  const [black, white] = study.free ?? [[], []];
  announce(say("set_up_count", {black: black.length, white: white.length}));
}
