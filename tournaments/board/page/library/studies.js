// Studies that the server keeps for its owner: written by themselves a moment after a change, listed, opened, deleted.
// A study is kept once it has a comment, a mark or a second line. What was written by another page meanwhile is never
// written over: the player chooses.

import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {announce, complain, reasonOf} from "../shared/status.js";
import {takeOlder} from "../study/history.js";
import {Tree} from "../study/tree.js";
import {formatDate, say} from "../shared/i18n.js";

const WAIT = 500;  // milliseconds from a change until it is sent
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

const makeId = () => [...crypto.getRandomValues(new Uint8Array(12))].map(byte => LETTERS[byte % LETTERS.length]).join("");
/**
 * @typedef {import("../study/tree.js").Kept} Kept
 * @typedef {import("../net/messages.js").StudyLine} StudyLine
 *
 * @typedef {object} Shown the study that is shown
 * @property {() => Tree} tree
 * @property {(tree: Tree) => void} replace shows another study
 * @property {() => void} linked is called after a study got a place here
 * @property {() => void} written is called after a study was written
 */

/**
 * @param {string} id
 * @param {number} version
 * @param {string} text
 * @param {number} undo
 * @returns {Kept}
 */
const makeKept = (id, version, text, undo = 0) =>
  ({id, version, text, undo, key: "", isWriting: false, isAgain: false, isOutdated: false, error: ""});

