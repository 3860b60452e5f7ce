// Both sides of a watched game: a stone, a name and a clock for each.

import {find, make, setText} from "../dom.js";
import {formatClock, formatNumber, say} from "../shared/i18n.js";
import {timeOf} from "./state.js";

const SHORT = 10;  // seconds left, from which a clock is marked

/**
 * The time on a side's clock, and the word for left or used.
 * @param {{hasLimit: boolean, seconds: number}} time
 * @returns {[string, string]}
 */
export function tellTime({hasLimit, seconds}) {
  const face = hasLimit ? formatClock(seconds) : seconds < 60 ? say("live_seconds", {seconds: formatNumber(seconds, 1)})
    : formatClock(Math.floor(seconds));
  return [face, say(hasLimit ? "live_left" : "live_used")];
}

/** @param {number} colour */
export const makeSide = colour => make("span", {class: "side"}, make("i", {class: colour ? "stone-white" : "stone-black"}),
  make("b", {}), make("span", {class: "clock"}, make("time", {}), " ", make("span", {class: "soft"})));

/**
 * @param {Element} side
 * @param {import("./state.js").Watch} watch
 * @param {import("./state.js").RunningGame} running
 * @param {number} colour
 */
export function fillSide(side, watch, running, colour) {
  const time = timeOf(watch, running, colour, performance.now()), [face, kind] = time ? tellTime(time) : ["", ""];
  const texts = {b: running[colour ? "white" : "black"], time: face, ".soft": kind};
  for (const [selector, text] of Object.entries(texts)) {
    const element = find(side, selector);
    if (element.textContent !== text) setText(element, text);
    if (selector === "b") element.title = text;
  }
  side.classList.toggle("is-turn", Boolean(time?.isThinking));
  find(side, "time").classList.toggle("is-short", Boolean(time?.hasLimit && time.isThinking && time.seconds < SHORT));
}
