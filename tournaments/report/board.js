// The board: one cell is one unit, stones lie on the crossings.

const board = makeSvg({viewBox: `-1.2 -.9 ${width + 1.1} ${height + 1.1}`, class: "board", role: "img"});
const stonesLayer = document.createElementNS(SVG, "g");

function drawBoard() {
  const definitions = draw(board, "defs", {});
  for (const id of ["black-stone", "white-stone"]) {
    const gradient = draw(definitions, "radialGradient", {id, cx: "35%", cy: "30%", r: "75%"});
    draw(gradient, "stop", {offset: 0, class: "light"});
    draw(gradient, "stop", {offset: 1, class: "dark"});
  }
  draw(board, "rect", {class: "wood", x: -1.2, y: -.9, width: width + 1.1, height: height + 1.1});
  let lines = "";
  for (let x = 0; x < width; x++) lines += `M${x} 0V${height - 1}`;
  for (let y = 0; y < height; y++) lines += `M0 ${y}H${width - 1}`;
  draw(board, "path", {class: "lines", d: lines});
  if (width % 2 && height % 2) draw(board, "circle", {class: "star", cx: (width - 1) / 2, cy: (height - 1) / 2, r: .1});
  for (let x = 0; x < width; x++) draw(board, "text", {class: "axis", x, y: height - .1}, String.fromCharCode(97 + x));
  for (let y = 0; y < height; y++) draw(board, "text", {class: "axis", x: -.8, y: y + .14}, height - y);
  board.append(stonesLayer);
  byId("board").append(board);
}

// The ends of every row of five or more through the stone before `count`.
function fivesThrough(game, count) {
  const colours = new Map(game.stones.slice(0, count).map(([x, y], index) => [y * width + x, index % 2]));
  const [x, y] = game.stones[count - 1], own = (count - 1) % 2, rows = [];
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const [before, after] = [-1, 1].map(sign => {
      for (let steps = 1; ; steps++) {
        const cx = x + sign * steps * dx, cy = y + sign * steps * dy;
        if (cx < 0 || cy < 0 || cx >= width || cy >= height || colours.get(cy * width + cx) !== own) return steps - 1;
      }
    });
    if (before + after >= 4) rows.push([[x - before * dx, y - before * dy], [x + after * dx, y + after * dy]]);
  }
  return rows;
}

// The first `ply` stones of the game, and after them the cells of `line`, as stones that are not there.
function drawStones(game, ply, line, hasNumbers) {
  stonesLayer.replaceChildren();
  const stones = game.stones.slice(0, ply);
  const colourOf = index => index % 2 ? "white" : "black";
  stones.forEach(([x, y], index) =>
    draw(stonesLayer, "circle", {class: `stone ${colourOf(index)}`, cx: x, cy: y, r: .46, "data-cell": cellName([x, y])}));
  line.forEach(([x, y], index) =>
    draw(stonesLayer, "circle", {class: `ghost ${colourOf(ply + index)}`, cx: x, cy: y, r: .42}));
  if (ply && ply === game.length && game.ending === data.five) {
    for (const [[x1, y1], [x2, y2]] of fivesThrough(game, ply)) {
      for (const kind of ["casing", "win"]) {
        draw(stonesLayer, "line", {class: `${kind} on-${colourOf(ply - 1)}`, x1, y1, x2, y2});
      }
    }
  }
  [...stones, ...line].forEach(([x, y], index) => {
    if (!hasNumbers && index < ply) return;
    const size = index < 99 ? .42 : .34;
    draw(stonesLayer, "text", {
      class: `number on-${colourOf(index)}`, x, y: y + size * .36, style: `font-size:${size}px`,
    }, index + 1);
  });
  if (ply) {
    const [x, y] = stones[ply - 1];
    draw(stonesLayer, "circle", {class: `mark on-${colourOf(ply - 1)}`, cx: x, cy: y, r: .385});
  }
  const last = ply ? `, the last at ${cellName(stones[ply - 1])}` : "";
  const more = line.length ? `; a line of play goes on with ${line.map(cellName).join(" ")}` : "";
  board.setAttribute("aria-label", `${ply} of ${game.length} stones${last}${more}`);
}
