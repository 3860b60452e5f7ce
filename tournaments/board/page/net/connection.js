// The WebSocket to the server: messages in JSON, answers found by their `id`, and a new connection when one is lost.

import {say} from "../shared/i18n.js";
import {identity} from "./identity.js";

export const PROTOCOL = 4;  // the version of the messages, see requests.py; the server refuses a page of another one
const LONGEST = 60000;  // bytes of a message on the WebSocket; a longer one goes by HTTP
const WAITS = [300, 700, 1500, 3000, 5000];
const QUIET = 10_000;      // milliseconds without a message, after which the page asks for a sign of life
const PATIENCE = 10_000;   // milliseconds for the answer to that
const ANSWER = 60_000;     // milliseconds for any other answer
const WORK = 600_000;      // milliseconds for an answer by a brain or the coach, which others may use before
/** @type {Set<AnyRequest["type"]>} */
const WORKS = new Set(["review", "prove", "attempt", "quiz_answer", "puzzle_answer", "threats", "balance", "hint", "book_import", "book_export", "import_games"]);

/**
 * @typedef {import("./exchange.js").Events} Events
 * @typedef {import("./exchange.js").Answers} Answers
 * @typedef {import("./messages.js").AnyRequest} AnyRequest
 * @typedef {{type: string, id?: string | number, request?: unknown, reason?: unknown}} Message
 * @typedef {{answer: (message: any) => void, refuse: (error: Error) => void, milliseconds: number, timer?: Timer}} Waiting
 * @typedef {ReturnType<typeof setTimeout>} Timer
 */

// A request has no answer: it is not known whether the server has done it. The message is "" after a lost connection.
export class NoAnswer extends Error {}

export class Connection {
  constructor() {
    /** @type {Map<string, ((message: any) => void)[]>} */
    this.listeners = new Map();
    /** @type {Map<unknown, Waiting>} the requests without an answer, by their ids */
    this.waiting = new Map();
    /** @type {(AnyRequest & {id: number})[] | null} those that wait for the first connection, null after it was made */
    this.early = [];
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Timer | undefined} */
    this.timer = undefined;
    this.lastId = 0;
    this.losses = 0;
    this.isOpen = false;
    this.greeting = () => /** @type {AnyRequest[]} */ ([]);
    this.quiet = QUIET;
    this.patience = PATIENCE;
    this.answerTime = ANSWER;
    this.workTime = WORK;
  }

  /**
   * Calls `listener` with every message of this type.
   * @template {keyof Events} T
   * @param {T} type
   * @param {(message: Events[T]) => void} listener
   */
  on(type, listener) {
    this.listeners.set(type, [...this.listeners.get(type) ?? [], listener]);
  }

  /**
   * @param {string} type
   * @param {unknown} message
   */
  tell(type, message) {
    for (const listener of this.listeners.get(type) ?? []) listener(message);
  }

  /**
   * Connects, and again whenever the connection is lost.
   * @param {() => AnyRequest[]} greeting returns the first messages of every new connection
   */
  open(greeting) {
    this.greeting = greeting;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, identity.protocols());
    this.socket = socket;
    this.listenFor(this.patience, () => this.lose(socket));
    socket.addEventListener("open", () => {
      this.isOpen = true;
      this.hear();
      for (const message of this.greeting()) this.send(message);
      for (const message of this.early?.splice(0) ?? []) {
        this.send(message);
        this.expect(message.id);
      }
      this.early = null;
      this.tell("open", {wasLost: this.losses > 0});
      this.losses = 0;
    });
    socket.addEventListener("message", event => {
      if (socket !== this.socket) return;
      this.hear();
      this.receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => this.lose(socket));
  }

  // A lost network does not close a connection, so that a long silent server is asked for a sign of life.
  hear() {
    this.listenFor(this.quiet, () => {
      this.send({type: "ping"});
      this.listenFor(this.patience, () => this.lose(this.socket));
    });
  }

  /**
   * Calls `give` unless this is called again within these milliseconds.
   * @param {number} milliseconds
   * @param {() => void} give
   */
  listenFor(milliseconds, give) {
    clearTimeout(this.timer);
    this.timer = setTimeout(give, milliseconds);
  }

  /** @param {WebSocket | null} socket */
  lose(socket) {
    if (!socket || socket !== this.socket) return;
    clearTimeout(this.timer);
    this.socket = null;
    socket.close();
    this.isOpen = false;
    if (!this.early) for (const id of [...this.waiting.keys()]) this.settle(id)?.refuse(new NoAnswer(""));
    this.tell("lost", {first: this.losses === 0});
    setTimeout(() => this.open(this.greeting), WAITS[Math.min(this.losses, WAITS.length - 1)]);
    this.losses += 1;
  }

  /**
   * Takes a request from those that wait, and returns it.
   * @param {unknown} id
   */
  settle(id) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  /**
   * A request without an answer in time is refused: its caller goes on, and may try again.
   * @param {unknown} id
   */
  expect(id) {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(() => this.settle(id)?.refuse(new NoAnswer(say("no_answer"))), waiting.milliseconds);
  }

  /** @param {Message} message */
  receive(message) {
    const waiting = this.settle(message.id);
    this.expect(message.request);  // a report of progress
    this.tell(message.type, message);
    if (!waiting) {
      if (message.type === "refused") this.tell("complaint", message);
    } else if (message.type === "refused") {
      waiting.refuse(new Error(String(message.reason)));
    } else {
      waiting.answer(message);
    }
  }

  /**
   * Sends without waiting. False if there is no connection.
   * @param {AnyRequest} message
   */
  send(message) {
    if (!this.isOpen || !this.socket) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * The answer to a message; a refusal of the server is an Error with its reason. A message before the first connection
   * waits for it.
   * @template {AnyRequest["type"]} T
   * @param {Extract<AnyRequest, {type: T}>} message
   * @returns {Promise<T extends keyof Answers ? Answers[T] : import("./messages.js").AnyAnswer>}
   */
  ask(message) {
    const text = JSON.stringify(message);
    if (text.length > LONGEST / 3 && new Blob([text]).size > LONGEST) return this.post(text);
    return new Promise((answer, refuse) => {
      const id = ++this.lastId;
      this.waiting.set(id, {answer, refuse, milliseconds: WORKS.has(message.type) ? this.workTime : this.answerTime});
      if (this.send({...message, id})) this.expect(id);
      else if (this.early) this.early.push({...message, id});
      else this.settle(id)?.refuse(new NoAnswer(""));
    });
  }

  /**
   * Sends a message by HTTP.
   * @param {string} text
   */
  async post(text) {
    const {lang} = document.documentElement, signal = AbortSignal.timeout(this.answerTime);
    const response = await fetch(`/message?language=${lang}`, {method: "POST", headers: identity.headers(), body: text, signal}).catch(error => {
      throw new NoAnswer(error.name === "TimeoutError" ? say("no_answer") : "");
    });
    if (!response.ok) throw new Error(await response.text());
    const answer = await response.json();
    if (answer.type === "refused") throw new Error(answer.reason);
    return answer;
  }
}

export const server = new Connection();
