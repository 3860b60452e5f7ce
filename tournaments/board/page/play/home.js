// The front page: a game in one click, the form for any other, and the games that there are.

import {server} from "../net/connection.js";
import {drawStones, makeBoard} from "../board.js";
import {byId, make, setText} from "../dom.js";
import {parseCell, RULES} from "../board/notation.js";
import {preference, setPreference} from "../shared/preferences.js";
import {formatDate, formatNumber, say} from "../shared/i18n.js";

const FIELDS = ["opponent", "brain", "strength", "level", "seconds", "nodes", "colour", "rule", "opening", "size", "width",
  "height", "clock", "minutes", "increment"];
const DEFAULTS = {opponent: "brain", brain: "tengen", strength: "level", level: "3", seconds: "3", nodes: "200000",
  colour: "lot", rule: "0", opening: "free", size: "15", width: "15", height: "15", clock: "none", minutes: "5", increment: "3"};
export const LEVELS = 10;
const FIND_PAUSE = 250;  // milliseconds without a letter until a search begins

let isBeingFilled = false;  // the player has begun to choose
let ratings = [];   // of the levels, in Elo relative to the last one, as measured
let brains = [{name: "tengen", title: "Tengen", levels: true}];

const form = () => byId("new-game");
const readForm = () => Object.fromEntries(FIELDS.map(name => [name, form().elements[name].value]));

// Whether one has a side to choose.
const hasSide = values => !["local", "others"].includes(values.opponent);

// What a new game is played by, from the form's values.
export function makeSettings(values) {
  const [width, height] = values.size === "other" ? [Number(values.width), Number(values.height)]
    : [Number(values.size), Number(values.size)];
  // Two others play by a link each, and whoever made the game watches.
  const me = {kind: values.opponent === "others" ? "friend" : "local"};
  let other = {kind: values.opponent === "others" ? "friend" : values.opponent};
  if (values.opponent === "brain") {
    const isLevel = values.strength === "level";
    other = {
      kind: "brain", brain: values.brain, level: isLevel ? Number(values.level) : null,
      turn_ms: values.strength === "time" ? Math.round(Number(values.seconds) * 1000) : null,
      nodes: values.strength === "nodes" ? Number(values.nodes) : null,
    };
  }
  let clock = null;
  if (values.clock === "other") clock = {main: Number(values.minutes) * 60, increment: Number(values.increment)};
  else if (values.clock !== "none") {
    const [main, increment] = values.clock.split("+").map(Number);
    clock = {main, increment};
  }
  const isLot = values.colour === "lot" && hasSide(values), isWhite = values.colour === "white" && !isLot;
  return {
    width, height, rule: Number(values.rule), opening: values.opening, black: isWhite ? other : me,
    white: isWhite ? me : other, clock, start: [], drawn_by_lot: isLot, from: null,
  };
}

// A brain by the name that people know it by.
export const titleOf = name => brains.find(brain => brain.name === name)?.title ?? name;

function describeStart(values) {
  const size = values.size === "other" ? `${values.width} × ${values.height}` : `${values.size} × ${values.size}`;
  const strength = {level: say("at_level", {level: values.level}), time: say("at_time", {seconds: values.seconds}),
    nodes: say("at_nodes", {nodes: formatNumber(Number(values.nodes))})}[values.strength];
  const opponent = values.opponent === "brain" ? say("against_brain", {brain: titleOf(values.brain), strength})
    : say(`against_${values.opponent}`);
  const parts = [`${say(`rule_${values.rule}`)}, ${size}`, opponent];
  if (hasSide(values)) parts.push(say(`start_${values.colour}`));
  if (values.opening !== "free") parts.push(say(`opening_${values.opening}`));
  if (values.clock === "other") parts.push(say("clock_start", {minutes: values.minutes, increment: values.increment}));
  else if (values.clock !== "none") {
    const [main, increment] = values.clock.split("+");
    parts.push(say("clock_start", {minutes: Number(main) / 60, increment}));
  }
  return parts.join(" · ");
}

// Shows only the fields that matter for what is chosen.
function refresh() {
  const values = readForm();
  const isBrain = values.opponent === "brain", brain = brains.find(each => each.name === values.brain);
  byId("brain-fields").hidden = !isBrain;
  form().elements.strength.querySelector("[value=level]").disabled = !brain?.levels;
  if (values.strength === "level" && !brain?.levels) form().elements.strength.value = values.strength = "time";
  for (const [id, strength] of [["level-field", "level"], ["time-field", "time"], ["nodes-field", "nodes"]]) {
    byId(id).hidden = values.strength !== strength;
  }
  byId("colour-fields").hidden = !hasSide(values);
  byId("size-fields").hidden = values.size !== "other";
  byId("clock-fields").hidden = values.clock !== "other";
  setText(byId("level-words"), describeLevel(Number(values.level)));
  byId("level-words").hidden = !isBrain || values.strength !== "level";
  // A number that is not asked for is no reason not to begin.
  for (const field of form().querySelectorAll("[type=number]")) {
    field.disabled = field.closest("label[hidden], .pair[hidden], .fields[hidden]") !== null;
  }
  setText(byId("rule-words"), say(`rule_words_${values.rule}`));
  setText(byId("opening-words"), say(`opening_words_${values.opening}`));
}

