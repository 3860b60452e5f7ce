// The coach: the judgement of each move, proofs that are walked by clicks, and positions to try again.

import {cellName, isSame} from "../board.js";
import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {announce, complain, reasonOf} from "../shared/status.js";
import {describeAnswers, describeAttempt, makeAction, readProof} from "./descriptions.js";
import {countLabels, countMistakes, describeMove, describeRight, describeTask, isHold, isMistake} from "./moves.js";
import {Walk} from "./walk.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../study/tree.js").Tree} Tree
 * @typedef {import("../study/tree.js").Node} Node
 * @typedef {import("../study/tree.js").Move} Move
 * @typedef {import("../net/messages.js").ReviewAnswer} ReviewAnswer
 * @typedef {import("../net/messages.js").ReviewedMove} ReviewedMove
 * @typedef {import("./descriptions.js").Proof} Proof
 * @typedef {import("./descriptions.js").Shown} Shown
 */

export class Coach {
  /** @param {Shown} study */
  constructor(study) {
    this.study = study;
    this.isBusy = false;
    this.asked = 0;  // the number of reviews that were requested
    /** @type {Map<Node, ReviewedMove>} nodes with the review's judgements */
    this.moves = new Map();
    this.proofs = new Walk();
    /** @type {Map<Node, {move: ReviewedMove, isShown: boolean}>} nodes with the mistakes that are tried again there */
    this.tries = new Map();
    /** @type {{node: Node, words: () => string, buttons: () => Element[]} | null} the result of the last try */
    this.tried = null;
    /** @type {ReviewAnswer | null} the server's answer */
    this.reviewed = null;
    /** @type {() => string} the sentence about the whole review */
    this.fact = () => "";
    byId("review").addEventListener("click", () => {
      if (this.isBusy) server.send({type: "stop"});
      else this.ask();
    });
    byId("prove").addEventListener("click", () => this.prove());
    server.on("reviewing", ({done, of}) => { if (this.isBusy) this.sayFacts(() => say("reviewing", {done, of})); });
  }

  forget() {
    for (const known of [this.moves, this.proofs, this.tries]) known.clear();
    this.tried = null;
    this.reviewed = null;
    this.fact = () => "";
    byId("mistakes").replaceChildren();
    byId("review-counts").replaceChildren();
    setText(byId("review-facts"), "");
  }

  // Called after a change of the language.
  retell() {
    setText(byId("review"), say(this.isBusy ? "stop" : "review"));
    if (this.reviewed) this.list();
    this.sayFacts(this.fact);
  }

  /** @param {() => string} fact */
  sayFacts(fact) {
    this.fact = fact;
    setText(byId("review-facts"), fact());
    this.show();
  }

  ask() {
    if (!this.study.isSetUp()) return announce(say("set_up_first"));
    const tree = this.study.tree(), line = this.study.line(), {width, height, rule, played} = tree;
    const moves = tree.cells(line.at(-1) ?? tree.root);
    // The mistakes of a game that was played here are kept.
    const what = played && isSame(moves, played.cells) ? {game: played.game} : {position: {width, height, rule, moves}};
    this.forget();
    this.study.stop();
    this.isBusy = true;
    byId("coach", HTMLDetailsElement).open = true;
    setText(byId("review"), say("stop"));
    this.sayFacts(() => say("reviewing", {done: 0, of: moves.length}));
    announce(say("review_begins"));
    const number = ++this.asked;
    /** @type {<T>(use: (value: T) => void) => (value: T) => void} */
    const end = use => value => {
      if (this.asked !== number) return;  // a new review ends the one that runs
      this.isBusy = false;
      setText(byId("review"), say("review"));
      use(value);
      this.show();
    };
    server.ask({type: "review", ...what}).then(end(answer => {
      if (this.study.tree() === tree) this.take(answer, tree, line);
    }), end(error => {
      this.sayFacts(() => reasonOf(error));
      announce(this.fact());
    }));
  }

  // Asks for a forced win of the side to move, and begins to walk it.
  prove() {
    if (!this.study.isSetUp()) return announce(say("set_up_first"));
    const tree = this.study.tree(), node = tree.current;
    this.study.stop();
    announce(say("looking"));
    server.ask({type: "prove", position: tree.position()}).then(({proof}) => {
      if (this.study.tree() !== tree || tree.current !== node) return;
      if (proof) this.walk(node, proof);
      else announce(say("no_proof"));
    }, complain);
  }

