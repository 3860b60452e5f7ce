// How the page looks by the player's choice: light or dark, the board, and the stones. The style sheets read it from
// attributes of the root.

import {preference, setPreference} from "./preferences.js";

/**
 * What can be chosen, with the first value of each as the usual one.
 * @type {Record<"theme" | "board" | "stones", string[]>}
 */
export const LOOKS = {theme: ["system", "light", "dark"], board: ["wood", "paper", "dark"], stones: ["shell", "flat"]};

/** @typedef {keyof typeof LOOKS} Look */

/** @param {Look} name */
export function lookChosen(name) {
  const chosen = preference(name, LOOKS[name][0]);
  return LOOKS[name].includes(chosen) ? chosen : LOOKS[name][0];
}

export function applyLooks() {
  for (const name of /** @type {Look[]} */ (Object.keys(LOOKS))) document.documentElement.dataset[name] = lookChosen(name);
}

/**
 * @param {Look} name
 * @param {string} value
 */
export function chooseLook(name, value) {
  setPreference(name, value);
  applyLooks();
}
