// Quizzes: positions of one's own games in which one went wrong, asked again until the answer is right.

import {cellName} from "../board.js";
import {server} from "../net/connection.js";
import {byId, make, setText} from "../dom.js";
import {Grid} from "../board/grid.js";
import {hasLetters} from "../shared/keys.js";
import {describeAnswers, describeAttempt, makeAction} from "./descriptions.js";
import {announce} from "../shared/status.js";
import {formatDate, formatTime, say} from "../shared/i18n.js";

let quizzes = [];       // as the server lists them
let ahead = 0;          // seconds that the server's clock is ahead of this one
let number = null;      // of the quiz that is shown
let judged = null;      // the last answer to it, as the server judged it
let words = "";         // what is said of it
let isBusy = false;
let isOpen = false;
let grid = null;
let walk = () => {};    // shows a proof in the study: walk(position, cells, proof)
let open = () => {};    // leads to a game

const now = () => Date.now() / 1000 + ahead;
const chosen = () => quizzes.find(quiz => quiz.quiz === number) ?? null;
const isDue = quiz => quiz.due !== null && quiz.due <= now();
const colourName = colour => say(colour ? "white" : "black");
const taskOf = quiz => say(`find_${quiz.kind}`, {colour: colourName(quiz.to_move)});
const isAnswered = () => Boolean(judged && (judged.right || judged.cell === null));

export function prepareQuiz(walkProof, openGame) {
  walk = walkProof;
  open = openGame;
  grid = new Grid(byId("quiz-board"), {
    play: answer, pending: cell => announce(say("tap_again", {cell: cellName(cell, chosen().height)})),
    command: (key, button) => {
      if (!hasLetters() || !["l", "o"].includes(key)) return false;
      const quiz = chosen(), last = quiz.moves.at(-1);
      if (key === "o") announce(button.getAttribute("aria-label"));
      else announce(last ? say(`cell_${quiz.to_move ? "black" : "white"}_last`,
        {cell: cellName(last, quiz.height), number: quiz.moves.length}) : say("no_move"));
      return true;
    },
  });
}

export function openQuiz() {
  isOpen = true;
  server.ask({type: "quizzes"}).then(take, complain);
}

export function closeQuiz() {
  isOpen = false;
}

const complain = error => announce(error.message || say("no_connection"));

function take(answer) {
  ahead = answer.now - Date.now() / 1000;
  quizzes = answer.quizzes;
  if (!chosen()) choose(quizzes.find(isDue) ?? null);
  else show();
}

// Shows a quiz; null where none is to be asked.
function choose(quiz) {
  number = quiz?.quiz ?? null;
  judged = null;
  words = "";
  show();
  announce(quiz ? taskOf(quiz) : noneWords());
}

function noneWords() {
  const next = quizzes.find(quiz => quiz.due !== null);
  if (!quizzes.length) return say("quiz_none");
  return next ? say("quiz_none_due", {time: formatTime(next.due)}) : say("quiz_all_solved");
}

// The next quiz that is due, the one shown left out.
function goOn() {
  choose(quizzes.find(quiz => isDue(quiz) && quiz.quiz !== number) ?? null);
}

// To the next or previous one of the list.
function step(by) {
  const at = quizzes.findIndex(quiz => quiz.quiz === number), next = quizzes[at + by];
  if (next) choose(next);
  else announce(say("quiz_no_more"));
}

// An answer; null gives the quiz up.
function answer(cell) {
  const quiz = chosen();
  if (!quiz || isBusy) return;
  if (isAnswered()) return announce(say("quiz_answered"));
  if (cell && quiz.moves.some(each => String(each) === String(cell))) {
    return announce(say("taken", {cell: cellName(cell, quiz.height)}));
  }
  isBusy = true;
  words = say("looking");
  show();
  announce(words);
  server.ask({type: "quiz_answer", quiz: quiz.quiz, cell}).then(found => {
    quizzes = quizzes.map(each => each.quiz === found.quiz.quiz ? found.quiz : each);
    if (number !== found.quiz.quiz) return;
    judged = found;
    words = describe(found, quiz);
    show();
    announce(words);
  }, error => {
    words = "";
    show();
    complain(error);
  }).finally(() => { isBusy = false; });
  return undefined;
}

