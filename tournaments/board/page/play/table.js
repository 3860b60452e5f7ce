// The current game: the server's last state of it, the page's own data, and the conclusions from both.

import {cellName, isSame} from "../board.js";
import {colourName, formatExact, formatNumber, say, sayList, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/messages.js").State} State
 *
 * @typedef {object} Table
 * @property {string} wanted the id of the current game; messages about other games come too late
 * @property {State | null} state the server's last state
 * @property {number} newest its version, because an answer may overtake an older state
 * @property {number} received the time of its arrival, by performance.now()
 * @property {number | null} shownPly the earlier position on the board, null for the newest
 * @property {Cell | null} hint the cell of a hint, until the position changes
 * @property {Cell | null} placed the cell of a stone that the server has not taken yet
 * @property {Cell | null} later the cell of the next click of two people at one screen, who need not wait for that
 * @property {import("../net/messages.js").Links | null} links of a game that this player made
 * @property {string} secret of the seat in the link
 * @property {string | null} next the id of the rematch, if any
 * @property {boolean} showsWin true while the board shows the win that the last move throws away
 * @property {boolean} isToReview true if the coach is to review it as soon as it is known
 * @property {boolean} isSure true while the player is asked to confirm a resignation
 *
 * @typedef {(brain: string) => string} TitleOf the name of a brain for people
 */

/** @returns {Table} */
export const makeTable = () => ({
  wanted: "", state: null, newest: 0, received: 0, shownPly: null, hint: null, placed: null, later: null, links: null, secret: "", next: null,
  showsWin: false, isToReview: false, isSure: false,
});

/**
 * Changes to another game, whose state is not known yet.
 * @param {Table} table
 * @param {string} id
 * @param {string} secret of the seat that the link offers
 * @param {import("../net/messages.js").Links | null} links of a game just made
 */
export function turnToGame(table, id, secret, links) {
  Object.assign(table, makeTable(), {wanted: id, secret, links});
}

/**
 * Takes a state that came from the server at the time `now`. False if it came too late.
 * @param {Table} table
 * @param {State} state
 * @param {number} now
 */
export function takeState(table, state, now) {
  if (state.game !== table.wanted || state.version < table.newest) return false;
  const before = table.state;
  table.state = state;
  table.newest = state.version;
  table.received = now;
  if (state.links) table.links = state.links;
  if (before?.moves.length !== state.moves.length) table.hint = table.placed = null;
  if (!state.slip) table.showsWin = false;
  if (state.phase === "over") table.isSure = false;
  table.next = state.next;
  return true;
}

/**
 * Shows the position after `ply` stones, or the nearest that the game has. The newest position goes on with the game.
 * @param {Table} table
 * @param {State} state
 * @param {number} ply
 */
export function look(table, state, ply) {
  const count = Math.max(0, Math.min(state.moves.length, ply));
  table.shownPly = count === state.moves.length ? null : count;
}

/**
 * @param {Table} table
 * @param {State} state
 */
export const plyShown = (table, state) => Math.min(table.shownPly ?? Infinity, state.moves.length);

/**
 * @param {Table} table
 * @param {State} state
 */
export const isNewest = (table, state) => plyShown(table, state) === state.moves.length;

/**
 * @param {State} state
 * @param {number} colour
 */
export const seatOf = (state, colour) => state.seats.findIndex(seat => seat.colour === colour);

/**
 * @param {State} state
 * @param {number} seat
 */
export const isMine = (state, seat) => state.you.seats.includes(seat);

/**
 * The player's own seat. Two people at one screen have both seats and do not need to ask each other.
 * @param {State} state
 */
export const mine = state => state.you.seats[0];

/**
 * The seat that is to place or to choose; null when the game is over.
 * @param {State} state
 */
export const moverSeat = state =>
  state.phase === "over" ? null : state.chooser ?? state.mover ?? seatOf(state, state.to_move);

/**
 * True if the player's seat went with the connection, and the link opens it again: a browser that refuses storage has
 * no key by which the server would know it.
 * @param {State | null} before
 * @param {State} state
 */
export const isSeatLost = (before, {you}) => before !== null && before.you.seats.length > 0 && !you.seats.length && you.offered.length > 0;

/**
 * What the link of this page is worth: the key of the words for it, "" if the player has a seat or came without one.
 * @param {Table} table
 * @param {State} state
 */
export function invitationWords({secret}, {you, phase}) {
  if (!secret || you.seats.length || phase === "over") return "";
  return you.offered.length ? "seat_free" : "invitation_old";
}

/**
 * True if a click on the board places a stone.
 * @param {Table} table
 * @param {State} state
 */
export function canPlay(table, state) {
  const seat = moverSeat(state);
  return isNewest(table, state) && !table.placed && !state.paused && ["opening", "offer", "take", "play"].includes(state.phase) && seat !== null && isMine(state, seat);
}

/**
 * The key of the words above the choices of an opening.
 * @param {string[]} choice
 */
export const choiceWords = choice =>
  choice.includes("more") ? "choice_words_more" : choice.includes("ten") ? "choice_words_ten"
    : choice.includes("black") ? "choice_words_colour" : "choice_words_number";

/**
 * The word for one of the choices of an opening.
 * @param {string} what
 */
export const describeChoice = what => /^\d+$/.test(what) ? formatNumber(Number(what)) : say(`choose_${what}`);

/**
 * The reason why a click on the board does not place a stone; "" if it does, or if the server tells the reason.
 * @param {Table} table
 * @param {State} state
 */
export function whyNoStone(table, state) {
  const seat = moverSeat(state);
  if (!isNewest(table, state)) return say("earlier_position");
  if (seat === null) return state.reason;
  if (state.slip) return say("slip_waits");
  if (!isMine(state, seat)) return say(state.you.seats.length ? "not_your_turn" : "you_watch");
  return state.phase === "choice" ? say("choose_first") : "";
}

/**
 * The name of a seat's player, as this player is told it.
 * @param {State} state
 * @param {number} seat
 * @param {TitleOf} titleOf
 */
export function nameOf(state, seat, titleOf) {
  const {kind, name, brain, level, nodes, turn_ms: turn, colour, taken} = state.seats[seat];
  if (kind === "brain") {
    const title = titleOf(brain ?? name);
    if (level) return say("brain_level", {brain: title, level});
    if (nodes) return say("brain_strength", {brain: title, strength: say("at_nodes", {nodes: formatNumber(nodes)})});
    return turn ? say("brain_strength", {brain: title, strength: say("at_time", {seconds: formatExact(turn / 1000)})}) : title;
  }
  if (name) return name;
  if (state.you.seats.length === 2) return colourName(colour);
  if (isMine(state, seat)) return say("you");
  const isOneOfTwo = state.seats.every(each => each.kind !== "brain" && each.taken);
  if (isOneOfTwo && !state.you.seats.length) return colourName(colour);
  return say(taken ? "friend" : "friend_awaited");
}

/**
 * The stones to place in the opening, in words. No seat has its colour for good while the first stones are placed.
 * @param {State} state
 * @param {number} seat
 * @param {TitleOf} titleOf
 */
function describePlacing(state, seat, titleOf) {
  const {number = 1, count = 1} = state.placing ?? {}, {side} = state, colour = colourName(state.to_move);
  if (!isMine(state, seat)) return say("places_opening", {name: nameOf(state, seat, titleOf), number, count});
  const task = say(count > 1 ? "place_opening" : "place_opening_one", {colour, number, count});
  return side === null ? task : saySentences(task, say(side === 1 ? "place_centre" : "place_central", {side}));
}

/**
 * The choices of others in the opening that are new, in words.
 * @param {State} before
 * @param {State} now
 * @param {TitleOf} titleOf
 */
const tellChoices = (before, now, titleOf) =>
  now.chosen.slice(before.chosen.length).filter(({seat}) => !isMine(now, seat)).map(({seat, choice}) =>
    say(/^\d+$/.test(choice) ? "chose_number" : `chose_${choice}`, {name: nameOf(now, seat, titleOf), number: choice}));

/**
 * The turn or the result, as a sentence.
 * @param {Table} table
 * @param {State} state
 * @param {TitleOf} titleOf
 */
export function describeTurn(table, state, titleOf) {
  const seat = moverSeat(state), colour = colourName(state.to_move);
  if (seat === null) return state.reason;
  if (state.seats.some(each => !each.taken)) {
    return say(state.you.owner ? "waiting_for_friend" : invitationWords(table, state) || "waiting_for_player");
  }
  if (state.paused) return say("is_paused");
  if (state.slip) return say("slip_waits");
  const name = nameOf(state, seat, titleOf), number = state.fifth_moves.length + 1;
  if (state.phase === "choice") return isMine(state, seat) ? say("your_choice") : say("their_choice", {name});
  if (state.placing) return describePlacing(state, seat, titleOf);
  if (state.phase === "offer") return say(isMine(state, seat) ? "offer_fifth" : "offers_fifth", {colour, name, number, count: state.offers});
  if (state.phase === "take") return say(isMine(state, seat) ? "take_fifth" : "takes_fifth", {colour: colourName(1), name});
  if (state.you.seats.length === 2) return say("turn_of", {colour});
  return isMine(state, seat) ? say("your_turn", {colour}) : say("their_turn", {name});
}

/**
 * The seconds that a seat has left at the time `now`; null without a clock, and for a brain.
 * @param {Table} table
 * @param {State} state
 * @param {number} seat
 * @param {number} now
 */
export function secondsLeft({received}, {clock, paused}, seat, now) {
  const left = clock?.left[seat] ?? null;
  return left !== null && clock?.running === seat && !paused ? left - (now - received) / 1000 : left;
}

/**
 * Whether two brains play.
 * @param {State} state
 */
export const isShow = ({seats}) => seats.every(({kind}) => kind === "brain");

/**
 * The points of both players in this game and those that it goes on from; "" for the first game.
 * @param {State} state
 * @param {TitleOf} titleOf
 */
export function describeSeries(state, titleOf) {
  const {series, phase, winner, ending, seats, you} = state;
  if (!series) return "";
  const isCounted = phase === "over" && ending !== "stopped";
  const points = series.map((before, seat) => before + (!isCounted ? 0 : winner === null ? .5 : winner === seats[seat].colour ? 1 : 0));
  const [near, far] = you.seats[0] === 1 ? [1, 0] : [0, 1];
  const show = (/** @type {number} */ value) => formatNumber(value, value % 1 ? 1 : 0);
  return say("series", {one: nameOf(state, near, titleOf), other: nameOf(state, far, titleOf), points: show(points[near]), more: show(points[far])});
}

/**
 * The brain that follows this player, when the game is over.
 * @param {State} state
 */
export const levelNext = ({seats, you}) =>
  you.seats.length === 1 ? seats.find((seat, index) => index !== you.seats[0] && seat.next_level !== null) : undefined;

/**
 * The other players who have closed their page or opened it again, in words.
 * @param {State} before
 * @param {State} now
 * @param {TitleOf} titleOf
 */
function tellPresence(before, now, titleOf) {
  if (now.phase === "over") return [];
  return now.seats.flatMap(({here, taken}, seat) => {
    const was = before.seats[seat];
    if (isMine(now, seat) || here === was.here || !taken || !was.taken) return [];
    return [say(here ? "is_back" : "has_left", {name: nameOf(now, seat, titleOf)})];
  });
}

/**
 * The changes by others between two states, without the player's own actions: `said`, a list of sentences, and the name
 * of a `sound` or "". Null if there is nothing to tell, as after a comment.
 * @param {State | null} before
 * @param {State} now
 * @param {TitleOf} titleOf
 * @returns {{said: string[], sound: "" | "stone" | "attention" | "end"} | null}
 */
export function newsOf(before, now, titleOf) {
  if (!before) return {said: [], sound: ""};
  /** @param {State} state */
  const told = ({moves, phase, offer, paused, seats, you}) =>
    JSON.stringify([moves.length, phase, offer, paused, seats.map(seat => seat.taken), you.seats]);
  /** @param {State} state */
  const untold = ({comments, watching, seats}) => JSON.stringify([comments, watching, seats.map(seat => seat.here)]);
  const present = tellPresence(before, now, titleOf);
  if (!present.length && told(before) === told(now) && untold(before) !== untold(now)) return null;
  const said = [...present, ...tellChoices(before, now, titleOf)], more = now.moves.length - before.moves.length, last = now.moves.at(-1);
  const offered = !before.offer && now.offer && !isMine(now, now.offer.seat) ? now.offer.what : "";
  if (more > 0 && last && !isMine(now, last.seat)) {
    const cells = now.moves.slice(-more).map(({cell}) => cellName(cell, now.height));
    said.push(more > 1 ? say("placed", {cells: sayList(cells)}) : say("played", {colour: colourName(last.colour), cell: cells[0]}));
  }
  if (more < 0) said.push(say("taken_back"));
  if (now.slip && !before.slip) said.push(say(`slip_${now.slip.kind}`, {plies: now.slip.plies}));
  if (now.premove && !isSame(now.premove, before.premove)) said.push(say("premove_chosen", {cell: cellName(now.premove, now.height)}));
  if (before.premove && !now.premove && more <= 0 && now.phase !== "over") said.push(say("premove_gone"));
  if (offered) said.push(say(`offers_${offered}`));
  if (before.offer && !now.offer && isMine(now, before.offer.seat) && more === 0 && now.phase !== "over") said.push(say("declined"));
  const isEnd = before.phase !== "over" && now.phase === "over", next = isEnd ? levelNext(now) : null;
  if (next) said.push(say("level_next", {brain: titleOf(next.brain ?? next.name), level: next.next_level ?? 0}));
  const isCalled = offered || now.slip && !before.slip;
  return {said, sound: isEnd ? "end" : more > 0 ? "stone" : isCalled ? "attention" : ""};
}
