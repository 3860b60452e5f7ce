// A game as the page knows it: whose turn it is, what may be asked for, what is told, and what a new one is played by.
// Words are not loaded here, so that a text is the key of its word.

import assert from "node:assert/strict";
import {test} from "node:test";
import {nameCells, nextPlace, placeCell} from "../../tournaments/board/page/board/cells.js";
import {canTeach, countLessons, positionOfWin, shownWin} from "../../tournaments/board/page/play/lesson.js";
import {chosenSoFar, isInOpening} from "../../tournaments/board/page/play/opening.js";
import {actionsOf, isBarred} from "../../tournaments/board/page/play/actions.js";
import {DEFAULTS, describeChoices, hasRenjuOpenings, makeSettings} from "../../tournaments/board/page/play/settings.js";
import {aheadAfter, boardShown, canPlayAhead, keepForLater, place, stonesShown, takeAway, takeLater} from "../../tournaments/board/page/play/placed.js";
import {
  canPlay, choiceWords, describeSeries, isShow, describeChoice, describeTurn, invitationWords, isNewest, isSeatLost, levelNext, look, makeTable,
  moverSeat, nameOf, newsOf, plyShown, secondsLeft, takeState, turnToGame, whyNoStone,
} from "../../tournaments/board/page/play/table.js";

const seat = (kind, colour, more = {}) =>
  ({kind, colour, name: "", brain: kind === "brain" ? "tengen" : null, level: null, turn_ms: null, nodes: null, follows: false, next_level: null, taken: true, here: true, ...more});
const move = (x, y, colour, by = colour) => ({cell: [x, y], colour, seat: by, ms: 10});

// A game of a person, who has Black, against a brain, after two stones.
const state = (more = {}) => ({
  type: "state", game: "abc", version: 1, width: 15, height: 15, rule: 0, opening: "free", moves: [move(7, 7, 0), move(8, 6, 1)],
  to_move: 0, phase: "play", mover: 0, choice: null, chooser: null, chosen: [], placing: null, side: null, fifth_moves: [], offers: 0, seats: [seat("local", 0), seat("brain", 1, {level: 3})],
  clock: null, paused: false, offer: null, winner: null, reason: "", win: [], forbidden: [], comments: [], thinking: false,
  you: {seats: [0], owner: true, offered: []}, next: null, invited: [], watching: 0, premove: null, taken_back: 0, set_up: 0,
  teaches: false, lessons: {warned: 0, heeded: 0}, slip: null, series: null, ending: null, ...more,
});

// A page that shows this game.
function sit(more = {}) {
  const table = makeTable(), shown = state(more);
  turnToGame(table, "abc", "", null);
  takeState(table, shown, 1000);
  return [table, shown];
}

const keys = each => actionsOf(each).map(([, key]) => key);
const titleOf = name => name.toUpperCase();

test("a state of another game, or an older one, comes too late", () => {
  const [table, shown] = sit({version: 5});
  assert.equal(takeState(table, state({version: 4}), 0), false);
  assert.equal(takeState(table, state({game: "other", version: 9}), 0), false);
  assert.equal(table.state, shown);
  assert.equal(takeState(table, state({version: 5}), 0), true);
});

test("a hint lasts as long as the position", () => {
  const [table] = sit();
  table.hint = [1, 1];
  takeState(table, state({version: 2, paused: true}), 0);
  assert.deepEqual(table.hint, [1, 1]);
  takeState(table, state({version: 3, moves: [move(7, 7, 0)]}), 0);
  assert.equal(table.hint, null);
});

test("a stone is drawn at the click, and goes where the server refuses it", () => {
  const [table, shown] = sit({forbidden: [{cell: [3, 3], foul: "overline"}]});
  for (const cell of [[7, 7], [3, 3]]) assert.equal(place(table, shown, cell), false, "the server will refuse it");
  assert.equal(place(table, {...shown, paused: true}, [0, 0]), false, "so it does while the game is paused");
  assert.equal(place(table, shown, [0, 0]), true);
  assert.deepEqual(stonesShown(table, shown).at(-1), {cell: [0, 0], colour: 0, number: 3, isWaiting: true});
  assert.equal(canPlay(table, shown), false);
  assert.equal(takeAway(table), true);
  assert.equal(stonesShown(table, shown).length, 2);
  place(table, shown, [0, 0]);
  takeState(table, state({version: 2, moves: [...shown.moves, move(0, 0, 0)]}), 0);
  assert.equal(stonesShown(table, table.state).length, 3, "the server has it");
  assert.equal(place(table, {...shown, phase: "offer"}, [1, 1]), false, "a fifth move is only offered");
});