// What was chosen last.
const lastChosen = () => stillThere({...DEFAULTS, ...preference("newGame", {})});

// These choices, as far as there still is such a choice: a brain may be gone.
function stillThere(chosen) {
  for (const name of FIELDS) {
    const {options} = form().elements[name];
    if (options && ![...options].some(({value}) => value === String(chosen[name]))) chosen[name] = DEFAULTS[name];
  }
  return chosen;
}

function showQuick() {
  setText(byId("quick-words"), describeStart(lastChosen()));
}

export async function loadRatings() {
  ratings = (await (await fetch("/page/levels.json")).json()).levels;
}

// What a level is worth, as measured; a list that is closed has no room for it.
function describeLevel(level) {
  const rating = ratings.find(each => each.level === level)?.rating ?? 0;
  return rating ? say("level_rated", {gap: formatNumber(Math.round(-rating / 50) * 50)}) : say("full_strength");
}

export function prepareHome(create) {
  byId("more-games").addEventListener("click", () => askGames(byId("games-list").children.length));
  let asking;
  byId("find-games").addEventListener("input", () => {
    clearTimeout(asking);
    asking = setTimeout(askGames, FIND_PAUSE);
  });
  form().addEventListener("change", refresh);
  form().addEventListener("input", () => { isBeingFilled = true; });
  form().addEventListener("submit", event => {
    event.preventDefault();
    const values = readForm();
    setPreference("newGame", values);
    create(makeSettings(values));
  });
  byId("quick").addEventListener("click", () => create(makeSettings(lastChosen())));
}

// Writes what depends on the language and on the brains that the server knows.
export function fillHome(known) {
  if (known?.length) brains = known;
  const {elements} = form(), shown = readForm();
  elements.brain.replaceChildren(...brains.map(({name, title}) => make("option", {value: name}, title ?? name)));
  elements.level.replaceChildren(...Array.from({length: LEVELS}, (_, index) =>
    make("option", {value: index + 1}, say(`level_${index + 1}`))));
  elements.rule.replaceChildren(...Object.keys(RULES).map(rule => make("option", {value: rule}, say(`rule_${rule}`))));
  const values = isBeingFilled ? stillThere(shown) : lastChosen();
  for (const name of FIELDS) elements[name].value = values[name];
  refresh();
  showQuick();
  drawHomeBoard();
}

// A position of a real opening, only to look at.
function drawHomeBoard() {
  const board = makeBoard(15, 15);
  const names = ["h8", "i9", "g7", "i7", "i8", "g8", "h9", "f7", "h7", "h6", "j10"];
  drawStones(board, {stones: names.map((name, index) => ({cell: parseCell(name, 15, 15), colour: index % 2}))});
  byId("front-board").replaceChildren(board.svg);
}

// Asks for the games that are looked for; with `skip` for those that follow as many of them.
export function askGames(skip = 0) {
  server.send({type: "games", skip, find: byId("find-games").value});
}

// The games that fit `find`, or with `skip` those that follow as many in the list.
export function fillGames({games, more = false, skip = 0, find = ""}) {
  if (find !== byId("find-games").value) return;  // meanwhile others are looked for
  byId("no-games").hidden = games.length > 0 || skip > 0;
  setText(byId("no-games"), say(find.trim() ? "no_games_found" : "no_games"));
  byId("more-games").hidden = !more;
  const before = [...byId("games-list").children].slice(0, skip);
  byId("games-list").replaceChildren(...before, ...games.map(game => {
    if (game.broken) return make("li", {}, make("span", {class: "soft"}, `${say("game_broken")} · ${formatDate(game.created)}`));
    const hasFriend = game.kinds.filter(kind => kind === "friend").length === 1;  // two friends go by their colours
    const names = game.names.map((name, colour) => name ? titleOf(name)
      : say(hasFriend && game.kinds[colour] === "friend" ? "friend" : colour ? "white" : "black"));
    const result = game.phase === "over" ? say("game_over", {plies: game.plies}) : say("game_on", {plies: game.plies});
    const score = game.phase !== "over" ? "" : { 0: "1–0", 1: "0–1" }[game.winner] ?? "½–½";
    const words = `${say(`rule_${game.rule}`)} ${game.width} × ${game.height} · ${result} · ${formatDate(game.created)}`;
    return make("li", {}, make("a", {href: `/g/${game.game}`},
      make("span", {class: "names"},
        make("i", {class: "stone-black"}), names[0], " – ", make("i", {class: "stone-white"}), names[1]),
      make("span", {class: "score"}, score), make("span", {class: "soft"}, words)));
  }));
}
