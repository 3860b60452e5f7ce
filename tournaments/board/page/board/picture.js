// The board as a picture: its drawing with the styles that the page gives it written into it.

import {makeGif as encode} from "./gif.js";

const PROPERTIES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "paint-order", "stop-color", "text-anchor", "font-weight", "font-family", "font-size"];
const PIXELS = 2048;
const GIF_PIXELS = 480;
const DELAY = 80;    // hundredths of a second that a move stands
const LAST = 300;    // and the last one

export function makeSvgText(svg) {
  const copy = svg.cloneNode(true), copies = [...copy.querySelectorAll("*")];
  [...svg.querySelectorAll("*")].forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of PROPERTIES) copies[index].setAttribute(name, style.getPropertyValue(name));
    copies[index].removeAttribute("class");
  });
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", PIXELS);
  copy.setAttribute("height", Math.round(PIXELS * height / width));
  return new XMLSerializer().serializeToString(copy);
}

// A drawing's text on a canvas of that width.
async function paint(text, width) {
  const address = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round(width * picture.naturalHeight / picture.naturalWidth);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return canvas;
}

export async function makePng(svg) {
  const canvas = await paint(makeSvgText(svg), PIXELS);
  return new Promise(done => canvas.toBlob(done, "image/png"));
}

// A game as a moving picture; `texts` are the drawings of its positions, one after the other.
export async function makeGif(texts) {
  const frames = [];
  let size = null;
  for (const text of texts) {
    size = await paint(text, GIF_PIXELS);
    const {data} = size.getContext("2d").getImageData(0, 0, size.width, size.height);
    frames.push({pixels: data, delay: frames.length === texts.length - 1 ? LAST : DELAY});
  }
  return encode(size.width, size.height, frames);
}

// Saves a text or a Blob as a file.
export function saveFile(content, name, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
