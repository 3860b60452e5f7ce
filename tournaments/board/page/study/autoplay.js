// Plays through the moves by itself: those of the line, or the longest defence of a proof that is walked.

import {byId, make} from "../dom.js";
import {makeIcon} from "../shared/icons.js";
import {preference, setPreference} from "../shared/preferences.js";
import {announce} from "../shared/status.js";
import {formatNumber, say} from "../shared/i18n.js";

const PACES = [500, 1000, 2000, 4000];  // milliseconds from move to move
const PACE = "autoplayPace", STOPS = "autoplayStops";

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("../review/walk.js").Walk} Walk
 *
 * @typedef {object} Page the study as it is shown
 * @property {() => Tree} tree
 * @property {() => Walk} proofs
 * @property {() => boolean} isSetUp false while the stones that are being set up do not make a position
 * @property {() => void} moved is called after each move
 * @property {(node: import("./tree.js").Move) => string} mistakeAt words about a mistake, "" for no mistake
 */

/**
 * Goes on by one move. Returns false where there is none.
 * @param {Tree} tree
 * @param {Walk} proofs
 */
export function advance(tree, proofs) {
  const before = tree.current;
  if (proofs.stepAt(before)) proofs.resist(tree);
  else tree.forward();
  return tree.current !== before;
}

/**
 * Whether another move follows.
 * @param {Tree} tree
 * @param {Walk} proofs
 */
export const hasNext = ({current}, proofs) => current.children.length > 0 || proofs.stepAt(current) !== undefined;

export class Autoplay {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.isOn = false;
    this.isStepping = false;  // true while a move is made by itself
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.prepare();
  }

  prepare() {
    const pace = byId("autoplay-pace", HTMLSelectElement), stops = byId("autoplay-stops", HTMLInputElement);
    this.retell();
    stops.checked = preference(STOPS, false);
    pace.addEventListener("change", () => setPreference(PACE, Number(pace.value)));
    stops.addEventListener("change", () => setPreference(STOPS, stops.checked));
    byId("study-run").addEventListener("click", () => this.toggle());
  }

  // After the language was chosen.
  retell() {
    const pace = byId("autoplay-pace", HTMLSelectElement), chosen = preference(PACE, PACES[1]);
    pace.replaceChildren(...PACES.map(value => make("option", {value}, say("seconds", {seconds: formatNumber(value / 1000, value % 1000 ? 1 : 0)}))));
    pace.value = String(PACES.includes(chosen) ? chosen : PACES[1]);
    this.show();
  }

  toggle() {
    if (this.isOn) this.stop(say("autoplay_stopped"));
    else this.start();
  }

  // Begins where the line stands, and at its end with the first move.
  start() {
    const {page} = this, tree = page.tree(), proofs = page.proofs();
    if (!page.isSetUp()) return announce(say("set_up_first"));
    if (!hasNext(tree, proofs)) this.step(() => tree.first());
    if (!hasNext(tree, proofs)) return announce(say("no_move"));
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
    this.timer = setTimeout(() => this.goOn(), preference(PACE, PACES[1]));
  }

  goOn() {
    const {page} = this, tree = page.tree(), proofs = page.proofs();
    this.step(() => advance(tree, proofs));
    const {current} = tree, words = current.parent && preference(STOPS, false) ? page.mistakeAt(current) : "";
    if (words) this.stop(words);
    else if (!hasNext(tree, proofs)) this.stop(say("autoplay_ends"));
    else this.wait();
  }

  /** @param {() => void} go */
  step(go) {
    this.isStepping = true;
    go();
    this.page.moved();
    this.isStepping = false;
  }

  show() {
    const button = byId("study-run"), name = say(this.isOn ? "autoplay_stop" : "autoplay");
    button.replaceChildren(makeIcon(this.isOn ? "pause" : "resume"));
    button.setAttribute("aria-label", name);
    button.title = name;
    button.setAttribute("aria-pressed", String(this.isOn));
  }
}
