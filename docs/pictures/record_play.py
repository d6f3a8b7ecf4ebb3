"""A recording of a game in play, as an SVG that moves by itself: `python -m docs.pictures.record_play`.

A person plays connect four at the real screen against a player that is bound to few playouts; a stronger
player chooses the person's moves, and all of it follows from seeds. After each move the screen is kept, as
Textual draws it, and the pictures are shown one after the other.
"""

from __future__ import annotations

import re
from pathlib import Path

from ludorum.arena.table.table import Phase
from ludorum.engine.load import load_game
from ludorum.players import make_player, position_of
from tests.cli.screens import Person, at_the_screen
from tests.corpus_location import ROOT

FILE = ROOT / "docs" / "images" / "playing.svg"
GAME, OPPONENT, ADVISER = "connect_four", "mcts:playouts=60", "mcts:playouts=20000"
SECONDS_A_PICTURE = 1.5
LONGER_AT_THE_END = 3
"""So many times as long the last picture stays."""

STYLE_RULE = re.compile(r"\.[\w-]+-(r\d+) \{ (.*?) \}")
MATRIX = re.compile(r'<g class="[\w-]+-matrix">\n(.*?)\n\s*</g>', re.DOTALL)
WINDOW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
PLACE = re.compile(r'<g transform="translate\((\d+), (\d+)\)" clip-path="url\(#[\w-]+-clip-terminal\)">')
BACKGROUND = re.compile(r'<rect fill="(#\w+)" stroke=')
EMPTY = re.compile(r"<text[^>]*>\s*</text>")
PART = re.compile(r"<(?:rect|text).*?(?:/>|</text>)", re.DOTALL)


def record(game: str = GAME) -> list[str]:
    """The screen as SVG: at the start, after each move and its reply, and at the end."""
    pictures: list[str] = []
    adviser = make_player(ADVISER, seed=1)

    async def play(person: Person) -> None:
        while person.phase() is not Phase.OVER:
            pictures.append(person.app.export_screenshot(title=f"ludorum play {game}"))
            table = person.table
            assert table.role is not None
            move = adviser.choose(position_of(table.match.state, table.role), 60.0)
            await person.type(str(move).strip("()"))
            await person.press("enter")
        pictures.append(person.app.export_screenshot(title=f"ludorum play {game}"))

    loaded = load_game(game, "compiled")
    at_the_screen(loaded, str(loaded.roles[0]), play, player=OPPONENT, seconds=60.0, seed=1, colours=True)
    return pictures


def parts_of(picture: str) -> list[str]:
    """The coloured rectangles and words of a picture, each with its own style and no names."""
    styles = dict(STYLE_RULE.findall(picture))
    matrix = MATRIX.search(picture)
    place = PLACE.search(picture)
    assert matrix, "Textual draws its screens differently now"
    assert place, "Textual draws its screens differently now"
    # Backgrounds stand before the matrix's words, in the same group.
    inside = picture[place.end() : matrix.end()]
    inside = re.sub(r' clip-path="[^"]*"', "", inside)
    inside = re.sub(r'class="[\w-]+-(r\d+)"', lambda name: f'style="{styles[name[1]]}"', inside)
    return [part for part in PART.findall(inside) if not EMPTY.fullmatch(part)]


def animated(pictures: list[str]) -> str:
    """One SVG that shows pictures in turn, and the last of them where nothing may move.

    Parts that stand in the same pictures are one group: a disc is written once, however long it lies there.
    """
    shown: dict[str, list[int]] = {}
    for number, picture in enumerate(pictures):
        for part in dict.fromkeys(parts_of(picture)):
            shown.setdefault(part, []).append(number)
    groups: dict[tuple[int, ...], list[str]] = {}
    for part, numbers in shown.items():
        groups.setdefault(tuple(numbers), []).append(part)
    named = {numbers: f"f{index}" for index, numbers in enumerate(groups)}
    rules = [_rule(name, set(numbers), len(pictures)) for numbers, name in named.items()]
    layers = [
        _group(named[numbers], [part for part in parts if part.startswith(kind)])
        for kind in ("<rect", "<text")
        for numbers, parts in groups.items()
    ]
    return _framed(pictures[-1], "\n".join(rules), layers)


def _rule(name: str, numbers: set[int], pictures: int) -> str:
    """When a group is seen: in the pictures of these numbers."""
    beats = pictures - 1 + LONGER_AT_THE_END
    steps = [
        f"{100 * number / beats:.3f}% {{ visibility: {'visible' if number in numbers else 'hidden'} }}"
        for number in range(pictures)
        if number == 0 or (number in numbers) != (number - 1 in numbers)
    ]
    at_last = "visible" if pictures - 1 in numbers else "hidden"
    seconds = beats * SECONDS_A_PICTURE
    return (
        f"@keyframes {name} {{ {' '.join(steps)} 100% {{ visibility: {at_last} }} }}\n"
        f".{name} {{ visibility: {at_last}; animation: {name} {seconds:g}s step-end infinite }}"
    )


def _group(name: str, parts: list[str]) -> str:
    return "\n".join([f'<g class="{name}">', *parts, "</g>"]) if parts else ""


def _framed(picture: str, rules: str, parts: list[str]) -> str:
    window, place, background = WINDOW.search(picture), PLACE.search(picture), BACKGROUND.search(picture)
    assert window, "Textual draws its screens differently now"
    assert place, "Textual draws its screens differently now"
    assert background, "Textual draws its screens differently now"
    width, height = window.groups()
    title = f"ludorum play {GAME}"
    lines = [
        f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">',
        f"<title>A game of {GAME.replace('_', ' ')} in the terminal</title>",
        "<style>",
        "text { font-family: monospace; font-size: 20px; white-space: pre }",
        rules,
        "@media (prefers-reduced-motion: reduce) { g { animation: none !important } }",
        "</style>",
        f'<rect fill="{background[1]}" width="{width}" height="{height}" rx="8"/>',
        f'<text x="{float(width) / 2:g}" y="27" text-anchor="middle" fill="#9a9d9b">$ {title}</text>',
        f'<g transform="translate({place[1]}, {place[2]})">',
        *filter(None, parts),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def write(file: Path = FILE) -> None:
    """Draw the recording anew."""
    file.write_text(animated(record()), encoding="utf-8")


if __name__ == "__main__":
    write()
