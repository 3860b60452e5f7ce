// Dots of loss: on each stone that a review has judged, how much of its side's chances it gave away. A dot that means more is
// larger and has a ring, so that it can be read without its colour.

import {byId, draw, make, makeSvg} from "../dom.js";
import {drawDot} from "../board/tiles.js";
import {isMistake} from "./moves.js";
import {preference, setPreference} from "../shared/preferences.js";
import {formatShare} from "../study/evaluation.js";
import {say} from "../shared/i18n.js";

/**
 * @typedef {import("../net/messages.js").ReviewedMove} ReviewedMove
 * @typedef {import("../board/cells.js").Dot} Dot
 */

const LEVELS = 5, NAME = "lossDots";
const BY_LABEL = ["good", "inaccuracy", "mistake"];

/**
 * How bad a move was, from 0 to 4; what is proved is as bad as a large loss.
 * @param {ReviewedMove} move
 */
export function levelOf({label, loss}) {
  if (label === "best" || label === "good" && loss < .01) return 0;
  return BY_LABEL.includes(label) ? BY_LABEL.indexOf(label) + 1 : LEVELS - 1;
}

/**
 * The dots on the stones of the moves up to a position.
 * @param {Map<unknown, ReviewedMove>} moves the judgements by node
 * @param {import("../study/tree.js").Move[]} path
 * @returns {Dot[]}
 */
export const dotsOn = (moves, path) => path.flatMap(node => {
  const move = moves.get(node);
  return move ? [{cell: node.cell, colour: move.colour, level: levelOf(move), words: say("stone_lost", {loss: formatShare(move.loss)})}] : [];
});

/**
 * The dots of the position that is shown. A stone with a mark of its own has none.
 * @param {Map<unknown, ReviewedMove>} moves
 * @param {import("../study/tree.js").Tree} tree
 */
export const dotsAt = (moves, tree) => dotsOn(moves, tree.path().filter(({cell}) => !tree.current.labels.has(String(cell))));

/**
 * The last move of the position that is shown, if it is a mistake.
 * @param {Map<unknown, ReviewedMove>} moves
 * @param {import("../study/tree.js").Tree} tree
 */
export function slipAt(moves, {current}) {
  const move = moves.get(current);
  return current.cell && move && isMistake(move) ? {cell: current.cell, kind: move.label} : null;
}

export const hasDots = () => preference(NAME, false);

/** @param {boolean} isOn */
export function setDots(isOn) {
  setPreference(NAME, isOn);
  byId("loss-dots", HTMLInputElement).checked = isOn;
  byId("loss-legend").hidden = !isOn;
}

/** @param {() => void} changed is called after another choice */
export function prepareDots(changed) {
  const box = byId("loss-dots", HTMLInputElement);
  setDots(hasDots());
  box.addEventListener("change", () => {
    setDots(box.checked);
    changed();
  });
}

// The meaning of the dots, each on a stone of its own.
export function drawLegend() {
  byId("loss-legend").replaceChildren(...Array.from({length: LEVELS}, (_, level) => {
    const svg = makeSvg({class: "board legend", viewBox: "-.5 -.5 1 1", width: 24, height: 24, "aria-hidden": "true"});
    draw(svg, "circle", {class: "legend-stone", cx: 0, cy: 0, r: .465});
    drawDot(svg, [0, 0], 0, level, false);
    return make("li", {}, svg, say(`loss_${level}`));
  }));
}
