// The moves of a study as a table: two a row, Black's on the left, and variations below their move. Only a move at which
// something happened has a word, a shape and a colour.

import {byId, make} from "../dom.js";
import {blackShare, formatShare} from "./evaluation.js";
import {labelOf, markOf} from "../review/moves.js";
import {nameOf} from "./state.js";
import {makeIcon} from "../shared/icons.js";
import {bringIntoView} from "../shared/tabs.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("./state.js").Study} Study
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").Move} Move
 * @typedef {import("./drawing.js").Actions} Actions
 * @typedef {import("../review/review.js").Coach} Coach
 */

/**
 * Draws the moves of a study.
 * @param {Study} study
 * @param {Coach} coach
 * @param {Actions} actions
 */
export function showTree(study, coach, actions) {
  const holder = byId("tree"), hadFocus = holder.contains(document.activeElement);
  const writer = new Writer(study, coach, actions);
  holder.replaceChildren(...writer.writeRows());
  if (!holder.childNodes.length) holder.append(make("p", {class: "soft"}, say("no_move")));
  const chosen = holder.querySelector("[aria-current]");
  if (!(chosen instanceof HTMLElement)) return;
  if (hadFocus) chosen.focus();
  bringIntoView(chosen);
}

class Writer {
  /**
   * @param {Study} study
   * @param {Coach} coach
   * @param {Actions} actions
   */
  constructor(study, coach, actions) {
    this.study = study;
    this.coach = coach;
    this.actions = actions;
  }

  // The main line in cells of the table, with the other moves of each fork in a box after it.
  writeRows() {
    const {tree} = this.study;
    /** @type {(Element | string)[]} */
    const written = [];
    let count = tree.start.length;
    for (let at = /** @type {Node} */ (tree.root); at.children.length; at = at.children[0]) {
      count += 1;
      const [main, ...others] = at.children, kind = this.kindOf(main);
      written.push(make("div", {class: `cell ${count % 2 ? "black" : "white"} ${kind}`}, ...this.writeMove(main, count),
        ...this.describe(main, kind), ...this.comment(main)), " ");
      written.push(...others.map(other => this.writeVariation(other, count)));
    }
    return written;
  }

  /**
   * @param {Move} first
   * @param {number} count
   * @returns {Element}
   */
  writeVariation(first, count) {
    return make("div", {class: "variation"}, ...this.writeInLine(first, count), ...this.writeFrom(first, count));
  }

  /**
   * The moves after `node`: the main continuation in a line, and the others in boxes.
   * @param {Node} node
   * @param {number} count
   */
  writeFrom(node, count) {
    /** @type {(Element | string)[]} */
    const written = [];
    for (let at = node; at.children.length; at = at.children[0]) {
      count += 1;
      const [main, ...others] = at.children;
      written.push(...this.writeInLine(main, count), ...others.map(other => this.writeVariation(other, count)));
    }
    return written;
  }

  /**
   * @param {Move} node
   * @param {number} count
   */
  writeInLine(node, count) {
    return [...this.writeMove(node, count), " ", ...this.describe(node, this.kindOf(node)), ...this.comment(node), " "];
  }

  /**
   * @param {Move} node
   * @param {number} count
   */
  writeMove(node, count) {
    const {study, actions} = this, isShown = node === study.tree.current, kind = this.kindOf(node);
    const button = make("button", isShown ? {type: "button", "aria-current": "true"} : {type: "button"}, nameOf(study, node.cell));
    if (kind) button.append(makeIcon(kind));
    button.addEventListener("click", () => actions.go(node));
    // A number stays with its move at the end of a line.
    return [make("span", {class: "move"}, make("span", {class: "number"}, `${count}.`), " ", button)];
  }

  /** @param {Move} node */
  kindOf(node) {
    return markOf(this.coach.moves.get(node)) || (this.actions.isMistake(node) ? "mistake" : "");
  }

  /**
   * What happened at a move, or else Black's chances after it.
   * @param {Move} node
   * @param {string} kind
   */
  describe(node, kind) {
    const words = labelOf(this.coach.moves.get(node)) || (kind ? say(`label_${kind}`) : "");
    if (words) return [" ", make("span", {class: `verdict ${kind}`}, words)];
    const share = blackShare(this.study.tree, node);
    if (share === null) return [];
    return [" ", make("span", {class: "share", title: say("black_share", {share: formatShare(share)})}, formatShare(share))];
  }

  /** @param {Move} node */
  comment(node) {
    return node.comment ? [" ", make("span", {class: "said-of"}, node.comment)] : [];
  }
}
