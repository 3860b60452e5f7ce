"""The sections of a tournament's page as HTML: its standings, charts, endings, times and openings.

Numbers of games are links: `#brain=0&result=lost` makes page.js show the games that the first player lost; the names
are those of the filters in list.js. A cell has `data-sort` for tables.js if its text does not sort correctly.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from tournaments.report.charts import curve_chart, elo_chart, format_ms, opening_board, sprt_chart, time_chart
from tournaments.report.marks import colour_class, icon
from tournaments.report.markup import escape
from tournaments.report.summary import Summary
from tournaments.report.words import IN_ENGLISH, Words
from tournaments.rules.ending import Ending
from tournaments.rules.notation import format_pos, parse_opening
from tournaments.stats.results import points_of
from tournaments.stats.standings import ENOUGH_PAIRS, Standing, Standings
from tournaments.translations.catalogue import join_sentences

DRAWN_OPENINGS = 60
"""How many openings get a small board of their own; the others are only in the table."""


def table(heads: Sequence[str], rows: Iterable[str], kind: str, is_sortable: bool = True, texts: int = 1) -> str:
    """A table of class `kind` in a frame that scrolls if it is too narrow; tables.js lets the user sort the table.

    The first columns, as many as `texts`, hold names, which are sorted as texts.
    """
    head = "".join(
        f'<th scope="col"{" data-text" if column < texts else ""}>{escape(title)}</th>'
        for column, title in enumerate(heads)
    )
    sortable = " sortable" if is_sortable else ""
    return (
        f'<div class="frame"><div class="wide"><table class="{kind}{sortable}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def standings(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """The rated table."""
    rows = []
    for place, (player, row) in enumerate(_ranked(summary)):
        superiority = "" if row.superiority is None else words.percent(row.superiority)
        counts = "-".join(
            _games_link(count, brain=player, result=result)
            for count, result in ((row.wins, "won"), (row.losses, "lost"), (row.draws, "drawn"))
        )
        rows.append(
            f"<tr><td>{place + 1}</td>{_name(summary, player)}"
            f'<td data-sort="{row.elo:.3f}"><b>{row.elo:+z.0f}</b> <small>± {row.margin:.0f}</small></td>'
            f"<td>{superiority}</td><td>{_games_link(row.games, brain=player)}</td>{_points(row.points, words)}"
            f"<td>{_percent(row.points, row.games, words)}</td><td>{counts}</td>"
            f"{_meter(words, *row.black)}{_meter(words, *row.white)}"
            f"<td>{escape(_faults(row, words)) if row.faults else '-'}</td></tr>"
        )
    columns = ("brain", "los", "games", "points", "share", "counts", "black", "white", "faults")
    brain, *others = (words(f"column_{name}") for name in columns)
    note = join_sentences((words("standings_note"), _first_move(summary.standings, words)), words.language)
    listed = table(("#", brain, "Elo", *others), rows, "standings", texts=2)
    return f'{listed}<p class="note">{escape(note)}</p>'


def elo(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """The ratings as a chart."""
    rows = [(row.name, _place(summary, player), row.elo, row.margin) for player, row in _ranked(summary)]
    return elo_chart(rows, words)


def cross_table(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """The points of each player against each other."""
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
                told = words(
                    "against",
                    name=summary.players[player].name,
                    opponent=summary.players[opponent].name,
                    won=wins,
                    lost=len(points) - wins - draws,
                    drawn=draws,
                )
                cells.append(
                    f'<td class="score" style="--share:{share:.3f}" data-sort="{share:.6f}">'
                    f'<a href="#brain={player}&amp;opponent={opponent}" title="{escape(told)}">'
                    f"{words.number(f'{sum(points):g}')}"
                    f"<small>/{len(points)}</small></a></td>"
                )
        rows.append(f"<tr><td>{place + 1}</td>{_name(summary, player)}{''.join(cells)}</tr>")
    heads = ("#", words("column_brain"), *(str(place + 1) for place in range(len(order))))
    return f'{table(heads, rows, "cross", texts=2)}<p class="note">{words.html("cross_note")}</p>'


def sprt(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """The sequential test, "" without one."""
    if summary.sprt is None:
        return ""
    test, course = summary.sprt
    llr = course[-1] if course else 0.0
    note = words.html(
        "sprt_note",
        llr=words.number(f"{llr:.2f}"),
        pairs=len(course),
        lower=words.number(f"{test.lower:.2f}"),
        upper=words.number(f"{test.upper:.2f}"),
        verdict=words("sprt_h1" if llr >= test.upper else "sprt_h0" if llr <= test.lower else "sprt_open"),
        name=summary.players[0].name,
        opponent=summary.players[1].name,
        elo0=words.number(f"{test.elo0:g}"),
        elo1=words.number(f"{test.elo1:g}"),
        model=words(f"model_{test.model}"),
    )
    return f'{sprt_chart(test, course, words)}<p class="note">{note}</p>'


def endings(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """The numbers of games by their ending, and of losses by fault for each player."""
    numbers = {ending: number for number, ending in enumerate(Ending)}
    total = len(summary.games)
    rows = [
        f"<tr><td>{escape(_capitalised(ending, words))}</td><td>{_games_link(count, ending=numbers[ending])}</td>"
        f'<td data-sort="{count}">{words.percent(count / total, 1)}</td>'
        f'<td class="bar"><i class="{_kind(ending)}" style="--share:{count / total:.4f}"></i></td></tr>'
        for ending, count in summary.endings
    ]
    heads = [words(f"column_{name}") for name in ("ending", "games", "part")]
    parts = [table((*heads, ""), rows, "endings")]
    seen = [ending for ending, _ in summary.endings if ending.is_fault]
    if seen:
        faults = [
            f"<tr>{_name(summary, player)}"
            + "".join(
                f"<td>{_games_link(count, brain=player, result='lost', ending=numbers[ending]) if count else '-'}</td>"
                for ending in seen
                for count in (summary.faults[player][ending],)
            )
            + "</tr>"
            for player, _ in _ranked(summary)
        ]
        parts.append(f"<h3>{words.html('faults_head')}</h3>")
        names = (_capitalised(ending, words) for ending in seen)
        parts.append(table((words("column_brain"), *names), faults, "faults"))
    return "".join(parts)


def time(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """The brains' times to think."""
    rows = []
    bars: list[tuple[str, int, tuple[float, float, float] | None]] = []
    curves = []
    for player, row in _ranked(summary):
        use = summary.times[player]
        figures = (use.mean, use.median, use.percentile95, use.percentile99, use.slowest)
        cells = (
            f'<td data-sort="{value:.3f}">{format_ms(value, words) if use.moves else "-"}</td>' for value in figures
        )
        rows.append(f"<tr>{_name(summary, player)}<td>{use.moves}</td>{''.join(cells)}</tr>")
        place = _place(summary, player)
        bars.append((row.name, place, (use.median, use.percentile95, use.slowest) if use.moves else None))
        curves.append((row.name, place, use.curve))
    key = "".join(
        f'<span class="{colour_class(place)}">{icon(place)}{escape(row.name)}</span>'
        for place, (_, row) in enumerate(_ranked(summary))
    )
    brain, moves, mean, median, slowest = (
        words(f"column_{name}") for name in ("brain", "moves", "mean", "median", "slowest")
    )
    return (
        table((brain, moves, mean, median, words.percent(0.95), words.percent(0.99), slowest), rows, "time")
        + time_chart(bars, words)
        + f'<p class="note">{words.html("time_note")}</p>'
        + f"<h3>{words.html('time_by_move')}</h3>{curve_chart(curves, words)}"
        + f'<p class="key">{key}</p>'
    )


