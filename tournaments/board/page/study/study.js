// The study of a position: its tree of variations, the live analysis, what comes in and goes out as text.

import {cellName, fivesThrough} from "../board.js";
import {copyText, makeCopyField} from "../shared/clipboard.js";
import {server} from "../net/connection.js";
import {byId, make, setIcon, setText} from "../dom.js";
import {blackShare, drawGraph, formatScore, formatShare, makeLine, showBar} from "./evaluation.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {formatLink, formatOtherLinks, parseCell, parseLink, RULES} from "../board/notation.js";
import {makeGif, makePng, makeSvgText, saveFile} from "../board/picture.js";
import {preference, setPreference} from "../shared/preferences.js";
import {Coach} from "../review/review.js";
import {Shelf} from "../library/shelf.js";
import {announce} from "../shared/status.js";
import {Tree} from "./tree.js";
import {formatNumber, say} from "../shared/words.js";

const ENGINE_NODES = 200000;  // for a move that is asked for without an analysis
const LINE_NODES = 50000;     // for each position of a whole line
const MISTAKE = .15;          // what a move loses of its side's chances to be called one
const LINES = 3;              // that an analysis has where nobody chose another number

let tree = new Tree({width: 15, height: 15, rule: 0});
let earlier = null;       // the study that the last import or set-up replaced
let free = null;          // stones that are being set up and make no position yet: {0: [cells], 1: [cells]}
let imported = [];        // the studies of the last import
let grid = null;
let isThinking = false;
let request = 0;          // the number of the analysis whose messages count
let asked = null;         // the node that it is about
let waiting = null;       // the nodes that an analysis of the whole line has still to look at, null without one
let playsBest = false;    // true while the analysis is to end in a move
let preview = null;       // a line that is shown: {cells, colour, count}
let balanced = [];        // cells that the balance finder found, at the current position
let hasLines = true;
let hasMarks = true;
let signature = "";       // of the engine here
let linked = null;        // of the engine that made the link that was followed
let listed = null;        // the node whose lines are listed
let isOpen = false;
let coach = null;
let shelf = null;
let createGame = () => {};

const nameOf = cell => cellName(cell, tree.height);
const colourName = colour => say(colour ? "white" : "black");

