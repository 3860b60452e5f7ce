// What is seen of a study: the board, the analysis, the tree of moves, and the links.

import {cellOfKey} from "../board.js";
import {makeCopyField} from "../shared/clipboard.js";
import {byId, make, setText} from "../dom.js";
import {blackShare, drawGraph, formatScore, formatShare, makeLine, showBar} from "./evaluation.js";
import {labelOf} from "../review/moves.js";
import {formatLink, formatOtherLinks} from "../board/notation.js";
import {noteChange} from "./history.js";
import {describeEnd, findEnd, forbiddenAfter, watchFouls, winningRows} from "./rules.js";
import {announce} from "../shared/status.js";
import {moved, nameOf, parts, view} from "./view.js";
import {formatNumber, say} from "../shared/i18n.js";

const MISTAKE = .15;          // what a move loses of its side's chances to be called one
export const LINES = 3;       // that an analysis has where nobody chose another number

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").Move} Move
 */

export function show() {
  drawBoard();
  showAnalysis();
  showTree();
  parts.coach.show();
  showLinks();
  const comment = byId("comment", HTMLTextAreaElement), title = byId("study-name", HTMLInputElement), {current} = view.tree;
  if (comment.value !== current.comment) comment.value = current.comment;
  if (title.value !== view.tree.title) title.value = view.tree.title;
  for (const id of ["promote", "remove", "study-first", "study-back"]) byId(id, HTMLButtonElement).disabled = !current.parent;
  for (const id of ["study-last", "study-forward"]) byId(id, HTMLButtonElement).disabled = !current.children.length;
  showTitle();
  noteChange(view.tree);
  showUndo();
  parts.studies.notice();
  if (!view.free) watchFouls(() => ({tree: view.tree, node: view.tree.current}), takeFouls);
}

export function showUndo() {
  const {history, kept} = view.tree;
  byId("study-undo", HTMLButtonElement).disabled = !history.past.length && !kept?.undo;
  byId("study-redo", HTMLButtonElement).disabled = !history.future.length;
}

// The server has said what is forbidden in the position that is shown.
function takeFouls() {
  const {tree} = view, end = findEnd(tree, tree.current);
  drawBoard();
  if (end?.foul) announce(describeEnd(tree, end));
}

export function showTitle() {
  const board = `${say(`rule_${view.tree.rule}`)}, ${view.tree.width} × ${view.tree.height}`;
  setText(byId("study-title"), view.tree.title ? `${board} · ${view.tree.title}` : board);
}

export function drawBoard() {
  const {tree, free, preview} = view, cells = tree.cells(), tool = byId("tool", HTMLSelectElement).value;
  /** @type {import("../board.js").Stone[]} */
  const stones = free ? free.flatMap((own, colour) => own.map(cell => ({cell, colour})))
    : cells.map((cell, index) => ({cell, colour: index % 2, number: index + 1}));
  const taken = new Map(stones.map(({cell, colour}) => [String(cell), colour]));
  const plays = tool === "play" && !free && findEnd(tree, tree.current) === null;
  const next = tool === "white" ? 1 : tool === "black" ? 0 : plays ? cells.length % 2 : null;
  parts.grid.show({
    width: tree.width, height: tree.height, stones, rows: free ? [] : winningRows(tree, tree.current), hasMark: !free, next,
    forbidden: free ? {} : forbiddenAfter(tree, tree.current), hasNumbers: byId("study-numbers", HTMLInputElement).checked,
    candidates: [
      ...view.hasLines && !free && !preview ? candidatesOf(tree.current) : [],
      ...view.balanced.map(cell => ({cell, kind: "other", text: "="})),
      ...free ? [] : parts.coach.candidates(),
    ],
    marks: !view.hasMarks ? [] : [...tree.current.labels].map(([key, text]) => ({cell: cellOfKey(key), text, on: taken.get(key)})),
    preview: preview ? preview.cells.slice(0, preview.count).map((cell, index) =>
      ({cell, colour: (preview.colour + index) % 2, number: index + 1})) : [],
  });
}

/**
 * The first moves of the lines of an analysis, with what they are worth.
 * @param {Node} node
 */
const candidatesOf = ({analysis}) => (analysis?.lines ?? []).filter(line => line.moves.length).map((line, index) => ({
  cell: line.moves[0], kind: (line.mate ?? 0) < 0 ? "lost" : index ? "other" : "best",
  text: line.mate ? formatScore(line) : formatNumber(line.win * 100),
}));

