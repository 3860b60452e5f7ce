// The results of a review: how accurate each side was, and the mistakes, in the order and of the side that one wants.

import {byId, make, setText} from "../dom.js";
import {accuracyOf, phasesOf, WHOLE} from "./accuracy.js";
import {firstMistake, listMistakes, ownColour} from "./coaching.js";
import {drawLegend} from "./dots.js";
import {countLabels, countMistakes, describeFindings, sortMistakes} from "./moves.js";
import {formatShare} from "../study/evaluation.js";
import {preference, setPreference} from "../shared/preferences.js";
import {colourName, formatDate, say, sayLabelled} from "../shared/i18n.js";

/**
 * @typedef {import("./coaching.js").Coaching} Coaching
 * @typedef {import("./coaching.js").Mistake} Mistake
 * @typedef {"worst" | "game"} Order of the mistakes
 * @typedef {"both" | "own" | "black" | "white"} Side whose mistakes are wanted
 */

/** @type {Side[]} */
const SIDES = ["both", "own", "black", "white"];

const order = () => preference("mistakeOrder", /** @type {Order} */ ("worst"));

/**
 * The colour whose mistakes are wanted, null for both. Only one's own are wanted only where the game has one person.
 * @param {Coaching} coaching
 */
export function wantedColour(coaching) {
  const side = preference("mistakeSide", /** @type {Side} */ ("both"));
  return side === "own" ? ownColour(coaching) : side === "both" ? null : side === "white" ? 1 : 0;
}

/** @param {() => void} changed is called after another choice */
export function prepareReport(changed) {
  const orders = byId("mistake-order", HTMLSelectElement), sides = byId("mistake-side", HTMLSelectElement);
  orders.addEventListener("change", () => {
    setPreference("mistakeOrder", orders.value);
    changed();
  });
  sides.addEventListener("change", () => {
    setPreference("mistakeSide", sides.value);
    changed();
  });
}

/**
 * Writes the results; nothing before there is a review.
 * @param {Coaching} coaching
 * @param {(mistake: Mistake) => Element} describe
 * @param {(node: import("../study/tree.js").Node) => void} go shows a position
 */
export function drawReport(coaching, describe, go) {
  const {reviewed} = coaching;
  byId("review-report").hidden = byId("review-findings").hidden = !reviewed;
  byId("coach-words").hidden = reviewed !== null;
  byId("finding-count").hidden = true;
  byId("mistakes").replaceChildren();
  if (!reviewed) return;
  const {moves} = reviewed.review, {black, white} = countMistakes(moves), own = ownColour(coaching), {wanted} = coaching;
  setText(byId("finding-count"), black + white);
  byId("finding-count").hidden = !(black + white);
  setText(byId("review-made"), say("review_made", {date: formatDate(reviewed.made)}));
  byId("review-counts").replaceChildren(...[0, 1].map(colour => make("li", {}, countLabels(moves, colour))));
  drawFindings(coaching, go);
  drawLegend();
  drawAccuracy(moves, own);
  drawChoices(own);
  const listed = listMistakes(coaching).filter(({move}) => wanted === null || move.colour === wanted);
  byId("mistakes").replaceChildren(...sortMistakes(listed, order() === "worst").map(describe));
  byId("no-mistakes").hidden = listed.length > 0;
}

/**
 * A line for each player, one's own first, which leads to the player's first mistake.
 * @param {Coaching} coaching
 * @param {(node: import("../study/tree.js").Node) => void} go
 */
function drawFindings(coaching, go) {
  const own = ownColour(coaching), moves = coaching.reviewed?.review.moves ?? [];
  byId("review-findings").replaceChildren(...(own ? [1, 0] : [0, 1]).map(colour => {
    const first = firstMistake(coaching, colour);
    const words = [make("i", {class: colour ? "stone-white" : "stone-black"}),
      make("span", {}, make("b", {}, sayLabelled(nameOf(colour, own), "")), describeFindings(moves, colour))];
    if (!first) return make("li", {class: "finding-of"}, ...words);
    const button = make("button", {type: "button", class: "plain finding-of"}, ...words);
    button.addEventListener("click", () => go(first));
    return make("li", {}, button);
  }));
}

/**
 * @param {import("../net/messages.js").ReviewedMove[]} moves
 * @param {number | null} own
 */
function drawAccuracy(moves, own) {
  const phases = [...phasesOf(moves), WHOLE];
  byId("accuracy-head").replaceChildren(make("td"), ...phases.map(phase =>
    make("th", {scope: "col"}, say(`phase_${phase.name}`))));
  byId("accuracy").replaceChildren(...[0, 1].map(colour => make("tr", {},
    make("th", {scope: "row"}, make("i", {class: colour ? "stone-white" : "stone-black"}), ` ${nameOf(colour, own)}`),
    ...phases.map(phase => {
      const {share, mistakes} = accuracyOf(moves, colour, phase);
      return make("td", {}, share === null ? "–" : formatShare(share),
        ...mistakes ? [" ", make("span", {class: "soft"}, say("phase_mistakes", {count: mistakes}))] : []);
    }))));
}

/** @param {number | null} own the colour of the one person in the game */
function drawChoices(own) {
  const orders = byId("mistake-order", HTMLSelectElement), sides = byId("mistake-side", HTMLSelectElement);
  const chosen = preference("mistakeSide", /** @type {Side} */ ("both"));
  orders.value = order();
  sides.replaceChildren(...SIDES.filter(side => side !== "own" || own !== null).map(side =>
    make("option", {value: side}, say(`mistakes_${side}`, {colour: colourName(own ?? 0)}))));
  sides.value = chosen === "own" && own === null ? "both" : chosen;
}

/**
 * @param {number} colour
 * @param {number | null} own
 */
const nameOf = (colour, own) => colour === own ? say("side_you", {colour: colourName(colour)}) : colourName(colour);
