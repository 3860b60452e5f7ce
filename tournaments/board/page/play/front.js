// What the front page shows of the own games and puzzles: a game to go on with, the last games, the puzzle of the day.

import {drawStones, fivesThrough, makeBoard} from "../board.js";
import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {gameNames} from "./games.js";
import {dayOf} from "../shared/day.js";
import {colourName, formatDate, formatNumber, say, sayFacts, sayLabelled} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").LastGame} LastGame
 * @typedef {import("../net/messages.js").PuzzleAsked} PuzzleAsked
 * @typedef {import("../board.js").Cell} Cell
 */

const shown = {
  /** @type {LastGame[] | null} */
  games: null,
  count: 0,  // of all games
  /** @type {PuzzleAsked | null} */
  puzzle: null,
};

const MOST_LAST = 5;  // games beside the one to go on with

/**
 * Asks for what the front page shows; a guest sees only the games to go on with. Both answers are shown at once, because
 * each would push away what the other has shown.
 * @param {boolean} isOwner
 */
export function askFront(isOwner) {
  const keep = () => null;  // what was shown before stays; a lost connection is told elsewhere
  const games = server.ask({type: "last_games"}).catch(keep);
  byId("all-games").hidden = !isOwner;
  if (!isOwner) return void games.then(last => { if (last) showGames(last.games, last.count); });
  server.ask({type: "puzzle", day: dayOf(new Date())}).catch(keep).then(async puzzle => {
    const last = await games;
    if (last) showGames(last.games, last.count);
    if (puzzle) showPuzzle(puzzle);
  });
}

// Called after a change of the language.
export function retellFront() {
  if (shown.games) showGames(shown.games, shown.count);
  if (shown.puzzle) showPuzzle(shown.puzzle);
}

/**
 * A small board with the stones of a game.
 * @param {{width: number, height: number, moves: [number, number][]}} game
 * @param {boolean} hasFive whether the last stone won
 */
function makeSmallBoard({width, height, moves}, hasFive = false) {
  const board = makeBoard(width, height), stones = moves.map((cell, index) => ({cell, colour: index % 2}));
  drawStones(board, {stones, rows: hasFive ? fivesThrough(board, stones, moves[moves.length - 1]) : []});
  board.svg.setAttribute("aria-hidden", "true");
  return board.svg;
}

/**
 * The game to go on with, and the others that were played last.
 * @param {LastGame[]} games the newest first
 */
export function partGames(games) {
  const going = games.find(({phase, you}) => phase !== "over" && you);
  return {going, last: games.filter(game => game !== going).slice(0, MOST_LAST)};
}

/**
 * @param {LastGame[]} games
 * @param {number} count of all games
 */
function showGames(games, count) {
  Object.assign(shown, {games, count});
  setText(byId("all-games"), say("all_count", {count, shown: formatNumber(count)}));
  const {going, last} = partGames(games);
  byId("going").hidden = !going;
  byId("last-games").hidden = count <= (going ? 1 : 0);  // games from files are not listed here, but in the list of all
  if (going) showGoing(going);
  byId("last-list").replaceChildren(...last.map(makeItem));
}

/** @param {LastGame} game */
function showGoing(game) {
  const rule = say(`rule_${game.rule}`), turn = say(game.is_yours ? "your_move" : "game_goes_on");
  byId("going-game").replaceChildren(makeSmallBoard(game), make("div", {},
    make("b", {}, gameNames(game).join(" – ")),
    make("span", {class: "soft"}, say("game_at", {rule, plies: game.plies}), " · ", formatDate(game.updated)),
    make("span", {class: game.is_yours ? "turn" : "soft"}, turn)));
  byId("go-on", HTMLAnchorElement).href = `/g/${game.game}`;
}

/**
 * What became of a game, for the person who played it at this screen.
 * @param {LastGame} game
 * @returns {["won" | "lost" | "drawn" | "", string]} the kind of the result, and its word
 */
export function outcomeOf({phase, winner, ending, kinds}) {
  if (phase !== "over") return ["", say("game_goes_on")];
  if (ending === "stopped") return ["", say("result_stopped")];
  if (winner === null) return ["drawn", say("result_drawn")];
  const isLocal = kinds.map(kind => kind === "local");
  if (isLocal[0] === isLocal[1]) return ["", say("result_wins", {colour: colourName(winner)})];
  return isLocal[winner] ? ["won", say("result_won")] : ["lost", say("result_lost")];
}

/** @param {LastGame} game */
function makeItem(game) {
  const [black, white] = gameNames(game), [kind, words] = outcomeOf(game), isOver = game.phase === "over";
  const title = sayFacts(`${black} – ${white}`, words);
  const link = make("a", {href: `/g/${game.game}`, class: "game"}, makeSmallBoard(game, isOver && game.winner === (game.plies - 1) % 2),
    make("span", {class: "names"}, make("i", {class: "stone-black"}), black, " – ", make("i", {class: "stone-white"}), white),
    make("span", {class: "soft"}, make("b", {class: kind}, words), " ", say("move_count", {plies: game.plies})));
  const review = make("a", {href: `/g/${game.game}#review`, class: "review", "aria-label": sayLabelled(say("review_short"), title)}, say("review_short"));
  return make("li", {class: "card"}, link, ...isOver && game.kinds.includes("local") ? [review] : []);
}

/** @param {PuzzleAsked} puzzle */
function showPuzzle(puzzle) {
  const {asked, is_answered: isAnswered, is_solved: isSolved} = shown.puzzle = puzzle;
  byId("today").hidden = !asked;
  if (!asked) return;
  setText(byId("today-task"), say("find_win", {colour: colourName(asked.to_move)}));
  byId("today-board").replaceChildren(makeSmallBoard(asked));
  setText(byId("today-state"), isAnswered ? say(isSolved ? "puzzle_is_solved" : "puzzle_is_answered") : "");
  byId("today-state").hidden = !isAnswered;
}
