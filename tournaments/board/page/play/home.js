// The front page: a game in one click against a kind of player, and the form for any other.

import {drawStones, makeBoard} from "../board.js";
import {byId, draw, find, make, setText, targetOf} from "../dom.js";
import {parseCell} from "../board/notation.js";
import {
  canTeach, DEFAULTS, describeChoices, FIELDS, hasLevel, hasRenjuOpenings, hasSide, LEVELS, makeOpponent, makeSettings, RENJU_OPENINGS, RULE_NUMBERS,
} from "./settings.js";
import {nameOfLevel, showKinds, winsAgainstNext} from "./kinds.js";
import {ownName, preference, setPreference} from "../shared/preferences.js";
import {served} from "../shared/served.js";
import {say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").BrainLine} Brain
 * @typedef {import("./settings.js").Choices} Choices
 * @typedef {import("./settings.js").Field} Field
 */

const home = {
  isBeingFilled: false,  // the player has begun to choose
  /** @type {{level: number, rating: number}[]} of the levels, in Elo relative to the last one, as measured */
  ratings: [],
  /** @type {Brain[]} */
  brains: [{name: "tengen", title: "Tengen", levels: true}],
};

const form = () => byId("new-game", HTMLFormElement);

/**
 * A field of the form: a list, an input, or radio buttons.
 * @param {Field} name
 */
const field = name => /** @type {HTMLSelectElement | HTMLInputElement | RadioNodeList} */ (form().elements.namedItem(name));

/** @param {Field} name */
const list = name => find(form(), `select[name=${name}]`, HTMLSelectElement);

/** @returns {Choices} */
const readForm = () => /** @type {Choices} */ (Object.fromEntries(FIELDS.map(name => [name, field(name).value])));

/**
 * The name of a brain for people.
 * @param {string} name
 */
export const titleOf = name => home.brains.find(brain => brain.name === name)?.title ?? name;

// Shows only the fields that matter for the current choices.
function refresh() {
  const choices = readForm(), isBrain = choices.opponent === "brain", isShow = choices.opponent === "brains";
  const hasLevels = Boolean(home.brains.find(each => each.name === choices.brain)?.levels);
  byId("brain-fields").hidden = !isBrain && !isShow;
  byId("other-fields").hidden = !isShow;
  for (const strength of ["level", "follow"]) find(list("strength"), `[value=${strength}]`, HTMLOptionElement).disabled = !hasLevels;
  find(list("strength"), "[value=follow]", HTMLOptionElement).hidden = isShow;
  if (hasLevel(choices.strength) && !hasLevels) list("strength").value = choices.strength = "time";
  if (isShow && choices.strength === "follow") list("strength").value = choices.strength = "level";
  byId("other-level-field").hidden = !hasLevel(choices.strength) || choices.other_brain !== DEFAULTS.brain;
  setText(byId("brain-word"), say(isShow ? "black_brain" : "brain"));
  const isRenju = hasRenjuOpenings(choices);
  for (const opening of RENJU_OPENINGS) find(list("opening"), `[value="${opening}"]`, HTMLOptionElement).hidden = !isRenju;
  if (!isRenju && RENJU_OPENINGS.includes(choices.opening)) list("opening").value = choices.opening = DEFAULTS.opening;
  byId("level-field").hidden = !hasLevel(choices.strength);
  // The other brain may have no levels, and takes its time.
  const isTimed = choices.strength === "time" || isShow && hasLevel(choices.strength) && choices.other_brain !== DEFAULTS.brain;
  byId("time-field").hidden = !isTimed;
  byId("nodes-field").hidden = choices.strength !== "nodes";
  byId("colour-fields").hidden = byId("name-field").hidden = !hasSide(choices);
  byId("size-fields").hidden = choices.size !== "other";
  byId("clock-fields").hidden = choices.clock !== "other";
  for (const option of list("clock").options) {
    const [main, increment] = option.value.split("+").map(Number);
    if (increment) setText(option, say("clock_short", {minutes: main / 60, increment}));
  }
  const follow = choices.strength === "follow" ? say("follow_words") : "";
  setText(byId("level-words"), saySentences(describeLevel(Number(choices.level)), follow));
  byId("level-words").hidden = !isBrain || !hasLevel(choices.strength);
  const isKind = isBrain && choices.brain === DEFAULTS.brain && hasLevel(choices.strength);
  showKinds(byId("kinds"), isKind ? Number(choices.level) : null);
  follows().checked = isKind && choices.strength === "follow";
  teaches().disabled = !canTeach(choices);
  setText(byId("quick-words"), describeChoices(choices, titleOf));
  // A wrong number in a hidden field must not prevent a start.
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form().querySelectorAll("[type=number]"))) {
    input.disabled = input.closest("label[hidden], .pair[hidden], .fields[hidden]") !== null;
  }
  setText(byId("rule-words"), say(`rule_words_${choices.rule}`));
  setText(byId("opening-words"), say(`opening_words_${choices.opening}`));
}

const teaches = () => byId("teaches", HTMLInputElement);
const follows = () => byId("follows", HTMLInputElement);

// The cards and the switch beside them are for Tengen at a level: they set what the form says of that.
function chooseKind() {
  const card = form().querySelector("[name=kind]:checked"), level = card instanceof HTMLInputElement ? card.value : list("level").value;
  for (const [name, value] of Object.entries({opponent: "brain", brain: DEFAULTS.brain, strength: follows().checked ? "follow" : "level", level})) {
    field(/** @type {Field} */ (name)).value = value;
  }
}