test("of two people at one screen the second need not wait for the server", () => {
  const [table, shown] = sit({you: {seats: [0, 1], owner: true, offered: []}}), played = [];
  place(table, shown, [0, 0]);
  assert.equal(keepForLater(table, shown, [1, 1]), true);
  takeLater(table, cell => played.push(cell));
  assert.deepEqual(played, [], "the first stone is still on its way");
  takeState(table, state({version: 2, moves: [...shown.moves, move(0, 0, 0)]}), 0);
  for (let times = 0; times < 2; times++) takeLater(table, cell => played.push(cell));
  assert.deepEqual(played, [[1, 1]]);
  const [other, own] = sit();
  place(other, own, [0, 0]);
  assert.equal(keepForLater(other, own, [1, 1]), true);
  assert.equal(other.later, null, "against a brain a second click is a slip");
});

test("a click at the opponent's turn chooses a move in advance, and the same click again takes it back", () => {
  const theirs = {mover: 1, to_move: 1, moves: [move(7, 7, 0)]}, [table, shown] = sit(theirs);
  assert.equal(canPlayAhead(table, shown), true);
  assert.equal(canPlayAhead(...sit()), false, "it is the player's own turn");
  assert.equal(canPlayAhead(...sit({...theirs, phase: "opening"})), false);
  assert.equal(canPlayAhead(...sit({...theirs, you: {seats: [], owner: true, offered: []}})), false, "one who watches");
  assert.equal(canPlayAhead(...sit({...theirs, seats: [seat("local", 0), seat("friend", 1, {taken: false})]})), false);
  assert.deepEqual([boardShown(table, shown, false).next, boardShown(table, shown, false).ahead], [0, null]);
  const chosen = {...shown, version: 2, premove: [3, 3]};
  assert.deepEqual(boardShown(table, chosen, false).ahead, {cell: [3, 3], colour: 0});
  assert.deepEqual([aheadAfter(chosen, [4, 4]), aheadAfter(chosen, [3, 3])], [[4, 4], null]);
  assert.deepEqual(newsOf(shown, chosen, titleOf)?.said, ["premove_chosen"]);
  assert.deepEqual(newsOf(chosen, shown, titleOf)?.said, ["premove_gone"]);
  assert.deepEqual(newsOf(chosen, state({version: 3}), titleOf)?.said, ["played"], "its turn has come");
  look(table, shown, 0);
  assert.equal(canPlayAhead(table, shown) || boardShown(table, chosen, false).ahead !== null, false, "an earlier position");
});

test("a move that throws the game away is asked about, and the win is shown where it was", () => {
  const line = [[3, 3], [4, 4], [5, 5]], theirs = {mover: 1, to_move: 1, moves: [move(7, 7, 0)], teaches: true};
  const slip = {kind: "misses", plies: 3, proof: [], line}, [table, shown] = sit({...theirs, slip});
  assert.equal(describeTurn(table, shown, titleOf), "slip_waits");
  assert.deepEqual([canPlayAhead(table, shown), whyNoStone(table, shown)], [false, "slip_waits"], "no move in advance before the answer");
  assert.deepEqual(newsOf(state(theirs), shown, titleOf), {said: ["slip_misses"], sound: "attention"});
  assert.equal(shownWin(table, shown), null);
  table.showsWin = true;
  assert.deepEqual(shownWin(table, shown).preview.map(({colour, number}) => [colour, number]), [[0, 1], [1, 2], [0, 3]]);
  assert.equal(boardShown(table, shown, false).stones.length, 0, "before the move");
  assert.deepEqual(positionOfWin(shown).moves, []);
  const lost = {...shown, slip: {...slip, kind: "loses"}};
  assert.deepEqual(shownWin(table, lost).preview[0], {cell: [3, 3], colour: 1, number: 2}, "after it");
  assert.deepEqual(positionOfWin(lost).moves, [[7, 7]]);
  takeState(table, state({...theirs, version: 2}), 0);
  assert.equal(table.showsWin, false);
});

