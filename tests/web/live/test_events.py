"""Events are written as JSON and read back, each kind with all that it may hold."""

from __future__ import annotations

import json

import pytest

from ludorum.web.live.events import (
    Advance,
    Answered,
    Began,
    Chatted,
    Created,
    End,
    Ended,
    MatchEvent,
    Moved,
    Offered,
    Premoved,
    Rematched,
    Reopened,
    Seated,
    event_from_json,
)
from tests.web.live.hubs import TWO, plan_of

ADVANCE = Advance((("(mark 1 1)", "noop"), ("noop", "(mark 2 2)")), ("xplayer",))
END = End("rules", {"xplayer": 100, "oplayer": 0})


@pytest.mark.parametrize(
    "event",
    [
        Created(1.5, plan_of("tictactoe", TWO, base=60.0)),
        Created(1.5, plan_of("tictactoe", TWO)),
        Seated(2.0, "oplayer", "u:bob", "bob"),
        Began(3.0, ADVANCE),
        Began(3.0, Advance((), (), END)),
        Moved(4.0, "xplayer", "(mark 1 1)"),
        Moved(4.0, "xplayer", "(mark 1 1)", ADVANCE, "was late: a legal move was made for it", 1.25),
        Premoved(5.0, "xplayer", "noop"),
        Premoved(5.0, "xplayer", None),
        Offered(6.0, "xplayer", "draw"),
        Offered(6.0, "xplayer", "rematch", swap=True),
        Answered(7.0, "oplayer", "takeback", accept=False),
        Ended(8.0, End("resigned", {"xplayer": 0, "oplayer": 100}, "xplayer")),
        Ended(8.0, End("failed", None, None, "the rules could not be evaluated")),
        Rematched(9.0, "m2"),
        Chatted(10.0, "ann", "good luck ♥"),
        Reopened(11.0),
    ],
    ids=lambda event: event.kind,
)
def test_an_event_is_the_same_after_it_was_written(event: MatchEvent) -> None:
    assert event_from_json(json.loads(json.dumps(event.as_json()))) == event


def test_an_unknown_kind_is_no_event() -> None:
    with pytest.raises(ValueError, match="no events of the kind 'danced'"):
        event_from_json({"kind": "danced", "at": 0.0})