/**
 * The form's choices, if they make a game; a browser says which of them do not.
 * @returns {Choices | null}
 */
function takeForm() {
  if (!form().checkValidity()) {
    byId("settings", HTMLDetailsElement).open = true;  // a browser shows a fault only where it is seen
    form().reportValidity();
    return null;
  }
  const choices = readForm();
  setPreference("newGame", choices);
  home.isBeingFilled = false;
  return choices;
}

// The last choices.
const lastChosen = () => stillThere({...DEFAULTS, ...preference("newGame", {})});

// The brain of the last choices, as a seat; Tengen at its usual level if they have none.
export function lastBrain() {
  const chosen = lastChosen();
  return makeOpponent(chosen.opponent === "brain" ? chosen : DEFAULTS);
}

/**
 * A game with a brain that follows the player is over: the next one begins at this level.
 * @param {number} level
 */
export function keepLevel(level) {
  const chosen = lastChosen();
  if (chosen.strength !== "follow") return;
  setPreference("newGame", {...chosen, level: String(level)});
  fillHome();
}

/**
 * These choices, without those that do not exist any more: a brain may be gone.
 * @param {Choices} choices
 */
function stillThere(choices) {
  for (const name of FIELDS) {
    const found = field(name);
    const isThere = !(found instanceof HTMLSelectElement) || [...found.options].some(({value}) => value === String(choices[name]));
    if (!isThere) choices[name] = DEFAULTS[name];
  }
  return choices;
}

/**
 * The measured strength of a level; the closed list has no room for it.
 * @param {number} level
 */
function describeLevel(level) {
  const share = winsAgainstNext(level, home.ratings);
  return share === null ? say("full_strength") : say("level_wins", {share, next: level + 1});
}

/** @param {(settings: import("../net/messages.js").WantedSettings) => void} create */
export function prepareHome(create) {
  home.ratings = served().levels;
  form().addEventListener("change", event => {
    if (targetOf(event, "[name=kind], #follows")) chooseKind();
    refresh();
  });
  form().addEventListener("input", () => { home.isBeingFilled = true; });
  const begin = (/** @type {Partial<Choices>} */ other = {}) => {
    const choices = takeForm();
    if (choices) create(makeSettings({...choices, ...other}, ownName(), teaches().checked));
  };
  form().addEventListener("submit", event => {
    event.preventDefault();
    begin();
  });
  byId("quick").addEventListener("click", () => begin());
  for (const opponent of ["friend", "local"]) byId(`quick-${opponent}`).addEventListener("click", () => begin({opponent}));
  teaches().checked = preference("teaches", false);
  teaches().addEventListener("change", () => setPreference("teaches", teaches().checked));
  const name = find(form(), "[name=name]", HTMLInputElement);
  name.value = ownName();
  name.addEventListener("input", () => setPreference("name", name.value));
}

/**
 * Writes the parts that depend on the language and on the server's brains.
 * @param {Brain[]} [known]
 */
export function fillHome(known) {
  if (known?.length) home.brains = known;
  const shown = readForm();
  for (const each of /** @type {Field[]} */ (["brain", "other_brain"])) {
    list(each).replaceChildren(...home.brains.map(({name, title}) => make("option", {value: name}, title ?? name)));
  }
  for (const each of /** @type {Field[]} */ (["level", "other_level"])) {
    list(each).replaceChildren(...Array.from({length: LEVELS}, (_, index) =>
      make("option", {value: index + 1}, say("level_option", {level: index + 1, name: nameOfLevel(index + 1)}))));
  }
  list("rule").replaceChildren(...RULE_NUMBERS.map(rule => make("option", {value: rule}, say(`rule_${rule}`))));
  const choices = home.isBeingFilled ? stillThere(shown) : lastChosen();
  for (const name of FIELDS) field(name).value = choices[name];
  refresh();
  drawLessons();
}

/**
 * The rule in three pictures: stones, Black's first, the ends of a row that wins, and the points that end a four.
 * @type {Record<string, {black: string[], white: string[], five?: string[], ends?: string[]}>}
 */
const LESSONS = {
  turns: {black: ["c5", "d4"], white: ["e5"]},
  threats: {black: ["b4", "c4", "d4", "e4"], white: ["b5", "d5", "d6", "c3"], ends: ["a4", "f4"]},
  five: {black: ["b2", "c3", "d4", "e5", "f6"], white: ["b5", "c5", "d5", "e3"], five: ["b2", "f6"]},
};
const LESSON = 7;  // points along each side of these boards

function drawLessons() {
  /** @param {string[]} names */
  const places = names => names.map(name => /** @type {import("../board.js").Cell} */ (parseCell(name, LESSON, LESSON)));
  for (const holder of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-lesson]"))) {
    const {black, white, five, ends = []} = LESSONS[holder.dataset.lesson ?? ""], board = makeBoard(LESSON, LESSON);
    const stones = [black, white].flatMap((names, colour) => places(names).map(cell => ({cell, colour})));
    const row = five ? places(five) : [];
    drawStones(board, {stones, rows: row.length ? [[row[0], row[1]]] : [], hasMark: false});
    for (const [cx, cy] of places(ends)) draw(board.over, "circle", {class: "end", cx, cy, r: .34});
    holder.replaceChildren(board.svg);
  }
}
