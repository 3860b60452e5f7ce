// A tournament while it runs: its table, the boards of games in progress, and any finished game, to be stepped through.

import {drawStones, fivesThrough, makeBoard} from "../board.js";
import {server} from "../net/connection.js";
import {byId, make, setIcon, setText} from "../dom.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {announce} from "../shared/status.js";
import {formatClock, formatNumber, formatSigned, say, sayClock} from "../shared/i18n.js";

const QUIET = 3000;      // milliseconds at least between two results that are spoken

let state = null;        // what the server said last
let chosen = null;       // the number of the game on the board
let isPicked = false;    // the watcher has chosen it, and stays with it when it is over
let game = null;         // that game: {number, black, white, moves} and, where it is over, {winner, reason}
let shownPly = null;     // an earlier position that is looked at, null for the newest
let grid = null;
let spokenAt = -Infinity;
let timer = 0;
let receivedAt = 0;
let lostAt = null;       // since when nothing is known of what goes on: the clocks stand
const boards = new Map();  // numbers of games in progress to {item, button, board, words, sides}

const isOver = () => game !== null && "reason" in game;
const plyShown = () => Math.min(shownPly ?? Infinity, game?.moves.length ?? 0);
const scoreOf = winner => ({0: "1–0", 1: "0–1"}[winner] ?? "½–½");
const stonesOf = moves => moves.map((cell, index) => ({cell, colour: index % 2, number: index + 1}));
const tellOver = ({number, black, white, winner, reason}) =>
  say("live_over", {number, black, white, score: scoreOf(winner), reason});

export const hasEnded = () => Boolean(state?.ended);

export function prepareLive() {
  grid = new Grid(byId("live-board"), {play: () => {}, step, command});
  byId("live-clocks").append(...makeSides());
  for (const name of ["first", "back", "forward", "last"]) setIcon(byId(`live-${name}`), name);
  byId("live-first").addEventListener("click", () => goTo(0));
  byId("live-back").addEventListener("click", () => step(-1));
  byId("live-forward").addEventListener("click", () => step(1));
  byId("live-last").addEventListener("click", () => goTo(Infinity));
  byId("live-turn").addEventListener("click", () => grid.shown && grid.turn());
  server.on("tournament", take);
  server.on("lost", () => lostAt ??= performance.now());
  setInterval(showClocks, 200);
}

// Asks for the whole of it, and for all that comes.
export function openLive() {
  server.send({type: "tournament"});
}

export function onAction(action) {
  const actions = {
    first: () => goTo(0), back: () => step(-1), forward: () => step(1), last: () => goTo(Infinity),
    turn: () => grid.shown && grid.turn(), mirror: () => grid.shown && grid.turn(true),
  };
  if (!(action in actions)) return false;
  actions[action]();
  return true;
}

function take(message) {
  const before = state;
  state = message;
  receivedAt = performance.now();
  lostAt = null;
  goOn();
  follow();
  fill();
  if (before && before.finished < state.finished) speak();
}

// After the language was chosen; what the server words itself comes anew from it.
export function retell() {
  if (state) fill();
}

function fill() {
  document.title = `${state.name} – Tengen`;
  setText(byId("live-name"), state.name);
  setText(byId("live-facts"), [say("live_played", {finished: formatNumber(state.finished), games: formatNumber(state.games),
    state: say(`live_${state.state}`)}), state.note].filter(Boolean).join(" · "));
  fillTable();
  fillRunning();
  fillFinished();
  draw();
}

// To the next game in progress where the one on the board is over, unless the watcher chose that or steps through it.
function goOn() {
  if (chosen !== null && (isPicked || shownPly !== null || runningGame())) return;
  const next = state.running.find(each => each.number > chosen) ?? state.running[0];
  chosen = next?.number ?? chosen ?? state.last[0]?.number ?? null;
}

// Says the newest result; of many in a short time the last one.
function speak() {
  if (timer) return;
  timer = setTimeout(() => {
    timer = 0;
    spokenAt = performance.now();
    announce(tellOver(state.last[0]));
  }, Math.max(0, spokenAt + QUIET - performance.now()));
}

// Brings the game on the board up to date: from what is in progress, or, when it is over, from the store.
function follow() {
  const running = runningGame();
  if (running) game = running;
  else if (chosen !== null && !(isOver() && game.number === chosen)) ask(chosen);
}

// A game that is neither in progress nor in the store, because its manager was killed, stays as it was seen last.
function ask(number) {
  server.ask({type: "tournament_game", number}).then(message => {
    if (message.number !== chosen) return;
    game = message;
    draw();
  }, () => {});
}

function choose(number) {
  chosen = number;
  isPicked = true;
  shownPly = null;
  follow();
  draw();
  for (const button of byId("live").querySelectorAll("button[data-game]")) markChosen(button);
}

function markChosen(button) {
  if (Number(button.dataset.game) === chosen) button.setAttribute("aria-current", "true");
  else button.removeAttribute("aria-current");
}

function step(by) {
  goTo(plyShown() + by);
}

function goTo(ply) {
  if (!game) return;
  shownPly = ply >= game.moves.length ? null : Math.max(0, ply);
  draw();
}

function draw() {
  if (!state) return;
  const {width, height} = state, moves = game?.moves ?? [], ply = plyShown(), stones = stonesOf(moves.slice(0, ply));
  const isEnd = isOver() && ply === moves.length && stones.length > 0;
  const rows = isEnd ? fivesThrough({width, height}, stones, stones.at(-1).cell) : [];
  grid.show({width, height, stones, rows, next: null});
  setText(byId("live-game"), !game ? "" : isOver() ? tellOver(game) : say("live_game", game));
  setText(byId("live-ply"), game ? say("live_ply", {ply, plies: moves.length}) : "");
  byId("live-first").disabled = byId("live-back").disabled = ply === 0;
  byId("live-last").disabled = byId("live-forward").disabled = ply === moves.length;
  showClocks();
}

