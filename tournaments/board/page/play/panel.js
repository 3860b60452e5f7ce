// The panel beside the board of a game: the players with their clocks, the result, questions, and the moves.

import {actionsOf, isBarred} from "./actions.js";
import {cellName} from "../board.js";
import {makeCopyField} from "../shared/clipboard.js";
import {byId, find, make, setText} from "../dom.js";
import {titleOf} from "./home.js";
import {nameOfLevel} from "./kinds.js";
import {countLessons} from "./lesson.js";
import {showOpening} from "./opening.js";
import {offerReplay} from "./replay.js";
import {LEVELS} from "./settings.js";
import {formatLink} from "../board/notation.js";
import {ownName, setPreference} from "../shared/preferences.js";
import {hasIcon, makeIcon} from "../shared/icons.js";
import {bringIntoView} from "../shared/tabs.js";
import {
  describeSeries, invitationWords, isShow, isMine, isNewest, mine, moverSeat, nameOf, plyShown, seatOf, secondsLeft,
} from "./table.js";
import {colourName, formatClock, formatNumber, say, sayFacts} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").State} State
 * @typedef {import("./table.js").Table} Table
 *
 * @typedef {object} Actions the actions of the buttons
 * @property {(what: string) => void} act
 * @property {(type: string, more?: Record<string, unknown>) => void} send
 * @property {(ply: number) => void} goTo
 */

const SIDES = ["player-far", "player-near"];
const SHORT = 10;     // seconds: a clock that has fewer warns
const LONG = 10_000;  // milliseconds: the time of a move is seen in the list if it is longer

/**
 * A button that calls `act`.
 * @param {string} key of its word
 * @param {() => void} act
 * @param {string} [kind] its class
 */
function makeButton(key, act, kind = "") {
  const button = make("button", kind ? {type: "button", class: kind} : {type: "button"}, say(key));
  button.addEventListener("click", act);
  return button;
}

/**
 * @param {Table} table
 * @param {State} state
 */
export function showPlayers(table, state) {
  // The player's own side is near, as at a table.
  const near = state.you.seats.length === 1 ? mine(state) : seatOf(state, 0);
  [1 - near, near].forEach((seat, index) => {
    const {colour} = state.seats[seat], isTurn = moverSeat(state) === seat, line = byId(SIDES[index]);
    const name = nameOf(state, seat, titleOf), side = colourName(colour);
    const isAway = !state.seats[seat].here && state.seats[seat].taken && state.phase !== "over" && !isMine(state, seat);
    const words = isAway ? say("is_away") : !isTurn ? ""
      : state.slip ? say("slip_waiting") : state.thinking ? say("thinking") : say(state.phase === "choice" ? "to_choose" : "to_move");
    line.dataset.seat = String(seat);
    line.classList.toggle("is-turn", isTurn);
    // While a brain waits, its line says what its level is like.
    const {level} = state.seats[seat], like = !words && level && state.phase !== "over" ? say(`level_is_${level}`) : "";
    line.replaceChildren(make("i", {class: colour ? "stone-white" : "stone-black"}), make("b", {}, name),
      make("span", {class: "words"}, ...name === side ? [] : [make("span", {class: "colour"}, side), words || like ? " · " : ""], like,
        make("span", {class: "turn"}, words)), make("time", {}));
  });
  showClocks(table, state);
}

/**
 * @param {Table} table
 * @param {State} state
 */
export function showClocks(table, state) {
  for (const id of SIDES) {
    const seat = Number(byId(id).dataset.seat), face = byId(id).querySelector("time");
    if (!face) continue;
    const left = secondsLeft(table, state, seat, performance.now());
    face.hidden = left === null;
    if (left === null) continue;
    const text = formatClock(left);
    if (face.textContent !== text) setText(face, text);
    face.classList.toggle("is-short", left < SHORT);
  }
}

/**
 * @param {Table} table
 * @param {State} state
 * @param {Actions} actions
 */
export function showResult(table, state, {act}) {
  const box = byId("result"), {you} = state, hasSeat = you.seats.length > 0;
  box.hidden = state.phase !== "over";
  if (box.hidden) return;
  const buttons = [["study", "study_game"], ["new", "new_game"]];
  if (you.owner && state.moves.length) buttons.unshift(["review", "review_game"]);
  if (table.next) buttons.unshift(["join", hasSeat ? "join_rematch" : "watch_rematch"]);
  else if (hasSeat || you.owner && isShow(state)) buttons.unshift(["rematch", "rematch"]);
  const winner = state.winner === null ? -1 : seatOf(state, state.winner);
  const words = you.seats.length === 1 && winner >= 0 ? say(isMine(state, winner) ? "you_won" : "you_lost") : "";
  box.replaceChildren(make("h2", {}, words || state.reason), ...words ? [make("p", {}, state.reason)] : [],
    ...table.next && hasSeat ? [make("p", {}, say("rematch_begun"))] : [],
    ...[describeSeries(state, titleOf), countLessons(state)].flatMap(text => text ? [make("p", {class: "soft"}, text)] : []),
    make("div", {class: "buttons"}, ...buttons.map(([what, key], index) => makeButton(key, () => act(what), index ? "" : "main"))));
}

