// The status line at the foot of the page, which a screen reader speaks by itself.

import {byId, setText} from "../dom.js";
import {say} from "./i18n.js";

/**
 * Says a text. If it comes twice in a row, a space is added, because the same text would not be spoken again.
 * @param {string} text
 */
export function announce(text) {
  const line = byId("status");
  setText(line, line.textContent === text ? `${text} ` : text);
}

/**
 * The sentence about an error: its reason, or that there is no connection.
 * @param {unknown} error
 */
export const reasonOf = error => error instanceof Error && error.message || say("no_connection");

/**
 * Says why something did not work.
 * @param {unknown} error
 */
export const complain = error => announce(reasonOf(error));
