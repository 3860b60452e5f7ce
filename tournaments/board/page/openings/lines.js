// The owner's own opening lines: the moves up to the position are marked as a line of one side, which the quizzes train.

import {cellName} from "../board.js";
import {server} from "../net/connection.js";
import {byId, setText} from "../dom.js";
import {QUIZZES_ASKED, setPreference} from "../shared/preferences.js";
import {announce, complain} from "../shared/status.js";
import {say, sayList} from "../shared/i18n.js";

/**
 * @typedef {import("./state.js").Book} Book
 * @typedef {import("./state.js").Position} Position
 */

export class OwnLines {
  /**
   * @param {import("../study/state.js").Study} study
   * @param {() => void} changed is called after a line was marked or dropped
   */
  constructor(study, changed) {
    this.study = study;
    this.changed = changed;
    byId("line-black").addEventListener("click", () => this.mark(0));
    byId("line-white").addEventListener("click", () => this.mark(1));
    byId("line-drop").addEventListener("click", () => this.drop());
    byId("line-train").addEventListener("click", () => setPreference(QUIZZES_ASKED, "lines"));
  }

  /** @returns {{position: Position, start: number}} */
  get line() {
    const {tree} = this.study;
    return {position: tree.position(), start: tree.start.length};
  }

  /** @param {Book | null} book */
  show(book) {
    const {position: {moves, height}, start} = this.line, own = book?.own ?? [];
    setText(byId("line-own"), own.length ? say("line_yours", {cells: sayList(own.map(cell => cellName(cell, height)))}) : say("line_words"));
    const plies = moves.map((_, ply) => ply).slice(Math.max(start, 1));  // on an empty board there is nothing to find
    for (const [colour, id] of ["line-black", "line-white"].entries()) {
      byId(id, HTMLButtonElement).disabled = !plies.some(ply => ply % 2 === colour);
    }
    byId("line-drop", HTMLButtonElement).disabled = !plies.length;
  }

  /** @param {0 | 1} colour */
  mark(colour) {
    server.ask({type: "line_mark", colour, ...this.line}).then(({positions, new: added}) => {
      announce(say(added ? "line_marked" : "line_known", {positions, added}));
      this.changed();
    }, complain);
  }

  drop() {
    server.ask({type: "line_drop", ...this.line}).then(({positions}) => {
      announce(say(positions ? "line_dropped" : "line_goes_on", {positions}));
      this.changed();
    }, complain);
  }
}
