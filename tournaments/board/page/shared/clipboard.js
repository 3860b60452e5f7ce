// Copying, and links that can be copied. The clipboard exists only on https and localhost; on other pages the text is
// selected, so that the player can copy it by hand.

import {make} from "../dom.js";
import {announce} from "./status.js";
import {say} from "./i18n.js";

/**
 * Copies the text; if that is not allowed, selects it in `field`. True if it was copied.
 * @param {string} text
 * @param {HTMLInputElement | null} field
 */
export async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    announce(say("copied"));
    return true;
  } catch {
    field?.focus();
    field?.select();
    announce(say("copy_by_hand"));
    return false;
  }
}

/**
 * A field with a link or a text, and a button that copies it.
 * @param {string} label
 * @param {string} text
 */
export function makeCopyField(label, text) {
  const field = make("input", {readonly: "", "aria-label": label, value: text});
  const button = make("button", {type: "button"}, say("copy"));
  button.addEventListener("click", () => copyText(field.value, field));
  field.addEventListener("focus", () => field.select());
  return make("div", {class: "copy"}, make("span", {class: "soft"}, label), field, button);
}
