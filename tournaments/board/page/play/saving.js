// Saves a game as a file, in the formats that its page offers.

import {server} from "../net/connection.js";
import {complain} from "../shared/status.js";

/** @param {() => string | undefined} idOf the id of the game that is shown */
export function prepareSaving(idOf) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-save]"))) {
    const format = /** @type {"sgf" | "psq" | "pos"} */ (button.dataset.save);
    button.addEventListener("click", () => {
      const game = idOf();
      if (game) save(game, format).catch(complain);
    });
  }
}

/**
 * @param {string} game
 * @param {"sgf" | "psq" | "pos"} format
 */
async function save(game, format) {
  const {text, name} = await server.ask({type: "export", game, format}), {saveFile} = await import("../board/picture.js");
  saveFile(text, `tengen-${name}`, "text/plain");
}
