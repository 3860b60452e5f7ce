// What is written in the box of a comment and not sent yet, and the position that it is about.

/**
 * @typedef {import("../net/messages.js").CommentJson} Comment
 *
 * @typedef {object} Draft
 * @property {Comment | null} unsent what is written and not sent
 * @property {number | null} shown the ply whose comment the box has, null before the first one
 */

/** @returns {Draft} */
export const makeDraft = () => ({unsent: null, shown: null});

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
  return unsent;
}

/**
 * Turns to the position after `ply` stones of a game of `plies` stones. Moves of the other player leave the box alone
 * while the player writes; where the stone of the written comment is taken back, the comment goes to the position that
 * is left.
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
    if (draft.shown <= plies) return {text: null, isMoved: false};
    if (written) {
      const text = [textAt(plies), written].filter(Boolean).join("\n");
      draft.shown = plies;
      write(draft, text);
      return {text, isMoved: true};
    }
  }
  draft.shown = ply;
  return {text: textAt(ply), isMoved: false};
}
