// Plays through a game that is over, as studies are played through.

import {byId} from "../dom.js";
import {isNewest, plyShown} from "./table.js";
import {Playback} from "../shared/playback.js";

/**
 * @param {() => import("./table.js").Table} table
 * @param {(ply: number) => void} show the position after so many stones
 */
export function makeReplay(table, show) {
  const ply = () => {
    const {state} = table();
    return state ? plyShown(table(), state) : 0;
  };
  return new Playback(byId("run"), byId("replay-pace", HTMLSelectElement), {
    whyNot: () => "",
    hasNext: () => {
      const {state} = table();
      return state !== null && !isNewest(table(), state);
    },
    first: () => show(0),
    next: () => show(ply() + 1),
    stopsAt: () => "",
  });
}

/**
 * Shows the button and the pace if the game can be played through.
 * @param {import("../net/messages.js").State} state
 */
export function offerReplay(state) {
  byId("run").hidden = byId("replay").hidden = state.phase !== "over" || !state.moves.length;
}