test("teaching is for a person against Tengen without clocks, and its warnings are counted", () => {
  assert.equal(canTeach(state()), true);
  const clock = {left: [60, null], increment: 0, running: 0, at: 0};
  for (const more of [{clock}, {phase: "over"}, {seats: [seat("local", 0), seat("brain", 1, {brain: "tree"})]},
    {seats: [seat("local", 0), seat("friend", 1)]}]) assert.equal(canTeach(state(more)), false);
  assert.equal(countLessons(state()), "");
  assert.equal(countLessons(state({taken_back: 2, lessons: {warned: 3, heeded: 1}})), "taken_back_count lessons_count");
  const make = more => makeSettings({...DEFAULTS, ...more}, "", true).teaches;
  assert.deepEqual([make({}), make({clock: "300+3"}), make({opponent: "friend"}), make({brain: "tree"})], [true, false, false, false]);
});

test("one looks at earlier positions, and stays at the newest while the game goes on", () => {
  const [table, shown] = sit();
  assert.equal(isNewest(table, shown), true);
  look(table, shown, 1);
  assert.deepEqual(stonesShown(table, shown), [{cell: [7, 7], colour: 0, number: 1}]);
  assert.equal(canPlay(table, shown), false);
  assert.equal(whyNoStone(table, shown), "earlier_position");
  look(table, shown, -3);
  assert.equal(plyShown(table, shown), 0);
  look(table, shown, Infinity);
  assert.equal(plyShown(table, state({moves: [...shown.moves, move(1, 1, 0)]})), 3);
});

test("a click places a stone at one's own turn only", () => {
  const why = more => whyNoStone(...sit(more));
  assert.equal(why({}), "");
  assert.equal(why({mover: 1, to_move: 1}), "not_your_turn");
  assert.equal(why({you: {seats: [], owner: false, offered: []}}), "you_watch");
  assert.equal(why({phase: "choice", chooser: 0, choice: ["black"]}), "choose_first");
  assert.equal(why({phase: "over", reason: "Black won."}), "Black won.");
  assert.equal(canPlay(...sit({})), true);
  assert.equal(canPlay(...sit({paused: true})), false);
});

test("whose turn it is, is told to each in other words", () => {
  const turn = more => describeTurn(...sit(more), titleOf);
  assert.equal(turn({}), "your_turn");
  assert.equal(turn({mover: 1, to_move: 1}), "their_turn");
  assert.equal(turn({you: {seats: [0, 1], owner: true, offered: []}}), "turn_of");
  assert.equal(turn({paused: true}), "is_paused");
  assert.equal(turn({seats: [seat("local", 0), seat("friend", 1, {taken: false})]}), "waiting_for_friend");
  assert.equal(turn({phase: "over", reason: "A draw."}), "A draw.");
  assert.equal(moverSeat(state({phase: "over"})), null);
});

test("seats have the names that people know", () => {
  const names = (shown) => [0, 1].map(each => nameOf(shown, each, titleOf));
  assert.deepEqual(names(state()), ["you", "brain_level"]);
  assert.deepEqual(names(state({seats: [seat("friend", 0, {taken: false}), seat("brain", 1)], you: {seats: [], owner: true, offered: []}})),
    ["friend_awaited", "TENGEN"]);
  assert.deepEqual(names(state({seats: [seat("local", 0), seat("local", 1, {name: "Ann"})], you: {seats: [0, 1], owner: true, offered: []}})),
    ["black", "Ann"]);
  const seats = [seat("local", 0), seat("local", 1)], watcher = {seats: [], owner: false, offered: []};
  assert.deepEqual(names(state({seats, you: watcher})), ["black", "white"], "who watches two people at one screen has no friend there");
});

test("the link to a seat offers it, is old, or opens it again for a browser that has no key", () => {
  const table = makeTable(), words = you => invitationWords(table, state({you: {seats: [], owner: false, offered: [], ...you}}));
  assert.equal(words({}), "", "the address had no secret");
  table.secret = "abc";
  assert.equal(words({offered: [1]}), "seat_free");
  assert.equal(words({}), "invitation_old");
  assert.equal(words({seats: [1]}), "");
  const seated = state({you: {seats: [1], owner: false, offered: []}}), back = state({you: {seats: [], owner: false, offered: [1]}});
  assert.equal(isSeatLost(seated, back), true);
  assert.equal(isSeatLost(null, back), false, "the player has not taken it yet");
  assert.equal(isSeatLost(seated, state({you: {seats: [], owner: false, offered: []}})), false, "another browser has it");
});

