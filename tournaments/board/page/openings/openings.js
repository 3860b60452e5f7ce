// The openings beside a study: the known moves of its position, on the board and as a list, and notes on it.

import {NoAnswer, server} from "../net/connection.js";
import {Leftovers} from "../net/leftovers.js";
import {byId, setText} from "../dom.js";
import {Delay} from "../shared/delay.js";
import {BookFiles} from "./files.js";
import {prepareKeeping} from "./keeping.js";
import {OwnLines} from "./lines.js";
import {
  bookOf, countGames, figureOf, forgetBooks, keepDraft, keyOf, makeOpenings, noteChange, notesOf, provedMove, searchOf, takeBook, takeDraft, tilesOf, typeNotes,
  undoChange, unfold,
} from "./state.js";
import {announce, complain, reasonOf} from "../shared/status.js";
import {makeHeads, makeLabels, makeMoves} from "./table.js";
import {colourName, formatNumber, say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("./state.js").Book} Book
 * @typedef {import("./state.js").Notes} Notes
 * @typedef {import("./state.js").Position} Position
 * @typedef {import("./state.js").Draft} Draft
 *
 * @typedef {object} Page what the study does
 * @property {(cells: Cell[]) => void} take plays moves
 * @property {(cells: Cell[]) => void} preview shows moves on the board, [] for none
 * @property {() => void} draw draws the board again
 * @property {() => void} prove walks the proof of a win of the side to move
 */

const PAUSE = 80;    // milliseconds between two positions that are asked about, while a key is held down
const LIFETIME = 600_000;  // milliseconds until the notes of a page that was left are forgotten: newer ones may be there by then
const TYPING = 600;  // milliseconds after the last letter of a note until it is saved
const PART = "study-openings";
const LONGEST = {title: 2000, text: 20000, board_text: 200};  // letters that the server takes; a file may have more

export class OpeningsView {
  /**
   * @param {import("../study/state.js").Study} study
   * @param {Page} page
   */
  constructor(study, page) {
    this.study = study;
    this.page = page;
    this.openings = makeOpenings();
    this.isOwner = false;
    this.fault = "";   // why the last question has no answer
    this.drawn = "";   // the key of the position whose moves are listed
    /** @type {Set<string>} keys of positions that the server is asked about */
    this.asked = new Set();
    /** @type {Map<string, Draft>} the last notes that are sent and that the server has not taken yet, by position and field */
    this.sent = new Map();
    this.leftovers = new Leftovers("notes", () => sessionStorage, LIFETIME);
    this.saving = new Delay(() => this.save(), TYPING);
    this.asking = new Delay(() => { if (this.isShown && !this.study.free) this.ask(this.position); }, PAUSE);
    this.askedAt = 0;  // when the last position was shown, in milliseconds
    for (const part of document.querySelectorAll("#study [role=tabpanel]")) {
      part.addEventListener("shown", () => {
        this.follow();
        this.page.draw();
      });
    }
    server.on("book_kept", ({stored}) => { if (stored) this.refresh(); });
    server.on("open", ({wasLost}) => {
      if (!wasLost) return;
      this.sendAgain();
      this.refresh();
    });
    for (const name of /** @type {const} */ (["title", "text", "board_text"])) {
      const field = this.field(name);
      field.addEventListener("input", () => this.type({[name]: field.value}));
      field.addEventListener("change", () => this.save());
    }
    byId("book-label").addEventListener("change", () => this.choose({label: byId("book-label", HTMLSelectElement).value}));
    byId("book-mark").addEventListener("change", () => this.choose({mark: byId("book-mark", HTMLInputElement).checked ? "+" : ""}));
    byId("book-undo").addEventListener("click", () => this.undo());
    byId("book-walk").addEventListener("click", () => this.walkProof());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", () => this.stay());
    prepareKeeping();
    this.files = new BookFiles(() => this.position, () => this.refresh());
    this.lines = new OwnLines(study, () => this.refresh());
  }

  /** @param {boolean} isOwner guests read only */
  setOwner(isOwner) {
    this.isOwner = isOwner;
    for (const id of ["book-owner", "book-files", "book-lines"]) byId(id).hidden = !isOwner;
    if (isOwner) this.sendLeft();
    this.follow();
  }

  /** @param {"title" | "text" | "board_text"} name */
  field(name) {
    const element = byId(`book-${name.replace("_", "-")}`);
    return /** @type {HTMLInputElement | HTMLTextAreaElement} */ (element);
  }

  get isShown() {
    return this.study.isOpen && !byId(PART).hidden;
  }

  /** @returns {Position} */
  get position() {
    return this.study.tree.position();
  }

