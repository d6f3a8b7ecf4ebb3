"""How a match is cut into the rows of a store, and put together again: a head, a row a state, an end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from ...engine.game import format_facts
from ...rules.terms import format_term, sort_key
from ..match.match import Match, said
from .spectator import PublishedMatch, goals_json, published_json

Json: TypeAlias = dict[str, object]

GROWING = frozenset({"states", "moves", "stateTimes", "errors", "x-percepts", "x-replies"})
ENDING = frozenset({"isCompleted", "isAborted", "goalValues", "x-goals", "x-terminal"})
BY_STATE = {"states": "state", "stateTimes": "time", "errors": "errors"}
"""Lists with an entry for each state, and the entry's name in a row …"""
BY_MOVE = {"moves": "move", "x-percepts": "percepts"}
"""… and those that begin with the second one."""

OVER = "over"
"""Marks the row of a final state, which is written together with the end."""


def head_of(match: PublishedMatch) -> Json:
    """The fields that are known when a match begins and never change."""
    data = published_json(replace(match, public_key=None, signature=None))
    return {key: value for key, value in data.items() if key not in GROWING | ENDING}


def end_of(match: PublishedMatch | Match) -> Json | None:
    """The fields that are known when a match is over; None before."""
    if isinstance(match, Match):
        if not match.is_over:
            return None
        return {"isCompleted": True, **goals_json(match.goals)}
    if not match.completed and not match.aborted:
        return None
    data = published_json(match)
    return {key: data[key] for key in ENDING if data.get(key)}


def steps_of(match: PublishedMatch | Match) -> Sequence[Json]:
    """The rows of all states, one each; those of a match that is being played are computed when asked for."""
    return _LiveSteps(match) if isinstance(match, Match) else _published_steps(published_json(match))


def _published_steps(data: Json) -> list[Json]:
    lists = {key: rows for key in GROWING if isinstance(rows := data.get(key), list)}
    steps: list[Json] = []
    for at in range(len(lists["states"])):
        step: Json = {name: lists[key][at] for key, name in BY_STATE.items() if key in lists}
        if "x-replies" in lists:
            step["replies"] = lists["x-replies"][at]
        if at:
            step |= {name: lists[key][at - 1] for key, name in BY_MOVE.items() if key in lists}
        steps.append(step)
    if data.get("isCompleted"):
        steps[-1][OVER] = True
    return steps


class _LiveSteps(Sequence[Json]):
    """The states of a match: computed one by one, since long matches are stored after every step."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def __len__(self) -> int:
        return len(self._match.states)

    def __getitem__(self, at: int | slice) -> Json:  # type: ignore[override]
        assert isinstance(at, int)
        match = self._match
        state, roles = match.states[at], match.game.roles
        step: Json = {
            "state": format_facts(state.facts()),
            "time": match.times[at],
            "errors": list(match.errors_at(at)),
            "replies": [
                None if (reply := match.replies[at].get(role)) is None
                else {"text": (one := said(reply)).text, "ms": one.milliseconds}
                for role in roles
            ],
        }  # fmt: skip
        if at:
            step["move"] = [format_term(move) for move in match.moves[at - 1]]
            step["percepts"] = [
                [format_term(term) for term in sorted(state.percepts(role), key=sort_key)] for role in roles
            ]
        if state.is_terminal:
            step[OVER] = True
        return step


def whole(head: str, steps: list[str], end: str | None) -> str:
    """The JSON text of the match in these rows."""
    rows = [json.loads(step) for step in steps]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("a row is no JSON object")
    if OVER in rows[-1] and end is None:
        raise ValueError("the match was over, but its end is missing")
    lists: Json = {key: [row[name] for row in rows] for key, name in BY_STATE.items() if name in rows[0]}
    lists |= _replies(rows)
    for key, name in BY_MOVE.items():
        if len(rows) > 1 and name in rows[1]:
            lists[key] = [row[name] for row in rows[1:]]
    ending: Json = {"isCompleted": False, "isAborted": False} | (json.loads(end) if end else {})
    if not ending["isCompleted"]:
        ending.setdefault("x-terminal", False)
    return json.dumps({"moves": []} | json.loads(head) | lists | ending)


def _replies(rows: list[Json]) -> Json:
    """The answers of players, if any was ever asked; the first states may be older than the first
    question."""
    given = [replies for row in rows if isinstance(replies := row.get("replies"), list)]
    if not any(any(replies) for replies in given):
        return {}
    return {"x-replies": [row.get("replies") or [None] * len(given[0]) for row in rows]}


def text_of(data: Json) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))
