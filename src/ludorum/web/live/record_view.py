"""The record of a live match, as far as its viewer may see it: all of it when the match is over.

While the match runs the record never has the seed, which tells what nature will draw. Where the rules hide
something a role has its own moves and percepts, and a spectator nothing but the names; neither has times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from ...arena.match.clocks import Clocks
from ...arena.match.match import Match
from ...arena.records.role_view import role_view
from ...arena.records.spectator import PublishedMatch, publish, published_json
from ...engine.game import format_facts
from ...rules.terms import Term, format_term
from .plan import Json


class About(TypedDict):
    """What the rules do not know of a match."""

    match: str
    times: Sequence[int]
    """Milliseconds since 1970 at which each state was reached."""
    names: dict[str, str]
    """The name of each role's person or player."""
    people: Sequence[str]
    """Roles that people play."""
    think: float
    end: Json | None
    """How the match has ended; None while it runs."""


def record_of(match: Match, viewer: Term | None, about: About) -> Json:
    """The record of a match for a role, or for a spectator."""
    published = _published(match, about)
    game = match.game
    if about["end"] is not None or game.info.is_open:
        return published_json(published)
    record = published.record
    view = role_view(published, game, viewer or game.roles[0])
    first = replace(record, states=record.states[:1], moves=(), percepts=(), errors=(), replies=())
    data = published_json(replace(published, record=replace(first, terminal=None)))
    shown = view.moves if viewer is not None else [(None,) * len(game.roles) for _ in record.moves]
    return data | {
        "states": [format_facts(record.states[0] or ())] + [None] * len(record.moves),
        "moves": [[None if move is None else format_term(move) for move in joint] for joint in shown],
        # When others have moved tells who had a choice, and how hard it was.
        "stateTimes": [*record.times[:1], *(None for _ in record.moves)],
        "x-sight": None if viewer is None else format_term(viewer),
        "x-told": [] if viewer is None else [list(map(format_term, told)) for told in view.percepts],
        "x-terminal": False,
    }


def _published(match: Match, about: About) -> PublishedMatch:
    record = replace(match.record("ludorum serve"), match_id=about["match"], times=tuple(about["times"]))
    if about["end"] is None:
        record = replace(record, seed=None)
    names = tuple(about["names"].get(format_term(role), "random") for role in match.game.roles)
    found = publish(
        record,
        Clocks(0, about["think"]),
        names,
        rules=match.game,
        aborted=about["end"] is not None,
    )
    humans = tuple(format_term(role) in about["people"] for role in match.game.roles)
    extra: dict[str, object] = {} if about["end"] is None else {"x-end": about["end"]}
    return replace(found, humans=humans, extra=extra)