export function showAnalysis() {
  const {analysis} = view.tree.current;
  setText(byId("think"), say(view.isThinking ? "stop" : "analyse"));
  byId("think").setAttribute("aria-pressed", String(view.isThinking));
  const facts = [];
  if (analysis) {
    const depth = analysis.lines[0]?.depth;  // none if the solvers have proved it
    if (depth) facts.push(say("depth", {depth}));
    facts.push(say("nodes", {nodes: formatNumber(analysis.nodes)}));
    if (analysis.speed) facts.push(say("speed", {speed: formatNumber(analysis.speed)}));
    if (analysis.done) facts.push(say("done"));
  } else {
    facts.push(say(view.isThinking ? "thinking" : "no_analysis"));
  }
  setText(byId("analysis-facts"), facts.join(" · "));
  byId("lines").hidden = !view.hasLines;
  // Who reads the lines by the keyboard keeps the focus.
  if (view.listed !== view.tree.current || !byId("lines").contains(document.activeElement)) {
    view.listed = view.tree.current;
    byId("lines").replaceChildren(...(analysis?.lines ?? []).map((line, index) => makeLine(
      [make("b", index ? {} : {class: "best"}, formatScore(line)), make("span", {}, formatShare(line.win))],
      line.moves, view.tree.height, count => showPreview(line.moves, count), count => takeLine(line.moves, count))));
  }
  showBar(byId("bar"), view.free ? null : blackShare(view.tree, view.tree.current));
  drawGraph(byId("graph"), view.tree, node => {
    view.tree.current = node;
    moved();
  });
}

/**
 * Shows the first `count` moves of a line, 0 for none.
 * @param {Cell[]} cells
 * @param {number} count
 * @param {number} colour of the first move
 */
export function showPreview(cells, count, colour = view.tree.toMove()) {
  const next = count ? {cells, colour, count} : null;
  if (String(next?.cells) === String(view.preview?.cells) && next?.count === view.preview?.count) return;
  view.preview = next;
  drawBoard();
}

/**
 * Puts the line's first `count` moves into the tree and goes there.
 * @param {Cell[]} cells
 * @param {number} count
 */
export function takeLine(cells, count) {
  for (const cell of cells.slice(0, count)) view.tree.play(cell);
  moved();
}

export function showTree() {
  const holder = byId("tree"), hadFocus = holder.contains(document.activeElement);
  holder.replaceChildren(...writeFrom(view.tree.root));
  if (!holder.childNodes.length) holder.append(make("p", {class: "soft"}, say("no_move")));
  const chosen = holder.querySelector("[aria-current]");
  if (!(chosen instanceof HTMLElement)) return;
  if (hadFocus) chosen.focus();
  holder.scrollTop = chosen.offsetTop - holder.offsetTop - holder.clientHeight / 2;
}

/**
 * The buttons of what follows `node`: the main continuation, and after its first move the others, each in a box.
 * @param {Node} node
 * @returns {(Element | string)[]}
 */
function writeFrom(node) {
  /** @type {(Element | string)[]} */
  const written = [];
  let count = view.tree.cells(node).length;
  for (let at = node; at.children.length; at = at.children[0]) {
    count += 1;
    const [main, ...others] = at.children;
    written.push(...writeMove(main, count));
    for (const other of others) written.push(make("div", {class: "variation"}, ...writeMove(other, count), ...writeFrom(other)));
  }
  return written;
}

/**
 * @param {Move} node
 * @param {number} count
 */
function writeMove(node, count) {
  const isShown = node === view.tree.current;
  const button = make("button", isShown ? {type: "button", "aria-current": "true"} : {type: "button"}, nameOf(node.cell));
  button.addEventListener("click", () => {
    view.tree.current = node;
    moved();
  });
  const share = blackShare(view.tree, node);
  const said = [labelOf(parts.coach.moves.get(node)) || (isMistake(node) ? "?" : ""), share === null ? "" : formatShare(share), node.comment].filter(Boolean).join(" ");
  // A number stays with its move at the end of a line.
  const written = [make("span", {class: "move"}, make("span", {class: "number"}, `${count}.`), " ", button), " "];
  return said ? [...written, make("span", {class: "said"}, said), " "] : written;
}

export function linkHere() {
  const cells = [...view.tree.start, ...view.tree.line().map(node => node.cell)];
  const nodes = byId("node-limit", HTMLSelectElement).value, lines = Number(byId("line-count", HTMLSelectElement).value);
  const limits = nodes ? `;n=${nodes}${lines === LINES ? "" : `;l=${lines}`}${view.signature ? `;v=${view.signature}` : ""}` : "";
  return `/${formatLink(view.tree, cells, view.tree.cells().length)}${limits}`;
}

export function showLinks() {
  if (!view.isOpen || view.free) return;
  // The study's id means something to its owner only, and so is in the address but in no link that is handed on.
  history.replaceState(history.state, "", linkHere() + (view.tree.kept ? `;s=${view.tree.kept.id}` : ""));
  const holder = byId("study-links"), {lang} = document.documentElement;
  const links = [[say("link_position"), location.origin + linkHere()], ...formatOtherLinks(view.tree, view.tree.cells())];
  const fields = holder.querySelectorAll("input");
  if (fields.length === links.length && holder.dataset.language === lang) {
    links.forEach(([, link], index) => { fields[index].value = link; });
  } else {
    holder.replaceChildren(...links.map(([name, link]) => makeCopyField(name, link)));
  }
  holder.dataset.language = lang;
}

/**
 * Whether the move to this node cost its side much, by the review or the analysis before and after it.
 * @param {Move} node
 */
export function isMistake(node) {
  if (parts.coach.moves.has(node)) return parts.coach.isMistake(node);
  const before = blackShare(view.tree, node.parent), after = blackShare(view.tree, node);
  if (before === null || after === null) return false;
  return (view.tree.toMove(node) ? before - after : after - before) >= MISTAKE;
}
