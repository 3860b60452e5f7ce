// A study: a start position and a tree of variations, with comments, marks and results of an analysis.

import {cellOfKey, isSame} from "../board.js";
import {asRule} from "../board/notation.js";

const MOST_REMOVED = 200;

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/exchange.js").Study} StudyContent
 * @typedef {import("../net/exchange.js").Writing} Writing
 *
 * @typedef {Move | Root} Node of the tree
 * @typedef {Facts & {cell: null, parent: null}} Root the position at the beginning of the study
 * @typedef {Facts & {cell: Cell, parent: Node}} Move
 *
 * @typedef {object} Facts
 * @property {Move[]} children the first one is the main continuation
 * @property {string} comment
 * @property {Map<string, string>} labels keys of cells, "x,y", to texts
 * @property {import("../net/exchange.js").Analysis | null} analysis the last message about the position after this move
 * @property {Cell[]} barred the cells that it left out
 * @property {import("../board.js").Row[] | null} rows the rows that win in it, see rules.js
 * @property {import("../net/messages.js").Fouls | null} fouls in it, see rules.js
 * @property {number | null} share Black's chances after it by a review, used if there is no analysis
 */

/** @returns {Facts} */
const blank = () => ({children: [], comment: "", labels: new Map(), analysis: null, barred: [], rows: null, fouls: null, share: null});

/**
 * @param {Node} node
 * @param {Writing} said
 */
function write(node, {comment = "", labels = []}) {
  node.comment = comment;
  node.labels = new Map(labels.map(([cell, text]) => [String(cell), text]));
}

export class Tree {
  /**
   * `start` are stones that are there from the beginning, Black's first.
   * @param {{width: number, height: number, rule: number, start?: Cell[], title?: string}} board
   */
  constructor({width, height, rule, start = [], title = ""}) {
    this.width = width;
    this.height = height;
    this.rule = asRule(rule);
    this.start = start;
    this.title = title;
    /** @type {Root} */
    this.root = {...blank(), cell: null, parent: null};
    /** @type {Node} */
    this.current = this.root;
    /** @type {import("./history.js").History} */
    this.history = {past: [], future: [], seen: null, key: ""};
    /** @type {Move[]} the last removed nodes, so that an undo can restore their analyses */
    this.removed = [];
    /** @type {Tree | null} the study that was shown before the stones of this one were set up, which an undo brings back */
    this.before = null;
    /** @type {Tree | null} the study that an undo left for this one */
    this.after = null;
    /** @type {import("../library/kept.js").Kept | null} */
    this.kept = null;
    /** the first state of the study as JSON, if that state need not be kept */
    this.source = "";
    /** @type {{game: string, cells: Cell[], setUp: number} | null} the game, if the study came from a game of this board, with
     * how many of its stones an opening placed */
    this.played = null;
  }

  /**
   * A study from the server: with a tree, or with the moves of a game alone.
   * @param {StudyContent} content
   */
  static fromJson(content) {
    const tree = new Tree(content);
    tree.restore({...content, tree: content.tree ?? []});
    if (!content.tree) {
      tree.add(content.moves ?? []);
      tree.last();
    }
    return tree;
  }

