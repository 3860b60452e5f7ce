// Plays through moves by itself, at the pace that was chosen: those of a study, or those of a game that is over.

import {make} from "../dom.js";
import {makeIcon} from "./icons.js";
import {preference, setPreference} from "./preferences.js";
import {announce} from "./status.js";
import {formatNumber, say} from "./i18n.js";

const PACES = [500, 1000, 2000, 4000];  // milliseconds from move to move
const PACE = "autoplayPace";

/** @type {HTMLSelectElement[]} of studies and of games, which have the same pace */
const lists = [];

/** @type {() => number} */
const paceChosen = () => {
  const chosen = preference(PACE, PACES[1]);
  return PACES.includes(chosen) ? chosen : PACES[1];
};

/**
 * @typedef {object} Moves
 * @property {() => string} whyNot says why nothing can be played through now, "" if it can
 * @property {() => boolean} hasNext whether another move follows
 * @property {() => void} first goes before the first move
 * @property {() => void} next goes on by one move
 * @property {() => string} stopsAt says why it stops at the position that is shown, "" to go on
 */

export class Playback {
  /**
   * @param {HTMLElement} button starts and stops it
   * @param {HTMLSelectElement} paces the list of paces
   * @param {Moves} moves
   */
  constructor(button, paces, moves) {
    this.button = button;
    this.paces = paces;
    this.moves = moves;
    this.isOn = false;
    this.isStepping = false;  // true while a move is made by itself
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    lists.push(paces);
    paces.addEventListener("change", () => {
      setPreference(PACE, Number(paces.value));
      for (const list of lists) list.value = paces.value;
    });
    button.addEventListener("click", () => this.toggle());
    this.retell();
  }

  // Also after the language was chosen.
  retell() {
    this.paces.replaceChildren(...PACES.map(value =>
      make("option", {value}, say("seconds", {seconds: formatNumber(value / 1000, value % 1000 ? 1 : 0)}))));
    this.paces.value = String(paceChosen());
    this.show();
  }

  toggle() {
    if (this.isOn) this.stop(say("autoplay_stopped"));
    else this.start();
  }

  // Begins at the position that is shown, and at the end with the first move.
  start() {
    const {moves} = this, why = moves.whyNot();
    if (why) return announce(why);
    if (!moves.hasNext()) this.step(() => moves.first());
    if (!moves.hasNext()) return announce(say("no_move"));
    this.isOn = true;
    this.show();
    this.wait();
    return announce(say("autoplay_begins"));
  }

  /** @param {string} [words] the reason */
  stop(words = "") {
    clearTimeout(this.timer);
    if (!this.isOn) return;
    this.isOn = false;
    this.show();
    if (words) announce(words);
  }

  // The position has changed: by a hand, this ends.
  heed() {
    if (!this.isStepping) this.stop();
  }

  wait() {
    this.timer = setTimeout(() => this.goOn(), paceChosen());
  }

  goOn() {
    const {moves} = this;
    this.step(() => moves.next());
    const words = moves.stopsAt();
    if (words) this.stop(words);
    else if (!moves.hasNext()) this.stop(say("autoplay_ends"));
    else this.wait();
  }

  /** @param {() => void} go */
  step(go) {
    this.isStepping = true;
    go();
    this.isStepping = false;
  }

  show() {
    const {button, isOn} = this, name = say(isOn ? "autoplay_stop" : "autoplay");
    button.replaceChildren(makeIcon(isOn ? "pause" : "resume"));
    button.setAttribute("aria-label", name);
    button.title = name;
    button.setAttribute("aria-pressed", String(isOn));
  }
}
