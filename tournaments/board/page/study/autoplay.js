// Plays through the moves of a study by itself: those of the line, or the longest defence of a proof that is walked.

import {byId} from "../dom.js";
import {Playback} from "../shared/playback.js";
import {preference, setPreference} from "../shared/preferences.js";
import {say} from "../shared/i18n.js";

const STOPS = "autoplayStops";

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

/** @param {Page} page */
export function makeAutoplay(page) {
  const {tree, proofs, moved} = page, stops = byId("autoplay-stops", HTMLInputElement);
  stops.checked = preference(STOPS, false);
  stops.addEventListener("change", () => setPreference(STOPS, stops.checked));
  return new Playback(byId("study-run"), byId("autoplay-pace", HTMLSelectElement), {
    whyNot: () => page.isSetUp() ? "" : say("set_up_first"),
    hasNext: () => hasNext(tree(), proofs()),
    first: () => { tree().first(); moved(); },
    next: () => { advance(tree(), proofs()); moved(); },
    stopsAt: () => {
      const {current} = tree();
      return current.parent && preference(STOPS, false) ? page.mistakeAt(current) : "";
    },
  });
}
