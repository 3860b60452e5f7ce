// The page: its list of games and its viewer brought together by buttons, keys and links.

import {makeBoard} from "./board.js";
import {byId, find, setIcon, setText, targetOf} from "./dom.js";
import {readGames} from "./games.js";
import {drawGraph} from "./graph.js";
import {filterList, makeList, neighbour, sortList, turnTo} from "./list.js";
import {
  eachFilter, fillFilters, fillList, filterValues, gameOfRow, limitFilters, markRow, scrollToRow, setFilters,
} from "./list_view.js";
import {formatPsq, formatSgf, save} from "./record.js";
import {goTo, openReplay} from "./replay.js";
import {addSortButtons, prepareTables} from "./tables.js";
import {drawBoard, showGame, showPly} from "./viewer.js";
import {sayIn} from "./words.js";

/**
 * @typedef {import("./games.js").Data} Data
 * @typedef {import("./games.js").Game} Game
 */

const PACE = 500;  // milliseconds from one stone to the next, when the game plays by itself

// The games of the page, one of them in the viewer.
class Page {
  /**
   * @param {Data} data
   * @param {Game[]} games at least one
   */
  constructor(data, games) {
    this.data = data;
    this.games = games;
    this.list = makeList(games);
    this.chosen = games[0];
    this.replay = openReplay(games[0], 0, data);
    this.board = makeBoard(data.width, data.height);
    /** @type {(ply: number) => void} */
    this.markOnGraph = () => {};
    /** @type {ReturnType<typeof setInterval> | undefined} set while the game plays by itself */
    this.timer = undefined;
    this.board.svg.setAttribute("role", "img");
    byId("board").append(this.board.svg);
    fillFilters(games, data);
    this.filter();
    this.prepare();
  }

  /**
   * Shows a game after `ply` stones, or whole.
   * @param {Game} game
   * @param {number} ply
   */
  open(game, ply = game.length) {
    this.stop();
    this.chosen = game;
    this.replay = openReplay(game, ply, this.data);
    showGame(this.replay, this.data, count => this.goTo(count));
    this.markOnGraph = drawGraph(byId("graph"), this.replay.game, this.data, count => this.goTo(count));
    markRow(this.list, game);
    this.goTo(ply);
  }

  /** @param {number} count of stones */
  goTo(count) {
    this.replay = goTo(this.replay, count);
    const {replay: {game, ply}, data} = this;
    drawBoard(this.board, this.replay, data);
    showPly(this.replay, data, line => {
      this.stop();
      this.replay = {...this.replay, line};
      drawBoard(this.board, this.replay, data);
    });
    this.markOnGraph(ply);
    const filters = Object.entries(filterValues()).filter(([, value]) => value);
    const address = new URLSearchParams([["game", String(game.number)], ["stones", String(ply)], ...filters]);
    history.replaceState(null, "", `#${address}`);
  }

  /** @param {number} by */
  step(by) {
    this.stop();
    this.goTo(this.replay.ply + by);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    setIcon(byId("play"), "play");
  }

  play() {
    if (this.timer !== undefined) return this.stop();
    if (this.replay.ply === this.replay.game.length) this.goTo(0);
    setIcon(byId("play"), "pause");
    this.timer = setInterval(() => {
      this.goTo(this.replay.ply + 1);
      if (this.replay.ply === this.replay.game.length) this.stop();
    }, PACE);
  }

  // Fills the list again.
  refill() {
    fillList(this.list, this.chosen, this.data);
  }

  /**
   * Shows the list's page with a game and scrolls to it, if the filters leave the game.
   * @param {Game} game
   */
  showInList(game) {
    const before = this.list.page;
    this.list = turnTo(this.list, game);
    if (this.list.page !== before) this.refill();
    scrollToRow(this.list, game);
  }

  /** @param {number} by */
  turnGame(by) {
    const next = neighbour(this.list, this.chosen, by);
    if (!next) return;
    this.open(next);
    this.showInList(next);
  }

  /** @param {number} by */
  turnPage(by) {
    this.list = {...this.list, page: this.list.page + by};
    this.refill();
  }

  // Fills the list with the games that the filters leave.
  filter() {
    limitFilters();
    this.list = filterList(this.list, filterValues(), this.data);
    this.refill();
  }

