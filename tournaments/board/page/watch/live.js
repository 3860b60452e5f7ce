// A running tournament: the boards of its games in progress, its tables, and one game on the large board.

import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {makeIcon} from "../shared/icons.js";
import {announce} from "../shared/status.js";
import {Boards} from "./boards.js";
import {WatchedGame} from "./game.js";
import {drawRatings} from "./ratings.js";
import {choose, makeWatch, takeNews, takeTournament, timeLeft} from "./state.js";
import {fillCross, fillLast, fillTable, tellOver} from "./tables.js";
import {formatNumber, say} from "../shared/i18n.js";

const QUIET = 3000;      // milliseconds at least between two results that are spoken

/** @typedef {import("../net/messages.js").Tournament} Tournament */

/**
 * The rule, the board, the times and the openings, as far as they are known.
 * @param {Tournament} said
 */
export function tellSettings({rule, width, height, turn_time: turn, match_time: match, increment, swap2}) {
  const move = turn ? say("live_turn", {seconds: formatNumber(turn, turn % 1 ? 1 : 0)}) : say("live_at_once");
  const whole = match === null ? "" : match % 60 ? say("live_match_seconds", {seconds: formatNumber(match, match % 1 ? 1 : 0)})
    : say("live_match", {minutes: formatNumber(match / 60)});
  const clock = increment ? `${whole} + ${say("live_seconds", {seconds: formatNumber(increment, increment % 1 ? 1 : 0)})}` : whole;
  return [say(`rule_${rule}`), `${width} × ${height}`, ...match === null ? [move] : [clock, move], ...swap2 ? [say("opening_swap2")] : []].join(" · ");
}

/**
 * About how long the tournament goes on, "" if that is not known.
 * @param {number | null} seconds
 */
export function tellLeft(seconds) {
  if (seconds === null) return "";
  const minutes = Math.round(seconds / 60), hours = Math.floor(minutes / 60);
  if (!minutes) return say("live_left_seconds");
  if (!hours) return say("live_left_minutes", {minutes});
  if (hours < 24) return say("live_left_hours", {hours, minutes: minutes % 60});
  return say("live_left_days", {days: Math.floor(hours / 24), hours: hours % 24});
}

export class LiveView {
  constructor() {
    this.watch = makeWatch();
    this.boards = new Boards(this.watch);
    this.game = new WatchedGame(this.watch);
    this.spokenAt = -Infinity;
    /** @type {number | null} the number of the finished game that the server is asked for */
    this.asked = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} set while a result waits to be spoken */
    this.timer = undefined;
    /** @type {number | null} the number of the player in the graph of ratings, null for the first of the table */
    this.player = null;
    byId("live-watching").append(makeIcon("watchers"), make("span"));
    server.on("tournament", message => this.take(takeTournament(this.watch, message, performance.now())));
    server.on("tournament_news", message => {
      this.take(takeNews(this.watch, message, performance.now()));
      if (message.last) this.speak();
    });
    server.on("lost", () => { this.watch.lostAt ??= performance.now(); });
    setInterval(() => this.showClocks(), 200);
  }

  // True when the server has said that the tournament's manager is going.
  hasEnded() {
    return Boolean(this.watch.said?.ended);
  }

  // Asks for the whole state, and for all later changes.
  open() {
    server.send({type: "tournament"});
  }

  /**
   * Puts a game on the large board, or with null shows all boards.
   * @param {number | null} number
   */
  show(number) {
    this.ask(choose(this.watch, number));
    if (this.watch.said) this.fill();
    else this.open();  // without a connection the welcome leads to the state
  }

  /** @param {string} action */
  onAction(action) {
    return this.watch.chosen !== null && this.game.onAction(action);
  }

  /** @param {number | null} missing the number of a game that is to be asked for */
  take(missing) {
    this.ask(missing);
    this.fill();
  }

  // Called after a change of the language; the server sends its own sentences again.
  retell() {
    this.fill();
  }

  fill() {
    const {said, chosen} = this.watch;
    if (!said) return;
    document.title = `${said.name} – Tengen`;
    this.fillHead(said);
    if (chosen === null) {
      this.boards.fill();
      this.fillPlayers();
      fillCross(said);
    } else this.game.draw();
    fillLast(said, chosen);
  }

  fillPlayers() {
    const {said} = this.watch;
    if (!said) return;
    const chosen = this.player ?? said.players[0]?.id ?? null;
    fillTable(said, chosen, id => {
      this.player = id;
      this.fillPlayers();
    });
    drawRatings(said, chosen);
  }

  /** @param {Tournament} said */
  fillHead(said) {
    setText(byId("live-name"), said.name);
    setText(byId("live-settings"), [tellSettings(said), said.note].filter(Boolean).join(" · "));
    setText(byId("live-state"), say(`live_${said.state}`));
    byId("live-lamp").classList.toggle("is-running", said.state === "running");
    setText(byId("live-done"), say("live_played", {finished: formatNumber(said.finished), games: formatNumber(said.games)}));
    setText(byId("live-watching").lastElementChild ?? byId("live-watching"), say("live_watching", {count: said.watching}));
    this.showLeft();
    byId("live-progress").style.setProperty("--done", String(said.games ? said.finished / said.games : 0));
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
    if (number === null || number === this.asked) return;
    this.asked = number;
    server.ask({type: "tournament_game", number}).then(message => {
      if (message.number !== this.watch.chosen) return;
      this.watch.game = message;
      this.game.draw();
    }, () => {}).finally(() => { if (this.asked === number) this.asked = null; });
  }

  showLeft() {
    setText(byId("live-left"), tellLeft(timeLeft(this.watch, performance.now())));
  }

  showClocks() {
    if (!this.watch.said || document.hidden) return;
    this.showLeft();
    if (this.watch.chosen === null) this.boards.showClocks();
    else this.game.showClocks();
  }
}
