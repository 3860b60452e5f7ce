// The drawing of a study: the board, the analysis, the tree of moves, and the links.

import {Address} from "./address.js";
import {cellOfKey} from "../board.js";
import {makeCopyField} from "../shared/clipboard.js";
import {byId, make, setText} from "../dom.js";
import {blackShare, changeAt, formatScore, formatShare, makeLine, showBar} from "./evaluation.js";
import {drawGraph} from "./graph.js";
import {walkedFrom} from "../review/coaching.js";
import {markOf} from "../review/moves.js";
import {showTree} from "./moves.js";
import {OpeningsView} from "../openings/openings.js";
import {formatLink, formatOtherLinks} from "../board/notation.js";
import {findEnd, forbiddenAfter, winningRows} from "./rules.js";
import {choicesNow, formatLimits} from "./limits.js";
import {BARRED, barredAt, nameOf, setPreview} from "./state.js";
import {colourName, formatNumber, say, sayFacts, sayList, saySentences} from "../shared/i18n.js";

const MOST_LISTED = 8;  // lines of an analysis in the list; further ones have their values on the board

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./state.js").Study} Study
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").Move} Move
 *
 * @typedef {object} Actions what a click on something that is drawn does
 * @property {(node: Node) => void} go
 * @property {(cells: Cell[], count: number) => void} take puts the first moves of a line into the tree
 * @property {(node: Move) => boolean} isMistake
 */

export class StudyPanel {
  /**
   * @param {Study} study
   * @param {import("../board/grid.js").Grid} grid
   * @param {import("../review/review.js").Coach} coach
   * @param {Actions} actions
   */
  constructor(study, grid, coach, actions) {
    this.study = study;
    this.grid = grid;
    this.coach = coach;
    this.actions = actions;
    /** @type {Node | null} the node whose lines are listed */
    this.listed = null;
    this.address = new Address();
    this.openings = new OpeningsView(study, {
      take: cells => actions.take(cells, cells.length), preview: cells => this.showPreview(cells, cells.length), draw: () => this.drawBoard(),
      prove: () => coach.prove(),
    });
  }

  show() {
    const {tree} = this.study, {current} = tree;
    this.drawBoard();
    this.showAnalysis();
    this.showTree();
    this.coach.show();
    this.openings.follow();
    this.showLinks();
    const comment = byId("comment", HTMLTextAreaElement), title = byId("study-name", HTMLInputElement);
    if (comment.value !== current.comment) comment.value = current.comment;
    if (title.value !== tree.title) title.value = tree.title;
    for (const id of ["promote", "remove", "study-first", "study-back"]) byId(id, HTMLButtonElement).disabled = !current.parent;
    for (const id of ["study-last", "study-forward"]) byId(id, HTMLButtonElement).disabled = !current.children.length;
    byId("bring-back").hidden = this.study.earlier === null;
    this.showTitle();
    this.showUndo();
  }

  showUndo() {
    const {tree: {history, kept, before, after}, free} = this.study;
    byId("study-undo", HTMLButtonElement).disabled = !history.past.length && !kept?.undo && !before && !free;
    byId("study-redo", HTMLButtonElement).disabled = (!history.future.length && !after) || free !== null;
  }

  showTitle() {
    const {tree} = this.study, board = sayFacts(say(`rule_${tree.rule}`), `${tree.width} × ${tree.height}`);
    setText(byId("study-title"), tree.title ? `${board} · ${tree.title}` : board);
    setText(byId("where"), tree.title || board);
  }