function describe(found, quiz) {
  const name = cell => cellName(cell, quiz.height), parts = [];
  if (found.cell === null) parts.push(describeAnswers(found.accepted, quiz.kind === "hold", quiz.height));
  else if (found.verdict) parts.push(describeAttempt(found, quiz.height));
  else parts.push(say({win: "tried_wins", hold: "tried_holds"}[quiz.kind] ?? "tried_good", {cell: name(found.cell)}));
  if (found.played) parts.push(say("quiz_played", {cell: name(found.played)}));
  if (found.quiz.due === null) parts.push(say("quiz_solved_now"));
  else parts.push(say("quiz_comes_back", {time: formatTime(found.quiz.due)}));
  return parts.join(" ");
}

// What is seen

function show() {
  if (!isOpen) return;
  const quiz = chosen();
  byId("quiz-board").hidden = !quiz;
  setText(byId("quiz-task"), quiz ? taskOf(quiz) : noneWords());
  setText(byId("quiz-words"), words);
  byId("quiz-words").hidden = !words;
  byId("quiz-card").hidden = !quiz;
  if (quiz) drawBoard(quiz);
  byId("quiz-buttons").replaceChildren(...quiz ? buttonsOf(quiz) : []);
  setText(byId("quiz-count"), say("quiz_count", {
    due: quizzes.filter(isDue).length, all: quizzes.length, solved: quizzes.filter(each => each.due === null).length}));
  byId("quiz-list").replaceChildren(...quizzes.map(listed));
}

function drawBoard(quiz) {
  const {width, height, moves} = quiz, right = judged?.right ? [judged.cell] : [];
  const cells = [...moves, ...right], isShown = judged && judged.cell === null;
  grid.show({
    width, height, stones: cells.map((cell, index) => ({cell, colour: index % 2, number: index + 1})), hasNumbers: false,
    next: isAnswered() ? null : quiz.to_move,
    candidates: [
      ...isShown ? judged.accepted.map(cell => ({cell, kind: "best", text: "!"})) : [],
      ...judged && judged.cell && !judged.right ? [{cell: judged.cell, kind: "lost", text: "×"}] : [],
      ...isAnswered() && judged.played ? [{cell: judged.played, kind: "other", text: "?"}] : [],
    ].filter(({cell}) => !cells.some(each => String(each) === String(cell))),
  });
}

function buttonsOf(quiz) {
  const {width, height, rule, moves} = quiz, position = {width, height, rule, moves}, buttons = [];
  if (isAnswered()) {
    const {solution, played} = judged;
    // A win is walked from its first move, a loss from the mistake on.
    if (solution) {
      buttons.push(quiz.kind === "win" ? makeAction("walk_win", () => walk(position, [], solution))
        : makeAction("walk_refutation", () => walk(position, [played], solution)));
    }
  } else {
    buttons.push(makeAction("show_answer", () => answer(null)));
    if (judged?.proof) buttons.push(makeAction("walk_refutation", () => walk(position, [judged.cell], judged.proof)));
  }
  if (quiz.game) buttons.push(makeAction("quiz_game", () => open(quiz.game)));
  return [makeAction("quiz_next", goOn, isAnswered() ? "main" : ""), ...buttons];
}

function listed(quiz) {
  const state = quiz.due === null ? say("quiz_is_solved") : isDue(quiz) ? say("quiz_is_due")
    : say("quiz_is_later", {time: formatTime(quiz.due)});
  const title = say("quiz_title", {colour: colourName(quiz.to_move), number: quiz.moves.length + 1, kind: say(`quiz_kind_${quiz.kind}`)});
  const button = make("button", {type: "button", ...quiz.quiz === number && {"aria-current": "true"}}, title,
    make("span", {class: "soft"}, `${state} · ${formatDate(quiz.created)}`));
  button.addEventListener("click", () => choose(quiz));
  const forget = make("button", {type: "button", "aria-label": `${say("quiz_forget")}: ${title}`, title: say("quiz_forget")}, "×");
  forget.addEventListener("click", () => server.ask({type: "quiz_forget", quiz: quiz.quiz}).then(taken => {
    take(taken);
    announce(say("quiz_forgotten"));
  }, complain));
  return make("li", {}, button, forget);
}

// After the language was chosen.
export function retell() {
  words = judged && chosen() ? describe(judged, chosen()) : "";
  show();
}

// A key of the page's table; false where it means nothing here.
export function onAction(action) {
  const actions = {
    next_mistake: () => step(1), previous_mistake: () => step(-1), turn: () => chosen() && grid.turn(false),
    mirror: () => chosen() && grid.turn(true),
  };
  if (!(action in actions)) return false;
  actions[action]();
  return true;
}
