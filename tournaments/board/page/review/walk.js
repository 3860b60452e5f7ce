// Proofs that are walked in a study: the attacker plays its moves, and every defence may be tried by a click.

import {cellName, cellOfKey, isSame} from "../board.js";
import {MOST_NAMED, readProof} from "./descriptions.js";
import {colourName, say, sayList, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../study/tree.js").Tree} Tree
 * @typedef {import("../study/tree.js").Node} Node
 * @typedef {import("./descriptions.js").Step} Step
 *
 * @typedef {object} Reply what a proof answers to a defence, or to all that it does not name
 * @property {Cell | null} cell of the defence, null for any other; of that one which is walked, its cell
 * @property {boolean} isOther
 * @property {Cell} answer the attacker's move
 * @property {number} plies from the answer to the end, at most
 * @property {boolean} isWalked true if the current position is behind it
 *
 * @typedef {object} Level a position of a proof in which a defence is to be chosen
 * @property {Node} node
 * @property {Cell | null} move the attacker's, which led to it; null where the proof begins with a defence
 * @property {number} number of that move
 * @property {Reply[]} replies
 * @property {Cell[]} fouls defences that the rule forbids
 */

/**
 * How many plies there are from a step's move to the end of the proof, at most.
 * @param {Step[]} steps
 * @param {number} at
 * @param {Map<number, number>} known the results so far
 * @returns {number}
 */
export function pliesFrom(steps, at, known = new Map()) {
  const found = known.get(at);
  if (found !== undefined) return found;
  const {move, replies, otherwise} = steps[at], next = [...replies.values(), ...otherwise === null ? [] : [otherwise]];
  const plies = (move ? 1 : 0) + (next.length ? 1 + Math.max(...next.map(step => pliesFrom(steps, step, known))) : 0);
  known.set(at, plies);
  return plies;
}

export class Walk {
  constructor() {
    /** @type {Map<Node, {steps: Step[], at: number}>} nodes where a defence can be clicked, with their steps */
    this.places = new Map();
    /** @type {Set<Node>} nodes where a proof has ended */
    this.ends = new Set();
    /** @type {Map<Node, Step[]>} nodes where a proof has begun, with its steps */
    this.roots = new Map();
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
    const isDefence = node.parent !== null && this.stepAt(node.parent) !== undefined;
    if (!this.stepAt(node) && !this.ends.has(node) && !isDefence) return null;
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
    this.roots.set(node, steps);
    if (steps[0].move !== null) return this.attack(tree, steps, 0, null);
    // The proof of a loss has no move at its root: it begins with a defence.
    this.places.set(node, {steps, at: 0});
    return say("choose_defence");
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
    if (!move) return say("choose_defence");
    const values = {colour: colourName(attacker), cell: cellName(move, tree.height)};
    const before = !defence ? "" : say("proof_defence", {colour: colourName(1 - attacker), cell: cellName(defence, tree.height)});
    tree.play(move);
    if (!replies.size && otherwise === null) {
      this.ends.add(tree.current);
      return saySentences(before, say("proof_ends", values));
    }
    this.places.set(tree.current, {steps, at});
    return saySentences(before, say("proof_attack", values), say("choose_defence"));
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
   * The positions of a proof from its beginning to `node`, each with every defence and what answers it. Nothing outside a
   * proof.
   * @param {Tree} tree
   * @param {Node} node
   * @returns {Level[]}
   */
  levels(tree, node) {
    const root = this.rootOf(node), path = root ? [root, ...tree.path(node).slice(tree.path(root).length)] : [];
    return path.flatMap((at, index) => {
      const place = this.places.get(at), step = this.stepAt(at), after = path[index + 1]?.cell ?? null;
      if (!place || !step) return [];
      const {steps} = place, key = String(after), known = new Map();
      /** @type {(cell: Cell | null, isOther: boolean, next: number) => Reply[]} */
      const makeReply = (cell, isOther, next) => {
        const answer = steps[next].move, isWalked = after !== null && (isOther ? !step.replies.has(key) : key === String(cell));
        return answer ? [{cell: isOther && isWalked ? after : cell, isOther, answer, plies: pliesFrom(steps, next, known), isWalked}] : [];
      };
      return [{node: at, move: step.move, number: tree.cells(at).length, fouls: step.fouls, replies: [
        ...[...step.replies].flatMap(([cell, next]) => makeReply(cellOfKey(cell), false, next)),
        ...step.otherwise === null ? [] : makeReply(null, true, step.otherwise),
      ]}];
    });
  }

  /**
   * A free cell for a defence that the proof does not name; null where there is none.
   * @param {Tree} tree
   * @param {Level} level
   * @returns {Cell | null}
   */
  anyOther(tree, {node, replies, fouls}) {
    const taken = new Set([...tree.cells(node), ...fouls, ...replies.flatMap(({cell, isOther}) => isOther || !cell ? [] : [cell])].map(String));
    for (let at = 0; at < tree.width * tree.height; at++) {
      const cell = /** @type {Cell} */ ([at % tree.width, Math.floor(at / tree.width)]);
      if (!taken.has(String(cell))) return cell;
    }
    return null;
  }

  /**
   * Chooses a defence of the proof by itself: one against which the win takes longest. Returns the sentence about it, ""
   * where there is nothing to choose.
   * @param {Tree} tree
   */
  resist(tree) {
    const level = this.levels(tree, tree.current).at(-1);
    if (!level || level.node !== tree.current) return "";
    const longest = level.replies.reduce((best, reply) => !best || reply.plies > best.plies ? reply : best, /** @type {Reply | null} */ (null));
    const cell = longest && (longest.isOther ? this.anyOther(tree, level) : longest.cell);
    return cell ? this.click(tree, cell) : "";
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
    const names = cells => sayList(cells.map(cell => cellName(cell, height)));
    const defences = this.defences(node), isShort = defences.length > 0 && defences.length <= MOST_NAMED;
    const words = isShort ? say("defences", {cells: names(defences)}) : say("choose_defence");
    return step.fouls.length ? saySentences(words, say("defence_fouls", {cells: names(step.fouls)})) : words;
  }
}