// Both sides of a game, Black first: a stone, a name and a clock for each.
function makeSides() {
  return ["black", "white"].map(colour => make("span", {class: "side"}, make("i", {class: `stone-${colour}`}), make("b", {}),
    make("span", {class: "turn"}), make("span", {class: "clock"}, make("time", {}), " ", make("span", {class: "soft"}))));
}

// What a side of a game in progress has left, or has used where it has no limit, in seconds; null before the game begins.
function timeOf(running, colour) {
  if (!running.used) return null;
  const isThinking = running.thinking === colour;
  const since = isThinking ? (running.for + (lostAt ?? performance.now()) - receivedAt) / 1000 : 0;
  const left = running.left[colour], hasLimit = left !== null;
  const seconds = hasLimit ? Math.max(0, left / 1000 - since) : running.used[colour] / 1000 + since;
  const face = hasLimit ? formatClock(seconds) : seconds < 60 ? say("live_seconds", {seconds: formatNumber(seconds, 1)})
    : formatClock(Math.floor(seconds));
  return {isThinking, seconds, face, kind: say(hasLimit ? "live_left" : "live_used")};
}

function fillSides(sides, running, hasNames) {
  sides.forEach((side, colour) => {
    const [, name, turn, clock] = side.children, [face, kind] = clock.children, time = timeOf(running, colour);
    const texts = [hasNames ? running[colour ? "white" : "black"] : "", hasNames && time?.isThinking ? say("thinking") : "",
      time?.face ?? "", time?.kind ?? ""];
    [name, turn, face, kind].forEach((element, index) => {
      if (element.textContent !== texts[index]) setText(element, texts[index]);
    });
    side.classList.toggle("is-turn", Boolean(time?.isThinking));
  });
}

const runningGame = () => state?.running.find(each => each.number === chosen);

function showClocks() {
  if (!state || document.hidden) return;
  for (const running of state.running) {
    const shown = boards.get(running.number);
    if (shown) fillSides(shown.sides, running, false);
  }
  const running = runningGame();
  byId("live-clocks").hidden = !running;
  if (running) fillSides([...byId("live-clocks").children], running, true);
}

// A key of the board itself.
function command(key) {
  if (key !== "t" || !hasLetters()) return false;
  const running = runningGame(), times = running ? [0, 1].map(colour => timeOf(running, colour)) : [];
  announce(times.length && times.every(Boolean) ? times.map((time, colour) =>
    `${colour ? running.white : running.black}: ${sayClock(time.seconds)} ${time.kind}`).join(", ") : say("no_clock"));
  return true;
}

function fillTable() {
  byId("live-table").replaceChildren(...state.players.map((player, place) => make("tr", {},
    make("td", {}, place + 1), make("th", {scope: "row"}, player.name),
    make("td", {}, `${formatSigned(player.elo)}${player.margin === null ? "" : ` ± ${player.margin}`}`),
    make("td", {}, player.games), make("td", {}, formatNumber(player.points, player.points % 1 ? 1 : 0)),
    make("td", {}, `${player.wins}-${player.draws}-${player.losses}`), make("td", {}, player.faults))));
}

// The boards stay where they are as long as their games last, so that a focus stays too.
function fillRunning() {
  setText(byId("live-playing"), state.unseen ? say("live_playing_unseen") : say("live_playing", {count: state.in_progress}));
  setText(byId("live-none"), say(state.unseen ? "live_unseen" : "live_none"));
  byId("live-none").hidden = state.in_progress > 0;
  const numbers = new Set(state.running.map(each => each.number));
  for (const [number, {item}] of boards) {
    if (numbers.has(number)) continue;
    item.remove();
    boards.delete(number);
  }
  for (const running of state.running) {
    let shown = boards.get(running.number);
    if (!shown) {
      const board = makeBoard(state.width, state.height), words = make("span", {}), sides = makeSides();
      board.svg.setAttribute("aria-hidden", "true");
      const button = make("button", {type: "button", "data-game": running.number}, board.svg, words,
        make("span", {class: "clocks", "aria-hidden": "true"}, ...sides));
      button.addEventListener("click", () => choose(running.number));
      shown = {board, words, sides, button, item: make("li", {}, button), length: -1};
      boards.set(running.number, shown);
      byId("live-running").append(shown.item);
    }
    if (shown.length !== running.moves.length) drawStones(shown.board, {stones: stonesOf(running.moves)});
    shown.length = running.moves.length;
    setText(shown.words, `${say("live_game", running)} · ${say("live_stones", {plies: running.moves.length})}`);
    markChosen(shown.button);
  }
}

function fillFinished() {
  byId("live-no-last").hidden = state.last.length > 0;
  const list = byId("live-finished"), focused = document.activeElement, there = new Map([...list.querySelectorAll("button")].map(button =>
    [Number(button.dataset.game), button]));
  list.replaceChildren(...state.last.map(each => {
    const button = there.get(each.number) ?? make("button", {type: "button", "data-game": each.number});
    if (!there.has(each.number)) button.addEventListener("click", () => choose(each.number));
    setText(button, tellOver(each));
    markChosen(button);
    return make("li", {}, button);
  }));
  if (list.contains(focused)) focused.focus();  // which moving it has taken away
}
