// The list of games: searched, chosen from by clicks, opened and deleted.

import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {allGames, FILTERS, isChosen, namesToChoose, pageOf, requestOf, turnPage} from "./choice.js";
import {GameImports} from "./importing.js";
import {gameNames} from "../play/games.js";
import {titleOf} from "../play/home.js";
import {RULES} from "../board/notation.js";
import {onSingleClick} from "../shared/clicks.js";
import {Delay} from "../shared/delay.js";
import {announce, complain} from "../shared/status.js";
import {formatDate, formatDay, formatNumber, languageShown, say, sayLabelled} from "../shared/i18n.js";

/** @typedef {import("./choice.js").GameLine} GameLine */

const FIND_PAUSE = 250;  // milliseconds without a letter until a search begins
const RESULTS = ["black", "white", "draw", "going", "won", "lost"];
const KINDS = ["brain", "friend", "local", "brains"];
const STEPS = /** @type {const} */ (["first", "back", "forward", "last"]);

export class GamesView {
  constructor() {
    this.choice = allGames();
    /** @type {GameLine[]} */
    this.games = [];
    this.count = 0;
    this.asked = 0;         // the number of the last request: an earlier answer is not shown
    /** @type {Set<string>} the ids of the games that are marked */
    this.marked = new Set();
    this.isSure = false;    // the next click deletes the marked games
    /** @type {Set<string>} the names of the players of all games that were listed */
    this.names = new Set();
    this.hasAnswer = false;
    this.imports = new GameImports(() => this.chooseAll(false));
    const search = new Delay(() => this.choose({find: byId("find-games", HTMLInputElement).value}), FIND_PAUSE);
    byId("find-games").addEventListener("input", () => search.restart());
    for (const name of FILTERS) this.field(name).addEventListener("change", () => this.choose({[name]: this.field(name).value}));
    byId("games-all").addEventListener("click", () => this.chooseAll());
    byId("games-most").addEventListener("change", () => this.choose({most: Number(byId("games-most", HTMLSelectElement).value)}));
    for (const step of STEPS) byId(`games-${step}`).addEventListener("click", () => this.turn(step));
    byId("games-list").addEventListener("change", event => this.mark(/** @type {HTMLInputElement} */ (event.target)));
    byId("games-mark").addEventListener("change", () => this.markAll(byId("games-mark", HTMLInputElement).checked));
    onSingleClick(byId("games-delete", HTMLButtonElement), () => this.delete());
  }

  /**
   * @param {typeof FILTERS[number]} name
   * @returns {HTMLSelectElement | HTMLInputElement}
   */
  field(name) {
    return /** @type {HTMLSelectElement | HTMLInputElement} */ (byId(`games-${name}`));
  }

  open() {
    this.fillFields();
    this.ask();
  }

  // Called after a change of the language.
  retell() {
    this.fillFields();
    this.draw();
  }

  // This view uses no key of the page's table.
  onAction() {
    return false;
  }

  /** @param {Partial<import("./choice.js").Choice>} change */
  choose(change) {
    this.choice = {...this.choice, skip: 0, ...change};
    this.ask();
  }

  /** @param {boolean} [takesFocus] */
  chooseAll(takesFocus = true) {
    const {most} = this.choice;
    byId("find-games", HTMLInputElement).value = "";
    this.choose({...allGames(), most});
    for (const name of FILTERS) this.field(name).value = "";
    if (takesFocus) byId("find-games").focus();
  }

  /** @param {typeof STEPS[number]} step */
  turn(step) {
    this.choice = turnPage(this.choice, step, this.count);
    this.ask();
    byId("games-scroll").scrollTop = 0;
  }

  async ask() {
    const asked = ++this.asked;
    try {
      const {games, count} = await server.ask(requestOf(this.choice));
      if (asked !== this.asked) return;
      if (!games.length && count) return this.turn("last");  // the games of this page are deleted
      Object.assign(this, {games, count, hasAnswer: true});
    } catch (error) {
      if (asked === this.asked) complain(error);
      return;
    }
    this.marked = new Set();
    this.isSure = false;
    this.fillNames();
    this.draw();
  }

  fillFields() {
    this.imports.fill();
    fillList(this.field("rule"), "every_rule", Object.keys(RULES).map(number => [number, say(`rule_${number}`)]));
    fillList(this.field("result"), "every_result", RESULTS.map(name => [name, say(`only_${name}`)]));
    fillList(this.field("kind"), "every_kind", KINDS.map(name => [name, say(`only_kind_${name}`)]));
    this.fillNames();
  }