export function prepareStudy(create) {
  createGame = create;
  coach = new Coach({
    tree: () => tree, line: () => tree.line(),
    go: node => {
      tree.current = node;
      byId("tool").value = "play";
      moved();
    },
    stop: stopThinking, isSetUp: () => !free,
  });
  shelf = new Shelf({tree: () => tree, replace, linked: showLinks});
  grid = new Grid(byId("study-board"), {
    play: click, undo: () => step("back"), step: by => step(by < 0 ? "back" : "forward"), command,
    pending: cell => announce(say("tap_again", {cell: nameOf(cell)})),
  });
  for (const name of ["first", "back", "forward", "last"]) {
    setIcon(byId(`study-${name}`), name);
    byId(`study-${name}`).addEventListener("click", () => step(name));
  }
  const clicks = {
    "study-turn": () => grid.turn(false), think: toggleThinking, "engine-move": playEngineMove,
    "whole-line": thinkOfAll, threats: findThreats,
    "balance-one": () => findBalance(1), "balance-two": () => findBalance(2),
    promote: () => { tree.promote(); show(); }, remove: () => { tree.remove(); moved(); },
    import: () => importText(byId("import-text").value), "bring-back": () => earlier && replace(earlier),
    "play-from-here": playFromHere,
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  byId("study-numbers").checked = preference("studyNumbers", true);
  byId("study-numbers").addEventListener("change", () => {
    setPreference("studyNumbers", byId("study-numbers").checked);
    drawBoard();
  });
  byId("comment").addEventListener("input", () => {
    tree.current.comment = byId("comment").value;
    showTree();
    shelf.notice();
  });
  byId("study-name").addEventListener("input", () => {
    tree.title = byId("study-name").value;
    showTitle();
    shelf.notice(true);
  });
  byId("study-form").addEventListener("submit", event => {
    event.preventDefault();
    const cell = parseCell(byId("study-box").value, tree.width, tree.height);
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
    if (!isOpen || event.target.closest?.("input, textarea")) return;
    importText(event.clipboardData.getData("text"));
  });
  server.on("analysis", receive);
  server.on("lost", () => stopThinking());
}

// After the language or the brains were learnt.
export function fillStudy(brains, version, isOwner = shelf.isOwner) {
  shelf.setOwner(isOwner);
  signature = version ?? signature;
  if (isOpen) compareSignatures();
  const chosen = byId("analysis-brain").value;
  const options = (brains ?? []).map(({name, title}) => make("option", {value: name}, title ?? name));
  if (brains) byId("analysis-brain").replaceChildren(...options);
  if (chosen) byId("analysis-brain").value = chosen;
  const rules = Object.keys(RULES).map(rule => make("option", {value: rule}, say(`rule_${rule}`)));
  byId("new-study").elements.rule.replaceChildren(...rules);
  coach.retell();
  shelf.retell();
  if (isOpen) show();
}

// Shows the study; `link` is a position that an address asks for, null for what was there before. With the id of a kept
// study the position is shown in it, where this browser may see it and it is still there.
export function openStudy(link) {
  isOpen = true;
  if (link) {
    const {cells, ply, nodes, lines, study: id, ...board} = link, here = found => found.follow(cells.slice(found.start.length, ply));
    if (id && tree.kept?.id === id) {
      here(tree);
    } else {
      const plain = tree = new Tree(board);
      tree.add(cells);
      for (let count = 0; count < ply; count++) tree.forward();
      if (id) {
        shelf.open(id, found => {
          if (!isOpen || tree !== plain) return;
          tree = found;
          here(tree);
          coach.forget();
          moved();
        }, true);
      }
    }
    if (nodes) choose(byId("node-limit"), nodes);
    // What more lines show depends on their number, so that it belongs to the figures of the link.
    if (nodes) choose(byId("line-count"), lines ?? LINES);
    linked = link.signature;
    compareSignatures();
  }
  moved();
}

// A link's figures come from one version of the engine. Which one runs here is known when the server has greeted.
function compareSignatures() {
  if (!linked || !signature) return;
  if (linked !== signature) announce(say("other_signature"));
  linked = null;
}

export function closeStudy() {
  stopThinking();
  shelf.flush();
  isOpen = false;
}

// A game that was played, from where it stands; `reviews`: the coach is to look at it.
export function studyGame(state, reviews) {
  isOpen = true;
  const cells = state.moves.map(move => move.cell), study = Tree.fromJson({...state, moves: cells});
  const nodes = [study.root, ...study.path()];
  for (const {ply, text} of state.comments) nodes[ply].comment = text;
  study.source = JSON.stringify(study.toJson());  // the game is kept anyhow
  study.played = {game: state.game, cells};
  replace(study);
  if (reviews) coach.ask();
}

// Walks a proof after `cells` at a position.
export function studyProof({moves, ...board}, cells, proof) {
  isOpen = true;
  const study = new Tree(board);
  study.add([...moves, ...cells]);
  study.last();
  replace(study);
  coach.walk(tree.current, proof);
}

// A link may have a number that the list has not.
function choose(list, number) {
  if (![...list.options].some(option => option.value === String(number))) {
    list.append(make("option", {value: number}, formatNumber(number)));
  }
  list.value = String(number);
}

function replace(study) {
  if (tree.root.children.length || tree.start.length) earlier = tree;
  tree = study;
  free = null;
  coach.forget();
  byId("bring-back").hidden = earlier === null;
  moved();
}

// The current position is another one.
function moved() {
  preview = null;
  balanced = [];
  byId("findings").replaceChildren();
  if (free) stopThinking();
  else if (isThinking && !waiting) think();
  show();
}

function step(how) {
  if (!free) tree[how]();
  moved();
}

// A click on the board, by the tool that is chosen.
function click(cell) {
  const tool = byId("tool").value;
  if (["black", "white", "erase"].includes(tool)) return setUp(cell, tool);
  if (tool === "play") {
    if (free) return announce(say("set_up_first"));
    if (coach.click(cell)) return undefined;
    if (!tree.play(cell)) return announce(say("taken", {cell: nameOf(cell)}));
    moved();
    return undefined;
  }
  const {labels} = tree.current, key = String(cell);
  if (labels.has(key)) labels.delete(key);
  else labels.set(key, tool === "letter" ? nextLetter(labels) : tool);
  show();
  return undefined;
}

function nextLetter(labels) {
  const used = new Set(labels.values());
  return Array.from({length: 26}, (_, index) => String.fromCharCode(65 + index)).find(letter => !used.has(letter)) ?? "A";
}

// Places or takes away a stone of any colour. They make a position when Black has as many stones as White or one more.
function setUp(cell, tool) {
  const [black, white] = [0, 1].map(colour => tree.cells().filter((_, index) => index % 2 === colour));
  const stones = free ?? {0: black, 1: white};
  const isSame = [0, 1].map(colour => stones[colour].some(each => String(each) === String(cell)));
  for (const colour of [0, 1]) stones[colour] = stones[colour].filter(each => String(each) !== String(cell));
  const colour = tool === "white" ? 1 : 0;
  if (tool !== "erase" && !isSame[colour]) stones[colour].push(cell);
  const more = stones[0].length - stones[1].length;
  if (more === 0 || more === 1) {
    const {width, height, rule} = tree;
    replace(new Tree({width, height, rule, start: stones[0].flatMap((black, index) =>
      index < stones[1].length ? [black, stones[1][index]] : [black])}));
  } else {
    free = stones;
    moved();
    announce(say("set_up_count", {black: stones[0].length, white: stones[1].length}));
  }
}

// Analysis

function toggleThinking() {
  if (isThinking) stopThinking();
  else think();
  showAnalysis();
}

function think(nodes, node = tree.current) {
  if (free) return announce(say("set_up_first"));
  isThinking = true;
  request += 1;
  asked = node;
  server.send({
    type: "analyse", id: `analysis ${request}`, position: tree.position(node), lines: Number(byId("line-count").value),
    nodes: nodes ?? (Number(byId("node-limit").value) || null), brain: byId("analysis-brain").value || "tengen",
  });
  return undefined;
}

// Looks at every position of the line, one after the other, for the graph.
function thinkOfAll() {
  stopThinking();
  waiting = [tree.root, ...tree.line()].filter(node => !node.analysis?.done);
  thinkOfNext();
  showAnalysis();
}

function thinkOfNext() {
  const node = waiting?.shift();
  if (node) think(Number(byId("node-limit").value) || LINE_NODES, node);
  else waiting = null;
}

function stopThinking() {
  if (isThinking) server.send({type: "stop"});
  isThinking = playsBest = false;
  waiting = null;
  request += 1;
  if (isOpen) showAnalysis();
}

function receive(message) {
  if (message.id !== `analysis ${request}` || !asked) return;
  asked.analysis = message;
  if (message.done) {
    isThinking = false;
    thinkOfNext();
    const best = message.lines[0]?.moves[0];
    if (playsBest && best && asked === tree.current) {
      playsBest = false;
      playBest(best);
      return;
    }
  }
  // Who reads a line with the pointer or the keyboard on it goes on reading it.
  if (preview && !message.done) return;
  showAnalysis();
  drawBoard();
  if (message.done) showTree();
}

// Takes a refusal that may be one of an analysis.
export function refuse(message) {
  if (!String(message.id ?? "").startsWith("analysis ")) return;
  isThinking = playsBest = false;
  // A position that is decided has no analysis; those after it in the list may have one.
  thinkOfNext();
  if (isOpen) showAnalysis();
}

function playBest(cell) {
  tree.play(cell);
  announce(say("played", {colour: colourName(1 - tree.toMove()), cell: nameOf(cell)}));
  moved();
}

function playEngineMove() {
  const best = tree.current.analysis?.lines[0]?.moves[0];
  if (best) return playBest(best);
  playsBest = true;
  if (!isThinking) think(Number(byId("node-limit").value) || ENGINE_NODES);
  showAnalysis();
}

function askStudy(message, use) {
  if (free) return announce(say("set_up_first"));
  stopThinking();
  const node = tree.current;
  announce(say("looking"));
  server.ask({...message, position: tree.position()}).then(answer => {
    if (node === tree.current) use(answer);
  }, error => announce(error.message || say("no_connection")));
  return undefined;
}

function findThreats() {
  askStudy({type: "threats"}, ({wins}) => {
    const words = wins.map(({colour, kind}) =>
      say(colour === tree.toMove() ? `win_${kind}` : `threat_${kind}`, {colour: colourName(colour)}));
    announce(words.join(" ") || say("no_threats"));
    byId("findings").replaceChildren(make("ul", {}, ...wins.map(({moves, colour}, index) => {
      const isOwn = colour === tree.toMove();
      return makeLine([make("span", {class: "said"}, words[index])], moves, tree.height,
        count => showPreview(moves, count, colour), count => isOwn && takeLine(moves, count));
    })));
    if (!wins.length) byId("findings").replaceChildren(make("p", {class: "soft"}, say("no_threats")));
  });
}

function findBalance(stones) {
  askStudy({type: "balance", stones}, ({cells, win}) => {
    balanced = cells;
    const share = formatShare(tree.cells().length + cells.length & 1 ? 1 - win : win);
    const words = say("balance_found", {cells: cells.map(nameOf).join(" "), share});
    announce(words);
    byId("findings").replaceChildren(make("p", {class: "soft"}, words));
    drawBoard();
  });
}

function showPreview(cells, count, colour = tree.toMove()) {
  const next = count ? {cells, colour, count} : null;
  if (String(next?.cells) === String(preview?.cells) && next?.count === preview?.count) return;
  preview = next;
  drawBoard();
}

// What is seen

function show() {
  drawBoard();
  showAnalysis();
  showTree();
  coach.show();
  showLinks();
  for (const [id, text] of [["comment", tree.current.comment], ["study-name", tree.title]]) {
    if (byId(id).value !== text) byId(id).value = text;
  }
  byId("promote").disabled = byId("remove").disabled = !tree.current.parent;
  byId("study-first").disabled = byId("study-back").disabled = !tree.current.parent;
  byId("study-last").disabled = byId("study-forward").disabled = !tree.current.children.length;
  showTitle();
  shelf.notice();
}

function showTitle() {
  const board = `${say(`rule_${tree.rule}`)}, ${tree.width} × ${tree.height}`;
  setText(byId("study-title"), tree.title ? `${board} · ${tree.title}` : board);
}

// The rows that win by the rule; caro's depend on what stands at their ends, which the server knows.
function winningRows(stones) {
  const last = stones.at(-1);
  if (!last || tree.rule > 4) return [];
  const isExact = tree.rule === 1 || tree.rule === 4 && last.colour === 0;
  return fivesThrough(tree, stones, last.cell).filter(([[x1, y1], [x2, y2]]) =>
    !isExact || Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) === 4);
}

