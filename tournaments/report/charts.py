"""Numbers as drawings: functions that return an SVG element in its frame, coloured by the page's style sheet.

Each is drawn twice, WIDE and NARROW units across, and the style sheet shows the one that suits the window, so that a
telephone has letters of a readable size and nothing to scroll. Player number n has the mark n of marks.py.
"""

import math
from collections.abc import Callable, Sequence

from tournaments.report.marks import colour_class, dash_class, placed
from tournaments.report.markup import escape
from tournaments.report.words import IN_ENGLISH, Words
from tournaments.stats.sprt import Sprt

WIDE, NARROW = 720, 340


def nice_ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Round numbers that cover low..high, about `count` of them; their outer ones enclose the range."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / count))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= span / count)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def elo_chart(rows: Sequence[tuple[str, int, float, float]], words: Words = IN_ENGLISH) -> str:
    """Ratings as dots with their 95 % intervals; a row is (name, player number, elo, margin), the strongest first."""
    low, high = min(elo - margin for _, _, elo, margin in rows), max(elo + margin for _, _, elo, margin in rows)

    def draw(width: int) -> tuple[float, list[str]]:
        rack = _Rack(width, len(rows))
        ticks = nice_ticks(low, high, 6 if width == WIDE else 4)

        def place(elo: float) -> float:
            return rack.across((elo - ticks[0]) / (ticks[-1] - ticks[0]))

        grid = [(place(tick), words.number(f"{tick:g}"), tick == 0) for tick in ticks]
        parts = _vertical_grid(grid, rack.top, rack.bottom)
        for index, (name, number, elo, margin) in enumerate(rows):
            y = rack.row(index)
            told = words.number(f"{elo:+z.1f} ± {margin:.1f} Elo")
            parts.append(
                f'<g class="{colour_class(number)}"><title>{escape(name)}: {told}</title>'
                f"{rack.label(index, name, f'{elo:+z.0f} ± {margin:.0f}')}"
                f'<path class="whisker" d="M{place(elo - margin):.1f} {y:.1f}H{place(elo + margin):.1f}'
                f'M{place(elo - margin):.1f} {y - 6:.1f}v12M{place(elo + margin):.1f} {y - 6:.1f}v12"/>'
                f"{placed(number, place(elo), y, 6.5)}</g>"
            )
        return rack.height, parts

    return _chart(words("chart_elo"), draw)


def sprt_chart(test: Sprt, course: Sequence[float], words: Words = IN_ENGLISH) -> str:
    """The log likelihood ratio after each pair, between the bounds at which the test ends."""
    low, high = min(test.lower, *course, 0.0), max(test.upper, *course, 0.0)
    ticks = nice_ticks(low - 0.05 * (high - low), high + 0.05 * (high - low))

    def draw(width: int) -> tuple[float, list[str]]:
        left, right, top, height = (56, 150, 14, 280) if width == WIDE else (36, 12, 14, 240)
        bottom = height - 44
        pairs = nice_ticks(0, max(len(course), 2), 6 if width == WIDE else 4)

        def across(pair: float) -> float:
            return left + (width - left - right) * pair / pairs[-1]

        def down(llr: float) -> float:
            return bottom - (bottom - top) * (llr - ticks[0]) / (ticks[-1] - ticks[0])

        grid = [(down(tick), words.number(f"{tick:g}")) for tick in ticks]
        parts = _horizontal_grid(grid, left, width - right)
        parts += _numbers([(across(pair), pair) for pair in pairs], bottom)
        for bound, name, elo in ((test.upper, "H1", test.elo1), (test.lower, "H0", test.elo0)):
            text = (
                f'x="{width - right + 8}" y="{down(bound) + 4:.1f}"'
                if width == WIDE
                else f'x="{width - right}" y="{down(bound) - 5:.1f}" text-anchor="end"'
            )
            parts.append(
                f'<path class="bound" d="M{left} {down(bound):.1f}H{width - right}"/>'
                f'<text class="value" {text}>{name}: {words.number(f"{elo:+g}")} Elo</text>'
            )
        points = " ".join(f"{across(pair):.1f},{down(llr):.1f}" for pair, llr in enumerate([0.0, *course]))
        parts.append(f'<polyline class="curve {colour_class(0)}" points="{points}"/>')
        parts.append(_axis_title((left + width - right) / 2, height, words("chart_sprt_pairs")))
        return height, parts

    return _chart(words("chart_sprt"), draw)


