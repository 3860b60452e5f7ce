// The board that one plays on: a grid of real buttons over the drawing, one tab stop, and what pointers do there.

import {cellName, drawGhost, drawStones, makeBoard} from "../board.js";
import {draw, make} from "../dom.js";
import {preference, setPreference} from "../shared/preferences.js";
import {say} from "../shared/i18n.js";

const SMALLEST_TARGET = 24;   // pixels; a finger does not find smaller cells
const FINGER = 2;             // how many cells above the finger a slide aims

// `holder` is an element; `actions` has play(cell), undo(), step(by) and command(letter), which may be missing.
export class Grid {
  constructor(holder, actions) {
    this.holder = holder;
    this.actions = actions;
    this.turned = preference("turned", false);
    this.mirrored = preference("mirrored", false);
    this.shown = null;
    this.hover = null;
    this.pending = null;
    this.pointer = "mouse";
    this.slide = null;
  }

  // What is drawn and named: {width, height, stones, line, rows, forbidden (name of a cell to its foul), hasNumbers,
  // next (the colour of the stone that a click would place, null for none), candidates, marks}.
  show(shown) {
    if (!this.shown || this.shown.width !== shown.width || this.shown.height !== shown.height) this.build(shown);
    if (this.shown && this.shown.stones.length !== shown.stones.length) this.pending = null;
    this.shown = shown;
    // A mark on a stone takes the place of its number.
    const marked = new Set((shown.marks ?? []).map(mark => String(mark.cell)));
    const stones = shown.stones.map(stone => marked.has(String(stone.cell)) ? {...stone, number: undefined} : stone);
    drawStones(this.board, {...shown, stones});
    this.drawOver();
    this.nameCells();
  }

  place([x, y]) {
    const {width, height} = this.board;
    const [across, down] = this.turned ? [width - 1 - x, height - 1 - y] : [x, y];
    return [this.mirrored ? width - 1 - across : across, down];
  }

  build({width, height}) {
    this.board = {width, height};
    this.board = makeBoard(width, height, cell => this.place(cell));
    this.board.svg.setAttribute("aria-hidden", "true");
    this.buttons = new Map();
    this.grid = make("div", {role: "grid", class: "grid", "aria-label": say("board")});
    this.grid.dataset.rows = height;
    for (let down = 0; down < height; down++) {
      const row = make("div", {role: "row"});
      for (let across = 0; across < width; across++) {
        const cell = this.place([across, down]);  // turning and mirroring are their own inverses
        const button = make("button", {type: "button", tabindex: "-1"});
        button.dataset.cell = cellName(cell, height);
        button.cell = cell;
        this.buttons.set(String(cell), button);
        row.append(make("div", {role: "gridcell"}, button));
      }
      this.grid.append(row);
    }
    const frame = make("div", {class: "frame"}, this.board.svg, this.grid);
    // Through the style object, which the policy allows; the board's size is not known to the style sheet.
    frame.style.setProperty("--across", width);
    frame.style.setProperty("--down", height);
    this.holder.replaceChildren(frame);
    this.focus = this.buttons.get(String([Math.floor(width / 2), Math.floor(height / 2)]));
    this.focus.tabIndex = 0;
    this.listen();
  }

  turn(mirror) {
    if (mirror) this.mirrored = !this.mirrored;
    else this.turned = !this.turned;
    setPreference("turned", this.turned);
    setPreference("mirrored", this.mirrored);
    const shown = this.shown;
    this.shown = null;
    this.build(shown);
    this.show(shown);
  }

  nameCells() {
    const {height, stones, forbidden = {}} = this.shown;
    const taken = new Map(stones.map(stone => [String(stone.cell), stone]));
    const last = stones.at(-1);
    for (const [key, button] of this.buttons) {
      const cell = button.dataset.cell, stone = taken.get(key), foul = forbidden[key];
      const colour = stone && (stone.colour ? "white" : "black");
      let label = say("cell_empty", {cell});
      if (foul) label = say("cell_forbidden", {cell, foul: say(`foul_${foul}`)});
      if (stone && stone.number === undefined) label = say(`cell_${colour}`, {cell});
      else if (stone) label = say(stone === last ? `cell_${colour}_last` : `cell_${colour}_move`, {cell, number: stone.number});
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
      const title = foul ? say("forbidden", {foul: say(`foul_${foul}`)}) : "";
      if (button.title !== title) button.title = title;
    }
    this.grid.setAttribute("aria-label", say("board"));
    this.grid.classList.toggle("is-mine", this.shown.next !== null);
  }

