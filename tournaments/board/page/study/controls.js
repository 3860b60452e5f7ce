// The buttons and the fields of a study, and what each of them does.

import {byId, targetOf} from "../dom.js";
import {prepareLimits} from "./limits.js";
import {parseCell} from "../board/notation.js";
import {preference, setPreference} from "../shared/preferences.js";
import {freeBarred} from "./state.js";
import {announce, complain} from "../shared/status.js";
import {exportAs} from "./transfer.js";
import {Tree} from "./tree.js";
import {say} from "../shared/i18n.js";

/** @typedef {import("./study.js").StudyView} StudyView */

/** @param {StudyView} view */
export function prepareButtons(view) {
  const {study, analyst} = view;
  for (const name of /** @type {const} */ (["first", "back", "forward", "last"])) {
    byId(`study-${name}`).addEventListener("click", () => view.step(name));
  }
  const clicks = {
    "study-turn": () => view.grid.turn(false), think: () => analyst.toggle(), "engine-move": () => analyst.playBest(),
    "whole-line": () => analyst.thinkOfAll(), threats: () => analyst.findThreats(),
    "balance-one": () => analyst.findBalance(1), "balance-two": () => analyst.findBalance(2),
    promote: () => { study.tree.promote(); view.show(); }, remove: () => { study.tree.remove(); view.moved(); },
    "free-barred": () => { freeBarred(study); view.marked(); }, "study-undo": () => view.undo(), "study-redo": () => view.redo(),
    import: () => view.import(byId("import-text", HTMLTextAreaElement).value),
    "bring-back": () => { if (study.earlier) view.replace(study.earlier); }, "play-from-here": () => view.playFromHere(),
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-export]"))) {
    button.addEventListener("click", () =>
      exportAs(study, view.panel, /** @type {import("./transfer.js").Format} */ (button.dataset.export)).catch(complain));
  }
}

/** @param {StudyView} view */
export function prepareFields(view) {
  const {study} = view, numbers = byId("study-numbers", HTMLInputElement), box = byId("study-box", HTMLInputElement);
  numbers.checked = preference("studyNumbers", true);
  numbers.addEventListener("change", () => {
    setPreference("studyNumbers", numbers.checked);
    view.panel.drawBoard();
  });
  byId("comment").addEventListener("input", () => {
    study.tree.current.comment = byId("comment", HTMLTextAreaElement).value;
    view.panel.showTree();
    view.typed(`comment ${study.tree.moves()}`, false);
  });
  byId("study-name").addEventListener("input", () => {
    study.tree.title = byId("study-name", HTMLInputElement).value;
    view.panel.showTitle();
    view.typed("title", true);
  });
  byId("study-form").addEventListener("submit", event => {
    event.preventDefault();
    const cell = parseCell(box.value, study.tree.width, study.tree.height);
    if (!cell) return announce(say("no_such_cell", {text: box.value}));
    box.value = "";
    view.click(cell);
  });
  byId("new-study").addEventListener("submit", event => {
    event.preventDefault();
    const fields = new FormData(byId("new-study", HTMLFormElement)), number = (/** @type {string} */ name) => Number(fields.get(name));
    view.replace(new Tree({width: number("width"), height: number("height"), rule: number("rule")}));
  });
  byId("import-file").addEventListener("change", async () => {
    const file = byId("import-file", HTMLInputElement).files?.[0];
    if (file) view.import(await file.text());
  });
  prepareLimits(() => view.moved());
  byId("analysis-brain").addEventListener("change", () => view.moved());
  document.addEventListener("paste", event => {
    if (!study.isOpen || targetOf(event, "input, textarea")) return;
    view.import(event.clipboardData?.getData("text") ?? "");
  });
}
