// Whom the page says that it is: by what the storage of its origin holds, and where the browser refuses storage.

import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";
import {Identity} from "../../tournaments/board/page/net/identity.js";

const TOKEN = "t".repeat(43);
const kept = new Map();

beforeEach(() => {
  kept.clear();
  globalThis.localStorage = {getItem: key => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value)};
  globalThis.fetch = async (address, {body}) => new Response(null, {status: JSON.parse(body).token === TOKEN ? 204 : 403});
});

test("the right token makes an owner, also of the page that is opened next; a wrong one takes nothing away", async () => {
  const page = new Identity();
  await page.introduce("one", "#token=guessed");
  assert.deepEqual([page.isOwners, page.isRefused], [false, true]);
  assert.match(page.protocols().join(" "), /^tengen guest\.[0-9a-f]{64}$/);
  await page.introduce("one", `#token=${TOKEN}`);
  assert.equal(page.isRefused, false);
  const next = new Identity();
  await next.introduce("one", "#token=guessed");
  assert.deepEqual(next.headers(), {Authorization: `Bearer ${TOKEN}`});
  assert.deepEqual(next.protocols(), page.protocols());
  assert.equal(next.protocols()[1], `owner.${TOKEN}`);
});

test("what is kept for one library is not sent to another", async () => {
  const page = new Identity();
  await page.introduce("one", `#token=${TOKEN}`);
  const before = page.protocols();
  await page.introduce("two", "");
  assert.deepEqual(page.protocols().filter(name => before.includes(name)), ["tengen"]);
});

test("what another program wrote is nothing", async () => {
  const page = new Identity();
  await page.introduce("one", "");
  for (const text of ["{", "5", "null", "[]", '{"owner": 5, "guest": "a b"}']) {
    kept.set("tengen-one", text);
    assert.deepEqual(page.protocols(), ["tengen"], text);
  }
});

test("without storage the owner is one until the page is closed, and a guest has no key: the link opens the seat", async () => {
  globalThis.localStorage = {getItem: () => null, setItem: () => { throw new Error("refused"); }};
  const page = new Identity();
  await page.introduce("one", `#token=${TOKEN}`);
  assert.deepEqual(page.protocols(), ["tengen", `owner.${TOKEN}`]);
});

test("where no server answers, the page tells it once and tries again until one does", async () => {
  const statuses = [null, 502, 204];
  globalThis.fetch = async () => {
    const status = statuses.shift();
    if (!status) throw new TypeError("Failed to fetch");
    return new Response(null, {status});
  };
  const page = new Identity(), missed = [];
  await page.introduce("one", `#token=${TOKEN}`, () => missed.push(statuses.length));
  assert.deepEqual([page.isOwners, page.isRefused, missed], [true, false, [2]]);
});