def openings(summary: Summary, words: Words = IN_ENGLISH) -> str:
    """Black's points from each opening."""
    width, height = summary.tournament.width, summary.tournament.height
    cards: list[str] = []
    rows = []
    for row in summary.standings.openings:
        share = row.points / row.games
        cells = parse_opening(row.opening, width, height) if row.opening else ()
        link = f'href="#opening={row.number}"'
        if len(cards) < DRAWN_OPENINGS:
            cards.append(
                f'<figure><a {link} aria-label="{words.html("openings_from", number=row.number)}">'
                f"{opening_board(cells, width, height, words)}</a>"
                f"<figcaption><b>{row.number}</b> {_percent(row.points, row.games, words)} "
                f"<small>{words.html('openings_of', games=row.games)}</small></figcaption></figure>"
            )
        rows.append(
            f"<tr><td><a {link}>{row.number}</a></td>"
            f"<td><code>{format_pos(cells, height) or words.html('empty_board')}</code></td>"
            f"<td><a {link}>{row.games}</a></td>{_points(row.points, words)}<td>{words.percent(share)}</td>"
            f'<td class="bar"><i class="black" style="--share:{share:.4f}"></i></td></tr>'
        )
    heads = [words(f"column_{name}") for name in ("opening", "games", "black_points", "black_share")]
    listed = table(("#", *heads, ""), rows, "openings", texts=2)
    return (
        f'<p class="note">{words.html("openings_note")}</p><div class="boards">{"".join(cards)}</div>'
        f"<details><summary>{words.html('openings_table')}</summary>{listed}</details>"
    )


