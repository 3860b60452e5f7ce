// A game at the board: what the server says of it, drawn; what the player asks for, sent.

import {cellName, fivesThrough} from "../board.js";
import {makeCopyField} from "../shared/clipboard.js";
import {CommentBox} from "./comment.js";
import {server} from "../net/connection.js";
import {byId, make, setIcon, setText} from "../dom.js";
import {LEVELS, titleOf} from "./front.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {formatLink, parseCell} from "../board/notation.js";
import {saveFile} from "../board/picture.js";
import {preference, setPreference} from "../shared/preferences.js";
import {playSound} from "../shared/sound.js";
import {announce} from "../shared/status.js";
import {formatClock, formatNumber, say, sayClock} from "../shared/words.js";

let state = null;        // what the server said last
let received = 0;        // when, by performance.now()
let shownPly = null;     // an earlier position that is looked at, null for the newest
let hint = null;         // the cell of a hint, as long as the position stands
let links = null;        // the links of a game that this player made
let secret = "";         // of the seat that the link offers
let next = null;         // the id of the rematch, where there is one
let isSure = false;      // true while a resignation is asked about once more
let grid = null;
let comment = null;
let isCommentMoved = false;  // what somebody writes went to another position, see comment.js
let open = () => {};     // leads to another game
let study = () => {};    // takes the game to the study

const colourName = colour => say(colour ? "white" : "black");
const seatOf = colour => state.seats.findIndex(seat => seat.colour === colour);
const isMine = seat => state.you.seats.includes(seat);
const isPerson = seat => state.seats[seat].kind !== "brain";
// One of two people at the same screen plays both sides and has nobody to ask.
const mine = () => state.you.seats[0];
const moverSeat = () => state.phase === "over" ? null : state.chooser ?? state.mover ?? seatOf(state.to_move);
const plyShown = () => Math.min(shownPly ?? Infinity, state.moves.length);
const isNewest = () => plyShown() === state.moves.length;

function nameOf(seat) {
  const {kind, name, brain, level, nodes, turn_ms: turn} = state.seats[seat];
  if (kind === "brain") {
    const title = titleOf(brain ?? name);
    if (level) return say("brain_level", {brain: title, level});
    if (nodes) return say("brain_strength", {brain: title, strength: say("at_nodes", {nodes: formatNumber(nodes)})});
    return turn ? say("brain_strength", {brain: title, strength: say("at_time", {seconds: turn / 1000})}) : title;
  }
  if (name) return name;
  if (state.you.seats.length === 2) return colourName(state.seats[seat].colour);
  if (isMine(seat)) return say("you");
  return say(state.seats[seat].taken ? "friend" : "friend_awaited");
}

export function preparePlay(openGame, openStudy) {
  open = openGame;
  study = openStudy;
  grid = new Grid(byId("board"), {play, undo: () => act("undo"), step: by => step(by), command, pending: cell =>
    announce(say("tap_again", {cell: cellName(cell, state.height)}))});
  for (const name of ["first", "back", "forward", "last"]) setIcon(byId(name), name);
  byId("first").addEventListener("click", () => goTo(0));
  byId("back").addEventListener("click", () => step(-1));
  byId("forward").addEventListener("click", () => step(1));
  byId("last").addEventListener("click", () => goTo(Infinity));
  byId("turn").addEventListener("click", () => grid.turn(false));
  byId("numbers").checked = preference("numbers", false);
  byId("numbers").addEventListener("change", () => {
    setPreference("numbers", byId("numbers").checked);
    drawBoard();
  });
  byId("move-form").addEventListener("submit", event => {
    event.preventDefault();
    const cell = parseCell(byId("move-box").value, state.width, state.height);
    if (!cell) return announce(say("no_such_cell", {text: byId("move-box").value}));
    byId("move-box").value = "";
    play(cell);
  });
  comment = new CommentBox((ply, text) => state && send("comment", {ply, text}));
  byId("resign-yes").addEventListener("click", () => {
    isSure = false;
    send("resign");
  });
  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => save(button.dataset.save));
  }
  byId("new-link").addEventListener("click", () => send("invite"));
  byId("resign-no").addEventListener("click", () => {
    isSure = false;
    showActions();
    byId("actions").querySelector("[data-action=resign]")?.focus();
  });
  server.on("state", receive);
  server.on("hint", showHint);
  server.on("rematch", message => {
    if (state?.game !== message.game) return;
    next = message.next;
    showResult();
    announce(say("wants_rematch"));
  });
  setInterval(showClocks, 250);
}

