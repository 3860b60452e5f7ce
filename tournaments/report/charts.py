"""Numbers as drawings: functions that return an SVG element in its frame, coloured by the page's style sheet.

Widths are in the SVG's own units, 720 across; the page scales them. Player number n is drawn in the colour `c{n % 8}`.
"""

import math
from collections.abc import Callable, Sequence

from tournaments.report.markup import escape
from tournaments.stats.sprt import Sprt

WIDTH = 720
COLOURS = 8


def nice_ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Round numbers that cover low..high, about `count` of them; their outer ones enclose the range."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / count))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= span / count)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def elo_chart(rows: Sequence[tuple[str, int, float, float]]) -> str:
    """Ratings as dots with their 95 % intervals; a row is (name, player number, elo, margin), the strongest first."""
    line, left, right, top = 34, 170, 116, 8
    ticks = nice_ticks(min(elo - margin for _, _, elo, margin in rows), max(elo + margin for _, _, elo, margin in rows))
    height = top + line * len(rows) + 34

    def place(elo: float) -> float:
        return left + (WIDTH - left - right) * (elo - ticks[0]) / (ticks[-1] - ticks[0])

    parts = _vertical_grid(ticks, place, top, height - 28, "Elo")
    for index, (name, number, elo, margin) in enumerate(rows):
        y = top + line * index + line / 2
        parts.append(
            f'<g class="c{number % COLOURS}"><title>{escape(name)}: {elo:+z.1f} ± {margin:.1f} Elo</title>'
            f'<text class="name" x="{left - 14}" y="{y + 5:.1f}" text-anchor="end">{escape(shorten(name, 24))}</text>'
            f'<path class="whisker" d="M{place(elo - margin):.1f} {y:.1f}H{place(elo + margin):.1f}'
            f'M{place(elo - margin):.1f} {y - 6:.1f}v12M{place(elo + margin):.1f} {y - 6:.1f}v12"/>'
            f'<circle cx="{place(elo):.1f}" cy="{y:.1f}" r="6"/>'
            f'<text class="value" x="{WIDTH - right + 10}" y="{y + 5:.1f}">{elo:+z.0f} ± {margin:.0f}</text></g>'
        )
    return _svg(height, "Elo ratings with 95 % intervals", parts)


def sprt_chart(test: Sprt, course: Sequence[float]) -> str:
    """The log likelihood ratio after each pair, between the bounds at which the test ends."""
    left, right, top, height = 56, 150, 14, 280
    bottom = height - 44
    low, high = min(test.lower, *course, 0.0), max(test.upper, *course, 0.0)
    ticks = nice_ticks(low - 0.05 * (high - low), high + 0.05 * (high - low))
    pairs = nice_ticks(0, max(len(course), 2))

    def across(pair: float) -> float:
        return left + (WIDTH - left - right) * pair / pairs[-1]

    def down(llr: float) -> float:
        return bottom - (bottom - top) * (llr - ticks[0]) / (ticks[-1] - ticks[0])

    parts = _horizontal_grid([(down(tick), f"{tick:g}") for tick in ticks], left, WIDTH - right)
    parts += _numbers([(across(pair), pair) for pair in pairs], bottom)
    for bound, name, elo in ((test.upper, "H1", test.elo1), (test.lower, "H0", test.elo0)):
        parts.append(
            f'<path class="bound" d="M{left} {down(bound):.1f}H{WIDTH - right}"/>'
            f'<text class="value" x="{WIDTH - right + 8}" y="{down(bound) + 4:.1f}">{name}: {elo:+g} Elo</text>'
        )
    points = " ".join(f"{across(pair):.1f},{down(llr):.1f}" for pair, llr in enumerate([0.0, *course]))
    parts.append(f'<polyline class="curve c0" points="{points}"/>')
    parts.append(
        f'<text class="axis" x="{(left + WIDTH - right) / 2}" y="{height - 6}" text-anchor="middle">'
        "pairs of games</text>"
    )
    return _svg(height, "Log likelihood ratio of the sequential test after each pair", parts)


