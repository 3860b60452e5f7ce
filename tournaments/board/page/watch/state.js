// A tournament that is watched: the server's last state, the game on the large board, and the conclusions from both.

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/messages.js").Tournament} Tournament
 * @typedef {import("../net/messages.js").TournamentNews} TournamentNews
 * @typedef {import("../net/messages.js").RunningJson} RunningGame
 * @typedef {import("../net/messages.js").GrownJson} GrownGame
 * @typedef {import("../net/messages.js").FinishedJson & {moves: Cell[], shares: (number | null)[]}} FinishedGame
 *
 * @typedef {object} Watch
 * @property {Tournament | null} said the server's last state
 * @property {number | null} chosen the number of the game on the large board, null while all boards are shown
 * @property {RunningGame | FinishedGame | null} game that game
 * @property {number | null} shownPly the earlier position on the board, null for the newest
 * @property {Map<number, number>} heardAt the times at which the games in progress were last told of, in milliseconds
 * @property {number} leftAt the time at which the time left of the tournament was told
 * @property {number | null} lostAt the time at which the connection was lost: the clocks stand
 */

const MOST_LAST = 30;  // as the server lists them

/** @returns {Watch} */
export const makeWatch = () =>
  ({said: null, chosen: null, game: null, shownPly: null, heardAt: new Map(), leftAt: 0, lostAt: null});

/**
 * @param {Watch["game"]} game
 * @returns {game is FinishedGame}
 */
export const isOver = game => game !== null && "reason" in game;

/** @param {Watch} watch */
export const plyShown = ({shownPly, game}) => Math.min(shownPly ?? Infinity, game?.moves.length ?? 0);

/** @param {number | null} winner */
export const scoreOf = winner => winner === 0 ? "1–0" : winner === 1 ? "0–1" : "½–½";

/**
 * Points as people write them: 4½.
 * @param {number} points
 */
export const formatPoints = points => `${points >= 1 || points === 0 ? Math.floor(points) : ""}${points % 1 ? "½" : ""}`;

/**
 * The stones after these moves.
 * @param {Cell[]} moves
 */
export const stonesOf = moves => moves.map((cell, index) => ({cell, colour: index % 2, number: index + 1}));

/**
 * The last state of the game on the large board, if it is in progress.
 * @param {Watch} watch
 */
export const runningGame = ({said, chosen}) => said?.running.find(each => each.number === chosen);

/**
 * Takes a whole state from the server at the time `now`. Returns the number of a finished game that the page must ask
 * for, null for none.
 * @param {Watch} watch
 * @param {Tournament} said
 * @param {number} now in milliseconds
 */
export function takeTournament(watch, said, now) {
  watch.said = said;
  watch.heardAt = new Map(said.running.map(({number}) => [number, now]));
  watch.leftAt = now;
  watch.lostAt = null;
  return follow(watch);
}

/**
 * Takes what has changed since the last message. Returns the same as takeTournament().
 * @param {Watch} watch
 * @param {TournamentNews} news
 * @param {number} now in milliseconds
 */
export function takeNews(watch, news, now) {
  if (!watch.said) return null;
  const {running = [], over = [], players, cross, last, history, ...facts} = news, {said} = watch;
  for (const number of over) watch.heardAt.delete(number);
  for (const {number} of running) watch.heardAt.set(number, now);
  if ("time_left" in facts) watch.leftAt = now;
  watch.said = {
    ...said, ...facts, type: said.type,
    running: grow(said.running.filter(({number}) => !over.includes(number)), running),
    players: merge(said.players, players, ({id}) => id).sort((one, other) => one.place - other.place),
    cross: merge(said.cross, cross, ({first, second}) => `${first}-${second}`),
    last: [...last ?? [], ...said.last].slice(0, MOST_LAST),
    history: !history ? said.history : {
      step: history.step, points: [...said.history.points, ...history.points].filter(({games}) => games % history.step === 0),
    },
  };
  return follow(watch);
}

/**
 * The entries, those that are told anew in their places, and others behind them.
 * @template T
 * @param {T[]} entries
 * @param {T[] | undefined} told
 * @param {(entry: T) => unknown} keyOf
 */
function merge(entries, told, keyOf) {
  if (!told) return entries;
  const all = new Map(entries.map(entry => [keyOf(entry), entry]));
  for (const entry of told) all.set(keyOf(entry), entry);
  return [...all.values()];
}

/**
 * The games in progress, by their numbers, with the new stones of some of them.
 * @param {RunningGame[]} games
 * @param {GrownGame[]} told
 */
