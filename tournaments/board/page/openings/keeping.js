// The switch that puts what analyses find into the store of openings.

import {byId} from "../dom.js";
import {preference, setPreference} from "../shared/preferences.js";

const NAME = "keepsAnalysis";

// Whether the results of analyses are to be put into the store; the server does that for its owner alone.
export const keepsAnalysis = () => preference(NAME, false);

export function prepareKeeping() {
  const box = byId("book-keep", HTMLInputElement);
  box.checked = keepsAnalysis();
  box.addEventListener("change", () => setPreference(NAME, box.checked));
}
