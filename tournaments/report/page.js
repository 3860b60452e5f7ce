// The viewer of a game, and what brings the parts together: buttons, keys, links.

let game = null;     // the one in the viewer
let ply = 0;         // how many of its stones are on the board
let fromTop = [];    // for each side, whether the brain counts rows from the top in its lines of play
let line = [];       // the cells of a line of play that are drawn after the stones
let timer = 0;

const board = makeBoard(width, height);
board.svg.setAttribute("role", "img");

function drawAll() {
  const stones = game.stones.slice(0, ply).map((cell, index) => ({cell, colour: index % 2, number: index + 1}))
    .filter(({cell}) => cell !== null);
  const more = line.map((cell, index) => ({cell, colour: (ply + index) % 2, number: ply + index + 1}));
  const isWon = stones.length && ply === game.length && game.ending === data.five;
  const rows = isWon ? fivesThrough(board, stones, stones.at(-1).cell) : [];
  drawStones(board, {stones, line: more, rows, hasNumbers: byId("numbers").checked,
    hasMark: ply > 0 && game.stones[ply - 1] !== null});
  const last = ply ? `, the last ${game.stones[ply - 1] === null ? "a pass" : `at ${nameOfCell(game.stones[ply - 1])}`}` : "";
  const goesOn = line.length ? `; a line of play goes on with ${line.map(nameOfCell).join(" ")}` : "";
  board.svg.setAttribute("aria-label", `${ply} of ${game.length} stones${last}${goesOn}`);
}

function open(chosen, count) {
  stop();
  game = chosen;
  game.unpack();
  fromTop = [0, 1].map(side => countsFromTop(game, side));
  const points = {"0": ["1", "0"], "1": ["0", "1"], "-1": ["½", "½"], "-2": ["", ""]}[game.winner];
  byId("players").replaceChildren(...[0, 1].map(side => make("div", {class: "side"},
    make("i", {class: side ? "is-white" : "is-black"}), make("span", {}, nameOf(game, side)),
    makeMark(players[game.players[side]]), make("b", {}, points[side]))));
  setText(byId("result"), `Game ${game.number}: ${game.reason}`);
  byId("slider").max = game.length;
  byId("save-psq").disabled = game.stones.includes(null);
  byId("save-psq").title = byId("save-psq").disabled ? "A .psq file cannot hold a pass" : "";
  byId("moves").replaceChildren(...game.stones.map((cell, index) => {
    const button = make("button", {type: "button"}, nameOfCell(cell));
    button.addEventListener("click", () => goTo(index + 1));
    return make("li", index < game.openingPlies ? {class: "opening"} : {}, button);
  }));
  drawGraph(game, goTo);
  markRow(game);
  goTo(count === undefined ? game.length : count);
}

function goTo(count) {
  ply = Math.max(0, Math.min(game.length, count));
  line = [];
  drawAll();
  byId("slider").value = ply;
  byId("first").disabled = byId("back").disabled = ply === 0;
  byId("last").disabled = byId("forward").disabled = ply === game.length;
  markOnGraph(game, ply);
  byId("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (ply) {
    const button = byId("moves").children[ply - 1].firstChild, list = byId("moves");
    button.setAttribute("aria-current", "true");
    list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  setText(byId("stone"), describe());
  showInfo();
  const filters = Object.entries(filterValues()).filter(([, value]) => value);
  const address = new URLSearchParams([["game", game.number], ["stones", ply], ...filters]);
  history.replaceState(null, "", `#${address}`);
}

function describe() {
  if (!ply) return `The empty board; ${game.length} stones follow.`;
  const index = ply - 1;
  let text = `${ply}. ${nameOf(game, index % 2)} ${nameOfCell(game.stones[index])}`;
  if (index < game.openingPlies) return `${text}, the opening`;
  if (isTimed(game)) text += `, ${seconds(game.ms[index])}`;
  const depth = game.depths[index], score = game.scores[index];
  if (depth !== null) text += `, depth ${depth}`;
  if (score !== null) text += `, score ${score.text}`;
  return text;
}

// What the brain said of the move that is shown: its line of play, and its MESSAGEs.
function showInfo() {
  const index = ply - 1, said = ply ? game.messages[index] ?? "" : "";
  const cells = ply ? findLine(game, index, fromTop[index % 2]) : [];
  const isPlayed = cells.length > 0 && String(cells[0]) === String(game.stones[index]);
  const parts = cells.map((cell, count) => {
    if (!isPlayed || count === 0) return make("span", {}, nameOfCell(cell));
    const button = make("button", {type: "button", "aria-pressed": "false"}, nameOfCell(cell));
    button.addEventListener("click", () => showLine(cells.slice(1), count, button));
    return button;
  });
  byId("variation").replaceChildren(...parts.length ? [make("span", {class: "head"}, "Line of play"), ...parts] : []);
  byId("messages").hidden = !said;
  byId("messages").lastElementChild.textContent = said.split("\n").map(printable).join("\n");
}

function showLine(cells, count, button) {
  const isOn = button.getAttribute("aria-pressed") === "true";
  stop();
  for (const other of byId("variation").querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-pressed", String(!isOn));
  line = isOn ? [] : cells.slice(0, count);
  drawAll();
}

function step(by) {
  stop();
  goTo(ply + by);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  setIcon(byId("play"), "play");
}

function play() {
  if (timer) return stop();
  if (ply === game.length) goTo(0);
  setIcon(byId("play"), "pause");
  timer = setInterval(() => {
    goTo(ply + 1);
    if (ply === game.length) stop();
  }, 500);
}

function turnGame(by) {
  const next = shown[shown.indexOf(game) + by];
  if (!next) return;
  open(next);
  showInList(next);
}

function turnPage(by) {
  page += by;
  fillList(game);
}

function refilter() {
  applyFilters();
  fillList(game);
  if (!shown.length) return;
  if (shown.includes(game)) open(game, ply);
  else open(shown[0]);
}

const KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity),
  PageUp: () => turnGame(-1), PageDown: () => turnGame(1), " ": play,
};

