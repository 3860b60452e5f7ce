// The page's words, from the catalogue of a language: keys to texts with values in braces.

import {setText} from "../dom.js";
import {fillIn, remembered} from "../words.js";
import {preference, setPreference} from "./preferences.js";
import {served} from "./served.js";

/** @typedef {import("../words.js").Values} Values */

const words = {
  language: "en",
  /** @type {Record<string, string>} */
  languages: {en: "English"},
  // Before a catalogue is loaded these are the marks between words.
  /** @type {Record<string, string>} */
  texts: {comma: ", ", labelled: "{label}: {text}", list_comma: ", ", percent: "{number} %", two_sentences: "{first} {second}"},
  isWhole: false,  // the words of the views that are loaded later are wanted too
};

// The tag of the current language, and the names of all languages by their tags.
export const languageShown = () => words.language;
export const languageNames = () => words.languages;

/**
 * The text of `key` with these values in it; the key itself if the catalogue lacks it.
 * @param {string} key
 * @param {Values} [values]
 */
export const say = (key, values = {}) => fillIn(words.texts[key] ?? key, values, words.language);

/**
 * The first of the wanted tags, such as "zh-CN", whose language we have; English for none.
 * @param {string[]} wanted
 * @param {Record<string, string>} languages
 */
export const bestLanguage = (wanted, languages) =>
  wanted.map(tag => tag.split("-")[0].toLowerCase()).find(tag => Object.hasOwn(languages, tag)) ?? "en";

/**
 * The words that have come with the page: those of the browser's language. To import them would take a frame.
 * @type {(language: string) => Record<string, string> | undefined}
 */
const atHand = language => /** @type {{wordsAtHand?: Record<string, Record<string, string>>}} */ (globalThis).wordsAtHand?.[language];

// Loads the words of the player's choice, or else of the browser's languages, or else English.
export async function loadWords() {
  const {languages} = served();
  words.languages = Object.fromEntries(Object.entries(languages).map(([tag, {name}]) => [tag, name]));
  const language = words.language = bestLanguage([preference("language", ""), ...navigator.languages], words.languages);
  const {file, more} = languages[language];
  const texts = atHand(language) ?? (await import(file)).texts, others = words.isWhole ? (await import(more)).texts : {};
  if (language !== words.language) return;  // another one was chosen meanwhile
  words.texts = {...texts, ...others};
  document.documentElement.lang = language === "zh" ? "zh-CN" : language;
  sayAll(document);
}

// Loads the words of the views that are loaded later.
export async function loadMoreWords() {
  const {language} = words, {more} = served().languages[language];
  words.isWhole = true;
  const {texts} = await import(more);
  if (language === words.language) words.texts = {...words.texts, ...texts};
}

/** @param {string} chosen the tag of a language */
export async function chooseLanguage(chosen) {
  setPreference("language", chosen);
  await loadWords();
}

/**
 * Fills the parts that index.html leaves to the catalogue: texts, the names of elements without text, and hints in
 * empty fields.
 * @param {ParentNode} root
 */
function sayAll(root) {
  for (const element of elements(root, "[data-say]")) setText(element, say(element.dataset.say ?? ""));
  for (const element of elements(root, "[data-say-hint]")) element.setAttribute("placeholder", say(element.dataset.sayHint ?? ""));
  for (const element of elements(root, "[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel ?? ""));
    if (element instanceof HTMLButtonElement) element.title = say(element.dataset.sayLabel ?? "");
  }
}

/**
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
const elements = (root, selector) => root.querySelectorAll(selector);

/**
 * @param {number} value
 * @param {number} [digits] after the point
 */
export const formatNumber = (value, digits = 0) =>
  (isPlain(value, digits) ? String(value) : formatOf(digits).format(value)).replace("-", "\u2212");

/**
 * Whether a number is written with its digits alone in every language. The first views have no others: a browser takes
 * longer to make its first format than to draw a board.
 * @param {number} value
 * @param {number} digits
 */
const isPlain = (value, digits) => !digits && Number.isInteger(value) && Math.abs(value) < 1000;

/**
 * A number with the digits after the point that it has, two at most.
 * @param {number} value
 */
export const formatExact = value => formatNumber(value, Math.min(2, (String(value).split(".")[1] ?? "").length));

/** @type {Map<string, Intl.NumberFormat>} by language and digits */
const formats = new Map();

/** @param {number} digits */
function formatOf(digits) {
  const key = `${words.language} ${digits}`;
  const format = formats.get(key)
    ?? new Intl.NumberFormat(words.language, {maximumFractionDigits: digits, minimumFractionDigits: digits});
  formats.set(key, format);
  return format;
}

const roundedOf = remembered(language =>
  new Intl.NumberFormat(language, {notation: "compact", compactDisplay: "long", maximumSignificantDigits: 2}));

/**
 * A large number with two digits and a word, such as "2.6 billion"; all digits below 1000.
 * @param {number} value
 */
export const formatRounded = value => isPlain(value, 0) ? formatNumber(value) : roundedOf(words.language).format(value);

/**
 * A number with its sign; zero has none.
 * @param {number} value
 */
export const formatSigned = value => `${value > 0 ? "+" : ""}${formatNumber(value)}`;

const datesOf = remembered(language => new Intl.DateTimeFormat(language, {dateStyle: "medium", timeStyle: "short"}));

/** @param {number} seconds since 1970 */
export const formatDate = seconds => datesOf(words.language).format(new Date(seconds * 1000));

/** @param {string} day such as 2026-11-26 */
export const formatDay = day =>
  new Intl.DateTimeFormat(words.language, {dateStyle: "medium", timeZone: "UTC"}).format(new Date(day));

/**
 * The time of day, with the date if it is another day.
 * @param {number} seconds since 1970
 */
export function formatTime(seconds) {
  const date = new Date(seconds * 1000), isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(words.language, isToday ? {timeStyle: "short"} : {timeStyle: "short", dateStyle: "medium"})
    .format(date);
}

/** @param {number} value */
const two = value => String(value).padStart(2, "0");

/**
 * A clock's face, such as 5:07 or 1:02:09.
 * @param {number} seconds
 */
export function formatClock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds)), hours = Math.floor(whole / 3600), rest = whole % 3600;
  const tail = two(whole % 60), minutes = Math.floor(rest / 60);
  return hours ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/**
 * The same for a screen reader: "5 minutes 7 seconds", which does not sound like a time of day.
 * @param {number} seconds
 */
export function sayClock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return say("clock_words", {minutes: Math.floor(whole / 60), seconds: whole % 60});
}

/**
 * Names in a list, such as those of cells.
 * @param {string[]} names
 */
export const sayList = names => names.join(say("list_comma"));

/**
 * Facts of one thing in a row; an empty one is left out.
 * @param {...string} facts
 */
export const sayFacts = (...facts) => facts.filter(Boolean).join(say("comma"));

/**
 * Sentences one after the other; an empty one is left out.
 * @param {...string} sentences
 */
export const saySentences = (...sentences) =>
  sentences.filter(Boolean).reduce((first, second) => first ? say("two_sentences", {first, second}) : second, "");

/**
 * A label with what it stands for.
 * @param {string} label
 * @param {string} text
 */
export const sayLabelled = (label, text) => say("labelled", {label, text});

/** @param {number} colour */
export const colourName = colour => say(colour ? "white" : "black");
