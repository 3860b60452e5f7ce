// How elements are made, in the report and on the page for players. Text from outside only ever becomes the content of
// text nodes, and only through `make` and `setText`, which show it by the rule of files/text.py.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z", last: "M11 3h2v10h-2zM3 3v10l7-5z",
  back: "M10.5 2.5L5 8l5.5 5.5 1.4-1.4L7.8 8l4.1-4.1z", forward: "M5.5 2.5L11 8l-5.5 5.5-1.4-1.4L8.2 8 4.1 3.9z",
  play: "M4 2.5L13 8l-9 5.5z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
};

export const byId = id => document.getElementById(id);

const SPACES = /[\t-\r\x1c-\x1f\x85\p{Z}]/gu;
const UNSAFE = /(?![\u200c\u200d\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Cs}]/gu;

// The text as it is shown, by the rule that tournaments/files/text.py describes.
export const printable = text => String(text).replace(SPACES, " ").replace(UNSAFE, "\ufffd");

export function setText(element, text) {
  element.textContent = printable(text);
}

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.map(child => child instanceof Node ? child : printable(child)));
  return element;
}

export function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

export function makeSvg(attributes) {
  const element = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function setIcon(button, name) {
  button.replaceChildren();
  draw(draw(button, "svg", {class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true"}), "path", {d: ICONS[name]});
}

// The player's mark: its shape, in its colour.
export function makeMark(player) {
  const mark = makeSvg({class: `shape ${player.colour}`, viewBox: "-1.3 -1.3 2.6 2.6", "aria-hidden": "true"});
  draw(mark, "path", {d: player.shape});
  return mark;
}
