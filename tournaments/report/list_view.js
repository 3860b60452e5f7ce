// The drawing of the list of games, and of its filters.

import {byId, find, make, setText} from "./dom.js";
import {compareTexts, gamesOfPage, neighbour, PAGE, playerName} from "./list.js";
import {sayIn} from "./words.js";

/**
 * @typedef {import("./games.js").Data} Data
 * @typedef {import("./games.js").Game} Game
 * @typedef {import("./list.js").List<Game>} List
 * @typedef {import("./list.js").Filter} Filter
 * @typedef {import("./list.js").Filters} Filters
 */

/** @type {Record<string, string>} */
const RESULTS = {"0": "1–0", "1": "0–1", "-1": "½–½", "-2": "*"};

/**
 * The filters by their names in a link, and the elements that set them.
 * @type {Record<Filter, string>}
 */
const FIELDS = {brain: "brain", colour: "colour", opponent: "opponent", result: "outcome", ending: "ending", opening: "origin"};

/** @param {string} name */
const isFilter = name => Object.hasOwn(FIELDS, name);

/** @param {Filter} name */
const field = name => byId(FIELDS[name], HTMLSelectElement);

const NAMES = /** @type {Filter[]} */ (Object.keys(FIELDS));

/** @returns {Filters} */
export const filterValues = () => /** @type {Filters} */ (Object.fromEntries(NAMES.map(name => [name, field(name).value])));

/** @param {(name: Filter, field: HTMLSelectElement) => void} use */
export const eachFilter = use => NAMES.forEach(name => use(name, field(name)));

/**
 * Sets the filters to these values; a value that a filter does not have leaves all games.
 * @param {Iterable<[string, string]>} values
 */
export function setFilters(values) {
  const wanted = new Map([...values].filter(([name]) => isFilter(name)));
  eachFilter((name, select) => {
    select.value = wanted.get(name) ?? "";
    if (select.selectedIndex < 0) select.value = "";
  });
}

// Switches off the filters that need a brain: its colour, and its result.
export function limitFilters() {
  const hasBrain = field("brain").value !== "", results = field("result");
  for (const option of results.options) option.disabled = ["won", "lost"].includes(option.value) && !hasBrain;
  if (results.selectedOptions[0]?.disabled) results.value = "";
  field("colour").disabled = !hasBrain;
}

/**
 * Fills the current page of the list, and marks `chosen`, the game in the viewer.
 * @param {List} list
 * @param {Game | null} chosen
 * @param {Data} data
 */
export function fillList(list, chosen, data) {
  const {shown, page} = list, first = page * PAGE, games = gamesOfPage(list);
  byId("list").replaceChildren(...games.map(game => make("tr", {},
    make("td", {}, make("a", {href: `#game=${game.number}`}, game.number)),
    ...[0, 1].map(side => make("td", game.winner === side ? {class: "won"} : {}, playerName(data, game, side))),
    make("td", {}, RESULTS[game.winner]), make("td", {}, data.endings[game.ending]), make("td", {}, game.length),
    make("td", {}, game.origin))));
  setText(byId("count"), sayIn(data, "count", {games: shown.length}));
  find(document, "#games .pages").hidden = shown.length <= PAGE;
  byId("page-back", HTMLButtonElement).disabled = page === 0;
  byId("page-on", HTMLButtonElement).disabled = first + PAGE >= shown.length;
  setText(byId("page-shown"), sayIn(data, "page", {first: first + 1, last: first + games.length, games: shown.length}));
  box().scrollTop = 0;
  markRow(list, chosen);
}

const box = () => /** @type {HTMLElement} */ (byId("list").closest(".list"));
const rows = () => /** @type {HTMLElement[]} */ ([...byId("list").children]);

/**
 * The game of a row of the list; undefined for another element.
 * @param {List} list
 * @param {Element | null} row
 */
export const gameOfRow = (list, row) => gamesOfPage(list)[rows().findIndex(each => each === row)];

/**
 * Marks the row of the game in the viewer, and switches the buttons for the games above and below it.
 * @param {List} list
 * @param {Game | null} chosen
 */
export function markRow(list, chosen) {
  const games = gamesOfPage(list);
  rows().forEach((row, index) => {
    if (games[index] === chosen) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  });
  byId("previous", HTMLButtonElement).disabled = !neighbour(list, chosen, -1);
  byId("next", HTMLButtonElement).disabled = !neighbour(list, chosen, 1);
}

/**
 * Scrolls the list to the game, if it is on this page.
 * @param {List} list
 * @param {Game} game
 */
export function scrollToRow(list, game) {
  const row = rows()[gamesOfPage(list).indexOf(game)], around = box();
  if (!row) return;
  const isSeen = row.offsetTop > around.scrollTop + 40 && row.offsetTop < around.scrollTop + around.clientHeight - 40;
  if (!isSeen) around.scrollTop = row.offsetTop - around.clientHeight / 2;
}

/**
 * Fills the filters with the possible choices.
 * @param {Game[]} games
 * @param {Data} data
 */
export function fillFilters(games, data) {
  const {players, endings} = data, any = sayIn(data, "any");
  /** @type {(name: Filter, options: [string | number, string][]) => void} */
  const addOptions = (name, options) => field(name).append(...options.map(([value, text]) => make("option", {value}, text)));
  const names = players.map((player, index) => /** @type {[number, string]} */ ([index, player.name]));
  addOptions("brain", [["", any], ...names]);
  addOptions("opponent", [["", sayIn(data, "anyone")], ...names]);
  addOptions("result", [["", any], ["won", sayIn(data, "won")], ["lost", sayIn(data, "lost")], ["drawn", sayIn(data, "drawn")],
    ["black", sayIn(data, "black_won")], ["white", sayIn(data, "white_won")]]);
  if (games.some(game => game.winner === -2)) addOptions("result", [["unknown", sayIn(data, "not_known")]]);
  const seen = [...new Set(games.map(game => game.ending))].sort((a, b) => a - b);
  addOptions("ending", [["", any], ...seen.map(ending => /** @type {[number, string]} */ ([ending, endings[ending]]))]);
  const origins = [...new Set(games.map(game => String(game.origin)))].sort(compareTexts);
  addOptions("opening", [["", any], ...origins.map(origin => /** @type {[string, string]} */ ([origin, origin]))]);
}