export class StudyList {
  /** @param {Shown} study */
  constructor(study) {
    this.study = study;
    this.isOwner = false;
    /** @type {Tree | null} the study that is to be written when the timer ends */
    this.waiting = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {StudyLine[] | null} the list as the server sent it last */
    this.studies = null;
    this.sure = "";       // the id of the study whose deletion is asked about once more
    const kept = byId("kept", HTMLDetailsElement);
    kept.addEventListener("toggle", () => { if (kept.open) this.ask({type: "studies"}); });
    byId("keep-mine").addEventListener("click", () => this.keepMine());
    byId("open-other").addEventListener("click", () => {
      const {kept: here} = this.study.tree();
      if (here) this.open(here.id);
    });
    addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => document.hidden && this.flush());
    server.on("open", ({wasLost}) => wasLost && this.notice());
    server.on("studies", ({studies}) => this.list(studies));
  }

  /** @param {boolean} isOwner */
  setOwner(isOwner) {
    this.isOwner = isOwner;
    byId("kept").hidden = !isOwner;
    this.notice();
  }

  /**
   * The study that is shown may have changed.
   * @param {boolean} isWanted true if the player has said that it is to be kept
   */
  notice(isWanted = false) {
    const tree = this.study.tree();
    if (this.isOwner && !tree.kept && (isWanted || tree.hasMore()) && JSON.stringify(tree.toJson()) !== tree.source) {
      tree.kept = makeKept(makeId(), 0, "");
      this.study.linked();
    }
    this.show();
    if (!this.isOwner || !tree.kept) return;
    if (this.waiting && this.waiting !== tree) this.flush();
    if (this.waiting) return;
    this.waiting = tree;
    this.timer = setTimeout(() => this.flush(), WAIT);
  }

  // Writes what waits to be written.
  flush() {
    const tree = this.waiting;
    clearTimeout(this.timer);
    this.waiting = null;
    if (tree) this.write(tree);
  }

  /** @param {Tree} tree */
  async write(tree) {
    const {kept} = tree;
    if (!kept) return;
    const content = tree.toJson(), text = JSON.stringify(content);
    if (kept.isOutdated || text === kept.text) return;
    if (kept.isWriting) {
      kept.isAgain = true;
      return;
    }
    kept.isWriting = true;
    try {
      const {key} = tree.history, joins = key !== "" && key === kept.key;
      const answer = await server.ask({type: "keep", study: kept.id, version: kept.version, content, joins});
      kept.error = "";
      if (answer.type === "kept") {
        if (!kept.version && byId("kept", HTMLDetailsElement).open) this.ask({type: "studies"});
        Object.assign(kept, {version: answer.version, text, undo: answer.undo, key});
        this.study.written();
      } else {
        kept.isOutdated = true;
        announce(say("study_outdated"));
      }
    } catch (error) {
      kept.error = reasonOf(error);
      announce(say("study_not_kept", {why: kept.error}));
    }
    kept.isWriting = false;
    this.show();
    if (kept.isAgain) {
      kept.isAgain = false;
      this.write(tree);
    }
  }

  /**
   * Takes back a change that was made before the page had the study. False, with a word, where there is none.
   * @param {Tree} tree
   */
  async undo(tree) {
    const {kept} = tree;
    if (this.waiting === tree) this.flush();
    if (kept?.isWriting) await new Promise(go => setTimeout(go, WAIT));
    if (!kept?.undo || kept.isWriting || kept.isOutdated) {
      announce(say(kept?.isWriting ? "study_keeping" : "nothing_to_undo"));
      return false;
    }
    try {
      const answer = await server.ask({type: "undo_study", study: kept.id, version: kept.version});
      if (answer.type === "outdated") {
        kept.isOutdated = true;
        this.show();
        announce(say("study_outdated"));
        return false;
      }
      takeOlder(tree, answer.content);
      Object.assign(kept, {version: answer.version, undo: answer.undo, text: tree.history.seen?.text ?? "", key: ""});
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  // What was changed here becomes a study of its own beside the other.
  keepMine() {
    const tree = this.study.tree();
    tree.kept = makeKept(makeId(), 0, "");
    this.study.linked();
    this.notice();
    byId("study-name").focus();
  }

  show() {
    const {kept} = this.study.tree();
    const words = !kept || kept.isOutdated ? "" : kept.error ? say("study_not_kept", {why: kept.error})
      : kept.version ? say("study_kept") : say("study_keeping");
    setText(byId("kept-state"), words);
    byId("kept-ask").hidden = !kept?.isOutdated;
  }

  /**
   * Reads a kept study, and calls `use` with it. What cannot be found is said, unless `isQuiet`.
   * @param {string} id
   * @param {(tree: Tree) => void} use
   * @param {boolean} isQuiet
   */
  open(id, use = this.study.replace, isQuiet = false) {
    this.flush();
    return server.ask({type: "study", study: id}).then(({version, content, undo}) => {
      const tree = Tree.fromJson(content);
      tree.kept = makeKept(id, version, JSON.stringify(tree.toJson()), undo);
      use(tree);
    }, error => { if (!isQuiet) complain(error); });
  }

  /** @param {Extract<import("../net/messages.js").AnyRequest, {type: "studies" | "delete_study"}>} message */
  ask(message) {
    server.ask(message).catch(complain);
  }

  // After the language was chosen.
  retell() {
    if (this.studies) this.list(this.studies);
  }

  /** @param {StudyLine[]} studies */
  list(studies) {
    this.studies = studies;
    setText(byId("no-kept"), studies.length ? "" : say("no_kept"));
    byId("kept-list").replaceChildren(...studies.map(study => {
      const board = `${say(`rule_${study.rule}`)}, ${study.width} × ${study.height}`;
      const facts = say("study_line", {moves: study.moves, date: formatDate(study.updated)});
      const open = make("button", {type: "button", class: "open"}, make("b", {}, study.title || board),
        make("span", {class: "soft"}, study.title ? `${board} · ${facts}` : facts));
      open.addEventListener("click", () => this.open(study.study));
      const isSure = this.sure === study.study;
      const remove = make("button", isSure ? {type: "button", class: "danger"} : {type: "button"}, say(isSure ? "delete_sure" : "delete"));
      remove.addEventListener("click", () => {
        this.sure = isSure ? "" : study.study;
        if (isSure) this.ask({type: "delete_study", study: study.study});
        else this.list(studies);
        const danger = byId("kept-list").querySelector(".danger");
        if (danger instanceof HTMLElement) danger.focus();
      });
      return make("li", {}, open, remove);
    }));
  }
}
