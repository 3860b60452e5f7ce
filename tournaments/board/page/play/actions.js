// The buttons below the moves of a game: which there are, and which the server would refuse now.

import {isMine, isShow, mine} from "./table.js";

/** @typedef {import("../net/messages.js").State} State */

/**
 * The requests of this game, in the order of their buttons.
 * @param {State} state
 * @returns {[string, string][]} requests, each with the key of its word
 */
export function actionsOf(state) {
  const {phase, paused, clock, seats, thinking, you} = state;
  if (phase === "over") return [];
  if (!you.seats.length) {
    return you.owner && isShow(state) ? [paused ? ["resume", "resume"] : ["pause", "pause"], ["end", "end_game"]] : [];
  }
  const isTwo = you.seats.length === 2, isAgainstBrain = !isTwo && seats[1 - mine(state)].kind === "brain";
  // Against a friend with clocks the server gives no hint and no pause.
  const isMatch = clock !== null && seats.some(seat => seat.kind === "friend");
  const isAlone = seats.some(({taken}) => !taken);  // there is nothing to take back, and nobody who answers an offer
  /** @type {[string, string][]} */
  const names = isAlone ? [] : [["undo", "undo"]];
  if (you.owner && !isMatch) names.push(["hint", "hint"]);
  if (!isAgainstBrain && !isAlone) names.push(["draw", isTwo ? "agree_draw" : "offer_draw"]);
  names.push(["resign", "resign"]);
  if (paused) names.push(["resume", "resume"]);
  else if (clock && !isMatch) names.push(["pause", "pause"]);
  if (thinking && isAgainstBrain) names.push(["move_now", "move_now"]);
  return names;
}

/**
 * True if the player cannot do this now: an own offer waits for its answer, or no own stone can be taken back.
 * @param {State} state
 * @param {string} what
 */
export function isBarred(state, what) {
  const {offer, moves, phase, premove, seats, set_up: fixed, you} = state, waits = offer !== null && isMine(state, offer.seat);
  if (what === "draw") return waits;
  if (what !== "undo" || premove) return false;
  const isOwn = (/** @type {State["moves"][number]} */ {colour}) => colour === seats[mine(state)].colour;
  // In an opening the colours are not given yet, and two people at one screen take back any stone.
  return waits || !moves.some((move, ply) => phase !== "play" || ply >= fixed && (you.seats.length === 2 || isOwn(move)));
}
