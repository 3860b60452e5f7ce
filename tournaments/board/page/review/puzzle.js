// Puzzles: positions with one move that begins a forced win, one a day or as many as one likes.

import {cellName, isSame} from "../board.js";
import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {Grid} from "../board/grid.js";
import {asRule} from "../board/notation.js";
import {hasLetters} from "../shared/keys.js";
import {RULE_NUMBERS} from "../play/settings.js";
import {makeAction} from "./descriptions.js";
import {
  describePuzzle, describeVerdict, makeSolving, puzzleMarks, puzzleTask, shownPuzzle, takePuzzle, takeVerdict,
} from "./puzzles.js";
import {dayOf} from "../shared/day.js";
import {announce, announceIn, complain} from "../shared/status.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/exchange.js").Position} Position
 * @typedef {import("./descriptions.js").Proof} Proof
 * @typedef {import("./puzzles.js").Puzzle} Puzzle
 */

/**
 * @param {Puzzle} puzzle
 * @returns {Position}
 */
const positionOf = ({width, height, rule, moves}) => ({width, height, rule: asRule(rule), moves});

export class PuzzleView {
  /** @param {(position: Position, cells: Cell[], proof: Proof) => void} walk shows a proof in the study */
  constructor(walk) {
    this.walk = walk;
    this.solving = makeSolving();
    this.words = "";  // the sentence about the answer
    this.isOpen = false;
    this.grid = new Grid(byId("puzzle-board"), {
      play: cell => this.answer(cell),
      command: (key, button) => this.command(key, button),
    });
    byId("puzzle-rule", HTMLSelectElement).addEventListener("change", event => {
      this.solving.rule = asRule(Number(/** @type {HTMLSelectElement} */ (event.target).value));
      this.ask(true);
    });
  }

  /** @param {boolean} isOfDay whether it is to show the puzzle of the front page, instead of the one before */
  open(isOfDay) {
    this.isOpen = true;
    const {rule} = makeSolving(), isAnother = isOfDay && !(this.isOfToday() && shownPuzzle(this.solving)?.rule === rule);
    if (isOfDay) this.solving.rule = rule;
    if (shownPuzzle(this.solving) && !isAnother) this.show();
    else this.ask(true);
  }

  isOfToday() { return this.solving.asked?.day === dayOf(new Date()); }

  close() { this.isOpen = false; }

  /**
   * Asks the server for a puzzle.
   * @param {boolean} isOfDay true for the puzzle of today, else for one that fits the rating
   */
  ask(isOfDay) {
    const {rule, seen} = this.solving, chosen = isOfDay ? {day: dayOf(new Date())} : {without: seen};
    server.ask({type: "puzzle", rule, ...chosen}).then(asked => {
      takePuzzle(this.solving, asked);
      this.words = "";
      this.show();
      announceIn(this, puzzleTask(this.solving));
    }, complain);
  }

  /**
   * Answers the current puzzle.
   * @param {Cell | null} cell null gives it up
   */
  answer(cell) {
    const puzzle = shownPuzzle(this.solving);
    if (!puzzle || this.solving.isJudging) return;
    if (this.solving.judged) return announce(say("quiz_answered"));
    if (cell && puzzle.moves.some(each => isSame(each, cell))) return announce(say("taken", {cell: cellName(cell, puzzle.height)}));
    this.solving.isJudging = true;
    this.tell(say("looking"));
    server.ask({type: "puzzle_answer", puzzle: puzzle.puzzle, cell}).then(judged => {
      if (takeVerdict(this.solving, judged)) this.tell(describeVerdict(judged, puzzle.height));
    }, error => {
      if (shownPuzzle(this.solving) !== puzzle) return;
      this.solving.isJudging = false;
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
    const {asked, judged, rule} = this.solving, puzzle = shownPuzzle(this.solving);
    byId("puzzle-board").hidden = !puzzle;
    setText(byId("puzzle-task"), puzzleTask(this.solving));
    setText(byId("puzzle-facts"), asked ? describePuzzle(asked) : "");
    setText(byId("puzzle-words"), this.words);
    byId("puzzle-words").hidden = !this.words;
    if (puzzle) this.drawBoard(puzzle);
    byId("puzzle-buttons").replaceChildren(...this.makeButtons());
    const standing = judged?.standing ?? asked?.standing;
    setText(byId("puzzle-standing"), standing ? say("puzzle_standing", {...standing, range: 2 * standing.deviation}) : "");
    byId("puzzle-rule").replaceChildren(...RULE_NUMBERS.map(number =>
      make("option", {value: number, ...Number(number) === rule ? {selected: ""} : {}}, say(`rule_${number}`))));
  }

  /** @param {Puzzle} puzzle */
  drawBoard({width, height, moves, to_move: next}) {
    const stones = moves.map((cell, index) => ({cell, colour: index % 2, number: index + 1}));
    this.grid.show({
      width, height, stones, hasNumbers: false, next: this.solving.judged ? null : next, candidates: puzzleMarks(this.solving),
    });
  }

  makeButtons() {
    const puzzle = shownPuzzle(this.solving), {judged} = this.solving, buttons = [];
    if (puzzle && !judged) buttons.push(makeAction("show_answer", () => this.answer(null)));
    if (puzzle && judged) {
      const {proof, cell, right} = judged;
      buttons.push(makeAction("walk_win", () => this.walkWin(puzzle)));
      if (proof && cell && !right) buttons.push(makeAction("walk_refutation", () => this.walk(positionOf(puzzle), [cell], proof)));
    }
    if (!this.isOfToday()) buttons.push(makeAction("puzzle_day", () => this.ask(true)));
    return [makeAction("puzzle_next", () => this.ask(false), judged ? "main" : ""), ...buttons];
  }

  /**
   * Asks for the proof of the win, and shows it in the study.
   * @param {Puzzle} puzzle
   */
  walkWin(puzzle) {
    const position = positionOf(puzzle);
    announce(say("looking"));
    server.ask({type: "prove", position}).then(({proof}) => {
      if (!this.isOpen || shownPuzzle(this.solving) !== puzzle) return;
      if (proof) this.walk(position, [], proof);
      else announce(say("no_proof"));
    }, complain);
  }

  // Called after a change of the language.
  retell() {
    const {judged} = this.solving, puzzle = shownPuzzle(this.solving);
    this.words = judged && puzzle ? describeVerdict(judged, puzzle.height) : "";
    this.show();
  }

  /**
   * A key of the board itself.
   * @param {string} key
   * @param {HTMLElement} button
   */
  command(key, button) {
    if (key !== "o" || !shownPuzzle(this.solving) || !hasLetters()) return false;
    announce(button.getAttribute("aria-label") ?? "");
    return true;
  }

  /**
   * A key of the page's table; false if this view does not use it.
   * @param {string} action
   */
  onAction(action) {
    if (action === "turn" || action === "mirror") this.grid.turn(action === "mirror");
    else if (action === "next_mistake") this.ask(false);
    else return false;
    return true;
  }
}
