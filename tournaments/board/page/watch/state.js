// A tournament that is watched: the server's last state, the game on the board, and the conclusions from both.

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/messages.js").Tournament} Tournament
 * @typedef {import("../net/messages.js").RunningJson} RunningGame
 * @typedef {import("../net/messages.js").FinishedJson & {moves: Cell[]}} FinishedGame
 *
 * @typedef {object} Watch
 * @property {Tournament | null} said the server's last state
 * @property {number | null} chosen the number of the game on the board
 * @property {boolean} isPicked true if the watcher has chosen the game, which then stays after its end
 * @property {RunningGame | FinishedGame | null} game that game
 * @property {number | null} shownPly the earlier position on the board, null for the newest
 * @property {number} receivedAt the time at which the state came, in milliseconds
 * @property {number | null} lostAt the time at which the connection was lost: the clocks stand
 */

/** @returns {Watch} */
export const makeWatch = () =>
  ({said: null, chosen: null, isPicked: false, game: null, shownPly: null, receivedAt: 0, lostAt: null});

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
 * The stones after these moves.
 * @param {Cell[]} moves
 */
export const stonesOf = moves => moves.map((cell, index) => ({cell, colour: index % 2, number: index + 1}));

/**
 * The last state of the game on the board, if it is in progress.
 * @param {Watch} watch
 */
export const runningGame = ({said, chosen}) => said?.running.find(each => each.number === chosen);

/**
 * Takes a state from the server at the time `now`. If the game on the board is over, changes to the next game in
 * progress, unless the watcher chose that game or steps through it. Returns the number of a finished game that the page
 * must ask for, null for none.
 * @param {Watch} watch
 * @param {Tournament} said
 * @param {number} now in milliseconds
 */
export function takeTournament(watch, said, now) {
  watch.said = said;
  watch.receivedAt = now;
  watch.lostAt = null;
  const {chosen} = watch;
  if (chosen === null || !watch.isPicked && watch.shownPly === null && !runningGame(watch)) {
    const next = said.running.find(each => each.number > (chosen ?? 0)) ?? said.running[0];
    watch.chosen = next?.number ?? chosen ?? said.last[0]?.number ?? null;
  }
  return follow(watch);
}

/**
 * The watcher chooses a game. Returns the same as takeTournament().
 * @param {Watch} watch
 * @param {number} number
 */
export function choose(watch, number) {
  Object.assign(watch, {chosen: number, isPicked: true, shownPly: null});
  return follow(watch);
}

/**
 * Updates the game on the board from the games in progress.
 * @param {Watch} watch
 */
function follow(watch) {
  const running = runningGame(watch), {chosen, game} = watch;
  if (running) watch.game = running;
  else if (chosen !== null && !(isOver(game) && game.number === chosen)) return chosen;
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
export function timeOf({lostAt, receivedAt}, running, colour, now) {
  if (!running.used) return null;
  const isThinking = running.thinking === colour, left = running.left[colour];
  const since = isThinking ? (running.for + (lostAt ?? now) - receivedAt) / 1000 : 0;
  if (left === null) return {isThinking, hasLimit: false, seconds: running.used[colour] / 1000 + since};
  return {isThinking, hasLimit: true, seconds: Math.max(0, left / 1000 - since)};
}
