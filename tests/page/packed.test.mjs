// The modules as the server packs them: a whole parser of the language reads in them what it reads in the sources.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {createRequire} from "node:module";
import {test} from "node:test";

const {tokenize} = createRequire(import.meta.url)("espree");  // it comes with eslint: NODE_PATH leads there

const read = text => tokenize(text, {ecmaVersion: "latest", sourceType: "module"}).map(({type, value}) => `${type} ${value}`);

test("a packed module has the tokens of its source", () => {
  const modules = Object.entries(JSON.parse(execFileSync("python", ["-P", "tests/packed_modules.py"], {encoding: "utf8", maxBuffer: 1e8})));
  assert.ok(modules.length > 60);
  for (const [name, [source, packed]] of modules) {
    assert.deepEqual(read(packed), read(source), name);
    assert.ok(packed.length < source.length, name);
  }
});
