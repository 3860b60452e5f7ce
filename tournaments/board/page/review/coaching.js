// What the coach knows of the study that is shown: the judgement of each move, proofs that are walked, positions that are
// tried again, and the result of the last try. It tells what to do next; it draws nothing and asks no one.

import {cellName, isSame} from "../board.js";
import {describeAnswers, readProof} from "./descriptions.js";
import {countMistakes, describeMove, describeRight, describeTask, isHold, isMistake} from "./moves.js";
import {Walk} from "./walk.js";
import {say, saySentences} from "../shared/i18n.js";

/**
 * @typedef {import("../board.js").Cell} Cell
 * @typedef {import("../study/tree.js").Tree} Tree
 * @typedef {import("../study/tree.js").Node} Node
 * @typedef {import("../study/tree.js").Move} Move
 * @typedef {import("../net/messages.js").ReviewAnswer} ReviewAnswer
 * @typedef {import("../net/messages.js").ReviewedMove} ReviewedMove
 * @typedef {import("./descriptions.js").Proof} Proof
 * @typedef {{node: Node, move: ReviewedMove, mayKeep: boolean}} Mistake of a review; whether it can become a quiz
 *
 * @typedef {{label: "walk_win" | "walk_refutation", node: Node, cell: Cell | null, proof: Proof}} WalkAction walks a proof
 *   at a node, after a move at `cell`, null for none
 * @typedef {WalkAction | {label: "try_again", node: Node, move: ReviewedMove}
 *   | {label: "show_answer" | "stop_trying" | "next_mistake", node: Node}
 *   | {label: Leave["label"], node: Node, lead: Leave["lead"] | null}} Action that the coach offers; `label` is the key of its name
 *
 * @typedef {{label: "leave_proof" | "leave_proof_puzzle" | "leave_proof_quiz", lead: () => void}} Leave leads out of a proof to the
 *   view that it comes from
 *
 * @typedef {object} Coaching
 * @property {boolean} isBusy true while a review is awaited
 * @property {number} asked the number of reviews that were requested
 * @property {ReviewAnswer | null} reviewed the server's answer
 * @property {Map<Node, ReviewedMove>} moves nodes with the review's judgements
 * @property {Walk} proofs
 * @property {{node: Node, leave: Leave} | null} origin where the proof of another view begins
 * @property {Map<Node, {move: ReviewedMove, isShown: boolean}>} tries nodes with the mistakes that are tried again there
 * @property {{node: Node, words: () => string, walk: WalkAction | null} | null} tried the result of the last try
 * @property {number | null} wanted the colour whose mistakes are looked for, null for both
 * @property {() => string} fact the sentence about the whole review; called again after a change of the language
 */

/** @returns {Coaching} */
export const makeCoaching = () => ({
  isBusy: false, asked: 0, reviewed: null, moves: new Map(), proofs: new Walk(), origin: null, tries: new Map(), tried: null, wanted: null,
  fact: () => "",
});

/**
 * Another study is shown; a review of the one before comes too late. True if there was one.
 * @param {Coaching} coaching
 */
export function forget(coaching) {
  const {isBusy} = coaching;
  for (const known of [coaching.moves, coaching.proofs, coaching.tries]) known.clear();
  Object.assign(coaching, {isBusy: false, asked: coaching.asked + 1, origin: null, tried: null, reviewed: null, fact: () => ""});
  return isBusy;
}

// The review

/**
 * How many of the first stones of a line were set up, or placed by an opening: they are not judged.
 * @param {Tree} tree
 * @param {import("../board.js").Cell[]} moves
 */
function startOf({start, played}, moves) {
  const count = played?.setUp ?? 0;
  return played && isSame(moves.slice(0, count), played.cells.slice(0, count)) ? count : start.length;
}

/**
 * What is to be reviewed. The mistakes of a game that was played here are kept.
 * @param {Tree} tree
 * @param {Node[]} line
 * @returns {{game: string} | {position: import("../net/exchange.js").Position, start: number}}
 */
export function subjectOf(tree, line) {
  const {root, width, height, rule, played} = tree, moves = tree.cells(line.at(-1) ?? root);
  if (played && isSame(moves, played.cells)) return {game: played.game};
  return {position: {width, height, rule, moves}, start: startOf(tree, moves)};
}

/**
 * A review is requested. Returns its number.
 * @param {Coaching} coaching
 */
export function beginReview(coaching) {
  coaching.isBusy = true;
  return ++coaching.asked;
}

/**
 * A review has ended, well or not. False if a newer one has ended it.
 * @param {Coaching} coaching
 * @param {number} number
 */
export function endReview(coaching, number) {
  if (coaching.asked !== number) return false;
  coaching.isBusy = false;
  return true;
}