/**
 * @param {Table} table
 * @param {State} state
 * @param {Actions} actions
 */
export function showAsks(table, state, {send}) {
  const {offer, you} = state, hasSeat = you.seats.length > 0;
  showOpening(table, state, send);
  byId("offer").hidden = !offer || !hasSeat;
  if (offer && hasSeat) {
    const isAsked = isMine(state, 1 - offer.seat);
    const buttons = !isAsked ? [] : [makeButton("accept", () => send("answer", {accept: true, what: offer.what}), "main"),
      makeButton("refuse", () => send("answer", {accept: false, what: offer.what}))];
    byId("offer").replaceChildren(make("p", {}, say(isAsked ? `offers_${offer.what}` : `offered_${offer.what}`)),
      make("div", {class: "buttons"}, ...buttons));
  }
  // This is also a seat that the owner has taken away from a browser, for a friend who cannot get in again.
  const isFree = state.seats.some((each, index) => each.kind === "friend" && (!each.taken || state.invited.includes(index)));
  showSeat(table, state, send);
  showInvite(table, state, isFree);
  showInviteAgain(state, send);
  showLevels(state, send);
}

/**
 * The seat that the link of the page offers, with the player's name; or that the link offers none any more.
 * @param {Table} table
 * @param {State} state
 * @param {Actions["send"]} send
 */
function showSeat(table, state, send) {
  const box = byId("seat"), invited = invitationWords(table, state), key = `${invited} ${state.game} ${document.documentElement.lang}`;
  box.hidden = !invited;
  if (box.dataset.key === key) return;  // the player may be writing there
  box.dataset.key = key;
  if (invited !== "seat_free") return box.replaceChildren(make("p", {}, invited ? say(invited) : ""));
  const name = make("input", {maxlength: 60, autocomplete: "nickname", value: ownName()});
  const take = makeButton("take_seat", () => {
    setPreference("name", name.value);
    send("sit", {secret: table.secret, name: name.value});
  }, "main");
  box.replaceChildren(make("h2", {}, say("seat_free")), make("p", {class: "soft"}, say("seat_words")),
    make("p", {}, make("label", {}, `${say("your_name")} `, name)), take);
}

/**
 * The level of each of our brains, which the owner may change while the game goes on.
 * @param {State} state
 * @param {Actions["send"]} send
 */
function showLevels(state, send) {
  const brains = state.phase === "over" || !state.you.owner ? []
    : state.seats.flatMap((seat, index) => seat.kind === "brain" && seat.level ? [{...seat, index}] : []);
  const key = JSON.stringify([state.game, brains, document.documentElement.lang]), box = byId("levels");
  box.hidden = !brains.length;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(...brains.map(({index, brain, level, colour, follows}) => {
    const list = make("select", {}, ...Array.from({length: LEVELS}, (_, place) =>
      make("option", {value: place + 1, ...place + 1 === level ? {selected: ""} : {}},
        say("level_option", {level: place + 1, name: nameOfLevel(place + 1)}))));
    list.addEventListener("change", () =>
      send("change", {seat: index, who: {kind: "brain", brain, level: Number(list.value), turn_ms: null, nodes: null, follows}}));
    return make("label", {}, brains.length > 1 ? sayFacts(say("level"), colourName(colour)) : say("level"), " ", list);
  }));
}

const isLocal = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/**
 * This board's address for others. If the owner uses an address that only this machine has, the server tells another.
 * @param {State} state
 */
const originForOthers = ({links}) => isLocal() && links?.origin || location.origin;

/**
 * The links to the free seats; a server that was started again does not know them, and makes new ones.
 * @param {Table} table
 * @param {State} state
 * @param {boolean} isFree
 */
function showInvite(table, state, isFree) {
  const invite = byId("invite"), hasTwo = state.seats.every(seat => seat.kind === "friend");
  const free = Object.entries(table.links?.seats ?? {});
  invite.hidden = !isFree || !state.you.owner;
  byId("new-link").hidden = free.length > 0;
  const origin = originForOthers(state), isForNobody = isLocal() && origin === location.origin;
  const key = `${free} ${origin} ${document.documentElement.lang}`;
  if (invite.hidden || invite.dataset.key === key) return;
  invite.dataset.key = key;
  setText(find(invite, "p"), say(!free.length ? "invite_sent" : hasTwo ? "invite_two" : "invite_words"));
  const rows = free.map(([seat, link]) => makeCopyField(
    hasTwo ? say("link_seat_of", {colour: colourName(state.seats[Number(seat)].colour)}) : say("link_seat"), origin + link));
  find(invite, ".links").replaceChildren(...rows, ...isForNobody && free.length ? [make("p", {class: "soft"}, say("invite_local"))] : []);
}

