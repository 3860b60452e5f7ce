// The openings that the page knows: what the server has said about positions, which replies are listed, and the changes
// of notes that can be taken back. Nothing is drawn here, and nothing is sent.

import {formatScore} from "../study/evaluation.js";
import {formatNumber, formatRounded, say} from "../shared/i18n.js";

const MOST_KNOWN = 300;  // positions whose answers are kept
const MOST_CHANGES = 100;
const MOST_TILES = 12;

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../net/exchange.js").Position} Position
 * @typedef {import("../net/messages.js").Book} Book
 * @typedef {import("../net/messages.js").BookMove} BookMove
 * @typedef {import("../net/messages.js").BookNotes} Notes
 * @typedef {{position: Position, before: Partial<Notes>, fields: string}} Change of notes: their texts before it
 *
 * @typedef {{position: Position, notes: Partial<Notes>}} Draft notes that are typed
 *
 * @typedef {object} Openings
 * @property {Map<string, Book>} known what the server has said, by the keys of positions
 * @property {Set<string>} unfolded keys of positions after moves whose replies are listed
 * @property {Change[]} past the changes of notes, the last one at the end
 * @property {Draft | null} draft notes that are typed and not yet sent
 */

/** @returns {Openings} */
export const makeOpenings = () => ({known: new Map(), unfolded: new Set(), past: [], draft: null});

/** @param {Position} position */
export const keyOf = ({width, height, rule, moves}) => `${width}x${height}/${rule}/${moves.join(" ")}`;

/**
 * The position after more moves.
 * @param {Position} position
 * @param {Cell[]} cells
 * @returns {Position}
 */
export const positionAfter = (position, cells) => ({...position, moves: [...position.moves, ...cells]});

/**
 * What is known of a position, null as long as the server has not said it.
 * @param {Openings} openings
 * @param {Position} position
 */
export const bookOf = ({known}, position) => known.get(keyOf(position)) ?? null;

/**
 * Takes the server's answer about a position.
 * @param {Openings} openings
 * @param {Position} position
 * @param {Book} book
 */
export function takeBook({known}, position, book) {
  const key = keyOf(position);
  known.delete(key);
  known.set(key, book);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(oldest);
  }
}

/**
 * The store has changed: every answer may be another one now. That about the position that is shown stays until then.
 * @param {Openings} openings
 * @param {Position | null} shown
 */
export function forgetBooks({known}, shown) {
  for (const key of [...known.keys()]) if (!shown || key !== keyOf(shown)) known.delete(key);
}

/**
 * Lists the replies of a move, or hides them. True if they are to be listed.
 * @param {Openings} openings
 * @param {Position} position after the move
 */
export function unfold({unfolded}, position) {
  const key = keyOf(position);
  if (unfolded.delete(key)) return false;
  unfolded.add(key);
  return true;
}

// Figures

/**
 * The share of a move for the side that makes it, such as "51 %", or the plies to the end if that is proved.
 * @param {BookMove["record"]} record
 */
export function figureOf(record) {
  if (!record) return "";
  if (record.mate !== null) return formatScore({score: null, mate: record.mate});
  return ({least: "≥ ", most: "≤ "}[String(record.kind)] ?? "") + say("percent", {number: formatNumber(record.win * 100)});
}

/**
 * The depth and the nodes of the search behind a record, as far as they are known.
 * @param {BookMove["record"]} record
 */
export function searchOf(record) {
  const facts = [];
  if (record?.depth) facts.push(say("depth", {depth: record.depth}));
  // The store keeps the number of nodes as a logarithm, four steps to a doubling.
  if (record?.nodes) facts.push(say("nodes", {nodes: formatRounded(record.nodes)}));
  return facts;
}

/**
 * How the games after a move ended, or else what its score expects, as parts of one: Black's wins, draws, White's wins.
 * Null if neither is known.
 * @param {Pick<BookMove, "games" | "record">} move
 * @param {number} mover the colour that makes the move
 * @returns {[number, number, number] | null}
 */
