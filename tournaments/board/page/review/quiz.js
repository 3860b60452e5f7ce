// Quizzes: positions with mistakes from the player's own games, asked again until the answer is right.

import {cellName, isSame} from "../board.js";
import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {onSingleClick} from "../shared/clicks.js";
import {Grid} from "../board/grid.js";
import {asRule, formatLink} from "../board/notation.js";
import {hasLetters} from "../shared/keys.js";
import {preference, QUIZZES_ASKED, setPreference} from "../shared/preferences.js";
import {makeAction} from "./descriptions.js";
import {
  beginJudging, candidatesOf, choose, chosen, countQuizzes, describeJudged, endJudging, isAnswered, isDue, makeTraining,
  neighbour, nextDue, noneWords, secondsToNext, takeJudgement, takeQuizzes, taskOf,
} from "./quizzes.js";
import {announce, announceIn, complain} from "../shared/status.js";
import {colourName, formatDate, formatTime, say, sayLabelled} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/exchange.js").Position} Position
 * @typedef {import("./descriptions.js").Proof} Proof
 * @typedef {import("../net/messages.js").QuizLine} Quiz
 */

// Seconds since 1970.
const clock = () => Date.now() / 1000;

// A browser's timer cannot wait for more than 24 days.
const LONGEST_WAIT = 3600;

export class QuizView {
  /**
   * @param {(position: Position, cells: Cell[], proof: Proof) => void} walk shows a proof in the study
   * @param {(game: string) => void} open leads to a game
   */
  constructor(walk, open) {
    this.walk = walk;
    this.openGame = open;
    this.training = makeTraining();
    this.words = "";  // the sentence about the current quiz
    this.isOpen = false;
    this.sure = 0;  // the number of the quiz that a second click deletes
    /** @type {number | undefined} */
    this.timer = undefined;
    this.grid = new Grid(byId("quiz-board"), {
      play: cell => this.answer(cell),
      command: (key, button) => this.command(key, button),
    });
    byId("quiz-only").addEventListener("change", () => {
      setPreference(QUIZZES_ASKED, this.only);
      this.ask();
    });
  }

  open() {
    this.isOpen = true;
    const only = byId("quiz-only", HTMLSelectElement);
    only.value = preference(QUIZZES_ASKED, "");
    this.ask();
  }

  get only() {
    return /** @type {"" | "mistakes" | "lines"} */ (byId("quiz-only", HTMLSelectElement).value);
  }

  // Asks for the list of quizzes.
  ask() {
    server.ask({type: "quizzes", only: this.only}).then(answer => this.take(answer), complain);
  }

  close() {
    this.isOpen = false;
    this.sure = 0;
    clearTimeout(this.timer);
  }

  /** @param {import("../net/messages.js").Quizzes} answer */
  take(answer) {
    takeQuizzes(this.training, answer, clock());
    if (chosen(this.training)) this.show();
    else this.choose(answer.quizzes.find(quiz => isDue(this.training, quiz, clock())));
  }

  /** @param {Quiz | undefined} quiz undefined for none */
  choose(quiz) {
    choose(this.training, quiz);
    this.words = "";
    this.show();
    announceIn(this, quiz ? taskOf(quiz) : noneWords(this.training));
  }

  /** @param {number} by */
  step(by) {
    const next = neighbour(this.training, by);
    if (next) this.choose(next);
    else announce(say("quiz_no_more"));
  }

  /**
   * Answers the current quiz.
   * @param {Cell | null} cell null gives it up
   */
  answer(cell) {
    const quiz = chosen(this.training);
    if (!quiz) return;
    if (isAnswered(this.training)) return announce(say("quiz_answered"));
    if (cell && quiz.moves.some(each => isSame(each, cell))) return announce(say("taken", {cell: cellName(cell, quiz.height)}));
    if (!beginJudging(this.training)) return;
    this.tell(say("looking"));
    server.ask({type: "quiz_answer", quiz: quiz.quiz, cell}).then(judged => {
      endJudging(this.training, quiz.quiz);
      if (!takeJudgement(this.training, judged)) return;
      this.tell(describeJudged(judged, quiz));
    }, error => {
      if (!endJudging(this.training, quiz.quiz)) return;  // the answer to another quiz may have ended this judging
      this.tell("");
      complain(error);
    });
  }

  /** @param {string} words */
  tell(words) {
    this.words = words;
    this.show();
    if (words) announceIn(this, words);
  }

  show() {
    if (!this.isOpen) return;
    const {quizzes} = this.training, quiz = chosen(this.training);
    byId("quiz-board").hidden = !quiz;
    setText(byId("quiz-task"), quiz ? taskOf(quiz) : noneWords(this.training));
    setText(byId("quiz-words"), this.words);
    byId("quiz-words").hidden = !this.words;
    byId("quiz-card").hidden = !quiz;
    if (quiz) this.drawBoard(quiz);
    byId("quiz-buttons").replaceChildren(...quiz ? this.makeButtons(quiz) : []);
    setText(byId("quiz-count"), say("quiz_count", {...countQuizzes(this.training, clock())}));
    byId("quiz-list").replaceChildren(...quizzes.map(each => this.makeItem(each)));
    this.waitForNext();
  }

