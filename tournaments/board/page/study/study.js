// The study of a position: what its buttons, its keys, its links and the other views of the page do with it.

import {leadsToReview} from "./address.js";
import {Analyst} from "./analysis.js";
import {makeAutoplay} from "./autoplay.js";
import {prepareButtons, prepareFields} from "./controls.js";
import {byId, find, make} from "../dom.js";
import {StudyPanel} from "./drawing.js";
import {losesMuch} from "./evaluation.js";
import {FoulWatch} from "./fouls.js";
import {noteChange} from "./history.js";
import {Grid} from "../board/grid.js";
import {actionsOf, commandsOf} from "./keys.js";
import {hasLetters} from "../shared/keys.js";
import {chooseLimits, fillLimits, retellLimits} from "./limits.js";
import {click} from "./placing.js";
import {RULES} from "../board/notation.js";
import {Coach} from "../review/review.js";
import {describeEnd, findEnd} from "./rules.js";
import {
  completeTree, dropStale, forgetPosition, goToMistake, hasOtherSignature, makeStudy, nameOf, redoChange, replaceTree, step, takeLine,
  undoChange,
} from "./state.js";
import {StudyList} from "../library/studies.js";
import {announce} from "../shared/status.js";
import {showTabOf} from "../shared/tabs.js";
import {importText, settingsFrom, treeOfGame, treeOfLink, treeOfPosition} from "./transfer.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("../net/messages.js").WantedSettings} GameSettings
 * @typedef {import("../net/messages.js").State} State
 * @typedef {import("../net/messages.js").BrainLine} Brain
 * @typedef {import("../review/descriptions.js").Proof} Proof
 */

export class StudyView {
  /** @param {(settings: GameSettings) => void} create starts a game */
  constructor(create) {
    const study = this.study = makeStudy(), tree = () => study.tree;
    this.create = create;
    /** @type {Tree | null} the study whose address leads to its review */
    this.walked = null;
    this.coach = new Coach({
      tree, line: () => study.tree.line(), stop: () => this.analyst.stop(), shown: () => this.show(), isSetUp: () => !study.free, isOwner: () => this.list.isOwner,
      go: node => {
        byId("tool", HTMLSelectElement).value = "play";
        this.go(node);
      },
    });
    this.list = new StudyList({
      tree, replace: other => this.replace(other), linked: () => this.panel.showLinks(), written: () => this.panel.showUndo(),
    });
    this.grid = new Grid(byId("study-board"), {
      play: cell => this.click(cell), undo: () => this.step("back"), step: by => this.step(by < 0 ? "back" : "forward"),
      command: (key, button) => this.command(key, button),
    });
    this.panel = new StudyPanel(study, this.grid, this.coach, {
      go: node => this.go(node), isMistake: node => this.isMistake(node),
      take: (cells, count) => { takeLine(study, cells, count); this.moved(); },
    });
    this.autoplay = makeAutoplay({
      tree, proofs: () => this.coach.coaching.proofs, isSetUp: () => !study.free, moved: () => this.moved(),
      mistakeAt: node => this.isMistake(node) ? this.describeMistake(node) : "",
    });
    this.analyst = new Analyst(study, this.panel, () => this.moved());
    this.fouls = new FoulWatch(study, () => this.takeFouls());
    prepareButtons(this);
    prepareFields(this);
  }

  // What the page shows

  /**
   * After the language or the brains were learnt.
   * @param {Brain[]} [brains]
   * @param {string} [version] of the engine
   * @param {boolean} isOwner
   * @param {import("../net/messages.js").AnalysisLimitsJson | null} [limits] of an analysis
   */
  fill(brains, version, isOwner = this.list.isOwner, limits) {
    const {study} = this;
    this.list.setOwner(isOwner);
    this.panel.openings.setOwner(isOwner);
    study.signature = version ?? study.signature;
    if (study.isOpen) this.compareSignatures();
    const list = byId("analysis-brain", HTMLSelectElement), chosen = list.value;
    if (brains) list.replaceChildren(...brains.map(({name, title}) => make("option", {value: name}, title)));
    if (chosen) list.value = chosen;
    const rules = Object.keys(RULES).map(rule => make("option", {value: rule}, say(`rule_${rule}`)));
    find(byId("new-study"), "[name=rule]").replaceChildren(...rules);
    if (brains) fillLimits(limits ?? null);
    else retellLimits();
    this.autoplay.retell();
    this.coach.retell();
    if (study.isOpen && isOwner) this.recall();
    this.list.retell();
    if (study.isOpen) this.show();
  }

  compareSignatures() {
    if (hasOtherSignature(this.study)) announce(say("other_signature"));
  }

  // Shows what there is now, after any change.
  show() {
    noteChange(this.study.tree);
    dropStale(this.study);
    this.panel.show();
    this.list.notice();
    this.fouls.look();
  }

  // The marks of the current position are other ones.
  marked() {
    this.analyst.heedBarred();
    this.show();
  }

  // The server has said what is forbidden in the position that is shown.
  takeFouls() {
    const {tree} = this.study, end = findEnd(tree, tree.current);
    this.panel.drawBoard();
    if (end?.foul) announce(describeEnd(tree, end));
  }

  /**
   * A comment or a title is typed: one change, however long it takes.
   * @param {string} key
   * @param {boolean} isWanted true if the study must be kept because of it
   */
  typed(key, isWanted) {
    noteChange(this.study.tree, key);
    this.panel.showUndo();
    this.list.notice(isWanted);
  }

