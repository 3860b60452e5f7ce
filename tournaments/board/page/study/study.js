// The study of a position: its tree of variations, clicks and keys, games and proofs that come to it.

import {server} from "../net/connection.js";
import {byId, make, setIcon} from "../dom.js";
import {
  findBalance, findThreats, follow, playEngineMove, receive, stopThinking, thinkOfAll, toggleThinking,
} from "./analysis.js";
import {drawBoard, isMistake, LINES, show, showLinks, showTitle, showTree, showUndo} from "./drawing.js";
import {blackShare, formatScore, formatShare} from "./evaluation.js";
import {noteChange, redo, undo} from "./history.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {parseCell, RULES} from "../board/notation.js";
import {preference, setPreference} from "../shared/preferences.js";
import {Coach} from "../review/review.js";
import {askFouls, describeEnd, findEnd, needsFouls, whyNot} from "./rules.js";
import {StudyList} from "../library/studies.js";
import {announce} from "../shared/status.js";
import {copyGame, exportAs, importText} from "./transfer.js";
import {Tree} from "./tree.js";
import {moved, nameOf, replace, step, view, whenMoved} from "./view.js";
import {formatNumber, say} from "../shared/i18n.js";

let createGame = () => {};

export function prepareStudy(create) {
  createGame = create;
  whenMoved(followMove);
  view.coach = new Coach({
    tree: () => view.tree, line: () => view.tree.line(),
    go: node => {
      view.tree.current = node;
      byId("tool").value = "play";
      moved();
    },
    stop: stopThinking, isSetUp: () => !view.free,
  });
  view.studies = new StudyList({tree: () => view.tree, replace, linked: showLinks, written: showUndo});
  view.grid = new Grid(byId("study-board"), {
    play: click, undo: () => step("back"), step: by => step(by < 0 ? "back" : "forward"), command,
    pending: cell => announce(say("tap_again", {cell: nameOf(cell)})),
  });
  for (const name of ["first", "back", "forward", "last"]) {
    setIcon(byId(`study-${name}`), name);
    byId(`study-${name}`).addEventListener("click", () => step(name));
  }
  const clicks = {
    "study-turn": () => view.grid.turn(false), think: toggleThinking, "engine-move": playEngineMove,
    "whole-line": thinkOfAll, threats: findThreats,
    "balance-one": () => findBalance(1), "balance-two": () => findBalance(2),
    promote: () => { view.tree.promote(); show(); }, remove: () => { view.tree.remove(); moved(); },
    "study-undo": undoChange, "study-redo": redoChange,
    import: () => importText(byId("import-text").value), "bring-back": () => view.earlier && replace(view.earlier),
    "play-from-here": playFromHere,
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  byId("study-numbers").checked = preference("studyNumbers", true);
  byId("study-numbers").addEventListener("change", () => {
    setPreference("studyNumbers", byId("study-numbers").checked);
    drawBoard();
  });
  byId("comment").addEventListener("input", () => {
    view.tree.current.comment = byId("comment").value;
    showTree();
    noteChange(view.tree, `comment ${view.tree.moves()}`);
    showUndo();
    view.studies.notice();
  });
  byId("study-name").addEventListener("input", () => {
    view.tree.title = byId("study-name").value;
    showTitle();
    noteChange(view.tree, "title");
    showUndo();
    view.studies.notice(true);
  });
  byId("study-form").addEventListener("submit", event => {
    event.preventDefault();
    const cell = parseCell(byId("study-box").value, view.tree.width, view.tree.height);
    if (!cell) return announce(say("no_such_cell", {text: byId("study-box").value}));
    byId("study-box").value = "";
    click(cell);
  });
  byId("new-study").addEventListener("submit", event => {
    event.preventDefault();
    const {rule, width, height} = event.target.elements;
    replace(new Tree({width: Number(width.value), height: Number(height.value), rule: Number(rule.value)}));
  });
  byId("import-file").addEventListener("change", async () => {
    const file = byId("import-file").files[0];
    if (file) importText(await file.text());
  });
  for (const button of document.querySelectorAll("[data-export]")) {
    button.addEventListener("click", () => exportAs(button.dataset.export));
  }
  for (const id of ["line-count", "node-limit", "analysis-brain"]) byId(id).addEventListener("change", moved);
  document.addEventListener("paste", event => {
    if (!view.isOpen || event.target.closest?.("input, textarea")) return;
    importText(event.clipboardData.getData("text"));
  });
  server.on("analysis", receive);
  server.on("lost", () => stopThinking());
}

// After the language or the brains were learnt.
export function fillStudy(brains, version, isOwner = view.studies.isOwner) {
  view.studies.setOwner(isOwner);
  view.signature = version ?? view.signature;
  if (view.isOpen) compareSignatures();
  const chosen = byId("analysis-brain").value;
  const options = (brains ?? []).map(({name, title}) => make("option", {value: name}, title ?? name));
  if (brains) byId("analysis-brain").replaceChildren(...options);
  if (chosen) byId("analysis-brain").value = chosen;
  const rules = Object.keys(RULES).map(rule => make("option", {value: rule}, say(`rule_${rule}`)));
  byId("new-study").elements.rule.replaceChildren(...rules);
  view.coach.retell();
  view.studies.retell();
  if (view.isOpen) show();
}

// Shows the study; `link` is a position that an address asks for, null for what was there before. With the id of a kept
// study the position is shown in it, where this browser may see it and it is still there.
export function openStudy(link) {
  view.isOpen = true;
  if (link) {
    const {cells, ply, nodes, lines, study: id, ...board} = link, here = found => found.follow(cells.slice(found.start.length, ply));
    if (id && view.tree.kept?.id === id) {
      here(view.tree);
    } else {
      const plain = view.tree = new Tree(board);
      view.tree.add(cells);
      for (let count = 0; count < ply; count++) view.tree.forward();
      if (id) {
        view.studies.open(id, found => {
          if (!view.isOpen || view.tree !== plain) return;
          view.tree = found;
          here(view.tree);
          view.coach.forget();
          moved();
        }, true);
      }
    }
    if (nodes) choose(byId("node-limit"), nodes);
    // What more lines show depends on their number, so that it belongs to the figures of the link.
    if (nodes) choose(byId("line-count"), lines ?? LINES);
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
  view.studies.flush();
  view.isOpen = false;
}

// A game that was played, from where it stands; `reviews`: the coach is to look at it.
export function studyGame(state, reviews) {
  view.isOpen = true;
  const cells = state.moves.map(move => move.cell), study = Tree.fromJson({...state, moves: cells});
  const nodes = [study.root, ...study.path()];
  for (const {ply, text} of state.comments) nodes[ply].comment = text;
  study.source = JSON.stringify(study.toJson());  // the game is kept anyhow
  study.played = {game: state.game, cells};
  replace(study);
  if (reviews) view.coach.ask();
}

// Walks a proof after `cells` at a position.
export function studyProof({moves, ...board}, cells, proof) {
  view.isOpen = true;
  const study = new Tree(board);
  study.add([...moves, ...cells]);
  study.last();
  replace(study);
  view.coach.walk(view.tree.current, proof);
}

// A link may have a number that the list has not.
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

// A click on the board, by the tool that is chosen.
function click(cell) {
  const tool = byId("tool").value;
  if (["black", "white", "erase"].includes(tool)) return setUp(cell, tool);
  if (tool === "play") {
    if (view.free) return announce(say("set_up_first"));
    if (view.coach.click(cell)) return undefined;
    return playStone(cell);
  }
  const {labels} = view.tree.current, key = String(cell);
  if (labels.has(key)) labels.delete(key);
  else labels.set(key, tool === "letter" ? nextLetter(labels) : tool);
  show();
  return undefined;
}

// Plays a stone, which the rule may not allow; a move that the study has already is gone to.
function playStone(cell, isAsked = false) {
  const {tree} = view, node = tree.current;
  if (tree.isTaken(cell)) return announce(say("taken", {cell: nameOf(cell)}));
  if (!node.children.some(each => String(each.cell) === String(cell))) {
    if (!isAsked && needsFouls(tree, node)) {
      const go = () => view.tree === tree && tree.current === node && playStone(cell, true);
      return void askFouls(tree, node).then(go, go);  // without a connection nobody knows the fouls
    }
    const reason = whyNot(tree, node, cell);
    if (reason) return announce(reason);
  }
  tree.play(cell);
  moved();
  const end = findEnd(tree, tree.current);
  if (end) announce(describeEnd(tree, end));
  return undefined;
}

function nextLetter(labels) {
  const used = new Set(labels.values());
  return Array.from({length: 26}, (_, index) => String.fromCharCode(65 + index)).find(letter => !used.has(letter)) ?? "A";
}

// Places or takes away a stone of any colour. They make a position when Black has as many stones as White or one more.
function setUp(cell, tool) {
  const [black, white] = [0, 1].map(colour => view.tree.cells().filter((_, index) => index % 2 === colour));
  const stones = view.free ?? {0: black, 1: white};
  const isSame = [0, 1].map(colour => stones[colour].some(each => String(each) === String(cell)));
  for (const colour of [0, 1]) stones[colour] = stones[colour].filter(each => String(each) !== String(cell));
  const colour = tool === "white" ? 1 : 0;
  if (tool !== "erase" && !isSame[colour]) stones[colour].push(cell);
  const more = stones[0].length - stones[1].length;
  if (more === 0 || more === 1) {
    const {width, height, rule} = view.tree;
    replace(new Tree({width, height, rule, start: stones[0].flatMap((black, index) =>
      index < stones[1].length ? [black, stones[1][index]] : [black])}));
  } else {
    view.free = stones;
    moved();
    announce(say("set_up_count", {black: stones[0].length, white: stones[1].length}));
  }
}

function playFromHere() {
  if (view.free) return announce(say("set_up_first"));
  return createGame({
    width: view.tree.width, height: view.tree.height, rule: view.tree.rule, opening: "free", clock: null, start: view.tree.cells(),
    drawn_by_lot: false, from: null, ...playersFor(view.tree.toMove()),
  });
}

// The player has the side to move, our brain at full strength the other.
function playersFor(colour) {
  const me = {kind: "local"}, brain = {kind: "brain", brain: "tengen", level: null, turn_ms: 3000, nodes: null};
  return colour ? {black: brain, white: me} : {black: me, white: brain};
}

// Takes the last change back; older ones than this page knows are with the server.
async function undoChange() {
  const {tree} = view;
  if (!undo(tree) && !await view.studies.undo(tree)) {
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

// To the next or previous mistake of the line.
function goToMistake(by) {
  const line = view.tree.line(), here = line.indexOf(view.tree.current);
  const found = by > 0 ? line.slice(here + 1).find(isMistake) : line.slice(0, Math.max(0, here)).findLast(isMistake);
  if (!found) return announce(say("no_mistake"));
  view.tree.current = found;
  moved();
  return announce(view.coach.words(found) || say("mistake_at", {number: view.tree.cells().length, cell: nameOf(found.cell)}));
}

// Keys

// A key of the page's table; false where it means nothing here.
export function onAction(action) {
  const turnOr = (by, end) => view.tree.turn(by) ? moved() : step(end);
  const turnGame = by => {
    const next = view.imported[view.imported.indexOf(view.tree) + by];
    if (next) replace(next);
  };
  const actions = {
    back: () => step("back"), forward: () => step("forward"), first: () => step("first"), last: () => step("last"),
    previous_variation: () => turnOr(-1, "first"), next_variation: () => turnOr(1, "last"),
    previous_fork: () => { view.tree.toFork(-1); moved(); }, next_fork: () => { view.tree.toFork(1); moved(); },
    previous_game: () => turnGame(-1), next_game: () => turnGame(1), undo: undoChange, redo: redoChange, copy: copyGame,
    think: toggleThinking, engine_move: playEngineMove, balance_one: () => findBalance(1), balance_two: () => findBalance(2),
    turn: () => view.grid.turn(false), mirror: () => view.grid.turn(true), show_threats: findThreats, stop: stopThinking,
    next_mistake: () => goToMistake(1), previous_mistake: () => goToMistake(-1),
    show_lines: () => { view.hasLines = !view.hasLines; show(); }, show_marks: () => { view.hasMarks = !view.hasMarks; show(); },
  };
  if (!(action in actions)) return false;
  actions[action]();
  return true;
}

// A key of the board itself.
function command(key, button) {
  if (!hasLetters()) return false;
  const last = view.tree.current.cell, best = view.tree.current.analysis?.lines[0];
  const share = blackShare(view.tree, view.tree.current);
  const commands = {
    l: () => announce(!last ? say("no_move")
      : say(`cell_${view.tree.toMove() ? "black" : "white"}_move`, {cell: nameOf(last), number: view.tree.cells().length})),
    o: () => announce(button.getAttribute("aria-label")),
    c: () => announce(share === null ? say("no_evaluation") : say("black_share", {share: formatShare(share)})),
    g: () => announce(!best ? say("no_analysis")
      : say("best_move", {cell: nameOf(best.moves[0]), score: formatScore(best)})),
    i: () => byId("study-box").focus(),
  };
  if (!(key in commands)) return false;
  commands[key]();
  return true;
}
