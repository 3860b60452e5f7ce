// Clicks on buttons whose place another button takes at once.

/**
 * Calls `act` at a click, but not at the second click of a double click: it may fall on a button that has just taken the
 * place of the first one, and that asks for something else.
 * @template {HTMLElement} E
 * @param {E} button
 * @param {() => void} act
 */
export function onSingleClick(button, act) {
  button.addEventListener("click", event => { if (event.detail < 2) act(); });
  return button;
}
