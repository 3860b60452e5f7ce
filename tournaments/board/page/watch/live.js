// A running tournament: its table, the boards of games in progress, and each finished game, move by move.

import {drawStones, fivesThrough, makeBoard} from "../board.js";
import {server} from "../net/connection.js";
import {byId, find, make, setText} from "../dom.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {announce} from "../shared/status.js";
import {choose, isOver, look, makeWatch, plyShown, runningGame, scoreOf, stonesOf, takeTournament, timeOf} from "./state.js";
import {formatClock, formatNumber, formatSigned, say, sayClock} from "../shared/i18n.js";

const QUIET = 3000;      // milliseconds at least between two results that are spoken

/**
 * @typedef {import("../net/messages.js").Tournament} Tournament
 * @typedef {import("../net/messages.js").RunningJson} RunningGame
 */

// The entry of a game in progress in their list.
/** @typedef {{item: HTMLElement, button: HTMLElement, board: import("../board.js").Board, words: HTMLElement,
 *   sides: HTMLElement[], length: number}} Small */

/** @param {{number: number, black: string, white: string, winner: number | null, reason: string}} game */
const tellOver = ({number, black, white, winner, reason}) =>
  say("live_over", {number, black, white, score: scoreOf(winner), reason});

/**
 * The time on a side's clock, and the word for left or used.
 * @param {{hasLimit: boolean, seconds: number}} time
 * @returns {[string, string]}
 */
function tellTime({hasLimit, seconds}) {
  const face = hasLimit ? formatClock(seconds) : seconds < 60 ? say("live_seconds", {seconds: formatNumber(seconds, 1)})
    : formatClock(Math.floor(seconds));
  return [face, say(hasLimit ? "live_left" : "live_used")];
}

// Both sides of a game, Black first: a stone, a name and a clock for each.
const makeSides = () => ["black", "white"].map(colour => make("span", {class: "side"}, make("i", {class: `stone-${colour}`}),
  make("b", {}), make("span", {class: "turn"}),
  make("span", {class: "clock"}, make("time", {}), " ", make("span", {class: "soft"}))));

