// The icons of the page: one family, drawn here on a grid of 20 with lines of 1.7 and round ends. Each stands beside its
// word, or on a button whose name is its word.

import {draw, makeSvg} from "../dom.js";

/**
 * A circle as a part of a path.
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const STAR = "M10 2.8l2.1 4.6 5 .6-3.7 3.4 1 4.9-4.4-2.5-4.4 2.5 1-4.9L2.9 8l5-.6z";

/**
 * Names to what is drawn as lines, and what is filled.
 * @type {Record<string, {line?: string, fill?: string}>}
 */
const ICONS = {
  play: {fill: ring(7.5, 7.5, 5), line: ring(12.7, 12.7, 4)},
  study: {line: "M6 4.5V16M6 11c5 0 8-.5 8-3", fill: ring(6, 3.6, 1.9) + ring(14.2, 7.6, 1.9) + ring(6, 16.4, 1.9)},
  puzzles: {line: ring(10, 10, 7) + ring(10, 10, 3.8), fill: ring(10, 10, 1.6)},
  quizzes: {line: "M4 3.5h12v13H4zM8 8.3c0-1.2.9-2 2-2s2 .8 2 1.8c0 1.5-2 1.5-2 2.8", fill: ring(10, 13.6, 0.9)},
  games: {line: "M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z"},
  live: {line: "M6 14a5.7 5.7 0 0 1 0-8M14 6a5.7 5.7 0 0 1 0 8M3.5 16.5a9.2 9.2 0 0 1 0-13M16.5 3.5a9.2 9.2 0 0 1 0 13", fill: ring(10, 10, 2)},
  watchers: {line: `M2 10c2-3.6 4.7-5.4 8-5.4s6 1.8 8 5.4c-2 3.6-4.7 5.4-8 5.4S4 13.6 2 10z${ring(10, 10, 2.2)}`},
  settings: {line: `M2.5 6.2h8M15 6.2h2.5${ring(12.8, 6.2, 2)}M2.5 13.8H5M9.4 13.8h8.1${ring(7.2, 13.8, 2)}`},
  help: {line: `${ring(10, 10, 7.3)}M7.9 7.9c.2-1.4 1-2 2.1-2 1.2 0 2.1.7 2.1 1.9 0 1.7-2.1 1.7-2.1 3.4`, fill: ring(10, 13.9, 1)},
  menu: {line: "M3 5.5h14M3 10h14M3 14.5h14"},
  first: {line: "M4.5 4.5v11", fill: "M15.5 4.5v11L6.5 10z"},
  back: {line: "M12.5 4L6.5 10l6 6"},
  forward: {line: "M7.5 4l6 6-6 6"},
  last: {line: "M15.5 4.5v11", fill: "M4.5 4.5v11l9-5.5z"},
  turn: {line: "M16 7.5A6.6 6.6 0 1 0 16.6 11M16.3 3.8v3.9h-3.9"},
  numbers: {line: `${ring(10, 10, 7.3)}M8.6 8l1.8-1.3v6.8`},
  undo: {line: "M7 4.5L3.5 8 7 11.5M3.8 8H12a4 4 0 0 1 0 8H8.5"},
  hint: {line: "M7.7 14.5c0-2-2.7-3-2.7-6.3a5 5 0 0 1 10 0c0 3.3-2.7 4.3-2.7 6.3zM8 17.5h4"},
  resign: {line: "M5 17.5v-14M5 4c3-1.8 5 1.5 10.5 0v7C10 12.5 8 9.2 5 11"},
  draw: {line: "M4 7.5h12M4 12.5h12"},
  pause: {line: "M7 4.5v11M13 4.5v11"},
  resume: {fill: "M6 4l10 6-10 6z"},
  move_now: {fill: "M3 4.5l7 5.5-7 5.5zM10 4.5l7 5.5-7 5.5z"},
  missed_win: {line: `${STAR}M3.5 16.5l13-13`},
  losing_move: {fill: "M3 4.5h14L10 16.5z"},
  blunder: {fill: "M10 2.5l7.5 7.5-7.5 7.5L2.5 10z"},
  mistake: {fill: "M10 3.5l6.5 6.5-6.5 6.5L3.5 10z"},
  inaccuracy: {line: ring(10, 10, 5.5)},
  won: {fill: STAR},
  proved: {line: "M4 10.5l4 4 8-9"},
};

/**
 * An icon of the table.
 * @param {string} name
 */
export function makeIcon(name) {
  const svg = makeSvg({class: `icon icon-${name}`, viewBox: "0 0 20 20", "aria-hidden": "true"}), {line, fill} = ICONS[name];
  if (line) draw(svg, "path", {class: "icon-line", d: line});
  if (fill) draw(svg, "path", {class: "icon-fill", d: fill});
  return svg;
}

/** @param {string} name */
export const hasIcon = name => Object.hasOwn(ICONS, name);

// Puts the icons into the elements of index.html that name one.
export function fillIcons() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-icon]"))) {
    element.prepend(makeIcon(element.dataset.icon ?? ""));
  }
}