def time_chart(rows: Sequence[tuple[str, int, tuple[float, float, float] | None]], words: Words = IN_ENGLISH) -> str:
    """Time a move on a logarithmic scale; a row is (name, player number, times).

    The times are the median, the 95th percentile and the slowest, in milliseconds; None for a player without moves.
    """
    largest = max([1.0, *(times[-1] for *_, times in rows if times is not None)])
    decades = range(max(1, math.ceil(math.log10(largest))) + 1)

    def draw(width: int) -> tuple[float, list[str]]:
        rack = _Rack(width, len(rows))

        def place(milliseconds: float) -> float:
            return rack.across(math.log10(max(1.0, milliseconds)) / decades[-1])

        names = ["≤ 1 ms", *(format_ms(10.0**decade, words) for decade in decades[1:])]
        grid = [(place(10.0**decade), name, False) for decade, name in zip(decades, names, strict=True)]
        parts = _vertical_grid(grid, rack.top, rack.bottom)
        for index, (name, number, times) in enumerate(rows):
            y = rack.row(index)
            told, value, drawing = words("chart_time_none", name=name), words("chart_no_move"), ""
            if times is not None:
                median, percentile95, slowest = times
                value, most = format_ms(median, words), format_ms(percentile95, words)
                told = words("chart_time_row", name=name, median=value, most=most, slowest=format_ms(slowest, words))
                drawing = (
                    f'<path class="thin" d="M{place(percentile95):.1f} {y:.1f}H{place(slowest):.1f}'
                    f'M{place(slowest):.1f} {y - 5:.1f}v10"/>'
                    f'<path class="thick" d="M{place(median):.1f} {y:.1f}H{place(percentile95):.1f}"/>'
                    f"{placed(number, place(median), y, 6.5)}"
                )
            parts.append(
                f'<g class="{colour_class(number)}"><title>{escape(told)}</title>'
                f"{rack.label(index, name, escape(value))}{drawing}</g>"
            )
        return rack.height, parts

    return _chart(words("chart_time"), draw)


def curve_chart(rows: Sequence[tuple[str, int, Sequence[float]]], words: Words = IN_ENGLISH) -> str:
    """Mean time of a player's first, second, ... move; a row is (name, player number, milliseconds)."""
    ticks = nice_ticks(0, max([1.0, *(value for _, _, curve in rows for value in curve)]), 5)
    left = 12 + 8 * max(len(format_ms(tick, words)) for tick in ticks)

    def draw(width: int) -> tuple[float, list[str]]:
        right, top, height = (24, 14, 260) if width == WIDE else (12, 14, 230)
        bottom = height - 44
        moves = nice_ticks(0, max([2, *(len(curve) for _, _, curve in rows)]), 6 if width == WIDE else 4)

        def across(move: float) -> float:
            return left + (width - left - right) * move / moves[-1]

        def down(value: float) -> float:
            return bottom - (bottom - top) * value / ticks[-1]

        parts = _horizontal_grid([(down(tick), format_ms(tick, words)) for tick in ticks], left, width - right)
        parts += _numbers([(across(move), move) for move in moves], bottom)
        for name, number, curve in rows:
            points = [(across(move), down(value)) for move, value in enumerate(curve, start=1)]
            ends = "".join(placed(number, *point, 4) for point in dict.fromkeys((*points[:1], *points[-1:])))
            parts.append(
                f'<g class="{colour_class(number)}"><title>{escape(name)}</title>'
                f'<polyline class="curve {dash_class(number)}" points="'
                f'{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>{ends}</g>'
            )
        parts.append(_axis_title((left + width - right) / 2, height, words("chart_curve_moves")))
        return height, parts

    return _chart(words("chart_curve"), draw)