export class LiveView {
  constructor() {
    this.watch = makeWatch();
    this.grid = new Grid(byId("live-board"), {play: () => {}, step: by => this.step(by), command: key => this.command(key)});
    this.spokenAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} set while a result waits to be spoken */
    this.timer = undefined;
    /** @type {Map<number, Small>} by the numbers of the games in progress */
    this.boards = new Map();
    byId("live-clocks").append(...makeSides());
    for (const name of ["first", "back", "forward", "last", "turn"]) {
      byId(`live-${name}`).addEventListener("click", () => this.onAction(name));
    }
    server.on("tournament", message => this.take(message));
    server.on("lost", () => { this.watch.lostAt ??= performance.now(); });
    setInterval(() => this.showClocks(), 200);
  }

  // True when the server has said that the tournament's manager is going.
  hasEnded() {
    return Boolean(this.watch.said?.ended);
  }

  // Asks for the whole state, and for all later ones.
  open() {
    server.send({type: "tournament"});
  }

  /**
   * A key of the page's table; false if this view does not use it.
   * @param {string} action
   */
  onAction(action) {
    /** @type {Record<string, () => void>} */
    const actions = {
      first: () => this.goTo(0), back: () => this.step(-1), forward: () => this.step(1), last: () => this.goTo(Infinity),
      turn: () => this.grid.turn(false), mirror: () => this.grid.turn(true),
    };
    if (!Object.hasOwn(actions, action)) return false;
    actions[action]();
    return true;
  }

  /** @param {Tournament} message */
  take(message) {
    const before = this.watch.said;
    this.ask(takeTournament(this.watch, message, performance.now()));
    this.fill();
    if (before && before.finished < message.finished) this.speak();
  }

  // Called after a change of the language; the server sends its own sentences again.
  retell() {
    this.fill();
  }

  fill() {
    const {said} = this.watch;
    if (!said) return;
    document.title = `${said.name} – Tengen`;
    setText(byId("live-name"), said.name);
    setText(byId("live-facts"), [say("live_played", {finished: formatNumber(said.finished), games: formatNumber(said.games),
      state: say(`live_${said.state}`)}), said.note].filter(Boolean).join(" · "));
    this.fillTable(said);
    this.fillRunning(said);
    this.fillFinished(said);
    this.draw();
  }

  // Says the newest result; of many results in a short time only the last.
  speak() {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.spokenAt = performance.now();
      const newest = this.watch.said?.last[0];
      if (newest) announce(tellOver(newest));
    }, Math.max(0, this.spokenAt + QUIET - performance.now()));
  }

  /**
   * Asks for a finished game. A game that is neither in progress nor in the store, because its manager was killed,
   * keeps its last known state.
   * @param {number | null} number null for none
   */
  ask(number) {
    if (number === null) return;
    server.ask({type: "tournament_game", number}).then(message => {
      if (message.number !== this.watch.chosen) return;
      this.watch.game = message;
      this.draw();
    }, () => {});
  }

  /** @param {number} number */
  choose(number) {
    this.ask(choose(this.watch, number));
    this.draw();
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (byId("live").querySelectorAll("button[data-game]"))) this.mark(button);
  }

  /** @param {HTMLElement} button */
  mark(button) {
    if (Number(button.dataset.game) === this.watch.chosen) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }

  /** @param {number} by */
  step(by) {
    this.goTo(plyShown(this.watch) + by);
  }

  /** @param {number} ply */
  goTo(ply) {
    look(this.watch, ply);
    this.draw();
  }

  draw() {
    const {said, game} = this.watch;
    if (!said) return;
    const {width, height} = said, moves = game?.moves ?? [], ply = plyShown(this.watch), stones = stonesOf(moves.slice(0, ply));
    const last = isOver(game) && ply === moves.length ? stones.at(-1) : undefined;
    this.grid.show({width, height, stones, rows: last ? fivesThrough({width, height}, stones, last.cell) : [], next: null});
    setText(byId("live-game"), !game ? "" : isOver(game) ? tellOver(game) : say("live_game", {...pairing(game)}));
    setText(byId("live-ply"), game ? say("live_ply", {ply, plies: moves.length}) : "");
    for (const id of ["live-first", "live-back"]) byId(id, HTMLButtonElement).disabled = ply === 0;
    for (const id of ["live-last", "live-forward"]) byId(id, HTMLButtonElement).disabled = ply === moves.length;
    this.showClocks();
  }

  /**
   * @param {Element[]} sides
   * @param {RunningGame} running
   * @param {boolean} hasNames
   */
  fillSides(sides, running, hasNames) {
    sides.forEach((side, colour) => {
      const time = timeOf(this.watch, running, colour, performance.now()), [face, kind] = time ? tellTime(time) : ["", ""];
      const texts = {
        b: hasNames ? running[colour ? "white" : "black"] : "", ".turn": hasNames && time?.isThinking ? say("thinking") : "",
        time: face, ".soft": kind,
      };
      for (const [selector, text] of Object.entries(texts)) {
        const element = find(side, selector);
        if (element.textContent !== text) setText(element, text);
      }
      side.classList.toggle("is-turn", Boolean(time?.isThinking));
    });
  }

  showClocks() {
    const {said} = this.watch;
    if (!said || document.hidden) return;
    for (const running of said.running) {
      const shown = this.boards.get(running.number);
      if (shown) this.fillSides(shown.sides, running, false);
    }
    const running = runningGame(this.watch), clocks = byId("live-clocks");
    clocks.hidden = !running;
    if (running) this.fillSides([...clocks.children], running, true);
  }

  /**
   * A key of the board itself.
   * @param {string} key
   */
  command(key) {
    if (key !== "t" || !hasLetters()) return false;
    const running = runningGame(this.watch), told = !running ? [] : [0, 1].flatMap(colour => {
      const time = timeOf(this.watch, running, colour, performance.now());
      return time ? [`${colour ? running.white : running.black}: ${sayClock(time.seconds)} ${tellTime(time)[1]}`] : [];
    });
    announce(told.length ? told.join(", ") : say("no_clock"));
    return true;
  }

  /** @param {Tournament} said */
  fillTable({players}) {
    byId("live-table").replaceChildren(...players.map((player, place) => make("tr", {},
      make("td", {}, place + 1), make("th", {scope: "row"}, make("span", {}, player.name)),
      make("td", {}, `${formatSigned(player.elo)}${player.margin === null ? "" : ` ± ${player.margin}`}`),
      make("td", {}, player.games), make("td", {}, formatNumber(player.points, player.points % 1 ? 1 : 0)),
      make("td", {}, `${player.wins}-${player.losses}-${player.draws}`), make("td", {}, player.faults))));
  }

  /**
   * A board keeps its place as long as its game lasts, so that the focus stays too.
   * @param {Tournament} said
   */
  fillRunning(said) {
    setText(byId("live-playing"), said.unseen ? say("live_playing_unseen") : say("live_playing", {count: said.in_progress}));
    setText(byId("live-none"), say(said.unseen ? "live_unseen" : "live_none"));
    byId("live-none").hidden = said.in_progress > 0;
    const numbers = new Set(said.running.map(each => each.number));
    for (const [number, {item}] of this.boards) {
      if (numbers.has(number)) continue;
      item.remove();
      this.boards.delete(number);
    }
    for (const running of said.running) {
      const shown = this.boards.get(running.number) ?? this.addBoard(said, running.number), {length} = running.moves;
      if (shown.length !== length) drawStones(shown.board, {stones: stonesOf(running.moves)});
      shown.length = length;
      setText(shown.words, `${say("live_game", pairing(running))} · ${say("live_stones", {plies: length})}`);
      this.mark(shown.button);
    }
  }

  /**
   * @param {Tournament} said
   * @param {number} number
   * @returns {Small}
   */
  addBoard({width, height}, number) {
    const board = makeBoard(width, height), words = make("span"), sides = makeSides();
    board.svg.setAttribute("aria-hidden", "true");
    const button = make("button", {type: "button", "data-game": number}, board.svg, words,
      make("span", {class: "clocks", "aria-hidden": "true"}, ...sides));
    button.addEventListener("click", () => this.choose(number));
    const shown = {board, words, sides, button, item: make("li", {}, button), length: -1};
    this.boards.set(number, shown);
    byId("live-running").append(shown.item);
    return shown;
  }

  /** @param {Tournament} said */
  fillFinished({last}) {
    byId("live-no-last").hidden = last.length > 0;
    const list = byId("live-finished"), focused = document.activeElement;
    const there = new Map([...list.querySelectorAll("button")].map(button => [Number(button.dataset.game), button]));
    list.replaceChildren(...last.map(each => {
      const known = there.get(each.number), button = known ?? make("button", {type: "button", "data-game": each.number});
      if (!known) button.addEventListener("click", () => this.choose(each.number));
      setText(button, tellOver(each));
      this.mark(button);
      return make("li", {}, button);
    }));
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();  // the move has taken the focus away
  }
}

/** @param {{number: number, black: string, white: string}} game */
const pairing = ({number, black, white}) => ({number, black, white});