/**
 * Takes a review of the line of a study.
 * @param {Coaching} coaching
 * @param {ReviewAnswer} answer
 * @param {Tree} tree
 * @param {Move[]} line
 */
export function takeReview(coaching, answer, tree, line) {
  /** @type {Node[]} */
  const nodes = [tree.root, ...line], start = startOf(tree, tree.cells(line.at(-1) ?? tree.root));
  const moves = answer.review.moves.filter(({ply}) => ply >= start);  // a review that was kept may judge more of them
  coaching.reviewed = {...answer, review: {...answer.review, moves}};
  for (const move of moves) {
    const index = move.ply + 1 - tree.start.length, node = nodes[index];
    if (!node) continue;
    coaching.moves.set(node, move);
    /** @param {number | null} share */
    const black = share => share === null || !move.colour ? share : 1 - share;
    node.share = black(move.after);
    nodes[index - 1].share ??= black(move.before);
  }
  const {reviewed} = coaching;
  coaching.fact = () => describeReview(reviewed);
}

/**
 * The reviewed line, and the ply at which the proof that is shown left it; null outside a proof, and without a review.
 * @param {Coaching} coaching
 * @param {Tree} tree
 */
export function walkedFrom({moves, proofs}, tree) {
  if (!moves.size || !proofs.rootOf(tree.current)) return null;
  const left = tree.path().findLast(node => moves.has(node)) ?? tree.root;
  return {cells: tree.cells([...moves.keys()].at(-1)), ply: tree.cells(left).length};
}

/** @param {ReviewAnswer} answer */
const describeReview = ({review, kept}) => saySentences(
  say(review.proves ? "review_proves" : "review_done", countMistakes(review.moves)),
  kept.length ? say("review_kept", {count: kept.length}) : "",
);

/**
 * The colour of the one person in the game that was reviewed, null where there is none or two.
 * @param {Coaching} coaching
 */
export const ownColour = ({reviewed}) => reviewed?.own ?? null;

/**
 * The mistakes of the review in the order of the game.
 * @param {Coaching} coaching
 * @returns {Mistake[]}
 */
export function listMistakes({reviewed, moves}) {
  const plies = new Set(reviewed?.quizzes.map(quiz => quiz.moves.length)), kept = reviewed?.kept ?? [];
  return [...moves].filter(([, move]) => isMistake(move)).map(([node, move]) =>
    ({node, move, mayKeep: plies.has(move.ply) && !kept.includes(move.ply)}));
}

/**
 * A mistake has become a quiz.
 * @param {Coaching} coaching
 * @param {number} ply
 */
export function takeQuiz({reviewed}, ply) {
  reviewed?.kept.push(ply);
}

// Tries

/**
 * @param {Coaching} coaching
 * @param {Node} node
 * @param {ReviewedMove} move
 */
export function beginTry(coaching, node, move) {
  coaching.tried = null;
  coaching.tries.set(node, {move, isShown: false});
}

/**
 * @param {Coaching} coaching
 * @param {Node} node
 */
export function endTry(coaching, node) {
  coaching.tries.delete(node);
  coaching.tried = null;
}

/**
 * The answer is shown. Returns it in words; null where nothing is tried.
 * @param {Coaching} coaching
 * @param {Node} node
 * @param {number} height
 */
export function showAnswer(coaching, node, height) {
  const trying = coaching.tries.get(node);
  if (!trying) return null;
  trying.isShown = true;
  return () => describeAnswers(trying.move.accepted, isHold(trying.move), height);
}

/**
 * Whether a move that is tried is one of the accepted moves of the review: its words, and the proof of its win where
 * there is one; null where the server is to be asked.
 * @param {ReviewedMove} move the mistake
 * @param {Cell} cell
 * @param {number} height
 */
export function judgeByReview(move, cell, height) {
  if (!move.accepted.some(each => isSame(each, cell))) return null;
  const isWalked = move.win && isSame(readProof(move.win)[0].move, cell);
  return {words: () => describeRight(move, cellName(cell, height)), proof: isWalked ? move.win : null};
}

/**
 * The try was right: the move is played.
 * @param {Coaching} coaching
 * @param {Tree} tree
 * @param {Node} node
 * @param {Cell} cell
 * @param {() => string} words
 * @param {Proof | null} proof of its win, which begins before the move or after it
 */
export function succeed(coaching, tree, node, cell, words, proof) {
  coaching.tries.delete(node);
  tree.current = node;
  tree.play(cell);
  const start = proof && readProof(proof)[0].move === null ? tree.current : node;
  setResult(coaching, tree.current, words, proof && {label: "walk_win", node: start, cell: null, proof});
}

/**
 * @param {Coaching} coaching
 * @param {Node} node
 * @param {() => string} words
 * @param {WalkAction | null} walk
 */
