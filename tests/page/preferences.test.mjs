// The choices that a browser remembers: of two pages at once, and where it refuses storage.

import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";

const page = {number: 0, kept: new Map(), refuses: false, listeners: []};

beforeEach(() => {
  Object.assign(page, {kept: new Map(), refuses: false, listeners: []});
  globalThis.addEventListener = (type, listener) => page.listeners.push(listener);
  globalThis.localStorage = {
    getItem: key => page.kept.get(key) ?? null,
    setItem: (key, value) => {
      if (page.refuses) throw new Error("refused");
      page.kept.set(key, value);
    },
  };
});

// Each page has a module of its own.
const open = () => import(`../../tournaments/board/page/shared/preferences.js?${++page.number}`);

test("two pages keep each other's choices", async () => {
  const [one, other] = [await open(), await open()];
  one.setPreference("sounds", true);
  other.setPreference("theme", "dark");
  const next = await open();
  assert.deepEqual([next.preference("sounds", false), next.preference("theme", "system")], [true, "dark"]);
  for (const listener of page.listeners) listener({key: "tengen"});
  assert.equal(one.preference("theme", "system"), "dark", "the first page knows what the second one chose");
});

test("choices last until the page is closed if the browser refuses storage", async () => {
  const one = await open();
  page.refuses = true;
  one.setPreference("theme", "dark");
  one.setPreference("sounds", true);
  for (const listener of page.listeners) listener({key: "tengen"});
  assert.deepEqual([one.preference("theme", "system"), one.preference("sounds", false)], ["dark", true]);
  page.refuses = false;
  one.setPreference("letters", false);
  assert.deepEqual(JSON.parse(page.kept.get("tengen")), {theme: "dark", sounds: true, letters: false}, "storage has room again");
});

test("a text of another program is no choice", async () => {
  for (const text of ["{", "5", "null", "[]"]) {
    page.kept.set("tengen", text);
    const one = await open();
    assert.equal(one.preference("theme", "system"), "system", text);
    one.setPreference("theme", "dark");
    assert.equal((await open()).preference("theme", "system"), "dark", text);
  }
});
