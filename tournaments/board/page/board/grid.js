// The board for playing: a grid of real buttons over the drawing, with one tab stop, and the handling of pointers.

import {cellName, cellOfKey, drawGhost, drawStones, isSame, makeBoard} from "../board.js";
import {nameCells, nextPlace, placeCell} from "./cells.js";
import {draw, make, targetOf} from "../dom.js";
import {drawAhead, drawBarred, drawDot, drawFoul, drawSlip, drawTile} from "./tiles.js";
import {preference, setPreference, touchChoice} from "../shared/preferences.js";
import {say} from "../shared/i18n.js";
import {announce, clearStatus} from "../shared/status.js";

const SMALLEST_TARGET = 30;   // pixels; a finger misses smaller cells too often
const FINGER = 2;             // a slide aims this number of cells above the finger

/**
 * @typedef {import("./cells.js").Cell} Cell
 * @typedef {import("./cells.js").Shown} Shown
 * @typedef {import("./cells.js").Way} Way
 * @typedef {import("./cells.js").Actions} Actions
 */

export class Grid {
  /**
   * @param {HTMLElement} holder
   * @param {Actions} actions
   */
  constructor(holder, actions) {
    this.holder = holder;
    this.actions = actions;
    this.way = {turned: preference("turned", false), mirrored: preference("mirrored", false)};
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Face | null} */
    this.face = null;
  }

  /** @param {Shown} shown */
  show(shown) {
    const before = this.shown;
    if (!this.face || before?.width !== shown.width || before.height !== shown.height) this.face = this.build(shown);
    this.shown = shown;
    this.face.show(shown);
  }

  /** @param {Shown} shown */
  build(shown) {
    const face = new Face(shown, this.way, this.actions);
    this.holder.replaceChildren(face.frame);
    // Set through the style object, which the policy allows: the style sheets do not know the board's size. The view has it
    // too, because the frame around the board follows it.
    for (const element of [face.frame, this.holder.closest("main")]) {
      element?.style.setProperty("--across", String(shown.width));
      element?.style.setProperty("--down", String(shown.height));
    }
    return face;
  }

  /**
   * Turns the board by half a circle, or mirrors it. Does nothing before the board is shown.
   * @param {boolean} mirror
   */
  turn(mirror) {
    if (!this.shown) return;
    if (mirror) this.way = {...this.way, mirrored: !this.way.mirrored};
    else this.way = {...this.way, turned: !this.way.turned};
    setPreference("turned", this.way.turned);
    setPreference("mirrored", this.way.mirrored);
    this.face = this.build(this.shown);
    this.face.show(this.shown);
  }

  // The drawing; null before the board is shown.
  drawing() {
    return this.face?.board.svg ?? null;
  }
}

// A board of one size, in one orientation.
class Face {
  /**
   * @param {Shown} shown
   * @param {Way} way
   * @param {Actions} actions
   */
  constructor(shown, way, actions) {
    const {width, height} = shown;
    this.shown = shown;
    this.way = way;
    this.actions = actions;
    /** @type {Cell | null} the cell under the pointer */
    this.hover = null;
    /** @type {Cell | null} the cell that waits for a second tap */
    this.pending = null;
    this.pointer = "mouse";
    /** @type {"" | "aiming" | "done"} */
    this.slide = "";
    this.board = makeBoard(width, height, cell => this.place(cell));
    this.board.svg.setAttribute("aria-hidden", "true");
    /** @type {{cell: Cell, button: HTMLButtonElement}[]} in the order of the rows as they are drawn */
    this.cells = [];
    this.grid = make("div", {role: "grid", class: "grid", "data-rows": height});
    for (let down = 0; down < height; down++) {
      const row = make("div", {role: "row"});
      for (let across = 0; across < width; across++) {
        const cell = this.place([across, down]);
        const button = make("button", {type: "button", tabindex: "-1", "data-cell": cellName(cell, height)});
        this.cells.push({cell, button});
        row.append(make("div", {role: "gridcell"}, button));
      }
      this.grid.append(row);
    }
    this.frame = make("div", {class: "frame"}, this.board.svg, this.grid);
    const middle = [Math.floor(width / 2), Math.floor(height / 2)];
    this.focus = this.cells.find(({cell}) => String(cell) === String(middle)) ?? this.cells[0];
    this.focus.button.tabIndex = 0;
    this.listen();
  }

