// The preferences that this browser remembers, under one key that no release changes. Games are never kept here.

const KEY = "tengen";

/** @returns {Record<string, unknown>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") ?? {};
  } catch {
    return {};  // a browser may refuse storage, or have a text of another program
  }
}

const chosen = {
  values: read(),
  /** @type {Record<string, unknown>} the choices that storage refused; they last until the page is closed */
  refused: {},
};

// Another page of this board has made a choice.
globalThis.addEventListener?.("storage", ({key}) => { if (key === KEY) refresh(); });

function refresh() {
  chosen.values = {...read(), ...chosen.refused};
}

/**
 * The earlier choice, or `otherwise`. The stored value has the type of `otherwise`, unless another program wrote it.
 * @template T
 * @param {string} name
 * @param {T} otherwise
 */
export const preference = (name, otherwise) => /** @type {T} */ (chosen.values[name] ?? otherwise);

/**
 * Keeps one choice, and leaves the others as other pages may have made them meanwhile.
 * @param {string} name
 * @param {unknown} value that JSON can hold
 */
export function setPreference(name, value) {
  chosen.refused[name] = value;
  refresh();
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen.values));
    chosen.refused = {};
  } catch { /* the choice stays with the refused ones */ }
}

// The player's name, for games with others and for the list of games; "" for none.
export const ownName = () => preference("name", "");

/**
 * The way of playing by touch: "at-once", "confirm", "slide", or "auto", by the size of the cells.
 * @returns {string}
 */
export const touchChoice = () => preference("touch", "auto");

export const QUIZZES_ASKED = "quizzesOnly";  // the name of the choice of quizzes: "" for all, "mistakes" or "lines"