function onKey(event) {
  const isTyping = event.target.closest("select, input[type=range], summary, pre, .frame.cut > .wide:not(.list)");
  const isButton = event.target.closest("button, input, a") && event.key === " ";
  if (!(event.key in KEYS) || isTyping || isButton || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  // Away from the games these keys scroll the page as they always do.
  const box = byId("games").getBoundingClientRect();
  if (box.top > innerHeight * .8 || box.bottom < innerHeight * .2) return;
  event.preventDefault();
  KEYS[event.key]();
}

// Shows what the address asks for: "#game=2&stones=17" a game, "#brain=0&result=lost" those that the filters leave.
// False where it asks for neither. An address says all filters, so that the browser's Back brings the earlier ones.
function followLink() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const chosen = wanted.has("game") ? games.find(entry => String(entry.number) === wanted.get("game")) : undefined;
  const named = Object.entries(FILTERS).filter(([name]) => wanted.has(name));
  // "#time" and the like lead to a part of the page and leave the games as they are.
  if (!chosen && !named.length && location.hash) return false;
  const set = Object.values(FILTERS).filter(id => byId(id).value);
  if (named.length || set.length) {
    for (const id of set) byId(id).value = "";
    for (const [name, id] of named) {
      byId(id).value = wanted.get(name);
      if (byId(id).selectedIndex < 0) byId(id).value = "";
    }
    applyFilters();
    fillList(game);
  }
  if (!chosen && !named.length) return false;
  const opened = chosen ?? shown[0];
  const stones = wanted.get("stones");
  if (opened) {
    open(opened, /^\d+$/.test(stones ?? "") ? +stones : undefined);
    showInList(opened);
  }
  (chosen ? byId("games") : document.querySelector("#games .filters")).scrollIntoView();
  return true;
}

async function start() {
  prepareTables();
  try {
    games = await readGames();
  } catch (error) {
    byId("trouble").hidden = false;
    setText(byId("trouble"), `The games cannot be unpacked; a browser from 2023 or later can do it. (${error.message})`);
    return;
  }
  for (const part of document.querySelectorAll("#games [hidden]:not(#trouble)")) part.hidden = false;
  byId("board").append(board.svg);
  fillFilters();
  applyFilters();
  fillList(null);
  const table = byId("list").closest("table");
  table.tHead.rows[0].cells[0].setAttribute("aria-sort", "ascending");
  addSortButtons(table, () => false, (column, sign) => {
    order = {column, sign};
    sortShown();
    fillList(game);
  });
  for (const name of ["first", "back", "play", "forward", "last"]) setIcon(byId(name), name);
  const clicks = {
    first: () => step(-Infinity), back: () => step(-1), play, forward: () => step(1), last: () => step(Infinity),
    previous: () => turnGame(-1), next: () => turnGame(1), "page-back": () => turnPage(-1), "page-on": () => turnPage(1),
    "save-sgf": () => save(game, formatSgf(game), "sgf"), "save-psq": () => save(game, formatPsq(game), "psq"),
    all: () => {
      for (const id of Object.values(FILTERS)) byId(id).value = "";
      refilter();
    },
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  byId("numbers").addEventListener("change", drawAll);
  byId("slider").addEventListener("input", () => { stop(); goTo(+byId("slider").value); });
  for (const id of Object.values(FILTERS)) byId(id).addEventListener("change", refilter);
  byId("list").addEventListener("click", event => {
    const row = event.target.closest("tr");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(row.game);
  });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", followLink);
  const before = location.hash;
  if (!followLink()) {
    open(games[0]);
    history.replaceState(null, "", before || location.pathname);
  }
}

start();
