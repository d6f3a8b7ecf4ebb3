"""A recorded realtime match as the data of a page: the position after every move, and the last one.

Matches of rounds are those of ``replay_data.py``; the fields are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..arena.world.as_game import RealtimeGame
from ..arena.world.record import MadeMoves, WorldRecord
from ..rules.kif import parse_term
from ..rules.terms import Term
from ..scene import to_json
from ..scene.realtime import RealtimeScenes
from .replay_data import EVERYTHING, MatchData, MoveData, RoleData, StepData, caption_of, label_of
from .replay_realtime import Happening, WorldReel, name_of, reel_of, result_text

Fault = tuple[int, str, str]
"""After how many events of the record, the role, and what was wrong."""


def realtime_data(
    record: WorldRecord, game: RealtimeGame, names: Sequence[str], faults: Sequence[Fault] = ()
) -> MatchData:
    """The match as one sees it from whom nothing is hidden; WorldRecordError where rules do not allow it.

    ``names``: the players, by role.
    """
    reel = reel_of(record, game.master)
    moves = [one for one in reel.happenings if isinstance(one.event, MadeMoves)]
    title = label_of(name_of(record))
    roles = list(_roles(record, names))
    return {
        "id": record.match_id,
        "title": title,
        "caption": caption_of(title, roles),
        "result": result_text(reel),
        "roles": roles,
        "views": [
            {
                "role": None,
                "words": EVERYTHING,
                "moves": list(_lines(RealtimeScenes(game), moves)),
                "steps": _steps(reel, game, moves, faults),
            }
        ],
    }


def _roles(record: WorldRecord, names: Sequence[str]) -> Iterator[RoleData]:
    for role, name in zip(record.roles, names, strict=True):
        values = (record.goals or {}).get(role, [])
        goal = int(values[0]) if len(values) == 1 and values[0].isdecimal() else None
        yield {"role": role, "label": label_of(role), "name": name, "goal": goal}


def _lines(scenes: RealtimeScenes, moves: Sequence[Happening]) -> Iterator[MoveData]:
    for number, one in enumerate(moves, 1):
        if words := scenes.words(*_made(one), None, is_over=True):
            yield {"first": number, "step": number, "words": words}


def _steps(
    reel: WorldReel, game: RealtimeGame, moves: Sequence[Happening], faults: Sequence[Fault]
) -> list[StepData]:
    """The start, the position after each move, and the last one where the clock has changed it since."""
    scenes = RealtimeScenes(game)
    first = game.master.initial()
    shown = [(scenes.scene(first, None, None, None, is_over=True), 0)]
    for one in moves:
        assert one.after is not None
        shown.append((scenes.scene(one.after, one.before, _made(one), None, is_over=True), one.at))
    last = moves[-1].after if moves else first
    if reel.last is not None and last is not None and reel.last.facts != last.facts:
        shown.append((scenes.scene(reel.last, None, None, None, is_over=True), reel.ticks))
    noted: dict[int, list[tuple[str, str]]] = {}
    for events, role, text in faults:
        noted.setdefault(_moves_before(reel.record, events), []).append((role, text))
    return [
        {
            "scene": to_json(scene),
            "faults": noted.get(number, []),
            "told": [],
            "milliseconds": round(1000 * (reel.seconds(ticks) or 0)),
        }
        for number, (scene, ticks) in enumerate(shown)
    ]


def _made(one: Happening) -> tuple[Term, Term]:
    """Who moved, and how."""
    assert isinstance(one.event, MadeMoves)
    (move,) = one.event.moves
    return parse_term(move.role), parse_term(move.made)


def _moves_before(record: WorldRecord, events: int) -> int:
    """How many moves are among the first events."""
    return sum(isinstance(event, MadeMoves) for event in record.events[:events])