// The secret in the link to a seat, "" without one.
const secretOf = from => from?.seat?.split("#")[1] ?? "";

// Watches a game; `offered` is the secret of a seat that the link offers, `made` the links of a game just made;
// `takes` is true where the player has said already that the seat is wanted.
export function openGame(id, offered, made, takes) {
  state = null;
  shownPly = hint = next = null;
  isSure = false;
  links = made ?? null;
  secret = offered;
  showParts("");
  watch(id);
  if (takes) server.send({type: "sit", game: id, secret});
}

// Also after a lost connection.
export function watch(id) {
  server.ask({type: "watch", game: id, after: 0}).catch(error => {
    if (!error.message) return;  // the connection is lost, and comes back
    if (!state) showParts(error.message);
    announce(error.message);
  });
}

// Nothing is shown of a game before the server has said what it is, and of one that there is not why.
function showParts(fault) {
  for (const name of [".board-column", ".panel"]) byId("game").querySelector(name).hidden = !state;
  byId("missing").hidden = !fault;
  setText(byId("missing").querySelector("p"), fault);
}

export function closeGame() {
  comment.leave();
  if (state) server.send({type: "leave", game: state.game});
  state = null;
  document.title = "Tengen";
}

function send(type, more = {}) {
  if (!state) return;
  server.ask({type, game: state.game, ...more}).then(answer => {
    if (answer.type !== "created") return;
    // The links of the owner lead to the friend's seat, those of a friend to the own one.
    if (state.you.owner) open(answer.game, {links: answer.links});
    else open(answer.game, {secret: secretOf(answer.links)});
  }, error => announce(error.message || say("no_connection")));
}

// The game as a file.
function save(format) {
  server.ask({type: "export", game: state.game, format}).then(({text, name}) => saveFile(text, `tengen-${name}`, "text/plain"),
    error => announce(error.message || say("no_connection")));
}

function play(cell) {
  if (!isNewest()) return announce(say("earlier_position"));
  if (state.phase === "over") return announce(state.reason);
  const seat = moverSeat();
  if (!isMine(seat)) return announce(say(state.you.seats.length ? "not_your_turn" : "you_watch"));
  if (state.phase === "choice") return announce(say("choose_first"));
  send("play", {ply: state.moves.length, cell});
}

// What the buttons and the keys ask for.
function act(what) {
  if (what === "resign") {
    isSure = true;
    showActions();
    byId("resign-no").focus();
  } else if (what === "study") {
    study(state);
  } else if (what === "review") {
    study(state, true);
  } else if (what === "new") {
    open(null);
  } else if (what === "join") {
    // Who sat in this game has a seat in that one, and the server knows which.
    if (state.you.seats.length) send("rematch");
    else open(next);
  } else {
    send(what);
  }
}

function step(by) {
  goTo(plyShown() + by);
}

function goTo(ply) {
  if (!state) return;
  const count = Math.max(0, Math.min(state.moves.length, ply));
  shownPly = count === state.moves.length ? null : count;
  drawBoard();
  showMoves();
}

// A key of the page's table; false where it means nothing here.
export function onAction(action) {
  if (!state) return false;
  const actions = {
    back: () => step(-1), forward: () => step(1), first: () => goTo(0), last: () => goTo(Infinity),
    previous_variation: () => goTo(0), next_variation: () => goTo(Infinity), undo: () => act("undo"),
    turn: () => grid.turn(false), mirror: () => grid.turn(true),
  };
  if (!(action in actions)) return false;
  actions[action]();
}

// A key of the board itself.
function command(key, button) {
  if (!hasLetters()) return false;
  const last = state.moves[plyShown() - 1];
  const commands = {
    l: () => announce(!last ? say("no_move") : say(`cell_${last.colour ? "white" : "black"}_move`,
      {cell: cellName(last.cell, state.height), number: plyShown()})),
    o: () => announce(button.getAttribute("aria-label")),
    t: () => announce(state.clock ? state.seats.map((seat, index) =>
      `${colourName(seat.colour)}: ${sayClock(secondsLeft(index) ?? 0)}`).join(", ") : say("no_clock")),
    c: () => announce(state.phase === "over" ? state.reason : describeTurn()),
    g: () => act("hint"),
    i: () => byId("move-box").focus(),
  };
  if (!(key in commands)) return false;
  commands[key]();
  return true;
}

