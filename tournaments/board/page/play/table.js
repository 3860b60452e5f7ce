// The game that is shown: what the server has said of it, and what this page knows beside that.

import {titleOf} from "./home.js";
import {formatNumber, say} from "../shared/i18n.js";

export const table = {
  wanted: "",         // the id of the game that the page shows; what is said of others comes too late
  state: null,        // what the server said last
  newest: 0,          // the version of that: an answer may overtake a state that was made before it
  received: 0,        // when, by performance.now()
  shownPly: null,     // an earlier position that is looked at, null for the newest
  hint: null,         // the cell of a hint, as long as the position stands
  links: null,        // the links of a game that this player made
  secret: "",         // of the seat that the link offers
  next: null,         // the id of the rematch, where there is one
  isSure: false,      // true while a resignation is asked about once more
  isCommentMoved: false,  // what somebody writes went to another position, see comment.js
};

export const colourName = colour => say(colour ? "white" : "black");
export const seatOf = colour => table.state.seats.findIndex(seat => seat.colour === colour);
export const isMine = seat => table.state.you.seats.includes(seat);
export const isPerson = seat => table.state.seats[seat].kind !== "brain";
// One of two people at the same screen plays both sides and has nobody to ask.
export const mine = () => table.state.you.seats[0];
export const moverSeat = () => table.state.phase === "over" ? null : table.state.chooser ?? table.state.mover ?? seatOf(table.state.to_move);
export const plyShown = () => Math.min(table.shownPly ?? Infinity, table.state.moves.length);
export const isNewest = () => plyShown() === table.state.moves.length;

export function nameOf(seat) {
  const {kind, name, brain, level, nodes, turn_ms: turn} = table.state.seats[seat];
  if (kind === "brain") {
    const title = titleOf(brain ?? name);
    if (level) return say("brain_level", {brain: title, level});
    if (nodes) return say("brain_strength", {brain: title, strength: say("at_nodes", {nodes: formatNumber(nodes)})});
    return turn ? say("brain_strength", {brain: title, strength: say("at_time", {seconds: turn / 1000})}) : title;
  }
  if (name) return name;
  if (table.state.you.seats.length === 2) return colourName(table.state.seats[seat].colour);
  if (isMine(seat)) return say("you");
  const isOneOfTwo = table.state.seats.every(each => each.kind === "friend" && each.taken);
  if (isOneOfTwo && !table.state.you.seats.length) return colourName(table.state.seats[seat].colour);
  return say(table.state.seats[seat].taken ? "friend" : "friend_awaited");
}

export function describeTurn() {
  if (table.state.phase === "over") return table.state.reason;
  const seat = moverSeat(), colour = colourName(table.state.to_move);
  if (table.state.seats.some(each => !each.taken)) {
    return say(table.state.you.owner ? "waiting_for_friend" : table.secret && !table.state.you.seats.length ? "seat_free" : "waiting_for_player");
  }
  if (table.state.paused) return say("is_paused");
  if (table.state.phase === "choice") return say(isMine(seat) ? "your_choice" : "their_choice");
  if (table.state.you.seats.length === 2) return say("turn_of", {colour});
  return isMine(seat) ? say("your_turn", {colour}) : say("their_turn", {name: nameOf(seat)});
}

export function secondsLeft(seat) {
  const {left, running} = table.state.clock;
  if (left[seat] === null || left[seat] === undefined) return null;
  return running === seat && !table.state.paused ? left[seat] - (performance.now() - table.received) / 1000 : left[seat];
}