def opening_board(cells: Sequence[tuple[int, int]], width: int, height: int, words: Words = IN_ENGLISH) -> str:
    """A small board with the stones of an opening in their order, Black's first."""
    grid = "".join(f"M{x} 0V{height - 1}" for x in range(width)) + "".join(f"M0 {y}H{width - 1}" for y in range(height))
    stones = "".join(
        f'<circle class="{("black", "white")[index % 2]}" cx="{x}" cy="{y}" r="0.46"/>'
        for index, (x, y) in enumerate(cells)
    )
    return (
        f'<svg class="mini" viewBox="-1 -1 {width + 1} {height + 1}" role="img" '
        f'aria-label="{words.html("chart_opening")}">'
        f'<rect x="-1" y="-1" width="{width + 1}" height="{height + 1}"/><path d="{grid}"/>{stones}</svg>'
    )


def format_ms(milliseconds: float, words: Words = IN_ENGLISH) -> str:
    """A duration as people read it: "0 ms", "85 ms", "1.3 s", "120 s"."""
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    return words.number(f"{seconds:.1f} s" if seconds < 99.95 and seconds != int(seconds) else f"{seconds:.0f} s")


def shorten(text: str, length: int) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= length else text[: length - 1] + "…"


class _Rack:
    """The places of the rows in a chart with one line a player: names are at the left, values at the right.

    A narrow chart has both above the line instead.
    """

    top = 8

    def __init__(self, width: int, rows: int) -> None:
        self._width = width
        self._is_wide = width == WIDE
        self._line = 34 if self._is_wide else 46
        self._left, self._right = (170, 116) if self._is_wide else (26, 26)
        self.bottom = self.top + self._line * rows + 6
        self.height = self.bottom + 28

    def across(self, share: float) -> float:
        """The x of a share of the scale, 0 at its left end and 1 at its right."""
        return self._left + (self._width - self._left - self._right) * share

    def row(self, index: int) -> float:
        """The y of a row's middle."""
        return self.top + self._line * index + (17 if self._is_wide else 32)

    def label(self, index: int, name: str, value: str) -> str:
        """The row's name and value as SVG."""
        y = self.row(index) + (5 if self._is_wide else -14)
        name_x, value_x = (self._left - 14, self._width - self._right + 10) if self._is_wide else (2, self._width - 2)
        anchors = ("end", "start") if self._is_wide else ("start", "end")
        return (
            f'<text class="name" x="{name_x}" y="{y:.1f}" text-anchor="{anchors[0]}">{escape(shorten(name, 24))}</text>'
            f'<text class="value" x="{value_x}" y="{y:.1f}" text-anchor="{anchors[1]}">{value}</text>'
        )


def _vertical_grid(ticks: Sequence[tuple[float, str, bool]], top: float, bottom: float) -> list[str]:
    """Vertical lines: for each its x, the text at its lower end, and true for the zero line."""
    return [
        f'<path class="grid{" zero" if is_zero else ""}" d="M{x:.1f} {top}V{bottom}"/>'
        f'<text class="tick" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{text}</text>'
        for x, text, is_zero in ticks
    ]


def _horizontal_grid(ticks: Sequence[tuple[float, str]], left: float, right: float) -> list[str]:
    """Horizontal lines: for each its height, and the text at its left end."""
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


def _axis_title(x: float, height: float, text: str) -> str:
    return f'<text class="axis" x="{x:g}" y="{height - 6}" text-anchor="middle">{escape(text)}</text>'


def _chart(label: str, draw: Callable[[int], tuple[float, list[str]]]) -> str:
    """Both drawings; `draw` makes the parts and tells the height for a width."""
    drawings = []
    for width, kind in ((WIDE, "broad"), (NARROW, "narrow")):
        height, parts = draw(width)
        drawings.append(
            f'<svg class="chart {kind}" viewBox="0 0 {width} {height:g}" role="img" '
            f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
        )
    return f"<div>{''.join(drawings)}</div>"
