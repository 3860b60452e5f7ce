"""The report as HTML: one string that a browser shows without asking anybody for anything."""

import base64
import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from tournaments.report.charts import (
    COLOURS,
    curve_chart,
    elo_chart,
    format_ms,
    opening_board,
    sprt_chart,
    time_chart,
)
from tournaments.report.markup import escape, escape_lines, printable
from tournaments.report.summary import Summary
from tournaments.rules.ending import Ending, describe_ending
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule
from tournaments.stats.results import points_of
from tournaments.store import MoveRow

DRAWN_OPENINGS = 60
"""How many openings get a small board of their own; what is beyond is in the table only."""


def make_page(summary: Summary) -> str:
    """The whole page of a tournament."""
    sections = [
        ("standings", "Standings", _standings(summary)),
        ("elo", "Elo", _elo(summary)),
        ("cross-table", "Cross-table", _cross_table(summary)),
        ("sprt", "Sequential test", _sprt(summary)),
        ("endings", "Endings", _endings(summary)),
        ("time", "Time", _time(summary)),
        ("openings", "Openings", _openings(summary)),
        ("games", "Games", games_section("Opening")),
    ]
    return assemble(escape(summary.tournament.name), _facts(summary), sections, _data(summary))


def assemble(title: str, facts: str, sections: Sequence[tuple[str, str, str]], data: dict[str, Any]) -> str:
    """A page from HTML for its title, its head and its sections (anchor, title, body), and `data` for page.js."""
    files = resources.files("tournaments.report")
    style = files.joinpath("page.css").read_text(encoding="utf-8")
    script = files.joinpath("page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    shown = [(name, title, body) for name, title, body in sections if body]
    links = "".join(f'<a href="#{name}">{head}</a>' for name, head, _ in shown)
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark"><meta name="generator" content="Tengen">',
            f'<title>{title}</title><link rel="icon" href="data:,">\n<style>\n{style}</style></head>\n<body>',
            f"<header><h1>{title}</h1>{facts}</header>\n<nav>{links}</nav>\n<main>\n",
            *(f'<section id="{name}"><h2>{head}</h2>\n{body}\n</section>\n' for name, head, body in shown),
            "</main>\n",
            f'<script type="application/json" id="data">{embed(data)}</script>\n',
            f"<script>{script}</script>\n</body></html>\n",
        ]
    )


def embed(value: Any) -> str:
    """JSON that may stand inside a script element: no `<`, so nothing in it ends the element or opens a comment."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


# The parts of the page, each "" where there is nothing to show


def _facts(summary: Summary) -> str:
    tournament = summary.tournament
    settings = tournament.settings
    rule = Rule(tournament.rule).title
    state = {"running": "not finished", "stopped": "ended before its last game"}.get(
        tournament.state, tournament.state
    )
    clocks = [f"{settings['turn_time']:g} s a move"] if isinstance(settings.get("turn_time"), int | float) else []
    if isinstance(settings.get("match_time"), int | float):
        clocks.append(f"{settings['match_time']:g} s a game")
    facts = [
        ("Format", tournament.format),
        ("Rule", rule),
        ("Board", f"{tournament.width}x{tournament.height}"),
        ("Clocks", ", ".join(clocks)),
        ("Games", f"{len(summary.games)} of {summary.planned}"),
        ("State", state),
        ("Begun", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(tournament.created))),
    ]
    note = f"<p>{escape(tournament.note)}</p>" if tournament.note else ""
    brains = "".join(
        f"<tr><td>{escape(player.name)}</td><td><code>{escape(player.command)}</code></td>"
        f"<td><code>{escape(player.digest[:12])}</code></td></tr>"
        for player in summary.players
    )
    options = escape_lines(json.dumps({key: settings[key] for key in settings if key != "brains"}, indent=1))
    return (
        f"{facts_list(facts)}{note}<details><summary>Brains and settings</summary>"
        f"{_table(('Brain', 'Command', 'SHA-256'), [brains], 'brains')}<pre>{options}</pre></details>"
    )


def facts_list(facts: Iterable[tuple[str, str]]) -> str:
    """Names and values for a page's head; those without a value are left out."""
    items = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts if value)
    return f"<dl>{items}</dl>"


