"""What the screen says in words: its title, what it waits for, and how the list of moves was narrowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...arena.table.table import Phase, Table
from ...arena.table.thinking import Thinking
from ...arena.table.typed_moves import near_moves
from ...rules.terms import Term
from ...show.grid import Place
from .pace import Pace

PLAY_KEYS = "F1 help F2 hint F3 undo F4 new F5 role F6 resign F7 watch F8 save F10 quit"
WATCH_KEYS = "F1 help  Space pause  N step  + - speed  U back  F5 role  F8 save  F10 quit"


def title_words(table: Table) -> str:
    you = f"you are {table.role}" if table.role is not None else "you watch"
    others = ", ".join(f"{role}: {name}" for role, name in table.names.items())
    return " | ".join(filter(None, (table.game.name, you, f"move {len(table.match.moves) + 1}", others)))


def status_words(table: Table, hinting: Thinking | None, pace: Pace) -> str:
    """What the table waits for."""
    thinking = hinting or table.thinking
    if thinking is not None and thinking.who is not None:
        who = "The adviser" if thinking is hinting else f"{thinking.who}"
        return f"{who} thinks, {thinking.elapsed:.1f} of {thinking.limit:g} s. F9: move now"
    if table.is_finished:
        return table.result() + ". F4: new match"
    if table.role is None:
        return str(pace)
    return f"Your move, {table.role}." if table.phase is Phase.CHOICE else ""


def filter_words(typed: str, shown: Sequence[Term], legal: Sequence[Term], places: Iterable[Place]) -> str:
    """How many moves are left, and why; what may have been meant where none is."""
    found = f"{len(shown)} of {len(legal)}" if len(shown) != len(legal) else f"{len(legal)}"
    at = "".join(f" at {' '.join(place)}" for place in places)
    lines = [f"{found} moves{at}: {typed}_"]
    if not shown:
        lines += ["no such move here", *(f"near: {move}" for move in near_moves(typed, legal))]
    return "\n".join(lines)