  // The current position is another one.
  moved() {
    this.autoplay.heed();
    forgetPosition(this.study);
    this.panel.showFinding("");
    this.analyst.follow();
    this.show();
  }

  /** @param {Node} node */
  go(node) {
    this.study.tree.current = node;
    this.moved();
  }

  /** @param {"back" | "forward" | "first" | "last"} how */
  step(how) {
    step(this.study, how);
    this.moved();
  }

  /** @param {Tree} tree */
  replace(tree) {
    replaceTree(this.study, tree);
    this.coach.forget();
    this.moved();
    this.coach.recall();
  }

  /** @param {Cell} cell */
  click(cell) {
    click(this.study, cell, {
      ask: asked => this.coach.click(asked), moved: () => this.moved(), marked: () => this.marked(), replace: tree => this.replace(tree),
    });
  }

  /** @param {string} text */
  import(text) {
    return importText(this.study, text, tree => this.replace(tree));
  }

  /** @param {import("./tree.js").Move} node */
  isMistake(node) {
    return this.coach.moves.has(node) ? this.coach.isMistake(node) : losesMuch(this.study.tree, node);
  }

  // Takes the last change back; older ones than this page knows are with the server.
  async undo() {
    const {study} = this, {tree} = study;
    if (!undoChange(study) && (!await this.list.undo(tree) || study.tree !== tree)) return this.panel.showUndo();
    if (study.tree !== tree) this.coach.forget();
    this.moved();
    announce(say("study_undone"));
  }

  redo() {
    const {tree} = this.study;
    if (!redoChange(this.study)) return announce(say("nothing_to_redo"));
    if (this.study.tree !== tree) this.coach.forget();
    this.moved();
    return announce(say("study_redone"));
  }

  // From and to the other views

  /**
   * Shows the study. With the id of a kept study the position of a link is shown in it, where this browser may see it
   * and it is still there.
   * @param {import("../board/notation.js").Link | null} link a position from an address, null for the study before
   */
  open(link) {
    const {study} = this, leads = leadsToReview();
    study.isOpen = true;
    if (link) {
      const {cells, ply, study: id} = link;
      /** @param {Tree} found */
      const here = found => found.follow(cells.slice(found.start.length, ply));
      if (id && study.tree.kept?.id === id) {
        here(study.tree);
      } else {
        const plain = treeOfLink(link);
        replaceTree(study, plain);
        this.coach.forget();
        if (leads) this.walked = plain;
        if (id) {
          this.list.open(id, found => {
            if (!study.isOpen || study.tree !== plain) return;
            here(found);
            completeTree(study, found);
            if (leads) this.walked = found;
            this.coach.forget();
            this.moved();
            this.recall();
          }, true);
        }
      }
      chooseLimits(link);
      study.linked = link.signature;
      this.compareSignatures();
    }
    this.moved();
    this.recall();
  }

  // Takes the review that is kept of this line, and shows it where the page was left while one of its proofs was walked.
  async recall() {
    const {tree} = this.study;
    if (!await this.coach.recall() || this.walked !== tree) return;
    this.walked = null;
    showTabOf("review");
  }

  close() {
    this.panel.address.drop();
    this.autoplay.stop();
    this.analyst.stop();
    this.list.flush();
    this.study.isOpen = false;
  }

  /**
   * A game that was played, from where it stands.
   * @param {State} state
   * @param {boolean} reviews the coach is to look at it, unless it has done so
   */
  async openGame(state, reviews) {
    this.study.isOpen = true;
    const tree = treeOfGame(state);
    replaceTree(this.study, tree);
    this.coach.forget();
    this.moved();
    const isKnown = await this.coach.recall();
    if (!reviews || !this.study.isOpen || this.study.tree !== tree) return;  // the player has gone elsewhere
    if (isKnown) this.coach.showReport();
    else this.coach.ask();
  }

  /**
   * Walks a proof of another view, after `cells` at a position.
   * @param {import("../net/exchange.js").Position} position
   * @param {Cell[]} cells
   * @param {Proof} proof
   * @param {import("../review/coaching.js").Leave} leave the way back to that view
   */
  openProof(position, cells, proof, leave) {
    this.study.isOpen = true;
    this.replace(treeOfPosition(position, cells));
    this.coach.walk(this.study.tree.current, proof, leave);
  }

  playFromHere() {
    if (this.study.free) return announce(say("set_up_first"));
    this.create(settingsFrom(this.study.tree));
  }

  // Keys

  /**
   * To the next (1) or previous (-1) mistake of the line.
   * @param {number} by
   */
  goToMistake(by) {
    const {study} = this, found = goToMistake(study, by, node => this.isMistake(node));
    if (!found) return announce(say("no_mistake"));
    this.moved();
    return announce(this.describeMistake(found));
  }

  /** @param {import("./tree.js").Move} node */
  describeMistake(node) {
    const {study} = this, number = study.tree.cells(node).length;
    return this.coach.words(node) || say("mistake_at", {number, cell: nameOf(study, node.cell)});
  }

  /**
   * A key of the page's table; false if it means nothing here.
   * @param {string} action
   */
  onAction(action) {
    const actions = actionsOf(this);
    if (!Object.hasOwn(actions, action)) return false;
    actions[action]();
    return true;
  }

  /**
   * A key of the board itself.
   * @param {string} key
   * @param {HTMLElement} button
   */
  command(key, button) {
    const commands = hasLetters() ? commandsOf(this.study, button) : {};
    if (!Object.hasOwn(commands, key)) return false;
    commands[key]();
    return true;
  }
}