def _standings(summary: Summary) -> str:
    rows = []
    for place, (player, row) in enumerate(_ranked(summary)):
        superiority = "" if row.superiority is None else f"{100 * row.superiority:.0f} %"
        timeouts = f" ({row.timeouts} on time)" if row.timeouts else ""
        rows.append(
            f"<tr><td>{place + 1}</td>{_name(summary, player)}"
            f"<td><b>{row.elo:+z.0f}</b> <small>± {row.margin:.0f}</small></td><td>{superiority}</td>"
            f"<td>{row.games}</td><td>{row.points:g}</td><td>{_percent(row.points, row.games)}</td>"
            f"<td>{row.wins}-{row.draws}-{row.losses}</td>{_meter(*row.black)}{_meter(*row.white)}"
            f"<td>{row.faults or '-'}{timeouts}</td></tr>"
        )
    first = summary.standings.ratings.first_move
    advantage = "" if first is None else f" To move first is worth {first[0]:+z.0f} ± {first[1]:.0f} Elo here."
    heads = ("#", "Brain", "Elo", "LOS", "Games", "Points", "Share", "W-D-L", "As Black", "As White", "Faults")
    return (
        _table(heads, rows, "standings")
        + '<p class="note">Elo by Bradley-Terry with draws and the advantage of the first move, 95 % intervals. LOS is '
        f"the likelihood of being stronger than the next one down.{advantage}</p>"
    )


def _elo(summary: Summary) -> str:
    return elo_chart([(row.name, _colour(summary, player), row.elo, row.margin) for player, row in _ranked(summary)])


def _cross_table(summary: Summary) -> str:
    order = summary.standings.order
    scores: dict[tuple[int, int], list[float]] = {}
    for game in summary.games:
        for player, opponent in ((game.black, game.white), (game.white, game.black)):
            scores.setdefault((player, opponent), []).append(points_of(game, player))
    rows = []
    for place, player in enumerate(order):
        cells = []
        for opponent in order:
            points = scores.get((player, opponent), [])
            if player == opponent:
                cells.append('<td class="self"></td>')
            elif not points:
                cells.append("<td></td>")
            else:
                share = sum(points) / len(points)
                wins, draws = points.count(1.0), points.count(0.5)
                told = f"{summary.players[player].name} against {summary.players[opponent].name}: "
                told += f"{wins} won, {draws} drawn, {len(points) - wins - draws} lost"
                cells.append(
                    f'<td class="score" style="--share:{share:.3f}" title="{escape(told)}">{sum(points):g}'
                    f"<small>/{len(points)}</small></td>"
                )
        rows.append(f"<tr><td>{place + 1}</td>{_name(summary, player)}{''.join(cells)}</tr>")
    heads = ("#", "Brain", *(str(place + 1) for place in range(len(order))))
    return _table(heads, rows, "cross") + '<p class="note">Points of the row against the column.</p>'


def _sprt(summary: Summary) -> str:
    if summary.sprt is None:
        return ""
    test, course = summary.sprt
    names = [escape(player.name) for player in summary.players]
    llr = course[-1] if course else 0.0
    verdict = "H1 is accepted" if llr >= test.upper else "H0 is accepted" if llr <= test.lower else "undecided"
    return sprt_chart(test, course) + (
        f'<p class="note">LLR {llr:.2f} after {len(course)} pairs, bounds {test.lower:.2f} and {test.upper:.2f}: '
        f"{verdict}. H0: {names[0]} is {test.elo0:g} Elo stronger than {names[1]}; H1: {test.elo1:g} Elo "
        f"({escape(test.model)} model, pentanomial).</p>"
    )


