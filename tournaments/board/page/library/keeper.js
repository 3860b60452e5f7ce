// Writes studies to the server a moment after a change, and reads them from it.

import {NoAnswer, server} from "../net/connection.js";
import {beginUndo, beginWriting, endWriting, failWriting, hasOlder, isWorthKeeping, makeKept, takeWritten} from "./kept.js";
import {Delay} from "../shared/delay.js";
import {announce, complain, reasonOf} from "../shared/status.js";
import {takeOlder} from "../study/history.js";
import {Tree} from "../study/tree.js";
import {say} from "../shared/i18n.js";

const WAIT = 500;  // milliseconds from a change until it is sent

/**
 * @typedef {object} Told what the page does when something was written or read
 * @property {() => void} linked after a study got a place at the server
 * @property {(isNew: boolean) => void} written after a study was written; `isNew`: for the first time
 * @property {() => void} changed after that which is known of a study has changed
 */

export class Keeper {
  /** @param {Told} told */
  constructor(told) {
    this.told = told;
    this.isOwner = false;
    /** @type {Tree | null} the study that is to be written when the time is over */
    this.waiting = null;
    this.writing = new Delay(() => this.flush(), WAIT);
  }

  /**
   * The study may have changed.
   * @param {Tree} tree
   * @param {boolean} isWanted true if the player has asked to keep the study
   */
  notice(tree, isWanted) {
    if (this.isOwner && isWorthKeeping(tree, isWanted)) this.place(tree);
    if (!this.isOwner || !tree.kept) return;
    if (this.waiting && this.waiting !== tree) this.flush();
    this.waiting = tree;
    this.writing.start();
  }

  /**
   * Gives a study a place of its own, beside the one that it may have had.
   * @param {Tree} tree
   */
  place(tree) {
    tree.kept = makeKept();
    this.told.linked();
  }

  // Writes what waits to be written.
  flush() {
    this.writing.cancel();
    const tree = this.waiting;
    this.waiting = null;
    if (tree) this.write(tree);
  }

  /** @param {Tree} tree */
  async write(tree) {
    const {kept} = tree, begun = beginWriting(tree);
    if (!kept || !begun) return;
    try {
      const isNew = !kept.version;
      if (takeWritten(kept, await server.ask(begun.request), begun)) this.told.written(isNew);
      else announce(say("study_outdated"));
    } catch (error) {
      failWriting(kept, reasonOf(error), !(error instanceof NoAnswer));
      announce(say("study_not_kept", {why: kept.error}));
    }
    const isAgain = endWriting(kept);
    this.told.changed();
    if (isAgain && server.isOpen) await this.write(tree);  // without a connection, this is tried when it is back
  }

  /**
   * Takes back a change that was made before the page had the study. False, with a word, where there is none.
   * @param {Tree} tree
   */
  async undo(tree) {
    const {kept} = tree;
    if (this.waiting === tree) this.flush();
    if (kept?.unanswered && !kept.isWriting) await this.write(tree);
    if (kept?.isWriting) await new Promise(go => setTimeout(go, WAIT));
    if (!kept || !hasOlder(kept)) {  // of two that have waited, the first one is being answered
      announce(say(kept?.isWriting ? "study_keeping" : "nothing_to_undo"));
      return false;
    }
    const begun = beginUndo(kept);
    try {
      const answer = await server.ask(begun.request);
      if (!takeWritten(kept, answer, begun) || answer.type !== "study") {
        this.told.changed();
        announce(say("study_outdated"));
        return false;
      }
      takeOlder(tree, answer.content);
      kept.text = tree.history.seen?.text ?? "";
      return true;
    } catch (error) {
      if (!(error instanceof NoAnswer)) kept.unanswered = null;
      complain(error);
      return false;
    } finally {
      if (endWriting(kept)) this.write(tree);
    }
  }

  /**
   * Reads a kept study.
   * @param {string} id
   */
  async read(id) {
    this.flush();
    const {version, content, undo} = await server.ask({type: "study", study: id}), tree = Tree.fromJson(content);
    tree.kept = makeKept(id, version, JSON.stringify(tree.toJson()), undo);
    return tree;
  }
}
