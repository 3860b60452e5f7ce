// What stands beside the board of a game: the players with their clocks, the result, what is asked, and the moves.

import {cellName} from "../board.js";
import {makeCopyField} from "../shared/clipboard.js";
import {byId, make, setText} from "../dom.js";
import {LEVELS} from "./home.js";
import {formatLink} from "../board/notation.js";
import {colourName, isMine, isNewest, isPerson, mine, moverSeat, nameOf, plyShown, seatOf, secondsLeft, table} from "./table.js";
import {formatClock, formatNumber, say} from "../shared/i18n.js";

let act, send, goTo, comment;  // what the buttons do, and the box of comments

export function preparePanel(actions) {
  ({act, send, goTo, comment} = actions);
}

export function showPlayers() {
  // One's own side is near, as at a table.
  const near = table.state.you.seats.length === 1 ? mine() : seatOf(0);
  for (const [id, seat] of [["player-far", 1 - near], ["player-near", near]]) {
    const colour = table.state.seats[seat].colour, isTurn = table.state.phase !== "over" && moverSeat() === seat;
    const words = [];
    if (isTurn && table.state.thinking) words.push(say("thinking"));
    else if (isTurn) words.push(say(table.state.phase === "choice" ? "to_choose" : "to_move"));
    const line = byId(id);
    line.dataset.seat = seat;
    line.classList.toggle("is-turn", isTurn);
    line.replaceChildren(make("i", {class: colour ? "stone-white" : "stone-black"}), make("b", {}, nameOf(seat)),
      make("span", {class: "soft colour"}, nameOf(seat) === colourName(colour) ? "" : colourName(colour)),
      make("span", {class: "turn"}, words.join(" ")), make("time", {}));
  }
  showClocks();
}

export function showClocks() {
  if (!table.state?.seats) return;
  for (const id of ["player-far", "player-near"]) {
    const seat = Number(byId(id).dataset.seat), face = byId(id).querySelector("time");
    if (!face) continue;
    const left = table.state.clock ? secondsLeft(seat) : null;
    face.hidden = left === null;
    if (left === null) continue;
    const text = formatClock(left);
    if (face.textContent !== text) setText(face, text);
    face.classList.toggle("is-short", left < 20);
  }
}

export function showResult() {
  const box = byId("result");
  box.hidden = table.state.phase !== "over";
  if (box.hidden) return;
  const buttons = [["study", "study_game"], ["new", "new_game"]];
  if (table.state.you.owner && table.state.moves.length) buttons.unshift(["review", "review_game"]);
  if (table.next) buttons.unshift(["join", table.state.you.seats.length ? "join_rematch" : "watch_rematch"]);
  else if (table.state.you.seats.length) buttons.unshift(["rematch", "rematch"]);
  const winner = table.state.winner === null ? -1 : seatOf(table.state.winner);
  let words = "";
  if (table.state.you.seats.length === 1 && winner >= 0) words = say(isMine(winner) ? "you_won" : "you_lost");
  box.replaceChildren(...words ? [make("h2", {}, words)] : [], make("p", {class: words ? "" : "big"}, table.state.reason),
    ...table.next && table.state.you.seats.length ? [make("p", {}, say("wants_rematch"))] : [],
    make("div", {class: "buttons"}, ...buttons.map(([what, key], index) => makeButton(what, key, index ? "" : "main"))));
}

function makeButton(what, key, kind = "") {
  const button = make("button", {type: "button", ...kind && {class: kind}}, say(key));
  button.addEventListener("click", () => act(what));
  return button;
}