  // A filter was set: the game in the viewer stays, if it is one of those that are left.
  refilter() {
    this.filter();
    const {shown} = this.list;
    if (!shown.length) return;
    if (shown.includes(this.chosen)) this.open(this.chosen, this.replay.ply);
    else this.open(shown[0]);
  }

  // Follows the address: "#game=2&stones=17" shows a game, "#brain=0&result=lost" the games that the filters leave.
  // False for other addresses. An address has all filters, so that the browser's Back restores the earlier ones.
  followLink() {
    const wanted = new URLSearchParams(location.hash.slice(1)), set = Object.entries(filterValues()).filter(([, value]) => value);
    const named = [...wanted].filter(([name]) => name in filterValues());
    const chosen = this.games.find(game => String(game.number) === wanted.get("game"));
    // "#time" and the like lead to a part of the page and leave the games as they are.
    if (!chosen && !named.length && location.hash) return false;
    if (named.length || set.length) {
      setFilters(named);
      this.filter();
    }
    if (!chosen && !named.length) return false;
    const opened = chosen ?? this.list.shown[0], stones = wanted.get("stones") ?? "";
    if (opened) {
      this.open(opened, /^\d+$/.test(stones) ? Number(stones) : undefined);
      this.showInList(opened);
    }
    (chosen ? byId("games") : find(document, "#games .filters")).scrollIntoView();
    return true;
  }

  prepare() {
    for (const part of document.querySelectorAll("#games [hidden]:not(#trouble)")) part.removeAttribute("hidden");
    const table = find(document, "table.games", HTMLTableElement);
    table.querySelector("th")?.setAttribute("aria-sort", "ascending");
    addSortButtons(table, () => false, (column, sign) => {
      this.list = sortList(this.list, {column, sign}, this.data);
      this.refill();
    });
    for (const name of ["first", "back", "play", "forward", "last"]) setIcon(byId(name), name);
    const clicks = {
      first: () => this.step(-Infinity), back: () => this.step(-1), play: () => this.play(), forward: () => this.step(1),
      last: () => this.step(Infinity), previous: () => this.turnGame(-1), next: () => this.turnGame(1),
      "page-back": () => this.turnPage(-1), "page-on": () => this.turnPage(1),
      "save-sgf": () => save(this.replay.game, formatSgf(this.replay.game), "sgf"),
      "save-psq": () => save(this.replay.game, formatPsq(this.replay.game), "psq"),
      all: () => { setFilters([]); this.refilter(); },
    };
    for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
    byId("numbers").addEventListener("change", () => drawBoard(this.board, this.replay, this.data));
    byId("slider").addEventListener("input", () => {
      this.stop();
      this.goTo(Number(byId("slider", HTMLInputElement).value));
    });
    eachFilter((_, field) => field.addEventListener("change", () => this.refilter()));
    byId("list").addEventListener("click", event => {
      const game = gameOfRow(this.list, targetOf(event, "tr"));
      if (!game || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.open(game);
    });
    document.addEventListener("keydown", event => this.onKey(event));
    addEventListener("hashchange", () => this.followLink());
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.step(-Infinity),
      End: () => this.step(Infinity), PageUp: () => this.turnGame(-1), PageDown: () => this.turnGame(1), " ": () => this.play(),
    };
    const isTyping = targetOf(event, "select, input[type=range], summary, pre, .frame.cut > .wide:not(.list)");
    const isButton = event.key === " " && targetOf(event, "button, input, a");
    const act = keys[event.key];
    if (!act || isTyping || isButton || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    // In other parts of the page these keys scroll, as usual.
    const box = byId("games").getBoundingClientRect();
    if (box.top > innerHeight * .8 || box.bottom < innerHeight * .2) return;
    event.preventDefault();
    act();
  }
}

async function start() {
  /** @type {Data} */
  const data = JSON.parse(byId("data").textContent ?? "");
  prepareTables(sayIn(data, "scrolls"), sayIn(data, "sideways"));
  let games;
  try {
    games = await readGames(data);
  } catch (error) {
    byId("trouble").hidden = false;
    const why = error instanceof Error ? error.message : String(error);
    setText(byId("trouble"), sayIn(data, "no_unpacking", {why}));
    return;
  }
  const before = location.hash, page = new Page(data, games);
  if (!page.followLink()) {
    page.open(games[0]);
    history.replaceState(null, "", before || location.pathname);
  }
}

start();
