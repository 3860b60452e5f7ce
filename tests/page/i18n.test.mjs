// Words, numbers and clocks as the page says them.

import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import {test} from "node:test";
import {
  bestLanguage, chooseLanguage, formatClock, formatExact, formatNumber, formatRounded, formatSigned, languageShown, say, sayFacts, sayLabelled, sayList, saySentences,
} from "../../tournaments/board/page/shared/i18n.js";
import {formatShare} from "../../tournaments/board/page/study/evaluation.js";
import {nameKey} from "../../tournaments/board/page/shared/keys.js";
import {fillIn} from "../../tournaments/report/words.js";

test("values stand in the places of their names", () => {
  assert.equal(fillIn("{cell} is taken.", {cell: "h8"}, "en"), "h8 is taken.");
  assert.equal(fillIn("{a} {b}", {a: 0}, "en"), "0 {b}", "a value that is missing is seen");
  assert.equal(say("no_such_key"), "no_such_key", "before the words are loaded, and where the catalogue lacks one");
});

test("a number chooses its word by the rules of the language", () => {
  const english = "{moves} {moves:move|moves}", polish = "{n} {n:ruch|ruchy|ruchów|ruchu}";
  assert.deepEqual([0, 1, 2].map(moves => fillIn(english, {moves}, "en")), ["0 moves", "1 move", "2 moves"]);
  assert.deepEqual([1, 3, 5, 22, 1.5].map(n => fillIn(polish, {n}, "pl")),
    ["1 ruch", "3 ruchy", "5 ruchów", "22 ruchy", "1.5 ruchu"]);
  assert.equal(fillIn("{n} {n:手}", {n: 1}, "zh"), "1 手");
  assert.equal(fillIn("{n:stone|stones}", {n: "1"}, "en"), "stone");
});

// tests/tournaments/test_translations.py has the same numbers for the terminal.
test("the browser and the terminal choose the same words", () => {
  const numbers = [0, 1, 2, 4, 5, 11, 22, 101, 1.5];
  const said = (text, language) => numbers.map(n => fillIn(text, {n}, language)).join();
  assert.equal(said("{n:move|moves}", "en"), "moves,move,moves,moves,moves,moves,moves,moves,moves");
  assert.equal(said("{n:手}", "zh"), "手,手,手,手,手,手,手,手,手");
  assert.equal(said("{n:tah|tahy|tahu|tahů}", "cs"), "tahů,tah,tahy,tahy,tahů,tahů,tahů,tahů,tahu");
});

test("every text has a word for each category of numbers that the browser knows in its language", () => {
  const folder = new URL("../../tournaments/translations/", import.meta.url);
  const files = readdirSync(folder).filter(name => name.endsWith(".json"));
  assert.ok(files.length >= 3);
  for (const file of files) {
    const language = file.replace(".json", ""), {pluralCategories} = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, text] of Object.entries(JSON.parse(readFileSync(new URL(file, folder), "utf8")))) {
      for (const [, forms] of text.matchAll(/\{\w+:([^}]+)\}/g)) {
        assert.equal(forms.split("|").length, pluralCategories.length, `${language}: ${key}`);
      }
    }
  }
});

test("the page speaks the first language of the wanted ones that there is", () => {
  const there = {en: "English", zh: "中文"};
  assert.equal(bestLanguage(["", "fr-CA", "zh-CN", "en"], there), "zh");
  assert.equal(bestLanguage(["fr", "constructor"], there), "en");
  assert.equal(bestLanguage(["EN-gb"], there), "en");
});

test("clocks count up the second that has begun, and end at zero", () => {
  assert.deepEqual([307, 0, -5, 59.2, 3600, 3729.5].map(formatClock), ["5:07", "0:00", "0:00", "1:00", "1:00:00", "1:02:10"]);
});

test("numbers have the minus of print, and signs where they are asked for", () => {
  assert.equal(formatNumber(-1234.56, 1), "−1,234.6");
  assert.deepEqual([12, 0, -3].map(formatSigned), ["+12", "0", "−3"]);
  assert.deepEqual([3, 2.5, 0.25, 1 / 3].map(formatExact), ["3", "2.5", "0.25", "0.33"]);
  assert.deepEqual([-999, 999, 1000, 999.6].map(value => formatNumber(value)), ["−999", "999", "1,000", "1,000"]);
});

