// Writes studies to the server a moment after a change, and reads them from it.

import {NoAnswer, server} from "../net/connection.js";
import {beginUndo, beginWriting, endWriting, failWriting, hasOlder, isConfirmed, isWorthKeeping, makeKept, takeWritten} from "./kept.js";
import {LeftStudies} from "./left.js";
import {Delay} from "../shared/delay.js";
import {identity} from "../net/identity.js";
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
    /** @type {Map<Tree, Promise<void>>} the studies with changes that the server has not confirmed, and their writing */
    this.unconfirmed = new Map();
    this.leftovers = new LeftStudies();
    /** @type {WeakSet<Tree>} those of an earlier page that were not opened yet */
    this.unopened = new WeakSet();
    this.isLeft = false;
    this.writing = new Delay(() => this.flush(), WAIT);
  }

  /** @param {boolean} isOwner */
  setOwner(isOwner) {
    this.isOwner = isOwner;
    if (isOwner) this.writeAll();
  }

  // Writes all changes that the server has not confirmed, also those that an earlier page could not save.
  writeAll() {
    for (const tree of this.leftovers.take()) {
      this.unopened.add(tree);
      this.unconfirmed.set(tree, Promise.resolve());
    }
    for (const tree of this.unconfirmed.keys()) this.write(tree);
  }

  // The page is being left or hidden, and may not come back: the next page writes what the server does not confirm.
  leave() {
    this.flush();
    this.isLeft = true;
    this.store();
  }

  // The page is shown again as it was.
  stay() {
    this.isLeft = false;
    this.leftovers.stay();
  }

  store() {
    if (this.isLeft) this.leftovers.leave([...this.unconfirmed.keys()]);
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

  /**
   * Writes a study as it is now.
   * @param {Tree} tree
   * @returns {Promise<void>} the end of its writing
   */
  write(tree) {
    const begun = beginWriting(tree), before = this.unconfirmed.get(tree) ?? Promise.resolve();
    if (isConfirmed(tree)) this.unconfirmed.delete(tree);
    else this.unconfirmed.set(tree, begun ? this.send(tree, begun) : before);
    return this.unconfirmed.get(tree) ?? before;
  }

  /**
   * Sends a study, and once more what was changed meanwhile.
   * @param {Tree} tree
   * @param {import("./kept.js").Writing | null} begun
   */
  async send(tree, begun) {
    while (begun && tree.kept) {
      const {kept} = tree, isNew = !kept.version;
      try {
        if (takeWritten(kept, await server.ask(begun.request), begun)) this.told.written(isNew);
        else if (!this.unopened.has(tree)) announce(say("study_outdated"));
      } catch (error) {
        const isAnswered = !(error instanceof NoAnswer);
        failWriting(kept, reasonOf(error), isAnswered);
        if (isAnswered || !this.unopened.has(tree)) announce(say("study_not_kept", {why: kept.error}));
      }
      const isAgain = endWriting(kept);
      this.told.changed();
      // Without an answer, this is tried with the next change, or when the connection is back.
      begun = isAgain && !kept.unanswered ? beginWriting(tree) : null;
    }
    if (isConfirmed(tree)) this.unconfirmed.delete(tree);
    this.store();
  }

  /**
   * Forgets the unsaved changes of a study.
   * @param {string} id
   */
  drop(id) {
    if (this.waiting?.kept?.id === id) {
      this.writing.cancel();
      this.waiting = null;
    }
    for (const tree of this.unconfirmed.keys()) if (tree.kept?.id === id) this.unconfirmed.delete(tree);
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
   * Reads a kept study. First writes the changes that the server does not have; if it does not take them, the study is
   * the one with these changes.
   * @param {string} id
   */
  async read(id) {
    this.flush();
    if (identity.isOwners) this.writeAll();
    for (const tree of [...this.unconfirmed.keys()].filter(each => each.kept?.id === id)) {
      this.unopened.delete(tree);
      await this.write(tree);
      if (this.unconfirmed.has(tree)) return tree;
    }
    return this.readNewest(id);
  }

  /**
   * Reads a kept study as the server has it.
   * @param {string} id
   */
  async readNewest(id) {
    const {version, content, undo} = await server.ask({type: "study", study: id}), tree = Tree.fromJson(content);
    tree.kept = makeKept(id, version, JSON.stringify(tree.toJson()), undo);
    return tree;
  }
}
