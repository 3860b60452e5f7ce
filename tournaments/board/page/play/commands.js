// The keys of the board of a game while it has the focus: what was played, the clocks, whose turn it is.

import {cellName} from "../board.js";
import {titleOf} from "./home.js";
import {announce} from "../shared/status.js";
import {focusIn} from "../shared/tabs.js";
import {describeTurn, plyShown, secondsLeft} from "./table.js";
import {colourName, say, sayClock, sayFacts, sayLabelled} from "../shared/i18n.js";

/**
 * @param {import("./table.js").Table} table
 * @param {import("../net/messages.js").State} state
 * @param {HTMLElement} button of the cell that has the focus
 * @param {() => void} hint
 * @returns {Record<string, () => void>} by their keys
 */
export function commandsOf(table, state, button, hint) {
  const ply = plyShown(table, state), last = state.moves[ply - 1];
  return {
    l: () => announce(!last ? say("no_move") : say(`cell_${last.colour ? "white" : "black"}_move`,
      {cell: cellName(last.cell, state.height), number: ply})),
    o: () => announce(button.getAttribute("aria-label") ?? ""),
    t: () => announce(!state.clock ? say("no_clock") : sayFacts(...state.seats.map((seat, index) =>
      sayLabelled(colourName(seat.colour), sayClock(secondsLeft(table, state, index, performance.now()) ?? 0))))),
    c: () => announce(describeTurn(table, state, titleOf)),
    g: hint,
    i: () => focusIn("move-box"),
  };
}
