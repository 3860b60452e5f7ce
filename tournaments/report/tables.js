// Help for tables: columns that sort, and a hint if a part of the table is out of sight.

import {make} from "./dom.js";
import {compareTexts} from "./list.js";

/**
 * Puts buttons into the heads of a table. `sort` does the sorting; its sign -1 is for the largest first.
 * @param {HTMLTableElement} table
 * @param {(column: number) => boolean} startsWithLargest
 * @param {(column: number, sign: number) => void} sort
 */
export function addSortButtons(table, startsWithLargest, sort) {
  const heads = [...table.tHead?.rows[0].cells ?? []];
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    const button = make("button", {type: "button", class: "sort"}, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort") ?? (startsWithLargest(column) ? "ascending" : "descending");
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", before === "ascending" ? "descending" : "ascending");
      sort(column, before === "ascending" ? -1 : 1);
    });
  });
}

/**
 * The value by which a cell is sorted: a number if it begins with one, its text otherwise; "" and "-" come last.
 * @param {HTMLElement} cell
 */
function sortKey(cell) {
  const text = sortText(cell);
  const number = parseFloat(text);
  return Number.isNaN(number) ? text === "-" ? "" : text : number;
}

/** @param {HTMLElement} cell */
const sortText = cell => cell.dataset.sort ?? (cell.textContent ?? "").trim();

/** @param {HTMLTableElement} table */
function makeSortable(table) {
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead?.rows[0].cells ?? []];
  /** @param {number} column */
  const isNumber = column => rows.some(row => typeof sortKey(row.cells[column]) === "number") && !("text" in heads[column].dataset);
  addSortButtons(table, isNumber, (column, sign) => {
    // A name that begins with a number is still text.
    const keyOf = isNumber(column) ? sortKey : sortText;
    const keys = new Map(rows.map(row => [row, keyOf(row.cells[column])]));
    table.tBodies[0].append(...rows.toSorted((a, b) => {
      const [x, y] = [keys.get(a) ?? "", keys.get(b) ?? ""];
      if (x === "" || y === "") return Number(x === "") - Number(y === "");
      return sign * (typeof x === "number" && typeof y === "number" ? x - y : compareTexts(String(x), String(y)));
    }));
  });
}

/**
 * @param {HTMLElement} frame
 * @param {string} label
 */
function watchFrame(frame, label) {
  const box = frame.firstElementChild, table = box?.firstElementChild;
  if (!box || !table) return;
  const update = () => {
    const isCut = box.scrollWidth > box.clientWidth + 1;
    frame.classList.toggle("cut", isCut);
    frame.classList.toggle("more", isCut && box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
    if (!isCut) box.removeAttribute("tabindex");
    // A frame that scrolls must also scroll by the keyboard.
    else for (const [key, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", label]]) {
      box.setAttribute(key, value);
    }
  };
  box.addEventListener("scroll", update, {passive: true});
  const observer = new ResizeObserver(update);
  observer.observe(box);
  observer.observe(table);
}

/**
 * @param {string} label the name of a table that scrolls sideways
 * @param {string} hint a sentence above such a table, which the style sheet shows
 */
export function prepareTables(label, hint) {
  /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.sortable")).forEach(makeSortable);
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".frame")).forEach(frame => {
    frame.dataset.hint = hint;
    watchFrame(frame, label);
  });
}
