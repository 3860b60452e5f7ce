// The comment on the position of a game that is shown. What is written is sent when the player pauses or goes elsewhere.

import {byId} from "../dom.js";
import {makeDraft, takeUnsent, turnTo, write} from "./draft.js";
import {Delay} from "../shared/delay.js";

const WAIT = 1500;  // milliseconds without a letter until a comment is sent: each sending is an event of the game

export class CommentBox {
  /** @param {(ply: number, text: string) => void} send */
  constructor(send) {
    this.send = send;
    this.box = byId("game-comment", HTMLTextAreaElement);
    this.draft = makeDraft();
    this.sending = new Delay(() => this.flush(), WAIT);
    this.box.addEventListener("input", () => { if (write(this.draft, this.box.value)) this.sending.restart(); });
    this.box.addEventListener("blur", () => this.flush());
    addEventListener("pagehide", () => this.flush());
  }

  flush() {
    this.sending.cancel();
    const unsent = takeUnsent(this.draft);
    if (unsent) this.send(unsent.ply, unsent.text);
  }

  /**
   * Shows the comment of a position of a game of `plies` stones, see turnTo(). True if the text in the box went
   * to another position.
   * @param {import("../net/messages.js").CommentJson[]} comments
   * @param {number} ply
   * @param {boolean} mayWrite
   * @param {number} plies
   */
  show(comments, ply, mayWrite, plies) {
    const written = document.activeElement === this.box ? this.box.value : null;
    const {text, isMoved} = turnTo(this.draft, comments, ply, plies, written);
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
  leave() {
    this.flush();
    this.draft = makeDraft();
    this.box.value = "";
  }
}
