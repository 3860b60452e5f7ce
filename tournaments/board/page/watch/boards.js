// The boards of the games in progress, side by side; each leads to its game.

import {drawStones, makeBoard} from "../board.js";
import {byId, find, make, setText} from "../dom.js";
import {formatNumber, say, sayFacts} from "../shared/i18n.js";
import {drawStrip, makeStrip, tellShare} from "./shares.js";
import {fillSide, makeSide} from "./sides.js";
import {boardWidth, placeGames, shareAt, stonesOf} from "./state.js";

const MEASURES = {gap: 12, besides: 116, least: 208};  // pixels, as in views.css; the smallest card has two on a tablet

/**
 * @typedef {import("./state.js").Watch} Watch
 * @typedef {import("./state.js").RunningGame} RunningGame
 * @typedef {object} Card
 * @property {HTMLElement} item
 * @property {HTMLElement} link
 * @property {import("../board.js").Board} board
 * @property {HTMLElement[]} sides Black's and White's
 * @property {SVGSVGElement} strip
 * @property {string} drawn the moves on the board
 */

export class Boards {
  /** @param {Watch} watch */
  constructor(watch) {
    this.watch = watch;
    this.list = byId("live-running");
    /** @type {number[]} the numbers of the games by place */
    this.places = [];
    /** @type {Card[]} by place */
    this.cards = [];
    new ResizeObserver(() => this.fit()).observe(byId("live-boards"));
  }

  fill() {
    const {said} = this.watch;
    if (!said) return;
    setText(byId("live-playing"), said.unseen ? say("live_playing_unseen") : say("live_playing", {count: said.in_progress}));
    setText(byId("live-none"), say(said.unseen ? "live_unseen" : "live_none"));
    byId("live-none").hidden = said.running.length > 0;
    byId("live-more").hidden = said.in_progress === said.running.length;
    setText(byId("live-more"), say("live_more", {count: said.in_progress - said.running.length}));
    const count = this.cards.length, games = new Map(said.running.map(game => [game.number, game]));
    this.places = placeGames(this.places, [...games.keys()]);
    while (this.cards.length > this.places.length) this.cards.pop()?.item.remove();
    while (this.cards.length < this.places.length) this.cards.push(this.add(said));
    this.places.forEach((number, place) => this.draw(this.cards[place], /** @type {RunningGame} */ (games.get(number))));
    if (count !== this.cards.length) this.fit();
    this.showClocks();
  }

  /**
   * @param {import("../board.js").Size} size
   * @returns {Card}
   */
  add({width, height}) {
    const board = makeBoard(width, height), sides = [0, 1].map(makeSide), strip = makeStrip();
    const link = make("a", {class: "card", href: "/live"}, sides[1],
      make("span", {class: "with-bar"}, make("span", {class: "tells"}, make("i")), board.svg), sides[0], strip,
      make("span", {class: "of-game"}, make("span", {class: "number"}), make("span", {class: "ply"})));
    for (const part of link.children) part.setAttribute("aria-hidden", "true");  // the words before them tell all of it
    link.prepend(make("span", {class: "hidden told"}));
    const item = make("li", {}, link);
    this.list.append(item);
    return {item, link, board, sides, strip, drawn: "-"};
  }

  /**
   * @param {Card} card
   * @param {RunningGame} game
   */
  draw(card, game) {
    const {link, board, strip} = card, {number, moves, shares} = game, plies = moves.length, drawn = String(moves);
    const chances = tellShare(shares), numbers = {number: formatNumber(number), ply: formatNumber(plies)};
    link.setAttribute("href", `/live#${number}`);
    link.dataset.game = String(number);
    setText(find(link, ".told"), sayFacts(say("live_game", pairing(game)), say("live_stones", {plies}), chances));
    setText(find(link, ".number"), say("live_number", numbers));
    setText(find(link, ".ply"), say("live_move", numbers));
    if (card.drawn === drawn) return;
    card.drawn = drawn;
    drawStones(board, {stones: stonesOf(moves)});
    link.classList.toggle("is-told", chances !== "");
    find(link, ".tells").style.setProperty("--share", String(shareAt(shares) ?? .5));
    find(link, ".tells").title = chances;
    drawStrip(strip, shares);
  }

  showClocks() {
    const games = new Map(this.watch.said?.running.map(game => [game.number, game]));
    this.cards.forEach(({sides}, place) => {
      const game = games.get(this.places[place]);
      if (game) sides.forEach((side, colour) => fillSide(side, this.watch, game, colour));
    });
  }

  // As large as they fit; where they do not fit they are scrolled.
  fit() {
    const {clientWidth, clientHeight} = byId("live-boards"), width = clientWidth - 5, height = clientHeight - 5;  // of its edge
    if (width > 0) this.list.style.setProperty("--wide-card", `${boardWidth(this.cards.length, {width, height}, MEASURES)}px`);
  }
}

/** @param {{number: number, black: string, white: string}} game */
const pairing = ({number, black, white}) => ({number, black, white});