  /** @param {Cell} cell */
  place(cell) {
    return placeCell(cell, this.shown, this.way);
  }

  /** @param {Shown} shown */
  show(shown) {
    if (this.shown.stones.length !== shown.stones.length) this.pending = null;
    this.shown = shown;
    // A mark or a dot on a stone takes the place of its number; a dot takes the place of the mark of the last one too.
    const dots = shown.dots ?? [], marked = new Set([...shown.marks ?? [], ...dots].map(mark => String(mark.cell)));
    const stones = shown.stones.map(stone => marked.has(String(stone.cell)) ? {...stone, number: undefined} : stone);
    const hasDot = dots.some(dot => isSame(dot.cell, stones.at(-1)?.cell));
    drawStones(this.board, {...shown, stones, hasMark: shown.hasMark !== false && !hasDot});
    this.drawOver();
    this.nameCells();
  }

  nameCells() {
    const {height, forbidden = {}} = this.shown, names = nameCells(this.shown);
    for (const {cell, button} of this.cells) {
      const key = String(cell), foul = forbidden[key];
      const label = names.get(key) ?? say("cell_empty", {cell: cellName(cell, height)});
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
      const title = foul ? say("forbidden", {foul: say(`foul_${foul}`)}) : "";
      if (button.title !== title) button.title = title;
    }
    this.grid.setAttribute("aria-label", say("board"));
    this.grid.classList.toggle("is-mine", this.shown.next !== null);
  }

  drawOver() {
    const {over} = this.board, {next, forbidden = {}, candidates = [], marks = [], barred = [], dots = [], slip = null, preview = [], ahead = null} = this.shown;
    over.replaceChildren();
    for (const [key, foul] of Object.entries(forbidden)) drawFoul(over, this.place(cellOfKey(key)), foul);
    for (const {cell, kind, text} of candidates) drawTile(over, this.place(cell), kind, text);
    for (const cell of barred) drawBarred(over, this.place(cell));
    if (slip) drawSlip(over, this.place(slip.cell), slip.kind);
    for (const {cell, colour, level} of dots) drawDot(over, this.place(cell), colour, level, isSame(cell, this.shown.stones.at(-1)?.cell));
    for (const {cell, text, on} of marks) {
      const [x, y] = this.place(cell);
      if (on === undefined) draw(over, "circle", {class: "patch", cx: x, cy: y, r: .36});
      const ground = on === undefined ? "" : on ? "on-white" : "on-black";
      draw(over, "text", {class: `label ${ground}`, x, y: y + .19, "font-size": .54}, text);
    }
    if (ahead) drawAhead(this.board, ahead);
    for (const {cell, colour, number} of preview) drawGhost(this.board, over, cell, colour, number);
    const ghost = this.pending ?? this.hover;
    if (ghost && next !== null && !isSame(ghost, ahead?.cell) && this.isEmpty(ghost) && !Object.hasOwn(forbidden, String(ghost)) && !preview.length) {
      drawGhost(this.board, over, ghost, next);
      const [cx, cy] = this.place(ghost);
      if (this.pending) draw(over, "circle", {class: "pending", cx, cy, r: .62});
      if (this.slide) {
        const {width, height} = this.board;
        draw(over, "path", {class: "cross-hair", d: `M0 ${cy}H${width - 1}M${cx} 0V${height - 1}`});
      }
    }
  }

  /** @param {Cell} cell */
  isEmpty(cell) {
    return !this.shown.stones.some(stone => isSame(stone.cell, cell));
  }

  // The way of playing by touch: "at-once", "confirm" or "slide".
  touchMode() {
    const chosen = touchChoice();
    if (chosen !== "auto") return chosen;
    return this.focus.button.getBoundingClientRect().width < SMALLEST_TARGET ? "confirm" : "at-once";
  }

