// The comment on the position of a game that is shown. What is written is sent when the player pauses or goes elsewhere.

import {byId} from "../dom.js";

const WAIT = 1500;  // milliseconds without a letter until a comment is sent: each sending is an event of the game

export class CommentBox {
  // `send` takes a ply and a text.
  constructor(send) {
    this.send = send;
    this.box = byId("game-comment");
    this.draft = null;  // {ply, text} that is written and not sent
    this.shown = null;  // the ply whose comment the box has
    this.timer = 0;
    this.box.addEventListener("input", () => {
      this.draft = {ply: this.shown, text: this.box.value};
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), WAIT);
    });
    this.box.addEventListener("blur", () => this.flush());
    addEventListener("pagehide", () => this.flush());
  }

  flush() {
    clearTimeout(this.timer);
    const {draft} = this;
    this.draft = null;
    if (draft) this.send(draft.ply, draft.text);
  }

  // The comment of a position of a game of `plies` stones. Moves of the other player leave the one that somebody is
  // writing alone; where its stone is taken back, it goes to the position that is left. True where it does.
  show(comments, ply, mayWrite, plies) {
    const isWriting = this.shown !== null && document.activeElement === this.box;
    const isMoved = isWriting && this.shown > plies && this.box.value !== "";
    if (isMoved) this.move(comments, plies);
    if (isWriting && this.shown <= plies) return isMoved;
    this.flush();
    const text = comments.find(each => each.ply === ply)?.text ?? "";
    this.shown = ply;
    if (this.box.value !== text) this.box.value = text;
    this.box.readOnly = !mayWrite;
    this.box.parentElement.hidden = !mayWrite && !text;
    return false;
  }

  move(comments, ply) {
    const there = comments.find(each => each.ply === ply)?.text, texts = [there, this.box.value];
    this.shown = ply;
    this.box.value = texts.filter(Boolean).join("\n");
    this.draft = {ply, text: this.box.value};
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), WAIT);
  }

  // Another game is opened.
  leave() {
    this.flush();
    this.shown = null;
    this.box.value = "";
  }
}
