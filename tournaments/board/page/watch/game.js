// One game of a watched tournament on the large board, to step through.

import {fivesThrough} from "../board.js";
import {byId, setText} from "../dom.js";
import {Grid} from "../board/grid.js";
import {formatNumber, say, sayClock, sayFacts, sayLabelled} from "../shared/i18n.js";
import {hasLetters} from "../shared/keys.js";
import {announce} from "../shared/status.js";
import {drawStrip, makeStrip, tellShare} from "./shares.js";
import {fillSide, makeSide, tellTime} from "./sides.js";
import {isOver, look, plyShown, runningGame, shareAt, stonesOf, timeOf} from "./state.js";
import {tellOver} from "./tables.js";

const STEPS = ["first", "back", "forward", "last", "turn"];

export class WatchedGame {
  /** @param {import("./state.js").Watch} watch */
  constructor(watch) {
    this.watch = watch;
    this.grid = new Grid(byId("live-board"), {play: () => {}, step: by => this.step(by), command: key => this.command(key)});
    this.sides = [0, 1].map(makeSide);
    byId("live-near").append(this.sides[0]);
    byId("live-far").append(this.sides[1]);
    this.strip = makeStrip();
    byId("live-graph").append(this.strip);
    this.strip.addEventListener("click", event => {
      const box = this.strip.getBoundingClientRect(), plies = this.watch.game?.moves.length ?? 0;
      this.goTo(1 + Math.round((event.clientX - box.left) / box.width * Math.max(0, plies - 1)));
    });
    for (const name of STEPS) byId(`live-${name}`).addEventListener("click", () => this.onAction(name));
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
    const {said, game, chosen} = this.watch;
    if (!said || chosen === null) return;
    const {width, height} = said, moves = game?.moves ?? [], shares = game?.shares ?? [];
    const ply = plyShown(this.watch), stones = stonesOf(moves.slice(0, ply));
    const last = isOver(game) && ply === moves.length ? stones.at(-1) : undefined;
    this.grid.show({width, height, stones, rows: last ? fivesThrough({width, height}, stones, last.cell) : [], next: null});
    setText(byId("live-game"), say("live_number", {number: formatNumber(chosen)}));
    setText(byId("live-words"), !game ? "" : isOver(game) ? tellOver(game) : said.name);
    setText(byId("live-ply"), game ? say("live_ply", {ply, plies: moves.length}) : "");
    const told = tellShare(shares, ply), bar = byId("live-bar");
    byId("live-one").classList.toggle("is-told", shareAt(shares) !== null);
    bar.hidden = byId("live-graph").hidden = shareAt(shares) === null;
    bar.style.setProperty("--share", String(shareAt(shares, ply) ?? .5));
    bar.setAttribute("aria-label", told || say("no_evaluation"));
    drawStrip(this.strip, shares);
    for (const id of ["live-first", "live-back"]) byId(id, HTMLButtonElement).disabled = ply === 0;
    for (const id of ["live-last", "live-forward"]) byId(id, HTMLButtonElement).disabled = ply === moves.length;
    this.showClocks();
  }

  showClocks() {
    const {game} = this.watch, running = runningGame(this.watch);
    this.sides.forEach((side, colour) => {
      if (running) fillSide(side, this.watch, running, colour);
      else fillOver(side, game ? game[colour ? "white" : "black"] : "", isOver(game) && game.winner === colour);
    });
  }

  /**
   * A key of the board itself.
   * @param {string} key
   */
  command(key) {
    if (key !== "t" || !hasLetters()) return false;
    const running = runningGame(this.watch), told = !running ? [] : [0, 1].flatMap(colour => {
      const time = timeOf(this.watch, running, colour, performance.now());
      return time ? [sayLabelled(colour ? running.white : running.black, `${sayClock(time.seconds)} ${tellTime(time)[1]}`)] : [];
    });
    announce(sayFacts(...told) || say("no_clock"));
    return true;
  }
}

/**
 * A side of a game that is over: there is no clock.
 * @param {HTMLElement} side
 * @param {string} name
 * @param {boolean} hasWon
 */
function fillOver(side, name, hasWon) {
  side.classList.remove("is-turn");
  for (const [selector, text] of Object.entries({b: name, time: "", ".soft": hasWon ? say("live_won") : ""})) {
    setText(/** @type {HTMLElement} */ (side.querySelector(selector)), text);
  }
}
