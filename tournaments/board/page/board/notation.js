// Cells and positions as text: letters from the left, numbers from the bottom; and links to positions.

import {cellName} from "../board.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../board.js").Size} Size
 * @typedef {{width: number, height: number, rule: number, cells: Cell[], ply: number, nodes: number | null,
 *   lines: number | null, signature: string | null, study: string | null}} Link the content of a link to a position:
 *   `ply` of the `cells` are on the board, the others follow; limits of an analysis, the engine's signature, and the id
 *   of a kept study
 */

/**
 * The rules' names in links, by their numbers.
 * @type {Record<number, string>}
 */
export const RULES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "standard-caro"};

/**
 * The number of a rule, with the type for requests; other numbers must not come here.
 * @param {number} rule
 */
export const asRule = rule => /** @type {import("../net/messages.js").Rule} */ (rule);

/**
 * The cell that a text such as "h8" names, null if the board does not have it.
 * @param {string} text
 * @param {number} width
 * @param {number} height
 * @returns {Cell | null}
 */
export function parseCell(text, width, height) {
  const found = /^\s*([a-z])\s*(\d{1,2})\s*$/i.exec(text);
  if (!found) return null;
  const x = found[1].toLowerCase().charCodeAt(0) - 97, y = height - Number(found[2]);
  return x < width && y >= 0 && y < height ? [x, y] : null;
}

/**
 * @param {Cell[]} cells
 * @param {number} height
 */
export const formatCells = (cells, height) => cells.map(cell => cellName(cell, height)).join("");

/**
 * The link to a position: "#15/renju/h8i9j10.2", with the ply at its end where stones follow it.
 * @param {Size & {rule: number}} board
 * @param {Cell[]} cells
 * @param {number} ply
 */
export function formatLink({width, height, rule}, cells, ply) {
  const size = width === height ? `${width}` : `${width}x${height}`;
  return `#${size}/${RULES[rule]}/${formatCells(cells, height)}${ply < cells.length ? `.${ply}` : ""}`;
}

/**
 * Links to the same position on other boards, in order: [their name, the link]. They know only boards of 15 by 15.
 * @param {Size} board
 * @param {Cell[]} cells
 * @returns {[string, string][]}
 */
export function formatOtherLinks({width, height}, cells) {
  if (width !== 15 || height !== 15) return [];
  const portal = cells.map(cell => cell.map(part => part.toString(16)).join("")).join("");
  return [["gomocalc", `https://gomocalc.com/#/${formatCells(cells, height)}`],
    ["renjuportal", `https://www.renjuportal.com/board?mvs=${portal}`]];
}

/**
 * Decodes a part of an address, which may have any text, also a percent sign without a meaning.
 * @param {string} text
 */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The content of a link, null for another text. A bare "#/h8i9" is gomocalc's and means a freestyle board of 15.
 * @param {string} hash
 * @returns {Link | null}
 */
export function parseLink(hash) {
  const text = decode(hash.replace(/^#/, ""));
  const found = /^(?:(\d{1,2})(?:x(\d{1,2}))?\/([a-z-]+))?\/((?:[a-z]\d{1,2})*)(?:\.(\d+))?((?:;\w+=[\w.-]*)*)$/i.exec(text);
  if (!found) return null;
  const width = Number(found[1] ?? 15), height = Number(found[2] ?? width);
  const rule = Object.entries(RULES).find(([, name]) => name === (found[3] ?? "freestyle").toLowerCase())?.[0];
  if (rule === undefined || [width, height].some(side => side < 5 || side > 22)) return null;
  const names = found[4].match(/[a-z]\d+/gi) ?? [], cells = names.flatMap(name => {
    const cell = parseCell(name, width, height);
    return cell ? [cell] : [];
  });
  if (new Set(cells.map(String)).size < names.length) return null;
  const options = Object.fromEntries(found[6].split(";").filter(Boolean).map(part => part.split("=")));
  return {
    width, height, rule: Number(rule), cells, ply: Math.min(cells.length, Number(found[5] ?? cells.length)),
    nodes: Number(options.n) || null, lines: Number(options.l) || null, signature: options.v ?? null,
    study: options.s ?? null,
  };
}
