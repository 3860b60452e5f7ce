// Proofs that are walked in a study: the attacker plays its moves, and every defence may be tried by a click.

import {cellName, cellOfKey, isSame} from "../board.js";
import {MOST_NAMED, readProof} from "./descriptions.js";
import {colourName, say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../study/tree.js").Tree} Tree
 * @typedef {import("../study/tree.js").Node} Node
 * @typedef {import("./descriptions.js").Step} Step
 */

export class Walk {
  constructor() {
    /** @type {Map<Node, {steps: Step[], at: number}>} nodes where a defence can be clicked, with their steps */
    this.places = new Map();
    /** @type {Set<Node>} nodes where a proof has ended */
    this.ends = new Set();
    /** @type {Set<Node>} nodes where a proof has begun */
    this.roots = new Set();
  }

  clear() {
    this.places.clear();
    this.ends.clear();
    this.roots.clear();
  }

  /**
   * The step of a proof whose move led to a node; undefined if the player cannot click a defence there.
   * @param {Node} node
   */
  stepAt(node) {
    const place = this.places.get(node);
    return place?.steps[place.at];
  }

  /**
   * The node at which the proof that has `node` in it began; null if it is not part of a proof.
   * @param {Node} node
   */
  rootOf(node) {
    if (!this.stepAt(node) && !this.ends.has(node)) return null;
    for (let at = /** @type {Node | null} */ (node); at; at = at.parent) if (this.roots.has(at)) return at;
    return null;
  }

  /**
   * Begins a proof at the position after `node`, and returns the sentence about it.
   * @param {Tree} tree
   * @param {Node} node
   * @param {import("./descriptions.js").Proof} proof
   */
  begin(tree, node, proof) {
    const steps = readProof(proof);
    tree.current = node;
    this.roots.add(node);
    if (steps[0].move !== null) return this.attack(tree, steps, 0, null);
    // The proof of a loss has no move at its root: it begins with a defence.
    this.places.set(node, {steps, at: 0});
    return say("click_defence");
  }

  /**
   * Plays the attacker's move of a step, and returns the sentence about it; `defence` is the cell that it answers.
   * @param {Tree} tree
   * @param {Step[]} steps
   * @param {number} at
   * @param {Cell | null} defence
   */
  attack(tree, steps, at, defence) {
    const {move, replies, otherwise} = steps[at], attacker = tree.toMove();
    if (!move) return say("click_defence");
    const values = {colour: colourName(attacker), cell: cellName(move, tree.height)};
    const before = !defence ? ""
      : `${say("proof_defence", {colour: colourName(1 - attacker), cell: cellName(defence, tree.height)})} `;
    tree.play(move);
    if (!replies.size && otherwise === null) {
      this.ends.add(tree.current);
      return before + say("proof_ends", values);
    }
    this.places.set(tree.current, {steps, at});
    return `${before}${say("proof_attack", values)} ${say("click_defence")}`;
  }

  /**
   * A click on the board at the current position: returns the sentence about it, "" if it is not part of a proof.
   * @param {Tree} tree
   * @param {Cell} cell
   */
  click(tree, cell) {
    const node = tree.current, place = this.places.get(node), step = this.stepAt(node);
    if (this.ends.has(node)) return say("proof_end");
    if (!place || !step || tree.isTaken(cell)) return "";
    if (step.fouls.some(each => isSame(each, cell))) return say("defence_fouls", {cells: cellName(cell, tree.height)});
    const next = step.replies.get(String(cell)) ?? step.otherwise;
    if (next === null) return "";
    tree.play(cell);
    return this.attack(tree, place.steps, next, cell);
  }

  /**
   * The defences that the proof answers one by one.
   * @param {Node} node
   */
  defences(node) {
    return [...this.stepAt(node)?.replies.keys() ?? []].map(cellOfKey);
  }

  /**
   * The sentence about a node: the defences, or the end of the proof; "" if the node is not part of a proof.
   * @param {Node} node
   * @param {number} height
   */
  describe(node, height) {
    const step = this.stepAt(node);
    if (!step) return this.ends.has(node) ? say("proof_end") : "";
    /** @param {Cell[]} cells */
    const names = cells => cells.map(cell => cellName(cell, height)).join(", ");
    const defences = this.defences(node), isShort = defences.length > 0 && defences.length <= MOST_NAMED;
    const words = isShort ? say("defences", {cells: names(defences)}) : say("click_defence");
    return step.fouls.length ? `${words} ${say("defence_fouls", {cells: names(step.fouls)})}` : words;
  }
}
