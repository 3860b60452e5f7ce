"""The report as HTML: one string that a browser shows without loading anything else."""

import base64
import hashlib
import json
import shlex
import time
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from tournaments.report import tables
from tournaments.report.games import ListedGame, pack_games
from tournaments.report.marks import colour_class, dash_class, outline
from tournaments.report.markup import escape, escape_lines
from tournaments.report.modules import join_modules
from tournaments.report.summary import Summary
from tournaments.rules.ending import Ending, describe_ending
from tournaments.rules.referee import Rule
from tournaments.storage.store_schema import TournamentRow

MARK = 'name="generator" content="Tengen"'
"""The mark in the head of every page of ours."""


def source_mark(*parts: object) -> str:
    """The mark in the head of the pages that are made from the same tournament or the same files."""
    return f'name="tengen-source" content="{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"'


def tournament_mark(row: TournamentRow) -> str:
    """The mark of a tournament's pages: the file may have another name or place later."""
    return source_mark(row.name, row.created)


def make_page(summary: Summary) -> str:
    """The whole page of a tournament."""
    data = _data(summary)
    sections = [
        ("standings", "Standings", tables.standings(summary)),
        ("elo", "Elo", tables.elo(summary)),
        ("cross-table", "Cross-table", tables.cross_table(summary)),
        ("sprt", "Sequential test", tables.sprt(summary)),
        ("endings", "Endings", tables.endings(summary)),
        ("time", "Time", tables.time(summary)),
        ("openings", "Openings", tables.openings(summary)),
        ("games", "Games", games_section("Opening", data["games"]["left_out"])),
    ]
    return assemble(
        escape(summary.tournament.name), _facts(summary), sections, data, [tournament_mark(summary.tournament)]
    )


def assemble(
    title: str, facts: str, sections: Sequence[tuple[str, str, str]], data: dict[str, Any], sources: Sequence[str]
) -> str:
    """A page from HTML for its title, its head and its sections (anchor, title, body), and `data` for page.js.

    `sources` are marks of `source_mark`.
    """
    files = resources.files("tournaments.report")
    style = "".join(files.joinpath(name).read_text(encoding="utf-8") for name in ("board.css", "page.css"))
    script = join_modules("page", lambda name: files.joinpath(f"{name}.js").read_text(encoding="utf-8"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    shown = [(name, title, body) for name, title, body in sections if body]
    links = "".join(f'<a href="#{name}">{head}</a>' for name, head, _ in shown)
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="color-scheme" content="light dark"><meta {MARK}>',
            *(f"<meta {source}>" for source in sources),
            f'<title>{title}</title><link rel="icon" href="data:,">\n<style>\n{style}</style></head>\n<body>',
            f"<header><h1>{title}</h1>{facts}</header>\n<nav>{links}</nav>\n<main>\n",
            *(f'<section id="{name}"><h2>{head}</h2>\n{body}\n</section>\n' for name, head, body in shown),
            "</main>\n",
            f'<script type="application/json" id="data">{embed(data)}</script>\n',
            f"<script>{script}</script>\n</body></html>\n",
        ]
    )


def embed(value: Any) -> str:
    """JSON for a script element: without `<`, so that it cannot end the element or open a comment."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def facts_list(facts: Iterable[tuple[str, str]]) -> str:
    """Names and values for a page's head; those without a value are left out."""
    items = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts if value)
    return f"<dl>{items}</dl>"


def player_data(name: str, number: int, scale: float) -> dict[str, Any]:
    """A player for the script: its name, its mark by its `number` in the order of marks, and a typical score."""
    mark = {"colour": colour_class(number), "dash": dash_class(number), "shape": outline(number)}
    return {"name": name, **mark, "scale": scale}


def games_section(origin: str, left_out: Sequence[str]) -> str:
    """The viewer, the filters and the list of games, which the script fills.

    `origin` is the head of the list's last column; `left_out` comes from `pack_games`.
    """
    words = {
        "nodes": "node counts, in the downloads too",
        "messages": "what the brains said",
        "old messages": "all but the last that the brains said before a move",
    }
    note = ""
    if left_out:
        told = " and ".join(words[name] for name in left_out)
        note = (
            f'<p class="note">So as not to be too large this page leaves out {told}; <code>tengen export</code> '
            "writes everything.</p>"
        )
    return _GAMES.replace("ORIGIN", origin) + note


