// The coach: what a review says of each move, proofs that are walked by clicks, and positions to try again.

import {cellName} from "./board.js";
import {server} from "./connection.js";
import {byId, make, setText} from "./dom.js";
import {formatShare} from "./evaluation.js";
import {announce} from "./status.js";
import {say} from "./words.js";

const colourName = colour => say(colour ? "white" : "black");

// A step of a proof, [x, y, [[x, y, step], …], otherwise, fouls], by names.
const readStep = ([x, y, replies, otherwise]) => ({
  move: x === null ? null : [x, y], otherwise, replies: new Map(replies.map(([column, row, step]) => [`${column},${row}`, step])),
});

export class Coach {
  // `study` has tree(), go(node), which shows a position, and line(), the nodes of the game.
  constructor(study) {
    this.study = study;
    this.forget();
    byId("review").addEventListener("click", () => this.ask());
    byId("prove").addEventListener("click", () => this.prove());
    server.on("reviewing", ({done, of}) => setText(byId("review-facts"), say("reviewing", {done, of})));
  }

  forget() {
    this.moves = new Map();  // nodes to what the review says of them
    this.proofs = new Map(); // nodes where a defence is to be clicked to {steps, at}
    this.tries = new Map();  // nodes to cells that are right answers there
    byId("mistakes").replaceChildren();
    setText(byId("review-facts"), "");
  }

  ask() {
    const tree = this.study.tree(), line = this.study.line();
    const {width, height, rule} = tree;
    this.forget();
    setText(byId("review-facts"), say("reviewing", {done: 0, of: line.length}));
    server.ask({type: "review", position: {width, height, rule, moves: tree.cells(line.at(-1) ?? tree.root)}}).then(
      answer => this.study.tree() === tree && this.take(answer.review, tree, line),
      error => setText(byId("review-facts"), error.message || say("no_connection")));
  }

  // Asks for a forced win of the side to move, and begins to walk it.
  prove() {
    const tree = this.study.tree(), node = tree.current;
    announce(say("looking"));
    server.ask({type: "prove", position: tree.position()}).then(({proof}) => {
      if (this.study.tree() !== tree || tree.current !== node) return;
      if (proof) this.walk(node, proof);
      else announce(say("no_proof"));
    }, error => announce(error.message || say("no_connection")));
  }

  take(review, tree, line) {
    const nodes = [tree.root, ...line];
    for (const move of review.moves) {
      const node = nodes[move.ply + 1 - tree.start.length];
      if (node) this.moves.set(node, move);
    }
    const wrong = [...this.moves].filter(([node]) => this.isMistake(node));
    setText(byId("review-facts"), say(review.proves ? "review_proves" : "review_done", {count: wrong.length}));
    announce(byId("review-facts").textContent);
    byId("mistakes").replaceChildren(...wrong.map(([node, move]) => this.describe(node, move)));
    this.study.go(tree.current);
  }

  isMistake(node) {
    const move = this.moves.get(node);
    return Boolean(move) && (["mistake", "blunder"].includes(move.label) || [move.missed, move.lost].includes("proved"));
  }

  // A mistake in the list: what was lost, and what one may do about it.
  describe(node, move) {
    const tree = this.study.tree(), name = cell => cellName(cell, tree.height), colour = colourName(move.colour);
    const values = {number: move.ply + 1, colour, cell: name(move.cell), loss: formatShare(move.loss)};
    const words = [say(move.loss < .01 ? "review_move_only" : "review_move", values)];
    if (move.missed) words.push(say(`missed_${move.missed}`));
    if (move.lost) words.push(say(`lost_${move.lost}`));
    const button = (key, action, kind) => {
      const made = make("button", {type: "button", ...kind && {class: kind}}, say(key));
      made.addEventListener("click", action);
      return made;
    };
    const buttons = [button("show_move", () => this.study.go(node))];
    if (move.win) buttons.push(button("walk_win", () => this.walk(node.parent, move.win)));
    if (move.refutation) buttons.push(button("walk_refutation", () => this.walk(node, move.refutation)));
    if (move.accepted.length) buttons.push(button("try_again", () => this.tryAgain(node.parent, move)));
    return make("li", {}, make("p", {}, words.join(" ")), make("div", {class: "buttons"}, ...buttons));
  }

  // Begins a proof at the position after `node`.
  walk(node, proof) {
    const tree = this.study.tree(), steps = proof.map(readStep);
    tree.current = node;
    this.tries.delete(node);
    // The proof of a loss has no move at its root: it begins with a defence.
    if (steps[0].move === null) {
      this.proofs.set(node, {steps, at: 0});
      announce(say("click_defence"));
    } else {
      this.attack(steps, 0);
    }
    this.study.go(tree.current);
  }

  // Plays the attacker's move of a step, and says what comes next.
  attack(steps, at) {
    const tree = this.study.tree(), {move, replies, otherwise} = steps[at], colour = colourName(tree.toMove());
    tree.play(move);
    const cell = cellName(move, tree.height);
    if (!replies.size && otherwise === null) {
      announce(say("proof_ends", {colour, cell}));
    } else {
      this.proofs.set(tree.current, {steps, at});
      announce(`${say("played", {colour, cell})} ${say("click_defence")}`);
    }
  }

  // A click on the board at the position that is shown. True where the coach deals with it.
  click(cell) {
    const tree = this.study.tree(), node = tree.current, proof = this.proofs.get(node);
    const right = this.tries.get(node);
    if (right) {
      const isRight = right.some(each => String(each) === String(cell));
      announce(say(isRight ? "right" : "not_right", {cell: cellName(cell, tree.height)}));
      if (!isRight) return true;
      this.tries.delete(node);
      tree.play(cell);
      this.study.go(tree.current);
      return true;
    }
    if (!proof || tree.isTaken(cell)) return false;
    const {steps, at} = proof, next = steps[at].replies.get(String(cell)) ?? steps[at].otherwise;
    if (next === null) return false;
    tree.play(cell);
    this.attack(steps, next);
    this.study.go(tree.current);
    return true;
  }

  // The defences that the proof answers one by one, for the board.
  defences() {
    const proof = this.proofs.get(this.study.tree().current);
    return proof ? [...proof.steps[proof.at].replies.keys()].map(key => key.split(",").map(Number)) : [];
  }

  tryAgain(node, move) {
    this.tries.set(node, move.accepted);
    this.study.go(node);
    announce(say(move.missed === "proved" ? "find_win" : move.lost === "proved" ? "find_hold" : "find_best",
      {colour: colourName(move.colour)}));
  }
}