function drawBoard() {
  const cells = tree.cells();
  const stones = free ? [0, 1].flatMap(colour => free[colour].map(cell => ({cell, colour})))
    : cells.map((cell, index) => ({cell, colour: index % 2, number: index + 1}));
  const taken = new Map(stones.map(({cell, colour}) => [String(cell), colour]));
  const lines = hasLines && !free && !preview ? tree.current.analysis?.lines ?? [] : [];
  const tool = byId("tool").value;
  const next = tool === "white" ? 1 : tool === "black" ? 0 : tool === "play" && !free ? cells.length % 2 : null;
  grid.show({
    width: tree.width, height: tree.height, stones, rows: free ? [] : winningRows(stones), hasMark: !free, next,
    hasNumbers: byId("study-numbers").checked,
    candidates: [
      ...lines.filter(line => line.moves.length).map((line, index) => ({
        cell: line.moves[0], kind: line.mate < 0 ? "lost" : index ? "other" : "best",
        text: line.mate ? formatScore(line) : formatNumber(line.win * 100),
      })),
      ...balanced.map(cell => ({cell, kind: "other", text: "="})),
      ...free ? [] : coach.candidates(),
    ],
    marks: !hasMarks ? [] : [...tree.current.labels].map(([key, text]) =>
      ({cell: key.split(",").map(Number), text, on: taken.get(key)})),
    preview: preview ? preview.cells.slice(0, preview.count).map((cell, index) =>
      ({cell, colour: (preview.colour + index) % 2, number: index + 1})) : [],
  });
}

