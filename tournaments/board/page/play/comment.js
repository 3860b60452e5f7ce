// The comment on the position of a game that is shown. What is written is sent when the player pauses or goes elsewhere;
// without a connection it waits until there is one again. What the server has not taken when the page is loaded again is sent
// by the new page.

import {NoAnswer, server} from "../net/connection.js";
import {Leftovers} from "../net/leftovers.js";
import {byId} from "../dom.js";
import {makeDraft, takeRefusal, takeUnsent, turnTo, write} from "./draft.js";
import {Delay} from "../shared/delay.js";
import {announce, complain} from "../shared/status.js";
import {say} from "../shared/i18n.js";

const LIFETIME = 600_000;  // milliseconds until the comment of a page that was left is forgotten: a newer one may be there by then
const WAIT = 1500;  // milliseconds without a letter until a comment is sent: each sending is an event of the game

/** @typedef {import("./draft.js").Comment & {game: string}} GameComment */

export class CommentBox {
  constructor() {
    this.game = "";
    this.box = byId("game-comment", HTMLTextAreaElement);
    this.draft = makeDraft();
    /** @type {Map<string, GameComment>} those that the server has not taken yet, by game and position */
    this.waiting = new Map();
    this.leftovers = new Leftovers("comments", () => sessionStorage, LIFETIME);
    this.sending = new Delay(() => this.flush(), WAIT);
    this.box.addEventListener("input", () => { if (write(this.draft, this.box.value)) this.sending.restart(); });
    this.box.addEventListener("blur", () => this.flush());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", () => this.stay());
    server.on("open", () => this.sendWaiting());
    this.takeLeft();
  }

  // Takes the comments that the page before this one was left with.
  takeLeft() {
    for (const comment of this.leftovers.take().filter(isComment)) this.waiting.set(keyOf(comment), comment);
    if (server.isOpen) this.sendWaiting();
  }

  // The page is being left.
  leave() {
    this.flush();
    this.leftovers.leave([...this.waiting.values()]);
  }

  // The page is shown again as it was. What another page has sent meanwhile is not sent again.
  stay() {
    if (!this.leftovers.stay()) this.waiting.clear();
  }

  sendWaiting() {
    for (const comment of this.waiting.values()) this.send(comment);
  }

  flush() {
    this.sending.cancel();
    const unsent = takeUnsent(this.draft), comment = unsent && {...unsent, game: this.game};
    if (!comment) return;
    this.waiting.set(keyOf(comment), comment);
    this.send(comment);
  }

  /** @param {GameComment} comment */
  async send(comment) {
    const {game, ply, text} = comment, key = keyOf(comment);
    const error = await server.ask({type: "comment", game, ply, text}).then(() => null, refused => refused);
    if (error instanceof NoAnswer) return announce(say("comment_waits"));
    const isLast = this.waiting.get(key) === comment;
    if (isLast) this.waiting.delete(key);
    if (isLast && error && game === this.game) takeRefusal(this.draft, comment);
    return error && game === this.game ? complain(error) : undefined;
  }

  /**
   * Shows the comment of a position of a game of `plies` stones, see turnTo(). True if the text in the box went
   * to another position.
   * @param {string} game
   * @param {import("../net/messages.js").CommentJson[]} comments
   * @param {number} ply
   * @param {boolean} mayWrite
   * @param {number} plies
   */
  show(game, comments, ply, mayWrite, plies) {
    this.game = game;
    const written = document.activeElement === this.box ? this.box.value : null;
    const known = [...[...this.waiting.values()].filter(comment => comment.game === game), ...comments];
    const {text, isMoved} = turnTo(this.draft, known, ply, plies, written);
    if (isMoved) this.sending.restart();
    else if (text !== null) this.flush();
    if (text !== null && this.box.value !== text) this.box.value = text;
    if (text !== null && !isMoved) {
      this.box.readOnly = !mayWrite;
      if (this.box.parentElement) this.box.parentElement.hidden = !mayWrite && !text;
    }
    return isMoved;
  }

  // Another game is opened.
  close() {
    this.flush();
    this.draft = makeDraft();
    this.box.value = "";
  }
}

/** @param {GameComment} comment */
const keyOf = ({game, ply}) => `${game} ${ply}`;

/**
 * @param {any} value
 * @returns {value is GameComment}
 */
const isComment = value => typeof value?.game === "string" && Number.isInteger(value.ply) && typeof value.text === "string";
