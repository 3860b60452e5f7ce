// Clicks on buttons whose place another button takes at once.

/**
 * Calls `act` at a click, but not at the second click of a double click, and not again while a key is held down: both may
 * reach a button that has just taken the place of the first one, and that asks for something else.
 * @template {HTMLElement} E
 * @param {E} button
 * @param {() => void} act
 */
export function onSingleClick(button, act) {
  button.addEventListener("click", event => { if (event.detail < 2) act(); });
  button.addEventListener("keydown", event => { if (event.repeat && event.key === "Enter") event.preventDefault(); });
  return button;
}