  // The moves of the store on the board, null while another part of the panel is shown.
  tiles() {
    if (!this.isShown || this.study.free) return null;
    const book = bookOf(this.openings, this.position);
    return book ? tilesOf(book) : [];
  }

  // The study may show another position: asks for its moves, and shows them.
  follow() {
    if (this.openings.draft && keyOf(this.openings.draft.position) !== keyOf(this.position)) this.save();
    if (!this.isShown) return;
    if (!this.study.free) this.askSoon();
    this.show();
  }

  // Asks at once or, while one position is shown after the other, when that comes to rest: a server takes only a number of
  // questions a second.
  askSoon() {
    const now = performance.now(), isQuick = now - this.askedAt < PAUSE;
    this.askedAt = now;
    if (isQuick) this.asking.restart();
    else this.ask(this.position);
  }

  // The store has changed: asks again for what is shown, which stays until the answer comes.
  refresh() {
    const isShown = this.isShown && !this.study.free;
    forgetBooks(this.openings, isShown ? this.position : null);
    if (isShown) this.ask(this.position, true);
  }

  /**
   * @param {Position} position
   * @param {boolean} isAgain true if the page has an answer that may be old
   */
  ask(position, isAgain = false) {
    const key = keyOf(position);
    if (this.asked.has(key) || !isAgain && bookOf(this.openings, position)) return;
    this.asked.add(key);
    server.ask({type: "book", position}).then(book => this.take(position, book), error => {
      this.fault = reasonOf(error);
      this.show();
    }).finally(() => this.asked.delete(key));
  }

  /**
   * @param {Position} position
   * @param {Book} book
   */
  take(position, book) {
    this.fault = "";
    takeBook(this.openings, position, book);
    if (!this.isShown) return;
    this.show();
    this.page.draw();
  }

  show() {
    const {position, openings} = this, {free} = this.study, book = free ? null : bookOf(openings, position);
    byId("book-note").toggleAttribute("inert", !book);
    if (!book && !free && !this.fault && this.drawn) return;  // the answer comes in a moment: no empty list before it
    byId("book-note").hidden = !book;
    this.drawn = book ? keyOf(position) : "";
    setText(byId("book-name"), book?.notes.title ?? "");
    setText(byId("book-facts"), free ? say("set_up_first") : book ? describeBook(book, position) : this.fault);
    const holder = byId("book-moves"), focused = this.focusedRow(holder), mover = position.moves.length % 2;
    const hasMoves = Boolean(book?.moves.length);
    byId("book-heads").hidden = !hasMoves;
    byId("book-proved").hidden = !book || provedMove(book) === undefined;
    byId("book-heads").replaceChildren(...book ? makeHeads(book, mover) : []);
    byId("book-heads").classList.toggle("no-games", !book?.moves.some(move => countGames(move)));
    holder.replaceChildren(...book && hasMoves ? [makeMoves(openings, position, book, {
      take: cells => { if (this.drawn === keyOf(this.position)) this.page.take(cells); },
      preview: cells => { if (!cells.length || this.drawn === keyOf(this.position)) this.page.preview(cells); },
      unfold: after => {
        if (unfold(openings, after)) this.ask(after);
        this.show();
      },
    })] : []);
    if (focused >= 0) this.rowsIn(holder)[Math.min(focused, this.rowsIn(holder).length - 1)]?.focus();
    this.showNotes();
    this.lines.show(book);
  }

  /** @param {Element} holder */
  rowsIn(holder) {
    return /** @type {HTMLElement[]} */ ([...holder.querySelectorAll("button")]);
  }

  /** @param {Element} holder */
  focusedRow(holder) {
    return this.rowsIn(holder).findIndex(row => row === document.activeElement);
  }

  // Walks the proof of a win here or, if only a loss is proved, of the other side's win after the move that loses.
  walkProof() {
    const book = bookOf(this.openings, this.position), move = book ? provedMove(book) : undefined;
    if (!move) return;
    if ((move.record?.mate ?? 0) < 0) this.page.take([move.cell]);
    this.page.prove();
  }

  // Notes

