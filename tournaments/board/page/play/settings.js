// The settings of a new game: the choices of the form, as settings for the server and as words.

import {asRule, RULES} from "../board/notation.js";
import {formatNumber, say} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").WantedSettings} GameSettings
 * @typedef {import("../net/messages.js").WantedSeat["kind"]} Kind of a player
 * @typedef {import("../net/messages.js").WantedSeat} Who
 * @typedef {"opponent" | "brain" | "strength" | "level" | "seconds" | "nodes" | "colour" | "rule" | "opening" | "size"
 *   | "width" | "height" | "clock" | "minutes" | "increment"} Field
 * @typedef {Record<Field, string>} Choices the values of the form's fields
 */

/** @type {Choices} */
export const DEFAULTS = {
  opponent: "brain", brain: "tengen", strength: "level", level: "3", seconds: "3", nodes: "200000", colour: "lot", rule: "0",
  opening: "free", size: "15", width: "15", height: "15", clock: "none", minutes: "5", increment: "3",
};
export const FIELDS = /** @type {Field[]} */ (Object.keys(DEFAULTS));
export const LEVELS = 10;
export const RULE_NUMBERS = Object.keys(RULES);

/**
 * True if the player can choose a side.
 * @param {Choices} choices
 */
export const hasSide = ({opponent}) => !["local", "others"].includes(opponent);

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
export function makeOpponent({opponent, brain, strength, level, seconds, nodes}) {
  if (opponent !== "brain") return {kind: opponent === "others" ? "friend" : /** @type {Kind} */ (opponent)};
  return {
    kind: "brain", brain, level: hasLevel(strength) ? Number(level) : null, follows: strength === "follow",
    turn_ms: strength === "time" ? Math.round(Number(seconds) * 1000) : null, nodes: strength === "nodes" ? Number(nodes) : null,
  };
}

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
  choices.rule === "4" && (choices.opponent !== "brain" || choices.brain === DEFAULTS.brain) && sizeOf(choices).every(side => side === 15);

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
  const me = {kind: choices.opponent === "others" ? "friend" : "local", ...name && hasSide(choices) ? {name} : {}};
  const isLot = choices.colour === "lot" && hasSide(choices), isWhite = choices.colour === "white" && !isLot;
  return {
    width, height, rule: asRule(Number(choices.rule)), opening: /** @type {NonNullable<GameSettings["opening"]>} */ (choices.opening),
    black: isWhite ? other : me, white: isWhite ? me : other, clock: makeClock(choices), start: [], drawn_by_lot: isLot, from: null,
    teaches: teaches && canTeach(choices),
  };
}

/**
 * The choices in one line of words.
 * @param {Choices} choices
 * @param {(brain: string) => string} titleOf the name of a brain for people
 */
export function describeChoices(choices, titleOf) {
  const [width, height] = sizeOf(choices), clock = makeClock(choices), {level, seconds} = choices;
  const strength = choices.strength === "level" ? say("at_level", {level})
    : choices.strength === "follow" ? say("at_level_follow", {level}) : choices.strength === "time" ? say("at_time", {seconds})
    : say("at_nodes", {nodes: formatNumber(Number(choices.nodes))});
  const opponent = choices.opponent === "brain" ? say("against_brain", {brain: titleOf(choices.brain), strength})
    : say(`against_${choices.opponent}`);
  const parts = [`${say(`rule_${choices.rule}`)}, ${width} × ${height}`, opponent];
  if (hasSide(choices)) parts.push(say(`start_${choices.colour}`));
  if (choices.opening !== "free") parts.push(say(`opening_${choices.opening}`));
  if (clock) parts.push(say("clock_start", {minutes: clock.main / 60, increment: clock.increment}));
  return parts.join(" · ");
}
