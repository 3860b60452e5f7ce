// The study that is shown, and what this page knows of it.

import {cellName} from "../board.js";
import {byId} from "../dom.js";
import {Tree} from "./tree.js";
import {say} from "../shared/i18n.js";

export const view = {
  tree: new Tree({width: 15, height: 15, rule: 0}),
  earlier: null,       // the study that the last import or set-up replaced
  free: null,          // stones that are being set up and make no position yet: {0: [cells], 1: [cells]}
  imported: [],        // the studies of the last import
  grid: null,
  isThinking: false,
  request: 0,          // the number of the analysis whose messages count
  asked: null,         // the node that it is about
  waiting: null,       // the nodes that an analysis of the whole line has still to look at, null without one
  playsBest: false,    // true while the analysis is to end in a move
  preview: null,       // a line that is shown: {cells, colour, count}
  balanced: [],        // cells that the balance finder found, at the current position
  hasLines: true,
  hasMarks: true,
  signature: "",       // of the engine here
  linked: null,        // of the engine that made the link that was followed
  listed: null,        // the node whose lines are listed
  isOpen: false,
  coach: null,
  studies: null,
};

let react = () => {};

// `reaction` is called whenever the current position is another one.
export function whenMoved(reaction) {
  react = reaction;
}

// The current position is another one.
export function moved() {
  react();
}


export const nameOf = cell => cellName(cell, view.tree.height);
export const colourName = colour => say(colour ? "white" : "black");

export function replace(study) {
  if (view.tree.root.children.length || view.tree.start.length) view.earlier = view.tree;
  view.tree = study;
  view.free = null;
  view.coach.forget();
  byId("bring-back").hidden = view.earlier === null;
  moved();
}

export function step(how) {
  if (!view.free) view.tree[how]();
  moved();
}
