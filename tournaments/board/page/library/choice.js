// The choice among the games of the list: what is looked for, and the page of the list.

/**
 * @typedef {import("../net/messages.js").GamesRequest} GamesRequest
 * @typedef {import("../net/messages.js").GameLine} GameLine
 *
 * @typedef {object} Choice
 * @property {string} find words that a game must fit
 * @property {string} player
 * @property {string} rule the number of a rule, "" for all
 * @property {string} result
 * @property {string} kind of the players
 * @property {string} day such as 2026-11-25
 * @property {number} skip the games before this page of the list
 * @property {number} most the games on a page
 */

export const FILTERS = /** @type {const} */ (["player", "rule", "result", "kind", "day"]);

/** @returns {Choice} */
export const allGames = () => ({find: "", player: "", rule: "", result: "", kind: "", day: "", skip: 0, most: 100});

/** @param {Choice} choice */
export const isChosen = choice => choice.find.trim() !== "" || FILTERS.some(name => choice[name] !== "");

/**
 * The message that asks for these games.
 * @param {Choice} choice
 * @returns {GamesRequest & {type: "games"}}
 */
export function requestOf({find, player, rule, result, kind, day, skip, most}) {
  return /** @type {GamesRequest & {type: "games"}} */ ({
    type: "games", find, player, rule: rule === "" ? null : Number(rule), result, kind, day, skip, most,
  });
}

/**
 * The choice after a step to another page of the list; the last page may be shorter.
 * @param {Choice} choice
 * @param {"first" | "back" | "forward" | "last"} step
 * @param {number} count of all games
 * @returns {Choice}
 */
export function turnPage(choice, step, count) {
  const {skip, most} = choice, last = Math.max(0, Math.ceil(count / most) - 1) * most;
  const wanted = {first: 0, back: skip - most, forward: skip + most, last}[step];
  return {...choice, skip: Math.max(0, Math.min(last, wanted))};
}

/**
 * The part of the list that is shown, counted from 1.
 * @param {Choice} choice
 * @param {number} shown the number of the games on the page
 */
export const pageOf = ({skip}, shown) => ({from: shown ? skip + 1 : 0, to: skip + shown});

/**
 * The players' names to choose from: those of the games that were listed, in the order of the alphabet.
 * @param {Set<string>} known
 * @param {GameLine[]} games
 * @param {string} language
 */
export function namesToChoose(known, games, language) {
  for (const {names} of games) for (const name of names) if (name) known.add(name);
  return [...known].sort(new Intl.Collator(language).compare);
}