  showNotes() {
    this.files.fill();
    const notes = notesOf(this.openings, this.position);
    byId("book-edit").hidden = !this.isOwner;
    byId("book-said").hidden = this.isOwner;
    setText(byId("book-said"), [notes.title, notes.text].filter(Boolean).join("\n") || say("book_no_note"));
    for (const name of /** @type {const} */ (["title", "text", "board_text"])) {
      const field = this.field(name);
      if (field.value !== notes[name]) field.value = notes[name];
      field.readOnly = notes[name].length > LONGEST[name];
    }
    byId("book-long").hidden = notes.text.length <= LONGEST.text;
    setText(byId("book-long"), say("book_long", {most: formatNumber(LONGEST.text)}));
    const list = byId("book-label", HTMLSelectElement), shown = `${document.documentElement.lang} ${notes.label}`;
    if (list.dataset.shown !== shown) list.replaceChildren(...makeLabels(notes.label));
    list.dataset.shown = shown;
    list.value = notes.label;
    byId("book-mark", HTMLInputElement).checked = notes.mark !== "";
    const hasStone = this.position.moves.length > 0;
    for (const field of [byId("book-label", HTMLSelectElement), byId("book-mark", HTMLInputElement), this.field("board_text")]) {
      field.disabled = !hasStone;
    }
    byId("book-undo", HTMLButtonElement).disabled = !this.openings.past.length;
  }

  /** @param {Partial<Notes>} notes */
  type(notes) {
    const {draft} = this.openings, isHere = draft && keyOf(draft.position) === keyOf(this.position);
    if (draft && (!isHere || Object.keys(notes).some(name => !Object.hasOwn(draft.notes, name)))) this.save();  // another change
    typeNotes(this.openings, this.position, notes);
    this.saving.restart();
  }

  /** @param {Partial<Notes>} notes */
  choose(notes) {
    this.type(notes);
    this.save();
  }

  // Sends the notes that are typed.
  save() {
    this.saving.cancel();
    const draft = takeDraft(this.openings);
    if (!draft) return;
    noteChange(this.openings, draft.position, draft.notes);
    this.send(draft);
  }

  /**
   * @param {Draft} draft
   * @param {boolean} isTyped false if an earlier page has it from its player
   */
  async send(draft, isTyped = true) {
    const key = `${keyOf(draft.position)} ${Object.keys(draft.notes)}`, isLast = () => this.sent.get(key) === draft;
    this.sent.set(key, draft);
    try {
      await this.write(draft.position, draft.notes);
      if (isLast()) this.sent.delete(key);
    } catch (error) {
      if (!isLast()) return;  // newer ones are on their way
      if (!(error instanceof NoAnswer)) this.sent.delete(key);
      if (isTyped) keepDraft(this.openings, draft);
      complain(error);
      if (this.isShown) this.show();
    }
  }

  // There is a connection again: sends what had no answer.
  sendAgain() {
    for (const draft of [...this.sent.values()]) if (draft !== this.openings.draft) this.send(draft);
    this.save();
  }

  // The page is being left: what the server does not take in time is sent by the page that is loaded next.
  leave() {
    this.save();
    this.leftovers.leave([...this.sent.values()]);
  }

  // The page is shown again as it was. What another page has sent meanwhile is not sent again.
  stay() {
    if (this.leftovers.stay()) return;
    this.sent.clear();
    takeDraft(this.openings);
  }

  // Sends the notes that the page before this one was left with.
  sendLeft() {
    for (const draft of this.leftovers.take().filter(isDraft)) this.send(draft, false);
  }

  /**
   * @param {Position} position
   * @param {Partial<Notes>} notes
   */
  async write(position, notes) {
    const book = await server.ask({type: "book_write", position, ...notes});
    forgetBooks(this.openings, position);  // the lists of other positions name this note too
    this.take(position, book);
    this.follow();
  }

  undo() {
    this.save();
    const change = undoChange(this.openings);
    if (!change) return;
    this.write(change.position, change.before).then(() => announce(say("book_undone")), error => {
      this.openings.past.push(change);
      complain(error);
      if (this.isShown) this.show();
    });
  }
}

/**
 * @param {any} value
 * @returns {value is Draft}
 */
const isDraft = value => Array.isArray(value?.position?.moves) && typeof value.notes === "object";

/**
 * What is known of a position, or why nothing is.
 * @param {Book} book
 * @param {Position} position
 */
function describeBook({record, games, moves, why, symmetries}, position) {
  if (why === "board") return say("book_none_board", {rule: say(`rule_${position.rule}`), width: position.width, height: position.height});
  if (why) return say(why === "empty" ? "book_empty" : "book_none");
  const facts = [], colour = colourName(position.moves.length % 2), [black, drawn, white] = games;
  if (record) facts.push(say(record.kind === "proved" ? "book_proved_for" : "book_share_for", {colour, share: figureOf(record)}));
  facts.push(...searchOf(record));
  if (black + drawn + white) facts.push(say("book_played", {black, drawn, white}));
  if (!moves.length) facts.push(say("book_no_moves"));
  if (symmetries > 1 && moves.length) facts.push(say("book_folded"));
  return facts.join(" · ");
}