export function showAsks() {
  const choice = byId("choice"), offer = byId("offer"), seat = byId("seat");
  choice.hidden = !(table.state.phase === "choice" && isMine(table.state.chooser));
  if (!choice.hidden) {
    const buttons = table.state.choice.map(what => {
      const button = make("button", {type: "button"}, say(`choose_${what}`));
      button.addEventListener("click", () => send("choose", {choice: what}));
      return button;
    });
    choice.replaceChildren(make("h2", {}, say("opening_choice")), make("p", {}, say(`choice_words_${table.state.choice.length}`)),
      make("div", {class: "buttons stack"}, ...buttons));
  }
  offer.hidden = !table.state.offer || !table.state.you.seats.length;
  if (!offer.hidden) {
    const isAsked = isMine(1 - table.state.offer.seat);
    const buttons = !isAsked ? [] : [["accept", true], ["refuse", false]].map(([key, accept]) => {
      const button = make("button", {type: "button", ...accept && {class: "main"}}, say(key));
      button.addEventListener("click", () => send("answer", {accept}));
      return button;
    });
    offer.replaceChildren(make("p", {}, say(isAsked ? `offers_${table.state.offer.what}` : `offered_${table.state.offer.what}`)),
      make("div", {class: "buttons"}, ...buttons));
  }
  // Also one that the owner has taken away from a browser, for a friend who cannot get in again.
  const isFree = table.state.seats.some((each, index) => each.kind === "friend" && (!each.taken || table.state.invited.includes(index)));
  seat.hidden = !(table.secret && isFree && table.state.you.seats.length === 0);
  if (!seat.hidden) {
    const button = make("button", {type: "button", class: "main"}, say("take_seat"));
    button.addEventListener("click", () => send("sit", {secret: table.secret}));
    seat.replaceChildren(make("h2", {}, say("seat_free")), make("p", {class: "soft"}, say("seat_words")), button);
  }
  showInvite(isFree);
  showInviteAgain();
  showLevels();
}

// The level of each of our brains, which the owner may change while the game goes on.
function showLevels() {
  const brains = table.state.phase === "over" || !table.state.you.owner ? []
    : table.state.seats.flatMap((seat, index) => seat.kind === "brain" && seat.level ? [{...seat, index}] : []);
  const key = JSON.stringify([table.state.game, brains, document.documentElement.lang]), box = byId("levels");
  box.hidden = !brains.length;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(...brains.map(({index, brain, level, colour}) => {
    const list = make("select", {}, ...Array.from({length: LEVELS}, (_, place) =>
      make("option", {value: place + 1, ...place + 1 === level && {selected: ""}}, say(`level_${place + 1}`))));
    list.addEventListener("change", () =>
      send("change", {seat: index, who: {kind: "brain", brain, level: Number(list.value), turn_ms: null, nodes: null}}));
    return make("label", {}, brains.length > 1 ? `${say("level")}, ${colourName(colour)}` : say("level"), " ", list);
  }));
}

// Where others reach this board. An owner may use the address that is this machine's alone, and then the server says which.
const isLocal = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
const originForOthers = () => isLocal() && table.state.links?.origin || location.origin;

// The links to the seats that nobody has taken; a server that was started again knows none, and makes new ones.
function showInvite(isFree) {
  const invite = byId("invite"), hasTwo = table.state.seats.every(seat => seat.kind === "friend");
  const free = Object.entries(table.links?.seats ?? {});
  invite.hidden = !isFree || !table.state.you.owner;
  byId("new-link").hidden = free.length > 0;
  const origin = originForOthers(), isForNobody = isLocal() && origin === location.origin;
  const key = `${free} ${origin} ${document.documentElement.lang}`;
  if (invite.hidden || invite.dataset.key === key) return;
  invite.dataset.key = key;
  setText(invite.querySelector("p"), say(hasTwo ? "invite_two" : "invite_words"));
  const rows = free.map(([seat, link]) => makeCopyField(
    hasTwo ? say("link_seat_of", {colour: colourName(table.state.seats[seat].colour)}) : say("link_seat"), origin + link));
  invite.querySelector(".links").replaceChildren(...rows,
    ...isForNobody ? [make("p", {class: "soft"}, say("invite_local"))] : []);
}

// A friend who has another browser now, or whose browser has forgotten the seat, gets a new link.
function showInviteAgain() {
  const {seats, phase, you, invited} = table.state, box = byId("invite-again");
  const taken = seats.flatMap((seat, index) => seat.kind === "friend" && seat.taken && !invited.includes(index) ? [{...seat, index}] : []);
  box.hidden = !you.owner || phase === "over" || !taken.length;
  if (box.hidden) box.open = false;
  box.querySelector(".buttons").replaceChildren(...taken.map(({index, colour}) => {
    const button = make("button", {type: "button"}, taken.length > 1 ? `${say("new_link")}, ${colourName(colour)}` : say("new_link"));
    button.addEventListener("click", () => send("invite", {seat: index}));
    return button;
  }));
}

