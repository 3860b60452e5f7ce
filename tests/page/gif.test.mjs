// Moving pictures: what is written is read again by a reader that was written apart from it.

import assert from "node:assert/strict";
import {test} from "node:test";
import {makeGif} from "../../tournaments/board/page/board/gif.js";

// The numbers of colours that a frame's bytes stand for.
function expand(bytes) {
  const start = () => Array.from({length: 258}, (_, code) => code < 256 ? [code] : []);
  const numbers = [];
  let table = start(), size = 9, held = 0, count = 0, before = null;
  for (const byte of bytes) {
    held |= byte << count;
    count += 8;
    while (count >= size) {
      const code = held & (1 << size) - 1;
      held >>>= size;
      count -= size;
      if (code === 257) return numbers;
      if (code === 256) {
        [table, size, before] = [start(), 9, null];
        continue;
      }
      const found = table[code] ?? [...before, before[0]];
      numbers.push(...found);
      if (before && table.length < 4096) table.push([...before, found[0]]);
      if (table.length === 1 << size && size < 12) size += 1;
      before = found;
    }
  }
  throw new Error("the data have no end");
}

// Width, height, and the frames of a GIF: delay and pixels [red, green, blue].
function read(bytes) {
  assert.equal(String.fromCharCode(...bytes.slice(0, 6)), "GIF89a");
  const pair = at => bytes[at] | bytes[at + 1] << 8, frames = [];
  const colours = Array.from({length: 256}, (_, index) => [...bytes.slice(13 + 3 * index, 16 + 3 * index)]);
  let at = 13 + 768, delay = 0;
  const blocks = () => {
    const found = [];
    for (; bytes[at]; at += bytes[at] + 1) for (let index = 1; index <= bytes[at]; index++) found.push(bytes[at + index]);
    at += 1;
    return found;
  };
  while (bytes[at] !== 0x3B) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xF9) delay = pair(at + 4);
      at += 2;
      blocks();
    } else {
      assert.equal(bytes[at], 0x2C);
      at += 11;
      frames.push({delay, pixels: expand(blocks()).map(number => colours[number])});
    }
  }
  return {width: pair(6), height: pair(8), frames};
}

const picture = (count, colourOf) =>
  new Uint8ClampedArray(Array.from({length: count}, (_, index) => [...colourOf(index), 255]).flat());

test("the frames of a picture have its pixels and delays", async () => {
  const colours = [[0, 0, 0], [255, 255, 255], [200, 160, 80]];
  const frames = [0, 1].map(shift => ({delay: 80 + 220 * shift, pixels: picture(30 * 20, index => colours[(index + shift) % 3])}));
  const found = read(new Uint8Array(await makeGif(30, 20, frames).arrayBuffer()));
  assert.deepEqual([found.width, found.height], [30, 20]);
  assert.deepEqual(found.frames.map(frame => frame.delay), [80, 300]);
  found.frames.forEach((frame, shift) => {
    assert.deepEqual(frame.pixels, Array.from({length: 600}, (_, index) => colours[(index + shift) % 3]));
  });
});

test("a picture with more codes than the table holds begins it anew", async () => {
  let seed = 1;
  const chance = () => (seed = seed * 48271 % 2147483647) % 256;
  const grey = Array.from({length: 120 * 100}, () => chance() & 0xF8), pixels = picture(grey.length, index => Array(3).fill(grey[index]));
  const found = read(new Uint8Array(await makeGif(120, 100, [{delay: 1, pixels}]).arrayBuffer()));
  assert.deepEqual(found.frames[0].pixels, grey.map(value => [value, value, value]));
});

test("more colours than the palette holds become their nearest", async () => {
  const many = picture(40 * 40, index => [index * 5 % 256, index * 3 % 256, index * 7 % 256]);
  const found = read(new Uint8Array(await makeGif(40, 40, [{delay: 1, pixels: many}]).arrayBuffer()));
  const far = found.frames[0].pixels.map((pixel, index) => Math.max(...pixel.map((part, at) => Math.abs(part - many[4 * index + at]))));
  assert.equal(far.length, 1600);
  assert.ok(Math.max(...far) < 96, `a colour is ${Math.max(...far)} from its own`);
});