function showAnalysis() {
  const {analysis} = tree.current;
  setText(byId("think"), say(isThinking ? "stop" : "analyse"));
  byId("think").setAttribute("aria-pressed", String(isThinking));
  const facts = [];
  if (analysis) {
    const depth = analysis.lines[0]?.depth;  // none where the solvers have proved it
    if (depth) facts.push(say("depth", {depth}));
    facts.push(say("nodes", {nodes: formatNumber(analysis.nodes)}));
    if (analysis.speed) facts.push(say("speed", {speed: formatNumber(analysis.speed)}));
    if (analysis.done) facts.push(say("done"));
  } else {
    facts.push(say(isThinking ? "thinking" : "no_analysis"));
  }
  setText(byId("analysis-facts"), facts.join(" · "));
  byId("lines").hidden = !hasLines;
  // Who reads the lines by the keyboard keeps the focus.
  if (listed !== tree.current || !byId("lines").contains(document.activeElement)) {
    listed = tree.current;
    byId("lines").replaceChildren(...(analysis?.lines ?? []).map((line, index) => makeLine(
      [make("b", index ? {} : {class: "best"}, formatScore(line)), make("span", {}, formatShare(line.win ?? .5))],
      line.moves, tree.height, count => showPreview(line.moves, count), count => takeLine(line.moves, count))));
  }
  showBar(byId("bar"), free ? null : blackShare(tree, tree.current));
  drawGraph(byId("graph"), tree, node => {
    tree.current = node;
    moved();
  });
}

