// Files of games that come into the library, one after the other: with their progress, and what was left out of them.

import {server} from "../net/connection.js";
import {Upload} from "../net/upload.js";
import {byId, make, setText} from "../dom.js";
import {RULES} from "../board/notation.js";
import {announce} from "../shared/status.js";
import {formatNumber, say, sayLabelled, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").GamesImported} Imported
 * @typedef {import("../net/messages.js").ImportProgress} Progress
 * @typedef {Omit<Imported, "type">} Sum
 */

const MOST_FAULTS = 20;

/** @returns {Sum} */
export const nothing = () => ({games: 0, studies: 0, left_out: 0, faults: [], nameless: 0});

/**
 * What came out of two files together.
 * @param {Sum} one
 * @param {Sum} other
 * @returns {Sum}
 */
export const addUp = (one, other) => ({
  games: one.games + other.games, studies: one.studies + other.studies, left_out: one.left_out + other.left_out,
  faults: [...one.faults, ...other.faults].slice(0, MOST_FAULTS), nameless: one.nameless + other.nameless,
});

/**
 * The sentences about what was added and what was not.
 * @param {Sum} sum
 * @param {string} rule the name of the rule for games that do not name theirs
 */
export function describe({games, studies, left_out: out, nameless}, rule) {
  const parts = [say("import_added", {games, shown: formatNumber(games)})];
  if (studies) parts.push(say("import_studies", {studies}));
  if (nameless) parts.push(say("import_nameless", {nameless, rule}));
  if (out) parts.push(say("import_left_out", {count: out, shown: formatNumber(out)}));
  return saySentences(...parts);
}

export class GameImports {
  /** @param {() => void} changed is called after games were added */
  constructor(changed) {
    this.changed = changed;
    this.upload = new Upload(share => this.tell(say("book_sending", {share})), "import_too_long");
    this.isBusy = false;
    this.isStopped = false;
    this.place = "";  // the place of the file among those that are chosen
    const field = byId("games-file", HTMLInputElement), view = byId("games");
    field.addEventListener("change", () => {
      this.take([...field.files ?? []]);
      field.value = "";  // so that the same file can be chosen again
    });
    view.addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
    view.addEventListener("drop", event => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.take([...event.dataTransfer?.files ?? []]);
    });
    byId("import-stop").addEventListener("click", () => this.stop());
    byId("import-close").addEventListener("click", () => {
      byId("import-result").hidden = true;
      field.focus();
    });
    server.on("import_progress", progress => this.tell(tellProgress(progress)));
  }

  // Fills the choice of rules, also after a change of the language.
  fill() {
    const list = byId("games-file-rule", HTMLSelectElement), chosen = list.value || "0";
    list.replaceChildren(...Object.keys(RULES).map(number => make("option", {value: number}, say(`rule_${number}`))));
    list.value = chosen;
  }

  stop() {
    this.isStopped = true;
    this.upload.stop();
    server.send({type: "import_stop"});
  }

  /** @param {string} words */
  tell(words) {
    setText(byId("import-progress"), [this.place, words].filter(Boolean).join(" · "));
  }

  /** @param {File[]} files */
  async take(files) {
    if (this.isBusy || !files.length) return;
    byId("games-import", HTMLDetailsElement).open = true;
    this.setBusy(true);
    let sum = nothing();
    for (const [index, file] of files.entries()) {
      if (this.isStopped) break;
      this.place = files.length > 1 ? say("import_file_of", {file: index + 1, files: files.length}) : "";
      sum = addUp(sum, await this.takeOne(file));
    }
    this.setBusy(false);
    this.show(sum);
    this.changed();
  }

  /**
   * A file that cannot be taken is left out, and the next ones are not.
   * @param {File} file
   * @returns {Promise<Sum>}
   */
  async takeOne(file) {
    const rule = /** @type {import("../net/messages.js").Rule} */ (Number(byId("games-file-rule", HTMLSelectElement).value));
    try {
      const sent = await this.upload.send(file);
      const done = await server.ask({type: "import_games", file: sent, name: file.name.slice(-100), rule});
      return done.type === "stopped" ? nothing() : done;
    } catch (error) {
      if (this.isStopped) return nothing();
      const why = error instanceof Error && error.message ? error.message : say("no_answer");
      return {...nothing(), left_out: 1, faults: [sayLabelled(file.name, why)]};
    }
  }

  /** @param {boolean} isBusy */
  setBusy(isBusy) {
    this.isBusy = isBusy;
    if (isBusy) this.isStopped = false;
    byId("import-work").hidden = !isBusy;
    byId("games-file", HTMLInputElement).disabled = isBusy;
    byId("games-file-rule", HTMLSelectElement).disabled = isBusy;  // the result names the rule that was assumed
    if (isBusy) this.tell(say("book_working"));
  }

  /** @param {Sum} sum */
  show(sum) {
    const rule = byId("games-file-rule", HTMLSelectElement).selectedOptions[0]?.text ?? "";
    const words = saySentences(this.isStopped ? say("import_stopped") : "", describe(sum, rule));
    const {faults, left_out: out} = sum, more = out - faults.length;
    setText(byId("import-words"), words);
    byId("import-faults").replaceChildren(...faults.map(fault => make("li", {}, fault)),
      ...more > 0 ? [make("li", {}, say("import_more", {count: more}))] : []);
    byId("import-result").hidden = false;
    announce(words);
  }
}

/** @param {Progress} progress */
export const tellProgress = ({done, of: all}) =>
  all === null ? say("import_reading") : say("import_done", {done: formatNumber(done), all: formatNumber(all)});

/** @param {DragEvent} event */
const hasFiles = event => Boolean(event.dataTransfer?.types.includes("Files"));
