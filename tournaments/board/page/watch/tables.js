// The tables beside the boards: the players with their ratings, each against each, and the last results.

import {byId, find, make, setText} from "../dom.js";
import {formatNumber, formatSigned, say} from "../shared/i18n.js";
import {crossTable, formatPoints, scoreOf} from "./state.js";

const WIDEST = 400;  // Elo; a wider interval says nothing, and would make all others small

/**
 * @typedef {import("../net/messages.js").Tournament} Tournament
 * @typedef {import("../net/messages.js").StandingJson} Standing
 * @typedef {import("../net/messages.js").FinishedJson} Finished
 */

/** @param {Finished} game */
export const tellOver = ({number, black, white, winner, reason}) =>
  say("live_over", {number, black, white, score: scoreOf(winner), reason});

/** @param {Standing} player */
export const intervalOf = ({elo, margin}) => [elo - Math.min(margin ?? WIDEST, WIDEST), elo + Math.min(margin ?? WIDEST, WIDEST)];

/**
 * The players: their places, names, ratings with intervals, and points.
 * @param {Tournament} said
 * @param {number | null} chosen the number of the player in the graph
 * @param {(id: number) => void} choose
 */
export function fillTable({players}, chosen, choose) {
  const table = byId("live-table"), focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.player : "";
  const ends = players.flatMap(intervalOf), low = Math.min(...ends), span = Math.max(1, Math.max(...ends) - low);
  const hasFaults = players.some(({faults}) => faults > 0);
  byId("live-faults").hidden = !hasFaults;
  table.replaceChildren(...players.map(player => {
    const {id, place, name, elo, margin, points, games, wins, losses, draws, faults} = player;
    const button = make("button", {type: "button", class: "plain", "data-player": id, "aria-pressed": id === chosen}, name);
    button.addEventListener("click", () => choose(id));
    const bar = make("span", {class: "rating", "aria-hidden": "true"}, make("i"), make("b")), [from, to] = intervalOf(player);
    bar.style.setProperty("--at", String((elo - low) / span));
    bar.style.setProperty("--from", String((from - low) / span));
    bar.style.setProperty("--to", String((to - low) / span));
    bar.classList.toggle("is-open", margin === null || margin > WIDEST);
    return make("tr", {}, make("td", {}, place), make("th", {scope: "row"}, button), make("td", {}, bar),
      make("td", {class: "elo"}, make("b", {}, formatSigned(elo)), margin === null ? "" : ` ± ${formatNumber(margin)}`),
      make("td", {title: say("live_wins", {wins, losses, draws})}, `${formatPoints(points)}/${games}`),
      ...hasFaults ? [make("td", {}, faults)] : []);
  }));
  if (focused) table.querySelector(/** @type {"button"} */ (`button[data-player="${focused}"]`))?.focus();
}

/**
 * The points of the row against the column. Only cells that have changed are written anew, as long as the places stay.
 * @param {Tournament} said
 */
export function fillCross({players, cross}) {
  const table = crossTable(cross), body = byId("live-cross"), order = players.map(({id}) => id).join();
  if (body.dataset.order !== order) {
    body.dataset.order = order;
    byId("live-columns").replaceChildren(make("td"), ...players.map(({place, name}) => make("th", {scope: "col", title: name}, place)));
    body.replaceChildren(...players.map(({place, name}) => make("tr", {},
      make("th", {scope: "row"}, make("span", {class: "soft"}, place), " ", name), ...players.map(() => make("td")))));
  }
  players.forEach((player, row) => {
    const cells = body.children[row].children;
    players.forEach((opponent, column) => {
      const cell = /** @type {HTMLElement} */ (cells[column + 1]);
      const found = table.get(`${player.id} ${opponent.id}`);
      const text = found ? `${formatPoints(found.points)}–${formatPoints(found.games - found.points)}` : "";
      cell.classList.toggle("self", player === opponent);
      if (cell.textContent === text) return;
      setText(cell, text);
      cell.title = `${player.name} – ${opponent.name}`;
      if (found) cell.style.setProperty("--won", String(found.points / found.games));
    });
  });
}

/**
 * The last results, the newest first, each a link to its game.
 * @param {Tournament} said
 * @param {number | null} chosen the number of the game on the large board
 */
export function fillLast({last}, chosen) {
  for (const id of ["live-finished", "live-one-finished"]) {
    const list = byId(id), focused = document.activeElement;
    // By their words: after a change of the language these are others, first ours and then the server's.
    const known = new Map([...list.children].map(item => [find(item, ".told").textContent, item]));
    list.replaceChildren(...last.map(game => known.get(tellOver(game)) ?? makeResult(game)));
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();  // the move has taken the focus away
    for (const item of list.children) {
      const link = find(item, "a");
      if (Number(link.dataset.game) === chosen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
  byId("live-no-last").hidden = last.length > 0;
}

/** @param {Finished} game */
function makeResult(game) {
  const {number, black, white, winner, reason} = game;
  const names = [black, white].map((name, colour) => make(winner === colour ? "b" : "span", {}, make("i", {class: colour ? "stone-white" : "stone-black"}), " ", name));
  const seen = [
    make("span", {class: "soft"}, number), make("span", {class: "names"}, names[0], " ", make("b", {class: "score"}, scoreOf(winner)), " ", names[1]),
    make("span", {class: "soft why"}, reason),
  ];
  for (const part of seen) part.setAttribute("aria-hidden", "true");
  return make("li", {}, make("a", {href: `/live#${number}`, "data-game": number}, make("span", {class: "hidden told"}, tellOver(game)), ...seen));
}