  fillNames() {
    const names = namesToChoose(this.names, this.games, languageShown());
    fillList(this.field("player"), "every_player", names.map(name => [name, titleOf(name)]), this.choice.player);
  }

  draw() {
    const {games, count, choice, hasAnswer} = this, {from, to} = pageOf(choice, games.length);
    byId("no-games").hidden = !hasAnswer || games.length > 0;
    setText(byId("no-games"), say(isChosen(choice) ? "no_games_found" : "no_games"));
    byId("games-all").hidden = !isChosen(choice);
    setText(byId("games-count"), hasAnswer ? say("games_count", {count, shown: formatNumber(count)}) : "");
    byId("games-pages").hidden = count <= games.length && choice.most === 100;
    setText(byId("games-range"), say("games_range", {from: formatNumber(from), to: formatNumber(to), count: formatNumber(count)}));
    for (const step of STEPS) {
      byId(`games-${step}`, HTMLButtonElement).disabled = turnPage(choice, step, count).skip === choice.skip;
    }
    byId("games-list").replaceChildren(...games.map(game => makeItem(game)));
    this.showMarked();
  }

  showMarked() {
    const {marked, games, isSure} = this, button = byId("games-delete", HTMLButtonElement), all = byId("games-mark", HTMLInputElement);
    byId("games-tools").hidden = !games.length;
    button.hidden = !marked.size;
    button.classList.toggle("danger", isSure);
    setText(button, isSure ? say("delete_sure") : say("delete_games", {count: marked.size}));
    all.checked = games.length > 0 && marked.size === games.length;
    all.indeterminate = marked.size > 0 && !all.checked;
  }

  /** @param {HTMLInputElement} box */
  mark(box) {
    if (box.checked) this.marked.add(box.value);
    else this.marked.delete(box.value);
    this.isSure = false;
    this.showMarked();
  }

  /** @param {boolean} isMarked */
  markAll(isMarked) {
    this.marked = new Set(isMarked ? this.games.map(({game}) => game) : []);
    this.isSure = false;
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (byId("games-list").querySelectorAll("input"))) box.checked = isMarked;
    this.showMarked();
  }

  // Deletes the marked games with the second click.
  async delete() {
    if (!this.isSure) {
      this.isSure = true;
      return this.showMarked();
    }
    try {
      const {deleted} = await server.ask({type: "delete_games", games: [...this.marked]});
      announce(say("games_deleted", {count: deleted}));
    } catch (error) {
      complain(error);
    }
    await this.ask();
    byId("games-mark").focus();
  }
}

/**
 * Fills a list of choices, the first of which is for all games.
 * @param {HTMLElement} list
 * @param {string} all the key of its words
 * @param {string[][]} choices values and words
 * @param {string} [chosen]
 */
function fillList(list, all, choices, chosen) {
  if (!(list instanceof HTMLSelectElement)) return;
  const value = chosen ?? list.value;
  list.replaceChildren(make("option", {value: ""}, say(all)), ...choices.map(([each, words]) => make("option", {value: each}, words)));
  list.value = value;
}

/** @param {GameLine} game */
function makeItem(game) {
  const names = gameNames(game), box = make("input", {type: "checkbox", value: game.game, "aria-label": sayLabelled(say("mark"), names.join(" – "))});
  const mark = make("label", {class: "mark"}, box), date = make("span", {class: "soft when"}, game.date ? formatDay(game.date) : formatDate(game.created));
  if (game.broken) return make("li", {}, mark, make("span", {class: "soft"}, say("game_broken")), date);
  return make("li", {}, mark, ...makeCells(game, names), date);
}

/**
 * @param {GameLine} game
 * @param {string[]} names
 */
function makeCells({game, phase, plies, winner, ending, rule, width, height}, names) {
  const isOver = phase === "over", result = ending === "stopped" ? "–" : winner === 0 ? "1–0" : winner === 1 ? "0–1" : "½–½";
  return [
    make("a", {href: `/g/${game}`, class: "names"}, ...names.map((name, colour) =>
      make("span", {class: winner === colour ? "winner" : ""}, make("i", {class: colour ? "stone-white" : "stone-black"}), " ", name))),
    make("span", {class: isOver ? "score" : "score soft"}, isOver ? result : say("game_goes_on")),
    make("span", {class: "soft rule"}, `${say(`rule_${rule}`)} ${width} × ${height}`),
    make("span", {class: "soft length"}, say("move_count", {plies})),
  ];
}
