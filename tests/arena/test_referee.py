"""The referee: everybody at once, clocks kept, whatever seats do."""

import asyncio

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match, Reply
from ludorum.arena.match.referee import Referee
from ludorum.arena.match.seat import Briefing, LocalSeat, Seat, Turn
from ludorum.players import LegalPlayer, RandomPlayer
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.small_games import coin, door

LEFT, RIGHT, PUSH, WAIT, GUESSER = map(parse_term, ("left", "right", "push", "wait", "guesser"))
QUICK = Clocks(0.2, 0.2, connect=0.1, start_grace=0.1, play_grace=0.1, abort=0.1)


class Scripted(Seat):
    """Says what it was told to say, and remembers what it was told."""

    name = "scripted"

    def __init__(self, *moves: Term, delay: float = 0.0, fails: bool = False) -> None:
        self.moves = list(moves)
        self.delay = delay
        self.fails = fails
        self.told: list[object] = []

    async def start(self, briefing: Briefing) -> Reply:
        self.told.append(("start", briefing.match_id, briefing.role))
        return Reply()

    async def play(self, turn: Turn) -> Reply:
        self.told.append(turn.notice)
        await asyncio.sleep(self.delay)
        if self.fails:
            raise ConnectionResetError("gone")
        return Reply(self.moves.pop(0))

    async def stop(self, turn: Turn) -> None:
        self.told.append(("stop", turn.notice.step))

    async def abort(self, briefing: Briefing) -> None:
        self.told.append("abort")


def test_a_match_between_local_players() -> None:
    match = Match(coin(), 3, match_id="m")
    asyncio.run(Referee(match, {GUESSER: LocalSeat(RandomPlayer(1))}, Clocks(1, 1)).run())
    assert match.is_over
    assert match.faults == []


def test_both_think_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    class Meets(Scripted):
        """Answers when the other one has been asked as well."""

        async def play(self, turn: Turn) -> Reply:
            await both.wait()
            return await super().play(turn)

    seats = {role: Meets(PUSH) for role in (LEFT, RIGHT)}
    match = asyncio.run(Referee(Match(door()), seats, Clocks(30, 30)).run())
    assert match.moves == [(PUSH, PUSH)]
    assert seats[LEFT].told[0] == ("start", "", LEFT)
    assert seats[LEFT].told[-1] == ("stop", 1)


def test_late_and_broken_seats_are_replaced_and_noted() -> None:
    seats = {LEFT: Scripted(WAIT, delay=30), RIGHT: Scripted(WAIT, fails=True)}
    match = asyncio.run(Referee(Match(door(), replace_by="first"), seats, QUICK).run())
    assert match.moves == [(PUSH, PUSH)]
    assert match.errors == (("", ""), ("TO no answer in 0.9 s", "CE ConnectionResetError: gone"))


def test_a_match_that_is_broken_off_is_aborted_for_everybody() -> None:
    async def broken_off() -> None:
        referee = Referee(Match(door()), seats, Clocks(1, 60))
        task = asyncio.create_task(referee.run())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    seats = {role: Scripted(PUSH, delay=30) for role in (LEFT, RIGHT)}
    asyncio.run(broken_off())
    assert [seat.told[-1] for seat in seats.values()] == ["abort", "abort"]


def test_a_match_that_takes_too_many_steps_is_aborted_for_everybody() -> None:
    seats = {role: Scripted(WAIT, WAIT) for role in (LEFT, RIGHT)}
    match = asyncio.run(Referee(Match(door()), seats, QUICK, limit=1).run())
    assert match.moves == [(WAIT, WAIT)]
    assert [seat.told[-1] for seat in seats.values()] == ["abort", "abort"]
    # One that comes to its end with the last step it may take is over.
    seats = {role: Scripted(PUSH) for role in (LEFT, RIGHT)}
    asyncio.run(Referee(Match(door()), seats, QUICK, limit=1).run())
    assert [seat.told[-1] for seat in seats.values()] == [("stop", 1), ("stop", 1)]


def test_every_seat_must_be_taken() -> None:
    with pytest.raises(ValueError, match="nobody plays right"):
        Referee(Match(door()), {LEFT: LocalSeat(LegalPlayer())}, QUICK)


def test_clocks_are_not_negative() -> None:
    with pytest.raises(ValueError, match="negative"):
        Clocks(-1, 5)
