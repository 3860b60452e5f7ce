// What the page says: in a line that a screen reader speaks by itself, and for the eyes in the panel of each view.

import {byId, setText} from "../dom.js";
import {say} from "./i18n.js";

/**
 * Says a text. If it comes twice in a row, a space is added, because the same text would not be spoken again.
 * @param {string} text
 * @param {string} seen what the panel shows of it: the rest can be seen elsewhere
 */
export function announce(text, seen = text) {
  const line = byId("status");
  setText(line, line.textContent === text ? `${text} ` : text);
  for (const shown of document.querySelectorAll(".said")) setText(shown, seen);
}

/**
 * Says what a view shows by itself. If the player has left the view before the server answered, this says nothing.
 * @param {{isOpen: boolean}} view
 * @param {string} text
 */
export function announceIn(view, text) {
  if (view.isOpen) announce(text, "");
}

/**
 * A text is shown elsewhere now: the panel need not show it twice.
 * @param {string} text
 */
export function isSeenElsewhere(text) {
  for (const shown of document.querySelectorAll(".said")) if (shown.textContent === text) setText(shown, "");
}

// Another view or another position is shown: what was said is not about it.
export function clearStatus() {
  for (const shown of [byId("status"), ...document.querySelectorAll(".said")]) setText(shown, "");
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
