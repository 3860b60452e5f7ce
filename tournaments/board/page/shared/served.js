// What the server wrote into the page itself, so that the first view waits for no further answer.

import {byId} from "../dom.js";

/**
 * @typedef {object} Served
 * @property {string} library tells which library is served here, see net/identity.js
 * @property {Record<string, {name: string, file: string, more: string}>} languages by tag: their names, the address of the
 *   words that the first views need, and that of all others
 * @property {{level: number, rating: number}[]} levels
 * @property {import("../net/messages.js").State | null} game the game of the address, as anybody may see it
 */

/** @returns {Served} */
export const served = () => JSON.parse(byId("served").textContent ?? "");
