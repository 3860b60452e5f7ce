// The coach: what a review says of each move, proofs that are walked by clicks, and positions to try again.

import {cellName} from "../board.js";
import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {formatShare} from "../study/evaluation.js";
import {announce} from "../shared/status.js";
import {describeAnswers, describeAttempt, makeAction, MOST_NAMED, readStep} from "./descriptions.js";
import {say} from "../shared/i18n.js";

const LABELS = ["best", "good", "inaccuracy", "mistake", "blunder", "missed_win", "losing_move"];
const MARKS = {inaccuracy: "?!", mistake: "?", blunder: "??"};
const PROVED = ["missed_win", "losing_move"];  // labels that a proof gives, however little the move lost
const MISTAKES = ["mistake", "blunder", ...PROVED];

const colourName = colour => say(colour ? "white" : "black");
const isSame = (one, other) => String(one) === String(other);

export class Coach {
  // `study` has tree(), go(node), which shows a position, line(), the nodes of the game, stop(), which ends an analysis,
  // and isSetUp(), false while stones are set up that make no position.
  constructor(study) {
    this.study = study;
    this.isBusy = false;
    this.forget();
    byId("review").addEventListener("click", () => this.isBusy ? server.send({type: "stop"}) : this.ask());
    byId("prove").addEventListener("click", () => this.prove());
    server.on("reviewing", ({done, of}) => this.isBusy && this.sayFacts(() => say("reviewing", {done, of})));
  }

  forget() {
    this.moves = new Map();  // nodes to what the review says of them
    this.proofs = new Map(); // nodes where a defence is to be clicked to {steps, at}
    this.ends = new Set();   // nodes where a proof has ended
    this.tries = new Map();  // nodes to {move, isShown}: the mistakes that are tried again there
    this.tried = null;       // what the last try has found: {node, words(), buttons()}
    this.reviewed = null;    // the server's answer
    this.fact = () => "";    // what is said of the review as a whole
    byId("mistakes").replaceChildren();
    byId("review-counts").replaceChildren();
    setText(byId("review-facts"), "");
  }

  // After the language was chosen.
  retell() {
    setText(byId("review"), say(this.isBusy ? "stop" : "review"));
    if (this.reviewed) this.list();
    this.sayFacts(this.fact);
  }

  sayFacts(fact) {
    this.fact = fact;
    setText(byId("review-facts"), fact());
    this.show();
  }

