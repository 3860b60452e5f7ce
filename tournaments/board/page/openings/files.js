// Files that go into the store of openings and come out of it: sent and fetched by HTTP, with the progress and a button
// that stops the work.

import {server} from "../net/connection.js";
import {identity} from "../net/identity.js";
import {FILES, Upload} from "../net/upload.js";
import {byId, make, setText} from "../dom.js";
import {RULES} from "../board/notation.js";
import {announce, complain} from "../shared/status.js";
import {formatNumber, say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").BookImported} Imported
 * @typedef {import("./state.js").Position} Position
 */

export class BookFiles {
  /**
   * @param {() => Position} position that an export begins with
   * @param {() => void} changed is called after the store was changed
   */
  constructor(position, changed) {
    this.position = position;
    this.changed = changed;
    this.upload = new Upload(share => this.tell(say("book_sending", {share})), "book_too_long");
    this.isBusy = false;
    byId("book-file").addEventListener("change", () => {
      const field = byId("book-file", HTMLInputElement), file = field.files?.[0];
      if (file) this.work(() => this.take(file));
      field.value = "";  // so that the same file can be chosen again
    });
    byId("book-export").addEventListener("click", () => this.work(() => this.give()));
    byId("book-stop").addEventListener("click", () => this.stop());
    server.on("book_progress", ({done}) => this.tell(say("book_done", {count: formatNumber(done)})));
  }

  // Fills the choice of rules, also after a change of the language.
  fill() {
    const list = byId("book-file-rule", HTMLSelectElement), chosen = list.value, {lang} = document.documentElement;
    if (list.dataset.language === lang) return;
    list.dataset.language = lang;
    list.replaceChildren(make("option", {value: ""}, say("book_rule_usual")),
      ...Object.keys(RULES).map(number => make("option", {value: number}, say(`rule_${number}`))));
    list.value = chosen;
  }

  /**
   * Does one thing at a time, which the button stops.
   * @param {() => Promise<string>} act its result is a sentence
   */
  async work(act) {
    if (this.isBusy) return;
    this.setBusy(true);
    try {
      announce(await act());
    } catch (error) {
      complain(error);
    } finally {
      this.setBusy(false);
    }
  }

  /** @param {boolean} isBusy */
  setBusy(isBusy) {
    this.isBusy = isBusy;
    byId("book-work").hidden = !isBusy;
    for (const field of [byId("book-file", HTMLInputElement), byId("book-export", HTMLButtonElement)]) field.disabled = isBusy;
    if (isBusy) this.tell(say("book_working"));
  }

  /** @param {string} words */
  tell(words) {
    setText(byId("book-progress"), words);
  }

  stop() {
    this.upload.stop();
    server.send({type: "book_stop"});
  }

  /** @param {File} file */
  async take(file) {
    const rule = byId("book-file-rule", HTMLSelectElement).value, sent = await this.upload.send(file);
    const done = await server.ask({
      type: "book_import", file: sent, rule: rule ? /** @type {import("../net/messages.js").Rule} */ (Number(rule)) : null,
    });
    this.changed();
    return done.type === "stopped" ? say("book_stopped") : describeImport(done);
  }

  // Writes the store as a file, and saves that.
  async give() {
    const format = /** @type {"book"} */ (byId("book-format", HTMLSelectElement).value);
    const made = await server.ask({type: "book_export", format, position: this.position(), depth: null});
    if (made.type === "stopped") return say("book_stopped");
    const {saveFile} = await import("../board/picture.js");
    const answer = await fetch(`${FILES}/${made.file}`, {headers: identity.headers()});
    if (!answer.ok) throw new Error(await answer.text());
    saveFile(await answer.blob(), made.name, "application/octet-stream");
    return say("book_exported", {count: made.count, name: made.name});
  }
}

/**
 * The sentence about an import.
 * @param {Imported} done
 */
function describeImport({positions, games, records, of_records: all, skipped, fault}) {
  const parts = [];
  if (positions || !games && !all) parts.push(say("book_positions", {positions}));
  if (games) parts.push(say("book_counted", {games}));
  if (all) parts.push(say("book_records", {records, all}));
  if (skipped) parts.push(say("book_skipped", {skipped, why: fault}));
  return saySentences(...parts);
}
