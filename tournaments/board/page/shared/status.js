// The one line that a screen reader speaks by itself, which is also seen at the foot of the page.

import {byId, setText} from "../dom.js";

/**
 * Says a text. One that comes twice in a row differs by a space, or it would not be spoken again.
 * @param {string} text
 */
export function announce(text) {
  const line = byId("status");
  setText(line, line.textContent === text ? `${text} ` : text);
}
