// The page: its views, its addresses, and the connection that they share.

import {PROTOCOL, server} from "./net/connection.js";
import {identity} from "./net/identity.js";
import {byId, find, make, setText, targetOf} from "./dom.js";
import {askFront, retellFront} from "./play/front.js";
import {fillHome, prepareHome} from "./play/home.js";
import {listenToKeys, openHelp, prepareHelp} from "./shared/keys.js";
import {drawEarly, gameIn, isSeen} from "./board/early.js";
import {parseLink} from "./board/notation.js";
import {applyLooks} from "./shared/look.js";
import {fillIcons} from "./shared/icons.js";
import {served} from "./shared/served.js";
import {prepareSettings} from "./shared/settings.js";
import {announce, clearStatus, complain} from "./shared/status.js";
import {prepareTabs} from "./shared/tabs.js";
import {chooseLanguage, languageNames, languageShown, loadWords, say} from "./shared/i18n.js";
import {Views} from "./views.js";
import {followTournaments} from "./watch/shown.js";

/**
 * @typedef {import("./net/messages.js").Links} Links
 * @typedef {import("./net/messages.js").State} State
 * @typedef {import("./net/messages.js").Welcome} Welcome
 * @typedef {import("./board.js").Cell} Cell
 * @typedef {import("./net/exchange.js").Position} Position
 * @typedef {import("./review/descriptions.js").Proof} Proof
 * @typedef {"" | "front" | "game" | "study" | "quiz" | "puzzle" | "games" | "live" | "live-one"} ViewName
 */

/** @type {ViewName[]} */
const VIEWS = ["front", "game", "study", "quiz", "puzzle", "games", "live", "live-one"];
/** @type {Partial<Record<ViewName, string>>} the words of the menu for the views that it leads to, besides the front page */
const NAMES = {study: "nav_study", quiz: "nav_quiz", puzzle: "nav_puzzles", games: "nav_games", live: "nav_live", "live-one": "nav_live"};
/** @type {Partial<Record<ViewName, import("./review/coaching.js").Leave["label"]>>} the way back from a proof of each view */
const LEAVE = {game: "leave_proof", puzzle: "leave_proof_puzzle", quiz: "leave_proof_quiz"};
const LIVE = "/live";   // the address of a tournament's page; its server has no other page

/**
 * The first message of every connection.
 * @returns {import("./net/messages.js").HelloRequest}
 */
const greeting = () => ({type: "hello", language: languageShown(), protocol: PROTOCOL});

/** @param {string} words */
function showBanner(words) {
  byId("connection").hidden = false;
  setText(byId("connection"), words);
}

class App {
  /** @param {boolean} isOwner true if this browser seems to be the owner's; the server's welcome tells */
  constructor(isOwner) {
    /** @type {ViewName} */
    this.view = "";
    this.gameId = "";       // the id in the address
    /** @type {Welcome | null} */
    this.welcome = null;
    this.isCreating = false;
    this.views = new Views(this, () => {
      showBanner(say("not_loaded"));
      announce(say("not_loaded"));
    });
    prepareHelp();
    prepareSettings();
    prepareTabs();
    prepareHome(settings => this.create(settings));
    this.arrange(isOwner);
    listenToKeys(action => this.onAction(action));
    this.listen();
    this.listenToServer();
    followTournaments(() => server.isOpen && location.pathname !== LIVE && this.welcome?.owner === true);
  }

  /** @param {ViewName} name */
  show(name) {
    // A sentence about one view is wrong in another.
    if (this.view !== name) clearStatus();
    this.view = name;
    this.sayWhere();
    byId("menu").hidePopover();
    for (const id of VIEWS) byId(id).hidden = id !== name;
    const here = !NAMES[name] ? "to-play" : name === "live-one" ? "to-live" : `to-${name}`;
    for (const id of ["to-play", "to-study", "to-quiz", "to-puzzle", "to-games", "to-live"]) {
      if (id === here) byId(id).setAttribute("aria-current", "page");
      else byId(id).removeAttribute("aria-current");
    }
  }

  // A game and a study say more of themselves as soon as they are drawn.
  sayWhere() {
    setText(byId("where"), say(NAMES[this.view] ?? "nav_play"));
  }

