// What the engine is asked about a study: the analysis, its move, threats, and stones that make a game even.

import {server} from "../net/connection.js";
import {byId, make} from "../dom.js";
import {drawBoard, showAnalysis, showPreview, showTree, takeLine} from "./drawing.js";
import {formatShare, makeLine} from "./evaluation.js";
import {announce, complain} from "../shared/status.js";
import {moved, nameOf, view} from "./view.js";
import {colourName, say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./tree.js").Node} Node
 */

const ENGINE_NODES = 200000;  // for a move that is asked for without an analysis
const LINE_NODES = 50000;     // for each position of a whole line
const PAUSE = 250;            // milliseconds from one position to the next that is analysed, for a key that is held down

const nodeLimit = () => Number(byId("node-limit", HTMLSelectElement).value) || null;

export function toggleThinking() {
  if (view.isThinking) stopThinking();
  else think();
  showAnalysis();
}

/**
 * Analyses a position, up to a number of nodes.
 * @param {number | null} nodes null for no limit
 * @param {Node} node
 */
export function think(nodes = nodeLimit(), node = view.tree.current) {
  if (view.free) return announce(say("set_up_first"));
  clearTimeout(view.timer);
  view.askedAt = performance.now();
  view.isThinking = true;
  view.request += 1;
  view.asked = node;
  server.send({
    type: "analyse", id: `analysis ${view.request}`, position: view.tree.position(node), nodes,
    lines: Number(byId("line-count", HTMLSelectElement).value), brain: byId("analysis-brain", HTMLSelectElement).value || "tengen",
  });
}

// Analyses the position that is shown now: at once, or, while one is shown after the other, when that comes to rest.
export function follow() {
  clearTimeout(view.timer);
  if (performance.now() - view.askedAt > PAUSE) return think();
  view.askedAt = performance.now();
  view.timer = setTimeout(() => think(), PAUSE);
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
  if (node) think(nodeLimit() ?? LINE_NODES, node);
  else view.waiting = null;
}

export function stopThinking() {
  clearTimeout(view.timer);
  if (view.isThinking) server.send({type: "stop"});
  view.isThinking = view.playsBest = false;
  view.waiting = null;
  view.request += 1;
  if (view.isOpen) showAnalysis();
}

/** @param {import("../net/exchange.js").Analysis} message */
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

/**
 * Takes a refusal that may be one of an analysis.
 * @param {{id?: number | string}} message
 */
export function refuse(message) {
  if (message.id !== `analysis ${view.request}`) return;
  view.isThinking = view.playsBest = false;
  // A position that is decided has no analysis; those after it in the list may have one.
  thinkOfNext();
  if (view.isOpen) showAnalysis();
}

/** @param {Cell} cell */
function playBest(cell) {
  view.tree.play(cell);
  announce(say("played", {colour: colourName(1 - view.tree.toMove()), cell: nameOf(cell)}));
  moved();
}

export function playEngineMove() {
  const best = view.tree.current.analysis?.lines[0]?.moves[0];
  if (best) return playBest(best);
  view.playsBest = true;
  if (!view.isThinking) think(nodeLimit() ?? ENGINE_NODES);
  showAnalysis();
}

/**
 * Asks about the position that is shown; `use` gets the answer, if it is shown then still.
 * @template {{type: string}} T
 * @param {(position: import("../net/exchange.js").Position) => Promise<T>} ask
 * @param {(answer: Exclude<T, {type: "stopped"}>) => void} use
 */
function askStudy(ask, use) {
  if (view.free) return announce(say("set_up_first"));
  stopThinking();
  const node = view.tree.current;
  announce(say("looking"));
  ask(view.tree.position()).then(answer => {
    if (node === view.tree.current && answer.type !== "stopped") use(/** @type {Exclude<T, {type: "stopped"}>} */ (answer));
  }, complain);
}

export function findThreats() {
  askStudy(position => server.ask({type: "threats", position}), ({wins}) => {
    const words = wins.map(({colour, kind}) =>
      say(colour === view.tree.toMove() ? `win_${kind}` : `threat_${kind}`, {colour: colourName(colour)}));
    announce(words.join(" ") || say("no_threats"));
    byId("findings").replaceChildren(make("ul", {}, ...wins.map(({moves, colour}, index) => {
      const isOwn = colour === view.tree.toMove();
      return makeLine([make("span", {class: "said"}, words[index])], moves, view.tree.height,
        count => showPreview(moves, count, colour), count => { if (isOwn) takeLine(moves, count); });
    })));
    if (!wins.length) byId("findings").replaceChildren(make("p", {class: "soft"}, say("no_threats")));
  });
}

/** @param {number} stones one or two */
export function findBalance(stones) {
  askStudy(position => server.ask({type: "balance", stones, position}), ({cells, win}) => {
    view.balanced = cells;
    const share = formatShare(view.tree.cells().length + cells.length & 1 ? 1 - win : win);
    const words = say("balance_found", {cells: cells.map(nameOf).join(" "), share});
    announce(words);
    byId("findings").replaceChildren(make("p", {class: "soft"}, words));
    drawBoard();
  });
}
