// What this browser remembers, under one key that no release changes: preferences only, never a game.

const KEY = "tengen";

/** @returns {Record<string, unknown>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") ?? {};
  } catch {
    return {};  // a browser may refuse storage, or hold what another program wrote
  }
}

const values = read();

/**
 * What was chosen before, or `otherwise`. What is stored has the kind of `otherwise`, unless another program wrote it.
 * @template T
 * @param {string} name
 * @param {T} otherwise
 */
export const preference = (name, otherwise) => /** @type {T} */ (values[name] ?? otherwise);

/**
 * @param {string} name
 * @param {unknown} value that JSON can hold
 */
export function setPreference(name, value) {
  values[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // Then it holds until the page is closed.
  }
}

/**
 * How a touch plays: "at-once", "confirm", "slide", or "auto", by the size of the cells.
 * @returns {string}
 */
export const touchChoice = () => preference("touch", "auto");