export function resultsOf({games, record}, mover) {
  const count = games[0] + games[1] + games[2];
  if (count) return [games[0] / count, games[1] / count, games[2] / count];
  if (!record) return null;
  const black = mover ? 1 - record.win : record.win;
  return [black, 0, 1 - black];
}

/**
 * The move whose proof can be walked: one that wins, or else one that loses; undefined for none.
 * @param {Book} book
 */
export const provedMove = ({moves}) => moves.find(({record}) => (record?.mate ?? 0) > 0) ?? moves.find(({record}) => record?.mate);

/** @param {{games: number[]}} known */
export const countGames = ({games}) => games.reduce((sum, each) => sum + each, 0);

/**
 * The known moves as words on the board: the shares of the best ones, and texts that people wrote on others.
 * @param {Book} book
 * @returns {import("../board/cells.js").Candidate[]}
 */
export function tilesOf({moves}) {
  const best = moves[0]?.record?.win ?? 0;
  return moves.slice(0, MOST_TILES).flatMap(({cell, record, notes}, index) => {
    const words = notes.board_text.slice(0, 3);
    if (!record) return words ? [{cell, kind: "other", text: words}] : [];
    if (record.mate !== null) {
      const kind = record.mate < 0 ? "lost" : index ? "won" : "won best";
      return [{cell, kind, text: figureOf(record).replace("+", "")}];
    }
    const loss = best - record.win, kind = !index ? "best" : loss <= .05 ? "near" : loss <= .15 ? "far" : "worse";
    return [{cell, kind, text: `${formatNumber(record.win * 100)}%`}];
  });
}

// Notes

const NONE = {title: "", text: "", label: "", mark: "", board_text: ""};

/**
 * The notes of a position as they are to be shown: those of the server, with those that are typed.
 * @param {Openings} openings
 * @param {Position} position
 * @returns {Notes}
 */
export function notesOf(openings, position) {
  const {draft} = openings, typed = draft && keyOf(draft.position) === keyOf(position) ? draft.notes : {};
  return {...NONE, ...bookOf(openings, position)?.notes, ...typed};
}

/**
 * A note is typed. The notes of another position that were typed before must have been sent.
 * @param {Openings} openings
 * @param {Position} position
 * @param {Partial<Notes>} notes
 */
export function typeNotes(openings, position, notes) {
  openings.draft = {position, notes: {...openings.draft?.notes, ...notes}};
}

/**
 * The notes that are to be sent, as they are no longer typed; null for none.
 * @param {Openings} openings
 */
export function takeDraft(openings) {
  const {draft} = openings;
  openings.draft = null;
  return draft;
}

/**
 * Notes could not be sent: they stay as they were typed, and are sent with the next change or when the connection is back,
 * unless others are typed by then.
 * @param {Openings} openings
 * @param {Draft} draft
 */
export function keepDraft(openings, draft) {
  openings.draft ??= draft;
}

/**
 * Notes of a position are changed: remembers them as they were. Typing on in the same notes is one change.
 * @param {Openings} openings
 * @param {Position} position
 * @param {Partial<Notes>} notes the new ones
 */
export function noteChange(openings, position, notes) {
  const was = /** @type {Notes} */ ({...NONE, ...bookOf(openings, position)?.notes}), fields = Object.keys(notes).join(" ");
  const last = openings.past.at(-1);
  if (last?.fields === fields && keyOf(last.position) === keyOf(position)) return;
  const before = Object.fromEntries(Object.keys(notes).map(name => [name, was[/** @type {keyof Notes} */ (name)]]));
  openings.past = [...openings.past, {position, before, fields}].slice(-MOST_CHANGES);
}

/**
 * The last change of notes, which is taken back now; null for none.
 * @param {Openings} openings
 */
export function undoChange(openings) {
  return openings.past.pop() ?? null;
}