  // Shows the list again when another quiz has become due, and asks it if none is shown.
  waitForNext() {
    clearTimeout(this.timer);
    const seconds = secondsToNext(this.training, clock());
    if (seconds === null) return;
    this.timer = window.setTimeout(() => {
      const due = chosen(this.training) ? undefined : nextDue(this.training, clock());
      if (due) this.choose(due);
      else this.show();
    }, 1000 * Math.min(seconds, LONGEST_WAIT) + 100);
  }

  /** @param {Quiz} quiz */
  drawBoard(quiz) {
    const {width, height, moves, to_move: next} = quiz, {judged} = this.training;
    const cells = [...moves, ...judged?.right && judged.cell ? [judged.cell] : []];
    this.grid.show({
      width, height, stones: cells.map((cell, index) => ({cell, colour: index % 2, number: index + 1})), hasNumbers: false,
      next: isAnswered(this.training) ? null : next, candidates: candidatesOf(this.training, quiz),
    });
  }

  /** @param {Quiz} quiz */
  makeButtons({width, height, rule, moves, kind, game}) {
    const {judged} = this.training, position = {width, height, rule: asRule(rule), moves}, isDone = isAnswered(this.training), buttons = [];
    if (!isDone) buttons.push(makeAction("show_answer", () => this.answer(null)));
    const proof = isDone ? judged?.solution : judged?.proof, from = isDone ? judged?.played : judged?.cell;
    // A win is walked from its first move, a loss from the mistake on.
    if (proof && isDone && kind === "win") buttons.push(makeAction("walk_win", () => this.walk(position, [], proof)));
    else if (proof && from) buttons.push(makeAction("walk_refutation", () => this.walk(position, [from], proof)));
    if (kind === "line") buttons.push(make("a", {href: `/${formatLink(position, moves, moves.length)}`}, say("line_study")));
    if (game) buttons.push(makeAction("quiz_game", () => this.openGame(game)));
    const next = makeAction("quiz_next", () => this.choose(nextDue(this.training, clock())), isDone ? "main" : "");
    return [next, ...buttons];
  }

  /** @param {Quiz} quiz */
  makeItem(quiz) {
    const state = quiz.due === null ? say("quiz_is_solved") : isDue(this.training, quiz, clock()) ? say("quiz_is_due")
      : say("quiz_is_later", {time: formatTime(quiz.due)});
    const title = say("quiz_title", {colour: colourName(quiz.to_move), number: quiz.moves.length + 1, kind: say(`quiz_kind_${quiz.kind}`)});
    const isShown = quiz.quiz === this.training.number;
    const button = make("button", isShown ? {type: "button", "aria-current": "true"} : {type: "button"}, title,
      make("span", {class: "soft"}, `${state} · ${formatDate(quiz.created)}`));
    button.addEventListener("click", () => this.choose(quiz));
    return make("li", {}, button, this.makeForget(quiz.quiz, title));
  }

  /**
   * The button that deletes a quiz at the second click.
   * @param {number} number
   * @param {string} title
   */
  makeForget(number, title) {
    const isSure = this.sure === number, name = say(isSure ? "delete_sure" : "quiz_forget");
    const forget = make("button", {type: "button", "aria-label": sayLabelled(name, title), title: name, ...isSure ? {class: "danger"} : {}},
      isSure ? name : "×");
    return onSingleClick(forget, () => {
      this.sure = isSure ? 0 : number;
      if (isSure) {
        server.ask({type: "quiz_forget", quiz: number, only: this.only}).then(taken => {
          this.take(taken);
          announce(say("quiz_forgotten"));
        }, complain);
        return;
      }
      this.show();
      const danger = byId("quiz-list").querySelector(".danger");
      if (danger instanceof HTMLElement) danger.focus();
    });
  }

  // Called after a change of the language.
  retell() {
    const {judged} = this.training, quiz = chosen(this.training);
    this.words = judged && quiz ? describeJudged(judged, quiz) : "";
    this.show();
  }

  /**
   * A key of the board itself.
   * @param {string} key
   * @param {HTMLElement} button
   */
  command(key, button) {
    const quiz = chosen(this.training), last = quiz?.moves.at(-1);
    if (!quiz || !hasLetters() || !["l", "o"].includes(key)) return false;
    if (key === "o") announce(button.getAttribute("aria-label") ?? "");
    else announce(!last ? say("no_move") : say(`cell_${quiz.to_move ? "black" : "white"}_last`,
      {cell: cellName(last, quiz.height), number: quiz.moves.length}));
    return true;
  }

  /**
   * A key of the page's table; false if this view does not use it.
   * @param {string} action
   */
  onAction(action) {
    /** @type {Record<string, () => void>} */
    const actions = {
      next_mistake: () => this.step(1), previous_mistake: () => this.step(-1), turn: () => this.grid.turn(false),
      mirror: () => this.grid.turn(true),
    };
    if (!Object.hasOwn(actions, action)) return false;
    actions[action]();
    return true;
  }
}
