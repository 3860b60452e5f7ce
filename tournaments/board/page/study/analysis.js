// Questions to the engine about a study: the analysis, its move, threats, and stones that make a game even.

import {server} from "../net/connection.js";
import {byId} from "../dom.js";
import {formatShare} from "./evaluation.js";
import {Delay} from "../shared/delay.js";
import {choicesNow, limitsOf} from "./limits.js";
import {awaitLine, barredAt, beginRun, endRun, isOfOtherStudy, nameOf, nextAwaited, runId, takeAnalysis, takeRefusal} from "./state.js";
import {announce, complain} from "../shared/status.js";
import {showTabOf} from "../shared/tabs.js";
import {keepsAnalysis} from "../openings/keeping.js";
import {colourName, say, sayList} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Node} Node
 */

const ENGINE_NODES = 200000;  // for a move without an analysis
const LINE_NODES = 50000;     // for each position of a whole line
const PAUSE = 250;            // milliseconds between two positions that are analysed, while a key is held down

/**
 * The number of nodes for a question that needs an end: none of its own if the settings have one.
 * @param {number} usual
 */
function nodesFor(usual) {
  const {nodes, seconds, depth} = choicesNow();
  return nodes || seconds || depth ? null : usual;
}

export class Analyst {
  /**
   * @param {import("./state.js").Study} study
   * @param {import("./drawing.js").StudyPanel} panel
   * @param {() => void} moved is called after a move was played
   */
  constructor(study, panel, moved) {
    this.study = study;
    this.panel = panel;
    this.moved = moved;
    this.askedAt = 0;  // when the last analysis was asked for, in milliseconds
    this.following = new Delay(() => this.think(), PAUSE);
    server.on("analysis", message => this.receive(message));
    server.on("lost", () => this.stop());
  }

  toggle() {
    if (this.study.run.isOn) this.stop();
    else this.think();
    if (this.study.run.isOn) showTabOf("lines");
    this.panel.showAnalysis();
  }

  /**
   * Analyses a position, within the limits of the settings.
   * @param {number | null} nodes a further limit, null for none
   * @param {Node} node
   */
  think(nodes = null, node = this.study.tree.current) {
    if (this.study.free) return announce(say("set_up_first"));
    this.following.cancel();
    this.askedAt = performance.now();
    beginRun(this.study, node);
    const limits = limitsOf(choicesNow(), this.study.tree);
    const isSent = server.send({
      type: "analyse", id: runId(this.study), position: this.study.tree.position(node), ...limits, nodes: nodes ?? limits.nodes,
      barred: this.study.run.barred, brain: byId("analysis-brain", HTMLSelectElement).value || "tengen",
      keeps: keepsAnalysis(),
    });
    if (!isSent) {
      this.stop();
      announce(say("no_connection"));
    }
  }

  // The current position is another one: an analysis that is made turns to it, at once, or, while one position is shown
  // after the other, when that comes to rest.
  follow() {
    const {free, run} = this.study;
    if (free || isOfOtherStudy(this.study)) return this.stop();
    if (!run.isOn || run.waiting) return;
    if (performance.now() - this.askedAt > PAUSE) return this.think();
    this.askedAt = performance.now();
    this.following.restart();
  }

  // Other cells may be marked to be left out: an analysis of this position begins anew.
  heedBarred() {
    const {run, tree} = this.study;
    if (run.isOn && !run.waiting && run.node === tree.current && String(run.barred) !== String(barredAt(tree))) this.think();
  }

  // Looks at every position of the line, one after the other, for the graph.
  thinkOfAll() {
    this.stop();
    awaitLine(this.study);
    this.thinkOfNext();
    this.panel.showAnalysis();
  }

  thinkOfNext() {
    const node = nextAwaited(this.study);
    if (node) this.think(nodesFor(LINE_NODES), node);
  }

  stop() {
    this.following.cancel();
    if (endRun(this.study)) server.send({type: "stop"});
    if (this.study.isOpen) this.panel.showAnalysis();
  }

  /** @param {import("../net/exchange.js").Analysis} message */
  receive(message) {
    const taken = takeAnalysis(this.study, message);
    if (!taken) return;
    if (message.done) this.thinkOfNext();
    if (taken.best) return this.play(taken.best);
    // A line stays unchanged while the pointer or the focus is on it, so that the player can read it.
    if (this.study.preview && !message.done) return;
    this.panel.showAnalysis();
    this.panel.drawBoard();
    if (message.done) this.panel.showTree();
  }

  /**
   * Takes a refusal, which may be that of an analysis.
   * @param {{id?: number | string}} message
   */
  refuse(message) {
    if (!takeRefusal(this.study, message)) return;
    // A position that is decided has no analysis; those after it in the list may have one.
    this.thinkOfNext();
    if (this.study.isOpen) this.panel.showAnalysis();
  }

  /** @param {Cell} cell */
  play(cell) {
    const {tree} = this.study;
    tree.play(cell);
    announce(say("played", {colour: colourName(1 - tree.toMove()), cell: nameOf(this.study, cell)}));
    this.moved();
  }

  playBest() {
    const {tree, run} = this.study, best = tree.current.analysis?.lines[0]?.moves[0];
    if (best) return this.play(best);
    run.playsBest = true;
    if (!run.isOn) this.think(nodesFor(ENGINE_NODES));
    this.panel.showAnalysis();
  }

  /**
   * Asks about the current position; `use` gets the answer, if the position is still the same.
   * @template {{type: string}} T
   * @param {(position: import("../net/exchange.js").Position) => Promise<T>} ask
   * @param {(answer: Exclude<T, {type: "stopped"}>) => void} use
   */
  ask(ask, use) {
    if (this.study.free) return announce(say("set_up_first"));
    this.stop();
    const node = this.study.tree.current;
    announce(say("looking"));
    ask(this.study.tree.position()).then(answer => {
      if (node === this.study.tree.current && answer.type !== "stopped") use(/** @type {Exclude<T, {type: "stopped"}>} */ (answer));
    }, complain);
  }

  findThreats() {
    this.ask(position => server.ask({type: "threats", position}), ({wins}) => announce(this.panel.showThreats(wins)));
  }

  /** @param {number} stones one or two */
  findBalance(stones) {
    const {study} = this;
    this.ask(position => server.ask({type: "balance", stones, position}), ({cells, win}) => {
      study.balanced = cells;
      const byBlack = (study.tree.cells().length + cells.length) % 2 === 1;
      const share = formatShare(byBlack ? win : 1 - win);
      announce(this.panel.showFinding(say("balance_found", {cells: sayList(cells.map(cell => nameOf(study, cell))), share})));
      this.panel.drawBoard();
    });
  }
}