export function showActions() {
  const {phase, paused} = table.state, hasSeat = table.state.you.seats.length > 0;
  const names = [];
  if (hasSeat && phase !== "over") {
    const isTwo = table.state.you.seats.length === 2, isAgainstBrain = !isTwo && !isPerson(1 - mine());
    names.push(["undo", "undo"]);
    // Against a friend with clocks the server gives no hint and no pause.
    const isMatch = table.state.clock && table.state.seats.some(seat => seat.kind === "friend");
    if (table.state.you.owner && !isMatch) names.push(["hint", "hint"]);
    if (!isAgainstBrain) names.push(["draw", isTwo ? "agree_draw" : "offer_draw"]);
    names.push(["resign", "resign"]);
    if (paused || (table.state.clock && !isMatch)) names.push(paused ? ["resume", "resume"] : ["pause", "pause"]);
    if (table.state.thinking && isAgainstBrain) names.push(["move_now", "move_now"]);
  } else if (table.state.you.owner && phase !== "over" && table.state.seats.every(seat => seat.kind === "brain")) {
    names.push(paused ? ["resume", "resume"] : ["pause", "pause"], ["end", "end_game"]);
  }
  const focused = document.activeElement?.dataset?.action;
  byId("actions").hidden = table.isSure || !names.length;
  byId("sure").hidden = !table.isSure;
  byId("actions").replaceChildren(...names.map(([what, key]) => {
    const button = makeButton(what, key);
    button.dataset.action = what;
    if (what === "undo") button.disabled = table.state.moves.length === 0;
    return button;
  }));
  if (focused) byId("actions").querySelector(`[data-action="${focused}"]`)?.focus();
  const facts = [`${say(`rule_${table.state.rule}`)}, ${table.state.width} × ${table.state.height}`];
  if (table.state.opening !== "free") facts.push(say(`opening_${table.state.opening}`));
  if (!hasSeat) facts.push(say("you_watch"));
  setText(byId("facts"), facts.join(" · "));
}

export function showMoves() {
  const count = plyShown(), {comments} = table.state;
  table.isCommentMoved = comment.show(comments, count, table.state.you.owner || table.state.you.seats.length > 0, table.state.moves.length);
  const list = byId("moves"), hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...table.state.moves.map(({cell, ms}, index) => {
    const chosen = index + 1 === count && {"aria-current": "true"};
    const said = comments.find(each => each.ply === index + 1)?.text;
    const name = cellName(cell, table.state.height);
    const button = make("button", {type: "button", ...chosen, ...said && {title: said}}, said ? `${name} *` : name);
    button.addEventListener("click", () => goTo(index + 1));
    // A set-up stone took no time.
    const took = ms ? [" ", make("span", {class: "soft"}, say("took", {seconds: formatNumber(ms / 1000, 1)}))] : [];
    return make("li", {}, button, ...took);
  }));
  const chosen = list.querySelector("[aria-current]");
  if (hadFocus) chosen?.focus();
  if (chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - list.clientHeight / 2;
  byId("first").disabled = byId("back").disabled = count === 0;
  byId("last").disabled = byId("forward").disabled = isNewest();
  byId("move-form").hidden = !table.state.you.seats.length || table.state.phase === "over";
}

export function showShare() {
  const cells = table.state.moves.map(move => move.cell);
  const rows = [makeCopyField(say("link_watch"), `${originForOthers()}/g/${table.state.game}`),
    makeCopyField(say("link_position"), `${location.origin}/${formatLink(table.state, cells, cells.length)}`)];
  const key = `${table.state.game} ${cells.length} ${document.documentElement.lang}`;
  if (byId("share").dataset.key === key) return;
  byId("share").dataset.key = key;
  byId("share").replaceChildren(...rows);
}