  /**
   * @param {ReviewAnswer} answer
   * @param {Tree} tree
   * @param {Move[]} line
   */
  take(answer, tree, line) {
    const {review} = answer;
    /** @type {Node[]} */
    const nodes = [tree.root, ...line];
    this.reviewed = answer;
    for (const move of review.moves) {
      const index = move.ply + 1 - tree.start.length, node = nodes[index];
      if (!node) continue;
      this.moves.set(node, move);
      /** @param {number | null} share */
      const black = share => share === null || !move.colour ? share : 1 - share;
      node.share = black(move.after);
      nodes[index - 1].share ??= black(move.before);
    }
    this.list();
    announce(this.fact());
    this.study.go(tree.current);
  }

  // Writes the results of the review.
  list() {
    if (!this.reviewed) return;
    const {review, quizzes, kept} = this.reviewed, plies = new Set(quizzes.map(quiz => quiz.moves.length));
    const wrong = [...this.moves].filter(([, move]) => isMistake(move));
    this.fact = () => [say(review.proves ? "review_proves" : "review_done", countMistakes(review.moves)),
      ...kept.length ? [say("review_kept", {count: kept.length})] : []].join(" ");
    setText(byId("review-facts"), this.fact());
    byId("review-counts").replaceChildren(...[0, 1].map(colour => make("li", {}, countLabels(review.moves, colour))));
    byId("mistakes").replaceChildren(...wrong.map(([node, move]) =>
      this.describe(node, move, plies.has(move.ply) && !kept.includes(move.ply))));
  }

  /** @param {Node} node */
  isMistake(node) {
    return isMistake(this.moves.get(node));
  }

  /** @param {Node} node */
  words(node) {
    return describeMove(this.moves.get(node), this.study.tree().height);
  }

  /**
   * The buttons for a move.
   * @param {Node} node
   */
  actions(node) {
    const move = this.moves.get(node), {parent} = node, buttons = [];
    if (!move || !parent) return [];
    const {win, refutation} = move;
    if (win) buttons.push(makeAction("walk_win", () => this.walk(parent, win)));
    if (refutation) buttons.push(makeAction("walk_refutation", () => this.walk(node, refutation)));
    if (move.accepted.length) buttons.push(makeAction("try_again", () => this.tryAgain(parent, move)));
    return buttons;
  }

  /**
   * A mistake in the list.
   * @param {Node} node
   * @param {ReviewedMove} move
   * @param {boolean} mayKeep true if the mistake can become a quiz
   */
  describe(node, move, mayKeep) {
    const keep = makeAction("keep", () => server.ask({type: "quiz_keep", ply: move.ply}).then(() => {
      keep.remove();
      this.reviewed?.kept.push(move.ply);
      announce(say("quiz_kept"));
    }, complain));
    const buttons = [makeAction("show_move", () => this.study.go(node)), ...this.actions(node), ...mayKeep ? [keep] : []];
    return make("li", {}, make("p", {}, this.words(node)), make("div", {class: "buttons"}, ...buttons));
  }

  // The words beside the board: about a try, about a proof that is walked, or else about the current move.
  show() {
    const tree = this.study.tree(), node = tree.current, trying = this.tries.get(node);
    const proved = this.proofs.describe(node, tree.height);
    let words = proved || this.words(node);
    /** @type {Element[]} */
    let buttons = proved ? [] : this.actions(node);
    if (this.tried?.node === node) [words, buttons] = [this.tried.words(), this.tried.buttons()];
    if (trying) {
      if (this.tried?.node !== node) [words, buttons] = [describeTask(trying.move), []];
      if (!trying.isShown) buttons = [...buttons, makeAction("show_answer", () => this.showAnswer(node))];
      buttons = [...buttons, makeAction("stop_trying", () => this.endTry(node))];
    } else if (this.isBusy || this.moves.size && !words) {
      words = byId("review-facts").textContent ?? "";
    }
    // A touch screen has no key for it.
    const wrong = trying || this.proofs.stepAt(node) ? [] : this.study.line().filter(each => this.isMistake(each));
    if (wrong.some(each => each !== node)) buttons = [...buttons, makeAction("next_mistake", () => this.goOn(wrong))];
    byId("verdict").hidden = !words;
    byId("verdict").replaceChildren(make("p", {}, words), make("div", {class: "buttons"}, ...buttons));
  }

