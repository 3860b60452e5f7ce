// The settings of a new game: the choices of the form, as settings for the server and as words.

import {asRule, RULES} from "../board/notation.js";
import {formatExact, formatNumber, say, sayFacts} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").WantedSettings} GameSettings
 * @typedef {import("../net/messages.js").WantedSeat["kind"]} Kind of a player
 * @typedef {import("../net/messages.js").WantedSeat} Who
 * @typedef {"opponent" | "brain" | "other_brain" | "strength" | "level" | "other_level" | "seconds" | "nodes" | "colour" | "rule" | "opening" | "size"
 *   | "width" | "height" | "clock" | "minutes" | "increment"} Field
 * @typedef {Record<Field, string>} Choices the values of the form's fields
 */

/** @type {Choices} */
export const DEFAULTS = {
  opponent: "brain", brain: "tengen", other_brain: "tengen", strength: "level", level: "3", other_level: "5", seconds: "3", nodes: "200000", colour: "lot", rule: "0",
  opening: "free", size: "15", width: "15", height: "15", clock: "none", minutes: "5", increment: "3",
};
export const FIELDS = /** @type {Field[]} */ (Object.keys(DEFAULTS));
export const LEVELS = 10;
export const RULE_NUMBERS = Object.keys(RULES);

/**
 * True if the player can choose a side.
 * @param {Choices} choices
 */
export const hasSide = ({opponent}) => !["local", "others", "brains"].includes(opponent);

/**
 * True if the strength is a level: one that stays, or one that follows the player.
 * @param {string} strength
 */
export const hasLevel = strength => ["level", "follow"].includes(strength);

/**
 * Whether such a game can teach: against Tengen, without clocks.
 * @param {Choices} choices
 */
export const canTeach = ({opponent, brain, clock}) => opponent === "brain" && brain === DEFAULTS.brain && clock === "none";

/**
 * @param {Choices} choices
 * @returns {Who}
 */
export function makeOpponent(choices) {
  const {opponent} = choices;
  if (opponent === "brains") return makeBrain(otherBrain(choices));
  return opponent === "brain" ? makeBrain(choices) : {kind: opponent === "others" ? "friend" : /** @type {Kind} */ (opponent)};
}

/**
 * @param {Choices} choices
 * @returns {Who}
 */
const makeBrain = ({opponent, brain, strength, level, seconds, nodes}) => ({
  kind: "brain", brain, level: hasLevel(strength) ? Number(level) : null, follows: strength === "follow" && opponent === "brain",
  turn_ms: strength === "time" ? Math.round(Number(seconds) * 1000) : null, nodes: strength === "nodes" ? Number(nodes) : null,
});

/**
 * The choices for White where two brains play: its own level, or the time of a move if it has no levels.
 * @param {Choices} choices
 * @returns {Choices}
 */
const otherBrain = choices => ({
  ...choices, brain: choices.other_brain, level: choices.other_level,
  strength: hasLevel(choices.strength) && choices.other_brain !== DEFAULTS.brain ? "time" : choices.strength,
});

/**
 * The clock in seconds, null for none.
 * @param {Choices} choices
 */
function makeClock({clock, minutes, increment}) {
  if (clock === "none") return null;
  const [main, more] = clock === "other" ? [Number(minutes) * 60, Number(increment)] : clock.split("+").map(Number);
  return {main, increment: more};
}

/**
 * The width and the height of the board.
 * @param {Choices} choices
 * @returns {[number, number]}
 */
const sizeOf = ({size, width, height}) => size === "other" ? [Number(width), Number(height)] : [Number(size), Number(size)];

export const RENJU_OPENINGS = ["rif", "yamaguchi", "soosorv-8", "taraguchi-10"];

/**
 * Whether the openings of renju can be played: in renju on 15 x 15 points, by people and by Tengen.
 * @param {Choices} choices
 */
export const hasRenjuOpenings = choices =>
  choices.rule === "4" && sizeOf(choices).every(side => side === 15)
  && (!["brain", "brains"].includes(choices.opponent) || choices.brain === DEFAULTS.brain)
  && (choices.opponent !== "brains" || choices.other_brain === DEFAULTS.brain);

/**
 * @param {Choices} choices
 * @param {string} name of the player, who has one side alone
 * @param {boolean} teaches whether the player wants to be taught
 * @returns {Required<GameSettings>}
 */
export function makeSettings(choices, name = "", teaches = false) {
  const [width, height] = sizeOf(choices), other = makeOpponent(choices);
  // Two others play by one link each, and the player who made the game watches.
  /** @type {Who} */
  const me = choices.opponent === "brains" ? makeBrain(choices)
    : {kind: choices.opponent === "others" ? "friend" : "local", ...name && hasSide(choices) ? {name} : {}};
  const isLot = choices.colour === "lot" && hasSide(choices), isWhite = choices.colour === "white" && !isLot;
  return {
    width, height, rule: asRule(Number(choices.rule)), opening: /** @type {NonNullable<GameSettings["opening"]>} */ (choices.opening),
    black: isWhite ? other : me, white: isWhite ? me : other, clock: makeClock(choices), start: [], drawn_by_lot: isLot, from: null,
    teaches: teaches && canTeach(choices),
  };
}

/** @param {Choices} choices */
function describeStrength({opponent, strength, level, seconds, nodes}) {
  if (strength === "time") return say("at_time", {seconds: formatExact(Number(seconds))});
  if (strength === "nodes") return say("at_nodes", {nodes: formatNumber(Number(nodes))});
  return say(strength === "follow" && opponent === "brain" ? "at_level_follow" : "at_level", {level});
}

/**
 * The choices in one line of words.
 * @param {Choices} choices
 * @param {(brain: string) => string} titleOf the name of a brain for people
 */
export function describeChoices(choices, titleOf) {
  const [width, height] = sizeOf(choices), clock = makeClock(choices), brain = titleOf(choices.brain), strength = describeStrength(choices);
  const other = otherBrain(choices), white = say("brain_strength", {brain: titleOf(other.brain), strength: describeStrength(other)});
  const opponent = choices.opponent === "brain" ? say("against_brain", {brain, strength})
    : choices.opponent === "brains" ? say("against_brains", {black: say("brain_strength", {brain, strength}), white})
    : say(`against_${choices.opponent}`);
  const parts = [sayFacts(say(`rule_${choices.rule}`), `${width} × ${height}`), opponent];
  if (hasSide(choices)) parts.push(say(`start_${choices.colour}`));
  if (choices.opening !== "free") parts.push(say(`opening_${choices.opening}`));
  if (clock) parts.push(say("clock_start", {minutes: formatExact(clock.main / 60), increment: formatExact(clock.increment)}));
  return parts.join(" · ");
}
