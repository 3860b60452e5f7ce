// The known moves of a position as a list: the share of each, how its games ended, notes, and its replies when asked for.

import {cellName, isSame} from "../board.js";
import {make} from "../dom.js";
import {makeIcon} from "../shared/icons.js";
import {bookOf, countGames, figureOf, keyOf, positionAfter, resultsOf, searchOf} from "./state.js";
import {colourName, formatNumber, say, sayList} from "../shared/i18n.js";

const DEEPEST = 6;  // replies within replies that can be listed

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./state.js").Book} Book
 * @typedef {import("./state.js").BookMove} BookMove
 * @typedef {import("./state.js").Openings} Openings
 * @typedef {import("./state.js").Position} Position
 *
 * @typedef {object} Actions what a click on something in the list does
 * @property {(cells: Cell[]) => void} take plays moves
 * @property {(cells: Cell[]) => void} preview shows moves on the board, [] for none
 * @property {(position: Position) => void} unfold lists the replies to the last move of the position, or hides them
 */

/**
 * The list of the known moves of a position.
 * @param {Openings} openings
 * @param {Position} position
 * @param {Book} book
 * @param {Actions} actions
 */
export function makeMoves(openings, position, book, actions) {
  const list = make("ol", {class: `book-moves ${hasGames(book) ? "" : "no-games"}`});
  list.append(...rowsOf(openings, position, [], book, actions));
  list.addEventListener("pointerleave", () => actions.preview([]));
  list.addEventListener("focusout", event => list.contains(/** @type {Element | null} */ (event.relatedTarget)) || actions.preview([]));
  return list;
}

/** @param {Book} book */
const hasGames = ({moves}) => moves.some(move => countGames(move) > 0);

/**
 * The heads of the columns.
 * @param {Book} book
 * @param {number} mover
 */
export function makeHeads(book, mover) {
  const results = hasGames(book) ? say("book_results") : say("book_shares");
  const heads = [say("book_move"), hasGames(book) ? say("book_games") : "", results, say("book_share", {colour: colourName(mover)})];
  return heads.map(text => make("span", {}, text));
}

/**
 * @param {Openings} openings
 * @param {Position} root the position of the whole list
 * @param {Cell[]} line moves from there to the position of these rows
 * @param {Book} book
 * @param {Actions} actions
 * @returns {HTMLLIElement[]}
 */
function rowsOf(openings, root, line, book, actions) {
  const position = positionAfter(root, line), mover = position.moves.length % 2;
  return book.moves.map(move => {
    const cells = [...line, move.cell], after = positionAfter(root, cells), name = cellName(move.cell, root.height);
    const isOpen = openings.unfolded.has(keyOf(after));
    const fold = make("button", {
      type: "button", class: "fold", "aria-expanded": isOpen, "aria-label": say("book_replies", {cell: name}), title: say("book_replies", {cell: name}),
    });
    fold.append(makeIcon("forward"));
    fold.addEventListener("click", () => actions.unfold(after));
    if (line.length >= DEEPEST) fold.disabled = true;
    const isOwn = [move.cell, ...move.same].some(cell => book.own.some(each => isSame(each, cell)));
    const row = make("button", {type: "button", class: "book-move"}, ...columnsOf(move, mover, name), ...factsOf(move, root.height, isOwn));
    for (const event of ["pointerenter", "focus"]) row.addEventListener(event, () => actions.preview(cells));
    row.addEventListener("click", () => actions.take(cells));
    const item = make("li", {}, make("div", {class: "book-row"}, fold, row)), replies = isOpen ? bookOf(openings, after) : null;
    if (replies?.moves.length) item.append(make("ol", {}, ...rowsOf(openings, root, cells, replies, actions)));
    else if (replies) item.append(make("p", {class: "soft"}, say("book_no_replies")));
    return item;
  });
}

/**
 * @param {BookMove} move
 * @param {number} mover
 * @param {string} name
 */
function columnsOf(move, mover, name) {
  const count = countGames(move), results = resultsOf(move, mover), {record} = move;
  const figure = make("span", {class: `figure ${record?.mate ? record.mate < 0 ? "lost" : "won" : ""}`}, figureOf(record));
  if (record?.kind === "proved") figure.prepend(makeIcon("proved"));
  return [make("b", {}, name), make("span", {class: "games"}, count ? formatNumber(count) : ""), makeBar(results, count > 0), figure];
}

/**
 * Black's part from the left, White's from the right.
 * @param {[number, number, number] | null} results
 * @param {boolean} hasWords true for the results of games
 */
function makeBar(results, hasWords) {
  if (!results) return make("span");
  const [black, drawn, white] = results.map(part => Math.round(part * 100));
  const bar = make("span", {class: "results"}, ...[black, drawn, white].map((part, index) =>
    make("i", {}, hasWords && index !== 1 && part >= 15 ? `${part}%` : "")));
  for (const [index, part] of results.entries()) {
    const piece = bar.children[index];
    if (piece instanceof HTMLElement) piece.style.setProperty("--part", String(part));
  }
  if (hasWords) bar.setAttribute("title", say("book_results_words", {black, drawn, white}));
  return bar;
}

/**
 * The line below a move: its notes, the search behind the score, and the moves that are the same by symmetry.
 * @param {BookMove} move
 * @param {number} height
 * @param {boolean} isOwn true for a move of the owner's own lines
 */
function factsOf({record, notes, same}, height, isOwn) {
  const facts = isOwn ? [say("line_own")] : [];
  const {title, text, label, mark, board_text: onStone} = notes;
  if (label) facts.push(labelName(label));
  if (mark) facts.push(say("book_mark"));
  facts.push(...[title, onStone, text.length > 80 ? `${text.slice(0, 80)}…` : text].filter(Boolean));
  if (record?.kind === "set") facts.push(say("book_set"));
  facts.push(...searchOf(record));
  if (same.length) facts.push(say("book_same", {cells: sayList(same.map(cell => cellName(cell, height)))}));
  return facts.length ? [make("span", {class: "facts"}, facts.join(" · "))] : [];
}

const LABELS = ["w", "l", "d", "!", "x"];
/** @type {Record<string, string>} */
const LABEL_KEYS = {w: "book_label_wins", l: "book_label_loses", d: "book_label_draws", "!": "book_label_good", x: "book_label_bad"};

/**
 * A judgement of the last move in words; another program's own judgement as it is.
 * @param {string} label
 */
export const labelName = label => Object.hasOwn(LABEL_KEYS, label) ? say(LABEL_KEYS[label]) : label;

/**
 * The choices of a judgement, with the one that a position has.
 * @param {string} chosen
 */
export const makeLabels = chosen => ["", ...LABELS, ...chosen && !LABELS.includes(chosen) ? [chosen] : []].map(label =>
  make("option", {value: label, ...label === chosen ? {selected: ""} : {}}, label ? labelName(label) : say("book_label_none")));
