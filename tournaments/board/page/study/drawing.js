// What is seen of a study: the board, the analysis, the tree of moves, and the links.

import {makeCopyField} from "../shared/clipboard.js";
import {byId, make, setText} from "../dom.js";
import {blackShare, drawGraph, formatScore, formatShare, makeLine, showBar} from "./evaluation.js";
import {formatLink, formatOtherLinks} from "../board/notation.js";
import {noteChange} from "./history.js";
import {describeEnd, findEnd, forbiddenAfter, watchFouls, winningRows} from "./rules.js";
import {announce} from "../shared/status.js";
import {moved, nameOf, view} from "./view.js";
import {formatNumber, say} from "../shared/i18n.js";

const MISTAKE = .15;          // what a move loses of its side's chances to be called one
export const LINES = 3;              // that an analysis has where nobody chose another number

// What is seen

export function show() {
  drawBoard();
  showAnalysis();
  showTree();
  view.coach.show();
  showLinks();
  for (const [id, text] of [["comment", view.tree.current.comment], ["study-name", view.tree.title]]) {
    if (byId(id).value !== text) byId(id).value = text;
  }
  byId("promote").disabled = byId("remove").disabled = !view.tree.current.parent;
  byId("study-first").disabled = byId("study-back").disabled = !view.tree.current.parent;
  byId("study-last").disabled = byId("study-forward").disabled = !view.tree.current.children.length;
  showTitle();
  noteChange(view.tree);
  showUndo();
  view.studies.notice();
  if (!view.free) watchFouls(() => ({tree: view.tree, node: view.tree.current}), takeFouls);
}

export function showUndo() {
  const {history, kept} = view.tree;
  byId("study-undo").disabled = !history.past.length && !kept?.undo;
  byId("study-redo").disabled = !history.future.length;
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
  const cells = view.tree.cells();
  const stones = view.free ? [0, 1].flatMap(colour => view.free[colour].map(cell => ({cell, colour})))
    : cells.map((cell, index) => ({cell, colour: index % 2, number: index + 1}));
  const taken = new Map(stones.map(({cell, colour}) => [String(cell), colour]));
  const lines = view.hasLines && !view.free && !view.preview ? view.tree.current.analysis?.lines ?? [] : [];
  const tool = byId("tool").value;
  const {tree} = view, isOver = !view.free && findEnd(tree, tree.current) !== null;
  const plays = tool === "play" && !view.free && !isOver;
  const next = tool === "white" ? 1 : tool === "black" ? 0 : plays ? cells.length % 2 : null;
  view.grid.show({
    width: view.tree.width, height: view.tree.height, stones, rows: view.free ? [] : winningRows(tree, tree.current), hasMark: !view.free, next,
    forbidden: view.free ? {} : forbiddenAfter(tree, tree.current),
    hasNumbers: byId("study-numbers").checked,
    candidates: [
      ...lines.filter(line => line.moves.length).map((line, index) => ({
        cell: line.moves[0], kind: line.mate < 0 ? "lost" : index ? "other" : "best",
        text: line.mate ? formatScore(line) : formatNumber(line.win * 100),
      })),
      ...view.balanced.map(cell => ({cell, kind: "other", text: "="})),
      ...view.free ? [] : view.coach.candidates(),
    ],
    marks: !view.hasMarks ? [] : [...view.tree.current.labels].map(([key, text]) =>
      ({cell: key.split(",").map(Number), text, on: taken.get(key)})),
    preview: view.preview ? view.preview.cells.slice(0, view.preview.count).map((cell, index) =>
      ({cell, colour: (view.preview.colour + index) % 2, number: index + 1})) : [],
  });
}

export function showAnalysis() {
  const {analysis} = view.tree.current;
  setText(byId("think"), say(view.isThinking ? "stop" : "analyse"));
  byId("think").setAttribute("aria-pressed", String(view.isThinking));
  const facts = [];
  if (analysis) {
    const depth = analysis.lines[0]?.depth;  // none where the solvers have proved it
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
      [make("b", index ? {} : {class: "best"}, formatScore(line)), make("span", {}, formatShare(line.win ?? .5))],
      line.moves, view.tree.height, count => showPreview(line.moves, count), count => takeLine(line.moves, count))));
  }
  showBar(byId("bar"), view.free ? null : blackShare(view.tree, view.tree.current));
  drawGraph(byId("graph"), view.tree, node => {
    view.tree.current = node;
    moved();
  });
}

export function showPreview(cells, count, colour = view.tree.toMove()) {
  const next = count ? {cells, colour, count} : null;
  if (String(next?.cells) === String(view.preview?.cells) && next?.count === view.preview?.count) return;
  view.preview = next;
  drawBoard();
}

// Puts the line's first `count` moves into the tree and goes there.
export function takeLine(cells, count) {
  for (const cell of cells.slice(0, count)) view.tree.play(cell);
  moved();
}

export function showTree() {
  const holder = byId("tree"), hadFocus = holder.contains(document.activeElement);
  holder.replaceChildren(...writeFrom(view.tree.root));
  if (!holder.childNodes.length) holder.append(make("p", {class: "soft"}, say("no_move")));
  const chosen = holder.querySelector("[aria-current]");
  if (hadFocus) chosen?.focus();
  if (chosen) holder.scrollTop = chosen.offsetTop - holder.offsetTop - holder.clientHeight / 2;
}

// The buttons of what follows `node`: the main continuation, and after its first move the others, each in a box.
function writeFrom(node) {
  const parts = [];
  let count = view.tree.cells(node).length;
  for (let at = node; at.children.length; at = at.children[0]) {
    count += 1;
    const [main, ...others] = at.children;
    parts.push(...writeMove(main, count));
    for (const other of others) parts.push(make("div", {class: "variation"}, ...writeMove(other, count), ...writeFrom(other)));
  }
  return parts;
}

function writeMove(node, count) {
  const button = make("button", {type: "button", ...node === view.tree.current && {"aria-current": "true"}}, nameOf(node.cell));
  button.addEventListener("click", () => {
    view.tree.current = node;
    moved();
  });
  const share = blackShare(view.tree, node);
  const said = [view.coach.label(node) || (isMistake(node) ? "?" : ""), share === null ? "" : formatShare(share), node.comment].filter(Boolean).join(" ");
  // A number stays with its move at the end of a line.
  const parts = [make("span", {class: "move"}, make("span", {class: "number"}, `${count}.`), " ", button), " "];
  return said ? [...parts, make("span", {class: "said"}, said), " "] : parts;
}

export function linkHere() {
  const cells = [...view.tree.start, ...view.tree.line().map(node => node.cell)];
  const nodes = byId("node-limit").value, lines = Number(byId("line-count").value);
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

// Whether the move to this node cost its side much, by the review or the analysis before and after it.
export function isMistake(node) {
  if (view.coach.moves.has(node)) return view.coach.isMistake(node);
  const before = blackShare(view.tree, node.parent), after = blackShare(view.tree, node);
  if (before === null || after === null) return false;
  return (view.tree.toMove(node) ? before - after : after - before) >= MISTAKE;
}
