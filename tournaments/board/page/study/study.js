// The study of a position: its tree of variations, clicks and keys, games and proofs that come to it.

import {server} from "../net/connection.js";
import {byId, find, make, setIcon, targetOf} from "../dom.js";
import {
  findBalance, findThreats, follow, playEngineMove, receive, stopThinking, thinkOfAll, toggleThinking,
} from "./analysis.js";
import {drawBoard, isMistake, LINES, show, showLinks, showTitle, showTree, showUndo} from "./drawing.js";
import {blackShare, formatScore, formatShare} from "./evaluation.js";
import {noteChange, redo, undo} from "./history.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {click} from "./placing.js";
import {parseCell, RULES} from "../board/notation.js";
import {preference, setPreference} from "../shared/preferences.js";
import {Coach} from "../review/review.js";
import {StudyList} from "../library/studies.js";
import {announce} from "../shared/status.js";
import {copyGame, exportAs, importText} from "./transfer.js";
import {Tree} from "./tree.js";
import {moved, nameOf, parts, replace, step, view} from "./view.js";
import {formatNumber, say} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/messages.js").WantedSettings} GameSettings
 * @typedef {import("../net/messages.js").State} State
 * @typedef {import("../net/messages.js").BrainLine} Brain
 * @typedef {import("../review/descriptions.js").Proof} Proof
 */

/** @param {(settings: GameSettings) => void} create starts a game */
export function prepareStudy(create) {
  view.react = followMove;
  parts.coach = new Coach({
    tree: () => view.tree, line: () => view.tree.line(),
    go: node => {
      view.tree.current = node;
      byId("tool", HTMLSelectElement).value = "play";
      moved();
    },
    stop: stopThinking, isSetUp: () => !view.free,
  });
  parts.studies = new StudyList({tree: () => view.tree, replace, linked: showLinks, written: showUndo});
  parts.grid = new Grid(byId("study-board"), {
    play: click, undo: () => step("back"), step: by => step(by < 0 ? "back" : "forward"), command,
    pending: cell => announce(say("tap_again", {cell: nameOf(cell)})),
  });
  for (const name of /** @type {const} */ (["first", "back", "forward", "last"])) {
    setIcon(byId(`study-${name}`), name);
    byId(`study-${name}`).addEventListener("click", () => step(name));
  }
  const clicks = {
    "study-turn": () => parts.grid.turn(false), think: toggleThinking, "engine-move": playEngineMove,
    "whole-line": thinkOfAll, threats: findThreats,
    "balance-one": () => findBalance(1), "balance-two": () => findBalance(2),
    promote: () => { view.tree.promote(); show(); }, remove: () => { view.tree.remove(); moved(); },
    "study-undo": undoChange, "study-redo": redoChange,
    import: () => importText(byId("import-text", HTMLTextAreaElement).value),
    "bring-back": () => { if (view.earlier) replace(view.earlier); }, "play-from-here": () => playFromHere(create),
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  const numbers = byId("study-numbers", HTMLInputElement), box = byId("study-box", HTMLInputElement);
  numbers.checked = preference("studyNumbers", true);
  numbers.addEventListener("change", () => {
    setPreference("studyNumbers", numbers.checked);
    drawBoard();
  });
  byId("comment").addEventListener("input", () => {
    view.tree.current.comment = byId("comment", HTMLTextAreaElement).value;
    showTree();
    noteChange(view.tree, `comment ${view.tree.moves()}`);
    showUndo();
    parts.studies.notice();
  });
  byId("study-name").addEventListener("input", () => {
    view.tree.title = byId("study-name", HTMLInputElement).value;
    showTitle();
    noteChange(view.tree, "title");
    showUndo();
    parts.studies.notice(true);
  });
  byId("study-form").addEventListener("submit", event => {
    event.preventDefault();
    const cell = parseCell(box.value, view.tree.width, view.tree.height);
    if (!cell) return announce(say("no_such_cell", {text: box.value}));
    box.value = "";
    click(cell);
  });
  byId("new-study").addEventListener("submit", event => {
    event.preventDefault();
    const fields = new FormData(byId("new-study", HTMLFormElement)), number = (/** @type {string} */ name) => Number(fields.get(name));
    replace(new Tree({width: number("width"), height: number("height"), rule: number("rule")}));
  });
  byId("import-file").addEventListener("change", async () => {
    const file = byId("import-file", HTMLInputElement).files?.[0];
    if (file) importText(await file.text());
  });
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-export]"))) {
    button.addEventListener("click", () => exportAs(/** @type {import("./transfer.js").Format} */ (button.dataset.export)));
  }
  for (const id of ["line-count", "node-limit", "analysis-brain"]) byId(id).addEventListener("change", moved);
  document.addEventListener("paste", event => {
    if (!view.isOpen || targetOf(event, "input, textarea")) return;
    importText(event.clipboardData?.getData("text") ?? "");
  });
  server.on("analysis", receive);
  server.on("lost", () => stopThinking());
}

