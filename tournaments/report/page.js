"use strict";
// Replays the games of the report. Text from outside only ever becomes the content of text nodes.
//
// data: width, height of the board; names, colours (0-7) and scales (a typical score) by player; endings by number, and
// which of them is `five`; games, each an array: number, black, white (players), winner (0 Black, 1 White, -1 nobody,
// -2 not known), ending, reason, stones of the opening, what the last column of the list says, stones as two letters
// each (column and row), milliseconds, scores (a number, "M5", "-M4" or null, from the mover's view) and depths.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const {width, height, names, endings} = data;
  const games = data.games.map(row => {
    const [number, black, white, winner, ending, reason, openingPlies, last, letters, ms, scores, depths] = row;
    const stones = [];
    for (let i = 0; i < letters.length; i += 2) {
      stones.push([letters.charCodeAt(i) - 97, letters.charCodeAt(i + 1) - 97]);
    }
    return {number, players: [black, white], winner, ending, reason, openingPlies, last, stones, ms, scores, depths};
  });
  const byId = id => document.getElementById(id);
  const RESULTS = {"0": "1–0", "1": "0–1", "-1": "½–½", "-2": "*"};
  const ICONS = {
    first: "M3 3h2v10H3zM13 3v10L6 8z", last: "M11 3h2v10h-2zM3 3v10l7-5z",
    back: "M10.5 2.5L5 8l5.5 5.5 1.4-1.4L7.8 8l4.1-4.1z", forward: "M5.5 2.5L11 8l-5.5 5.5-1.4-1.4L8.2 8 4.1 3.9z",
    play: "M4 2.5L13 8l-9 5.5z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
  };
  const SVG = "http://www.w3.org/2000/svg";
  let shown = games;      // what the filters leave, in order
  let game = null;        // the one in the viewer
  let ply = 0;            // how many of its stones are on the board
  let timer = 0;

  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function draw(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  function setIcon(button, name) {
    button.replaceChildren();
    draw(draw(button, "svg", {class: "icon", viewBox: "0 0 16 16"}), "path", {d: ICONS[name]});
  }

  const cellName = ([x, y]) => String.fromCharCode(97 + x) + (y + 1);
  const seconds = ms => ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2)} s`;

  // The board: one cell is one unit, stones lie on the crossings.

  const board = document.createElementNS(SVG, "svg");
  const stonesLayer = document.createElementNS(SVG, "g");
  function drawBoard() {
    board.setAttribute("viewBox", `-1.2 -1.2 ${width + 1.1} ${height + 1.1}`);
    board.setAttribute("class", "board");
    board.setAttribute("role", "img");
    const definitions = draw(board, "defs", {});
    for (const [id, light, dark] of [["black-stone", "#5b6066", "#0c0d0f"], ["white-stone", "#ffffff", "#d9d5c8"]]) {
      const gradient = draw(definitions, "radialGradient", {id, cx: "35%", cy: "30%", r: "75%"});
      draw(gradient, "stop", {offset: 0, "stop-color": light});
      draw(gradient, "stop", {offset: 1, "stop-color": dark});
    }
    draw(board, "rect", {class: "wood", x: -1.2, y: -1.2, width: width + 1.1, height: height + 1.1});
    let lines = "";
    for (let x = 0; x < width; x++) lines += `M${x} 0V${height - 1}`;
    for (let y = 0; y < height; y++) lines += `M0 ${y}H${width - 1}`;
    draw(board, "path", {class: "lines", d: lines});
    if (width % 2 && height % 2) draw(board, "circle", {class: "star", cx: (width - 1) / 2, cy: (height - 1) / 2, r: .1});
    for (let x = 0; x < width; x++) draw(board, "text", {class: "axis", x, y: -.68}, String.fromCharCode(97 + x));
    for (let y = 0; y < height; y++) draw(board, "text", {class: "axis", x: -.8, y: y + .14}, y + 1);
    board.append(stonesLayer);
    byId("board").append(board);
  }

  function fiveThrough(count) {
    // The cells of every row of five or more through the last stone.
    const colours = new Map(game.stones.slice(0, count).map(([x, y], index) => [y * width + x, index % 2]));
    const [x, y] = game.stones[count - 1], own = (count - 1) % 2, cells = [];
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const row = [[x, y]];
      for (const sign of [1, -1]) {
        for (let step = sign; ; step += sign) {
          const cx = x + step * dx, cy = y + step * dy;
          if (cx < 0 || cy < 0 || cx >= width || cy >= height || colours.get(cy * width + cx) !== own) break;
          row.push([cx, cy]);
        }
      }
      if (row.length >= 5) cells.push(...row);
    }
    return cells;
  }

  function drawStones() {
    stonesLayer.replaceChildren();
    const numbers = byId("numbers").checked;
    game.stones.slice(0, ply).forEach(([x, y], index) => {
      const colour = index % 2 ? "white" : "black";
      draw(stonesLayer, "circle", {class: `stone ${colour}`, cx: x, cy: y, r: .46, "data-cell": cellName([x, y])});
      if (numbers) {
        const size = index < 99 ? .42 : .34;
        draw(stonesLayer, "text", {class: `number on-${colour}`, x, y: y + size * .36, style: `font-size:${size}px`}, index + 1);
      }
    });
    if (ply) {
      const [x, y] = game.stones[ply - 1];
      draw(stonesLayer, "circle", {class: "mark", cx: x, cy: y, r: .46});
      if (ply === game.stones.length && game.ending === data.five) {
        for (const [cx, cy] of fiveThrough(ply)) draw(stonesLayer, "circle", {class: "win", cx, cy, r: .46});
      }
    }
    const last = ply ? `, the last at ${cellName(game.stones[ply - 1])}` : "";
    board.setAttribute("aria-label", `${ply} of ${game.stones.length} stones${last}`);
  }

  // The graph: above, what both sides say about Black's chances; below, how long they think.

  const GRAPH = {width: 400, height: 212, left: 24, right: 8, top: 8, middle: 132, pace: 156, bottom: 206};
  const across = count => GRAPH.left + (GRAPH.width - GRAPH.left - GRAPH.right) * count / Math.max(1, game.stones.length);
  let now = null;

  // Records of others may know no times; then nothing is said of them.
  const isTimed = () => game.ms.some(ms => ms > 0);

  function chance(index) {
    // From -1 (White wins) to 1 (Black wins), null where nothing was said. A typical score is half of the way.
    const score = game.scores[index];
    if (score === null || score === undefined) return null;
    const sign = index % 2 ? -1 : 1;
    if (typeof score === "string") return score[0] === "-" ? -sign : sign;
    return sign * score / (Math.abs(score) + data.scales[game.players[index % 2]]);
  }

  function drawGraph() {
    const plot = document.createElementNS(SVG, "svg");
    plot.setAttribute("viewBox", `0 0 ${GRAPH.width} ${GRAPH.height}`);
    plot.setAttribute("class", "plot");
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", "What both sides say about Black's chances, and how long they think");
    const inner = GRAPH.width - GRAPH.left - GRAPH.right, centre = (GRAPH.top + GRAPH.middle) / 2;
    draw(plot, "rect", {class: "frame", x: GRAPH.left, y: GRAPH.top, width: inner, height: GRAPH.middle - GRAPH.top});
    draw(plot, "path", {class: "middle", d: `M${GRAPH.left} ${centre}h${inner}`});
    draw(plot, "text", {x: 4, y: GRAPH.top + 12}, "B");
    draw(plot, "text", {x: 4, y: GRAPH.middle - 2}, "W");
    const slowest = Math.max(1, ...game.ms);
    for (const side of [0, 1]) {
      const colour = `c${data.colours[game.players[side]]}`;
      let points = "";
      for (let index = side; index < game.stones.length; index += 2) {
        const value = chance(index), x = across(index + 1);
        if (value !== null) points += `${x.toFixed(1)},${(centre - value * (GRAPH.middle - GRAPH.top) / 2).toFixed(1)} `;
        const tall = (GRAPH.bottom - GRAPH.pace) * Math.sqrt(game.ms[index] / slowest);
        const wide = Math.max(1, inner / Math.max(20, game.stones.length) * .7);
        if (tall > 0) draw(plot, "rect", {class: `pace ${colour}`, x: x - wide / 2, y: GRAPH.bottom - tall, width: wide, height: tall});
      }
      if (points) draw(plot, "polyline", {class: `curve ${colour}`, points: points.trim()});
    }
    if (isTimed()) draw(plot, "text", {x: GRAPH.left, y: GRAPH.pace - 6}, `time a move, up to ${seconds(slowest)}`);
    now = draw(plot, "path", {class: "now", d: ""});
    plot.addEventListener("click", event => {
      const box = plot.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * GRAPH.width;
      goTo(Math.round((x - GRAPH.left) / inner * game.stones.length));
    });
    byId("graph").replaceChildren(plot);
  }

  // One game

  function open(chosen, count) {
    stop();
    game = chosen;
    const points = {"0": ["1", "0"], "1": ["0", "1"], "-1": ["½", "½"], "-2": ["", ""]}[game.winner];
    byId("players").replaceChildren(...[0, 1].map(side => make("div", {class: "side"},
      make("i", {class: side ? "is-white" : "is-black"}), make("span", {}, names[game.players[side]]),
      make("u", {class: `c${data.colours[game.players[side]]}`}), make("b", {}, points[side]))));
    byId("result").textContent = `Game ${game.number}: ${game.reason}`;
    byId("slider").max = game.stones.length;
    byId("moves").replaceChildren(...game.stones.map((cell, index) => {
      const button = make("button", {type: "button"}, cellName(cell));
      button.addEventListener("click", () => goTo(index + 1));
      return make("li", index < game.openingPlies ? {class: "opening"} : {}, button);
    }));
    drawGraph();
    for (const row of byId("list").children) mark(row, row.game === game);
    const place = shown.indexOf(game);
    byId("previous").disabled = place <= 0;
    byId("next").disabled = place < 0 || place === shown.length - 1;
    goTo(count === undefined ? game.stones.length : count);
  }

  function mark(row, isChosen) {
    row.setAttribute("aria-selected", isChosen);
    if (isChosen) {
      const list = row.closest(".list"), top = row.offsetTop - list.clientHeight / 2;
      if (row.offsetTop < list.scrollTop + 40 || row.offsetTop > list.scrollTop + list.clientHeight - 40) list.scrollTop = top;
    }
  }

  function goTo(count) {
    ply = Math.max(0, Math.min(game.stones.length, count));
    drawStones();
    byId("slider").value = ply;
    byId("first").disabled = byId("back").disabled = ply === 0;
    byId("last").disabled = byId("forward").disabled = ply === game.stones.length;
    now.setAttribute("d", `M${across(ply)} ${GRAPH.top}V${GRAPH.bottom}`);
    byId("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (ply) {
      const button = byId("moves").children[ply - 1].firstChild, list = byId("moves");
      button.setAttribute("aria-current", "true");
      list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    byId("stone").textContent = describe();
    history.replaceState(null, "", `#game=${game.number}&stones=${ply}`);
  }

  function describe() {
    if (!ply) return `The empty board; ${game.stones.length} stones follow.`;
    const index = ply - 1;
    let text = `${ply}. ${names[game.players[index % 2]]} ${cellName(game.stones[index])}`;
    if (index < game.openingPlies) return `${text}, the opening`;
    if (isTimed()) text += `, ${seconds(game.ms[index])}`;
    const depth = game.depths[index], score = game.scores[index];
    if (depth !== null && depth !== undefined) text += `, depth ${depth}`;
    if (score !== null && score !== undefined) text += `, score ${score}`;
    return text;
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
    if (ply === game.stones.length) goTo(0);
    setIcon(byId("play"), "pause");
    timer = setInterval(() => {
      goTo(ply + 1);
      if (ply === game.stones.length) stop();
    }, 500);
  }

  function turnPage(by) {
    const next = shown[shown.indexOf(game) + by];
    if (next) open(next);
  }

  // The list

  function fillList() {
    const [brain, opponent, winner, ending] = ["brain", "opponent", "winner", "ending"].map(id => byId(id).value);
    shown = games.filter(({players, winner: won, ending: ended}) =>
      (!brain || players.includes(+brain)) && (!opponent || players.includes(+opponent)) &&
      (!brain || !opponent || brain !== opponent) && (!winner || won === +winner) && (!ending || ended === +ending));
    byId("list").replaceChildren(...shown.map(entry => {
      const row = make("tr", {"aria-selected": entry === game}, make("td", {}, entry.number),
        ...[0, 1].map(side => make("td", entry.winner === side ? {class: "won"} : {}, names[entry.players[side]])),
        make("td", {}, RESULTS[entry.winner]), make("td", {}, endings[entry.ending]), make("td", {}, entry.stones.length),
        make("td", {}, entry.last));
      row.game = entry;
      return row;
    }));
    byId("count").textContent = shown.length === 1 ? "1 game" : `${shown.length} games`;
  }

  function fillFilters() {
    for (const id of ["brain", "opponent"]) {
      byId(id).append(make("option", {value: ""}, "any"), ...names.map((name, index) => make("option", {value: index}, name)));
    }
    if (games.some(entry => entry.winner === -2)) byId("winner").append(make("option", {value: -2}, "not known"));
    const seen = [...new Set(games.map(entry => entry.ending))].sort((a, b) => a - b);
    byId("ending").append(make("option", {value: ""}, "any"), ...seen.map(index => make("option", {value: index}, endings[index])));
    for (const id of ["brain", "opponent", "winner", "ending"]) {
      byId(id).addEventListener("change", () => {
        fillList();
        if (shown.length) open(shown.includes(game) ? game : shown[0], shown.includes(game) ? ply : undefined);
      });
    }
  }

  const KEYS = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity),
    PageUp: () => turnPage(-1), PageDown: () => turnPage(1), " ": play,
  };

  function start() {
    for (const part of document.querySelectorAll("#games [hidden]")) part.hidden = false;
    drawBoard();
    fillFilters();
    fillList();
    for (const name of ["first", "back", "play", "forward", "last"]) setIcon(byId(name), name);
    byId("first").addEventListener("click", () => step(-Infinity));
    byId("back").addEventListener("click", () => step(-1));
    byId("play").addEventListener("click", play);
    byId("forward").addEventListener("click", () => step(1));
    byId("last").addEventListener("click", () => step(Infinity));
    byId("previous").addEventListener("click", () => turnPage(-1));
    byId("next").addEventListener("click", () => turnPage(1));
    byId("numbers").addEventListener("change", drawStones);
    byId("slider").addEventListener("input", () => { stop(); goTo(+byId("slider").value); });
    byId("list").addEventListener("click", event => {
      const row = event.target.closest("tr");
      if (row) open(row.game);
    });
    document.addEventListener("keydown", event => {
      const isTyping = event.target.closest("select, input[type=range], summary");
      const isButton = event.target.closest("button, input, a") && event.key === " ";
      if (!(event.key in KEYS) || isTyping || isButton || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      // Away from the games these keys scroll the page as they always do.
      const box = byId("games").getBoundingClientRect();
      if (box.top > innerHeight * .8 || box.bottom < innerHeight * .2) return;
      event.preventDefault();
      KEYS[event.key]();
    });
    addEventListener("hashchange", followLink);
    const before = location.hash;
    if (!followLink()) {
      open(games[0]);
      history.replaceState(null, "", before || location.pathname);
    }
  }

  function followLink() {
    // Opens what the address asks for, "#game=2&stones=17"; false where it asks for no game.
    const wanted = /^#game=(\d+)(?:&stones=(\d+))?$/.exec(location.hash);
    const found = wanted && games.find(entry => entry.number === +wanted[1]);
    if (!found) return false;
    open(found, wanted[2] && +wanted[2]);
    byId("games").scrollIntoView();
    return true;
  }

  start();
})();
