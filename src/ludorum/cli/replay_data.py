"""A recorded match as the data of a page: the scenes of every step, for each viewer that may be chosen.

``frontend/src/recorded/`` draws them; the names of the fields are those of its types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from ..engine.game import Game, State
from ..rules.terms import Term, format_term
from ..scene import StepLines, Watcher, scene_of, to_json
from ..scene.recorded import follows_rules, recorded_states
from ..scene.step_words import percept_words
from ..show.pieces import CHANCE
from .replay_frames import Frame, Reel

EVERYTHING = "everything"
"""The words for the view of one from whom nothing is hidden."""


class MoveData(TypedDict):
    """A line of the list of moves."""

    first: int
    step: int
    words: str


class StepData(TypedDict):
    """A position, and what is noted of the step to it beside the moves."""

    scene: dict[str, Any]
    faults: list[tuple[str, str]]
    told: list[tuple[str, str]]
    milliseconds: int | None


class ViewData(TypedDict):
    """What one viewer saw of the match."""

    role: str | None
    words: str
    moves: list[MoveData]
    steps: list[StepData]


class RoleData(TypedDict):
    """A player; nature is none."""

    role: str
    label: str
    name: str
    goal: int | None


class MatchData(TypedDict):
    """The whole match."""

    id: str
    title: str
    caption: str
    result: str
    roles: list[RoleData]
    views: list[ViewData]


def match_data(reel: Reel, only_first: bool = False) -> MatchData:
    """The match with all views that may be chosen; of a reel as a role may see it only that role's.

    ``only_first``: without those of players beside that of everything. ValueError where it cannot be told
    what the role saw, because the match breaks the rules.
    """
    states = recorded_states(reel.match.record, reel.game)
    viewers = _viewers(reel, states)[: 1 if only_first else None]
    roles = _roles(reel)
    return {
        "id": reel.match.record.match_id,
        "title": heading(reel),
        "caption": caption_of(heading(reel), roles),
        "result": reel.result,
        "roles": roles,
        "views": [_view(reel, states, role) for role in viewers],
    }


def heading(reel: Reel) -> str:
    """The name of the game as people write it, and whose view this is."""
    name = reel.match.game_name or reel.match.record.game or "match"
    return label_of(name) + (f" (as {reel.sight_of} may see it)" if reel.sight_of else "")


def label_of(name: str) -> str:
    """A name of a rule sheet as people write it."""
    return name.replace("_", " ")


def _roles(reel: Reel) -> list[RoleData]:
    goals = dict(reel.goals)
    names = reel.match.player_names or ()
    return [
        {
            "role": role,
            "label": label_of(role),
            "name": names[at] if at < len(names) else "",
            "goal": int(goals[role]) if goals.get(role, "").isdecimal() else None,
        }
        for at, role in enumerate(reel.roles)
        if role != CHANCE
    ]


def caption_of(title: str, roles: Sequence[RoleData]) -> str:
    """The match in one line: ``chess: mcts 100, random 0``."""
    parts = [role["name"] or role["label"] for role in roles]
    goals = ["" if role["goal"] is None else f" {role['goal']}" for role in roles]
    return f"{title}: {', '.join(map(str.__add__, parts, goals))}"


def _viewers(reel: Reel, states: Sequence[State]) -> list[Term | None]:
    """Those whose views of the match can be shown; None is one from whom nothing is hidden."""
    game = reel.game
    if game is None or game.info.is_open or reel.sight_of == CHANCE:
        return [None]
    if follows_rules(states):
        return [game.role(reel.sight_of)] if reel.sight_of else [None, *game.info.players]
    if reel.sight_of:
        raise ValueError(
            f"the record breaks the rules, so what {reel.sight_of} saw cannot be told: "
            "--check with --game says where"
        )
    return [None]


def _view(reel: Reel, states: Sequence[State], role: Term | None) -> ViewData:
    """What one viewer saw of the match. In a role's view not even the end tells what was hidden from it."""
    game = states[0].game
    watcher = Watcher(game, role, opens_at_end=False)
    lines = StepLines(game, role).lines(states, is_open=role is None)
    name = None if role is None else format_term(role)
    return {
        "role": name,
        "words": EVERYTHING if name is None else f"what {label_of(name)} knew",
        "moves": [{"first": line.first, "step": line.step, "words": line.words} for line in lines],
        "steps": [
            {
                "scene": to_json(scene_of(game, watcher.sight(states[: at + 1], role is None))),
                "faults": [(who, text) for who, text in frame.errors if name in (None, who)],
                # What a role was told is part of the scenes that it saw.
                "told": _told(game, frame) if name is None else [],
                "milliseconds": frame.milliseconds,
            }
            for at, frame in enumerate(reel.frames)
        ],
    }


def _told(game: Game, frame: Frame) -> list[tuple[str, str]]:
    """What each role was told, in words; at cards all of it happened at the table."""
    if frame.cards is not None:
        return []
    return [(role, ", ".join(percept_words(game, one) for one in seen)) for role, seen in frame.percepts]


def moves_of(match: MatchData) -> list[tuple[MoveData, list[tuple[str, str]]]]:
    """The lines of the first view with the faults of their steps; one between them has a line of its own."""
    view = match["views"][0]
    faults = {at: step["faults"] for at, step in enumerate(view["steps"]) if step["faults"]}
    found = [
        (line, [fault for at in range(line["first"], line["step"] + 1) for fault in faults.pop(at, [])])
        for line in view["moves"]
    ]
    found += [({"first": at, "step": at, "words": ""}, noted) for at, noted in faults.items()]
    return sorted(found, key=lambda one: one[0]["step"])
