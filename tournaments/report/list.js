// The list of games: filters, order, and pages of it, so that ten thousand games are as quick as ten.

/**
 * @typedef {import("./games.js").Data} Data
 * @typedef {import("./games.js").Listed} Listed
 * @typedef {"brain" | "colour" | "opponent" | "result" | "ending" | "opening"} Filter
 * @typedef {Record<Filter, string>} Filters places of brains and endings as numbers; "" for a filter that leaves all
 */

/**
 * @template {Listed} T
 * @typedef {object} List
 * @property {T[]} games all of them
 * @property {T[]} shown the games that the filters leave, in the order of the list
 * @property {{column: number, sign: number}} order
 * @property {number} page the current page of the list, from 0
 */

export const PAGE = 100;

/** @type {Filters} */
export const NO_FILTERS = {brain: "", colour: "", opponent: "", result: "", ending: "", opening: ""};

/** @type {Record<string, (game: Listed, side: number) => boolean>} */
const RESULTS = {
  won: (game, side) => game.winner === side, lost: (game, side) => game.winner === 1 - side,
  drawn: game => game.winner === -1, black: game => game.winner === 0, white: game => game.winner === 1,
  unknown: game => game.winner === -2,
};

export const compareTexts = new Intl.Collator("en", {numeric: true}).compare;

/**
 * @param {Pick<Data, "players">} data
 * @param {Listed} game
 * @param {number} side
 */
export const playerName = ({players}, game, side) => players[game.players[side]].name;

/** @type {((a: Listed, b: Listed, data: Pick<Data, "players" | "endings">) => number)[]} */
const ORDERS = [
  (a, b) => a.number - b.number, (a, b, data) => compareTexts(playerName(data, a, 0), playerName(data, b, 0)),
  (a, b, data) => compareTexts(playerName(data, a, 1), playerName(data, b, 1)), (a, b) => a.winner - b.winner,
  (a, b, {endings}) => compareTexts(endings[a.ending], endings[b.ending]), (a, b) => a.length - b.length,
  (a, b) => compareTexts(String(a.origin), String(b.origin)),
];

/**
 * The list of all games, as they are numbered.
 * @template {Listed} T
 * @param {T[]} games
 * @returns {List<T>}
 */
export const makeList = games => ({games, shown: games, order: {column: 0, sign: 1}, page: 0});

/**
 * True if the filters leave the game.
 * @param {Listed} game
 * @param {Filters} filters
 */
export function passes(game, {brain, colour, opponent, result, ending, opening}) {
  /** @param {number} side */
  const fits = side =>
    (!brain || game.players[side] === +brain) && (!opponent || game.players[1 - side] === +opponent) &&
    (!brain || !colour || side === (colour === "black" ? 0 : 1)) && (!result || RESULTS[result](game, side));
  return (fits(0) || fits(1)) && (!ending || game.ending === +ending) && (!opening || String(game.origin) === opening);
}

/**
 * The list with the games that the filters leave, from its first page on.
 * @template {Listed} T
 * @param {List<T>} list
 * @param {Filters} filters
 * @param {Pick<Data, "players" | "endings">} data
 */
export const filterList = (list, filters, data) =>
  sortList({...list, shown: list.games.filter(game => passes(game, filters))}, list.order, data);

/**
 * The list in another order, from its first page on. `sign` -1 is for the largest first.
 * @template {Listed} T
 * @param {List<T>} list
 * @param {{column: number, sign: number}} order
 * @param {Pick<Data, "players" | "endings">} data
 * @returns {List<T>}
 */
export function sortList(list, order, data) {
  const compare = ORDERS[order.column];
  const shown = list.shown.toSorted((a, b) => order.sign * compare(a, b, data) || a.place - b.place);
  return {...list, shown, order, page: 0};
}

/**
 * The list at the page that has this game; the unchanged list if the filters leave the game out.
 * @template {Listed} T
 * @param {List<T>} list
 * @param {T} game
 */
export function turnTo(list, game) {
  const place = list.shown.indexOf(game);
  return place < 0 ? list : {...list, page: Math.floor(place / PAGE)};
}

/**
 * The games of the current page.
 * @template {Listed} T
 * @param {List<T>} list
 */
export const gamesOfPage = ({shown, page}) => shown.slice(page * PAGE, (page + 1) * PAGE);

/**
 * The game above (-1) or below (1) in the list; undefined if there is none.
 * @template {Listed} T
 * @param {List<T>} list
 * @param {T | null} game
 * @param {number} by
 */
export function neighbour({shown}, game, by) {
  const place = game ? shown.indexOf(game) : -1;
  return place < 0 ? undefined : shown[place + by];
}