test("the clock of the side to move runs, and a pause holds it", () => {
  const clock = {left: [60, null], increment: 2, running: 0, at: 0};
  const [table, shown] = sit({clock});
  assert.equal(secondsLeft(table, shown, 0, 6000), 55);
  assert.equal(secondsLeft(table, shown, 1, 6000), null, "a brain has none");
  assert.equal(secondsLeft(...sit({clock, paused: true}), 0, 6000), 60);
  assert.equal(secondsLeft(...sit({}), 0, 6000), null);
});

test("what may be asked for depends on who plays", () => {
  assert.deepEqual(keys(state()), ["undo", "hint", "resign"]);
  assert.deepEqual(keys(state({thinking: true})), ["undo", "hint", "resign", "move_now"]);
  assert.deepEqual(keys(state({phase: "over"})), []);
  assert.deepEqual(keys(state({you: {seats: [], owner: true, offered: []}})), []);
  const show = {seats: [seat("brain", 0), seat("brain", 1)], you: {seats: [], owner: true, offered: []}};
  assert.deepEqual(keys(state(show)), ["pause", "end_game"], "the owner stops brains that play each other");
  assert.deepEqual(keys(state({...show, paused: true})), ["resume", "end_game"]);
  const clock = {left: [60, 60], increment: 0, running: 0, at: 0}, friends = [seat("local", 0), seat("friend", 1)];
  assert.deepEqual(keys(state({seats: friends})), ["undo", "hint", "offer_draw", "resign"]);
  assert.deepEqual(keys(state({seats: friends, clock})), ["undo", "offer_draw", "resign"], "a match");
  const awaited = [seat("local", 0), seat("friend", 1, {taken: false})];
  assert.deepEqual(keys(state({seats: awaited, clock, moves: []})), ["resign"], "the friend has not come yet");
  const both = {seats: [seat("local", 0), seat("local", 1)], you: {seats: [0, 1], owner: true, offered: []}};
  assert.deepEqual(keys(state({...both, clock})), ["undo", "hint", "agree_draw", "resign", "pause"]);
  assert.deepEqual(keys(state({...both, clock, paused: true})).at(-1), "resume");
});

test("what another did is told, and not what one did oneself", () => {
  const before = state({moves: [move(7, 7, 0)]});
  assert.deepEqual(newsOf(before, state(), titleOf), {said: ["played"], sound: "stone"});
  assert.deepEqual(newsOf(state({moves: []}), before, titleOf), {said: [], sound: "stone"});
  assert.deepEqual(newsOf(state(), before, titleOf), {said: ["taken_back"], sound: ""});
  assert.deepEqual(newsOf(state(), state({offer: {seat: 1, what: "draw"}}), titleOf), {said: ["offers_draw"], sound: "attention"});
  assert.deepEqual(newsOf(state({offer: {seat: 0, what: "draw"}}), state(), titleOf), {said: ["declined"], sound: ""});
  assert.equal(newsOf(before, state({phase: "over"}), titleOf)?.sound, "end");
  assert.equal(newsOf(state(), state({comments: [{ply: 1, text: "hm"}]}), titleOf), null, "a comment alone");
  assert.deepEqual(newsOf(null, state(), titleOf), {said: [], sound: ""});
});

test("a brain that follows the player says at which level it plays next", () => {
  const seats = [seat("local", 0), seat("brain", 1, {level: 3, follows: true, next_level: 4})];
  const over = state({phase: "over", winner: 0, seats});
  assert.deepEqual(newsOf(state(), over, titleOf)?.said, ["level_next"]);
  assert.equal(levelNext(over)?.next_level, 4);
  assert.equal(levelNext({...over, you: {seats: [], owner: true, offered: []}}), undefined, "one who watches");
  assert.deepEqual(newsOf(over, over, titleOf)?.said, [], "told once");
  const make = strength => makeSettings({...DEFAULTS, colour: "black", strength}).white;
  assert.deepEqual([make("follow").level, make("follow").follows, make("level").follows, make("time").level], [3, true, false, null]);
  assert.match(describeChoices({...DEFAULTS, strength: "follow"}, titleOf), /against_brain/);
});

