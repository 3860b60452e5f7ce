// The list of games: filters, order, and pages of it, so that ten thousand games are as quick as ten.

const PAGE = 100;
const RESULTS = {"0": "1–0", "1": "0–1", "-1": "½–½", "-2": "*"};
// The filters by their names in a link, and the elements that set them.
const FILTERS = {brain: "brain", colour: "colour", opponent: "opponent", result: "outcome", ending: "ending", opening: "origin"};
const OUTCOMES = {
  won: (game, side) => game.winner === side, lost: (game, side) => game.winner === 1 - side,
  drawn: game => game.winner === -1, black: game => game.winner === 0, white: game => game.winner === 1,
  unknown: game => game.winner === -2,
};
const nameOf = (game, side) => players[game.players[side]].name;
const compareTexts = new Intl.Collator("en", {numeric: true}).compare;
const ORDERS = [
  (a, b) => a.number - b.number, (a, b) => compareTexts(nameOf(a, 0), nameOf(b, 0)),
  (a, b) => compareTexts(nameOf(a, 1), nameOf(b, 1)), (a, b) => a.winner - b.winner,
  (a, b) => compareTexts(endings[a.ending], endings[b.ending]), (a, b) => a.length - b.length,
  (a, b) => compareTexts(String(a.origin), String(b.origin)),
];

let games = [];      // all of them
let shown = [];      // what the filters leave, in the order of the list
let order = {column: 0, sign: 1};
let page = 0;        // which page of the list is shown

const filterValues = () => Object.fromEntries(Object.entries(FILTERS).map(([name, id]) => [name, byId(id).value]));

function applyFilters() {
  for (const option of byId("outcome").options) option.disabled = ["won", "lost"].includes(option.value) && !byId("brain").value;
  if (byId("outcome").selectedOptions[0]?.disabled) byId("outcome").value = "";
  byId("colour").disabled = !byId("brain").value;
  const {brain, colour, opponent, result, ending, opening} = filterValues();
  const fits = (game, side) =>
    (!brain || game.players[side] === +brain) && (!opponent || game.players[1 - side] === +opponent) &&
    (!brain || !colour || side === (colour === "black" ? 0 : 1)) && (!result || OUTCOMES[result](game, side));
  shown = games.filter(game => (fits(game, 0) || fits(game, 1)) && (!ending || game.ending === +ending) &&
    (!opening || String(game.origin) === opening));
  sortShown();
}

function sortShown() {
  const compare = ORDERS[order.column];
  shown.sort((a, b) => order.sign * compare(a, b) || a.place - b.place);
  page = 0;
}

// The page of the list that is shown, with `chosen`, the game in the viewer, marked.
function fillList(chosen) {
  const first = page * PAGE, rows = shown.slice(first, first + PAGE);
  byId("list").replaceChildren(...rows.map(game => {
    const link = make("a", {href: `#game=${game.number}`}, game.number);
    const row = make("tr", {}, make("td", {}, link),
      ...[0, 1].map(side => make("td", game.winner === side ? {class: "won"} : {}, nameOf(game, side))),
      make("td", {}, RESULTS[game.winner]), make("td", {}, endings[game.ending]), make("td", {}, game.length),
      make("td", {}, game.origin));
    row.game = game;
    return row;
  }));
  setText(byId("count"), shown.length === 1 ? "1 game" : `${shown.length} games`);
  const pages = document.querySelector("#games .pages");
  pages.hidden = shown.length <= PAGE;
  byId("page-back").disabled = page === 0;
  byId("page-on").disabled = first + PAGE >= shown.length;
  setText(byId("page-shown"), `${first + 1} to ${first + rows.length} of ${shown.length}`);
  byId("list").closest(".list").scrollTop = 0;
  markRow(chosen);
}

// Marks the row of the game in the viewer, and says whether there are games above and below it.
function markRow(chosen) {
  for (const row of byId("list").children) {
    if (row.game === chosen) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  const place = shown.indexOf(chosen);
  byId("previous").disabled = place <= 0;
  byId("next").disabled = place < 0 || place === shown.length - 1;
}

// Turns and scrolls the list to the game, if the filters leave it.
function showInList(chosen) {
  const place = shown.indexOf(chosen);
  if (place < 0) return;
  if (Math.floor(place / PAGE) !== page) {
    page = Math.floor(place / PAGE);
    fillList(chosen);
  }
  const row = byId("list").children[place % PAGE], list = row.closest(".list");
  const isSeen = row.offsetTop > list.scrollTop + 40 && row.offsetTop < list.scrollTop + list.clientHeight - 40;
  if (!isSeen) list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

function fillFilters() {
  const addOptions = (id, options) =>
    byId(id).append(...options.map(([value, text, attributes]) => make("option", {value, ...attributes}, text)));
  const names = players.map((player, index) => [index, player.name]);
  addOptions("brain", [["", "any"], ...names]);
  addOptions("opponent", [["", "anyone"], ...names]);
  const outcomes = [["", "any"], ["won", "won by the brain"], ["lost", "lost by the brain"], ["drawn", "drawn"],
    ["black", "Black won"], ["white", "White won"]];
  if (games.some(game => game.winner === -2)) outcomes.push(["unknown", "not known"]);
  addOptions("outcome", outcomes);
  const seen = [...new Set(games.map(game => game.ending))].sort((a, b) => a - b);
  addOptions("ending", [["", "any"], ...seen.map(ending => [ending, endings[ending]])]);
  const origins = [...new Set(games.map(game => String(game.origin)))].sort(compareTexts);
  addOptions("origin", [["", "any"], ...origins.map(origin => [origin, origin])]);
}
