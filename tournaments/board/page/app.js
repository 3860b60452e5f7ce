// The page: its views, its addresses, and the connection that they share.

import {PROTOCOL, server} from "./net/connection.js";
import {byId, make, setText} from "./dom.js";
import {askGames, fillHome, fillGames, loadRatings, prepareHome} from "./play/home.js";
import {listenToKeys, openHelp, prepareHelp} from "./shared/keys.js";
import * as live from "./watch/live.js";
import {parseLink} from "./board/notation.js";
import * as play from "./play/play.js";
import {preference, setPreference} from "./shared/preferences.js";
import * as quiz from "./review/quiz.js";
import {announce} from "./shared/status.js";
import {refuse} from "./study/analysis.js";
import * as study from "./study/study.js";
import {chooseLanguage, languageNames, languageShown, loadWords, say} from "./shared/i18n.js";

const VIEWS = ["front", "game", "study", "quiz", "live"];
const LIVE = "/live";   // where the server of a tournament's page has it, which has nothing else
let view = "";
let gameId = "";        // the one in the address
let welcome = null;
let isCreating = false;

function show(name) {
  view = name;
  for (const id of VIEWS) byId(id).hidden = id !== name;
  const isPlay = !["study", "quiz"].includes(name);
  for (const [id, isHere] of [["to-play", isPlay], ["to-study", name === "study"], ["to-quiz", name === "quiz"]]) {
    if (isHere) byId(id).setAttribute("aria-current", "page");
    else byId(id).removeAttribute("aria-current");
  }
}

// Shows what the address asks for; `made` are the links of a game just made, `takes` is true where its seat is wanted.
function follow({links, takes = false} = {}) {
  if (location.pathname === LIVE) {
    show("live");
    live.openLive();
    return;
  }
  const found = /^\/g\/([\w-]+)/.exec(location.pathname);
  const link = found || ["#study", "#quizzes"].includes(location.hash) ? null : parseLink(location.hash);
  if (view === "game") play.closeGame();
  if (view === "study") study.closeStudy();
  if (view === "quiz") quiz.closeQuiz();
  gameId = found?.[1] ?? "";
  if (found) {
    show("game");
    play.openGame(gameId, location.hash.slice(1), links, takes);
  } else if (link || location.hash === "#study") {
    show("study");
    study.openStudy(link);
  } else if (location.hash === "#quizzes") {
    show("quiz");
    quiz.openQuiz();
  } else {
    show("front");
    if (welcome?.owner) askGames();  // the welcome, which comes after this the first time, brings them
  }
}

// Leads to a game, or with null to the front page. With the secret of a seat the player takes it.
function open(id, {links, secret} = {}) {
  history.pushState(null, "", id ? `/g/${id}${secret ? `#${secret}` : ""}` : "/");
  follow({links, takes: Boolean(secret)});
  scrollTo(0, 0);
}

// Takes a game to the study; `reviews`: the coach is to look at it.
function openStudy(state, reviews = false) {
  play.closeGame();
  gameId = "";
  leadToStudy(() => study.studyGame(state, reviews));
}

function leadToStudy(fill) {
  history.pushState(null, "", "/#study");
  show("study");
  fill();
  scrollTo(0, 0);
}

function create(settings) {
  if (isCreating) return;  // a second click on the same button
  isCreating = true;
  server.ask({type: "create", settings}).then(answer => open(answer.game, {links: answer.links}),
    error => announce(error.message || say("no_connection"))).finally(() => { isCreating = false; });
}

// Guests start no games, and see none but those that they have a link to.
function showOwner() {
  for (const id of ["quick", "quick-words", "settings", "games", "to-quiz"]) byId(id).hidden = !welcome.owner;
  byId("guest-words").hidden = welcome.owner;
}

// The token of the link that the server prints becomes a cookie and leaves the address.
async function tradeToken() {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (!token) return;
  await fetch("/token", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({token})});
  history.replaceState(null, "", location.pathname);
}

