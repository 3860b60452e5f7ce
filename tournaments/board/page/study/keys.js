// What the keys do in a study: those of the page's table, and those of the board itself.

import {blackShare, formatScore, formatShare} from "./evaluation.js";
import {nameOf, neighbour} from "./state.js";
import {announce} from "../shared/status.js";
import {copyGame} from "./transfer.js";
import {focusIn} from "../shared/tabs.js";
import {say} from "../shared/i18n.js";

/**
 * The keys of the page's table, by the names of their actions.
 * @param {import("./study.js").StudyView} view
 * @returns {Record<string, () => unknown>}
 */
export function actionsOf(view) {
  const {study, analyst, grid} = view;
  /** @type {(by: number, end: "first" | "last") => void} */
  const turnOr = (by, end) => study.tree.turn(by) ? view.moved() : view.step(end);
  /** @param {number} by */
  const turnFork = by => {
    study.tree.toFork(by);
    view.moved();
  };
  /** @param {number} by */
  const turnGame = by => {
    const next = neighbour(study, by);
    if (next) view.replace(next);
  };
  /** @param {"hasLines" | "hasMarks"} what */
  const toggle = what => {
    study[what] = !study[what];
    view.show();
  };
  return {
    back: () => view.step("back"), forward: () => view.step("forward"), first: () => view.step("first"), last: () => view.step("last"),
    previous_variation: () => turnOr(-1, "first"), next_variation: () => turnOr(1, "last"),
    previous_fork: () => turnFork(-1), next_fork: () => turnFork(1), previous_game: () => turnGame(-1), next_game: () => turnGame(1),
    undo: () => view.undo(), redo: () => view.redo(), copy: () => copyGame(study), think: () => analyst.toggle(),
    engine_move: () => analyst.playBest(), balance_one: () => analyst.findBalance(1), balance_two: () => analyst.findBalance(2),
    turn: () => grid.turn(false), mirror: () => grid.turn(true), show_threats: () => analyst.findThreats(),
    autoplay: () => view.autoplay.toggle(),
    stop: () => { view.autoplay.stop(say("autoplay_stopped")); analyst.stop(); }, next_mistake: () => view.goToMistake(1), previous_mistake: () => view.goToMistake(-1),
    show_losses: () => view.coach.toggleDots(), show_lines: () => toggle("hasLines"), show_marks: () => toggle("hasMarks"),
  };
}

/**
 * The keys of the board itself, on the cell with this button.
 * @param {import("./state.js").Study} study
 * @param {HTMLElement} button
 * @returns {Record<string, () => void>}
 */
export function commandsOf(study, button) {
  const {tree} = study, last = tree.current.cell, best = tree.current.analysis?.lines[0];
  const share = blackShare(tree, tree.current);
  return {
    l: () => announce(!last ? say("no_move")
      : say(`cell_${tree.toMove() ? "black" : "white"}_move`, {cell: nameOf(study, last), number: tree.cells().length})),
    o: () => announce(button.getAttribute("aria-label") ?? ""),
    c: () => announce(share === null ? say("no_evaluation") : say("black_share", {share: formatShare(share)})),
    g: () => announce(!best ? say("no_analysis")
      : say("best_move", {cell: nameOf(study, best.moves[0]), score: formatScore(best)})),
    i: () => focusIn("study-box"),
  };
}