def _endings(summary: Summary) -> str:
    total = len(summary.games)
    rows = [
        f"<tr><td>{ending.value.capitalize()}</td><td>{count}</td><td>{100 * count / total:.1f} %</td>"
        f'<td class="bar"><i class="{_kind(ending)}" style="--share:{count / total:.4f}"></i></td></tr>'
        for ending, count in summary.endings
    ]
    parts = [_table(("Ending", "Games", "Share", ""), rows, "endings")]
    seen = [ending for ending, _ in summary.endings if ending.is_fault]
    if seen:
        faults = [
            f"<tr>{_name(summary, player)}"
            + "".join(f"<td>{summary.faults[player][ending] or '-'}</td>" for ending in seen)
            + "</tr>"
            for player, _ in _ranked(summary)
        ]
        parts.append("<h3>Games lost by a fault</h3>")
        parts.append(_table(("Brain", *(ending.value.capitalize() for ending in seen)), faults, "faults"))
    return "".join(parts)


def _time(summary: Summary) -> str:
    rows = []
    bars = []
    curves = []
    for player, row in _ranked(summary):
        use = summary.times[player]
        rows.append(
            f"<tr>{_name(summary, player)}<td>{use.moves}</td>"
            + "".join(
                f"<td>{format_ms(value)}</td>"
                for value in (use.mean, use.median, use.percentile95, use.percentile99, use.slowest)
            )
            + "</tr>"
        )
        bars.append((row.name, _colour(summary, player), use.median, use.percentile95, use.slowest))
        curves.append((row.name, _colour(summary, player), use.curve))
    key = "".join(
        f'<span class="c{_colour(summary, player) % COLOURS}"><i></i>{escape(row.name)}</span>'
        for player, row in _ranked(summary)
    )
    return (
        _table(("Brain", "Moves", "Mean", "Median", "95 %", "99 %", "Slowest"), rows, "time")
        + time_chart(bars)
        + '<p class="note">Dot: median. Thick line: up to the 95th percentile. Thin line: up to the slowest move. '
        "Logarithmic.</p>" + f"<h3>Mean time by move</h3>{curve_chart(curves)}" + f'<p class="key">{key}</p>'
    )


def _openings(summary: Summary) -> str:
    width, height = summary.tournament.width, summary.tournament.height
    cards: list[str] = []
    rows = []
    for row in summary.standings.openings:
        share = row.points / row.games
        if len(cards) < DRAWN_OPENINGS:
            cells = parse_opening(row.opening, width, height) if row.opening else ()
            cards.append(
                f"<figure>{opening_board(cells, width, height)}<figcaption><b>{row.number}</b> "
                f"{_percent(row.points, row.games)} <small>of {row.games}</small></figcaption></figure>"
            )
        rows.append(
            f"<tr><td>{row.number}</td><td><code>{escape(row.opening) or 'the empty board'}</code></td>"
            f"<td>{row.games}</td><td>{row.points:g}</td><td>{100 * share:.0f} %</td>"
            f'<td class="bar"><i class="black" style="--share:{share:.4f}"></i></td></tr>'
        )
    table = _table(("#", "Opening", "Games", "Black's points", "Black's share", ""), rows, "openings")
    return (
        '<p class="note">What Black scored from each opening.</p>'
        f'<div class="boards">{"".join(cards)}</div><details><summary>As a table</summary>{table}</details>'
    )


def games_section(last_head: str) -> str:
    """The viewer, the filters and the list of games, which page.js fills; `last_head` is over its last column."""
    return _GAMES.replace("LAST", last_head)


_GAMES = """<noscript><p>The games are replayed by a script, which this browser does not run.</p></noscript>
<div class="viewer" hidden>
<div class="left"><div id="board"></div>
<div class="controls">
<button type="button" id="first" title="To the empty board (Home)" aria-label="To the empty board"></button>
<button type="button" id="back" title="One stone back (left arrow)" aria-label="One stone back"></button>
<button type="button" id="play" title="Play (space bar)" aria-label="Play"></button>
<button type="button" id="forward" title="One stone on (right arrow)" aria-label="One stone on"></button>
<button type="button" id="last" title="To the last stone (End)" aria-label="To the last stone"></button>
<input type="range" id="slider" min="0" value="0" aria-label="Stones on the board">
<label><input type="checkbox" id="numbers" checked> Numbers</label></div></div>
<div class="right"><div id="players"></div><p id="result"></p>
<p id="stone" aria-live="polite"></p>
<div id="graph"></div><ol id="moves"></ol>
<p class="pager"><button type="button" id="previous" title="The game above (page up)">▲ Previous game</button>
<button type="button" id="next" title="The game below (page down)">▼ Next game</button></p></div></div>
<div class="filters" hidden>
<label>Brain <select id="brain"></select></label><label>Against <select id="opponent"></select></label>
<label>Winner <select id="winner"><option value="">any</option><option value="0">Black</option>
<option value="1">White</option><option value="-1">nobody</option></select></label>
<label>Ending <select id="ending"></select></label><span id="count"></span></div>
<div class="list" hidden tabindex="-1"><table class="games"><thead><tr><th>#</th><th>Black</th><th>White</th>
<th>Result</th><th>Ending</th><th>Stones</th><th>LAST</th></tr></thead><tbody id="list"></tbody></table></div>
<p class="note keys" hidden>Keys: ← → one stone, Home and End, Page Up and Page Down the previous and next game, space
plays.</p>"""