  drawBoard() {
    const {tree, free, preview, hasLines, hasMarks, balanced} = this.study, cells = tree.cells();
    const tool = byId("tool", HTMLSelectElement).value, tiles = hasLines && !free && !preview ? this.openings.tiles() ?? candidatesOf(tree.current) : [];
    const missed = free || preview || tiles.length ? [] : this.coach.missedWin();
    /** @type {import("../board.js").Stone[]} */
    const stones = free ? free.flatMap((own, colour) => own.map(cell => ({cell, colour})))
      : cells.map((cell, index) => ({cell, colour: index % 2, number: index < tree.start.length ? undefined : index + 1}));
    const taken = new Map(stones.map(({cell, colour}) => [String(cell), colour]));
    const plays = tool === "play" && !free && findEnd(tree, tree.current) === null;
    const next = tool === "white" ? 1 : tool === "black" ? 0 : plays ? cells.length % 2 : null;
    this.grid.show({
      width: tree.width, height: tree.height, stones, rows: free ? [] : winningRows(tree, tree.current), hasMark: !free, next,
      forbidden: free ? {} : forbiddenAfter(tree, tree.current), hasNumbers: byId("study-numbers", HTMLInputElement).checked,
      candidates: [
        ...tiles,
        ...balanced.map(cell => ({cell, kind: "other", text: "="})),
        ...free ? [] : this.coach.candidates(),
      ],
      dots: free ? [] : this.coach.dots(), slip: free ? null : this.coach.slip(),
      barred: free ? [] : barredAt(tree),
      marks: !hasMarks ? [] : [...tree.current.labels].filter(([, text]) => text !== BARRED)
        .map(([key, text]) => ({cell: cellOfKey(key), text, on: taken.get(key)})),
      preview: preview ? preview.cells.slice(0, preview.count).map((cell, index) =>
        ({cell, colour: (preview.colour + index) % 2, number: cells.length + index + 1})) : missed,
    });
  }

  showAnalysis() {
    const {tree, free, run, hasLines} = this.study, {analysis} = tree.current, listed = analysis?.lines ?? [];
    setText(byId("think"), say(run.isOn ? "stop" : "analyse"));
    byId("think").setAttribute("aria-pressed", String(run.isOn));
    setText(byId("analysis-facts"), describeAnalysis(tree.current, run.isOn));
    byId("lines").hidden = !hasLines;
    // The focus stays on the lines while the player reads them by the keyboard.
    if (this.listed !== tree.current || !byId("lines").contains(document.activeElement)) {
      this.listed = tree.current;
      byId("lines").replaceChildren(...listed.slice(0, MOST_LISTED).map((line, index) => makeLine(
        [make("b", index ? {} : {class: "best"}, formatScore(line)), make("span", {}, formatShare(line.win))],
        line.moves, tree.height, count => this.showPreview(line.moves, count), count => this.actions.take(line.moves, count))));
    }
    const more = listed.length - MOST_LISTED;
    byId("more-values").hidden = more <= 0 || !hasLines;
    setText(byId("more-values"), more > 0 ? say("more_values", {count: more}) : "");
    this.showBarred();
    showBar(byId("bar"), free ? null : blackShare(tree, tree.current), this.coach.slip() && changeAt(tree, tree.current));
    drawGraph(byId("graph"), tree, node => markOf(this.coach.moves.get(node)), this.actions.go);
  }

  // The cells that the analysis leaves out.
  showBarred() {
    const {tree, free} = this.study, cells = free ? [] : barredAt(tree);
    byId("barred-line").hidden = !cells.length;
    setText(byId("barred-words"), say("barred_cells", {cells: sayList(cells.map(cell => nameOf(this.study, cell)))}));
  }

  /**
   * Shows the first `count` moves of a line, 0 for none.
   * @param {Cell[]} cells
   * @param {number} count
   * @param {number} colour of the first move
   */
  showPreview(cells, count, colour = this.study.tree.toMove()) {
    if (setPreview(this.study, count ? {cells, colour, count} : null)) this.drawBoard();
  }