/**
 * A friend who has another browser now, or whose browser has forgotten the seat, gets a new link.
 * @param {State} state
 * @param {Actions["send"]} send
 */
function showInviteAgain({seats, phase, you, invited}, send) {
  const box = byId("invite-again", HTMLDetailsElement);
  const taken = seats.flatMap((seat, index) => seat.kind === "friend" && seat.taken && !invited.includes(index) ? [{...seat, index}] : []);
  box.hidden = !you.owner || phase === "over" || !taken.length;
  if (box.hidden) box.open = false;
  find(box, ".buttons").replaceChildren(...taken.map(({index, colour}) => {
    const button = makeButton("new_link", () => send("invite", {seat: index}));
    if (taken.length > 1) setText(button, sayFacts(say("new_link"), colourName(colour)));
    return button;
  }));
}

/**
 * @param {Table} table
 * @param {State} state
 * @param {Actions} actions
 */
export function showActions(table, state, {act}) {
  const names = actionsOf(state), holder = byId("actions"), active = document.activeElement;
  const focused = active instanceof HTMLElement ? active.dataset.action : undefined;
  holder.hidden = table.isSure || !names.length;
  byId("sure").hidden = !table.isSure;
  holder.replaceChildren(...names.map(([what, key]) => {
    const button = makeButton(key, () => act(what));
    button.dataset.action = what;
    if (hasIcon(what)) button.prepend(makeIcon(what));
    button.disabled = isBarred(state, what);
    return button;
  }));
  if (focused) focusAction(focused);
  const facts = [sayFacts(say(`rule_${state.rule}`), `${state.width} × ${state.height}`)];
  if (state.opening !== "free") facts.push(say(`opening_${state.opening}`));
  if (!state.you.seats.length) facts.push(say("you_watch"));
  if (state.series && state.phase !== "over") facts.push(describeSeries(state, titleOf));
  if (state.watching) facts.push(say("watchers", {count: state.watching}));
  setText(byId("facts"), facts.join(" · "));
  setText(byId("where"), facts.join(" · "));
}

/**
 * Gives the focus to the button of an action or, if that cannot be clicked now, to the first one that can.
 * @param {string} what
 */
export function focusAction(what) {
  const holder = byId("actions"), button = holder.querySelector(`[data-action="${what}"]`);
  const found = button instanceof HTMLButtonElement && button.disabled ? holder.querySelector("button:enabled") : button;
  if (found instanceof HTMLElement) found.focus();
}

/**
 * @param {Table} table
 * @param {State} state
 * @param {Actions} actions
 */
export function showMoves(table, state, {goTo}) {
  const count = plyShown(table, state), list = byId("moves"), hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...state.moves.map(({cell, ms}, index) => {
    const said = state.comments.find(each => each.ply === index + 1)?.text, name = cellName(cell, state.height);
    const button = make("button", {
      type: "button", ...index + 1 === count ? {"aria-current": "true"} : {}, ...said ? {title: said} : {},
    }, said ? `${name} *` : name);
    button.addEventListener("click", () => goTo(index + 1));
    // A set-up stone took no time.
    if (ms) button.append(" ", make("span", {class: ms >= LONG ? "took is-long" : "took"}, say("took", {seconds: formatNumber(ms / 1000, 1)})));
    return make("li", {}, button);
  }));
  const chosen = list.querySelector("[aria-current]");
  if (chosen instanceof HTMLElement) {
    if (hadFocus) chosen.focus();
    bringIntoView(chosen);
  }
  for (const id of ["first", "back"]) byId(id, HTMLButtonElement).disabled = count === 0;
  for (const id of ["last", "forward"]) byId(id, HTMLButtonElement).disabled = isNewest(table, state);
  offerReplay(state);
  byId("move-form").hidden = !state.you.seats.length || state.phase === "over";
}

/** @param {State} state */
export function showShare(state) {
  const cells = state.moves.map(move => move.cell), box = byId("share");
  const key = `${state.game} ${cells.length} ${document.documentElement.lang}`;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(makeCopyField(say("link_watch"), `${originForOthers(state)}/g/${state.game}`),
    makeCopyField(say("link_position"), `${location.origin}/${formatLink(state, cells, cells.length)}`));
}
