"""The marks of players in drawings: each has a colour and a shape, so that a reader needs only one of the two.

There are eight colours (`c0` to `c7` in page.css) and seven shapes, which gives 56 players marks of their own.
"""

COLOURS = 8

SHAPES = (
    "M0 -1A1 1 0 0 1 0 1A1 1 0 0 1 0 -1Z",
    "M-.85 -.85H.85V.85H-.85Z",
    "M0 -1.05L1.05 .85H-1.05Z",
    "M0 -1.15L1.15 0L0 1.15L-1.15 0Z",
    "M-1.05 -.85H1.05L0 1.05Z",
    "M-.36 -1.05H.36V-.36H1.05V.36H.36V1.05H-.36V.36H-1.05V-.36H-.36Z",
    "M0 -1.2L.35 -.4L1.15 -.35L.55 .2L.75 1.05L0 .6L-.75 1.05L-.55 .2L-1.15 -.35L-.35 -.4Z",
)
"""Outlines about (0, 0) with a radius of about 1, as SVG paths: circle, square, triangle, diamond, the triangle upside
down, plus, star."""


def colour_class(number: int) -> str:
    """The style sheet's class for the colour of player `number`, from 0."""
    return f"c{number % COLOURS}"


def dash_class(number: int) -> str:
    """The class for the dashes of the player's curves, which go with its shape."""
    return f"d{number % len(SHAPES)}"


def outline(number: int) -> str:
    """The path of the shape of player `number`."""
    return SHAPES[number % len(SHAPES)]


def icon(number: int) -> str:
    """The player's mark as a small drawing within a line of text, in its colour if no parent sets one."""
    return (
        f'<svg class="shape {colour_class(number)}" viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">'
        f'<path d="{outline(number)}"/></svg>'
    )


def placed(number: int, x: float, y: float, radius: float) -> str:
    """The player's mark within a chart, with its middle at (x, y)."""
    return f'<path class="shape" transform="translate({x:.1f} {y:.1f}) scale({radius:g})" d="{outline(number)}"/>'
