// The levels as kinds of players: cards on the front page, each with what the level is like and how strong it is.

import {find, make} from "../dom.js";
import {formatNumber, say} from "../shared/i18n.js";

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
 * The strength as a short text, to the nearest 50; it is the last level's that the others are compared with.
 * @param {number} level
 * @param {Rated[]} ratings
 */
export function eloOf(level, ratings) {
  const rating = ratings.find(each => each.level === level)?.rating ?? 0;
  return rating ? say("level_elo", {elo: formatNumber(Math.round(rating / 50) * 50)}) : say("level_elo_full");
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
 * @param {Rated[]} ratings
 */
export function showKinds(holder, chosen, ratings) {
  const levels = levelsOnCards(chosen), key = `${levels} ${ratings.length} ${document.documentElement.lang}`;
  const hadFocus = holder.contains(document.activeElement);
  if (holder.dataset.key !== key) {  // else the focus stays on the card that was clicked
    holder.dataset.key = key;
    holder.replaceChildren(...levels.map(level => make("label", {class: "kind"},
      make("input", {type: "radio", name: "kind", value: level}), makeMeter(level),
      make("small", {}, say("at_level", {level})), make("b", {}, nameOfLevel(level)),
      make("span", {class: "words"}, say(`level_is_${level}`)), make("small", {class: "elo"}, eloOf(level, ratings)))));
  }
  for (const level of levels) {
    const card = find(holder, `[value="${level}"]`, HTMLInputElement);
    card.checked = level === chosen;
    if (card.checked && hadFocus) card.focus();  // other cards may have taken the place of the one that had it
  }
}
