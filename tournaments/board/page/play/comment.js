// The comment on the position of a game that is shown. What is written is sent when the player pauses or goes elsewhere.

import {byId} from "../dom.js";

/**
 * @typedef {import("../net/messages.js").CommentJson} Comment
 */

const WAIT = 1500;  // milliseconds without a letter until a comment is sent: each sending is an event of the game

export class CommentBox {
  /** @param {(ply: number, text: string) => void} send */
  constructor(send) {
    this.send = send;
    this.box = byId("game-comment", HTMLTextAreaElement);
    /** @type {Comment | null} what is written and not sent */
    this.draft = null;
    /** @type {number | null} the ply whose comment the box has */
    this.shown = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.box.addEventListener("input", () => this.note());
    this.box.addEventListener("blur", () => this.flush());
    addEventListener("pagehide", () => this.flush());
  }

  // What the box has now is to be sent in a while.
  note() {
    if (this.shown === null) return;
    this.draft = {ply: this.shown, text: this.box.value};
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), WAIT);
  }

  flush() {
    clearTimeout(this.timer);
    const {draft} = this;
    this.draft = null;
    if (draft) this.send(draft.ply, draft.text);
  }

  /**
   * Shows the comment of a position of a game of `plies` stones. Moves of the other player leave alone what somebody is
   * writing; where its stone is taken back, it goes to the position that is left. True if it does.
   * @param {Comment[]} comments
   * @param {number} ply
   * @param {boolean} mayWrite
   * @param {number} plies
   */
  show(comments, ply, mayWrite, plies) {
    const isWriting = this.shown !== null && document.activeElement === this.box;
    const isMoved = isWriting && (this.shown ?? 0) > plies && this.box.value !== "";
    if (isMoved) this.move(comments, plies);
    if (isWriting && (this.shown ?? 0) <= plies) return isMoved;
    this.flush();
    const text = comments.find(each => each.ply === ply)?.text ?? "";
    this.shown = ply;
    if (this.box.value !== text) this.box.value = text;
    this.box.readOnly = !mayWrite;
    if (this.box.parentElement) this.box.parentElement.hidden = !mayWrite && !text;
    return false;
  }

  /**
   * @param {Comment[]} comments
   * @param {number} ply
   */
  move(comments, ply) {
    const there = comments.find(each => each.ply === ply)?.text, texts = [there, this.box.value];
    this.shown = ply;
    this.box.value = texts.filter(Boolean).join("\n");
    this.note();
  }

  // Another game is opened.
  leave() {
    this.flush();
    this.shown = null;
    this.box.value = "";
  }
}
