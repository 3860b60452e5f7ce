// Moving pictures: GIF89a with one palette of 256 colours, taken from the last frame, which has all of them.

const BITS = 8;
const COLOURS = 1 << BITS;
const MOST_CODES = 4096;

/** @typedef {{pixels: Uint8ClampedArray, delay: number}} Frame pixels as a canvas gives them; hundredths of a second */

/**
 * Colours are counted in boxes of 32 levels a channel; the fullest boxes make the palette, each by its mean.
 * @param {Uint8ClampedArray} pixels
 */
function makePalette(pixels) {
  const boxes = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const key = boxOf(pixels[at], pixels[at + 1], pixels[at + 2]);
    const box = boxes.get(key) ?? [0, 0, 0, 0];
    boxes.set(key, box);
    box[0] += pixels[at];
    box[1] += pixels[at + 1];
    box[2] += pixels[at + 2];
    box[3] += 1;
  }
  return [...boxes.values()].sort((one, other) => other[3] - one[3]).slice(0, COLOURS)
    .map(([red, green, blue, count]) => [red, green, blue].map(sum => Math.round(sum / count)));
}

/**
 * @param {number} red
 * @param {number} green
 * @param {number} blue
 */
const boxOf = (red, green, blue) => (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3;

/**
 * The number of the nearest colour for each pixel; `known` remembers the results by box.
 * @param {Uint8ClampedArray} pixels
 * @param {number[][]} palette
 * @param {Map<number, number>} known
 */
function toNumbers(pixels, palette, known) {
  const numbers = new Uint8Array(pixels.length / 4);
  for (let index = 0; index < numbers.length; index++) {
    const red = pixels[4 * index], green = pixels[4 * index + 1], blue = pixels[4 * index + 2];
    const key = boxOf(red, green, blue);
    let number = known.get(key);
    if (number === undefined) {
      const far = palette.map(colour => (colour[0] - red) ** 2 + (colour[1] - green) ** 2 + (colour[2] - blue) ** 2);
      number = far.indexOf(Math.min(...far));
      known.set(key, number);
    }
    numbers[index] = number;
  }
  return numbers;
}

/**
 * GIF's variant of LZW: codes grow from 9 bits to 12, and the table begins anew when it is full.
 * @param {Uint8Array} numbers
 */
function compress(numbers) {
  const clear = COLOURS, end = COLOURS + 1;
  /** @type {number[]} */
  const bytes = [];
  let table = new Map(), next = end + 1, size = BITS + 1, held = 0, count = 0;
  /** @param {number} code */
  const put = code => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  };
  put(clear);
  let prefix = numbers[0];
  for (let at = 1; at < numbers.length; at++) {
    const number = numbers[at], key = prefix << BITS | number, code = table.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    prefix = number;
    if (next < MOST_CODES) {
      table.set(key, next);
      if (next === 1 << size) size += 1;
      next += 1;
    } else {
      put(clear);
      table = new Map();
      next = end + 1;
      size = BITS + 1;
    }
  }
  put(prefix);
  put(end);
  if (count) bytes.push(held & 255);
  return bytes;
}

/** @param {number} value */
const pair = value => [value & 255, value >> 8];

/**
 * A GIF that repeats for ever, of at least one frame.
 * @param {number} width
 * @param {number} height
 * @param {Frame[]} frames
 */
export function makeGif(width, height, frames) {
  const palette = makePalette(frames[frames.length - 1].pixels), known = new Map();
  const colours = Array.from({length: COLOURS}, (_, index) => palette[index] ?? [0, 0, 0]).flat();
  /** @param {string} text */
  const letters = text => [...text].map(letter => letter.charCodeAt(0));
  const parts = [[...letters("GIF89a"), ...pair(width), ...pair(height), 0xF0 | BITS - 1, 0, 0, ...colours,
    0x21, 0xFF, 11, ...letters("NETSCAPE2.0"), 3, 1, 0, 0, 0]];
  for (const {pixels, delay} of frames) {
    const data = compress(toNumbers(pixels, palette, known));
    parts.push([0x21, 0xF9, 4, 4, ...pair(delay), 0, 0, 0x2C, 0, 0, 0, 0, ...pair(width), ...pair(height), 0, BITS]);
    for (let at = 0; at < data.length; at += 255) {
      const block = data.slice(at, at + 255);
      parts.push([block.length, ...block]);
    }
    parts.push([0]);
  }
  parts.push([0x3B]);
  return new Blob(parts.map(part => new Uint8Array(part)), {type: "image/gif"});
}