function describeTurn() {
  if (state.phase === "over") return state.reason;
  const seat = moverSeat(), colour = colourName(state.to_move);
  if (state.seats.some(each => !each.taken)) {
    return say(state.you.owner ? "waiting_for_friend" : secret && !state.you.seats.length ? "seat_free" : "waiting_for_player");
  }
  if (state.paused) return say("is_paused");
  if (state.phase === "choice") return say(isMine(seat) ? "your_choice" : "their_choice");
  if (state.you.seats.length === 2) return say("turn_of", {colour});
  return isMine(seat) ? say("your_turn", {colour}) : say("their_turn", {name: nameOf(seat)});
}

function receive(message) {
  if (state && state.game !== message.game) return;
  const before = state;
  state = message;
  received = performance.now();
  const told = each => JSON.stringify([each.moves.length, each.phase, each.offer, each.paused]);
  const isComment = before && told(before) === told(state) && JSON.stringify(before.comments) !== JSON.stringify(state.comments);
  if (message.links) links = message.links;
  if (!before || before.moves.length !== state.moves.length) hint = null;
  if (state.phase === "over") isSure = false;
  next = state.next;
  showParts("");
  showAll();
  if (!isComment) tellNews(before);
}

// Says what others did, never what the player has just done alone.
function tellNews(before) {
  const last = state.moves.at(-1), said = [];
  if (before && state.moves.length > before.moves.length) {
    const mover = seatOf(last.colour);
    if (!isMine(mover)) said.push(say("played", {colour: colourName(last.colour), cell: cellName(last.cell, state.height)}));
  } else if (before && state.moves.length < before.moves.length) {
    said.push(say("taken_back"));
    if (isCommentMoved) said.push(say("comment_moved"));
  }
  if (before && before.phase !== "over" && state.phase === "over") playSound("end");
  else if (before && state.moves.length > before.moves.length) playSound("stone");
  else if (before && !before.offer && state.offer && !isMine(state.offer.seat)) playSound("attention");
  if (before && !before.offer && state.offer && !isMine(state.offer.seat)) said.push(say(`offers_${state.offer.what}`));
  if (before?.offer && !state.offer && isMine(before.offer.seat) && state.moves.length === before.moves.length
      && state.phase !== "over") said.push(say("declined"));
  said.push(describeTurn());
  announce(said.join(" "));
}

function showAll() {
  drawBoard();
  showPlayers();
  showResult();
  showAsks();
  showActions();
  showMoves();
  showShare();
  document.title = `${describeTurn()} Tengen`;
}

function drawBoard() {
  if (!state) return;
  const {width, height} = state, count = plyShown();
  const stones = state.moves.slice(0, count).map(({cell, colour}, index) => ({cell, colour, number: index + 1}));
  const rows = isNewest() && state.win.length ? fivesThrough({width, height}, stones, stones.at(-1).cell) : [];
  const canPlay = isNewest() && !state.paused && ["opening", "play"].includes(state.phase) && isMine(moverSeat());
  grid.show({
    width, height, stones, rows, hasNumbers: byId("numbers").checked, next: canPlay ? state.to_move : null,
    forbidden: isNewest() ? Object.fromEntries(state.forbidden.map(({cell, foul}) => [String(cell), foul])) : {},
    candidates: hint && isNewest() ? [{cell: hint, kind: "best", text: "!"}] : [],
  });
}

function showHint(message) {
  if (message.game !== state?.game) return;
  hint = message.cell;
  drawBoard();
  announce(say("hint_at", {cell: cellName(message.cell, state.height)}));
}

function secondsLeft(seat) {
  const {left, running} = state.clock;
  if (left[seat] === null || left[seat] === undefined) return null;
  return running === seat && !state.paused ? left[seat] - (performance.now() - received) / 1000 : left[seat];
}