  /**
   * Shows the view of the address.
   * @param {Links | null} links of a game just made
   * @param {boolean} takes true if the seat of the link is wanted
   */
  follow(links = null, takes = false) {
    if (location.pathname === LIVE) {
      const number = /^#(\d{1,9})$/.exec(location.hash)?.[1];
      this.show(number ? "live-one" : "live");
      this.views.use("live", live => live.show(number ? Number(number) : null));
      return;
    }
    const {hash} = location, id = gameIn(location.pathname), link = id ? null : parseLink(hash);
    this.leave();
    this.gameId = id;
    if (id) {
      const reviews = hash === "#review";
      if (reviews) history.replaceState(null, "", `/g/${id}`);  // the way back leads to the game
      this.show("game");
      if (!this.views.loaded.game) drawEarly();
      const secret = reviews ? "" : hash.slice(1);
      this.views.use("game", game => game.openGame(id, {secret, links, takes, reviews}));
    } else if (link || hash === "#study") {
      this.show("study");
      if (!this.views.loaded.study) drawEarly();
      this.views.use("study", study => study.open(link));
    } else if (hash === "#quizzes") {
      this.show("quiz");
      this.views.use("quiz", quiz => quiz.open());
    } else if (hash === "#puzzles" || hash === "#puzzles/day") {
      const isOfDay = hash !== "#puzzles";
      if (isOfDay) history.replaceState(null, "", "/#puzzles");  // the way back leads to the puzzle that is shown then
      this.show("puzzle");
      this.views.use("puzzle", puzzle => puzzle.open(isOfDay));
    } else if (hash === "#games") {
      this.show("games");
      this.views.use("games", games => games.open());
    } else {
      this.show("front");
      if (!this.welcome) fillHome();
      if (this.welcome) askFront(this.welcome.owner);  // the first time, the welcome comes after this
    }
  }

  // Leaves the current view.
  leave() {
    const {game, study, quiz, puzzle} = this.views.leave();
    if (this.view === "game") game?.closeGame();
    if (this.view === "study") study?.close();
    if (this.view === "quiz") quiz?.close();
    if (this.view === "puzzle") puzzle?.close();
  }

  /**
   * Goes on to another address, which follows that of the study's last position.
   * @param {string} address
   */
  push(address) {
    this.views.loaded.study?.panel.address.settle();
    history.pushState(null, "", address);
  }

  /**
   * Leads to an address of the page.
   * @param {string} address
   */
  visit(address) {
    this.push(address);
    this.follow();
    scrollTo(0, 0);
  }