  /**
   * Goes to the next of these mistakes, and from the last one to the first.
   * @param {Move[]} wrong
   */
  goOn(wrong) {
    const line = this.study.line(), {current} = this.study.tree(), here = line.findIndex(node => node === current);
    const next = wrong.find(node => line.indexOf(node) > here) ?? wrong[0];
    this.study.go(next);
    announce(this.words(next));
  }

  /**
   * Begins a proof at the position after `node`.
   * @param {Node} node
   * @param {Proof} proof
   */
  walk(node, proof) {
    const tree = this.study.tree();
    this.tries.delete(node);
    this.tried = null;
    announce(this.proofs.begin(tree, node, proof));
    this.study.go(tree.current);
  }

  /**
   * A click on the board at the current position. True if the coach handles it.
   * @param {Cell} cell
   */
  click(cell) {
    const tree = this.study.tree(), node = tree.current, trying = this.tries.get(node);
    if (trying && !tree.isTaken(cell)) {
      this.attempt(node, trying.move, cell);
      return true;
    }
    const words = this.proofs.click(tree, cell);
    if (!words) return false;
    announce(words);
    if (tree.current !== node) this.study.go(tree.current);
    return true;
  }

  /**
   * The coach's words on free cells of the board.
   * @returns {import("../board/cells.js").Candidate[]}
   */
  candidates() {
    const node = this.study.tree().current, trying = this.tries.get(node), fouls = this.proofs.stepAt(node)?.fouls ?? [];
    const answers = trying?.isShown ? trying.move.accepted : [];
    return [...this.proofs.defences(node).map(cell => ({cell, kind: "other", text: "?"})),
      ...fouls.map(cell => ({cell, kind: "lost", text: "×"})), ...answers.map(cell => ({cell, kind: "best", text: "!"}))];
  }

  /**
   * @param {Node} node
   * @param {ReviewedMove} move
   */
  tryAgain(node, move) {
    this.tried = null;
    this.tries.set(node, {move, isShown: false});
    this.study.go(node);
    announce(describeTask(move));
  }

  /** @param {Node} node */
  showAnswer(node) {
    const {height} = this.study.tree(), trying = this.tries.get(node);
    if (!trying) return;
    trying.isShown = true;
    this.tell(node, () => describeAnswers(trying.move.accepted, isHold(trying.move), height));
  }

  /** @param {Node} node */
  endTry(node) {
    this.tries.delete(node);
    this.tried = null;
    this.study.go(node);
  }

  /**
   * @param {Node} node
   * @param {ReviewedMove} move
   * @param {Cell} cell
   */
  attempt(node, move, cell) {
    const tree = this.study.tree(), {height} = tree;
    if (move.accepted.some(each => isSame(each, cell))) {
      const isWalked = move.win && isSame(readProof(move.win)[0].move, cell);
      this.succeed(node, cell, () => describeRight(move, cellName(cell, height)), isWalked ? move.win : null);
      return;
    }
    this.study.stop();
    this.tell(node, () => say("looking"));
    server.ask({type: "attempt", position: tree.position(node), cell}).then(found => {
      if (this.study.tree() !== tree || tree.current !== node) return;
      const words = () => describeAttempt(found, height);
      const {right, proof} = found;
      if (right) return this.succeed(node, cell, words, proof);
      const walks = () => proof ? [makeAction("walk_refutation", () => {
        tree.current = node;
        tree.play(cell);
        this.walk(tree.current, proof);
      })] : [];
      this.tell(node, () => `${words()} ${say("try_another")}`, walks);
    }, error => {
      const told = () => reasonOf(error);
      if (this.study.tree() === tree && tree.current === node) this.tell(node, told);
      else announce(told());
    });
  }

  /**
   * The try was right: the move is played.
   * @param {Node} node
   * @param {Cell} cell
   * @param {() => string} words
   * @param {Proof | null} proof of its win, which begins before the move or after it
   */
  succeed(node, cell, words, proof) {
    const tree = this.study.tree();
    this.tries.delete(node);
    tree.play(cell);
    const start = proof && readProof(proof)[0].move === null ? tree.current : node;
    this.tell(tree.current, words, () => proof ? [makeAction("walk_win", () => this.walk(start, proof))] : []);
  }

  /**
   * Says the result. `words` and `buttons` are called again after a change of the language.
   * @param {Node} node
   * @param {() => string} words
   * @param {() => Element[]} buttons
   */
  tell(node, words, buttons = () => []) {
    this.tried = {node, words, buttons};
    announce(words());
    this.study.go(node);
  }
}
