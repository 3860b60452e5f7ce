// Studies that the server keeps for its owner: whether the one that is shown is kept, and the list of all.

import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {onSingleClick} from "../shared/clicks.js";
import {Keeper} from "./keeper.js";
import {describeKept} from "./kept.js";
import {complain} from "../shared/status.js";
import {focusIn, onShown} from "../shared/tabs.js";
import {formatDate, say, sayFacts} from "../shared/i18n.js";

/**
 * @typedef {import("../study/tree.js").Tree} Tree
 * @typedef {import("../net/messages.js").StudyLine} StudyLine
 *
 * @typedef {object} Shown the study that is shown
 * @property {() => Tree} tree
 * @property {(tree: Tree) => void} replace shows another study
 * @property {() => void} linked is called after a study got a place here
 * @property {() => void} written is called after a study was written
 */

export class StudyList {
  /** @param {Shown} study */
  constructor(study) {
    this.study = study;
    this.keeper = new Keeper({
      linked: study.linked, changed: () => this.show(),
      written: isNew => {
        if (isNew && byId("kept").checkVisibility()) this.askList();
        study.written();
      },
    });
    /** @type {StudyLine[] | null} the list as the server sent it last */
    this.studies = null;
    this.sure = "";       // the id of the study whose deletion is asked about once more
    onShown("study-studies", () => { if (this.isOwner) this.askList(); });
    byId("keep-mine").addEventListener("click", () => this.keepMine());
    byId("open-other").addEventListener("click", () => {
      const {kept: here} = this.study.tree();
      if (here) this.openOther(here.id);
    });
    addEventListener("pagehide", () => this.keeper.leave());
    addEventListener("pageshow", () => this.keeper.stay());
    document.addEventListener("visibilitychange", () => document.hidden ? this.keeper.leave() : this.keeper.stay());
    server.on("open", ({wasLost}) => wasLost && this.notice());
    server.on("studies", ({studies}) => this.list(studies));
  }

  get isOwner() {
    return this.keeper.isOwner;
  }

  /** @param {boolean} isOwner */
  setOwner(isOwner) {
    this.keeper.setOwner(isOwner);
    byId("kept").hidden = !isOwner;
    this.notice();
  }

  /**
   * The study that is shown may have changed.
   * @param {boolean} isWanted true if the player has asked to keep the study
   */
  notice(isWanted = false) {
    this.keeper.notice(this.study.tree(), isWanted);
    this.show();
  }

  // Writes what waits to be written.
  flush() {
    this.keeper.flush();
  }

  /**
   * Takes back a change that was made before the page had the study. False, with a word, where there is none.
   * @param {Tree} tree
   */
  undo(tree) {
    return this.keeper.undo(tree);
  }

  // What was changed here becomes a study of its own beside the other.
  keepMine() {
    this.keeper.place(this.study.tree());
    this.notice();
    focusIn("study-name");
  }

  show() {
    const {kept} = this.study.tree();
    setText(byId("kept-state"), describeKept(kept));
    byId("kept-ask").hidden = !kept?.isOutdated;
  }

  /**
   * Reads a kept study, and calls `use` with it. What cannot be found is said, unless `isQuiet`.
   * @param {string} id
   * @param {(tree: Tree) => void} use
   * @param {boolean} isQuiet
   */
  open(id, use = this.study.replace, isQuiet = false) {
    return this.keeper.read(id).then(use, error => { if (!isQuiet) complain(error); });
  }

  askList() {
    server.ask({type: "studies"}).catch(complain);
  }

  /**
   * Opens what another page has written instead of what was changed here.
   * @param {string} id
   */
  openOther(id) {
    this.keeper.readNewest(id).then(tree => {
      this.keeper.drop(id);
      this.study.replace(tree);
    }, complain);
  }

  /** @param {string} id */
  delete(id) {
    server.ask({type: "delete_study", study: id}).then(() => this.keeper.drop(id), complain);
  }

  // After the language was chosen.
  retell() {
    if (this.studies) this.list(this.studies);
  }

  /** @param {StudyLine[]} studies */
  list(studies) {
    this.studies = studies;
    setText(byId("no-kept"), studies.length ? "" : say("no_kept"));
    byId("kept-list").replaceChildren(...studies.map(study => this.line(study)));
  }

  /**
   * A line of the list: the study's name opens it, and a second click on the other button deletes it.
   * @param {StudyLine} study
   */
  line(study) {
    const board = sayFacts(say(`rule_${study.rule}`), `${study.width} × ${study.height}`);
    const facts = say("study_line", {moves: study.moves, date: formatDate(study.updated)});
    const open = make("button", {type: "button", class: "open"}, make("b", {}, study.title || board),
      make("span", {class: "soft"}, study.title ? `${board} · ${facts}` : facts));
    open.addEventListener("click", () => this.open(study.study));
    const isSure = this.sure === study.study;
    const remove = make("button", isSure ? {type: "button", class: "danger"} : {type: "button"}, say(isSure ? "delete_sure" : "delete"));
    onSingleClick(remove, () => {
      this.sure = isSure ? "" : study.study;
      if (isSure) this.delete(study.study);
      else this.list(this.studies ?? []);
      const danger = byId("kept-list").querySelector(".danger");
      if (danger instanceof HTMLElement) danger.focus();
    });
    return make("li", {}, open, remove);
  }
}
