// A game as it came with the page: it is drawn before the server has said who this browser is in it.

import {byId, find} from "../dom.js";
import {showMoves, showPlayers} from "./panel.js";
import {served} from "../shared/served.js";

/**
 * Draws the game until its state comes. The view has no state yet: a click on a cell waits for it, see play().
 * @param {import("./play.js").PlayView} view
 */
export function preview(view) {
  const {table, actions} = view, {game} = served();
  if (table.state || !game || game.game !== table.wanted) return;
  table.received = performance.now();
  for (const name of [".board-column", ".panel"]) find(byId("game"), name).hidden = false;
  byId("game").classList.add("playing");
  view.drawBoard(game);
  showPlayers(table, game);
  showMoves(table, game, actions);
}
