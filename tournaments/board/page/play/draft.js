// What is written in the box of a comment and not sent yet, and the position that it is about.

/**
 * @typedef {import("../net/messages.js").CommentJson} Comment
 *
 * @typedef {object} Draft
 * @property {Comment | null} unsent what is written and not sent
 * @property {number | null} shown the ply whose comment the box has, null before the first one
 * @property {string | null} base the comment that the game has there as far as the box knows, null if that is not known
 */

/** @returns {Draft} */
export const makeDraft = () => ({unsent: null, shown: null, base: ""});

/**
 * Takes what the box has now. False if it belongs to no position.
 * @param {Draft} draft
 * @param {string} text
 */
export function write(draft, text) {
  if (draft.shown === null) return false;
  draft.unsent = {ply: draft.shown, text};
  return true;
}

/**
 * The comment that is to be sent now, null for none.
 * @param {Draft} draft
 */
export function takeUnsent(draft) {
  const {unsent} = draft;
  draft.unsent = null;
  if (unsent?.ply === draft.shown) draft.base = unsent?.text ?? null;
  return unsent;
}

/**
 * The server has refused this comment.
 * @param {Draft} draft
 * @param {Comment} comment
 */
export function takeRefusal(draft, {ply}) {
  if (ply === draft.shown) draft.base = null;
}

/**
 * Turns to the position after `ply` stones of a game of `plies` stones. Moves of the other player leave the box alone
 * while the player writes; where the stone of the written comment is taken back, the comment goes to the position that
 * is left. A comment that the other player writes on the same position meanwhile stands before the written one.
 * @param {Draft} draft
 * @param {Comment[]} comments
 * @param {number} ply
 * @param {number} plies
 * @param {string | null} written the text of the box, null if nothing is written in it
 * @returns {{text: string | null, isMoved: boolean}} what the box is to have, null to leave it alone; and whether the
 *   comment went to another position
 */
export function turnTo(draft, comments, ply, plies, written) {
  const textAt = (/** @type {number} */ place) => comments.find(each => each.ply === place)?.text ?? "";
  if (written !== null && draft.shown !== null) {
    if (draft.shown <= plies) return {text: joined(draft, textAt(draft.shown), written), isMoved: false};
    if (written) {
      const text = [textAt(plies), written].filter(Boolean).join("\n");
      draft.shown = plies;
      draft.base = textAt(plies);
      write(draft, text);
      return {text, isMoved: true};
    }
  }
  draft.shown = ply;
  draft.base = textAt(ply);
  return {text: draft.base, isMoved: false};
}

// A text without what the server may replace in it: blanks of other kinds, and characters that cannot be shown.
const letters = (/** @type {string} */ text) => text.replace(/\ufffd|[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, "");

/**
 * What a box with the focus is to have, if the game has the comment `now`; null to leave it alone.
 * @param {Draft} draft
 * @param {string} now
 * @param {string} written
 */
function joined(draft, now, written) {
  const {base} = draft;
  if (base === null || letters(now) === letters(base)) return null;
  draft.base = now;
  if (letters(written) === letters(now)) return null;
  if (written === base) {
    draft.unsent = null;
    return now;
  }
  const goesOn = base && [now, written].every(text => text.startsWith(base));  // both have written behind the same text
  const text = goesOn ? now + written.slice(base.length) : [now, written].filter(Boolean).join("\n");
  write(draft, text);
  return text;
}