test("another player who leaves or comes back is told, and not who watches", () => {
  const friends = here => [seat("local", 0), seat("friend", 1, {here})], [here, away] = [true, false].map(each => state({seats: friends(each)}));
  assert.deepEqual(newsOf(here, away, titleOf)?.said, ["has_left"]);
  assert.deepEqual(newsOf(away, here, titleOf)?.said, ["is_back"]);
  assert.equal(newsOf(here, {...here, watching: 3}, titleOf), null);
  assert.equal(newsOf({...here, phase: "over"}, {...away, phase: "over"}, titleOf), null);
  const mine = {...here, you: {seats: [1], owner: false, offered: []}};
  assert.deepEqual(newsOf({...away, you: {...mine.you, seats: []}}, mine, titleOf)?.said, [], "one's own seat is told by the turn");
  const coming = state({seats: [seat("local", 0), seat("friend", 1, {taken: false, here: false})]});
  assert.deepEqual(newsOf(coming, here, titleOf)?.said, [], "the first time is told by the turn");
});

test("in an opening the stones that are to be placed are told, and what the other player chose", () => {
  const [table] = sit(), friends = {seats: [seat("friend", 0), seat("friend", 1)], opening: "swap2"};
  const you = mine => ({you: {seats: [mine], owner: false, offered: []}});
  const three = {...friends, moves: [move(7, 7, 0)], to_move: 1, phase: "opening", mover: 0, placing: {number: 2, count: 3}};
  assert.equal(describeTurn(table, state({...three, ...you(0)}), titleOf), "place_opening", "and not a colour, which nobody has yet");
  assert.equal(describeTurn(table, state({...three, ...you(1)}), titleOf), "places_opening");
  const one = {...three, ...you(0), placing: {number: 1, count: 1}};
  assert.equal(describeTurn(table, state({...one, side: 5}), titleOf), "place_opening_one place_central");
  assert.equal(describeTurn(table, state({...one, side: 1}), titleOf), "place_opening_one place_centre");

  const before = state({...three, ...you(1), moves: []}), placed = [move(7, 7, 0, 0), move(8, 6, 1, 0), move(9, 5, 0, 0)];
  assert.deepEqual(newsOf(before, state({...three, ...you(1), moves: placed}), titleOf)?.said, ["placed"]);
  assert.deepEqual(newsOf(before, state({...three, ...you(1), moves: placed.slice(0, 1)}), titleOf)?.said, ["played"]);
  const choice = state({...friends, ...you(1), moves: placed, phase: "choice", choice: ["black", "white", "more"], chooser: 1});
  for (const made of ["more", "white", "ten", "7"]) {
    const now = {...choice, phase: "play", choice: null, chooser: null, chosen: [{seat: 1, choice: made}]};
    assert.deepEqual(newsOf(choice, now, titleOf)?.said, [], "one's own choice");
    assert.deepEqual(newsOf({...choice, ...you(0)}, {...now, ...you(0)}, titleOf)?.said, [`chose_${made === "7" ? "number" : made}`]);
  }
});

test("what was chosen in an opening is told to each in other words, as long as the game lasts", () => {
  const friends = {seats: [seat("friend", 0), seat("friend", 1)], chosen: [{seat: 1, choice: "more"}, {seat: 0, choice: "white"}, {seat: 0, choice: "5"}]};
  const told = mine => chosenSoFar(state({...friends, you: {seats: mine, owner: false, offered: []}}), titleOf);
  assert.deepEqual(told([1]), ["you_chose_more", "chose_white", "chose_number"]);
  assert.deepEqual(told([0]), ["chose_more", "you_chose_white", "you_chose_number"]);
  assert.deepEqual(told([0, 1]), ["chose_more", "chose_white", "chose_number"], "two at one screen");
  assert.equal(nameOf(state({...friends, you: {seats: [0, 1], owner: true, offered: []}}), 1, titleOf), "white", "a colour would say nothing");
  assert.equal(isInOpening(state({phase: "choice"})), true);
  for (const more of [{}, {phase: "choice", paused: true}, {phase: "opening", seats: [seat("local", 0), seat("friend", 1, {taken: false})]}]) {
    assert.equal(isInOpening(state(more)), false);
  }
});

