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
from tournaments.rules.ending import Ending
from tournaments.rules.notation import format_pos, parse_opening
from tournaments.stats.results import points_of
from tournaments.stats.standings import describe_first_move

DRAWN_OPENINGS = 60
"""How many openings get a small board of their own; the others are only in the table."""


def table(heads: Sequence[str], rows: Iterable[str], kind: str, is_sortable: bool = True) -> str:
    """A table of class `kind` in a frame that scrolls if it is too narrow; tables.js lets the user sort the table."""
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in heads)
    sortable = " sortable" if is_sortable else ""
    return (
        f'<div class="frame"><div class="wide"><table class="{kind}{sortable}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def standings(summary: Summary) -> str:
    """The rated table."""
    rows = []
    for place, (player, row) in enumerate(_ranked(summary)):
        superiority = "" if row.superiority is None else f"{100 * row.superiority:.0f} %"
        counts = "-".join(
            _games_link(count, brain=player, result=result)
            for count, result in ((row.wins, "won"), (row.losses, "lost"), (row.draws, "drawn"))
        )
        rows.append(
            f"<tr><td>{place + 1}</td>{_name(summary, player)}"
            f'<td data-sort="{row.elo:.3f}"><b>{row.elo:+z.0f}</b> <small>± {row.margin:.0f}</small></td>'
            f"<td>{superiority}</td><td>{_games_link(row.games, brain=player)}</td><td>{row.points:g}</td>"
            f"<td>{_percent(row.points, row.games)}</td><td>{counts}</td>{_meter(*row.black)}{_meter(*row.white)}"
            f"<td>{row.faults_text if row.faults else '-'}</td></tr>"
        )
    first_move = describe_first_move(summary.standings).replace("+/-", "±")
    advantage = f" {first_move}." if first_move else ""
    heads = ("#", "Brain", "Elo", "LOS", "Games", "Points", "Share", "W-L-D", "As Black", "As White", "Faults")
    return (
        table(heads, rows, "standings")
        + '<p class="note">Elo by the logistic model, a draw being half a point, with 95 % intervals from pairs of '
        f"games. LOS is the likelihood of being stronger than the next one down.{advantage}</p>"
    )


def elo(summary: Summary) -> str:
    """The ratings as a chart."""
    return elo_chart([(row.name, _place(summary, player), row.elo, row.margin) for player, row in _ranked(summary)])


def cross_table(summary: Summary) -> str:
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
                told = f"{summary.players[player].name} against {summary.players[opponent].name}: "
                told += f"{wins} won, {len(points) - wins - draws} lost, {draws} drawn"
                cells.append(
                    f'<td class="score" style="--share:{share:.3f}" data-sort="{share:.6f}">'
                    f'<a href="#brain={player}&amp;opponent={opponent}" title="{escape(told)}">{sum(points):g}'
                    f"<small>/{len(points)}</small></a></td>"
                )
        rows.append(f"<tr><td>{place + 1}</td>{_name(summary, player)}{''.join(cells)}</tr>")
    heads = ("#", "Brain", *(str(place + 1) for place in range(len(order))))
    note = '<p class="note">Points of the row against the column; a cell leads to its games.</p>'
    return table(heads, rows, "cross") + note


def sprt(summary: Summary) -> str:
    """The sequential test, "" without one."""
    if summary.sprt is None:
        return ""
    test, course = summary.sprt
    names = [escape(player.name) for player in summary.players]
    llr = course[-1] if course else 0.0
    verdict = "H1 is accepted" if llr >= test.upper else "H0 is accepted" if llr <= test.lower else "undecided"
    pairs = "1 pair" if len(course) == 1 else f"{len(course)} pairs"
    return sprt_chart(test, course) + (
        f'<p class="note">LLR {llr:.2f} after {pairs}, bounds {test.lower:.2f} and {test.upper:.2f}: '
        f"{verdict}. H0: {names[0]} is {test.elo0:g} Elo stronger than {names[1]}; H1: {test.elo1:g} Elo "
        f"({escape(test.model)} model, pentanomial).</p>"
    )


def endings(summary: Summary) -> str:
    """The numbers of games by their ending, and of losses by fault for each player."""
    numbers = {ending: number for number, ending in enumerate(Ending)}
    total = len(summary.games)
    rows = [
        f"<tr><td>{_capitalised(ending)}</td><td>{_games_link(count, ending=numbers[ending])}</td>"
        f"<td>{100 * count / total:.1f} %</td>"
        f'<td class="bar"><i class="{_kind(ending)}" style="--share:{count / total:.4f}"></i></td></tr>'
        for ending, count in summary.endings
    ]
    parts = [table(("Ending", "Games", "Share", ""), rows, "endings")]
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
        parts.append("<h3>Games lost by a fault</h3>")
        parts.append(table(("Brain", *map(_capitalised, seen)), faults, "faults"))
    return "".join(parts)


def time(summary: Summary) -> str:
    """The brains' times to think."""
    rows = []
    bars: list[tuple[str, int, tuple[float, float, float] | None]] = []
    curves = []
    for player, row in _ranked(summary):
        use = summary.times[player]
        figures = (use.mean, use.median, use.percentile95, use.percentile99, use.slowest)
        cells = (f'<td data-sort="{value:.3f}">{format_ms(value) if use.moves else "-"}</td>' for value in figures)
        rows.append(f"<tr>{_name(summary, player)}<td>{use.moves}</td>{''.join(cells)}</tr>")
        place = _place(summary, player)
        bars.append((row.name, place, (use.median, use.percentile95, use.slowest) if use.moves else None))
        curves.append((row.name, place, use.curve))
    key = "".join(
        f'<span class="{colour_class(place)}">{icon(place)}{escape(row.name)}</span>'
        for place, (_, row) in enumerate(_ranked(summary))
    )
    return (
        table(("Brain", "Moves", "Mean", "Median", "95 %", "99 %", "Slowest"), rows, "time")
        + time_chart(bars)
        + '<p class="note">Mark: median. Thick line: up to the 95th percentile. Thin line: up to the slowest move. '
        "The scale is logarithmic. A move that came too late is not counted.</p>"
        + f"<h3>Mean time by move</h3>{curve_chart(curves)}"
        + f'<p class="key">{key}</p>'
    )


def openings(summary: Summary) -> str:
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
                f'<figure><a {link} aria-label="Games from opening {row.number}">'
                f"{opening_board(cells, width, height)}</a>"
                f"<figcaption><b>{row.number}</b> {_percent(row.points, row.games)} <small>of {row.games}</small>"
                "</figcaption></figure>"
            )
        rows.append(
            f"<tr><td><a {link}>{row.number}</a></td>"
            f"<td><code>{format_pos(cells, height) or 'the empty board'}</code></td>"
            f"<td><a {link}>{row.games}</a></td><td>{row.points:g}</td><td>{100 * share:.0f} %</td>"
            f'<td class="bar"><i class="black" style="--share:{share:.4f}"></i></td></tr>'
        )
    listed = table(("#", "Opening", "Games", "Black's points", "Black's share", ""), rows, "openings")
    return (
        '<p class="note">What Black scored from each opening; a board leads to its games.</p>'
        f'<div class="boards">{"".join(cards)}</div><details><summary>As a table</summary>{listed}</details>'
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


def _capitalised(ending: Ending) -> str:
    return ending.value[:1].upper() + ending.value[1:]


def _percent(points: float, games: int) -> str:
    return f"{100 * points / games:.0f} %" if games else ""


def _meter(points: float, games: int) -> str:
    """A cell with a share as a number and as a bar behind it."""
    share = points / games if games else 0.0
    return (
        f'<td class="meter" style="--share:{share:.4f}" data-sort="{share:.6f}"><span>{points:g}/{games}</span> '
        f"<small>{_percent(points, games)}</small></td>"
    )


def _kind(ending: Ending) -> str:
    return "rule" if ending.is_by_rule else "fault" if ending.is_fault else "adjudged"
