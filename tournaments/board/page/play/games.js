// The list of games on the front page: searched, opened, and deleted.

import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {onSingleClick} from "../shared/clicks.js";
import {Delay} from "../shared/delay.js";
import {titleOf} from "./home.js";
import {announce, complain} from "../shared/status.js";
import {formatDate, say} from "../shared/i18n.js";

/**
 * @typedef {{games: ListedGame[], more?: boolean, skip?: number, find?: string}} Games
 * @typedef {import("../net/messages.js").GameLine} ListedGame
 */

const FIND_PAUSE = 250;  // milliseconds without a letter until a search begins

const list = {
  /** @type {ListedGame[]} in the order of the list */
  games: [],
  sure: "",  // the id of the game whose deletion must be confirmed
};

const wanted = () => byId("find-games", HTMLInputElement).value;

export function prepareGames() {
  byId("more-games").addEventListener("click", () => askGames(list.games.length));
  const search = new Delay(() => askGames(), FIND_PAUSE);
  byId("find-games").addEventListener("input", () => search.restart());
}

/**
 * Asks for the games that are looked for; with `skip` for those that follow as many of them.
 * @param {number} skip
 */
export const askGames = (skip = 0) => server.send({type: "games", skip, find: wanted()});

/**
 * Shows the games that fit a search, or with `skip` those that follow as many in the list.
 * @param {Games} games `find` is what was looked for
 */
export function fillGames({games, more = false, skip = 0, find: found = ""}) {
  if (found !== wanted()) return;  // meanwhile others are looked for
  list.games = [...list.games.slice(0, skip), ...games];
  byId("more-games").hidden = !more;
  drawGames();
}

function drawGames() {
  byId("no-games").hidden = list.games.length > 0;
  setText(byId("no-games"), say(wanted().trim() ? "no_games_found" : "no_games"));
  byId("games-list").replaceChildren(...list.games.map(makeItem));
}

/**
 * The names of Black and of White in a game, as its owner knows them.
 * @param {ListedGame} game
 */
export function gameNames({names, kinds, levels}) {
  const isAlone = (/** @type {string} */ kind) => kinds.filter(each => each === kind).length === 1;  // two of them go by their colours
  return names.map((name, colour) => {
    const level = levels[colour], title = titleOf(name);
    if (name) return level ? say("brain_level_short", {brain: title, level}) : title;
    if (kinds[colour] === "local" && isAlone("local")) return say("you");
    return say(kinds[colour] === "friend" && isAlone("friend") ? "friend" : colour ? "white" : "black");
  });
}

/** @param {ListedGame} game */
function makeItem(game) {
  const names = gameNames(game);
  if (!game.broken) return make("li", {}, makeLink(game, names), makeDelete(game, names.join(" – ")));
  const words = `${say("game_broken")} · ${formatDate(game.created)}`;
  return make("li", {}, make("span", {class: "soft"}, words), makeDelete(game, words));
}

/**
 * @param {ListedGame} game
 * @param {string[]} names
 */
function makeLink({game, phase, plies, winner, rule, width, height, created}, names) {
  const isOver = phase === "over";
  const score = !isOver ? "" : winner === 0 ? "1–0" : winner === 1 ? "0–1" : "½–½";
  const words = `${say(`rule_${rule}`)} ${width} × ${height} · ${say(isOver ? "game_over" : "game_on", {plies})} · `
    + formatDate(created);
  return make("a", {href: `/g/${game}`},
    make("span", {class: "names"},
      make("i", {class: "stone-black"}), names[0], " – ", make("i", {class: "stone-white"}), names[1]),
    make("span", {class: "score"}, score), make("span", {class: "soft"}, words));
}

/**
 * The button that deletes a game with its second click.
 * @param {ListedGame} line
 * @param {string} title
 */
function makeDelete({game}, title) {
  const isSure = list.sure === game, words = say(isSure ? "delete_sure" : "delete");
  const button = make("button", {type: "button", "aria-label": `${words}: ${title}`, title: words, class: isSure ? "danger" : ""},
    isSure ? words : "×");
  return onSingleClick(button, () => isSure ? deleteGame(game) : askSure(game));
}

/** @param {string} game */
function askSure(game) {
  list.sure = game;
  drawGames();
  focusOn(byId("games-list").querySelector(".danger"));
}

/** @param {string} game */
async function deleteGame(game) {
  try {
    await server.ask({type: "delete_games", games: [game]});
  } catch (error) {
    complain(error);
    return;
  }
  const index = list.games.findIndex(each => each.game === game);
  list.games = list.games.filter(each => each.game !== game);
  drawGames();
  announce(say("game_deleted"));
  focusOn((byId("games-list").children[index] ?? byId("games-list").lastElementChild)?.querySelector("a, button") ?? byId("find-games"));
}

/** @param {Element | null} element */
function focusOn(element) {
  if (element instanceof HTMLElement) element.focus();
}