test("the form's choices become the settings of a game", () => {
  const make = more => makeSettings({...DEFAULTS, ...more}), me = {kind: "local"};
  const brain = {kind: "brain", brain: "tengen", level: 3, follows: false, turn_ms: null, nodes: null};
  assert.deepEqual(make({}), {width: 15, height: 15, rule: 0, opening: "free", black: me, white: brain, clock: null, start: [],
    drawn_by_lot: true, from: null, teaches: false});
  assert.deepEqual(make({colour: "white", strength: "time", seconds: "0.5"}).black, {...brain, level: null, turn_ms: 500});
  assert.deepEqual(make({size: "other", width: "20", height: "12"}).height, 12);
  assert.deepEqual(make({clock: "300+3"}).clock, {main: 300, increment: 3});
  assert.deepEqual(make({clock: "other", minutes: "0.5", increment: "1"}).clock, {main: 30, increment: 1});
  const others = make({opponent: "others", colour: "white"});
  assert.deepEqual([others.black, others.white, others.drawn_by_lot], [{kind: "friend"}, {kind: "friend"}, false]);
  assert.equal(make({opponent: "local", colour: "lot"}).drawn_by_lot, false, "there is no side to choose");
});

test("two brains play, each at its own level, and a brain without levels takes its time", () => {
  const show = {...DEFAULTS, opponent: "brains", level: "2", other_level: "7"}, {black, white, drawn_by_lot: lot} = makeSettings(show, "Ann");
  assert.deepEqual([black.level, white.level, black.follows, lot, black.name], [2, 7, false, false, undefined]);
  const tree = makeSettings({...show, other_brain: "tree", seconds: "0.5"});
  assert.deepEqual([tree.black.level, tree.white.brain, tree.white.level, tree.white.turn_ms], [2, "tree", null, 500]);
  assert.match(describeChoices(show, titleOf), /against_brains/);
  assert.equal(hasRenjuOpenings({...show, rule: "4"}), true);
  assert.equal(hasRenjuOpenings({...show, rule: "4", other_brain: "tree"}), false);
});

test("what the server would refuse now cannot be clicked", () => {
  const friends = [seat("local", 0), seat("friend", 1)], theirs = {moves: [move(7, 7, 1)], to_move: 1};
  assert.deepEqual(["undo", "hint", "resign"].map(what => isBarred(state(), what)), [false, false, false]);
  assert.equal(isBarred(state(theirs), "undo"), true, "the only stone is the brain's");
  assert.equal(isBarred(state({...theirs, premove: [1, 1]}), "undo"), false, "the move in advance is taken back");
  assert.equal(isBarred(state({...theirs, phase: "opening"}), "undo"), false, "the colours may be exchanged");
  assert.equal(isBarred(state({...theirs, you: {seats: [0, 1], owner: true, offered: []}}), "undo"), false, "two at one screen");
  assert.equal(isBarred(state({moves: []}), "undo"), true);
  assert.equal(isBarred(state({set_up: 2}), "undo"), true, "the stones of a position and of an opening stay");
  assert.equal(isBarred(state({set_up: 2, you: {seats: [0, 1], owner: true, offered: []}}), "undo"), true, "also for two at one screen");
  assert.equal(isBarred(state({set_up: 1, moves: [move(7, 7, 1), move(8, 6, 0)]}), "undo"), false);
  const offered = by => state({seats: friends, offer: {seat: by, what: "draw"}});
  assert.deepEqual(["draw", "undo", "resign"].map(what => isBarred(offered(0), what)), [true, true, false], "an own offer waits");
  assert.deepEqual(["draw", "undo"].map(what => isBarred(offered(1), what)), [false, false], "the same offer accepts the other's");
});

test("the points of rematches are told from the player's side, with the game that is over", () => {
  assert.equal(describeSeries(state(), titleOf), "");
  assert.equal(describeSeries(state({series: [1, 0.5]}), titleOf), "series");
  const brains = {seats: [seat("brain", 0), seat("brain", 1)], you: {seats: [], owner: true, offered: []}};
  assert.deepEqual([isShow(state(brains)), isShow(state())], [true, false]);
});

test("a player who has one side alone gives it a name", () => {
  const make = more => makeSettings({...DEFAULTS, colour: "white", ...more}, "Ann");
  assert.deepEqual([make({}).white, make({}).black.name], [{kind: "local", name: "Ann"}, undefined]);
  assert.equal(make({opponent: "friend"}).white.name, "Ann");
  assert.deepEqual(make({opponent: "local"}).black, {kind: "local"}, "two people at one screen");
  assert.deepEqual(make({opponent: "others"}).black, {kind: "friend"}, "two others");
});