  /**
   * The wins that are threatened. Returns them in words.
   * @param {{colour: number, kind: string, moves: Cell[]}[]} wins
   */
  showThreats(wins) {
    const {tree} = this.study, toMove = tree.toMove();
    const words = wins.map(({colour, kind}) =>
      say(colour === toMove ? `win_${kind}` : `threat_${kind}`, {colour: colourName(colour)}));
    if (!wins.length) return this.showFinding(say("no_threats"));
    byId("findings").replaceChildren(make("ul", {}, ...wins.map(({moves, colour}, index) =>
      makeLine([make("span", {class: "words"}, words[index])], moves, tree.height,
        count => this.showPreview(moves, count, colour), count => { if (colour === toMove) this.actions.take(moves, count); }))));
    return saySentences(...words);
  }

  /**
   * What was found about the position, in words, which are returned.
   * @param {string} words
   */
  showFinding(words) {
    byId("findings").replaceChildren(...words ? [make("p", {class: "soft"}, words)] : []);
    return words;
  }

  showTree() {
    showTree(this.study, this.coach, this.actions);
  }

  /**
   * The link to a position of a line: by default to the current one.
   * @param {Cell[]} cells
   * @param {number} ply
   */
  linkTo(cells = this.study.tree.cells(this.study.tree.line().at(-1)), ply = this.study.tree.cells().length) {
    const {tree, signature} = this.study, limits = barredAt(tree).length ? "" : formatLimits(choicesNow(), signature);
    return `/${formatLink(tree, cells, ply)}${limits}`;
  }

  showLinks() {
    const {tree, free, isOpen} = this.study;
    if (!isOpen || free) return;
    // Only the owner can use the study's id, so that it is in the address but not in a link for others.
    const walked = this.coach.study.isOwner() ? walkedFrom(this.coach.coaching, tree) : null;  // a guest's review is not kept
    this.address.set(this.linkTo(walked?.cells, walked?.ply) + (tree.kept ? `;s=${tree.kept.id}` : ""), walked !== null);
    const holder = byId("study-links"), {lang} = document.documentElement;
    const links = [[say("link_position"), location.origin + this.linkTo()], ...formatOtherLinks(tree, tree.cells())];
    const fields = holder.querySelectorAll("input");
    if (fields.length === links.length && holder.dataset.language === lang) {
      links.forEach(([, link], index) => { fields[index].value = link; });
    } else {
      holder.replaceChildren(...links.map(([name, link]) => makeCopyField(name, link)));
    }
    holder.dataset.language = lang;
  }
}

/**
 * The first moves of the lines of an analysis, with their scores.
 * @param {Node} node
 */
function candidatesOf({analysis}) {
  const lines = (analysis?.lines ?? []).filter(line => line.moves.length), best = lines[0]?.win ?? 0;
  /** @type {(line: typeof lines[0], index: number) => string} */
  const kindOf = ({win, mate}, index) => mate ? mate < 0 ? "lost" : index ? "won" : "won best"
    : !index ? "best" : best - win <= .05 ? "near" : best - win <= .15 ? "far" : index < MOST_LISTED ? "worse" : "worse rest";
  return lines.map((line, index) => ({
    cell: line.moves[0], kind: kindOf(line, index), text: line.mate ? formatScore(line).replace("+", "") : `${formatNumber(line.win * 100)}%`,
  }));
}

/**
 * How far the analysis of a position is; without one, what a review says of the position.
 * @param {import("./tree.js").Node} node
 * @param {boolean} isOn
 */
function describeAnalysis({analysis, share}, isOn) {
  if (!analysis && !isOn && share !== null) return say("black_share", {share: formatShare(share)});
  if (!analysis) return say(isOn ? "thinking" : "no_analysis");
  const facts = [], depth = analysis.lines[0]?.depth;  // none if the solvers have proved it
  if (depth) facts.push(say("depth", {depth}));
  facts.push(say("nodes", {nodes: formatNumber(analysis.nodes)}));
  if (analysis.speed) facts.push(say("speed", {speed: formatNumber(analysis.speed)}));
  if (analysis.done) facts.push(say("done"));
  return facts.join(" · ");
}
