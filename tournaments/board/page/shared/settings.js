// The settings of the page for this browser: how it looks and sounds, and how a finger plays.

import {byId} from "../dom.js";
import {chooseLook, lookChosen, LOOKS} from "./look.js";
import {setPreference, touchChoice} from "./preferences.js";
import {hasSounds, playSound} from "./sound.js";

/**
 * @param {string} name
 * @returns {HTMLInputElement[]}
 */
const radios = name =>
  [.../** @type {NodeListOf<HTMLInputElement>} */ (byId("settings-sheet").querySelectorAll(`input[name=${name}]`))];

/**
 * Lets radio buttons show a choice, and make it.
 * @param {string} name
 * @param {(value: string) => void} choose
 */
function listen(name, choose) {
  for (const box of radios(name)) box.addEventListener("change", () => choose(box.value));
}

/**
 * @param {string} name
 * @param {string} chosen
 */
function check(name, chosen) {
  for (const box of radios(name)) box.checked = box.value === chosen;
}

export function prepareSettings() {
  const sounds = byId("sounds", HTMLInputElement);
  byId("settings-button").addEventListener("click", openSettings);
  for (const name of /** @type {import("./look.js").Look[]} */ (Object.keys(LOOKS))) listen(name, value => chooseLook(name, value));
  listen("touch", value => {
    setPreference("touch", value);
    for (const grid of document.querySelectorAll(".grid")) grid.classList.toggle("slides", value === "slide");
  });
  sounds.addEventListener("change", () => {
    setPreference("sounds", sounds.checked);
    playSound("stone");
  });
}

export function openSettings() {
  for (const name of /** @type {import("./look.js").Look[]} */ (Object.keys(LOOKS))) check(name, lookChosen(name));
  check("touch", touchChoice());
  byId("sounds", HTMLInputElement).checked = hasSounds();
  byId("settings-sheet", HTMLDialogElement).showModal();
}