function showPlayers() {
  // One's own side is near, as at a table.
  const near = state.you.seats.length === 1 ? mine() : seatOf(0);
  for (const [id, seat] of [["player-far", 1 - near], ["player-near", near]]) {
    const colour = state.seats[seat].colour, isTurn = state.phase !== "over" && moverSeat() === seat;
    const words = [];
    if (isTurn && state.thinking) words.push(say("thinking"));
    else if (isTurn) words.push(say(state.phase === "choice" ? "to_choose" : "to_move"));
    const line = byId(id);
    line.dataset.seat = seat;
    line.classList.toggle("is-turn", isTurn);
    line.replaceChildren(make("i", {class: colour ? "stone-white" : "stone-black"}), make("b", {}, nameOf(seat)),
      make("span", {class: "soft colour"}, nameOf(seat) === colourName(colour) ? "" : colourName(colour)),
      make("span", {class: "turn"}, words.join(" ")), make("time", {}));
  }
  showClocks();
}

function showClocks() {
  if (!state?.seats) return;
  for (const id of ["player-far", "player-near"]) {
    const seat = Number(byId(id).dataset.seat), face = byId(id).querySelector("time");
    if (!face) continue;
    const left = state.clock ? secondsLeft(seat) : null;
    face.hidden = left === null;
    if (left === null) continue;
    const text = formatClock(left);
    if (face.textContent !== text) setText(face, text);
    face.classList.toggle("is-short", left < 20);
  }
}

function showResult() {
  const box = byId("result");
  box.hidden = state.phase !== "over";
  if (box.hidden) return;
  const buttons = [["study", "study_game"], ["new", "new_game"]];
  if (state.you.owner && state.moves.length) buttons.unshift(["review", "review_game"]);
  if (next) buttons.unshift(["join", state.you.seats.length ? "join_rematch" : "watch_rematch"]);
  else if (state.you.seats.length) buttons.unshift(["rematch", "rematch"]);
  const winner = state.winner === null ? -1 : seatOf(state.winner);
  let words = "";
  if (state.you.seats.length === 1 && winner >= 0) words = say(isMine(winner) ? "you_won" : "you_lost");
  box.replaceChildren(...words ? [make("h2", {}, words)] : [], make("p", {class: words ? "" : "big"}, state.reason),
    ...next && state.you.seats.length ? [make("p", {}, say("wants_rematch"))] : [],
    make("div", {class: "buttons"}, ...buttons.map(([what, key], index) => makeButton(what, key, index ? "" : "main"))));
}

function makeButton(what, key, kind = "") {
  const button = make("button", {type: "button", ...kind && {class: kind}}, say(key));
  button.addEventListener("click", () => act(what));
  return button;
}

function showAsks() {
  const choice = byId("choice"), offer = byId("offer"), seat = byId("seat");
  choice.hidden = !(state.phase === "choice" && isMine(state.chooser));
  if (!choice.hidden) {
    const buttons = state.choice.map(what => {
      const button = make("button", {type: "button"}, say(`choose_${what}`));
      button.addEventListener("click", () => send("choose", {choice: what}));
      return button;
    });
    choice.replaceChildren(make("h2", {}, say("opening_choice")), make("p", {}, say(`choice_words_${state.choice.length}`)),
      make("div", {class: "buttons stack"}, ...buttons));
  }
  offer.hidden = !state.offer || !state.you.seats.length;
  if (!offer.hidden) {
    const isAsked = isMine(1 - state.offer.seat);
    const buttons = !isAsked ? [] : [["accept", true], ["refuse", false]].map(([key, accept]) => {
      const button = make("button", {type: "button", ...accept && {class: "main"}}, say(key));
      button.addEventListener("click", () => send("answer", {accept}));
      return button;
    });
    offer.replaceChildren(make("p", {}, say(isAsked ? `offers_${state.offer.what}` : `offered_${state.offer.what}`)),
      make("div", {class: "buttons"}, ...buttons));
  }
  const isFree = state.seats.some(each => each.kind === "friend" && !each.taken);
  seat.hidden = !(secret && isFree && state.you.seats.length === 0);
  if (!seat.hidden) {
    const button = make("button", {type: "button", class: "main"}, say("take_seat"));
    button.addEventListener("click", () => send("sit", {secret}));
    seat.replaceChildren(make("h2", {}, say("seat_free")), make("p", {class: "soft"}, say("seat_words")), button);
  }
  showInvite(isFree);
  showLevels();
}

