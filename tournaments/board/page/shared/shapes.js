// The shapes of what a review finds at a move, for the graph and for the board.

/**
 * The shapes of findings, around a middle of 0, in pixels.
 * @type {Record<string, string>}
 */
export const SHAPES = {
  missed_win: "M0-7l2 4.4 4.8.5-3.5 3.3 1 4.8L0 3.5-4.3 6l1-4.8-3.5-3.3 4.8-.5z", losing_move: "M-6-5H6L0 6z",
  blunder: "M0-6.5L6.5 0 0 6.5-6.5 0z", mistake: "M0-6.5L6.5 0 0 6.5-6.5 0z", inaccuracy: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
};
