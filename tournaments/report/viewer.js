// The drawing of the game in the viewer.

import {drawStones, fivesThrough} from "./board.js";
import {byId, make, makeMark, printable, setText} from "./dom.js";
import {nameOfCell} from "./games.js";
import {playerName} from "./list.js";
import {describeBoard, describeStone, lineOf, stonesOf, thoughtOf} from "./replay.js";
import {sayIn} from "./words.js";

/**
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("./board.js").Cell} Cell
 * @typedef {import("./games.js").Data} Data
 * @typedef {import("./replay.js").Replay} Replay
 */

/** @type {Record<string, [string, string]>} */
const POINTS = {"0": ["1", "0"], "1": ["0", "1"], "-1": ["½", "½"], "-2": ["", ""]};

/**
 * @param {Board} board
 * @param {Replay} replay
 * @param {Data} data
 */
export function drawBoard(board, replay, data) {
  const {game, ply} = replay, stones = stonesOf(replay), last = stones.at(-1);
  const isWon = last && ply === game.length && game.ending === data.five;
  drawStones(board, {
    stones, line: lineOf(replay), rows: isWon ? fivesThrough(board, stones, last.cell) : [],
    hasNumbers: byId("numbers", HTMLInputElement).checked, hasMark: ply > 0 && game.stones[ply - 1] !== null,
  });
  board.svg.setAttribute("aria-label", describeBoard(replay, data));
}

/**
 * Shows the parts that stay the same during the game; a click on a move calls `go` with a number of stones.
 * @param {Replay} replay
 * @param {Data} data
 * @param {(ply: number) => void} go
 */
export function showGame({game}, data, go) {
  byId("players").replaceChildren(...[0, 1].map(side => make("div", {class: "side"},
    make("i", {class: side ? "is-white" : "is-black"}), make("span", {}, playerName(data, game, side)),
    makeMark(data.players[game.players[side]]), make("b", {}, POINTS[game.winner][side]))));
  setText(byId("result"), sayIn(data, "game", {number: game.number, reason: game.reason}));
  byId("slider", HTMLInputElement).max = String(game.length);
  const psq = byId("save-psq", HTMLButtonElement);
  psq.disabled = game.stones.includes(null);
  psq.title = psq.disabled ? sayIn(data, "no_pass") : "";
  byId("moves").replaceChildren(...game.stones.map((cell, index) => {
    const button = make("button", {type: "button"}, nameOfCell(cell, data));
    button.addEventListener("click", () => go(index + 1));
    return make("li", index < game.openingPlies ? {class: "opening"} : {}, button);
  }));
}

/**
 * Shows the number of stones: on the slider, in the list of moves, and the last one in words. `showLine` gets the cells
 * of a line of play that is to be drawn after the stones.
 * @param {Replay} replay
 * @param {Data} data
 * @param {(cells: Cell[]) => void} showLine
 */
export function showPly(replay, data, showLine) {
  const {game, ply} = replay, list = byId("moves");
  byId("slider", HTMLInputElement).value = String(ply);
  for (const id of ["first", "back"]) byId(id, HTMLButtonElement).disabled = ply === 0;
  for (const id of ["last", "forward"]) byId(id, HTMLButtonElement).disabled = ply === game.length;
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = list.children[ply - 1]?.firstElementChild;
  if (button instanceof HTMLElement) {
    button.setAttribute("aria-current", "true");
    list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  setText(byId("stone"), describeStone(replay, data));
  showThought(replay, data, showLine);
}

/**
 * The brain's words about the last stone: its line of play, and its MESSAGEs.
 * @param {Replay} replay
 * @param {Data} data
 * @param {(cells: Cell[]) => void} showLine
 */
function showThought(replay, data, showLine) {
  const {text, cells, isPlayed} = thoughtOf(replay, data), holder = byId("variation");
  const parts = cells.map((cell, count) => {
    if (!isPlayed || count === 0) return make("span", {}, nameOfCell(cell, data));
    const button = make("button", {type: "button", "aria-pressed": "false"}, nameOfCell(cell, data));
    button.addEventListener("click", () => {
      const isOn = button.getAttribute("aria-pressed") === "true";
      for (const other of holder.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(!isOn));
      showLine(isOn ? [] : cells.slice(1, count + 1));
    });
    return button;
  });
  holder.replaceChildren(...parts.length ? [make("span", {class: "head"}, sayIn(data, "line")), ...parts] : []);
  const messages = byId("messages");
  messages.hidden = !text;
  if (messages.lastElementChild) messages.lastElementChild.textContent = text.split("\n").map(printable).join("\n");
}
