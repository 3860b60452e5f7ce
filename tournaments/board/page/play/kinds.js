// The levels as kinds of players: cards on the front page, each with what the level is like.

import {find, make} from "../dom.js";
import {say} from "../shared/i18n.js";

/** @typedef {{level: number, rating: number}} Rated a level and its strength in Elo, relative to full strength */

const KINDS = [1, 3, 5, 7, 10];  // one of two levels has a card
const BARS = 5;

/**
 * The levels on the cards, with the chosen one in the place of the nearest.
 * @param {number | null} chosen
 */
export function levelsOnCards(chosen) {
  if (chosen === null || KINDS.includes(chosen)) return KINDS;
  const nearest = KINDS.reduce((best, each) => Math.abs(each - chosen) < Math.abs(best - chosen) ? each : best);
  return KINDS.map(each => each === nearest ? chosen : each);
}

/** @param {number} level */
export const nameOfLevel = level => say(`level_name_${level}`);

/**
 * How often a level wins against the next one, in percent to the nearest 5; null for the last level.
 * @param {number} level
 * @param {Rated[]} ratings
 */
export function winsAgainstNext(level, ratings) {
  const [own, next] = [level, level + 1].map(wanted => ratings.find(each => each.level === wanted)?.rating);
  if (own === undefined || next === undefined) return null;
  return Math.round(20 / (1 + 10 ** ((next - own) / 400))) * 5;
}

/** @param {number} level */
function makeMeter(level) {
  const bars = Array.from({length: BARS}, (_, place) => make("i", place * 2 < level ? {class: "is-on"} : {}));
  return make("span", {class: "meter", "aria-hidden": "true"}, ...bars);
}

/**
 * Shows the cards, the chosen level's as chosen; null for an opponent without a level.
 * @param {HTMLElement} holder
 * @param {number | null} chosen
 */
export function showKinds(holder, chosen) {
  const levels = levelsOnCards(chosen), key = `${levels} ${document.documentElement.lang}`;
  const hadFocus = holder.contains(document.activeElement);
  if (holder.dataset.key !== key) {  // else the focus stays on the card that was clicked
    holder.dataset.key = key;
    holder.replaceChildren(...levels.map(level => make("label", {class: "kind"},
      make("input", {type: "radio", name: "kind", value: level}), makeMeter(level),
      make("small", {}, say("at_level", {level})), make("b", {}, nameOfLevel(level)),
      make("span", {class: "words"}, say(`level_is_${level}`)))));
  }
  for (const level of levels) {
    const card = find(holder, `[value="${level}"]`, HTMLInputElement);
    card.checked = level === chosen;
    if (card.checked && hadFocus) card.focus();  // other cards may have taken the place of the one that had it
  }
}
