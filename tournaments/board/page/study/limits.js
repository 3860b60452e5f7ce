// The limits of an analysis: the fields of its settings, which this browser remembers, and what a link says of them.

import {byId, make} from "../dom.js";
import {preference, setPreference} from "../shared/preferences.js";
import {formatNumber, say} from "../shared/i18n.js";

/**
 * @typedef {{lines: string, seconds: string, depth: string, nodes: string, threads: string, memory: string}} Choices the
 *   values of the fields; "" for no limit, and "all" lines for a value of every free cell
 * @typedef {{lines: number, seconds: number | null, depth: number | null, nodes: number | null, threads: number,
 *   memory: number}} Limits as the server is asked for them; memory in MiB
 * @typedef {import("../net/messages.js").AnalysisLimitsJson} Most what the server allows
 */

/** @type {Choices} */
export const USUAL = {lines: "3", seconds: "", depth: "", nodes: "", threads: "1", memory: "128"};
/** @type {Record<keyof Choices, string>} the ids of the fields */
const IDS = {
  lines: "line-count", seconds: "time-limit", depth: "depth-limit", nodes: "node-limit", threads: "thread-count", memory: "memory-size",
};
const NAMES = /** @type {(keyof Choices)[]} */ (Object.keys(IDS));
const RANGES = {seconds: [.1, 3600], depth: [1, 60]};  // as the server has them
const MEMORIES = [64, 128, 256, 512, 1024, 1536];

/**
 * A limit as it is used; null for none.
 * @param {"seconds" | "depth"} name
 * @param {string} text
 */
function readLimit(name, text) {
  const [least, most] = RANGES[name], number = Number(text);
  if (text === "" || isNaN(number)) return null;
  return Math.max(least, Math.min(most, name === "depth" ? Math.round(number) : number));
}

/**
 * The limits that the fields say, for a board of this size.
 * @param {Choices} choices
 * @param {import("../board.js").Size} size
 * @returns {Limits}
 */
export function limitsOf(choices, {width, height}) {
  const {lines, seconds, depth, nodes, threads, memory} = choices;
  return {
    lines: lines === "all" ? width * height : Number(lines), seconds: readLimit("seconds", seconds), depth: readLimit("depth", depth),
    nodes: Number(nodes) || null, threads: Number(threads) || 1, memory: Number(memory) || 128,
  };
}

/**
 * What a link says of limits by which anybody gets the same figures: only nodes count then, and one thread.
 * @param {Choices} choices
 * @param {string} signature of the engine
 */
export function formatLimits(choices, signature) {
  const {lines, nodes} = choices, others = /** @type {const} */ (["seconds", "depth", "threads", "memory"]);
  if (!nodes || lines === "all" || others.some(name => choices[name] !== USUAL[name])) return "";
  return `;n=${nodes}${lines === USUAL.lines ? "" : `;l=${lines}`}${signature ? `;v=${signature}` : ""}`;
}

/** @param {keyof Choices} name */
const fieldOf = name => /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(IDS[name]));

/**
 * What the fields say now.
 * @returns {Choices}
 */
export const choicesNow = () =>
  /** @type {Choices} */ (Object.fromEntries(NAMES.map(name => [name, fieldOf(name).value])));

/**
 * Chooses a value. A list gets it if it lacks it, such as a number of a link.
 * @param {keyof Choices} name
 * @param {string} value
 */
function choose(name, value) {
  const field = fieldOf(name);
  if (field instanceof HTMLSelectElement && ![...field.options].some(option => option.value === value)) {
    field.append(make("option", {value}, formatNumber(Number(value))));
  }
  field.value = value;
}

/** @param {() => void} changed is called after another choice */
export function prepareLimits(changed) {
  fillLimits(null);
  for (const name of NAMES) {
    choose(name, preference("analysis", USUAL)[name] ?? USUAL[name]);
    fieldOf(name).addEventListener("change", () => {
      if (name === "seconds" || name === "depth") choose(name, String(readLimit(name, fieldOf(name).value) ?? ""));
      // The other limits may have been chosen on another page, or come from a link.
      setPreference("analysis", {...preference("analysis", USUAL), [name]: fieldOf(name).value});
      changed();
    });
  }
  byId("usual-limits").addEventListener("click", () => {
    for (const name of NAMES) choose(name, USUAL[name]);
    setPreference("analysis", USUAL);
    changed();
  });
}

/**
 * The numbers of threads and of MiB that the server allows; a number that is chosen and is too large becomes the largest
 * one.
 * @param {Most | null} most null before the server has told it
 */
export function fillLimits(most) {
  const threads = most?.threads ?? 1, memory = most?.memory ?? Number(USUAL.memory);
  const counts = Array.from({length: threads}, (_, index) => index + 1).filter(count => count <= 8 || count % 4 === 0 || count === threads);
  const sizes = MEMORIES.filter(size => size <= memory);
  /** @type {(name: "threads" | "memory", numbers: number[], words: (number: number) => string) => void} */
  const fill = (name, numbers, words) => {
    const field = fieldOf(name), wanted = Number(field.value || USUAL[name]);
    field.replaceChildren(...numbers.map(number => make("option", {value: number}, words(number))));
    field.value = String(numbers.findLast(number => number <= wanted) ?? numbers[0]);
    field.disabled = numbers.length < 2;
  };
  fill("threads", counts, formatNumber);
  fill("memory", sizes, size => say("mebibytes", {size: formatNumber(size)}));
  const all = fieldOf("lines").querySelector("[value=all]");
  if (all instanceof HTMLOptionElement) all.hidden = all.disabled = most?.lines !== null;
  if (most?.lines && fieldOf("lines").value === "all") choose("lines", String(most.lines));
}

// After the language was chosen.
export function retellLimits() {
  for (const option of fieldOf("memory").querySelectorAll("option")) {
    option.textContent = say("mebibytes", {size: formatNumber(Number(option.value))});
  }
}

/**
 * Chooses the limits of an analysis that a link names. What more lines show depends on their number, so that it
 * belongs to the figures of the link.
 * @param {{nodes: number | null, lines: number | null}} link
 */
export function chooseLimits({nodes, lines}) {
  if (!nodes) return;
  for (const name of NAMES) choose(name, USUAL[name]);
  choose("nodes", String(nodes));
  choose("lines", String(lines ?? USUAL.lines));
}