/**
 * After the language or the brains were learnt.
 * @param {Brain[]} [brains]
 * @param {string} [version] of the engine
 * @param {boolean} isOwner
 */
export function fillStudy(brains, version, isOwner = parts.studies.isOwner) {
  parts.studies.setOwner(isOwner);
  view.signature = version ?? view.signature;
  if (view.isOpen) compareSignatures();
  const list = byId("analysis-brain", HTMLSelectElement), chosen = list.value;
  if (brains) list.replaceChildren(...brains.map(({name, title}) => make("option", {value: name}, title)));
  if (chosen) list.value = chosen;
  const rules = Object.keys(RULES).map(rule => make("option", {value: rule}, say(`rule_${rule}`)));
  find(byId("new-study"), "[name=rule]").replaceChildren(...rules);
  parts.coach.retell();
  parts.studies.retell();
  if (view.isOpen) show();
}

/**
 * Shows the study. With the id of a kept study the position of a link is shown in it, where this browser may see it and
 * it is still there.
 * @param {import("../board/notation.js").Link | null} link a position that an address asks for, null for what was there
 */
export function openStudy(link) {
  view.isOpen = true;
  if (link) {
    const {cells, ply, nodes, lines, study: id, ...board} = link;
    /** @param {Tree} found */
    const here = found => found.follow(cells.slice(found.start.length, ply));
    if (id && view.tree.kept?.id === id) {
      here(view.tree);
    } else {
      const plain = view.tree = new Tree(board);
      view.tree.add(cells);
      for (let count = 0; count < ply; count++) view.tree.forward();
      if (id) {
        parts.studies.open(id, found => {
          if (!view.isOpen || view.tree !== plain) return;
          view.tree = found;
          here(view.tree);
          parts.coach.forget();
          moved();
        }, true);
      }
    }
    if (nodes) choose(byId("node-limit", HTMLSelectElement), nodes);
    // What more lines show depends on their number, so that it belongs to the figures of the link.
    if (nodes) choose(byId("line-count", HTMLSelectElement), lines ?? LINES);
    view.linked = link.signature;
    compareSignatures();
  }
  moved();
}

// A link's figures come from one version of the engine. Which one runs here is known when the server has greeted.
function compareSignatures() {
  if (!view.linked || !view.signature) return;
  if (view.linked !== view.signature) announce(say("other_signature"));
  view.linked = null;
}

export function closeStudy() {
  stopThinking();
  parts.studies.flush();
  view.isOpen = false;
}

/**
 * A game that was played, from where it stands.
 * @param {State} state
 * @param {boolean} reviews the coach is to look at it
 */
export function studyGame(state, reviews) {
  view.isOpen = true;
  const cells = state.moves.map(move => move.cell), {width, height, rule} = state;
  const study = Tree.fromJson({width, height, rule, moves: cells});
  /** @type {import("./tree.js").Node[]} */
  const nodes = [study.root, ...study.path()];
  for (const {ply, text} of state.comments) nodes[ply].comment = text;
  study.source = JSON.stringify(study.toJson());  // the game is kept anyhow
  study.played = {game: state.game, cells};
  replace(study);
  if (reviews) parts.coach.ask();
}

/**
 * Walks a proof after `cells` at a position.
 * @param {import("../net/exchange.js").Position} position
 * @param {Cell[]} cells
 * @param {Proof} proof
 */
export function studyProof({moves, ...board}, cells, proof) {
  view.isOpen = true;
  const study = new Tree(board);
  study.add([...moves, ...cells]);
  study.last();
  replace(study);
  parts.coach.walk(view.tree.current, proof);
}

/**
 * Chooses a number of a list. A link may have one that the list has not.
 * @param {HTMLSelectElement} list
 * @param {number} number
 */
function choose(list, number) {
  if (![...list.options].some(option => option.value === String(number))) {
    list.append(make("option", {value: number}, formatNumber(number)));
  }
  list.value = String(number);
}

// The current position is another one.
function followMove() {
  view.preview = null;
  view.balanced = [];
  byId("findings").replaceChildren();
  if (view.free) stopThinking();
  else if (view.isThinking && !view.waiting) follow();
  show();
}