  drawOver() {
    const {over} = this.board, {next, forbidden = {}, candidates = [], marks = [], preview = []} = this.shown;
    over.replaceChildren();
    for (const key of Object.keys(forbidden)) {
      const [x, y] = this.place(key.split(",").map(Number));
      draw(over, "path", {class: "foul", d: `M${x - .22} ${y - .22}l.44 .44m0 -.44l-.44 .44`});
    }
    for (const candidate of candidates) {
      const [cx, cy] = this.place(candidate.cell);
      draw(over, "circle", {class: `candidate ${candidate.kind}`, cx, cy, r: .44});
      const size = {1: .42, 2: .42, 3: .32}[candidate.text.length] ?? .26;
      draw(over, "text", {class: `candidate ${candidate.kind}`, x: cx, y: cy + .13, "font-size": size}, candidate.text);
    }
    for (const {cell, text, on} of marks) {
      const [x, y] = this.place(cell);
      if (on === undefined) draw(over, "circle", {class: "patch", cx: x, cy: y, r: .36});
      const ground = on === undefined ? "" : on ? "on-white" : "on-black";
      draw(over, "text", {class: `label ${ground}`, x, y: y + .19, "font-size": .54}, text);
    }
    for (const {cell, colour, number} of preview) drawGhost(this.board, over, cell, colour, number);
    const ghost = this.pending ?? this.hover;
    if (ghost && next !== null && this.isEmpty(ghost) && !(ghost in forbidden) && !preview.length) {
      drawGhost(this.board, over, ghost, next);
      const [cx, cy] = this.place(ghost);
      if (this.pending) draw(over, "circle", {class: "pending", cx, cy, r: .62});
      if (this.slide) {
        const {width, height} = this.board;
        draw(over, "path", {class: "cross-hair", d: `M0 ${cy}H${width - 1}M${cx} 0V${height - 1}`});
      }
    }
  }

  isEmpty(cell) {
    return !this.shown.stones.some(stone => String(stone.cell) === String(cell));
  }

  // How a touch plays: "at-once", "confirm" or "slide".
  touchMode() {
    const chosen = preference("touch", "auto");
    if (chosen !== "auto") return chosen;
    return this.focus.getBoundingClientRect().width < SMALLEST_TARGET ? "confirm" : "at-once";
  }

  listen() {
    const {grid} = this;
    grid.addEventListener("focusin", event => this.moveTabStop(event.target));
    grid.addEventListener("keydown", event => this.onKey(event));
    grid.addEventListener("pointerdown", event => {
      this.pointer = event.pointerType;
      this.slide = null;
      if (event.pointerType === "touch" && this.touchMode() === "slide") this.startSlide(event);
    });
    grid.addEventListener("pointermove", event => this.onMove(event));
    grid.addEventListener("pointerup", event => this.endSlide(event, true));
    grid.addEventListener("pointercancel", event => this.endSlide(event, false));
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
    grid.classList.toggle("slides", preference("touch", "auto") === "slide");
  }

  moveTabStop(button) {
    if (!button.cell) return;
    this.focus.tabIndex = -1;
    this.focus = button;
    button.tabIndex = 0;
  }

  setHover(cell) {
    if (String(cell) === String(this.hover)) return;
    this.hover = cell;
    this.drawOver();
  }

  onMove(event) {
    if (this.slide) return this.aim(event);
    if (event.pointerType === "mouse") this.setHover(event.target.cell ?? null);
  }

  onClick(event) {
    const cell = event.target.closest("button")?.cell;
    if (!cell || this.slide === "done") {
      this.slide = null;
      return;
    }
    // A click without a pointer comes from the keyboard or from a screen reader.
    const isTouch = this.pointer === "touch" && event.detail > 0;
    if (!isTouch || this.touchMode() === "at-once" || this.shown.next === null) return this.actions.play(cell);
    if (this.touchMode() === "slide") return;
    const near = this.pending && Math.max(...cell.map((part, axis) => Math.abs(part - this.pending[axis]))) <= 1;
    if (near) {
      const chosen = this.pending;
      this.pending = null;
      this.actions.play(chosen);
    } else if (this.isEmpty(cell)) {
      this.pending = cell;
      this.drawOver();
      this.actions.pending?.(cell);
    }
  }

  startSlide(event) {
    event.preventDefault();
    this.grid.setPointerCapture(event.pointerId);
    this.slide = "aiming";
    this.aim(event);
  }

  aim(event) {
    const box = this.grid.getBoundingClientRect(), {width, height} = this.board;
    const across = Math.floor((event.clientX - box.left) / box.width * width);
    const down = Math.floor((event.clientY - box.top) / box.height * height) - FINGER;
    const isInside = across >= 0 && across < width && down >= 0 && down < height;
    this.setHover(isInside ? this.place([across, down]) : null);
  }

  endSlide(event, isPlayed) {
    if (this.slide !== "aiming") return;
    const cell = this.hover;
    this.slide = "done";
    this.hover = null;
    this.drawOver();
    if (isPlayed && cell && this.isEmpty(cell)) this.actions.play(cell);
  }

  onKey(event) {
    const cells = [...this.buttons.values()], {width, height} = this.board, at = cells.indexOf(this.focus);
    const row = Math.floor(at / width), column = at % width;
    const moves = {
      ArrowLeft: [column - 1, row], ArrowRight: [column + 1, row], ArrowUp: [column, row - 1], ArrowDown: [column, row + 1],
      Home: [0, event.ctrlKey ? 0 : row], End: [width - 1, event.ctrlKey ? height - 1 : row],
    };
    if (event.altKey || event.metaKey) return;
    if (event.key in moves && !event.shiftKey) {
      const [x, y] = moves[event.key];
      if (x >= 0 && x < width && y >= 0 && y < height) cells[y * width + x].focus();
    } else if (!event.ctrlKey && this.actions.command?.(event.key, this.focus)) {
      // The board has its own letters; what it does not know goes on to the page.
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