  /**
   * Leads to a game, or with null to the front page. With the secret of a seat the player takes it.
   * @param {string | null} id
   * @param {{links?: Links | null, secret?: string}} more
   */
  open(id, {links = null, secret = ""} = {}) {
    this.push(id ? `/g/${id}${secret ? `#${secret}` : ""}` : "/");
    this.follow(links, secret !== "");
    scrollTo(0, 0);
  }

  /**
   * Takes a game to the study.
   * @param {State} state
   * @param {boolean} reviews true if the coach is to review it
   */
  openStudy(state, reviews = false) {
    this.leave();
    this.gameId = "";
    this.leadToStudy(study => study.openGame(state, reviews));
  }

  /**
   * Shows a proof in the study. From there a button leads back to this view.
   * @param {Position} position
   * @param {Cell[]} cells
   * @param {Proof} proof
   */
  walk(position, cells, proof) {
    const address = location.pathname + location.hash, label = LEAVE[this.view] ?? "leave_proof";
    this.leave();
    this.leadToStudy(study => study.openProof(position, cells, proof, {label, lead: () => this.visit(address)}));
  }

  /** @param {(study: import("./study/study.js").StudyView) => void} fill */
  leadToStudy(fill) {
    this.push("/#study");
    this.show("study");
    this.views.use("study", fill);
    scrollTo(0, 0);
  }

  /** @param {import("./net/messages.js").WantedSettings} settings */
  create(settings) {
    if (this.isCreating) return;  // a second click on the same button
    this.isCreating = true;
    server.ask({type: "create", settings}).then(({game, links}) => this.open(game, {links}), complain)
      .finally(() => { this.isCreating = false; });
  }

  /** @param {string} action */
  onAction(action) {
    const name = this.view === "live-one" ? "live" : this.view;
    if (action === "help") openHelp();
    else if (!name || name === "front") return false;
    else if (this.views.loaded[name]) return this.views.loaded[name].onAction(action);
    else this.views.use(name, late => { late.onAction(action); });  // the view is being loaded
    return true;
  }

  /** @param {Welcome} message */
  greet(message) {
    // A server with a new link does not accept the token of the old link; a page that is reloaded is told so too.
    // A tournament has no owner: its port may have been that of another server, whose owner this browser is.
    if (!message.owner && location.pathname !== LIVE && (identity.isOwners || identity.isRefused)) {
      const words = say(identity.isRefused ? "owner_link_old" : "owner_lost");
      showBanner(words);
      announce(words);
    }
    this.welcome = message;
    this.arrange(message.owner);
    fillHome(message.brains);
    if (message.owner || this.view === "front") askFront(message.owner);
    this.fillStudy();
    if (location.pathname === LIVE) this.views.loaded.live?.open();  // again after a lost connection or a change of the language
    if (location.pathname !== LIVE) this.views.loadMore();
  }

  // Tells the study what the server has said, when either of them has come.
  fillStudy() {
    if (!this.welcome) return;
    const {brains, signature, owner, limits} = this.welcome;
    this.views.loaded.study?.fill(brains, signature, owner, limits);
  }

  /** @param {boolean} isOwner */
  arrange(isOwner) {
    // Guests cannot start games, and see only games to which they have a link.
    for (const id of ["new-game", "to-games", "to-quiz", "to-puzzle"]) byId(id).hidden = !isOwner;
    byId("guest-words").hidden = isOwner;
  }

  listenToServer() {
    server.on("welcome", message => this.greet(message));
    server.on("announced", message => { if (message.game === this.gameId) announce(message.text); });
    server.on("complaint", message => {
      if (message.code === "server.reload") showBanner(message.reason);
      announce(message.reason);
      this.views.loaded.study?.analyst.refuse(message);
    });
    server.on("lost", ({first}) => {
      const words = say(this.views.loaded.live?.hasEnded() ? "live_end" : "connection_lost");
      showBanner(words);
      if (first) announce(words);
    });
    server.on("open", ({wasLost}) => {
      byId("connection").hidden = true;
      if (wasLost && this.gameId) this.views.loaded.game?.watch(this.gameId);
      if (wasLost) announce(say("connection_back"));
    });
  }

  listen() {
    document.addEventListener("click", event => {
      const link = targetOf(event, "a[href^='/']");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      this.visit(link.getAttribute("href") ?? "/");
    });
    // This is also a link within the page, such as one that is pasted into the address.
    addEventListener("popstate", () => this.follow());
    byId("language").addEventListener("change", () => this.changeLanguage());
  }

  async changeLanguage() {
    await chooseLanguage(byId("language", HTMLSelectElement).value);
    server.send(greeting());
    clearStatus();
    fillLanguages();
    fillHome();
    retellFront();
    const {study, game, live, puzzle, quiz, games} = this.views.loaded;
    study?.fill();
    for (const view of [live, game, quiz, puzzle, games]) view?.retell();
    if (!["game", "study"].includes(this.view)) this.sayWhere();
  }
}

function fillLanguages() {
  byId("language").replaceChildren(...Object.entries(languageNames()).map(([tag, name]) =>
    make("option", {value: tag, lang: tag, ...tag === languageShown() ? {selected: ""} : {}}, name)));
}

applyLooks();

async function start() {
  const {hash} = location, {library} = served(), hasToken = hash.startsWith("#token="), isDrawn = location.pathname !== LIVE && drawEarly();
  fillIcons();
  await loadWords();
  fillLanguages();
  if (isDrawn) await isSeen();  // the rest of the page takes longer than the board
  if (location.pathname === LIVE) {
    for (const link of document.querySelectorAll("nav a")) link.toggleAttribute("hidden", link.id !== "to-live");
    find(document, ".brand").setAttribute("href", LIVE);
  }
  const introduced = identity.introduce(library, hash, () => {
    showBanner(say("no_server"));
    announce(say("no_server"));
  });
  new App(hasToken || identity.isOwners).follow();
  await introduced;
  if (hasToken && location.hash === hash) history.replaceState(null, "", location.pathname);
  server.open(() => [greeting()]);
}

start();