function grow(games, told) {
  const all = new Map(games.map(game => [game.number, game]));
  for (const {from, ...more} of told) {
    const before = all.get(more.number), {black = before?.black ?? "", white = before?.white ?? ""} = more;
    const moves = [...before?.moves.slice(0, from) ?? [], ...more.moves];
    all.set(more.number, {...more, black, white, moves, shares: [...before?.shares.slice(0, from) ?? [], ...more.shares]});
  }
  return [...all.values()].sort((one, other) => one.number - other.number);
}

/**
 * Puts a game on the large board, or with null shows all boards. Returns the same as takeTournament().
 * @param {Watch} watch
 * @param {number | null} number
 */
export function choose(watch, number) {
  if (number !== watch.chosen) Object.assign(watch, {chosen: number, shownPly: null, game: null});
  return follow(watch);
}

/**
 * Updates the game on the large board from the games in progress. It stays there after its end.
 * @param {Watch} watch
 */
function follow(watch) {
  const running = runningGame(watch), {chosen, game} = watch;
  if (running) watch.game = running;
  else if (watch.said && chosen !== null && !isOver(game)) return chosen;
  return null;
}

/**
 * Shows the position after `ply` stones, or the nearest that the game has. The newest position goes on with the game.
 * @param {Watch} watch
 * @param {number} ply
 */
export function look(watch, ply) {
  if (watch.game) watch.shownPly = ply >= watch.game.moves.length ? null : Math.max(0, ply);
}

/**
 * The seconds that a side of a game in progress has left, or has used if it has no limit; null before the game begins.
 * @param {Watch} watch
 * @param {RunningGame} running
 * @param {number} colour
 * @param {number} now in milliseconds
 */
export function timeOf({lostAt, heardAt}, running, colour, now) {
  if (!running.used) return null;
  const isThinking = running.thinking === colour, left = running.left[colour];
  const since = isThinking ? (running.for + (lostAt ?? now) - (heardAt.get(running.number) ?? now)) / 1000 : 0;
  if (left === null) return {isThinking, hasLimit: false, seconds: running.used[colour] / 1000 + since};
  return {isThinking, hasLimit: true, seconds: Math.max(0, left / 1000 - since)};
}

/**
 * The seconds until the tournament ends, null if that is not known.
 * @param {Watch} watch
 * @param {number} now in milliseconds
 */
export function timeLeft({said, leftAt, lostAt}, now) {
  if (!said || said.time_left === null) return null;
  return Math.max(0, said.time_left - ((lostAt ?? now) - leftAt) / 1000);
}

/**
 * Black's chances, from 0 to 1, by the last score up to this stone; null if no brain has told one.
 * @param {(number | null)[]} shares in percent
 * @param {number} ply
 */
export function shareAt(shares, ply = shares.length) {
  const last = shares.slice(0, ply).findLast(share => share !== null);
  return last === undefined || last === null ? null : last / 100;
}

/**
 * The games of the grid in their places: a game stays in its place until it is over, and a new one takes a free place.
 * @param {number[]} places the numbers of the games by place
 * @param {number[]} numbers those of the games in progress
 */
export function placeGames(places, numbers) {
  const waiting = numbers.filter(number => !places.includes(number));
  const filled = places.map(number => numbers.includes(number) ? number : waiting.shift());
  return [...filled.filter(number => number !== undefined), ...waiting];
}

/**
 * The width at which all boards fit into a space, or the smallest width, at which they are scrolled.
 * @param {number} count of the boards
 * @param {{width: number, height: number}} space in pixels
 * @param {{gap: number, besides: number, least: number}} measures `besides` is the height of a card without its board
 */
export function boardWidth(count, {width, height}, {gap, besides, least}) {
  let best = least;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    best = Math.max(best, Math.min((width - (columns - 1) * gap) / columns, (height - (rows - 1) * gap) / rows - besides));
  }
  return Math.floor(Math.min(best, width));
}

/**
 * The points of each player against each, and the numbers of their games, by "PLAYER OPPONENT".
 * @param {import("../net/messages.js").DuelJson[]} cross
 * @returns {Map<string, {points: number, games: number}>}
 */
export const crossTable = cross => new Map(cross.flatMap(({first, second, wins, draws, losses}) => {
  const games = wins + draws + losses;
  return [[`${first} ${second}`, {points: wins + draws / 2, games}], [`${second} ${first}`, {points: losses + draws / 2, games}]];
}));
