"""The loop around a match: what sources of moves are told, in which order, and how it ends."""

from __future__ import annotations

import asyncio

import pytest

from ludorum.arena.match.loop import MoveSource, play_on, without_waiting
from ludorum.arena.match.match import ErrorCode, Match, Reply
from ludorum.engine.errors import IllegalMoveError
from ludorum.engine.sight import Position
from ludorum.experiments.paired import DealtMatch, play_game
from ludorum.players import LegalPlayer, Player
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.small_games import coin, door

LEFT, RIGHT, PUSH, WAIT = map(parse_term, ("left", "right", "push", "wait"))
GUESSER = parse_term("guesser")


class Noting(MoveSource):
    """Notes what it is told, and has every role do the same."""

    def __init__(self, match: Match, move: Term) -> None:
        self.match = match
        self.move = move
        self.told: list[str] = []

    async def prepare(self) -> dict[Term, Reply]:
        self.told.append("prepare")
        return {LEFT: Reply(code=ErrorCode.LATE, text="not ready")}

    async def pass_over(self) -> None:
        self.told.append("pass over")

    async def catch_up(self) -> None:
        self.told.append("catch up")

    async def ask(self) -> dict[Term, Reply]:
        self.told.append("ask")
        return dict.fromkeys(self.match.game.roles, Reply(self.move))

    async def rest(self) -> None:
        self.told.append("rest")

    async def stop(self) -> None:
        self.told.append("stop")

    async def abort(self) -> None:
        self.told.append("abort")


def test_a_match_is_led_from_its_opening_to_its_end() -> None:
    match = Match(door())
    source = Noting(match, PUSH)

    async def on_step(match: Match) -> None:
        source.told.append(f"step {len(match.moves)}")

    without_waiting(play_on(match, source, on_step, opening=[(WAIT, WAIT)]))
    assert match.is_over
    assert match.moves == [(WAIT, WAIT), (PUSH, PUSH)]
    assert source.told == [
        "prepare", "step 0", "pass over", "catch up", "ask", "step 2", "rest", "stop",
    ]  # fmt: skip
    assert match.errors[0] == ("TO not ready", "")


def test_a_match_that_takes_too_many_decisions_is_given_up() -> None:
    match = Match(door())
    source = Noting(match, WAIT)
    asyncio.run(play_on(match, source, limit=1))
    assert match.moves == [(WAIT, WAIT)]
    assert source.told[-2:] == ["rest", "abort"]


def test_an_error_gives_the_match_up_before_it_goes_on() -> None:
    match = Match(door())
    source = Noting(match, PUSH)

    async def fail(match: Match) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        without_waiting(play_on(match, source, fail))
    assert source.told == ["prepare", "abort"]


def test_what_waits_needs_an_event_loop() -> None:
    with pytest.raises(RuntimeError, match="run it in an event loop"):
        without_waiting(asyncio.sleep(0))


class Flying(Player):
    name = "flying"

    def choose(self, position: Position, seconds: float) -> Term:
        return Term("fly")


def test_trusted_players_that_are_wrong_end_the_game() -> None:
    with pytest.raises(IllegalMoveError, match="fly is not legal for right"):
        play_game(door(), {LEFT: LegalPlayer(), RIGHT: Flying()}, 1)


def test_a_deal_is_the_same_whoever_plays() -> None:
    for deal in range(8):
        first = DealtMatch(coin(), deal).draw(parse_term("random"))
        match = DealtMatch(coin(), deal)
        match.play({GUESSER: parse_term("noop")})
        assert match.moves[0][0] is first
