// The page's words, from the catalogue of a language: keys to texts with values in braces.

import {setText} from "../dom.js";
import {preference, setPreference} from "./preferences.js";

let texts = {};
export let language = "en";
export let languages = {en: "English"};

// The text of `key` with these values in it; the key itself where the catalogue lacks it. `{moves:move|moves}` is the
// first of the two words where the number `moves` asks for the singular.
export function say(key, values = {}) {
  return (texts[`page.${key}`] ?? key).replace(/\{(\w+)(?::([^|}]+)\|([^}]+))?\}/g, (whole, name, one, other) =>
    one === undefined ? values[name] ?? whole : isOne(values[name]) ? one : other);
}

const isOne = value => new Intl.PluralRules(language).select(Number(value)) === "one";

// Loads the catalogue for what the player chose, else for what the browser asks for, else English.
export async function loadWords() {
  languages = await (await fetch("/page/languages.json")).json();
  const wanted = [preference("language"), ...navigator.languages].filter(Boolean).map(tag => tag.split("-")[0].toLowerCase());
  language = wanted.find(tag => tag in languages) ?? "en";
  texts = await (await fetch(`/page/${language}.json`)).json();
  document.documentElement.lang = language === "zh" ? "zh-CN" : language;
  sayAll(document);
}

export async function chooseLanguage(chosen) {
  setPreference("language", chosen);
  await loadWords();
}

// Fills what index.html leaves to the catalogue: texts, and the names of what has no text.
export function sayAll(root) {
  for (const element of root.querySelectorAll("[data-say]")) setText(element, say(element.dataset.say));
  for (const element of root.querySelectorAll("[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel));
    if (element.tagName === "BUTTON") element.title = say(element.dataset.sayLabel);
  }
  for (const element of root.querySelectorAll("[data-say-hint]")) element.placeholder = say(element.dataset.sayHint);
}

export const formatNumber = (value, digits = 0) =>
  new Intl.NumberFormat(language, {maximumFractionDigits: digits, minimumFractionDigits: digits}).format(value)
    .replace("-", "\u2212");

// With its sign, which zero has none of.
export const formatSigned = value => `${value > 0 ? "+" : ""}${formatNumber(value)}`;

export const formatDate = seconds =>
  new Intl.DateTimeFormat(language, {dateStyle: "medium", timeStyle: "short"}).format(new Date(seconds * 1000));

// The time of day, with the date where it is another day.
export function formatTime(seconds) {
  const date = new Date(seconds * 1000), isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(language, {timeStyle: "short", ...!isToday && {dateStyle: "medium"}}).format(date);
}

const two = value => String(value).padStart(2, "0");

// A clock's face, such as 5:07 or 1:02:09.
export function formatClock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds)), hours = Math.floor(whole / 3600), rest = whole % 3600;
  const tail = two(whole % 60), minutes = Math.floor(rest / 60);
  return hours ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

// The same for who hears it: "5 minutes 7 seconds", which nobody takes for a time of day.
export function sayClock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return say("clock_words", {minutes: Math.floor(whole / 60), seconds: whole % 60});
}
