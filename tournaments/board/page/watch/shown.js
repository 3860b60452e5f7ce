// The way from the board to the page of a tournament, for as long as one is shown by a server of the same user.

import {server} from "../net/connection.js";
import {byId} from "../dom.js";

const PAUSE = 5000;  // milliseconds between two questions: the server of a tournament may be killed

/** @typedef {import("../net/messages.js").ShownTournament} Shown */

/**
 * The address of a tournament's page for a browser that has the board at `here`, "" if it cannot reach it.
 * @param {Shown} shown
 * @param {{hostname: string}} here
 */
export function addressOf({port, host, origin}, {hostname}) {
  const isLocal = (/** @type {string} */ name) => name === "localhost" || name.startsWith("127.") || name === "::1" || name === "[::1]";
  if (origin) return `${origin}/live`;
  if (host !== null && isLocal(host) && !isLocal(hostname)) return "";
  const name = host ?? hostname;
  return `http://${name.includes(":") && !name.startsWith("[") ? `[${name}]` : name}:${port}/live`;
}

/** @param {Shown[]} tournaments the newest first */
function showWay(tournaments) {
  const link = byId("to-live", HTMLAnchorElement), [first] = tournaments.flatMap(shown => {
    const address = addressOf(shown, location);
    return address ? [{address, name: shown.name}] : [];
  });
  link.hidden = !first;
  if (first) Object.assign(link, {href: first.address, title: first.name, target: "_blank", rel: "noopener"});
}

/** @param {() => boolean} isOwner whether this page may ask now */
export function followTournaments(isOwner) {
  const ask = () => {
    if (document.hidden || !isOwner()) return;
    server.ask({type: "shown"}).then(({tournaments}) => showWay(tournaments), () => showWay([]));
  };
  server.on("welcome", () => setTimeout(ask));
  setInterval(ask, PAUSE);
}