# The games, for the script


def _data(summary: Summary) -> dict[str, Any]:
    """What page.js works on; it explains the fields."""
    endings = list(Ending)
    openings = {pairing.number: pairing.opening_number for pairing in summary.pairings}
    names = [player.name for player in summary.players]
    colours = {player: place for place, player in enumerate(summary.standings.order)}
    return {
        "width": summary.tournament.width,
        "height": summary.tournament.height,
        "names": [printable(name) for name in names],
        "colours": [colours[player.id] % COLOURS for player in summary.players],
        "scales": [use.typical_score for use in summary.times],
        "endings": [ending.value for ending in endings],
        "five": endings.index(Ending.FIVE),
        "games": [
            [
                game.number,
                game.black,
                game.white,
                -1 if game.winner is None else game.winner,
                endings.index(game.ending),
                printable(
                    describe_ending((names[game.black], names[game.white]), game.ending, game.winner, game.detail)
                ),
                game.opening_plies,
                openings[game.pairing],
                *pack_moves(summary.moves[game.number]),
            ]
            for game in summary.games
        ],
    }


def pack_moves(moves: Sequence[MoveRow]) -> list[Any]:
    """The stones as letters, column and row; milliseconds; scores; depths. What was never said is an empty list."""
    scores = [_score(move) for move in moves]
    depths = [move.depth for move in moves]
    return [
        "".join(f"{chr(97 + move.x)}{chr(97 + move.y)}" for move in moves),
        [move.ms for move in moves],
        scores if any(score is not None for score in scores) else [],
        depths if any(depth is not None for depth in depths) else [],
    ]


def _score(move: MoveRow) -> float | str | None:
    """A number, or "M5" or "-M4" for a win or loss in so many plies."""
    if move.mate is not None:
        return f"{'-' if move.mate < 0 else ''}M{abs(move.mate)}"
    if move.score is None:
        return None
    return round(move.score) if abs(move.score) >= 100 else float(f"{move.score:.3g}")


# Small things


def _ranked(summary: Summary) -> list[tuple[int, Any]]:
    """(player id, standing), the strongest first."""
    return list(zip(summary.standings.order, summary.standings.players, strict=True))


def _colour(summary: Summary, player: int) -> int:
    """A player's place in the standings, from 0, which decides its colour."""
    return summary.standings.order.index(player)


def _name(summary: Summary, player: int) -> str:
    name = escape(summary.players[player].name)
    return f'<td class="who c{_colour(summary, player) % COLOURS}"><i></i>{name}</td>'


def _percent(points: float, games: int) -> str:
    return f"{100 * points / games:.0f} %" if games else ""


def _meter(points: float, games: int) -> str:
    """A cell with a share as a number and as a bar behind it."""
    share = points / games if games else 0.0
    return (
        f'<td class="meter" style="--share:{share:.4f}"><span>{points:g}/{games}</span> '
        f"<small>{_percent(points, games)}</small></td>"
    )


def _kind(ending: Ending) -> str:
    return "rule" if ending.is_by_rule else "fault" if ending.is_fault else "adjudged"


def _table(heads: Sequence[str], rows: Iterable[str], kind: str) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in heads)
    return (
        f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