def time_chart(rows: Sequence[tuple[str, int, float, float, float]]) -> str:
    """Time a move on a logarithmic scale; a row is (name, player number, median, 95th percentile, slowest), in ms."""
    line, left, right, top = 34, 170, 116, 8
    height = top + line * len(rows) + 34
    largest = max(1.0, *(slowest for *_, slowest in rows))
    decades = range(math.ceil(math.log10(largest)) + 1)

    def place(milliseconds: float) -> float:
        return left + (WIDTH - left - right) * math.log10(max(1.0, milliseconds)) / max(1, decades[-1])

    parts = _vertical_grid([10.0**decade for decade in decades], place, top, height - 28, "")
    for index, (name, number, median, percentile95, slowest) in enumerate(rows):
        y = top + line * index + line / 2
        told = f"median {format_ms(median)}, 95 % within {format_ms(percentile95)}, slowest {format_ms(slowest)}"
        parts.append(
            f'<g class="c{number % COLOURS}"><title>{escape(name)}: {told}</title>'
            f'<text class="name" x="{left - 14}" y="{y + 5:.1f}" text-anchor="end">{escape(shorten(name, 24))}</text>'
            f'<path class="thin" d="M{place(percentile95):.1f} {y:.1f}H{place(slowest):.1f}'
            f'M{place(slowest):.1f} {y - 5:.1f}v10"/>'
            f'<path class="thick" d="M{place(median):.1f} {y:.1f}H{place(percentile95):.1f}"/>'
            f'<circle cx="{place(median):.1f}" cy="{y:.1f}" r="6"/>'
            f'<text class="value" x="{WIDTH - right + 10}" y="{y + 5:.1f}">{format_ms(median)}</text></g>'
        )
    return _svg(height, "Time a move: median, 95th percentile and slowest", parts)


def curve_chart(rows: Sequence[tuple[str, int, Sequence[float]]]) -> str:
    """Mean time of a player's first, second, ... move; a row is (name, player number, milliseconds)."""
    left, right, top, height = 64, 24, 14, 260
    bottom = height - 44
    ticks = nice_ticks(0, max([1.0, *(value for _, _, curve in rows for value in curve)]), 5)
    moves = nice_ticks(0, max([2, *(len(curve) for _, _, curve in rows)]))

    def across(move: float) -> float:
        return left + (WIDTH - left - right) * move / moves[-1]

    def down(value: float) -> float:
        return bottom - (bottom - top) * value / ticks[-1]

    parts = _horizontal_grid([(down(tick), format_ms(tick)) for tick in ticks], left, WIDTH - right)
    parts += _numbers([(across(move), move) for move in moves], bottom)
    for name, number, curve in rows:
        points = " ".join(f"{across(move):.1f},{down(value):.1f}" for move, value in enumerate(curve, start=1))
        parts.append(
            f'<g class="c{number % COLOURS}"><title>{escape(name)}</title>'
            f'<polyline class="curve" points="{points}"/></g>'
        )
    parts.append(
        f'<text class="axis" x="{(left + WIDTH - right) / 2}" y="{height - 6}" text-anchor="middle">'
        "the player's own moves in a game</text>"
    )
    return _svg(height, "Mean time by move", parts)


def opening_board(cells: Sequence[tuple[int, int]], width: int, height: int) -> str:
    """A small board with the stones of an opening in their order, Black's first."""
    grid = "".join(f"M{x} 0V{height - 1}" for x in range(width)) + "".join(f"M0 {y}H{width - 1}" for y in range(height))
    stones = "".join(
        f'<circle class="{("black", "white")[index % 2]}" cx="{x}" cy="{y}" r="0.46"/>'
        for index, (x, y) in enumerate(cells)
    )
    return (
        f'<svg class="mini" viewBox="-1 -1 {width + 1} {height + 1}" role="img" aria-label="the opening on the board">'
        f'<rect x="-1" y="-1" width="{width + 1}" height="{height + 1}"/><path d="{grid}"/>{stones}</svg>'
    )


def format_ms(milliseconds: float) -> str:
    """A duration as people read it: "0 ms", "85 ms", "1.3 s", "120 s"."""
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 99.95 and seconds != int(seconds) else f"{seconds:.0f} s"


def shorten(text: str, length: int) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= length else text[: length - 1] + "…"


def _vertical_grid(
    ticks: Sequence[float], place: Callable[[float], float], top: float, bottom: float, unit: str
) -> list[str]:
    return [
        f'<path class="grid{" zero" if tick == 0 else ""}" d="M{place(tick):.1f} {top}V{bottom}"/>'
        f'<text class="tick" x="{place(tick):.1f}" y="{bottom + 18}" text-anchor="middle">'
        f"{f'{tick:g}' if unit else format_ms(tick)}</text>"
        for tick in ticks
    ]


def _horizontal_grid(ticks: Sequence[tuple[float, str]], left: float, right: float) -> list[str]:
    """A line across at each height, and what it says at its left end."""
    return [
        f'<path class="grid" d="M{left} {y:.1f}H{right}"/>'
        f'<text class="tick" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'
        for y, text in ticks
    ]


def _numbers(ticks: Sequence[tuple[float, float]], bottom: float) -> list[str]:
    """The whole numbers among the values, at their places below the chart."""
    return [
        f'<text class="tick" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:g}</text>'
        for x, value in ticks
        if value == int(value)
    ]


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<div class="wide"><svg class="chart" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg></div>'
    )