  ask() {
    if (!this.study.isSetUp()) return announce(say("set_up_first"));
    const tree = this.study.tree(), line = this.study.line(), {width, height, rule, played} = tree;
    const moves = tree.cells(line.at(-1) ?? tree.root);
    const isPlayed = played && isSame(moves, played.cells);  // here, and its mistakes are kept
    this.forget();
    this.study.stop();
    this.isBusy = true;
    byId("coach").open = true;
    setText(byId("review"), say("stop"));
    this.sayFacts(() => say("reviewing", {done: 0, of: moves.length}));
    announce(say("review_begins"));
    const asked = this.asked = server.ask({type: "review", ...isPlayed ? {game: played.game} : {position: {width, height, rule, moves}}});
    const end = use => value => {
      if (this.asked !== asked) return;  // a review that is begun while another one runs ends that one
      this.isBusy = false;
      setText(byId("review"), say("review"));
      use(value);
      this.show();
    };
    asked.then(end(answer => this.study.tree() === tree && this.take(answer, tree, line)), end(error => {
      this.sayFacts(() => error.message || say("no_connection"));
      announce(this.fact());
    }));
    return undefined;
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
    }, error => announce(error.message || say("no_connection")));
    return undefined;
  }

  take(answer, tree, line) {
    const {review} = answer, nodes = [tree.root, ...line];
    this.reviewed = answer;
    for (const move of review.moves) {
      const index = move.ply + 1 - tree.start.length, node = nodes[index];
      if (!node) continue;
      this.moves.set(node, move);
      const black = share => share === null || !move.colour ? share : 1 - share;
      node.share = black(move.after);
      nodes[index - 1].share ??= black(move.before);
    }
    this.list();
    announce(this.fact());
    this.study.go(tree.current);
  }

  // Writes what the review has found.
  list() {
    const {review, quizzes, kept} = this.reviewed, plies = new Set(quizzes?.map(quiz => quiz.moves.length));
    const wrong = [...this.moves].filter(([node]) => this.isMistake(node));
    this.fact = () => [say(review.proves ? "review_proves" : "review_done", {count: wrong.length}),
      ...kept?.length ? [say("review_kept", {count: kept.length})] : []].join(" ");
    setText(byId("review-facts"), this.fact());
    byId("review-counts").replaceChildren(...[0, 1].map(colour => {
      const own = review.moves.filter(move => move.colour === colour);
      const counts = LABELS.map(label => [say(`label_${label}`), own.filter(move => move.label === label).length]);
      const told = counts.filter(([, count]) => count).map(([label, count]) => `${label} ${count}`);
      return make("li", {}, `${colourName(colour)}: ${told.join(" · ") || "–"}`);
    }));
    byId("mistakes").replaceChildren(...wrong.map(([node, move]) =>
      this.describe(node, move, plies.has(move.ply) && !kept?.includes(move.ply))));
  }

  isMistake(node) {
    const move = this.moves.get(node);
    return Boolean(move) && MISTAKES.includes(move.label);
  }

  // A move's label and what it lost, in a few letters; "" where nothing is known.
  label(node) {
    const move = this.moves.get(node);
    if (!move) return "";
    if (PROVED.includes(move.label)) return `?? ${say(`label_${move.label}`)}`;
    return move.label in MARKS ? `${MARKS[move.label]} −${formatShare(move.loss)}` : say(`label_${move.label}`);
  }

  // The same as a sentence; "" where nothing is known.
  words(node) {
    const move = this.moves.get(node), {height} = this.study.tree();
    if (!move) return "";
    const values = {number: move.ply + 1, colour: colourName(move.colour), cell: cellName(move.cell, height),
      label: say(`label_${move.label}`), loss: formatShare(move.loss)};
    const words = [say(move.loss < .01 || PROVED.includes(move.label) ? "review_move_only" : "review_move", values)];
    if (move.missed === "probably") words.push(say("missed_probably"));
    if (move.lost && move.label !== "losing_move") words.push(say(`lost_${move.lost}`));
    return words.join(" ");
  }

  // What one may do about a move: the buttons.
  actions(node) {
    const move = this.moves.get(node), buttons = [];
    if (move?.win) buttons.push(makeAction("walk_win", () => this.walk(node.parent, move.win)));
    if (move?.refutation) buttons.push(makeAction("walk_refutation", () => this.walk(node, move.refutation)));
    if (move?.accepted.length) buttons.push(makeAction("try_again", () => this.tryAgain(node.parent, move)));
    return buttons;
  }

  // A mistake in the list. `mayKeep`: it can become a quiz.
  describe(node, move, mayKeep) {
    const keep = makeAction("keep", () => server.ask({type: "quiz_keep", ply: move.ply}).then(() => {
      keep.remove();
      this.reviewed?.kept?.push(move.ply);
      announce(say("quiz_kept"));
    }, error => announce(error.message || say("no_connection"))));
    const buttons = [makeAction("show_move", () => this.study.go(node)), ...this.actions(node), ...mayKeep ? [keep] : []];
    return make("li", {}, make("p", {}, this.words(node)), make("div", {class: "buttons"}, ...buttons));
  }

  // What stands beside the board: of a try, of a proof that is walked, else of the move that is shown.
  show() {
    const tree = this.study.tree(), node = tree.current, trying = this.tries.get(node), proof = this.proofs.get(node);
    let words = this.words(node), buttons = this.actions(node);
    if (this.tried?.node === node) {
      [words, buttons] = [this.tried.words(), this.tried.buttons()];
    } else if (proof) {
      const {replies, fouls} = proof.steps[proof.at];
      const names = this.defences().slice(0, MOST_NAMED).map(cell => cellName(cell, tree.height));
      words = names.length && replies.size <= MOST_NAMED ? say("defences", {cells: names.join(", ")}) : say("click_defence");
      if (fouls.length) words += ` ${say("defence_fouls", {cells: fouls.map(cell => cellName(cell, tree.height)).join(", ")})}`;
      buttons = [];
    } else if (this.ends.has(node)) {
      [words, buttons] = [say("proof_end"), []];
    }
    if (trying) {
      if (this.tried?.node !== node) [words, buttons] = [this.task(trying.move), []];
      if (!trying.isShown) buttons = [...buttons, makeAction("show_answer", () => this.showAnswer(node))];
      buttons = [...buttons, makeAction("stop_trying", () => this.endTry(node))];
    } else if (this.isBusy || this.moves.size && !words) {
      words = byId("review-facts").textContent;
    }
    // Fingers have no key for it.
    const wrong = trying || proof ? [] : this.study.line().filter(each => this.isMistake(each));
    if (wrong.some(each => each !== node)) buttons = [...buttons, makeAction("next_mistake", () => this.goOn(wrong))];
    byId("verdict").hidden = !words;
    byId("verdict").replaceChildren(make("p", {}, words), make("div", {class: "buttons"}, ...buttons));
  }

  // To the next of these mistakes, and from the last one to the first.
  goOn(wrong) {
    const line = this.study.line(), here = line.indexOf(this.study.tree().current);
    const next = wrong.find(node => line.indexOf(node) > here) ?? wrong[0];
    this.study.go(next);
    announce(this.words(next));
  }

  // Begins a proof at the position after `node`.
  walk(node, proof) {
    const tree = this.study.tree(), steps = proof.map(readStep);
    tree.current = node;
    this.tries.delete(node);
    this.tried = null;
    // The proof of a loss has no move at its root: it begins with a defence.
    if (steps[0].move === null) {
      this.proofs.set(node, {steps, at: 0});
      announce(say("click_defence"));
    } else {
      this.attack(steps, 0);
    }
    this.study.go(tree.current);
  }

  // Plays the attacker's move of a step, and says what comes next; `defence` is the cell that it answers.
  attack(steps, at, defence) {
    const tree = this.study.tree(), {move, replies, otherwise} = steps[at], attacker = tree.toMove();
    const name = each => cellName(each, tree.height), values = {colour: colourName(attacker), cell: name(move)};
    const before = defence ? `${say("proof_defence", {colour: colourName(1 - attacker), cell: name(defence)})} ` : "";
    tree.play(move);
    if (!replies.size && otherwise === null) {
      this.ends.add(tree.current);
      announce(before + say("proof_ends", values));
    } else {
      this.proofs.set(tree.current, {steps, at});
      announce(`${before}${say("proof_attack", values)} ${say("click_defence")}`);
    }
  }

  // A click on the board at the position that is shown. True where the coach deals with it.
  click(cell) {
    const tree = this.study.tree(), node = tree.current, proof = this.proofs.get(node), trying = this.tries.get(node);
    if (trying && !tree.isTaken(cell)) {
      this.attempt(node, trying.move, cell);
      return true;
    }
    if (this.ends.has(node)) {
      announce(say("proof_end"));
      return true;
    }
    if (!proof || tree.isTaken(cell)) return false;
    const {steps, at} = proof, {replies, otherwise, fouls} = steps[at], next = replies.get(String(cell)) ?? otherwise;
    if (fouls.some(each => isSame(each, cell))) {
      announce(say("defence_fouls", {cells: cellName(cell, tree.height)}));
      return true;
    }
    if (next === null) return false;
    tree.play(cell);
    this.attack(steps, next, cell);
    this.study.go(tree.current);
    return true;
  }

  // The defences that the proof answers one by one.
  defences() {
    const proof = this.proofs.get(this.study.tree().current);
    return proof ? [...proof.steps[proof.at].replies.keys()].map(key => key.split(",").map(Number)) : [];
  }

  // What the board is to show of it.
  candidates() {
    const node = this.study.tree().current, proof = this.proofs.get(node), trying = this.tries.get(node);
    const fouls = proof ? proof.steps[proof.at].fouls : [], answers = trying?.isShown ? trying.move.accepted : [];
    return [...this.defences().map(cell => ({cell, kind: "other", text: "?"})),
      ...fouls.map(cell => ({cell, kind: "lost", text: "×"})), ...answers.map(cell => ({cell, kind: "best", text: "!"}))];
  }

  // Trying again

  task(move) {
    return say(move.missed === "proved" ? "find_win" : move.lost === "proved" ? "find_hold" : "find_best",
      {colour: colourName(move.colour)});
  }

  tryAgain(node, move) {
    this.tried = null;
    this.tries.set(node, {move, isShown: false});
    this.study.go(node);
    announce(this.task(move));
  }

  showAnswer(node) {
    const tree = this.study.tree(), {move} = this.tries.get(node);
    this.tries.set(node, {move, isShown: true});
    const isHold = move.missed !== "proved" && move.lost === "proved";
    this.tell(node, () => describeAnswers(move.accepted, isHold, tree.height));
  }

  endTry(node) {
    this.tries.delete(node);
    this.tried = null;
    this.study.go(node);
  }

  attempt(node, move, cell) {
    const tree = this.study.tree(), {height} = tree;
    if (move.accepted.some(each => isSame(each, cell))) {
      this.succeed(node, cell, () => say(move.missed === "proved" ? "tried_wins" : move.lost === "proved" ? "tried_holds" : "tried_good",
        {cell: cellName(cell, height)}), move.win && isSame(move.win[0].slice(0, 2), cell) ? move.win : null);
      return;
    }
    this.study.stop();
    this.tell(node, () => say("looking"));
    server.ask({type: "attempt", position: tree.position(node), cell}).then(found => {
      if (this.study.tree() !== tree || tree.current !== node) return;
      const words = () => describeAttempt(found, height);
      if (found.right) return this.succeed(node, cell, words, found.proof);
      const walks = () => found.proof ? [makeAction("walk_refutation", () => {
        tree.current = node;
        tree.play(cell);
        this.walk(tree.current, found.proof);
      })] : [];
      this.tell(node, () => `${words()} ${say("try_another")}`, walks);
    }, error => {
      const told = () => error.message || say("no_connection");
      if (this.study.tree() === tree && tree.current === node) this.tell(node, told);
      else announce(told());
    });
  }

  // The try was right: the move is played. `proof` is of its win, from before the move or from after it.
  succeed(node, cell, words, proof) {
    const tree = this.study.tree();
    this.tries.delete(node);
    tree.play(cell);
    const start = proof?.[0][0] === null ? tree.current : node;
    this.tell(tree.current, words, () => proof ? [makeAction("walk_win", () => this.walk(start, proof))] : []);
  }

  // `words` and `buttons` are functions: they are asked again when another language is chosen.
  tell(node, words, buttons = () => []) {
    this.tried = {node, words, buttons};
    announce(words());
    this.study.go(node);
  }
}
