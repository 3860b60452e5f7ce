// The connection to the server: answers, refusals, silence, and a new connection when one is lost.

import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";
import {Connection} from "../../tournaments/board/page/net/connection.js";

const sockets = [];

class Socket extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    this.sent = [];
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  open() {
    this.dispatchEvent(new Event("open"));
  }

  tell(message) {
    this.dispatchEvent(new MessageEvent("message", {data: JSON.stringify(message)}));
  }

  lose() {
    this.dispatchEvent(new Event("close"));
  }
}

beforeEach(() => {
  sockets.length = 0;
  globalThis.WebSocket = Socket;
  globalThis.location = {protocol: "https:", host: "board.example"};
  globalThis.document = {documentElement: {lang: "en"}};
});

// A connection that is open, and its socket.
function connect(t) {
  t.mock.timers.enable({apis: ["setTimeout"]});
  const server = new Connection();
  server.open(() => [{type: "hello", language: "en"}]);
  sockets[0].open();
  return {server, socket: sockets[0]};
}

test("a new connection greets, and answers find their requests", async t => {
  const {server, socket} = connect(t);
  assert.equal(socket.address, "wss://board.example/ws");
  const first = server.ask({type: "watch", game: "a"}), second = server.ask({type: "watch", game: "b"});
  assert.deepEqual(socket.sent.map(({type, game}) => [type, game]), [["hello", undefined], ["watch", "a"], ["watch", "b"]]);
  socket.tell({type: "state", id: socket.sent[2].id, game: "b"});
  socket.tell({type: "state", id: socket.sent[1].id, game: "a"});
  assert.equal((await first).game, "a");
  assert.equal((await second).game, "b");
});

test("a request before the first connection waits for it, however often that fails", async t => {
  t.mock.timers.enable({apis: ["setTimeout"]});
  const server = new Connection();
  const asked = server.ask({type: "watch", game: "a"});
  server.open(() => [{type: "hello", language: "en"}]);
  sockets[0].lose();
  t.mock.timers.tick(1000);
  const later = server.ask({type: "watch", game: "b"});
  sockets[1].open();
  assert.deepEqual(sockets[1].sent.map(({type, game}) => [type, game]), [["hello", undefined], ["watch", "a"], ["watch", "b"]]);
  sockets[1].tell({type: "state", id: sockets[1].sent[1].id, game: "a"});
  assert.equal((await asked).game, "a");
  sockets[1].lose();
  await assert.rejects(later, {message: ""});
  await assert.rejects(server.ask({type: "watch", game: "c"}), {message: ""});
});

test("listeners hear what comes by itself, and answers too", t => {
  const {server, socket} = connect(t), heard = [];
  server.on("state", message => heard.push(message.game));
  server.on("state", () => heard.push("also"));
  socket.tell({type: "state", game: "a"});
  assert.deepEqual(heard, ["a", "also"]);
});

test("a refusal is an error with its reason, and one that nothing waits for is a complaint", async t => {
  const {server, socket} = connect(t), complaints = [];
  server.on("complaint", message => complaints.push(message.reason));
  const asked = server.ask({type: "watch", game: "none"});
  socket.tell({type: "refused", id: socket.sent[1].id, reason: "There is no such game."});
  await assert.rejects(asked, {message: "There is no such game."});
  socket.tell({type: "refused", reason: "Not now."});
  assert.deepEqual(complaints, ["Not now."]);
});

test("a request that gets no answer is refused, and word of its work keeps it waiting", async t => {
  const {server, socket} = connect(t);
  let fault = "";
  server.ask({type: "review"}).catch(error => { fault = error.message; });
  const {id} = socket.sent[1];
  server.quiet = server.patience = 1e9;
  socket.tell({type: "pong"});
  t.mock.timers.tick(server.workTime - 1);
  socket.tell({type: "reviewing", request: id, done: 1, of: 2});
  t.mock.timers.tick(server.workTime - 1);
  await Promise.resolve();
  assert.equal(fault, "");
  t.mock.timers.tick(1);
  await new Promise(setImmediate);
  assert.equal(fault, "no_answer");
});

test("a lost connection refuses what waits, and comes back after longer and longer waits", async t => {
  const {server, socket} = connect(t), told = [];
  server.on("lost", ({first}) => told.push(first));
  server.on("open", ({wasLost}) => told.push(wasLost ? "back" : "open"));
  const asked = server.ask({type: "watch", game: "a"});
  socket.lose();
  await assert.rejects(asked, {message: ""});
  assert.equal(server.send({type: "ping"}), false);
  await assert.rejects(server.ask({type: "watch", game: "a"}), {message: ""});
  t.mock.timers.tick(299);
  assert.equal(sockets.length, 1);
  t.mock.timers.tick(1);
  assert.equal(sockets.length, 2);
  sockets[1].lose();
  t.mock.timers.tick(699);
  assert.equal(sockets.length, 2);
  t.mock.timers.tick(1);
  sockets[2].open();
  assert.deepEqual(told, [true, false, "back"]);
  assert.equal(sockets[2].sent[0].type, "hello");
  socket.tell({type: "state"});
  assert.equal(server.socket, sockets[2], "the old socket changes nothing any more");
});

test("a server that is silent is asked for a sign of life, and lost without one", t => {
  const {server, socket} = connect(t);
  t.mock.timers.tick(server.quiet);
  assert.equal(socket.sent.at(-1).type, "ping");
  socket.tell({type: "pong"});
  t.mock.timers.tick(server.quiet);
  t.mock.timers.tick(server.patience - 1);
  assert.equal(server.isOpen, true);
  t.mock.timers.tick(1);
  assert.equal(server.isOpen, false);
  assert.equal(socket.isClosed, true);
});

test("what is too long for the socket goes by HTTP", async t => {
  const {server, socket} = connect(t), posted = [];
  const answers = [{type: "imported", games: [1]}, {type: "refused", reason: "This is no game."}];
  globalThis.fetch = async (address, {body}) => {
    posted.push([address, JSON.parse(body).type]);
    return new Response(JSON.stringify(answers.shift()));
  };
  const text = "x".repeat(70_000);
  assert.deepEqual((await server.ask({type: "import", text})).games, [1]);
  await assert.rejects(server.ask({type: "import", text}), {message: "This is no game."});
  globalThis.fetch = async () => { throw new Error("unreachable"); };
  await assert.rejects(server.ask({type: "import", text}), {message: ""});
  assert.deepEqual(posted, [["/message?language=en", "import"], ["/message?language=en", "import"]]);
  assert.equal(socket.sent.length, 1);
});