test("large numbers that are not exact have two digits and a word", () => {
  assert.deepEqual([0, 999, 1000, 92682, 741455, 2553802834].map(formatRounded), [
    "0", "999", "1 thousand", "93 thousand", "740 thousand", "2.6 billion",
  ]);
});

test("keys are named as the help shows them", () => {
  const press = (key, more = {}) => nameKey({key, ctrlKey: false, metaKey: false, shiftKey: false, ...more});
  assert.equal(press("ArrowLeft"), "←");
  assert.equal(press("ArrowLeft", {shiftKey: true}), "Shift ←");
  assert.equal(press("Z", {ctrlKey: true, shiftKey: true}), "Ctrl Shift z");
  assert.equal(press("z", {metaKey: true}), "Ctrl z");
  assert.equal(press("B", {shiftKey: true}), "B");
  assert.equal(press(" "), "Space");
});

test("the marks between words are those of the language", async () => {
  const catalogue = language => JSON.parse(readFileSync(new URL(`../../tournaments/translations/${language}.json`, import.meta.url), "utf8"));
  const file = language => {
    const texts = Object.fromEntries(Object.entries(catalogue(language)).map(([key, text]) => [key.replace("page.", ""), text]));
    return `data:text/javascript,${encodeURIComponent(`export const texts = ${JSON.stringify(texts)}`)}`;
  };
  const languages = Object.fromEntries(["en", "zh"].map(language => [language, {name: language, file: file(language)}]));
  class Element { textContent = JSON.stringify({languages}); }
  const document = {documentElement: {lang: ""}, getElementById: () => new Element(), querySelectorAll: () => []};
  Object.assign(globalThis, {
    document, HTMLElement: Element, Element, navigator: {languages: []}, localStorage: {getItem: () => null, setItem: () => {}},
  });
  const told = () => [sayList(["h8", "i9"]), sayFacts("a", "", "15 × 15"), sayLabelled("a", "1"), saySentences("", "a.", "", "b."), formatShare(.5)];
  const before = told();
  const english = ["h8, i9", "a, 15 × 15", "a: 1", "a. b.", "50 %"];
  assert.deepEqual(before, english, "while no catalogue is loaded");
  await chooseLanguage("zh");
  assert.deepEqual(told(), ["h8、i9", "a，15 × 15", "a：1", "a.b.", "50%"]);
  await chooseLanguage("en");
  assert.deepEqual(told(), english);
});

test("of two languages chosen one after the other the last one is shown, whichever comes first", async () => {
  const file = code => `data:text/javascript,${code}`, languages = {
    cs: {name: "Čeština", file: file("await globalThis.slow; export const texts = {undo: 'Vzít zpět'}")},
    en: {name: "English", file: file("export const texts = {undo: 'Undo'}")},
  };
  const document = {documentElement: {lang: ""}, getElementById: () => new Element(), querySelectorAll: () => []};
  class Element { textContent = JSON.stringify({languages}); }
  let come = () => {};
  Object.assign(globalThis, {
    document, HTMLElement: Element, Element, navigator: {languages: []}, slow: new Promise(go => { come = go; }),
    localStorage: {getItem: () => null, setItem: () => {}},
  });
  const first = chooseLanguage("cs"), last = chooseLanguage("en");
  await last;
  come();
  await first;
  assert.deepEqual([languageShown(), say("undo"), document.documentElement.lang], ["en", "Undo", "en"]);
});

test("words that have come with the page are there at once, and another language is loaded", async () => {
  const languages = {
    cs: {name: "Čeština", file: "data:text/javascript,throw new Error('these words are there')"},
    en: {name: "English", file: "data:text/javascript,export const texts = {undo: 'Undo'}"},
  };
  const document = {documentElement: {lang: ""}, getElementById: () => new Element(), querySelectorAll: () => []};
  class Element { textContent = JSON.stringify({languages}); }
  Object.assign(globalThis, {
    document, HTMLElement: Element, Element, navigator: {languages: []}, localStorage: {getItem: () => null, setItem: () => {}},
    wordsAtHand: {cs: {undo: "Vzít zpět"}},
  });
  const chosen = chooseLanguage("cs");
  assert.equal(say("undo"), "Vzít zpět", "without a wait");
  await chosen;
  await chooseLanguage("en");
  assert.equal(say("undo"), "Undo");
});
