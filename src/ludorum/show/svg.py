"""Boards as SVG, a unit to a square; colours are written in the elements, so that no style is needed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from xml.etree.ElementTree import Element

from .grid import Grid, Place, place_name
from .markup import element
from .pieces import Piece
from .shapes import CHESSMEN, COLOURS, CROSS, CROWN, FRAME, GROUND, HOLE, LAST, LINE, SHADE, WORDS

SVG = "http://www.w3.org/2000/svg"
SQUARE = 44
"""Pixels of a square; wide boards have smaller ones."""
WIDEST = 520
"""Pixels of a board."""
LABEL = 12
"""Pixels of the letters beside the board."""
CHARACTER, LINE_HEIGHT = 8.0, 18
"""Pixels of a character and of a line of plain text."""


def board_svg(
    grid: Grid,
    contents: Mapping[Place, Sequence[str]],
    pieces: Mapping[str, Piece],
    look: str,
    last: Collection[Place] = (),
) -> Element:
    """A board with its pieces, the places of the last move marked, and its coordinates."""
    columns, rows = grid.columns, tuple(reversed(grid.rows))
    width, height = len(columns) + 0.8, len(rows) + 0.7
    scale = min(SQUARE, WIDEST / width)
    places = [((column, row), x, y) for y, row in enumerate(rows) for x, column in enumerate(columns)]
    there = [(place, x, y) for place, x, y in places if place not in grid.absent]
    ground = [_rectangle(0, 0, len(columns), len(rows), FRAME if look == "holes" else GROUND)]
    label = f"{LABEL / scale:.3g}"
    return element(
        "svg",
        {
            "xmlns": SVG,
            "viewBox": f"-.6 -.1 {width:g} {height:g}",
            "width": round(width * scale),
            "height": round(height * scale),
            "role": "img",
            "font-family": "sans-serif",
        },
        element("title", {}, _described(there, contents, pieces)),
        *([] if grid.absent else ground),
        *(_square(x, y, look, len(rows), bool(grid.absent)) for _, x, y in there),
        *(_last(x, y, look) for place, x, y in there if place in last),
        *(
            _standing(place, x, y, [(words, pieces[words]) for words in contents[place] if words in pieces])
            for place, x, y in there
            if any(words in pieces for words in contents.get(place, ()))
        ),
        *(_words(name, x + 0.5, len(rows) + 0.32, label) for x, name in enumerate(columns)),
        *(_words(name, -0.32, y + 0.5, label) for y, name in enumerate(rows)),
    )


def text_svg(lines: Sequence[str]) -> Element:
    """Lines of text as a picture, for states without a board."""
    width = round(CHARACTER * max(map(len, lines), default=0)) + 16
    height = LINE_HEIGHT * len(lines) + 8
    return element(
        "svg",
        {
            "xmlns": SVG, "viewBox": f"0 0 {width} {height}", "width": width, "height": height, "role": "img",
            "font-family": "monospace", "font-size": 13, "fill": WORDS, "style": "white-space:pre",
        },
        *(element("text", {"x": 8, "y": LINE_HEIGHT * (at + 1)}, line) for at, line in enumerate(lines)),
    )  # fmt: skip


def _described(
    places: Sequence[tuple[Place, int, int]],
    contents: Mapping[Place, Sequence[str]],
    pieces: Mapping[str, Piece],
) -> str:
    """The contents of each place in words, for screen readers."""
    words = [
        f"{place_name(place)} {', '.join(full)}"
        for place, _, _ in places
        if (full := [one for one in contents.get(place, ()) if one in pieces])
    ]
    return "; ".join(words) or "empty board"


def _rectangle(x: float, y: float, width: float, height: float, fill: str, **more: object) -> Element:
    return element("rect", {"x": x, "y": y, "width": width, "height": height, "fill": fill, **more})


def _square(x: int, y: int, look: str, height: int, alone: bool) -> Element:
    if look == "holes":
        return element("circle", {"cx": x + 0.5, "cy": y + 0.5, "r": 0.42, "fill": HOLE})
    if look == "squares":
        return _rectangle(x, y, 1, 1, SHADE if (x + y + height) % 2 else GROUND)
    return _rectangle(x, y, 1, 1, GROUND if alone else "none", stroke=LINE, **{"stroke-width": 0.025})


def _last(x: int, y: int, look: str) -> Element:
    if look == "holes":
        circle = {"cx": x + 0.5, "cy": y + 0.5, "r": 0.44, "fill": "none", "stroke": LAST}
        return element("circle", {**circle, "stroke-width": 0.09})
    return _rectangle(x, y, 1, 1, LAST, opacity=0.55)


def _standing(place: Place, x: int, y: int, standing: Sequence[tuple[str, Piece]]) -> Element:
    """The contents of a place: the first in the middle, the others smaller in the corner."""
    (words, first), *others = standing
    corner = [
        element("g", {"transform": f"translate({0.28 - 0.28 * at:g} .28) scale(.46)"}, _piece(told, piece))
        for at, (told, piece) in enumerate(others)
    ]
    at = {"transform": f"translate({x + 0.5:g} {y + 0.5:g})", "data-place": place_name(place)}
    return element("g", at, _piece(words, first), *corner)


def _piece(words: str, piece: Piece) -> Element:
    colour = COLOURS[piece.colour]
    detail = "#ffffff99" if piece.colour == "black" else "#00000088"
    style: dict[str, object] = {"fill": colour, "stroke": "#00000099", "stroke-width": 0.025}
    if piece.shape in ("cross", "ring"):
        style = {"fill": "none", "stroke": colour, "stroke-width": 0.13, "stroke-linecap": "round"}
    label = [] if not piece.text else [_label(piece)]
    return element("g", style, element("title", {}, words), *_shape(piece.shape, detail), *label)


def _shape(shape: str, detail: str) -> list[Element]:
    upon = {"fill": "none", "stroke": detail, "stroke-width": 0.03}
    if shape in CHESSMEN:
        outline, lines = CHESSMEN[shape]
        man = {"transform": "scale(.0094) translate(-50 -50)", "stroke-width": 3}
        on_man = {**upon, "d": lines, "stroke-width": 3, "stroke-linecap": "round"}
        return [element("g", man, element("path", {"d": outline}), element("path", on_man))]
    if shape == "disc":
        return [element("circle", {"r": 0.39}), element("circle", {"r": 0.29, **upon})]
    if shape == "crown":
        return [element("circle", {"r": 0.39}), element("path", {"d": CROWN, **upon})]
    if shape == "cross":
        return [element("path", {"d": CROSS})]
    if shape == "ring":
        return [element("circle", {"r": 0.28})]
    side, corner = (0.8, 0.1) if shape == "block" else (0.76, 0.12)
    return [element("rect", {"x": -side / 2, "y": -side / 2, "width": side, "height": side, "rx": corner})]


def _label(piece: Piece) -> Element:
    size = 0.42 if len(piece.text) == 1 else 0.62 / len(piece.text)
    ink = "#222" if piece.colour in ("white", "yellow") else "#fff"
    return _words(piece.text, 0, 0, f"{size:.3g}", ink, **{"font-weight": 700, "stroke": "none"})


def _words(text: str, x: float, y: float, size: str, fill: str = WORDS, **more: object) -> Element:
    at = {"x": f"{x:g}", "y": f"{y:g}", "font-size": size, "fill": fill}
    middle = {"text-anchor": "middle", "dominant-baseline": "central"}
    return element("text", {**at, **middle, **more}, text)
