// The WebSocket to the server: messages in JSON, answers found by their `id`, and a new connection when one is lost.

const LONGEST = 60000;  // bytes of a message on the WebSocket; a longer one goes by HTTP
const WAITS = [300, 700, 1500, 3000, 5000];
const QUIET = 10_000;      // milliseconds without a message after which the server is asked whether it is there
const PATIENCE = 10_000;   // and that it has to answer

export class Connection {
  constructor() {
    this.listeners = new Map();
    this.waiting = new Map();
    this.lastId = 0;
    this.losses = 0;
    this.isOpen = false;
    this.greeting = () => [];
    this.quiet = QUIET;
    this.patience = PATIENCE;
  }

  // Calls `listener` with every message of this type; "open" and "lost" are of the connection itself.
  on(type, listener) {
    this.listeners.set(type, [...this.listeners.get(type) ?? [], listener]);
  }

  tell(type, message) {
    for (const listener of this.listeners.get(type) ?? []) listener(message);
  }

  // `greeting` returns the messages that every new connection begins with.
  open(greeting) {
    this.greeting = greeting;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    this.listenFor(this.patience, () => this.lose(socket));
    socket.addEventListener("open", () => {
      this.isOpen = true;
      this.hear();
      for (const message of this.greeting()) this.send(message);
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

  // A network that is gone closes nothing, so that a server that is silent for long is asked for a sign of life.
  hear() {
    this.listenFor(this.quiet, () => {
      this.send({type: "ping"});
      this.listenFor(this.patience, () => this.lose(this.socket));
    });
  }

  // Calls `give` unless this is called again within so many milliseconds.
  listenFor(milliseconds, give) {
    clearTimeout(this.timer);
    this.timer = setTimeout(give, milliseconds);
  }

  lose(socket) {
    if (socket !== this.socket) return;
    clearTimeout(this.timer);
    this.socket = null;
    socket.close();
    this.isOpen = false;
    for (const {refuse} of this.waiting.values()) refuse(new Error(""));
    this.waiting.clear();
    this.tell("lost", {first: this.losses === 0});
    setTimeout(() => this.open(this.greeting), WAITS[Math.min(this.losses, WAITS.length - 1)]);
    this.losses += 1;
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    this.tell(message.type, message);
    if (!waiting) {
      if (message.type === "refused") this.tell("complaint", message);
    } else if (message.type === "refused") {
      waiting.refuse(new Error(message.reason));
    } else {
      waiting.answer(message);
    }
  }

  // Sends without waiting. False where there is no connection.
  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  // The answer to a message; what the server refuses is an Error with its reason.
  ask(message) {
    const text = JSON.stringify(message);
    if (text.length > LONGEST / 3 && new Blob([text]).size > LONGEST) return this.post(text);
    return new Promise((answer, refuse) => {
      const id = ++this.lastId;
      this.waiting.set(id, {answer, refuse});
      if (!this.send({...message, id})) {
        this.waiting.delete(id);
        refuse(new Error(""));
      }
    });
  }

  async post(text) {
    let response;
    try {
      response = await fetch(`/message?language=${document.documentElement.lang}`, {method: "POST", body: text});
    } catch {
      throw new Error("");
    }
    if (!response.ok) throw new Error(await response.text());
    const answer = await response.json();
    if (answer.type === "refused") throw new Error(answer.reason);
    return answer;
  }
}

export const server = new Connection();
