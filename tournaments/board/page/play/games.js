// The names of the players of a game in a list.

import {titleOf} from "./home.js";
import {say} from "../shared/i18n.js";

/**
 * The names of Black and of White in a game, as its owner knows them.
 * @param {import("../net/messages.js").GameLine} game
 */
export function gameNames({names, kinds, levels}) {
  const isAlone = (/** @type {string} */ kind) => kinds.filter(each => each === kind).length === 1;  // two of them go by their colours
  return names.map((name, colour) => {
    const level = levels[colour], title = titleOf(name);
    if (name) return level ? say("brain_level_short", {brain: title, level}) : title;
    if (kinds[colour] === "local" && isAlone("local")) return say("you");
    return say(kinds[colour] === "friend" && isAlone("friend") ? "friend" : colour ? "white" : "black");
  });
}
