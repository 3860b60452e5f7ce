// A game at the board: what the server says of it, drawn; what the player asks for, sent.

import {cellName, fivesThrough} from "../board.js";
import {CommentBox} from "./comment.js";
import {server} from "../net/connection.js";
import {byId, setIcon, setText} from "../dom.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {parseCell} from "../board/notation.js";
import {
  preparePanel, showActions, showAsks, showClocks, showMoves, showPlayers, showResult, showShare,
} from "./panel.js";
import {saveFile} from "../board/picture.js";
import {preference, setPreference} from "../shared/preferences.js";
import {playSound} from "../shared/sound.js";
import {announce} from "../shared/status.js";
import {colourName, describeTurn, isMine, isNewest, moverSeat, plyShown, seatOf, secondsLeft, table} from "./table.js";
import {say, sayClock} from "../shared/i18n.js";

let grid = null;
let comment = null;
let open = () => {};     // leads to another game
let study = () => {};    // takes the game to the study

export function preparePlay(openGame, openStudy) {
  open = openGame;
  study = openStudy;
  grid = new Grid(byId("board"), {play, undo: () => act("undo"), step: by => step(by), command, pending: cell =>
    announce(say("tap_again", {cell: cellName(cell, table.state.height)}))});
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
    const cell = parseCell(byId("move-box").value, table.state.width, table.state.height);
    if (!cell) return announce(say("no_such_cell", {text: byId("move-box").value}));
    byId("move-box").value = "";
    play(cell);
  });
  comment = new CommentBox((ply, text) => table.state && send("comment", {ply, text}));
  preparePanel({act, send, goTo, comment});
  byId("resign-yes").addEventListener("click", () => {
    table.isSure = false;
    send("resign");
  });
  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => save(button.dataset.save));
  }
  byId("new-link").addEventListener("click", () => send("invite"));
  byId("resign-no").addEventListener("click", () => {
    table.isSure = false;
    showActions();
    byId("actions").querySelector("[data-action=resign]")?.focus();
  });
  server.on("state", receive);
  server.on("hint", showHint);
  server.on("lost", () => { table.newest = 0; });  // the next server counts anew
  server.on("rematch", message => {
    if (message.game !== table.wanted || !table.state) return;
    table.next = message.next;
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
  table.wanted = id;
  table.newest = 0;
  table.state = null;
  table.shownPly = table.hint = table.next = null;
  table.isSure = false;
  table.links = made ?? null;
  table.secret = offered;
  showParts("");
  watch(id);
  if (takes) server.send({type: "sit", game: id, secret: table.secret});
}

// Also after a lost connection.
export function watch(id) {
  server.ask({type: "watch", game: id}).catch(error => {
    // The connection is lost, and comes back; or the player has gone to another game.
    if (!error.message || id !== table.wanted) return;
    if (!table.state) showParts(error.message);
    announce(error.message);
  });
}

// Nothing is shown of a game before the server has said what it is, and of one that there is not why.
function showParts(fault) {
  for (const name of [".board-column", ".panel"]) byId("game").querySelector(name).hidden = !table.state;
  byId("missing").hidden = !fault;
  setText(byId("missing").querySelector("p"), fault);
}

export function closeGame() {
  comment.leave();
  if (table.wanted) server.send({type: "leave", game: table.wanted});
  table.wanted = "";
  table.state = null;
  document.title = "Tengen";
}

function send(type, more = {}) {
  if (!table.state) return;
  const {game} = table.state;
  server.ask({type, game, ...more}).then(answer => {
    if (answer.type !== "created" || game !== table.wanted) return;
    // The links of the owner lead to the friend's seat, those of a friend to the own one.
    if (table.state.you.owner) open(answer.game, {links: answer.links});
    else open(answer.game, {secret: secretOf(answer.links)});
  }, error => game === table.wanted && announce(error.message || say("no_connection")));
}

// The game as a file.
function save(format) {
  server.ask({type: "export", game: table.state.game, format}).then(({text, name}) => saveFile(text, `tengen-${name}`, "text/plain"),
    error => announce(error.message || say("no_connection")));
}

function play(cell) {
  if (!isNewest()) return announce(say("earlier_position"));
  if (table.state.phase === "over") return announce(table.state.reason);
  const seat = moverSeat();
  if (!isMine(seat)) return announce(say(table.state.you.seats.length ? "not_your_turn" : "you_watch"));
  if (table.state.phase === "choice") return announce(say("choose_first"));
  send("play", {ply: table.state.moves.length, cell});
}

// What the buttons and the keys ask for.
function act(what) {
  if (what === "resign") {
    table.isSure = true;
    showActions();
    byId("resign-no").focus();
  } else if (what === "study") {
    study(table.state);
  } else if (what === "review") {
    study(table.state, true);
  } else if (what === "new") {
    open(null);
  } else if (what === "join") {
    // Who sat in this game has a seat in that one, and the server knows which.
    if (table.state.you.seats.length) send("rematch");
    else open(table.next);
  } else {
    send(what);
  }
}

function step(by) {
  goTo(plyShown() + by);
}

function goTo(ply) {
  if (!table.state) return;
  const count = Math.max(0, Math.min(table.state.moves.length, ply));
  table.shownPly = count === table.state.moves.length ? null : count;
  drawBoard();
  showMoves();
}

// A key of the page's table; false where it means nothing here.
export function onAction(action) {
  if (!table.state) return false;
  const actions = {
    back: () => step(-1), forward: () => step(1), first: () => goTo(0), last: () => goTo(Infinity),
    previous_variation: () => goTo(0), next_variation: () => goTo(Infinity), undo: () => act("undo"),
    turn: () => grid.turn(false), mirror: () => grid.turn(true),
  };
  if (!(action in actions)) return false;
  actions[action]();
  return true;
}

// A key of the board itself.
function command(key, button) {
  if (!hasLetters()) return false;
  const last = table.state.moves[plyShown() - 1];
  const commands = {
    l: () => announce(!last ? say("no_move") : say(`cell_${last.colour ? "white" : "black"}_move`,
      {cell: cellName(last.cell, table.state.height), number: plyShown()})),
    o: () => announce(button.getAttribute("aria-label")),
    t: () => announce(table.state.clock ? table.state.seats.map((seat, index) =>
      `${colourName(seat.colour)}: ${sayClock(secondsLeft(index) ?? 0)}`).join(", ") : say("no_clock")),
    c: () => announce(table.state.phase === "over" ? table.state.reason : describeTurn()),
    g: () => act("hint"),
    i: () => byId("move-box").focus(),
  };
  if (!(key in commands)) return false;
  commands[key]();
  return true;
}

function receive(message) {
  if (message.game !== table.wanted || message.version < table.newest) return;
  const before = table.state;
  table.state = message;
  table.newest = message.version;
  table.received = performance.now();
  const told = each => JSON.stringify([each.moves.length, each.phase, each.offer, each.paused]);
  const isComment = before && told(before) === told(table.state) && JSON.stringify(before.comments) !== JSON.stringify(table.state.comments);
  if (message.links) table.links = message.links;
  if (!before || before.moves.length !== table.state.moves.length) table.hint = null;
  if (table.state.phase === "over") table.isSure = false;
  table.next = table.state.next;
  showParts("");
  showAll();
  if (!isComment) tellNews(before);
}

// Says what others did, never what the player has just done alone.
function tellNews(before) {
  const last = table.state.moves.at(-1), said = [];
  if (before && table.state.moves.length > before.moves.length) {
    const mover = seatOf(last.colour);
    if (!isMine(mover)) said.push(say("played", {colour: colourName(last.colour), cell: cellName(last.cell, table.state.height)}));
  } else if (before && table.state.moves.length < before.moves.length) {
    said.push(say("taken_back"));
    if (table.isCommentMoved) said.push(say("comment_moved"));
  }
  if (before && before.phase !== "over" && table.state.phase === "over") playSound("end");
  else if (before && table.state.moves.length > before.moves.length) playSound("stone");
  else if (before && !before.offer && table.state.offer && !isMine(table.state.offer.seat)) playSound("attention");
  if (before && !before.offer && table.state.offer && !isMine(table.state.offer.seat)) said.push(say(`offers_${table.state.offer.what}`));
  if (before?.offer && !table.state.offer && isMine(before.offer.seat) && table.state.moves.length === before.moves.length
      && table.state.phase !== "over") said.push(say("declined"));
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
  if (!table.state) return;
  const {width, height} = table.state, count = plyShown();
  const stones = table.state.moves.slice(0, count).map(({cell, colour}, index) => ({cell, colour, number: index + 1}));
  const rows = isNewest() && table.state.win.length ? fivesThrough({width, height}, stones, stones.at(-1).cell) : [];
  const canPlay = isNewest() && !table.state.paused && ["opening", "play"].includes(table.state.phase) && isMine(moverSeat());
  grid.show({
    width, height, stones, rows, hasNumbers: byId("numbers").checked, next: canPlay ? table.state.to_move : null,
    forbidden: isNewest() ? Object.fromEntries(table.state.forbidden.map(({cell, foul}) => [String(cell), foul])) : {},
    candidates: table.hint && isNewest() ? [{cell: table.hint, kind: "best", text: "!"}] : [],
  });
}

function showHint(message) {
  if (message.game !== table.wanted || !table.state) return;
  table.hint = message.cell;
  drawBoard();
  announce(say("hint_at", {cell: cellName(message.cell, table.state.height)}));
}

// After another language was chosen, in which the server's sentences are to come too.
export function retell() {
  if (!table.state) return;
  showAll();
  watch(table.state.game);
}