// Puts the line's first `count` moves into the tree and goes there.
function takeLine(cells, count) {
  for (const cell of cells.slice(0, count)) tree.play(cell);
  moved();
}

function showTree() {
  const holder = byId("tree"), hadFocus = holder.contains(document.activeElement);
  holder.replaceChildren(...writeFrom(tree.root));
  if (!holder.childNodes.length) holder.append(make("p", {class: "soft"}, say("no_move")));
  const chosen = holder.querySelector("[aria-current]");
  if (hadFocus) chosen?.focus();
  if (chosen) holder.scrollTop = chosen.offsetTop - holder.offsetTop - holder.clientHeight / 2;
}

// The buttons of what follows `node`: the main continuation, and after its first move the others, each in a box.
function writeFrom(node) {
  const parts = [];
  let count = tree.cells(node).length;
  for (let at = node; at.children.length; at = at.children[0]) {
    count += 1;
    const [main, ...others] = at.children;
    parts.push(...writeMove(main, count));
    for (const other of others) parts.push(make("div", {class: "variation"}, ...writeMove(other, count), ...writeFrom(other)));
  }
  return parts;
}

function writeMove(node, count) {
  const button = make("button", {type: "button", ...node === tree.current && {"aria-current": "true"}}, nameOf(node.cell));
  button.addEventListener("click", () => {
    tree.current = node;
    moved();
  });
  const share = blackShare(tree, node);
  const said = [coach.label(node) || (isMistake(node) ? "?" : ""), share === null ? "" : formatShare(share), node.comment].filter(Boolean).join(" ");
  // A number stays with its move at the end of a line.
  const parts = [make("span", {class: "move"}, make("span", {class: "number"}, `${count}.`), " ", button), " "];
  return said ? [...parts, make("span", {class: "said"}, said), " "] : parts;
}

