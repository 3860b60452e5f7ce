// What comes into a study and goes out of it, as text and as pictures.

import {copyText} from "../shared/clipboard.js";
import {server} from "../net/connection.js";
import {byId, make} from "../dom.js";
import {drawBoard} from "./drawing.js";
import {parseLink} from "../board/notation.js";
import {makeGif, makePng, makeSvgText, saveFile} from "../board/picture.js";
import {announce, complain} from "../shared/status.js";
import {Tree} from "./tree.js";
import {nameOf, parts, replace, view} from "./view.js";
import {say} from "../shared/i18n.js";

/** @typedef {"sgf" | "psq" | "pos" | "svg" | "png" | "gif"} Format */

/** @param {string} text */
export async function importText(text) {
  try {
    view.imported = await readText(text);
  } catch (error) {
    complain(error);
    return;
  }
  byId("imported").replaceChildren(...view.imported.length > 1 ? view.imported.map(study => {
    const button = make("button", {type: "button"}, study.title || `${study.width} × ${study.height}`);
    button.addEventListener("click", () => replace(study));
    return make("li", {}, button);
  }) : []);
  replace(view.imported[0]);
  announce(say("imported", {games: view.imported.length, moves: view.tree.line().length}));
}

/**
 * The studies in a text of any kind. Links as this page has them in its address are read here, the server reads the rest.
 * @param {string} text
 */
async function readText(text) {
  const link = parseLink(text.trim().replace(/^https?:\/\/[^#]*/, ""));
  if (link) {
    const study = new Tree(link);
    study.add(link.cells);
    for (let count = 0; count < link.ply; count++) study.forward();
    return [study];
  }
  return (await server.ask({type: "import", text: text.replace("\ufeff", "")})).games.map(Tree.fromJson);
}

/** @param {Format} format */
export async function exportAs(format) {
  if (view.free && !["svg", "png"].includes(format)) return announce(say("set_up_first"));
  const svg = parts.grid.drawing();
  const name = `tengen-${view.tree.width}x${view.tree.height}`;
  if (format === "svg") return svg && saveFile(makeSvgText(svg), `${name}.svg`, "image/svg+xml");
  if (format === "png") return svg && saveFile(await makePng(svg), `${name}.png`, "image/png");
  if (format === "gif") {
    announce(say("drawing"));
    saveFile(await makeGif(drawLine()), `${name}.gif`, "image/gif");
    return announce(say("drawn"));
  }
  const content = format === "sgf" ? {study: view.tree.toJson()} : {position: view.tree.position(view.tree.line().at(-1) ?? view.tree.root)};
  return server.ask({type: "export", format, ...content}).then(
    answer => saveFile(answer.text, `${name}.${format === "pos" ? "txt" : format}`, "text/plain"),
    complain);
}

// The drawings of the line from the current position on, of the whole line where that is its end.
function drawLine() {
  const here = view.tree.current;
  /** @type {import("./tree.js").Node[]} */
  const nodes = [view.tree.root, ...view.tree.line()];
  const texts = nodes.slice(here.children.length ? nodes.indexOf(here) : 0).flatMap(node => {
    view.tree.current = node;
    drawBoard();
    const svg = parts.grid.drawing();
    return svg ? [makeSvgText(svg)] : [];
  });
  view.tree.current = here;
  drawBoard();
  return texts;
}

// One line goes as the names of its moves, which other boards read; a tree goes as SGF.
export function copyGame() {
  if (view.free) return announce(say("set_up_first"));
  const cells = [...view.tree.start, ...view.tree.line().map(node => node.cell)];
  if (!view.tree.hasMore()) return copyText(cells.map(nameOf).join(""), null);
  return server.ask({type: "export", format: "sgf", study: view.tree.toJson()}).then(answer => copyText(answer.text, null),
    complain);
}