// The level of each of our brains, which the owner may change while the game goes on.
function showLevels() {
  const brains = state.phase === "over" || !state.you.owner ? []
    : state.seats.flatMap((seat, index) => seat.kind === "brain" && seat.level ? [{...seat, index}] : []);
  const key = JSON.stringify([state.game, brains, document.documentElement.lang]), box = byId("levels");
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

// The links to the seats that nobody has taken; a server that was started again knows none, and makes new ones.
function showInvite(isFree) {
  const invite = byId("invite"), hasTwo = state.seats.every(seat => seat.kind === "friend");
  const free = Object.entries(links?.seats ?? {});
  invite.hidden = !isFree || !state.you.owner;
  byId("new-link").hidden = free.length > 0;
  const key = `${free} ${document.documentElement.lang}`;
  if (invite.hidden || invite.dataset.key === key) return;
  invite.dataset.key = key;
  setText(invite.querySelector("p"), say(hasTwo ? "invite_two" : "invite_words"));
  invite.querySelector(".links").replaceChildren(...free.map(([seat, link]) => makeCopyField(
    hasTwo ? say("link_seat_of", {colour: colourName(state.seats[seat].colour)}) : say("link_seat"), location.origin + link)));
}

function showActions() {
  const {phase, paused} = state, hasSeat = state.you.seats.length > 0;
  const names = [];
  if (hasSeat && phase !== "over") {
    const isTwo = state.you.seats.length === 2, isAgainstBrain = !isTwo && !isPerson(1 - mine());
    names.push(["undo", "undo"]);
    if (state.you.owner) names.push(["hint", "hint"]);
    if (!isAgainstBrain) names.push(["draw", isTwo ? "agree_draw" : "offer_draw"]);
    names.push(["resign", "resign"]);
    const stopsFriend = state.clock && state.seats.some(seat => seat.kind === "friend");
    if (paused || (state.clock && !stopsFriend)) names.push(paused ? ["resume", "resume"] : ["pause", "pause"]);
    if (state.thinking && isAgainstBrain) names.push(["move_now", "move_now"]);
  }
  const focused = document.activeElement?.dataset?.action;
  byId("actions").hidden = isSure || !names.length;
  byId("sure").hidden = !isSure;
  byId("actions").replaceChildren(...names.map(([what, key]) => {
    const button = makeButton(what, key);
    button.dataset.action = what;
    if (what === "undo") button.disabled = state.moves.length === 0;
    return button;
  }));
  if (focused) byId("actions").querySelector(`[data-action="${focused}"]`)?.focus();
  const facts = [`${say(`rule_${state.rule}`)}, ${state.width} × ${state.height}`];
  if (state.opening !== "free") facts.push(say(`opening_${state.opening}`));
  if (!hasSeat) facts.push(say("you_watch"));
  setText(byId("facts"), facts.join(" · "));
}

function showMoves() {
  const count = plyShown(), {comments} = state;
  isCommentMoved = comment.show(comments, count, state.you.owner || state.you.seats.length > 0, state.moves.length);
  const list = byId("moves"), hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...state.moves.map(({cell, ms}, index) => {
    const chosen = index + 1 === count && {"aria-current": "true"};
    const said = comments.find(each => each.ply === index + 1)?.text;
    const name = cellName(cell, state.height);
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
  byId("move-form").hidden = !state.you.seats.length || state.phase === "over";
}

function showShare() {
  const cells = state.moves.map(move => move.cell);
  const rows = [makeCopyField(say("link_watch"), `${location.origin}/g/${state.game}`),
    makeCopyField(say("link_position"), `${location.origin}/${formatLink(state, cells, cells.length)}`)];
  const key = `${state.game} ${cells.length} ${document.documentElement.lang}`;
  if (byId("share").dataset.key === key) return;
  byId("share").dataset.key = key;
  byId("share").replaceChildren(...rows);
}

// After another language was chosen, in which the server's sentences are to come too.
export function retell() {
  if (!state) return;
  showAll();
  watch(state.game);
}
