// The coach beside the board: asks the server for reviews, proofs and judgements, and draws them. See coaching.js.

import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {
  actionsAt, adviceAt, beginReview, beginTry, beginWalk, candidatesAt, endReview, endTry, firstMistake, forget, isWanted,
  judgeByReview, makeCoaching, setResult, showAnswer, subjectOf, succeed, takeQuiz, takeReview,
} from "./coaching.js";
import {announce, clearStatus, complain, isSeenElsewhere, reasonOf} from "../shared/status.js";
import {describeAttempt, makeAction} from "./descriptions.js";
import {dotsAt, hasDots, prepareDots, setDots, slipAt} from "./dots.js";
import {describeMove, describeTask, markOf} from "./moves.js";
import {drawCard, ghostsOf, walkOf} from "./card.js";
import {drawProof} from "./proof.js";
import {drawReport, prepareReport, wantedColour} from "./report.js";
import {showTabOf} from "../shared/tabs.js";
import {say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../study/tree.js").Node} Node
 * @typedef {import("../net/messages.js").ReviewedMove} ReviewedMove
 * @typedef {import("./coaching.js").Action} Action
 * @typedef {import("./descriptions.js").Proof} Proof
 * @typedef {import("./descriptions.js").Shown} Shown
 */

export class Coach {
  /** @param {Shown} study */
  constructor(study) {
    this.study = study;
    this.coaching = makeCoaching();
    byId("review").addEventListener("click", () => {
      if (this.coaching.isBusy) server.send({type: "stop"});
      else this.ask();
    });
    byId("prove").addEventListener("click", () => this.prove());
    prepareDots(() => this.study.shown());
    prepareReport(() => {
      this.list();
      this.study.shown();
    });
    server.on("open", ({wasLost}) => {  // with the connection the server forgets which mistakes may become quizzes
      const line = [...this.moves.keys()];
      if (!wasLost || !line.length || !study.isOwner()) return;
      server.ask({type: "kept_review", ...subjectOf(study.tree(), line)}).catch(() => null);
    });
    server.on("reviewing", ({done, of}) => { if (this.coaching.isBusy) this.sayFacts(() => say("reviewing", {done, of})); });
  }

  // The nodes with the review's judgements.
  get moves() {
    return this.coaching.moves;
  }

  forget() {
    if (forget(this.coaching)) server.send({type: "stop"});
    setText(byId("review"), say("review"));
    this.list();
    setText(byId("review-facts"), "");
  }

  // Called after a change of the language.
  retell() {
    setText(byId("review"), say(this.coaching.isBusy ? "stop" : "review"));
    this.list();
    this.sayFacts(this.coaching.fact);
  }

  /** @param {() => string} fact */
  sayFacts(fact) {
    this.coaching.fact = fact;
    setText(byId("review-facts"), fact());
    this.show();
  }

  // Takes the review of this line that the library has. False if there is none.
  async recall() {
    const {coaching, study} = this, tree = study.tree(), line = study.line();
    if (!study.isOwner() || !study.isSetUp() || !line.length || coaching.isBusy || coaching.reviewed) return false;
    const answer = await server.ask({type: "kept_review", ...subjectOf(tree, line)}).catch(() => null);
    if (answer?.type !== "review" || study.tree() !== tree || coaching.isBusy) return false;
    takeReview(coaching, answer, tree, line);
    this.list();
    study.shown();
    return true;
  }

  // Shows the results of a review that was made before, and says them.
  showReport() {
    if (!this.coaching.reviewed) return;
    showTabOf("review");
    this.begin();
  }

  // Begins to look at a review, with the first mistake.
  begin() {
    const {coaching, study} = this;
    announce(coaching.fact());
    study.go(firstMistake(coaching, coaching.wanted) ?? study.tree().current);
  }

  ask() {
    if (!this.study.isSetUp()) return announce(say("set_up_first"));
    const {coaching, study} = this, tree = study.tree(), line = study.line(), what = subjectOf(tree, line), from = tree.current;
    this.forget();
    study.stop();
    const number = beginReview(coaching);
    showTabOf("review");
    setText(byId("review"), say("stop"));
    this.sayFacts(() => say("reviewing", {done: 0, of: tree.cells(line.at(-1) ?? tree.root).length}));
    announce(say("review_begins"));
    /** @type {<T>(use: (value: T) => void) => (value: T) => void} */
    const end = use => value => {
      if (!endReview(coaching, number)) return;
      setText(byId("review"), say("review"));
      use(value);
      this.show();
    };
    server.ask({type: "review", ...what}).then(end(answer => {
      if (study.tree() !== tree) return;
      takeReview(coaching, answer, tree, line);
      this.list();
      if (tree.current === from) return this.begin();
      announce(coaching.fact());
      return study.go(tree.current);  // the player looks at another position meanwhile
    }), end(error => {
      this.sayFacts(() => reasonOf(error));
      announce(coaching.fact());
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

  // Writes the results of the review.
  list() {
    this.coaching.wanted = wantedColour(this.coaching);
    if (this.coaching.reviewed) setText(byId("review-facts"), this.coaching.fact());
    drawReport(this.coaching, mistake => this.describe(mistake), node => this.study.go(node));
  }

  /**
   * Whether a move is a mistake of the side whose mistakes are wanted.
   * @param {Node} node
   */
  isMistake(node) {
    return isWanted(this.coaching, node);
  }

  /** @param {Node} node */
  words(node) {
    return describeMove(this.moves.get(node), this.study.tree().height);
  }

  /**
   * A mistake in the list.
   * @param {import("./coaching.js").Mistake} mistake
   */
  describe({node, move, mayKeep}) {
    const keep = makeAction("keep", () => server.ask({type: "quiz_keep", ply: move.ply}).then(() => {
      keep.remove();
      takeQuiz(this.coaching, move.ply);
      announce(say("quiz_kept"));
    }, complain));
    const buttons = [makeAction("show_move", () => this.study.go(node)), ...this.buttons(actionsAt(this.coaching, node)),
      ...mayKeep ? [keep] : []];
    return make("li", {}, make("p", {}, this.words(node)), make("div", {class: "buttons"}, ...buttons));
  }

  /** @param {Action[]} actions */
  buttons(actions) {
    return actions.map(action => makeAction(action.label, () => this.act(action)));
  }

  /** @param {Action} action */
  act(action) {
    const {coaching, study} = this, {node} = action, tree = study.tree();
    if ("lead" in action) {
      clearStatus();  // the sentence about the proof
      return action.lead ? action.lead() : study.go(node);
    }
    switch (action.label) {
      case "walk_win":
      case "walk_refutation":
        tree.current = node;
        if (action.cell) tree.play(action.cell);
        this.walk(tree.current, action.proof);
        break;
      case "try_again":
        beginTry(coaching, node, action.move);
        study.go(node);
        announce(describeTask(action.move));
        break;
      case "show_answer": {
        const words = showAnswer(coaching, node, tree.height);
        if (words) this.tell(node, words);
        break;
      }
      case "stop_trying":
        endTry(coaching, node);
        study.go(node);
        break;
      case "next_mistake":
        announce(this.words(node));
        study.go(node);
    }
  }

  show() {
    const tree = this.study.tree(), {words, actions} = adviceAt(this.coaching, tree), walk = walkOf(actions);
    isSeenElsewhere(words);
    drawCard(tree, words, walk ? markOf(this.moves.get(tree.current)) : "", walk, this.buttons(actions), this.walkTo.bind(this));
    const levels = this.coaching.proofs.levels(tree, tree.current);
    drawProof(levels, tree, {show: ({node}) => this.study.go(node), choose: this.choose.bind(this)});
  }

  // The win that the last move has missed, as stones that are not played; none beside dots of loss, which need the room.
  missedWin() {
    const tree = this.study.tree();
    return hasDots() ? [] : ghostsOf(tree, walkOf(adviceAt(this.coaching, tree).actions));
  }

  /**
   * Walks a proof to a move of its main line.
   * @param {import("./coaching.js").WalkAction} action
   * @param {number} plies
   */
  walkTo(action, plies) {
    const tree = this.study.tree(), {proofs} = this.coaching, from = tree.cells(action.node).length;
    this.act(action);
    while (tree.cells().length < from + plies && proofs.resist(tree));
    if (tree.cells().length > from + plies) tree.back();
    this.study.go(tree.current);
  }

  /**
   * Plays a defence of the proof, and what answers it.
   * @param {import("./walk.js").Level} level
   * @param {import("./walk.js").Reply} reply
   */
  choose(level, reply) {
    const tree = this.study.tree(), {proofs} = this.coaching, cell = reply.cell ?? proofs.anyOther(tree, level);
    if (!cell) return;
    tree.current = level.node;
    announce(proofs.click(tree, cell));
    this.study.go(tree.current);
  }

  /**
   * Begins a proof at the position after `node`. `leave`: the way out of it, if it leads to another view.
   * @param {Node} node
   * @param {Proof} proof
   * @param {import("./coaching.js").Leave | null} leave
   */
  walk(node, proof, leave = null) {
    const tree = this.study.tree();
    announce(beginWalk(this.coaching, tree, node, proof, leave));
    showTabOf("proof");
    this.study.go(tree.current);
  }

  /**
   * A click on the board at the current position. True if the coach handles it.
   * @param {Cell} cell
   */
  click(cell) {
    const {tries, proofs} = this.coaching, tree = this.study.tree(), node = tree.current, trying = tries.get(node);
    if (trying && !tree.isTaken(cell)) {
      this.attempt(node, trying.move, cell);
      return true;
    }
    const words = proofs.click(tree, cell);
    if (!words) return false;
    announce(words);
    if (tree.current !== node) this.study.go(tree.current);
    return true;
  }

  dots() { return hasDots() ? dotsAt(this.moves, this.study.tree()) : []; }

  toggleDots() {
    if (!this.coaching.reviewed) return announce(say("review_first"));
    setDots(!hasDots());
    this.study.shown();
    return announce(say(hasDots() ? "dots_on" : "dots_off"));
  }

  slip() { return slipAt(this.moves, this.study.tree()); }

  candidates() { return candidatesAt(this.coaching, this.study.tree().current); }

  /**
   * @param {Node} node
   * @param {ReviewedMove} move
   * @param {Cell} cell
   */
  attempt(node, move, cell) {
    const tree = this.study.tree(), {height} = tree, right = judgeByReview(move, cell, height);
    if (right) return this.succeed(node, cell, right.words, right.proof);
    this.study.stop();
    this.tell(node, () => say("looking"));
    server.ask({type: "attempt", position: tree.position(node), cell}).then(found => {
      if (this.study.tree() !== tree || tree.current !== node) return;
      const words = () => describeAttempt(found, height), {proof} = found;
      if (found.right) return this.succeed(node, cell, words, proof);
      this.tell(node, () => saySentences(words(), say("try_another")), proof && {label: "walk_refutation", node, cell, proof});
    }, error => {
      const told = () => reasonOf(error);
      if (this.study.tree() === tree && tree.current === node) this.tell(node, told);
      else announce(told());
    });
  }

  /**
   * @param {Node} node
   * @param {Cell} cell
   * @param {() => string} words
   * @param {Proof | null} proof
   */
  succeed(node, cell, words, proof) {
    const tree = this.study.tree();
    succeed(this.coaching, tree, node, cell, words, proof);
    announce(words());
    this.study.go(tree.current);
  }

  /**
   * Says the result of a try.
   * @param {Node} node
   * @param {() => string} words
   * @param {import("./coaching.js").WalkAction | null} walk
   */
  tell(node, words, walk = null) {
    setResult(this.coaching, node, words, walk);
    announce(words());
    this.study.go(node);
  }
}
