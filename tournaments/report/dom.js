// Making elements, in the report and on the page for players. Text from outside becomes only the content of text nodes,
// and only through `make` and `setText`, which show it by the rule of files/text.py.

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, string>} */
const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z", last: "M11 3h2v10h-2zM3 3v10l7-5z",
  back: "M10.5 2.5L5 8l5.5 5.5 1.4-1.4L7.8 8l4.1-4.1z", forward: "M5.5 2.5L11 8l-5.5 5.5-1.4-1.4L8.2 8 4.1 3.9z",
  play: "M4 2.5L13 8l-9 5.5z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
};

/** @typedef {Record<string, string | number | boolean>} Attributes */

/**
 * The element with this id, which the page has. Throws if it has none, or one of another kind.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind] its class, if the caller needs more than an Element
 * @returns {T}
 */
export function byId(id, kind) {
  return checked(document.getElementById(id), kind, `#${id}`);
}

/**
 * The first element within `root` that a selector finds. Throws if there is none, or one of another kind.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function find(root, selector, kind) {
  return checked(root.querySelector(selector), kind, selector);
}

/**
 * @template {Element} T
 * @param {Element | null} element
 * @param {(new () => T) | undefined} kind
 * @param {string} name
 * @returns {T}
 */
function checked(element, kind, name) {
  if (!element || kind && !(element instanceof kind)) throw new Error(`the page has no ${kind?.name ?? "element"} ${name}`);
  return /** @type {T} */ (element);
}

/**
 * The element that an event is about, or the nearest around it that the selector finds.
 * @param {Event} event
 * @param {string} [selector]
 * @returns {HTMLElement | null}
 */
export function targetOf(event, selector = "*") {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

// eslint-disable-next-line no-control-regex -- these are meant
const SPACES = /[\t-\r\x1c-\x1f\x85\p{Z}]/gu;
// eslint-disable-next-line no-misleading-character-class -- joiners by themselves
const UNSAFE = /(?![\u200c\u200d\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * The text as it is shown, by the rule that tournaments/files/text.py describes.
 * @param {unknown} text
 */
export const printable = text => String(text).replace(SPACES, " ").replace(UNSAFE, "\ufffd");

/**
 * @param {Element} element
 * @param {unknown} text
 */
export function setText(element, text) {
  element.textContent = printable(text);
}

/**
 * A new element; those of `children` that are not elements become texts.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} attributes
 * @param {...(Node | string | number)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, attributes = {}, ...children) {
  const element = setAttributes(document.createElement(name), attributes);
  element.append(...children.map(child => child instanceof Node ? child : printable(child)));
  return element;
}

/**
 * A new element of a drawing, at the end of `parent`.
 * @template {keyof SVGElementTagNameMap} K
 * @param {Element} parent
 * @param {K} name
 * @param {Attributes} attributes
 * @param {string | number} [text]
 * @returns {SVGElementTagNameMap[K]}
 */
export function draw(parent, name, attributes, text) {
  const element = setAttributes(document.createElementNS(SVG, name), attributes);
  if (text !== undefined) element.textContent = String(text);
  parent.append(element);
  return element;
}

/** @param {Attributes} attributes */
export function makeSvg(attributes) {
  return setAttributes(document.createElementNS(SVG, "svg"), attributes);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @returns {T}
 */
function setAttributes(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/**
 * @param {Element} button
 * @param {string} name of the table of icons
 */
export function setIcon(button, name) {
  button.replaceChildren();
  draw(draw(button, "svg", {class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true"}), "path", {d: ICONS[name]});
}

/**
 * The player's mark: its shape, in its colour.
 * @param {{colour: string, shape: string}} player
 */
export function makeMark(player) {
  const mark = makeSvg({class: `shape ${player.colour}`, viewBox: "-1.3 -1.3 2.6 2.6", "aria-hidden": "true"});
  draw(mark, "path", {d: player.shape});
  return mark;
}