function linkHere() {
  const cells = [...tree.start, ...tree.line().map(node => node.cell)];
  const nodes = byId("node-limit").value, lines = Number(byId("line-count").value);
  const limits = nodes ? `;n=${nodes}${lines === LINES ? "" : `;l=${lines}`}${signature ? `;v=${signature}` : ""}` : "";
  return `/${formatLink(tree, cells, tree.cells().length)}${limits}`;
}

function showLinks() {
  if (!isOpen || free) return;
  // The study's id means something to its owner only, and so is in the address but in no link that is handed on.
  history.replaceState(history.state, "", linkHere() + (tree.kept ? `;s=${tree.kept.id}` : ""));
  const holder = byId("study-links"), {lang} = document.documentElement;
  const links = [[say("link_position"), location.origin + linkHere()], ...formatOtherLinks(tree, tree.cells())];
  const fields = holder.querySelectorAll("input");
  if (fields.length === links.length && holder.dataset.language === lang) {
    links.forEach(([, link], index) => { fields[index].value = link; });
  } else {
    holder.replaceChildren(...links.map(([name, link]) => makeCopyField(name, link)));
  }
  holder.dataset.language = lang;
}

// In and out

async function importText(text) {
  try {
    imported = await readText(text);
  } catch (error) {
    announce(error.message || say("no_connection"));
    return;
  }
  byId("imported").replaceChildren(...imported.length > 1 ? imported.map(study => {
    const button = make("button", {type: "button"}, study.title || `${study.width} × ${study.height}`);
    button.addEventListener("click", () => replace(study));
    return make("li", {}, button);
  }) : []);
  replace(imported[0]);
  announce(say("imported", {games: imported.length, moves: tree.line().length}));
}

