// The one line that a screen reader speaks by itself, which is also seen at the foot of the page.

import {byId, setText} from "../dom.js";
import {say} from "./i18n.js";

/**
 * Says a text. One that comes twice in a row differs by a space, or it would not be spoken again.
 * @param {string} text
 */
export function announce(text) {
  const line = byId("status");
  setText(line, line.textContent === text ? `${text} ` : text);
}

/**
 * What is said of an error: its reason, or that there is no connection.
 * @param {unknown} error
 */
export const reasonOf = error => error instanceof Error && error.message || say("no_connection");

/**
 * Says why something did not work.
 * @param {unknown} error
 */
export const complain = error => announce(reasonOf(error));
