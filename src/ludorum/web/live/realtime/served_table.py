"""A table in a process of its own, as it is asked there: values come and go as JSON.

The other side is ``AwayTable``.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ....arena.protocol.realtime_messages import Happened
from ....arena.world.realtime_match import Told
from ....rules.kif import parse_term
from ....rules.terms import format_term
from ..plan import GameText, Json
from .table import PlayedTable
from .worlds import check_world, read_world


class ServedTable:
    """Answers for one match."""

    def __init__(self, text: GameText, match_id: str, seed: int, events: list[Json]) -> None:
        if not text.is_trusted:
            check_world(text)
        self._world = read_world(text)
        self._table = PlayedTable(self._world, match_id, seed, events)

    def about(self) -> Json:
        """What is known of the game."""
        return asdict(self._world.about())

    def begin(self, start_clock: float, seconds: float) -> Json:
        """The rules that each role is told."""
        starts = self._table.begin(start_clock, seconds)
        return self._with_progress({"rules": {name: start.rules for name, start in starts.items()}})

    def act(self, role: str, move: str) -> Json:
        """What each role is told of a move."""
        told = self._table.act(parse_term(role), parse_term(move))
        return self._with_progress({"happened": _happened([told])})

    def tick(self) -> Json:
        """A signal of the clock, and what each role is told of moves that it makes."""
        return self._with_progress({"happened": _happened(self._table.tick())})

    def sent_rules(self) -> Json:
        """The words that stand for names of the game, and the text for each role."""
        sent = self._table.sent_rules()
        return {name: {"words": one.words.words, "text": one.text} for name, one in sent.items()}

    def portrait(self, role: str | None, is_over: bool) -> Json:
        return self._with_progress({"portrait": self._table.portrait(role, is_over)})

    def at_step(self, step: int, role: str | None, is_over: bool) -> Json:
        return self._table.at_step(step, role, is_over)

    def record(self, events: list[Json], has_goals: bool) -> list[Json]:
        return self._table.record(events, has_goals)

    def _with_progress(self, answer: dict[str, Any]) -> Json:
        return answer | {"progress": asdict(self._table.progress), "events": self._table.take_events()}


def _happened(told: list[Told]) -> list[Json]:
    """The moves that were made: the role of each, and what each role is told of it."""
    found = []
    for views in told:
        seen = {role: view for role, view in views.items() if isinstance(view, Happened)}
        for first in list(seen.values())[:1]:
            moves = {format_term(role): format_term(view.move) for role, view in seen.items()}
            found.append({"player": format_term(first.player), "seen": moves, "is_last": first.is_last})
    return found
