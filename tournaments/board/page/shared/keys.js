// The keys: one table of their actions, which can be switched off one by one, and the help that lists them.

import {byId, make, targetOf} from "../dom.js";
import {preference, setPreference} from "./preferences.js";
import {say} from "./i18n.js";

/**
 * Names of actions to the keys that do them, as the help shows them; the first is the main one.
 * @type {Record<string, string[]>}
 */
export const KEYS = {
  back: ["←", "k"], forward: ["→", "j"], first: ["Home", "0"], last: ["End", "$"],
  previous_variation: ["↑"], next_variation: ["↓"], previous_fork: ["Shift ←"], next_fork: ["Shift →"],
  previous_game: ["PgUp"], next_game: ["PgDn"], undo: ["Ctrl z", "u"], redo: ["Ctrl y", "Ctrl Shift z"], copy: ["Ctrl c"], paste: ["Ctrl v"],
  think: ["Space"], engine_move: ["Enter"], balance_one: ["b"], balance_two: ["B"], turn: ["f"], mirror: ["F"],
  next_mistake: ["n"], previous_mistake: ["N"], show_lines: ["l"], show_threats: ["x"], show_marks: ["a"], show_losses: ["d"], autoplay: ["p"], help: ["?"],
  stop: ["Esc"],
};
// The keys of the board while it has the focus.
export const BOARD_KEYS = {last_move: "l", this_cell: "o", clocks: "t", evaluation: "c", best_move: "g", move_box: "i"};

/** @type {Record<string, string>} */
const NAMES = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", PageUp: "PgUp", PageDown: "PgDn", " ": "Space", Escape: "Esc",
};

/**
 * The name in the table for the key of an event.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey">} event
 */
export function nameKey(event) {
  const key = NAMES[event.key] ?? event.key, isArrow = key.length === 1 && "←→↑↓".includes(key);
  if (event.ctrlKey || event.metaKey) return `Ctrl ${event.shiftKey && key.length === 1 ? "Shift " : ""}${key.toLowerCase()}`;
  return event.shiftKey && isArrow ? `Shift ${key}` : key;
}

/** @param {string} key */
const isLetter = key => key.length === 1 && !"←→↑↓".includes(key);

// The actions whose keys are switched off.
const keysOff = () => preference("keysOff", /** @type {string[]} */ ([]));
/** @param {string} action */
const isOn = action => !keysOff().includes(action);
export const hasLetters = () => preference("letters", true);

const FIELDS = "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]";

/**
 * Calls `act(action)` for a key that is on; if that returns false, the key keeps its usual meaning.
 * @param {(action: string) => boolean} act
 */
export function listenToKeys(act) {
  document.addEventListener("keydown", event => {
    if (event.altKey || event.defaultPrevented || targetOf(event, FIELDS)) return;
    if (document.querySelector("dialog[open], :popover-open")) return;  // Escape closes these, and stops nothing behind them
    const key = nameKey(event);
    const isPressing = ["Space", "Enter"].includes(key) && targetOf(event, "button, a, summary, input");
    // A radio button has its own arrows, and so has a tab.
    if (isPressing || targetOf(event, "input[type=radio], [role=tab]") && !isLetter(key)) return;
    // A marked text is what Ctrl c copies.
    if (key === "Ctrl c" && String(getSelection())) return;
    const action = Object.keys(KEYS).find(name => KEYS[name].includes(key));
    if (!action || !isOn(action) || isLetter(key) && !hasLetters()) return;
    if (act(action)) event.preventDefault();
  });
}

export function fillHelp() {
  byId("keys").replaceChildren(...Object.entries(KEYS).map(([action, keys]) => {
    const box = make("input", {type: "checkbox", "aria-label": say(`key_${action}`)});
    box.checked = isOn(action);
    box.addEventListener("change", () => {
      const others = keysOff().filter(name => name !== action);
      setPreference("keysOff", box.checked ? others : [...others, action]);
    });
    const names = keys.flatMap((key, index) => index ? [" ", make("kbd", {}, key)] : [make("kbd", {}, key)]);
    return make("tr", {}, make("td", {}, box), make("td", {}, ...names), make("td", {}, say(`key_${action}`)));
  }));
  byId("board-keys").replaceChildren(...Object.entries(BOARD_KEYS).map(([action, key]) =>
    make("li", {}, make("kbd", {}, key), ` ${say(`board_key_${action}`)}`)));
  byId("letters", HTMLInputElement).checked = hasLetters();
}

export function prepareHelp() {
  byId("help-button").addEventListener("click", openHelp);
  const letters = byId("letters", HTMLInputElement);
  letters.addEventListener("change", () => setPreference("letters", letters.checked));
}

export function openHelp() {
  fillHelp();
  byId("help", HTMLDialogElement).showModal();
}