_GAMES = """<noscript><p>The games are replayed by a script, which this browser does not run.</p></noscript>
<p id="trouble" hidden></p>
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
<div id="variation"></div>
<details id="messages"><summary>What the brain said</summary><pre></pre></details>
<div id="graph"></div><ol id="moves"></ol>
<p class="pager"><button type="button" id="previous" title="The game above (page up)">▲ Previous game</button>
<button type="button" id="next" title="The game below (page down)">▼ Next game</button>
<span>Save as <button type="button" id="save-sgf">SGF</button>
<button type="button" id="save-psq">psq</button></span></p></div></div>
<div class="filters" hidden>
<label>Brain <select id="brain"></select></label>
<label>Playing <select id="colour"><option value="">either colour</option><option value="black">Black</option>
<option value="white">White</option></select></label>
<label>Against <select id="opponent"></select></label>
<label>Result <select id="outcome"></select></label>
<label>Ending <select id="ending"></select></label><label>ORIGIN <select id="origin"></select></label>
<button type="button" id="all">All games</button><span id="count" role="status"></span></div>
<div class="frame"><div class="list wide" hidden><table class="games"><thead><tr>
<th scope="col">#</th><th scope="col">Black</th><th scope="col">White</th><th scope="col">Result</th>
<th scope="col">Ending</th><th scope="col">Stones</th><th scope="col">ORIGIN</th></tr></thead>
<tbody id="list"></tbody></table></div></div>
<p class="pages" hidden><button type="button" id="page-back">◀ Back</button> <span id="page-shown"></span>
<button type="button" id="page-on">More ▶</button></p>
<p class="note keys" hidden>Keys: ← → one stone, Home and End, Page Up and Page Down the previous and next game, space
plays.</p>"""


def _facts(summary: Summary) -> str:
    tournament = summary.tournament
    settings = tournament.settings
    rule = Rule(tournament.rule).title
    states = {"running": "still running", "stopped": "ended before its last game"}
    state = states.get(tournament.state, tournament.state)
    clocks = [f"{settings['turn_time']:g} s a move"] if isinstance(settings.get("turn_time"), int | float) else []
    if isinstance(settings.get("match_time"), int | float):
        clocks.append(f"{settings['match_time']:g} s a game")
    go_on = f"tengen tournament resume {shlex.quote(summary.file)}"
    facts = [
        ("Format", tournament.format),
        ("Rule", rule),
        ("Board", f"{tournament.width}x{tournament.height}"),
        ("Clocks", ", ".join(clocks)),
        ("Games", f"{len(summary.games)} of {summary.planned}"),
        ("State", state),
        ("Begun", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(tournament.created))),
        ("To go on", go_on if tournament.state == "interrupted" else ""),
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
        f"{tables.table(('Brain', 'Command', 'SHA-256'), [brains], 'brains', is_sortable=False)}<pre>{options}</pre>"
        "</details>"
    )


def _data(summary: Summary) -> dict[str, Any]:
    """The data for the script; games.js explains the fields."""
    endings = list(Ending)
    origins = {pairing.number: pairing.opening_number for pairing in summary.pairings}
    names = [player.name for player in summary.players]
    places = {player: place for place, player in enumerate(summary.standings.order)}
    games = [
        ListedGame(
            number=game.number,
            players=(game.black, game.white),
            winner=-1 if game.winner is None else game.winner,
            ending=endings.index(game.ending),
            reason=describe_ending((names[game.black], names[game.white]), game.ending, game.winner, game.detail),
            origin=origins[game.pairing],
            record=record,
        )
        for game, record in zip(summary.games, summary.records, strict=True)
    ]
    return {
        "width": summary.tournament.width,
        "height": summary.tournament.height,
        "players": [
            player_data(player.name, places[player.id], use.typical_score)
            for player, use in zip(summary.players, summary.times, strict=True)
        ],
        "endings": [ending.value for ending in endings],
        "five": endings.index(Ending.FIVE),
        "games": pack_games(games),
    }