export function setResult(coaching, node, words, walk = null) {
  coaching.tried = {node, words, walk};
}

/**
 * Begins a proof at the position after `node`. Returns the coach's words.
 * @param {Coaching} coaching
 * @param {Tree} tree
 * @param {Node} node
 * @param {Proof} proof
 * @param {Leave | null} leave the way out of it, if it leads to another view
 */
export function beginWalk(coaching, tree, node, proof, leave = null) {
  endTry(coaching, node);
  if (leave) coaching.origin = {node, leave};
  return coaching.proofs.begin(tree, node, proof);
}

// What there is at a node

/**
 * What may be done about a move.
 * @param {Coaching} coaching
 * @param {Node} node
 * @returns {Action[]}
 */
export function actionsAt({moves}, node) {
  const move = moves.get(node), {parent} = node;
  if (!move || !parent) return [];
  const {win, refutation, accepted} = move;
  return [
    ...win ? [{label: /** @type {const} */ ("walk_win"), node: parent, cell: null, proof: win}] : [],
    ...refutation ? [{label: /** @type {const} */ ("walk_refutation"), node, cell: null, proof: refutation}] : [],
    ...accepted.length ? [{label: /** @type {const} */ ("try_again"), node: parent, move}] : [],
  ];
}

/**
 * The words and the actions beside the board: about a try, about a proof that is walked, or else about the current move.
 * @param {Coaching} coaching
 * @param {Tree} tree
 * @returns {{words: string, actions: Action[]}}
 */
export function adviceAt(coaching, tree) {
  const {moves, proofs, origin, tries, tried, isBusy, fact} = coaching, node = tree.current, trying = tries.get(node);
  const proved = proofs.describe(node, tree.height), result = tried?.node === node ? tried : null;
  let words = result ? result.words() : trying ? describeTask(trying.move) : proved || describeMove(moves.get(node), tree.height);
  const actions = result ? [...result.walk ? [result.walk] : []] : trying || proved ? [] : actionsAt(coaching, node);
  if (trying) {
    if (!trying.isShown) actions.push({label: "show_answer", node});
    actions.push({label: "stop_trying", node});
  } else if (isBusy || moves.size && !words) {
    words = fact();
  }
  const root = trying || result ? null : proofs.rootOf(node);
  if (root) actions.push({label: "leave_proof", lead: null, ...origin?.node === root ? origin.leave : {}, node: root});
  // A touch screen has no key for it.
  const next = trying ? null : nextMistake(coaching, tree, root);
  return {words, actions: next ? [...actions, {label: "next_mistake", node: next}] : actions};
}

/**
 * Whether a move is a mistake of the side whose mistakes are looked for.
 * @param {Coaching} coaching
 * @param {Node} node
 */
export function isWanted({moves, wanted}, node) {
  const move = moves.get(node);
  return isMistake(move) && (wanted === null || move?.colour === wanted);
}

/**
 * The first mistake of the game, by one colour or by both.
 * @param {Coaching} coaching
 * @param {number | null} colour null for both
 */
export const firstMistake = ({moves}, colour) =>
  [...moves].find(([, move]) => isMistake(move) && (colour === null || move.colour === colour))?.[0] ?? null;

/**
 * The next mistake of the line after the current position, or the first one; null where there is no other. From a proof
 * it is the next one of the game after the mistake that the proof is about.
 * @param {Coaching} coaching
 * @param {Tree} tree
 * @param {Node | null} root of the proof that is walked, null for none
 */
function nextMistake(coaching, tree, root) {
  const {moves, proofs} = coaching, reviewed = [...moves.keys()].filter(node => isWanted(coaching, node));
  const wrong = root ? reviewed : tree.line().filter(node => reviewed.includes(node));
  if (!wrong.some(node => node !== tree.current)) return null;
  // A win is proved before the move that misses it, a loss after the move that allows it.
  const passed = tree.path(root ?? tree.current).length + (root && !proofs.stepAt(root) ? 1 : 0);
  return wrong.find(node => tree.path(node).length > passed) ?? wrong[0];
}

/**
 * The coach's words on free cells of the board.
 * @param {Coaching} coaching
 * @param {Node} node
 * @returns {import("../board/cells.js").Candidate[]}
 */
export function candidatesAt({proofs, tries}, node) {
  const trying = tries.get(node), fouls = proofs.stepAt(node)?.fouls ?? [], answers = trying?.isShown ? trying.move.accepted : [];
  return [...proofs.defences(node).map(cell => ({cell, kind: "other", text: "?"})),
    ...fouls.map(cell => ({cell, kind: "lost", text: "×"})), ...answers.map(cell => ({cell, kind: "best", text: "!"}))];
}