// A seat is the browser's that took it, and a cookie says which browser it is. One that has it keeps it.
async function introduce() {
  try {
    await fetch("/guest", {method: "POST"});
  } catch {
    // There is no connection, and the page says so.
  }
}

// The first message of every connection.
const greeting = () => ({type: "hello", language: languageShown(), protocol: PROTOCOL});

function fillLanguages() {
  byId("language").replaceChildren(...Object.entries(languageNames()).map(([tag, name]) =>
    make("option", {value: tag, lang: tag, ...tag === languageShown() && {selected: ""}}, name)));
}

function onAction(action) {
  if (action === "help") openHelp();
  else if (view === "game") return play.onAction(action);
  else if (view === "live") return live.onAction(action);
  else if (view === "quiz") return quiz.onAction(action);
  else if (view === "study") return study.onAction(action);
  else return false;
  return true;
}

function prepareConnection() {
  server.on("welcome", message => {
    // A server with a new link does not know the cookie that the old link brought; a page that is loaded anew is told
    // so too.
    if (message.owner) setPreference("owner", true);
    else if (location.pathname !== LIVE && preference("owner", false)) {
      byId("connection").hidden = false;
      setText(byId("connection"), say("owner_lost"));
      announce(say("owner_lost"));
    }
    welcome = message;
    showOwner();
    fillHome(message.brains);
    fillGames(message);
    if (message.owner && byId("find-games").value) askGames();
    study.fillStudy(message.brains, message.signature, message.owner);
    if (view === "live") live.openLive();  // anew after a loss, and in the language that was chosen
  });
  server.on("games", fillGames);
  server.on("announced", message => message.game === gameId && announce(message.text));
  server.on("complaint", message => {
    if (message.code === "server.reload") {
      byId("connection").hidden = false;
      setText(byId("connection"), message.reason);
    }
    announce(message.reason);
    refuse(message);
  });
  server.on("lost", ({first}) => {
    const words = say(view === "live" && live.hasEnded() ? "live_end" : "connection_lost");
    byId("connection").hidden = false;
    setText(byId("connection"), words);
    if (first) announce(words);
  });
  server.on("open", ({wasLost}) => {
    byId("connection").hidden = true;
    if (wasLost && gameId) play.watch(gameId);
    if (wasLost) announce(say("connection_back"));
  });
}

async function start() {
  await tradeToken();
  await Promise.all([loadWords(), loadRatings(), introduce()]);
  fillLanguages();
  fillHome();
  prepareHelp();
  prepareHome(create);
  play.preparePlay(open, openStudy);
  study.prepareStudy(create);
  quiz.prepareQuiz((...proof) => {
    quiz.closeQuiz();
    leadToStudy(() => study.studyProof(...proof));
  }, id => open(id));
  live.prepareLive();
  if (location.pathname === LIVE) {
    document.querySelector("nav").hidden = true;
    document.querySelector(".brand").setAttribute("href", LIVE);
  }
  listenToKeys(onAction);
  byId("language").addEventListener("change", async () => {
    await chooseLanguage(byId("language").value);
    server.send(greeting());
    fillLanguages();
    fillHome();
    if (welcome?.owner) askGames();
    study.fillStudy();
    live.retell();
    play.retell();
    quiz.retell();
  });
  // A view asks the server, so that the first waits for the connection. It is shown once: a study writes the address anew,
  // and what a link says of its figures would be gone the second time.
  let hasOpened = false;
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a[href^='/']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    history.pushState(null, "", link.getAttribute("href"));
    if (hasOpened) follow();
    scrollTo(0, 0);
  });
  // Also a link within the page, such as one that is pasted into the address.
  addEventListener("popstate", () => hasOpened && follow());
  prepareConnection();
  server.on("open", () => {
    if (!hasOpened) follow();
    hasOpened = true;
  });
  server.open(() => [greeting()]);
}

start();
