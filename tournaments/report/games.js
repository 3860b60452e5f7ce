// The games, as games.py packs them.
//
// data: width and height of the board; players, each with its name, the classes `colour` and `dash` and the outline
// `shape` of its mark, and `scale`, a typical score; endings, by number, and which of them is `five`; games, packed.

const data = JSON.parse(byId("data").textContent);
const {width, height, players, endings} = data;
const MATE = 10, MESSAGE_END = "\x1f", GAME_END = "\x1e";
const COLUMNS = ["cells", "ms", "depths", "scores", "kinds", "nodes"];

async function inflate(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A function from a place to the number there, to its text where it is one of the exceptions, or to null.
function readColumn(bytes, count, exceptions, isSigned) {
  const planes = count ? bytes.length / count : 0;
  return place => {
    let stored = 0;
    for (let plane = planes; plane--;) stored = stored * 256 + bytes[plane * count + place];
    if (stored === 0) return exceptions[place] ?? null;
    if (!isSigned) return stored - 1;
    return stored % 2 ? (stored - 1) / 2 : -stored / 2;
  };
}

// A score as {text, value}, value null for a forced win or loss: "M5", "-M4".
function readScore(entry, kind) {
  if (kind === null) return null;
  const sign = String(entry).startsWith("-") ? "-" : "";
  if (kind === MATE) return {text: `${sign}M${String(entry).replace("-", "")}`, value: null, sign: sign ? -1 : 1};
  let text = String(entry);
  if (kind > 0) {
    const digits = String(Math.abs(entry)).padStart(kind + 1, "0");
    text = `${sign}${digits.slice(0, -kind)}.${digits.slice(-kind)}`;
  }
  return {text, value: Number(text)};
}

// All games: what the list says of them, and `unpack`, which adds what the viewer shows.
async function readGames() {
  const packed = data.games;
  const decoder = new TextDecoder();
  const [index, messages, ...columns] = await Promise.all([
    inflate(packed.index).then(bytes => JSON.parse(decoder.decode(bytes))),
    packed.messages ? inflate(packed.messages).then(bytes => decoder.decode(bytes).split(GAME_END)) : null,
    ...COLUMNS.map(name => packed[name] === undefined ? null : inflate(packed[name])),
  ]);
  const count = index.lengths.reduce((sum, length) => sum + length, 0);
  const [cells, ms, depths, scores, kinds, nodes] = columns.map((bytes, number) => {
    const name = COLUMNS[number];
    return bytes === null ? () => null : readColumn(bytes, count, packed.exceptions[name] ?? {}, name === "scores");
  });
  let start = 0;
  return index.numbers.map((number, place) => {
    const game = {
      number, place, start, length: index.lengths[place], players: [index.black[place], index.white[place]],
      winner: index.winners[place], ending: index.endings[place], reason: index.reasons[place],
      origin: index.origins[place], openingPlies: index.openings[place], sgf: index.sgf[place], psq: index.psq[place],
    };
    start += game.length;
    game.unpack = () => {
      const places = Array.from({length: game.length}, (_, ply) => game.start + ply);
      game.stones = places.map(cells).map(cell => cell === null ? null : [cell % width, Math.floor(cell / width)]);
      game.ms = places.map(ms);
      game.depths = places.map(depths);
      game.scores = places.map(at => readScore(scores(at), kinds(at)));
      game.nodes = places.map(nodes);
      game.messages = messages ? messages[place].split(MESSAGE_END) : [];
    };
    return game;
  });
}

// As people name a cell: a letter from the left, a number from the bottom. A pass is null.
const nameOfCell = cell => cell === null ? "pass" : cellName(cell, height);

const seconds = ms => ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2)} s`;
