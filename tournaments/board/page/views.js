// The views of the page that are loaded when they are needed: the first view does not wait for the others.

import {loadMoreWords} from "./shared/i18n.js";

/**
 * @typedef {object} Loaded
 * @property {import("./play/play.js").PlayView} game
 * @property {import("./study/study.js").StudyView} study
 * @property {import("./review/quiz.js").QuizView} quiz
 * @property {import("./review/puzzle.js").PuzzleView} puzzle
 * @property {import("./library/games.js").GamesView} games
 * @property {import("./watch/live.js").LiveView} live
 *
 * @typedef {object} Leads what the views do with the rest of the page
 * @property {import("./play/play.js").Open} open
 * @property {(state: import("./net/messages.js").State, reviews?: boolean) => void} openStudy
 * @property {(settings: import("./net/messages.js").WantedSettings) => void} create
 * @property {(position: import("./net/exchange.js").Position, cells: import("./board.js").Cell[],
 *   proof: import("./review/descriptions.js").Proof) => void} walk
 * @property {() => void} fillStudy
 */

/** @type {{[T in keyof Loaded]: (leads: Leads, words: Promise<void>) => Promise<Loaded[T]>}} */
const LOADERS = {
  game: async leads => {
    const {PlayView} = await import("./play/play.js");
    return new PlayView((id, more) => leads.open(id, more), (state, reviews) => leads.openStudy(state, reviews),
      (...proof) => leads.walk(...proof));
  },
  study: async (leads, words) => {
    const [{StudyView}] = await Promise.all([import("./study/study.js"), words]);
    return new StudyView(settings => leads.create(settings));
  },
  quiz: async (leads, words) => {
    const [{QuizView}] = await Promise.all([import("./review/quiz.js"), words]);
    return new QuizView((...proof) => leads.walk(...proof), id => leads.open(id));
  },
  puzzle: async (leads, words) => {
    const [{PuzzleView}] = await Promise.all([import("./review/puzzle.js"), words]);
    return new PuzzleView((...proof) => leads.walk(...proof));
  },
  games: async (leads, words) => {
    const [{GamesView}] = await Promise.all([import("./library/games.js"), words]);
    return new GamesView();
  },
  live: async (leads, words) => {
    const [{LiveView}] = await Promise.all([import("./watch/live.js"), words]);
    return new LiveView();
  },
};

export class Views {
  /**
   * @param {Leads} leads
   * @param {() => void} fail tells that a view could not be loaded
   */
  constructor(leads, fail) {
    this.leads = leads;
    this.fail = fail;
    /** @type {Partial<Loaded>} */
    this.loaded = {};
    /** @type {Map<string, Promise<any>>} those that are being loaded, and the loaded ones */
    this.loading = new Map();
    this.visit = 0;  // grows each time that a view is left
  }

  /**
   * @template {keyof Loaded} T
   * @param {T} name
   * @returns {Promise<Loaded[T]>}
   */
  load(name) {
    const known = this.loading.get(name);
    if (known) return known;
    const words = name === "game" ? Promise.resolve() : loadMoreWords();
    const loading = LOADERS[name](this.leads, words).then(view => {
      this.loaded[name] = view;
      if (name === "study") this.leads.fillStudy();
      return view;
    });
    this.loading.set(name, loading);
    loading.catch(() => this.loading.delete(name));
    return loading;
  }

  /**
   * Does something with the view that is shown; if it has to be loaded first, only if it is still shown then.
   * @template {keyof Loaded} T
   * @param {T} name
   * @param {(view: Loaded[T]) => void} act
   */
  use(name, act) {
    const view = this.loaded[name], {visit} = this;
    if (view) {
      act(view);
      return;
    }
    this.load(name).then(loaded => { if (visit === this.visit) act(loaded); }, this.fail);
  }

  // The view that is shown is being left. Returns the loaded ones.
  leave() {
    this.visit += 1;
    return this.loaded;
  }

  // Loads the views that most people open next, so that they open at once.
  async loadMore() {
    try {
      await this.load("game");
      await this.load("study");
    } catch { /* a click on one of them tries again, and tells */ }
  }
}
