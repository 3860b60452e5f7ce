// Tabs: one of the parts of a panel is shown. The arrows go from tab to tab; the list is one stop of the Tab key.

import {byId, find} from "../dom.js";

/** @param {HTMLElement} tab */
const panelOf = tab => byId(tab.getAttribute("aria-controls") ?? "");

/**
 * @param {Element} list
 * @returns {HTMLElement[]}
 */
const tabsOf = list => [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[role=tab]"))];

/** @param {HTMLElement} tab */
function choose(tab) {
  const list = tab.closest("[role=tablist]");
  if (!list || tab.getAttribute("aria-selected") === "true") return;
  for (const each of tabsOf(list)) {
    const isChosen = each === tab;
    each.setAttribute("aria-selected", String(isChosen));
    each.tabIndex = isChosen ? 0 : -1;
    panelOf(each).hidden = !isChosen;
  }
  panelOf(tab).dispatchEvent(new Event("shown"));
}

// Every list of tabs on the page is made to work.
export function prepareTabs() {
  for (const list of document.querySelectorAll("[role=tablist]")) {
    const tabs = tabsOf(list);
    for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
    list.addEventListener("keydown", event => {
      const key = event instanceof KeyboardEvent && !event.ctrlKey && !event.altKey && !event.metaKey ? event.key : "";
      const at = tabs.findIndex(tab => tab === document.activeElement), last = tabs.length - 1;
      /** @type {Record<string, number>} */
      const places = {ArrowLeft: at ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last};
      if (at < 0 || !Object.hasOwn(places, key)) return;
      event.preventDefault();
      choose(tabs[places[key]]);
      tabs[places[key]].focus();
    });
  }
}

/**
 * Calls `act` each time a part comes to be shown.
 * @param {string} id
 * @param {() => void} act
 */
export const onShown = (id, act) => byId(id).addEventListener("shown", act);

/**
 * Shows the part that has an element in it.
 * @param {string} id of the element
 */
export function showTabOf(id) {
  const part = byId(id).closest("[role=tabpanel]");
  if (part) choose(find(document, `[aria-controls="${part.id}"]`));
}

/**
 * Gives the focus to an element, which another tab may have hidden.
 * @param {string} id
 */
export function focusIn(id) {
  showTabOf(id);
  byId(id).focus();
}

/**
 * Moves a part that scrolls so that an element within it is in the middle. This waits for the next frame, because to
 * measure between changes lets a browser lay out the page once more.
 * @param {HTMLElement} element
 */
export const bringIntoView = element => { requestAnimationFrame(() => centre(element)); };

/** @param {HTMLElement} element */
function centre(element) {
  const sheet = element.closest(".sheet");
  if (!sheet) return;
  const box = element.getBoundingClientRect(), around = sheet.getBoundingClientRect();
  if (box.top < around.top || box.bottom > around.bottom) sheet.scrollTop += box.top + box.height / 2 - around.top - around.height / 2;
}
