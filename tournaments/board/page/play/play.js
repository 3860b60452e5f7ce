// A game at the board: it draws the server's states, and sends the player's requests.

import {cellName} from "../board.js";
import {commandsOf} from "./commands.js";
import {CommentBox} from "./comment.js";
import {server} from "../net/connection.js";
import {byId, find, setText} from "../dom.js";
import {Grid} from "../board/grid.js";
import {keepLevel, titleOf} from "./home.js";
import {hasLetters} from "../shared/keys.js";
import {positionOfWin, showLesson, slipWords} from "./lesson.js";
import {isInOpening} from "./opening.js";
import {parseCell} from "../board/notation.js";
import {focusAction, showActions, showAsks, showClocks, showMoves, showPlayers, showResult, showShare} from "./panel.js";
import {aheadAfter, boardShown, canPlayAhead, keepForLater, place, takeAway, takeLater} from "./placed.js";
import {preview} from "./preview.js";
import {makeReplay} from "./replay.js";
import {prepareSaving} from "./saving.js";
import {ownName, preference, setPreference} from "../shared/preferences.js";
import {playSound} from "../shared/sound.js";
import {announce, complain} from "../shared/status.js";
import {describeTurn, isSeatLost, levelNext, look, makeTable, newsOf, plyShown, takeState, turnToGame, whyNoStone} from "./table.js";
import {say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/messages.js").Links} Links
 * @typedef {import("../net/messages.js").State} State
 * @typedef {import("../net/messages.js").AnyRequest} AnyRequest
 * @typedef {(id: string | null, more?: {links?: Links | null, secret?: string}) => void} Open leads to another game, or
 *   with null to the front page
 */

/**
 * The secret in the link to a seat, "" without one.
 * @param {Links | null | undefined} links
 */
const secretOf = links => links?.seat?.split("#")[1] ?? "";

export class PlayView {
  /**
   * @param {Open} open
   * @param {(state: State, reviews?: boolean) => void} study takes the game to the study
   * @param {(position: import("../net/exchange.js").Position, cells: Cell[], proof: unknown[][]) => void} walk shows a proof
   */
  constructor(open, study, walk) {
    this.open = open;
    this.study = study;
    this.walk = walk;
    this.table = makeTable();
    this.grid = new Grid(byId("board"), {
      play: (cell, isAgain) => this.play(cell, isAgain), undo: () => this.act("undo"), step: by => this.step(by),
      command: (key, button) => this.command(key, button),
    });
    this.replay = makeReplay(() => this.table, ply => this.goTo(ply));
    this.comment = new CommentBox();
    this.actions = {act: this.act.bind(this), send: this.send.bind(this), goTo: this.goTo.bind(this)};
    this.prepare();
  }

  /**
   * Calls `use` with the state of the game, if there is one.
   * @param {(state: State) => void} use
   */
  with(use) {
    if (this.table.state) use(this.table.state);
  }

  prepare() {
    const clicks = {
      first: () => this.goTo(0), back: () => this.step(-1), forward: () => this.step(1), last: () => this.goTo(Infinity),
      turn: () => this.grid.turn(false), "new-link": () => this.send("invite"),
      "resign-yes": () => { this.table.isSure = false; this.send("resign"); },
      "resign-no": () => this.with(state => {
        this.table.isSure = false;
        showActions(this.table, state, this.actions);
        focusAction("resign");
      }),
    };
    for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
    const numbers = byId("numbers", HTMLInputElement), box = byId("move-box", HTMLInputElement);
    numbers.checked = preference("numbers", false);
    numbers.addEventListener("change", () => {
      setPreference("numbers", numbers.checked);
      this.with(state => this.drawBoard(state));
    });
    const teach = byId("teach", HTMLInputElement);
    teach.addEventListener("change", () => this.send("teach", {on: teach.checked}));
    byId("move-form").addEventListener("submit", event => {
      event.preventDefault();
      this.with(({width, height}) => {
        const cell = parseCell(box.value, width, height);
        if (!cell) return announce(say("no_such_cell", {text: box.value}));
        box.value = "";
        this.play(cell);
      });
    });
    prepareSaving(() => this.table.state?.game);
    server.on("state", message => this.receive(message));
    server.on("hint", ({game, cell}) => this.with(state => game === this.table.wanted && this.showHint(state, cell)));
    server.on("lost", () => { this.table.newest = 0; });  // the next server begins to count at 1
    server.on("rematch", message => this.with(state => {
      if (message.game !== this.table.wanted) return;
      this.table.next = message.next;
      showResult(this.table, state, this.actions);
      announce(say("rematch_begun"));
    }));
    setInterval(() => this.with(state => showClocks(this.table, state)), 250);
  }

  /**
   * Watches a game. `secret`: of the seat in the link. `links`: of a game just made. `takes`: the player has already
   * chosen to take the seat. `reviews`: the coach is to review it.
   * @param {string} id
   * @param {{secret: string, links: Links | null, takes: boolean, reviews: boolean}} more
   */
  openGame(id, {secret, links, takes, reviews}) {
    turnToGame(this.table, id, secret, links);
    this.table.isToReview = reviews;
    this.showParts("");
    preview(this);
    this.watch(id);
    if (takes) server.send({type: "sit", game: id, secret, name: ownName()});
  }

  /**
   * Asks for the game, also after a lost connection.
   * @param {string} id
   */
  watch(id) {
    const {secret} = this.table;
    server.ask({type: "watch", game: id, ...secret ? {secret} : {}}).catch(error => {
      // The connection was lost and came back, or the player has gone to another game.
      if (!error.message || id !== this.table.wanted) return;
      if (!this.table.state) this.showParts(error.message);
      announce(error.message);
    });
  }

  /**
   * Hides the game until the server has sent its state; if the game cannot be shown, says why.
   * @param {string} fault
   */
  showParts(fault) {
    for (const name of [".board-column", ".panel"]) find(byId("game"), name).hidden = !this.table.state;
    byId("game").classList.toggle("playing", this.table.state !== null);
    byId("missing").hidden = !fault;
    setText(find(byId("missing"), "p"), fault);
  }

  closeGame() {
    this.comment.close();
    this.replay.stop();
    if (this.table.wanted) server.send({type: "leave", game: this.table.wanted});
    turnToGame(this.table, "", "", null);
    document.title = "Tengen";
  }

  /**
   * Sends a request about the game.
   * @param {string} type
   * @param {Record<string, unknown>} more
   */
  send(type, more = {}) {
    const {state} = this.table;
    if (!state) return;
    const {game} = state;
    server.ask(/** @type {AnyRequest} */ ({type, game, ...more})).then(answer => {
      if (answer.type !== "created" || game !== this.table.wanted) return;
      // The owner's links lead to the friend's seat, a friend's links to the friend's own seat.
      if (state.you.owner) this.open(answer.game, {links: answer.links});
      else this.open(answer.game, {secret: secretOf(answer.links)});
    }, error => {
      if (game !== this.table.wanted) return;
      // The server refuses a stone that is drawn already.
      if (type === "play" && takeAway(this.table)) this.drawBoard(this.table.state ?? state);
      complain(error);
    });
  }

  /**
   * @param {Cell} cell
   * @param {boolean} [isAgain] the second click of a double click: the first one offered the fifth move, which the second
   *   one would take
   */
  play(cell, isAgain = false) {
    if (!this.table.state) this.table.later = cell;  // the board of preview() is shown
    this.with(state => {
      if (canPlayAhead(this.table, state)) return isAgain ? undefined : this.send("premove", {cell: aheadAfter(state, cell)});
      const why = whyNoStone(this.table, state);
      if (why) return announce(why);
      if (isAgain && state.phase === "take" || keepForLater(this.table, state, cell)) return;
      if (place(this.table, state, cell)) this.drawBoard(state);
      this.send("play", {ply: state.moves.length, cell, offered: state.fifth_moves.length});
    });
  }

  /**
   * The actions of the buttons and the keys.
   * @param {string} what
   */
  act(what) {
    this.with(state => {
      if (what === "undo" && state.premove) {
        this.send("premove");
      } else if (what === "resign") {
        this.table.isSure = true;
        showActions(this.table, state, this.actions);
        byId("resign-no").focus();
      } else if (what === "showWin") {
        this.table.showsWin = !this.table.showsWin;
        this.showAll(state);
      } else if (what === "walkWin" && state.slip) {
        this.walk(positionOfWin(state), [], state.slip.proof);
      } else if (what === "study" || what === "review") {
        this.study(state, what === "review");
      } else if (what === "new") {
        this.open(null);
      } else if (what === "join" && !state.you.seats.length) {
        this.open(this.table.next);
      } else {
        // A player of this game has a seat in the rematch, and the server knows which seat.
        this.send(what === "join" ? "rematch" : what);
      }
    });
  }

  /** @param {number} by */
  step(by) {
    this.with(state => this.goTo(plyShown(this.table, state) + by));
  }

  /** @param {number} ply */
  goTo(ply) {
    this.with(state => {
      this.replay.heed();
      look(this.table, state, ply);
      this.drawBoard(state);
      this.showMoves(state);
    });
  }

  /**
   * A key of the page's table; false if this view does not use it.
   * @param {string} action
   */
  onAction(action) {
    /** @type {Record<string, () => void>} */
    const actions = {
      back: () => this.step(-1), forward: () => this.step(1), first: () => this.goTo(0), last: () => this.goTo(Infinity),
      previous_variation: () => this.goTo(0), next_variation: () => this.goTo(Infinity), undo: () => this.act("undo"),
      turn: () => this.grid.turn(false), mirror: () => this.grid.turn(true),
    };
    if (this.table.state?.phase === "over") actions.autoplay = () => this.replay.toggle();
    if (this.replay.isOn) actions.stop = () => this.replay.toggle();
    if (this.table.state?.premove) actions.stop = () => this.send("premove");
    if (!this.table.state || !Object.hasOwn(actions, action)) return false;
    actions[action]();
    return true;
  }

  /**
   * A key of the board itself.
   * @param {string} key
   * @param {HTMLElement} button
   */
  command(key, button) {
    const {table} = this;
    if (!hasLetters() || !table.state) return false;
    const commands = commandsOf(table, table.state, button, () => this.act("hint"));
    if (!Object.hasOwn(commands, key)) return false;
    commands[key]();
    return true;
  }

  /** @param {State} state */
  receive(state) {
    const before = this.table.state;
    if (!takeState(this.table, state, performance.now())) return;
    if (isSeatLost(before, state)) server.send({type: "sit", game: state.game, secret: this.table.secret, name: ownName()});
    if (this.table.isToReview) return this.study(state, true);
    this.showParts("");
    const isCommentMoved = this.showAll(state), news = newsOf(before, state, titleOf), next = levelNext(state);
    if (before && before.phase !== "over" && next?.next_level) keepLevel(next.next_level);
    takeLater(this.table, cell => this.play(cell));
    if (!news) return;
    if (news.sound) playSound(news.sound);
    const moved = isCommentMoved && before && state.moves.length < before.moves.length ? [say("comment_moved")] : [];
    // The players' lines show whose move it is, and an opening has its own box.
    const turn = describeTurn(this.table, state, titleOf), isSeen = ["play", "over"].includes(state.phase) || isInOpening(state);
    const seen = news.said.filter(words => words !== slipWords(state));  // the panel asks about it
    announce(saySentences(...news.said, ...moved, turn), saySentences(...seen, ...moved, isSeen ? "" : turn));
  }

  /**
   * Shows the whole game. True if the unfinished comment went to another position.
   * @param {State} state
   */
  showAll(state) {
    const {table, actions} = this;
    this.drawBoard(state);
    showPlayers(table, state);
    showResult(table, state, actions);
    showAsks(table, state, actions);
    showActions(table, state, actions);
    const act = (/** @type {string} */ what) => () => this.act(what);
    showLesson(table, state, {takeBack: () => this.send("undo"), insist: act("insist"), showWin: act("showWin"), walkWin: act("walkWin")});
    showShare(state);
    document.title = saySentences(describeTurn(table, state, titleOf), "Tengen");
    return this.showMoves(state);
  }

  /** @param {State} state */
  showMoves(state) {
    showMoves(this.table, state, this.actions);
    const mayWrite = state.you.owner || state.you.seats.length > 0;
    return this.comment.show(state.game, state.comments, plyShown(this.table, state), mayWrite, state.moves.length);
  }

  /** @param {State} state */
  drawBoard(state) {
    this.grid.show(boardShown(this.table, state, byId("numbers", HTMLInputElement).checked));
  }

  /**
   * @param {State} state
   * @param {Cell} cell
   */
  showHint(state, cell) {
    this.table.hint = cell;
    this.drawBoard(state);
    announce(say("hint_at", {cell: cellName(cell, state.height)}));
  }

  // Called after a change of the language, because the server's sentences must come in it too.
  retell() {
    this.replay.retell();
    this.with(state => {
      this.showAll(state);
      this.watch(state.game);
    });
  }
}