/** @param {(settings: GameSettings) => void} create */
function playFromHere(create) {
  if (view.free) return announce(say("set_up_first"));
  const {tree} = view, {width, height, rule} = tree;
  create({
    width, height, rule, opening: "free", clock: null, start: tree.cells(), drawn_by_lot: false, from: null,
    ...playersFor(tree.toMove()),
  });
}

/**
 * The player has the side to move, our brain at full strength the other.
 * @param {number} colour
 * @returns {Pick<GameSettings, "black" | "white">}
 */
function playersFor(colour) {
  /** @type {import("../net/messages.js").WantedSeat} */
  const me = {kind: "local"};
  /** @type {import("../net/messages.js").WantedSeat} */
  const brain = {kind: "brain", brain: "tengen", level: null, turn_ms: 3000, nodes: null};
  return colour ? {black: brain, white: me} : {black: me, white: brain};
}

// Takes the last change back; older ones than this page knows are with the server.
async function undoChange() {
  const {tree} = view;
  if (!undo(tree) && !await parts.studies.undo(tree)) {
    showUndo();
    return;
  }
  if (view.tree !== tree) return;
  moved();
  announce(say("study_undone"));
}

function redoChange() {
  if (!redo(view.tree)) return announce(say("nothing_to_redo"));
  moved();
  return announce(say("study_redone"));
}

/**
 * To the next (1) or previous (-1) mistake of the line.
 * @param {number} by
 */
function goToMistake(by) {
  const line = view.tree.line(), here = line.findIndex(node => node === view.tree.current);
  const found = by > 0 ? line.slice(here + 1).find(isMistake) : line.slice(0, Math.max(0, here)).findLast(isMistake);
  if (!found) return announce(say("no_mistake"));
  view.tree.current = found;
  moved();
  return announce(parts.coach.words(found) || say("mistake_at", {number: view.tree.cells().length, cell: nameOf(found.cell)}));
}

// Keys

/**
 * A key of the page's table; false if it means nothing here.
 * @param {string} action
 */
export function onAction(action) {
  /** @type {(by: number, end: "first" | "last") => void} */
  const turnOr = (by, end) => view.tree.turn(by) ? moved() : step(end);
  /** @param {number} by */
  const turnGame = by => {
    const next = view.imported[view.imported.indexOf(view.tree) + by];
    if (next) replace(next);
  };
  /** @type {Record<string, () => unknown>} */
  const actions = {
    back: () => step("back"), forward: () => step("forward"), first: () => step("first"), last: () => step("last"),
    previous_variation: () => turnOr(-1, "first"), next_variation: () => turnOr(1, "last"),
    previous_fork: () => { view.tree.toFork(-1); moved(); }, next_fork: () => { view.tree.toFork(1); moved(); },
    previous_game: () => turnGame(-1), next_game: () => turnGame(1), undo: undoChange, redo: redoChange, copy: copyGame,
    think: toggleThinking, engine_move: playEngineMove, balance_one: () => findBalance(1), balance_two: () => findBalance(2),
    turn: () => parts.grid.turn(false), mirror: () => parts.grid.turn(true), show_threats: findThreats, stop: stopThinking,
    next_mistake: () => goToMistake(1), previous_mistake: () => goToMistake(-1),
    show_lines: () => { view.hasLines = !view.hasLines; show(); }, show_marks: () => { view.hasMarks = !view.hasMarks; show(); },
  };
  if (!Object.hasOwn(actions, action)) return false;
  actions[action]();
  return true;
}

/**
 * A key of the board itself.
 * @param {string} key
 * @param {HTMLElement} button
 */
function command(key, button) {
  if (!hasLetters()) return false;
  const last = view.tree.current.cell, best = view.tree.current.analysis?.lines[0];
  const share = blackShare(view.tree, view.tree.current);
  /** @type {Record<string, () => void>} */
  const commands = {
    l: () => announce(!last ? say("no_move")
      : say(`cell_${view.tree.toMove() ? "black" : "white"}_move`, {cell: nameOf(last), number: view.tree.cells().length})),
    o: () => announce(button.getAttribute("aria-label") ?? ""),
    c: () => announce(share === null ? say("no_evaluation") : say("black_share", {share: formatShare(share)})),
    g: () => announce(!best ? say("no_analysis")
      : say("best_move", {cell: nameOf(best.moves[0]), score: formatScore(best)})),
    i: () => byId("study-box").focus(),
  };
  if (!Object.hasOwn(commands, key)) return false;
  commands[key]();
  return true;
}
