// What comes into a study and goes out of it: texts, pictures and games.

import {copyText} from "../shared/clipboard.js";
import {server} from "../net/connection.js";
import {byId, make} from "../dom.js";
import {parseLink} from "../board/notation.js";
import {lastBrain} from "../play/home.js";
import {nameOf} from "./state.js";
import {ownName} from "../shared/preferences.js";
import {announce, complain} from "../shared/status.js";
import {Tree} from "./tree.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("./state.js").Study} Study
 * @typedef {"sgf" | "psq" | "pos" | "svg" | "png" | "gif"} Format
 */

/**
 * @param {Study} study
 * @param {string} text
 * @param {(tree: Tree) => void} replace shows another study
 */
export async function importText(study, text, replace) {
  try {
    study.imported = await readText(text);
  } catch (error) {
    complain(error);
    return;
  }
  const {imported} = study;
  byId("imported").replaceChildren(...imported.length > 1 ? imported.map(tree => {
    const button = make("button", {type: "button"}, tree.title || `${tree.width} × ${tree.height}`);
    button.addEventListener("click", () => replace(tree));
    return make("li", {}, button);
  }) : []);
  replace(imported[0]);
  announce(say("imported", {games: imported.length, moves: study.tree.line().length}));
}

/**
 * The studies in a text of any kind. Links of this page are read here, the server reads all other texts.
 * @param {string} text
 */
async function readText(text) {
  const link = parseLink(text.trim().replace(/^https?:\/\/[^#]*/, ""));
  if (link) return [treeOfLink(link)];
  return (await server.ask({type: "import", text: text.replace("\ufeff", "")})).games.map(Tree.fromJson);
}

/**
 * @param {Study} study
 * @param {import("./drawing.js").StudyPanel} panel
 * @param {Format} format
 */
export async function exportAs(study, panel, format) {
  if (study.free && !["svg", "png"].includes(format)) return announce(say("set_up_first"));
  const {makeGif, makePng, makeSvgText, saveFile} = await import("../board/picture.js");
  const {tree} = study, svg = panel.grid.drawing(), name = `tengen-${tree.width}x${tree.height}`;
  if (format === "svg") return svg && saveFile(makeSvgText(svg), `${name}.svg`, "image/svg+xml");
  if (format === "png") return svg && saveFile(await makePng(svg), `${name}.png`, "image/png");
  if (format === "gif") {
    announce(say("drawing"));
    saveFile(await makeGif(drawLine(tree, panel, makeSvgText)), `${name}.gif`, "image/gif");
    return announce(say("drawn"));
  }
  const content = format === "sgf" ? {study: tree.toJson()} : {position: tree.position(tree.line().at(-1) ?? tree.root)};
  return server.ask({type: "export", format, ...content}).then(
    answer => saveFile(answer.text, `${name}.${format === "pos" ? "txt" : format}`, "text/plain"),
    complain);
}

/**
 * The drawings of the line from the current position on, of the whole line where that is its end.
 * @param {Tree} tree
 * @param {import("./drawing.js").StudyPanel} panel
 * @param {(svg: SVGSVGElement) => string} toText makes a text of a drawing
 */
function drawLine(tree, panel, toText) {
  const here = tree.current;
  /** @type {import("./tree.js").Node[]} */
  const nodes = [tree.root, ...tree.line()];
  const texts = nodes.slice(here.children.length ? nodes.indexOf(here) : 0).flatMap(node => {
    tree.current = node;
    panel.drawBoard();
    const svg = panel.grid.drawing();
    return svg ? [toText(svg)] : [];
  });
  tree.current = here;
  panel.drawBoard();
  return texts;
}

/**
 * One line goes as the names of its moves, which other boards read; a tree goes as SGF.
 * @param {Study} study
 */
export function copyGame(study) {
  if (study.free) return announce(say("set_up_first"));
  const {tree} = study, cells = [...tree.start, ...tree.line().map(node => node.cell)];
  if (!tree.hasMore()) return copyText(cells.map(cell => nameOf(study, cell)).join(""), null);
  return server.ask({type: "export", format: "sgf", study: tree.toJson()}).then(answer => copyText(answer.text, null),
    complain);
}

/**
 * The position of a link, with the moves that follow it.
 * @param {import("../board/notation.js").Link} link
 */
export function treeOfLink(link) {
  const {width, height, rule, cells, ply} = link, tree = new Tree({width, height, rule});
  tree.add(cells);
  for (let count = 0; count < ply; count++) tree.forward();
  return tree;
}

/**
 * A position after further moves.
 * @param {import("../net/exchange.js").Position} position
 * @param {import("../board.js").Cell[]} cells
 */
export function treeOfPosition({moves, ...board}, cells) {
  const tree = new Tree(board);
  tree.add([...moves, ...cells]);
  tree.last();
  return tree;
}

/**
 * A game that was played, with its comments, from where it stands.
 * @param {import("../net/messages.js").State} state
 */
export function treeOfGame({game, width, height, rule, moves, comments, set_up: setUp}) {
  const cells = moves.map(move => move.cell), tree = Tree.fromJson({width, height, rule, moves: cells});
  /** @type {import("./tree.js").Node[]} */
  const nodes = [tree.root, ...tree.path()];
  for (const {ply, text} of comments) nodes[ply].comment = text;
  tree.source = JSON.stringify(tree.toJson());  // the game is kept anyhow
  tree.played = {game, cells, setUp};
  return tree;
}

/**
 * The settings of a game from the current position on: the player has the side to move, a brain the other.
 * @param {Tree} tree
 * @param {import("../net/messages.js").WantedSeat} brain
 * @returns {import("../net/messages.js").WantedSettings}
 */
export function settingsFrom(tree, brain = lastBrain()) {
  const {width, height, rule} = tree, me = {kind: /** @type {const} */ ("local"), name: ownName()};
  return {
    width, height, rule, opening: "free", clock: null, start: tree.cells(), drawn_by_lot: false, from: null,
    ...tree.toMove() ? {black: brain, white: me} : {black: me, white: brain},
  };
}
