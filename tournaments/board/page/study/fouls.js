// Asks the server what the rule forbids in the position of a study that is shown. One question is asked at a time, and
// there is a pause after each, for a key that is held down.

import {server} from "../net/connection.js";
import {needsFouls} from "./rules.js";
import {Delay} from "../shared/delay.js";

const PAUSE = 100;  // milliseconds from an answer to the next question

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./tree.js").Node} Node
 */

/**
 * @param {Tree} tree
 * @param {Node} node
 */
export async function askFouls(tree, node) {
  node.fouls = await server.ask({type: "fouls", position: tree.position(node), start: tree.start.length});
}

export class FoulWatch {
  /**
   * @param {import("./state.js").Study} study
   * @param {() => void} use is called after an answer about the position that is shown
   * @param {(tree: Tree, node: Node) => Promise<void>} ask
   */
  constructor(study, use, ask = askFouls) {
    this.study = study;
    this.use = use;
    this.ask = ask;
    /** @type {Node | null} the node that the server is asked about, or was before the pause */
    this.asked = null;
    this.pause = new Delay(() => this.goOn(), PAUSE);
  }

  // The position that is shown may be another one.
  look() {
    const {study} = this, {tree} = study, node = tree.current;
    if (study.free || this.asked || !needsFouls(tree, node)) return;
    this.asked = node;
    this.ask(tree, node).then(() => {
      if (study.tree === tree && tree.current === node) this.use();
    }, () => {}).finally(() => this.pause.start());
  }

  // A position without an answer is not asked about again: there is no connection.
  goOn() {
    const {asked} = this;
    this.asked = null;
    if (this.study.tree.current !== asked) this.look();
  }
}
