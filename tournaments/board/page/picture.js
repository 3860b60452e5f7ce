// The board as a picture: its drawing with the styles that the page gives it written into it.

const PROPERTIES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "paint-order", "stop-color", "text-anchor", "font-weight", "font-family", "font-size"];
const PIXELS = 2048;

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

export async function makePng(svg) {
  const address = URL.createObjectURL(new Blob([makeSvgText(svg)], {type: "image/svg+xml"}));
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  URL.revokeObjectURL(address);
  return new Promise(done => canvas.toBlob(done, "image/png"));
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
