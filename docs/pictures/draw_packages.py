"""The picture of docs/architecture.md, from the imports as they are: `python -m docs.pictures.draw_packages`.

Packages stand in the layers of the import contract. An arrow means that the upper package imports the lower
one; arrows that follow from others (cli imports arena, arena imports rules) are left out.
"""

from __future__ import annotations

import ast
import re
import tomllib
from html import escape
from pathlib import Path

from tests.corpus_location import ROOT

FILE = ROOT / "docs" / "images" / "packages.svg"
SOURCE = ROOT / "src" / "ludorum"
WORDS = {
    "cli": "the command line and its screens",
    "web": "the web application",
    "api": "the names for users of Python",
    "scene": "what viewers see, as plain values",
    "show": "boards and pieces as text and SVG",
    "pages": "HTML of reports and replays",
    "experiments": "measurements, not in the wheel",
    "arena": "matches, records, tournaments",
    "players": "named ways to choose a move",
    "solve": "plans, proofs, exact values, repair",
    "cards": "card games from flow charts",
    "search": "tree searches",
    "evaluate": "features, learned weights",
    "knowledge": "states that agree with percepts",
    "engine": "Game and State: running rules",
    "asp": "rules as logic programs for clingo",
    "rules": "reading, checking, rewriting",
    "_core": "C++ kernels",
    "_paths": "where files lie",
    "processes": "processes that can be ended",
}
BOX, HEIGHT, GAP, STEP, MARGIN = 250, 54, 40, 104, 85
Edge = tuple[str, str]


def layers() -> list[list[str]]:
    """The layers of the import contract that exist, from people down to kernels."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    named = [re.findall(r"ludorum\.(\w+)", row) for row in rows]
    return [[name for name in row if _exists(name)] for row in named]


def _exists(name: str) -> bool:
    return (SOURCE / name / "__init__.py").exists() or (SOURCE / f"{name}.py").exists()


def imports() -> set[Edge]:
    """Which package imports which, deferred imports and those for types included."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        place = file.relative_to(SOURCE).with_suffix("").parts
        if len(place) == 1 and place[0] not in WORDS:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                target = (*place[: len(place) - node.level], *(node.module or "").split("."))
                names = target if target[0] else [alias.name for alias in node.names]
                found.add((place[0], names[0]))
    return {(one, other) for one, other in found if one != other and {one, other} <= set(WORDS)}


def reduced(edges: set[Edge]) -> set[Edge]:
    """The edges that do not follow from others."""
    below: dict[str, set[str]] = {}

    def all_below(name: str) -> set[str]:
        if name not in below:
            nearest = {other for one, other in edges if one == name}
            below[name] = nearest.union(*map(all_below, nearest))
        return below[name]

    return {
        (one, other)
        for one, other in edges
        if not any(other in all_below(between) for source, between in edges if source == one)
    }


def draw() -> str:
    """The picture as SVG."""
    rows = layers()
    width = 2 * MARGIN + max(map(_width, rows))
    places = {
        name: ((width - _width(row)) // 2 + at * (BOX + GAP), GAP // 2 + number * STEP)
        for number, row in enumerate(rows)
        for at, name in enumerate(row)
    }
    height = GAP + (len(rows) - 1) * STEP + HEIGHT
    lines = [
        f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">',
        "<title>The packages of Ludorum and what they import</title>",
        "<style>text { font-family: sans-serif; fill: #1c2333 } .box { fill: #e8edfb; stroke: #3f51b5 }"
        " path { fill: none; stroke: #5b6785; stroke-width: 1.5 } .tip { fill: #5b6785 }</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"'
        ' orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
        f'<rect width="{width}" height="{height}" rx="8" fill="white"/>',
        *(_arrow(places[one], places[other], width) for one, other in sorted(reduced(imports()))),
        *(_box(name, *place) for name, place in places.items()),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _width(row: list[str]) -> int:
    return len(row) * (BOX + GAP) - GAP


def _box(name: str, left: int, top: int) -> str:
    middle = left + BOX // 2
    return (
        f'<rect class="box" x="{left}" y="{top}" width="{BOX}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{middle}" y="{top + 23}" text-anchor="middle" font-weight="bold">{escape(name)}</text>'
        f'<text x="{middle}" y="{top + 43}" text-anchor="middle" font-size="13">{escape(WORDS[name])}</text>'
    )


def _arrow(source: tuple[int, int], target: tuple[int, int], width: int) -> str:
    """From the lower edge of a box to the upper edge of another, around what lies between."""
    (left, top), (right, bottom) = source, target
    slant = (right - left) // 8
    end = f"{right + BOX // 2 - slant} {bottom - 2}"
    if bottom - top <= STEP:
        return f'<path marker-end="url(#tip)" d="M{left + BOX // 2 + slant} {top + HEIGHT}L{end}"/>'
    # Between two layers first, and then along the side: no box lies on that way.
    start, side = (left + BOX // 8, GAP // 2) if right < left else (left + 7 * BOX // 8, width - GAP // 2)
    bend = f"{side} {top + HEIGHT + GAP // 2} {side} {bottom - STEP}"
    return f'<path marker-end="url(#tip)" d="M{start} {top + HEIGHT}C{bend} {end}"/>'


def write(file: Path = FILE) -> None:
    """Draw the picture anew."""
    file.write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    write()