// The studies in a text of any kind. Links as this page has them in its address are read here, the server reads the rest.
async function readText(text) {
  const link = parseLink(text.trim().replace(/^https?:\/\/[^#]*/, ""));
  if (link) {
    const study = new Tree(link);
    study.add(link.cells);
    for (let count = 0; count < link.ply; count++) study.forward();
    return [study];
  }
  return (await server.ask({type: "import", text: text.replace("\ufeff", "")})).games.map(Tree.fromJson);
}

async function exportAs(format) {
  if (free && !["svg", "png"].includes(format)) return announce(say("set_up_first"));
  const name = `tengen-${tree.width}x${tree.height}`;
  if (format === "svg") return saveFile(makeSvgText(grid.board.svg), `${name}.svg`, "image/svg+xml");
  if (format === "png") return saveFile(await makePng(grid.board.svg), `${name}.png`, "image/png");
  if (format === "gif") {
    announce(say("drawing"));
    saveFile(await makeGif(drawLine()), `${name}.gif`, "image/gif");
    return announce(say("drawn"));
  }
  const content = format === "sgf" ? {study: tree.toJson()} : {position: tree.position(tree.line().at(-1) ?? tree.root)};
  return server.ask({type: "export", format, ...content}).then(
    answer => saveFile(answer.text, `${name}.${format === "pos" ? "txt" : format}`, "text/plain"),
    error => announce(error.message || say("no_connection")));
}

// The drawings of the line from the current position on, of the whole line where that is its end.
function drawLine() {
  const here = tree.current, nodes = [tree.root, ...tree.line()];
  const texts = nodes.slice(here.children.length ? nodes.indexOf(here) : 0).map(node => {
    tree.current = node;
    drawBoard();
    return makeSvgText(grid.board.svg);
  });
  tree.current = here;
  drawBoard();
  return texts;
}

// One line goes as the names of its moves, which other boards read; a tree goes as SGF.
function copyGame() {
  if (free) return announce(say("set_up_first"));
  const cells = [...tree.start, ...tree.line().map(node => node.cell)];
  if (!tree.hasMore()) return copyText(cells.map(nameOf).join(""), null);
  return server.ask({type: "export", format: "sgf", study: tree.toJson()}).then(answer => copyText(answer.text, null),
    error => announce(error.message || say("no_connection")));
}

function playFromHere() {
  if (free) return announce(say("set_up_first"));
  return createGame({
    width: tree.width, height: tree.height, rule: tree.rule, opening: "free", clock: null, start: tree.cells(),
    drawn_by_lot: false, from: null, ...playersFor(tree.toMove()),
  });
}

// The player has the side to move, our brain at full strength the other.
function playersFor(colour) {
  const me = {kind: "local"}, brain = {kind: "brain", brain: "tengen", level: null, turn_ms: 3000, nodes: null};
  return colour ? {black: brain, white: me} : {black: me, white: brain};
}

// Whether the move to this node cost its side much, by the review or the analysis before and after it.
function isMistake(node) {
  if (coach.moves.has(node)) return coach.isMistake(node);
  const before = blackShare(tree, node.parent), after = blackShare(tree, node);
  if (before === null || after === null) return false;
  return (tree.toMove(node) ? before - after : after - before) >= MISTAKE;
}

// To the next or previous mistake of the line.
function goToMistake(by) {
  const line = tree.line(), here = line.indexOf(tree.current);
  const found = by > 0 ? line.slice(here + 1).find(isMistake) : line.slice(0, Math.max(0, here)).findLast(isMistake);
  if (!found) return announce(say("no_mistake"));
  tree.current = found;
  moved();
  return announce(coach.words(found) || say("mistake_at", {number: tree.cells().length, cell: nameOf(found.cell)}));
}

// Keys

// A key of the page's table; false where it means nothing here.
export function onAction(action) {
  const turnOr = (by, end) => tree.turn(by) ? moved() : step(end);
  const turnGame = by => {
    const next = imported[imported.indexOf(tree) + by];
    if (next) replace(next);
  };
  const actions = {
    back: () => step("back"), forward: () => step("forward"), first: () => step("first"), last: () => step("last"),
    previous_variation: () => turnOr(-1, "first"), next_variation: () => turnOr(1, "last"),
    previous_fork: () => { tree.toFork(-1); moved(); }, next_fork: () => { tree.toFork(1); moved(); },
    previous_game: () => turnGame(-1), next_game: () => turnGame(1), undo: () => step("back"), copy: copyGame,
    think: toggleThinking, engine_move: playEngineMove, balance_one: () => findBalance(1), balance_two: () => findBalance(2),
    turn: () => grid.turn(false), mirror: () => grid.turn(true), show_threats: findThreats, stop: stopThinking,
    next_mistake: () => goToMistake(1), previous_mistake: () => goToMistake(-1),
    show_lines: () => { hasLines = !hasLines; show(); }, show_marks: () => { hasMarks = !hasMarks; show(); },
  };
  if (!(action in actions)) return false;
  actions[action]();
  return true;
}

// A key of the board itself.
function command(key, button) {
  if (!hasLetters()) return false;
  const last = tree.current.cell, best = tree.current.analysis?.lines[0];
  const share = blackShare(tree, tree.current);
  const commands = {
    l: () => announce(!last ? say("no_move")
      : say(`cell_${tree.toMove() ? "black" : "white"}_move`, {cell: nameOf(last), number: tree.cells().length})),
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
