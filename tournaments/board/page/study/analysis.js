// What the engine is asked about a study: the analysis, its move, threats, and stones that make a game even.

import {server} from "../net/connection.js";
import {byId, make} from "../dom.js";
import {drawBoard, showAnalysis, showPreview, showTree, takeLine} from "./drawing.js";
import {formatShare, makeLine} from "./evaluation.js";
import {announce} from "../shared/status.js";
import {colourName, moved, nameOf, view} from "./view.js";
import {say} from "../shared/i18n.js";


const ENGINE_NODES = 200000;  // for a move that is asked for without an analysis
const LINE_NODES = 50000;     // for each position of a whole line
const PAUSE = 250;            // milliseconds from one position to the next that is analysed, for a key that is held down

let askedAt = 0;              // when the last analysis was asked for, by performance.now()
let timer = 0;                // of the one that is to be asked for

// Analysis

export function toggleThinking() {
  if (view.isThinking) stopThinking();
  else think();
  showAnalysis();
}

export function think(nodes, node = view.tree.current) {
  if (view.free) return announce(say("set_up_first"));
  clearTimeout(timer);
  askedAt = performance.now();
  view.isThinking = true;
  view.request += 1;
  view.asked = node;
  server.send({
    type: "analyse", id: `analysis ${view.request}`, position: view.tree.position(node), lines: Number(byId("line-count").value),
    nodes: nodes ?? (Number(byId("node-limit").value) || null), brain: byId("analysis-brain").value || "tengen",
  });
  return undefined;
}

// Analyses the position that is shown now: at once, or, while one is shown after the other, when that comes to rest.
export function follow() {
  clearTimeout(timer);
  if (performance.now() - askedAt > PAUSE) return think();
  askedAt = performance.now();
  timer = setTimeout(() => think(), PAUSE);
  return undefined;
}

// Looks at every position of the line, one after the other, for the graph.
export function thinkOfAll() {
  stopThinking();
  view.waiting = [view.tree.root, ...view.tree.line()].filter(node => !node.analysis?.done);
  thinkOfNext();
  showAnalysis();
}

function thinkOfNext() {
  const node = view.waiting?.shift();
  if (node) think(Number(byId("node-limit").value) || LINE_NODES, node);
  else view.waiting = null;
}

export function stopThinking() {
  clearTimeout(timer);
  if (view.isThinking) server.send({type: "stop"});
  view.isThinking = view.playsBest = false;
  view.waiting = null;
  view.request += 1;
  if (view.isOpen) showAnalysis();
}

export function receive(message) {
  if (message.id !== `analysis ${view.request}` || !view.asked) return;
  view.asked.analysis = message;
  if (message.done) {
    view.isThinking = false;
    thinkOfNext();
    const best = message.lines[0]?.moves[0];
    if (view.playsBest && best && view.asked === view.tree.current) {
      view.playsBest = false;
      playBest(best);
      return;
    }
  }
  // Who reads a line with the pointer or the keyboard on it goes on reading it.
  if (view.preview && !message.done) return;
  showAnalysis();
  drawBoard();
  if (message.done) showTree();
}

// Takes a refusal that may be one of an analysis.
export function refuse(message) {
  if (message.id !== `analysis ${view.request}`) return;
  view.isThinking = view.playsBest = false;
  // A position that is decided has no analysis; those after it in the list may have one.
  thinkOfNext();
  if (view.isOpen) showAnalysis();
}

function playBest(cell) {
  view.tree.play(cell);
  announce(say("played", {colour: colourName(1 - view.tree.toMove()), cell: nameOf(cell)}));
  moved();
}

export function playEngineMove() {
  const best = view.tree.current.analysis?.lines[0]?.moves[0];
  if (best) return playBest(best);
  view.playsBest = true;
  if (!view.isThinking) think(Number(byId("node-limit").value) || ENGINE_NODES);
  showAnalysis();
}

function askStudy(message, use) {
  if (view.free) return announce(say("set_up_first"));
  stopThinking();
  const node = view.tree.current;
  announce(say("looking"));
  server.ask({...message, position: view.tree.position()}).then(answer => {
    if (node === view.tree.current && answer.type !== "stopped") use(answer);
  }, error => announce(error.message || say("no_connection")));
  return undefined;
}

export function findThreats() {
  askStudy({type: "threats"}, ({wins}) => {
    const words = wins.map(({colour, kind}) =>
      say(colour === view.tree.toMove() ? `win_${kind}` : `threat_${kind}`, {colour: colourName(colour)}));
    announce(words.join(" ") || say("no_threats"));
    byId("findings").replaceChildren(make("ul", {}, ...wins.map(({moves, colour}, index) => {
      const isOwn = colour === view.tree.toMove();
      return makeLine([make("span", {class: "said"}, words[index])], moves, view.tree.height,
        count => showPreview(moves, count, colour), count => isOwn && takeLine(moves, count));
    })));
    if (!wins.length) byId("findings").replaceChildren(make("p", {class: "soft"}, say("no_threats")));
  });
}

export function findBalance(stones) {
  askStudy({type: "balance", stones}, ({cells, win}) => {
    view.balanced = cells;
    const share = formatShare(view.tree.cells().length + cells.length & 1 ? 1 - win : win);
    const words = say("balance_found", {cells: cells.map(nameOf).join(" "), share});
    announce(words);
    byId("findings").replaceChildren(make("p", {class: "soft"}, words));
    drawBoard();
  });
}