test("the choices are told in one line", () => {
  assert.equal(describeChoices(DEFAULTS, titleOf), "rule_0, 15 × 15 · against_brain · start_lot");
  assert.equal(describeChoices({...DEFAULTS, opponent: "local", opening: "swap2", clock: "180+2", rule: "4"}, titleOf),
    "rule_4, 15 × 15 · against_local · opening_swap2 · clock_start");
});

test("a board lies turned or mirrored, and back again", () => {
  const size = {width: 15, height: 12};
  assert.deepEqual(placeCell([0, 0], size, {turned: true, mirrored: false}), [14, 11]);
  assert.deepEqual(placeCell([0, 0], size, {turned: false, mirrored: true}), [14, 0]);
  assert.deepEqual(placeCell([3, 2], size, {turned: true, mirrored: true}), [3, 9]);
  const way = {turned: true, mirrored: true};
  assert.deepEqual(placeCell(placeCell([3, 2], size, way), size, way), [3, 2]);
});

test("arrows, Home and End lead over the cells, and stop at the edge", () => {
  const size = {width: 15, height: 12}, press = (key, spot, more = {}) => nextPlace({key, ctrlKey: false, shiftKey: false, ...more}, spot, size);
  assert.deepEqual(press("ArrowLeft", [0, 5]), [0, 5]);
  assert.deepEqual(press("ArrowDown", [3, 5]), [3, 6]);
  assert.deepEqual(press("End", [3, 5]), [14, 5]);
  assert.deepEqual(press("End", [3, 5], {ctrlKey: true}), [14, 11]);
  assert.deepEqual(press("Home", [3, 5], {ctrlKey: true}), [0, 0]);
  assert.equal(press("ArrowLeft", [3, 5], {shiftKey: true}), null, "that key steps through the game");
  assert.equal(press("x", [3, 5]), null);
});

test("cells are named by what lies on them", () => {
  const stones = [{cell: [7, 7], colour: 0, number: 1}, {cell: [8, 6], colour: 1, number: 2}, {cell: [1, 1], colour: 0}];
  const names = nameCells({width: 15, height: 15, stones, next: 0, forbidden: {"0,0": "overline"}});
  const ahead = nameCells({width: 15, height: 15, stones, next: null, ahead: {cell: [2, 2], colour: 0}});
  assert.equal(ahead.get("2,2"), "cell_ahead");
  assert.deepEqual([...names], [["0,0", "cell_forbidden"], ["7,7", "cell_black_move"], ["8,6", "cell_white_move"], ["1,1", "cell_black"]]);
});

test("an opening of renju says what is asked, and a click offers or takes a fifth move", () => {
  const [table, shown] = sit({phase: "offer", offers: 2, fifth_moves: [[1, 1]]});
  assert.equal(canPlay(table, shown), true);
  assert.equal(describeTurn(table, shown, titleOf), "offer_fifth");
  const [other, taking] = sit({phase: "take", mover: 1});
  assert.deepEqual([canPlay(other, taking), describeTurn(other, taking, titleOf)], [false, "takes_fifth"]);
  assert.equal(describeTurn(...sit({phase: "take", mover: 0}), titleOf), "take_fifth");
  assert.equal(describeTurn(...sit({phase: "offer", mover: 1, offers: 2}), titleOf), "offers_fifth");
  assert.deepEqual([["black", "white"], ["black", "white", "more"], ["black", "white", "ten"], ["1", "2"]].map(choiceWords),
    ["choice_words_colour", "choice_words_more", "choice_words_ten", "choice_words_number"]);
  assert.deepEqual(["black", "12"].map(describeChoice), ["choose_black", "12"]);
});

test("openings of renju are for people and Tengen, in renju on 15 x 15 points", () => {
  const choices = {...DEFAULTS, rule: "4", opponent: "friend"};
  assert.equal(hasRenjuOpenings(choices) && hasRenjuOpenings({...choices, opponent: "brain"}), true);
  for (const more of [{rule: "0"}, {opponent: "brain", brain: "tree"}, {size: "20"}]) assert.equal(hasRenjuOpenings({...choices, ...more}), false);
});
