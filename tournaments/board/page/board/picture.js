// The board as a picture: its drawing, into which the page's styles are written.

import {makeGif as encode} from "./gif.js";

const PROPERTIES = ["fill", "fill-opacity", "opacity", "stroke", "stroke-opacity", "stroke-width",
  "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order", "stop-color", "text-anchor", "font-weight", "font-family", "font-size"];
const PIXELS = 2048;
const GIF_PIXELS = 480;
const DELAY = 80;    // hundredths of a second for each move
const LAST = 300;    // and for the last one

/**
 * The drawing as the text of a file.
 * @param {SVGSVGElement} svg
 */
export function makeSvgText(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true)), copies = [...copy.querySelectorAll("*")];
  [...svg.querySelectorAll("*")].forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of PROPERTIES) copies[index].setAttribute(name, style.getPropertyValue(name));
    copies[index].removeAttribute("class");
  });
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(PIXELS));
  copy.setAttribute("height", String(Math.round(PIXELS * height / width)));
  return new XMLSerializer().serializeToString(copy);
}

/**
 * A drawing's text on a canvas of that width, in pixels.
 * @param {string} text
 * @param {number} width
 */
async function paint(text, width) {
  const address = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round(width * picture.naturalHeight / picture.naturalWidth);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser gives no canvas");
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return {canvas, context};
}

/**
 * @param {SVGSVGElement} svg
 * @returns {Promise<Blob>}
 */
export async function makePng(svg) {
  const {canvas} = await paint(makeSvgText(svg), PIXELS);
  return new Promise((done, fail) =>
    canvas.toBlob(blob => blob ? done(blob) : fail(new Error("the browser makes no picture")), "image/png"));
}

/**
 * A game as a moving picture; `texts` are the drawings of its positions, at least one, one after the other.
 * @param {string[]} texts
 */
export async function makeGif(texts) {
  const frames = [];
  let width = 0, height = 0;
  for (const text of texts) {
    const {canvas, context} = await paint(text, GIF_PIXELS);
    ({width, height} = canvas);
    frames.push({
      pixels: context.getImageData(0, 0, width, height).data, delay: frames.length === texts.length - 1 ? LAST : DELAY,
    });
  }
  return encode(width, height, frames);
}

/**
 * Saves a text or a Blob as a file.
 * @param {string | Blob} content
 * @param {string} name
 * @param {string} type of media
 */
export function saveFile(content, name, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
