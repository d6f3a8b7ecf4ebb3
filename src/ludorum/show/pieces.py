"""How a page draws the contents of a board: shapes and colours read from the words of the facts.

Rule sheets name pieces as people do (``white knight``, ``wn``, ``red``, ``x``, the role that owns them), and
nothing else is known. A content without such words is drawn as a tile with its mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from .marks import empty_contents

COLOURS = {
    "white": "white", "black": "black", "red": "red", "blue": "blue", "green": "green", "yellow": "yellow",
    "orange": "orange", "purple": "purple", "violet": "purple", "magenta": "pink", "pink": "pink",
    "teal": "teal", "cyan": "teal", "brown": "brown", "grey": "grey", "gray": "grey", "gold": "yellow",
    "silver": "grey",
}  # fmt: skip
"""Words for colours, and the colours that the page's style sheet has."""
PALETTE = ("blue", "red", "green", "orange", "purple", "teal", "brown", "pink")
"""Colours for roles whose names are no colours, in their order."""
CHANCE = "random"
"""The role of nature, by the rules of GDL-II: it has no colour."""
CHESSMEN = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
PLAIN_MEN = frozenset({"man", "men", "piece", "stone", "disc", "disk", "checker", "token", "peg", "pawn"})
BLOCKS = frozenset({"wall", "arrow", "block", "blocked", "obstacle", "hedge", "bush"})

_CODED_MAN = re.compile(r"([wb])([kqrbnp])")


@dataclass(frozen=True)
class Piece:
    """One way to draw a content."""

    shape: str
    """king, queen, rook, bishop, knight, pawn, disc, crown, cross, ring, block or tile."""
    colour: str
    text: str = ""
    """The text on it."""


def role_colours(roles: Sequence[str]) -> list[str]:
    """A colour for each role; roles named by colours have theirs, if all are different."""
    named = [next((COLOURS[word] for word in _words(role) if word in COLOURS), None) for role in roles]
    free = [colour for colour in PALETTE if colour not in named]
    spare = cycle(free or PALETTE)
    return [
        "grey" if role == CHANCE
        else colour if colour and colour not in named[:at]
        else next(spare)
        for at, (role, colour) in enumerate(zip(roles, named, strict=True))
    ]  # fmt: skip


def make_pieces(marks: Mapping[str, str], roles: Sequence[str]) -> dict[str, Piece]:
    """How each content of a board is drawn, by its words, its mark and the roles; empty contents are not."""
    colours = dict(zip(roles, role_colours(roles), strict=True))
    empty = empty_contents(marks)
    sides = colours | _by_first_part(colours, empty)
    full = [content for content in marks if content not in empty]
    men = _coded_men(full) or {content: _side_and_kind(content, sides) for content in full}
    kinds = {kind for _, kind in men.values()}
    chess = len(kinds & set(CHESSMEN.values())) > 1
    return {
        content: _piece(side, kind, marks[content], chess, PALETTE[at % len(PALETTE)])
        for at, (content, (side, kind)) in enumerate(men.items())
    }


def _piece(side: str, kind: str, mark: str, chess: bool, spare: str) -> Piece:
    colour = side or spare
    if kind in ("x", "o"):
        return Piece("cross" if kind == "x" else "ring", colour)
    if chess and kind in CHESSMEN.values():
        return Piece(kind, colour)
    if kind in BLOCKS:
        return Piece("block", side or "grey")
    if kind == "king" and side:
        return Piece("crown", colour)
    if kind in PLAIN_MEN or (side and not kind):
        return Piece("disc", colour)
    if side:
        return Piece("disc", colour, kind if kind.isdigit() else mark)
    return Piece("tile", "grey" if mark.isdigit() else colour, mark)


def _side_and_kind(content: str, sides: Mapping[str, str]) -> tuple[str, str]:
    """The colour of the owner of a content, as far as its words tell, and the other words."""
    if content in sides and _bare(content) in ("x", "o"):
        return sides[content], _bare(content)
    words = _words(content)
    for word in (content, *words):
        colour = sides.get(word) or COLOURS.get(word)
        if colour:
            rest = [other for other in words if other != word] if word != content else []
            return colour, " ".join(rest)
    return "", content


def _by_first_part(colours: Mapping[str, str], empty: frozenset[str]) -> dict[str, str]:
    """Other names of roles: ``x`` for ``xplayer``, ``w`` for ``wolf``, where no two would share one."""
    short: dict[str, list[str]] = {}
    for role, colour in colours.items():
        for name in {_bare(role), role[:1]} - {role, ""} - empty:
            short.setdefault(name, []).append(colour)
    return {name: found[0] for name, found in short.items() if len(found) == 1}


def _bare(role: str) -> str:
    return role.removesuffix("player").rstrip("_")


def _coded_men(contents: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Chessmen written ``wp`` and ``bn``; empty where that does not explain the pieces."""
    found = {}
    for content in contents:
        coded = _CODED_MAN.fullmatch(content)
        found[content] = ("", content)
        if coded:
            found[content] = ("white" if coded[1] == "w" else "black", CHESSMEN[coded[2]])
    return found if len({kind for side, kind in found.values() if side}) > 2 else {}


def _words(content: str) -> list[str]:
    return [word for word in re.split(r"[\s_]+", content) if word]