  listen() {
    const {grid} = this;
    grid.addEventListener("focusin", event => this.moveTabStop(event));
    grid.addEventListener("keydown", event => this.onKey(event));
    grid.addEventListener("pointerdown", event => {
      this.pointer = event.pointerType;
      this.slide = "";
      if (event.pointerType === "touch" && this.touchMode() === "slide") this.startSlide(event);
    });
    grid.addEventListener("mousedown", event => this.leaveKeys(event));
    grid.addEventListener("pointermove", event => this.onMove(event));
    grid.addEventListener("pointerup", () => this.endSlide(true));
    grid.addEventListener("pointercancel", () => this.endSlide(false));
    grid.addEventListener("pointerleave", () => this.setHover(null));
    grid.addEventListener("click", event => this.onClick(event));
    grid.addEventListener("contextmenu", event => {
      event.preventDefault();
      if (this.pointer === "mouse") this.actions.undo?.();
    });
    grid.addEventListener("wheel", event => {
      if (event.ctrlKey || !this.actions.step) return;
      event.preventDefault();
      if (Math.abs(event.deltaY) >= 1) this.actions.step(Math.sign(event.deltaY));
    }, {passive: false});
    grid.classList.toggle("slides", touchChoice() === "slide");
  }

  /**
   * The cell that an event is about; undefined for none.
   * @param {Event} event
   */
  cellOf(event) {
    const button = targetOf(event, "button");
    return this.cells.find(each => each.button === button);
  }

  /** @param {Event} event */
  moveTabStop(event) {
    const found = this.cellOf(event);
    if (!found) return;
    this.focus.button.tabIndex = -1;
    this.focus = found;
    found.button.tabIndex = 0;
  }

  /**
   * A click of the mouse leaves the focus off the board, so that the keys after it are those of the game: on the board, the
   * arrows move from cell to cell and the space bar places a stone. Tab still leads to the cell that was clicked.
   * @param {MouseEvent} event
   */
  leaveKeys(event) {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    this.moveTabStop(event);
  }

  /** @param {Cell | null} cell */
  setHover(cell) {
    if (isSame(cell, this.hover)) return;
    this.hover = cell;
    this.drawOver();
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    if (this.slide) this.aim(event);
    else if (event.pointerType === "mouse") this.setHover(this.cellOf(event)?.cell ?? null);
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const cell = this.cellOf(event)?.cell;
    if (!cell || this.slide === "done") {
      this.slide = "";
      return;
    }
    // A click without a pointer comes from the keyboard or from a screen reader.
    const isTouch = this.pointer === "touch" && event.detail > 0;
    if (!isTouch || this.touchMode() === "at-once" || this.shown.next === null) {
      return this.actions.play(cell, event.detail > 1);
    }
    if (this.touchMode() === "slide") return;
    const {pending} = this, box = this.cells.find(each => isSame(each.cell, pending))?.button.getBoundingClientRect();
    // A finger is not exact: it may miss the cell that waits by a quarter. A tap on the next point corrects the first one.
    if (pending && box && Math.hypot((event.x - box.x) / box.width - .5, (event.y - box.y) / box.height - .5) < .75) {
      this.pending = null;
      clearStatus();  // it asked for this tap
      this.actions.play(pending);
    } else if (this.isEmpty(cell)) {
      this.pending = cell;
      this.drawOver();
      announce(say("tap_again", {cell: cellName(cell, this.shown.height)}));
    }
  }

  /** @param {PointerEvent} event */
  startSlide(event) {
    event.preventDefault();
    this.grid.setPointerCapture(event.pointerId);
    this.slide = "aiming";
    this.aim(event);
  }

  /** @param {PointerEvent} event */
  aim(event) {
    const box = this.grid.getBoundingClientRect(), {width, height} = this.board;
    const across = Math.floor((event.x - box.x) / box.width * width);
    const down = Math.floor((event.y - box.y) / box.height * height) - FINGER;
    const isInside = across >= 0 && across < width && down >= 0 && down < height;
    this.setHover(isInside ? this.place([across, down]) : null);
  }

  /** @param {boolean} isPlayed */
  endSlide(isPlayed) {
    if (this.slide !== "aiming") return;
    const cell = this.hover;
    this.slide = "done";
    this.hover = null;
    this.drawOver();
    if (isPlayed && cell && this.isEmpty(cell)) this.actions.play(cell);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.altKey || event.metaKey) return;
    const {width} = this.board, at = this.cells.indexOf(this.focus);
    const next = nextPlace(event, [at % width, Math.floor(at / width)], this.board);
    if (next) this.cells[next[1] * width + next[0]].button.focus();
    // The board has its own letters; other keys go on to the page.
    else if (event.ctrlKey || !this.actions.command?.(event.key, this.focus.button)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
