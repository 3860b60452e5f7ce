"""The report as HTML: one string that a browser shows without loading anything else."""

import base64
import hashlib
import json
import re
import time
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from tournaments.brains.command import join_words
from tournaments.joining.modules import join_modules
from tournaments.report import tables
from tournaments.report.games import ListedGame, pack_games
from tournaments.report.marks import colour_class, dash_class, outline
from tournaments.report.markup import escape, escape_lines
from tournaments.report.summary import Summary
from tournaments.report.words import IN_ENGLISH, Words
from tournaments.rules.ending import Ending
from tournaments.rules.referee import BLACK, WHITE
from tournaments.storage.store_schema import TournamentRow
from tournaments.translations.catalogue import html_tag

MARK = 'name="generator" content="Tengen"'
"""The mark in the head of every page of ours."""


def source_mark(*parts: object) -> str:
    """The mark in the head of the pages that are made from the same tournament or the same files."""
    return f'name="tengen-source" content="{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"'


def tournament_mark(row: TournamentRow) -> str:
    """The mark of a tournament's pages: the file may have another name or place later."""
    return source_mark(row.name, row.created)


def make_page(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """The whole page of a tournament."""
    data = _data(summary, words)
    sections = [
        ("standings", tables.standings(summary, words)),
        ("elo", tables.elo(summary, words)),
        ("cross-table", tables.cross_table(summary, words)),
        ("sprt", tables.sprt(summary, words)),
        ("endings", tables.endings(summary, words)),
        ("time", tables.time(summary, words)),
        ("openings", tables.openings(summary, words)),
        ("games", games_section(words("column_opening"), data["games"]["left_out"], words)),
    ]
    title, sources = escape(summary.tournament.name), [tournament_mark(summary.tournament)]
    return assemble(title, _facts(summary, words), sections, data, sources, words)


def assemble(
    title: str,
    facts: str,
    sections: Sequence[tuple[str, str]],
    data: dict[str, Any],
    sources: Sequence[str],
    words: Words,
) -> str:
    """A page from HTML for its title, its head and its sections (anchor and body), and `data` for page.js.

    `sources` are marks of `source_mark`.
    """
    data = {"language": words.language, "words": words.for_script(), **data}
    files = resources.files("tournaments.report")
    style = "".join(files.joinpath(name).read_text(encoding="utf-8") for name in ("board.css", "page.css"))
    script = join_modules("page.js", lambda name: files.joinpath(name).read_text(encoding="utf-8"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    shown = [(name, words.html(f"section_{name}"), body) for name, body in sections if body]
    links = "".join(f'<a href="#{name}">{head}</a>' for name, head, _ in shown)
    return "".join(
        [
            f'<!DOCTYPE html>\n<html lang="{html_tag(words.language)}"><head><meta charset="utf-8">',
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
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts if value)
    return f"<dl>{items}</dl>"


def player_data(name: str, number: int, scale: float) -> dict[str, Any]:
    """A player for the script: its name, its mark by its `number` in the order of marks, and a typical score."""
    mark = {"colour": colour_class(number), "dash": dash_class(number), "shape": outline(number)}
    return {"name": name, **mark, "scale": scale}


def games_section(origin: str, left_out: Sequence[str], words: Words = IN_ENGLISH) -> str:
    """The viewer, the filters and the list of games, which the script fills.

    `origin` is the head of the list's last column; `left_out` comes from `pack_games`.
    """
    names = {"ORIGIN": origin, "BLACK": words.colour(BLACK), "WHITE": words.colour(WHITE)}
    page = re.sub(r"\{(\w+)\}", lambda key: words.html(key[1]), _GAMES)
    page = re.sub("|".join(names), lambda name: escape(names[name[0]]), page)
    if not left_out:
        return page
    parts = [words(f"left_{name.replace(' ', '_')}") for name in left_out]
    told = parts[0] if len(parts) == 1 else words("and", first=parts[0], second=parts[1])
    return f'{page}<p class="note">{words.html("left_out", parts=told)}</p>'


_GAMES = """<noscript><p>{no_script}</p></noscript>
<p id="trouble" hidden></p>
<div class="viewer" hidden>
<div class="left"><div id="board"></div>
<div class="controls">
<button type="button" id="first" title="{to_start_key}" aria-label="{to_start}"></button>
<button type="button" id="back" title="{one_back_key}" aria-label="{one_back}"></button>
<button type="button" id="play" title="{play_key}" aria-label="{play}"></button>
<button type="button" id="forward" title="{one_on_key}" aria-label="{one_on}"></button>
<button type="button" id="last" title="{to_end_key}" aria-label="{to_end}"></button>
<input type="range" id="slider" min="0" value="0" aria-label="{slider}">
<label><input type="checkbox" id="numbers" checked> {numbers}</label></div></div>
<div class="right"><div id="players"></div><p id="result"></p>
<p id="stone" aria-live="polite"></p>
<div id="variation"></div>
<details id="messages"><summary>{said}</summary><pre></pre></details>
<div id="graph"></div><ol id="moves"></ol>
<p class="pager"><button type="button" id="previous" title="{previous_key}">▲ {previous}</button>
<button type="button" id="next" title="{next_key}">▼ {next}</button>
<span>{save_as} <button type="button" id="save-sgf">SGF</button>
<button type="button" id="save-psq">psq</button></span></p></div></div>
<div class="filters" hidden>
<label>{filter_brain} <select id="brain"></select></label>
<label>{filter_colour} <select id="colour"><option value="">{either_colour}</option><option value="black">BLACK</option>
<option value="white">WHITE</option></select></label>
<label>{filter_against} <select id="opponent"></select></label>
<label>{filter_result} <select id="outcome"></select></label>
<label>{filter_ending} <select id="ending"></select></label><label>ORIGIN <select id="origin"></select></label>
<button type="button" id="all">{all_games}</button><span id="count" role="status"></span></div>
<div class="frame"><div class="list wide" hidden><table class="games"><thead><tr>
<th scope="col">#</th><th scope="col">BLACK</th><th scope="col">WHITE</th><th scope="col">{column_result}</th>
<th scope="col">{column_ending}</th><th scope="col">{column_stones}</th><th scope="col">ORIGIN</th></tr></thead>
<tbody id="list"></tbody></table></div></div>
<p class="pages" hidden><button type="button" id="page-back">◀ {list_back}</button> <span id="page-shown"></span>
<button type="button" id="page-on">{list_more} ▶</button></p>
<p class="note keys" hidden>{keys}</p>"""
"""The words in braces are keys of the catalogue; those in capitals are names of columns."""


def _facts(summary: Summary, words: Words) -> str:
    tournament = summary.tournament
    settings = tournament.settings
    clocks = [
        words(f"clock_{what}", seconds=f"{settings[key]:g}")
        for key, what in (("turn_time", "move"), ("match_time", "game"))
        if isinstance(settings.get(key), int | float) and (settings[key] > 0 or key == "turn_time")
    ]
    go_on = f"tengen tournament resume {join_words([summary.file])}"
    facts = [
        ("format", words(f"format_{tournament.format}")),
        ("rule", words.rule(tournament.rule)),
        ("board", f"{tournament.width}x{tournament.height}"),
        ("clocks", words("say_comma").join(clocks)),
        ("games", words("played_of", games=len(summary.games), planned=summary.planned)),
        ("state", words(f"state_{tournament.state}")),
        ("begun", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(tournament.created))),
        ("go_on", go_on if tournament.state == "interrupted" else ""),
    ]
    note = f"<p>{escape(tournament.note)}</p>" if tournament.note else ""
    brains = "".join(
        f"<tr><td>{escape(player.name)}</td><td><code>{escape(player.command)}</code></td>"
        f"<td><code>{escape(player.digest[:12])}</code></td></tr>"
        for player in summary.players
    )
    options = escape_lines(json.dumps({key: settings[key] for key in settings if key != "brains"}, indent=1))
    heads = (words("column_brain"), words("column_command"), "SHA-256")
    return (
        f"{facts_list((words(f'fact_{name}'), value) for name, value in facts)}{note}"
        f"<details><summary>{words.html('details')}</summary>"
        f"{tables.table(heads, [brains], 'brains', is_sortable=False)}<pre>{options}</pre></details>"
    )


def _data(summary: Summary, words: Words) -> dict[str, Any]:
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
            reason=words.reason((names[game.black], names[game.white]), game.ending, game.winner, game.detail),
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
        "endings": list(map(words.ending, endings)),
        "five": endings.index(Ending.FIVE),
        "games": pack_games(games),
    }