  /**
   * The study for the server; each node after its parent, and variations in their order.
   * @returns {import("../net/messages.js").StudyContent}
   */
  toJson() {
    /** @type {(node: Node) => Writing} */
    const read = ({comment, labels}) => ({...comment && {comment},
      ...labels.size && {labels: [...labels].map(([key, text]) => [cellOfKey(key), text])}});
    const nodes = [], waiting = this.root.children.map(node => ({node, parent: -1})).reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const {node, parent} = next, index = nodes.length;
      nodes.push({cell: node.cell, parent, ...read(node)});
      waiting.push(...node.children.map(child => ({node: child, parent: index})).reverse());
    }
    const {width, height, rule, title, start} = this;
    return {width, height, rule, title, start, ...read(this.root), tree: nodes};
  }

  /**
   * Puts the study into a state that toJson() returned. Existing nodes stay, with the results of analysis and coach.
   * @param {StudyContent} content
   */
  restore({tree: nodes = [], title = "", comment, labels}) {
    /** @type {Map<Node, Move[]>} */
    const before = new Map();
    /** @type {Move[]} */
    const made = [];
    /** @type {(node: Node, said: Writing) => void} */
    const take = (node, said) => {
      before.set(node, node.children);
      node.children = [];
      write(node, said);
    };
    this.title = title;
    this.current = this.root;
    take(this.root, {comment, labels});
    for (const said of nodes) {
      const parent = made[said.parent] ?? this.root;
      const known = [...before.get(parent) ?? [], ...this.removed].find(each => each.parent === parent && isSame(each.cell, said.cell));
      const node = known ?? {...blank(), cell: said.cell, parent};
      take(node, said);
      parent.children.push(node);
      made.push(node);
    }
    const gone = [...before].flatMap(([node, children]) => children.filter(child => !node.children.includes(child)));
    this.removed = [...this.removed.filter(node => !node.parent.children.includes(node)), ...gone].slice(-MOST_REMOVED);
  }

  /**
   * Goes along these cells, as far as the study has moves at them.
   * @param {Cell[]} cells
   */
  follow(cells) {
    this.current = this.root;
    for (const cell of cells) {
      const next = childAt(this.current, cell);
      if (!next) break;
      this.current = next;
    }
  }

  /**
   * The nodes from the root to `node`, without the root.
   * @param {Node} node
   */
  path(node = this.current) {
    /** @type {Move[]} */
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /**
   * The moves from the start position to `node`.
   * @param {Node} node
   */
  moves(node = this.current) {
    return this.path(node).map(each => each.cell);
  }

  /**
   * All stones on the board after `node`, in their order.
   * @param {Node} node
   */
  cells(node = this.current) {
    return [...this.start, ...this.moves(node)];
  }

  /**
   * The colour of the next stone after `node`.
   * @param {Node} node
   */
  toMove(node = this.current) {
    return this.cells(node).length % 2;
  }

  /**
   * @param {Cell} cell
   * @param {Node} node
   */
  isTaken(cell, node = this.current) {
    return this.cells(node).some(each => isSame(each, cell));
  }

  /**
   * Goes to the move at `cell`; adds it as a variation if the study lacks it. False if a stone lies there.
   * @param {Cell} cell
   */
  play(cell) {
    if (this.isTaken(cell)) return false;
    const here = this.current;
    let next = childAt(here, cell);
    if (!next) {
      next = {...blank(), cell, parent: here};
      here.children.push(next);
    }
    this.current = next;
    return true;
  }

  /**
   * Adds a line of play after the current position, and stays there.
   * @param {Cell[]} cells
   */
  add(cells) {
    const here = this.current;
    for (const cell of cells) if (!this.play(cell)) break;
    this.current = here;
  }

  back() {
    this.current = this.current.parent ?? this.current;
  }

  forward() {
    this.current = this.current.children[0] ?? this.current;
  }

  first() {
    this.current = this.root;
  }

  last() {
    while (this.current.children.length) this.forward();
  }

  /**
   * Goes to the next (1) or previous (-1) variation at this fork. False if there is none.
   * @param {number} by
   */
  turn(by) {
    const {current} = this;
    if (!current.parent) return false;
    const {children} = current.parent, next = children[children.indexOf(current) + by];
    if (!next) return false;
    this.current = next;
    return true;
  }

  /**
   * Goes to the next (1) or previous (-1) position with more than one continuation.
   * @param {number} by
   */
  toFork(by) {
    do {
      if (by < 0) this.back();
      else this.forward();
    } while (this.current.children.length <= 1 && (by < 0 ? this.current.parent : this.current.children.length));
  }

  /**
   * Makes the variation that `node` belongs to the main one, at every fork that leads to it.
   * @param {Node} node
   */
  promote(node = this.current) {
    for (const each of this.path(node)) {
      const siblings = each.parent.children;
      siblings.splice(siblings.indexOf(each), 1);
      siblings.unshift(each);
    }
  }

  /**
   * Deletes `node` with all that follows it.
   * @param {Node} node
   */
  remove(node = this.current) {
    if (!node.parent) return;
    const isWithin = this.path().includes(node);
    this.removed = [...this.removed, node].slice(-MOST_REMOVED);
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    if (isWithin) this.current = node.parent;
  }

  // The line through the current position to its end.
  line() {
    const nodes = this.path();
    for (let at = this.current; at.children.length; at = at.children[0]) nodes.push(at.children[0]);
    return nodes;
  }

  /**
   * The position after `node` for the server.
   * @param {Node} node
   * @returns {import("../net/exchange.js").Position}
   */
  position(node = this.current) {
    return {width: this.width, height: this.height, rule: this.rule, moves: this.cells(node)};
  }

  // True if the study has more than one line of moves: a variation, a comment or a mark.
  hasMore() {
    /** @type {(node: Node) => boolean} */
    const walk = node => node.children.length > 1 || node.comment !== "" || node.labels.size > 0 || node.children.some(walk);
    return walk(this.root);
  }
}

/**
 * The move at `cell` after `node`, undefined if the study lacks it.
 * @param {Node} node
 * @param {Cell} cell
 */
export const childAt = (node, cell) => node.children.find(each => isSame(each.cell, cell));
