// The studies that a page was left with before the server had taken them, as the browser keeps them for the next page.

import {Leftovers} from "../net/leftovers.js";
import {makeKept} from "./kept.js";
import {Tree} from "../study/tree.js";

/**
 * @typedef {import("./kept.js").Writing} Writing
 *
 * @typedef {object} LeftStudy
 * @property {string} study its id
 * @property {number} version that the server wrote last, as far as the page knew
 * @property {number} undo how many older states the server had
 * @property {Pick<Writing, "request" | "key"> | null} unanswered as in Kept
 * @property {import("../net/exchange.js").Study | null} content null if it is that of `unanswered`
 */

export class LeftStudies {
  constructor() {
    this.leftovers = new Leftovers("studies", () => localStorage);
  }

  /** @param {Tree[]} trees kept studies with changes that the server has not confirmed */
  leave(trees) {
    this.leftovers.leave(trees.flatMap(describe));
  }

  // The page is shown again as it was.
  stay() {
    this.leftovers.stay();
  }

  /** @returns {Tree[]} those of other pages */
  take() {
    return this.leftovers.take().flatMap(read);
  }
}

/**
 * @param {Tree} tree
 * @returns {LeftStudy[]}
 */
function describe(tree) {
  const {kept} = tree, content = tree.toJson();
  if (!kept) return [];
  const {id, version, undo, unanswered} = kept, isSent = unanswered?.text === JSON.stringify(content);
  return [{
    study: id, version, undo, content: isSent ? null : content,
    unanswered: unanswered && {request: unanswered.request, key: unanswered.key},
  }];
}

/**
 * @param {unknown} value
 * @returns {Tree[]} none if another program wrote it
 */
function read(value) {
  try {
    const {study, version, undo, unanswered, content} = /** @type {LeftStudy} */ (value);
    const sent = unanswered?.request.type === "keep" ? unanswered.request.content : null, state = content ?? sent;
    if (!state || typeof study !== "string" || ![version, undo, state.width, state.height, state.rule].every(Number.isInteger)) return [];
    const tree = Tree.fromJson(state);
    tree.kept = makeKept(study, version, "", undo);
    if (unanswered) tree.kept.unanswered = {...unanswered, text: sent ? JSON.stringify(sent) : ""};
    return [tree];
  } catch {
    return [];
  }
}
