// The page's state of a study that the server keeps, and its changes when the study is written. A study is kept once it
// has a comment, a mark or a second line. The page never overwrites a study that another page has written meanwhile.

import {say} from "../shared/i18n.js";

/**
 * @typedef {import("../study/tree.js").Tree} Tree
 *
 * @typedef {object} Kept
 * @property {string} id
 * @property {number} version that the server wrote last, 0 before the first time
 * @property {number} undo how many older states the server has
 * @property {string} text the study as JSON, as it was written last
 * @property {string} key of what was typed when it was written last
 * @property {boolean} isWriting
 * @property {boolean} isAgain true while a change waits for the end of the writing
 * @property {Writing | null} unanswered the last writing or undo, while it is not known whether the server has done it
 * @property {boolean} isOutdated another page has written a newer version
 * @property {string} error why it could not be written
 *
 * @typedef {object} Writing
 * @property {Extract<import("../net/messages.js").AnyRequest, {type: "keep" | "undo_study"}>} request
 * @property {string} text the study as JSON, "" for an undo
 * @property {string} key of what was typed
 */

const MOST_SENT = 300_000;  // letters of a request of three bytes each at most: the server takes a mebibyte

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

const makeId = () => [...crypto.getRandomValues(new Uint8Array(12))].map(byte => LETTERS[byte % LETTERS.length]).join("");

/**
 * A study that the server has, or by default one that is to be written for the first time.
 * @param {string} id
 * @param {number} version
 * @param {string} text
 * @param {number} undo
 * @returns {Kept}
 */
export const makeKept = (id = makeId(), version = 0, text = "", undo = 0) =>
  ({id, version, text, undo, key: "", isWriting: false, isAgain: false, unanswered: null, isOutdated: false, error: ""});

/**
 * Whether a study that the server does not have is to be kept.
 * @param {Tree} tree
 * @param {boolean} isWanted true if the player has asked for it
 */
export const isWorthKeeping = (tree, isWanted) =>
  !tree.kept && (isWanted || tree.hasMore()) && JSON.stringify(tree.toJson()) !== tree.source;

/**
 * Begins to write a study as it is now. Returns the request, and the facts that are needed when its answer comes; null
 * if there is nothing to write, or if another writing must end first.
 *
 * A writing without an answer is sent again before any other: if the server has done it, it only answers, and a newer
 * state with the old version would look like a change by another page.
 * @param {Tree} tree
 * @returns {Writing | null}
 */
export function beginWriting(tree) {
  const {kept} = tree, content = tree.toJson(), text = JSON.stringify(content), {key} = tree.history;
  if (!kept || kept.isOutdated || text === kept.text && !kept.unanswered) return null;
  if (kept.isWriting) {
    kept.isAgain = true;
    return null;
  }
  kept.isWriting = true;
  if (kept.unanswered) {
    kept.isAgain = text !== kept.unanswered.text;
  } else {
    const joins = key !== "" && key === kept.key;
    const earlier = kept.version ? [] : earlierStates(tree, MOST_SENT - text.length);
    kept.unanswered = {request: {type: "keep", study: kept.id, version: kept.version, content, joins, earlier}, text, key};
  }
  return kept.unanswered;
}

/**
 * The states before the first writing, so that their changes can be undone later too: the last ones that have room.
 * @param {Tree} tree
 * @param {number} room letters
 * @returns {import("../net/messages.js").StudyContent[]}
 */
function earlierStates({history: {past}}, room) {
  let first = past.length;
  for (let left = room; first; first--) {
    left -= past[first - 1].text.length;
    if (left < 0) break;
  }
  return past.slice(first).map(({text}) => JSON.parse(text));
}

/**
 * Begins to take back the last change at the server: as a writing, so that changes wait for its answer, which has the
 * version that they are written with.
 * @param {Kept} kept
 * @returns {Writing}
 */
export function beginUndo(kept) {
  kept.isWriting = true;
  return kept.unanswered = {request: {type: "undo_study", study: kept.id, version: kept.version, undo: kept.undo}, text: "", key: ""};
}

/**
 * Takes the server's answer to a writing. False if another page has written the study meanwhile.
 * @param {Kept} kept
 * @param {import("../net/exchange.js").Answers["keep" | "undo_study"]} answer
 * @param {Writing} written
 */
export function takeWritten(kept, answer, {text, key}) {
  kept.error = "";
  kept.unanswered = null;
  if (answer.type === "outdated") {
    kept.isOutdated = true;
    return false;
  }
  const written = answer.type === "study" ? JSON.stringify(answer.content) : text;
  Object.assign(kept, {version: answer.version, text: written, undo: answer.undo, key});
  return true;
}

/**
 * A study could not be written.
 * @param {Kept} kept
 * @param {string} why
 * @param {boolean} isAnswered true if the server has refused it
 */
export function failWriting(kept, why, isAnswered) {
  kept.error = why;
  if (isAnswered) kept.unanswered = null;
}

/**
 * A writing has ended, well or not. True if the study was changed meanwhile, and is to be written again.
 * @param {Kept} kept
 */
export function endWriting(kept) {
  const {isAgain} = kept;
  Object.assign(kept, {isWriting: false, isAgain: false});
  return isAgain;
}

/**
 * Whether the server has said that it has the study as it is now.
 * @param {Tree} tree
 */
export const isConfirmed = tree => tree.kept !== null && !tree.kept.unanswered && !tree.kept.isOutdated
  && tree.kept.text === JSON.stringify(tree.toJson());

/**
 * Whether the server has an older state of the study that this page may ask for.
 * @param {Kept} kept
 */
export const hasOlder = kept => kept.undo > 0 && !kept.isWriting && !kept.isOutdated;

/**
 * How it stands with the study, in words.
 * @param {Kept | null} kept
 */
export function describeKept(kept) {
  if (!kept || kept.isOutdated) return "";
  if (kept.error) return say("study_not_kept", {why: kept.error});
  return say(kept.version ? "study_kept" : "study_keeping");
}