def _ranked(summary: Summary) -> list[tuple[int, Any]]:
    """(player id, standing), the strongest first."""
    return list(zip(summary.standings.order, summary.standings.players, strict=True))


def _place(summary: Summary, player: int) -> int:
    """A player's place in the standings, from 0, which decides its mark."""
    return summary.standings.order.index(player)


def _name(summary: Summary, player: int) -> str:
    place = _place(summary, player)
    return f'<td class="who {colour_class(place)}">{icon(place)}{escape(summary.players[player].name)}</td>'


def _games_link(count: int, **filters: int | str) -> str:
    """A number of games as a link to them."""
    if not count:
        return "0"
    return f'<a href="#{"&amp;".join(f"{name}={value}" for name, value in filters.items())}">{count}</a>'


def _capitalised(ending: Ending, words: Words) -> str:
    name = words.ending(ending)
    return name[:1].upper() + name[1:]


def _faults(row: Standing, words: Words) -> str:
    """The games lost by a fault, and how many of them by being late: "3 (2 late)"."""
    if not row.timeouts:
        return str(row.faults)
    if row.timeouts < row.faults:
        return words("faults_late", count=row.faults, late=row.timeouts)
    return words("faults_one_late" if row.faults == 1 else "faults_all_late", count=row.faults)


def _first_move(standings: Standings, words: Words) -> str:
    """A sentence about the worth of the first move, as `describe_first_move` has it in English."""
    _, statistics = standings.black
    if statistics.pairs < ENOUGH_PAIRS:
        return ""
    share, elo = words.number(f"{100 * statistics.score:.1f}"), statistics.elo
    if elo is None:
        return words("first_move", share=share)
    key = "first_move_elo" if abs(elo[0]) > elo[1] else "first_move_none"
    return words(key, share=share, elo=f"{elo[0]:+z.0f}", margin=f"{elo[1]:.0f}")


def _percent(points: float, games: int, words: Words) -> str:
    return words.percent(points / games) if games else ""


def _points(points: float, words: Words) -> str:
    """A cell with a number of points."""
    return f'<td data-sort="{points:g}">{words.number(f"{points:g}")}</td>'


def _meter(words: Words, points: float, games: int) -> str:
    """A cell with a share as a number and as a bar behind it."""
    share = points / games if games else 0.0
    return (
        f'<td class="meter" style="--share:{share:.4f}" data-sort="{share:.6f}">'
        f"<span>{words.number(f'{points:g}')}/{games}</span> "
        f"<small>{_percent(points, games, words)}</small></td>"
    )


def _kind(ending: Ending) -> str:
    return "rule" if ending.is_by_rule else "fault" if ending.is_fault else "adjudged"
