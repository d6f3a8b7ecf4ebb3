"""The texts of the screen: its title, its status, and how the list of moves was narrowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.style import Style
from rich.text import Text

from ...arena.table.table import Phase, Table
from ...arena.table.thinking import Thinking
from ...arena.table.typed_moves import Writings, near_moves
from ...rules.terms import Term
from ...show.grid import Place
from ..sight_text import question_of
from .pace import Pace

PLAY_KEYS = "F1 help F2 hint F3 undo F4 new F5 role F6 resign F7 watch F10 quit F12 rules"
WATCH_KEYS = "F1 help  Space pause  N step  + - speed  U back  F5 role  F10 quit  F12 rules"


def title_words(table: Table, styles: Mapping[Term, Style]) -> Text:
    """The game, the players of its roles, and the seed that repeats this match."""

    def named(role: Term) -> Text:
        return Text(str(role), styles.get(role, ""))

    parts = [Text(table.game.name)]
    parts.append(
        Text.assemble("you are ", named(table.role)) if table.role is not None else Text("you watch")
    )
    others = [Text.assemble(named(role), f": {name}") for role, name in table.names.items()]
    parts += [Text(", ").join(others)] if others else []
    parts.append(Text(f"seed {table.match.seed}"))
    return Text(" | ").join(parts)


def status_words(
    table: Table, hinting: Thinking | None, pace: Pace, writings: Writings, has_board: bool
) -> str:
    """What the table waits for."""
    thinking = hinting or table.thinking
    if thinking is not None and thinking.who is not None:
        who = "The adviser" if thinking is hinting else f"{thinking.who}"
        return f"{who} thinks, {thinking.elapsed:.1f} of {thinking.limit:g} s. F9: move now"
    if table.is_finished:
        return table.result() + ". F4: new match"
    if table.role is None:
        return str(pace)
    return _asked(table, writings, has_board) if table.phase is Phase.CHOICE else ""


def _asked(table: Table, writings: Writings, has_board: bool) -> str:
    question = question_of(table)
    if question:
        return question
    if any(table.role in step.chosen for step in table.steps(8)):
        return f"Your move, {table.role}."
    such = example(table.legal, writings)
    other = "or click on the board" if has_board else "or choose from the list"
    return f"Your move, {table.role}. Type it, for instance {such}; {other}."


def example(legal: Sequence[Term], writings: Writings) -> str:
    """A move as short as people type it."""
    written = writings(legal[len(legal) // 2])
    return written[-1] if written[-1].isascii() else written[0]


def filter_words(
    typed: str, shown: Sequence[Term], legal: Sequence[Term], places: Iterable[Place], writings: Writings
) -> str:
    """How many moves are left, and why; suggestions where none is."""
    found = f"{len(shown)} of {len(legal)}" if len(shown) != len(legal) else f"{len(legal)}"
    at = "".join(f" at {' '.join(place)}" for place in places)
    lines = [f"{found} moves{at}: {typed}_"]
    if not shown:
        lines += ["no such move here", *(f"near: {writings(move)[0]}" for move in near_moves(typed, legal))]
    return "\n".join(lines)
