"""Players of ours in realtime matches: processes that follow the match, think, and act."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ludorum.arena.protocol.realtime_messages import ClockSignal, Happened, TimeIsUp
from ludorum.arena.world import RealtimeController, ThinkingSeat
from ludorum.arena.world.followed_match import FollowedMatch
from ludorum.rules.kif import parse_term
from ludorum.rules.source import RulesError
from ludorum.rules.terms import Term
from tests.arena.world.test_realtime_match import ANN, BOB, GRAB, grab, match_of
from tests.players.realtime.test_realtime_players import INERT, QUICK_DRAW
from tests.rules.wdl.sheets import DICE

PATIENT = 60.0


async def played(names: tuple[str, str]) -> tuple[dict[str, list[str]] | None, list[str]]:
    match = match_of(QUICK_DRAW)
    controller = RealtimeController(match)
    seats = [ThinkingSeat(name, 1, controller.offer) for name in names]
    ready = await asyncio.gather(
        *(seat.start(match.start(role), PATIENT) for seat, role in zip(seats, (ANN, BOB), strict=True))
    )
    assert ready == [True, True]
    for seat, role in zip(seats, (ANN, BOB), strict=True):
        controller.join(role, seat.send)
    await controller.run()
    for seat in seats:
        seat.close()
    return match.record.goals, [seat.trouble for seat in seats]


@pytest.mark.long
def test_a_player_thinks_in_its_own_process_and_acts_when_that_pays() -> None:
    goals, trouble = asyncio.run(played(("champion", "legal")))
    assert goals == {"ann": ["100"], "bob": ["0"]}
    assert trouble == ["", ""]


@pytest.mark.long
def test_a_player_that_dies_leaves_the_match_to_the_others() -> None:
    async def main() -> tuple[list[str], str]:
        match = match_of(GRAB, seconds=1)
        controller = RealtimeController(match)
        seat = ThinkingSeat("champion", 1, controller.offer)
        assert await seat.start(match.start(ANN), PATIENT)
        outbox = controller.join(ANN, seat.send)
        asyncio.get_running_loop().call_later(0.2, seat.close)
        await controller.run()
        ticks = [str(one.count) for one in match.record.events if hasattr(one, "count")]
        return ticks, outbox.lost

    ticks, lost = asyncio.run(main())
    assert sum(map(int, ticks)) == 100
    assert lost == "ConnectionResetError: champion is gone"


def test_a_player_that_does_not_know_realtime_is_refused_before_the_match() -> None:
    with pytest.raises(ValueError, match="no player 'mcts' acts in realtime"):
        ThinkingSeat("mcts", 1, lambda role, move: None)


# -- what a player knows of a match ------------------------------------------------------------------------


def test_a_player_follows_a_match_by_what_it_is_told() -> None:
    match = match_of(GRAB, seed=3)
    followed = FollowedMatch(match.start(BOB))
    for _ in range(7):
        match.tick()
    followed.see(ClockSignal("m1", 7))  # one signal for seven: those between were told together
    assert followed.state == match.state
    assert followed.legal() == (grab(BOB, "apple"),)
    followed.see(match.act(ANN, grab(ANN, "apple"))[BOB])
    assert followed.legal() == ()
    followed.see(TimeIsUp("m1"))
    assert followed.is_over


def test_what_is_hidden_from_a_player_does_not_change_its_state() -> None:
    states = set()
    for seed in range(8):
        match = match_of(GRAB + "(<= (next (prize ?p ?x)) (does ?p (grab ?_y ?x)))", seed=seed)
        ann, bob = FollowedMatch(match.start(ANN)), FollowedMatch(match.start(BOB))
        told = match.act(ANN, grab(ANN, "apple"))
        ann.see(told[ANN])
        bob.see(told[BOB])
        assert ann.state == match.state
        states.add(bob.state)
    assert len(states) == 1


def test_settings_of_the_clock_are_told_with_the_rules() -> None:
    match = match_of("(set tick 5)" + INERT)
    start = match.start(ANN)
    assert start.rules.startswith("(set realtime) (set tick-inertia) (set tick 5) (role ann)")
    followed = FollowedMatch(start)
    for _ in range(9):
        match.tick()
    followed.see(ClockSignal("m1", 9))
    assert followed.state == match.state
    followed.see(Happened("m1", ANN, parse_term("(throw on)"), is_last=True))
    assert followed.is_over


@pytest.mark.parametrize(("rules", "role", "what"), [
    (DICE, "ann", "realtime"), (GRAB, "eve", "nobody plays eve"), ("(role ann", "ann", "never closed"),
])  # fmt: skip
def test_a_match_that_cannot_be_followed_says_why(rules: str, role: str, what: str) -> None:
    start = replace(match_of().start(ANN), rules=rules, role=Term(role))
    with pytest.raises((ValueError, RulesError), match=what):
        FollowedMatch(start)
