"""The position of a match as its role knows it: legal moves that follow from the history, in time."""

from __future__ import annotations

import time
from itertools import islice

import pytest

from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.knowledge import known_track
from ludorum.knowledge.complete_knower import CompleteKnower
from ludorum.knowledge.known_track import KnownTrack
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from tests.arena.protocol.loopback import coin
from tests.how_much import some
from tests.knowledge.role_matches import hidden_games

NOOP = Term("noop")
STEPS = some(60, 8)


def in_a_while() -> float:
    """The clock of a test that must not depend on one."""
    return time.monotonic() + 60


def told(game: Game, role: Term, seed: int, steps: int) -> list[State]:
    """States of a random match before its end, after the first."""
    return [state for state in islice(game.playout(seed), 1, steps) if not state.is_terminal]


def advance(track: KnownTrack, state: State) -> None:
    assert state.joint is not None
    track.advance(state.joint[track.game.roles.index(track.role)], state.percepts(track.role), in_a_while())


@pytest.mark.parametrize("name", hidden_games())
def test_the_known_moves_are_the_legal_ones_in_every_game_of_the_library(name: str) -> None:
    game = load_game(name)
    for role in game.info.players:
        track = KnownTrack(game, role)
        for state in told(game, role, 3, STEPS):
            advance(track, state)
            assert track.position(in_a_while()).legal == state.legal(role)
            assert (track.doubt, track.consistent) == ("", True)
        track.close()


def test_the_state_is_there_where_it_is_known() -> None:
    game = coin()
    track = KnownTrack(game, game.roles[1])
    first = track.position(in_a_while())
    assert first.state is not None
    assert track.seen() == first
    track.advance(NOOP, (Term("tossed"),), in_a_while())
    position = track.position(in_a_while())
    assert (position.state, position.legal) == (
        None,
        (parse_term("(call heads)"), parse_term("(call tails)")),
    )
    track.restart()
    assert (track.step, track.position(in_a_while())) == (0, first)


def test_percepts_that_cannot_be_are_ignored_and_reported() -> None:
    game = coin()
    track = KnownTrack(game, game.roles[1])
    track.advance(NOOP, (parse_term("(saw elephant)"),), in_a_while())
    assert track.position(in_a_while()).legal == (parse_term("(call heads)"), parse_term("(call tails)"))
    assert not track.consistent
    assert "ImpossiblePerceptsError" in track.doubt


def test_after_a_lost_message_moves_are_legal_in_most_states_that_agree() -> None:
    game = coin()
    track = KnownTrack(game, game.roles[1])
    track.advance(None, None, in_a_while())
    assert track.seen().hidden_view is not None
    assert track.position(in_a_while()).legal == (parse_term("(call heads)"), parse_term("(call tails)"))
    assert track.doubt == "a message was lost"
    assert track.consistent


def test_knowledge_that_comes_too_late_is_replaced_by_states_that_agree_and_taken_up_again() -> None:
    game = load_game("krieg_tictactoe")
    role = game.roles[0]
    track = KnownTrack(game, role)
    first, second, *_ = told(game, role, 5, 6)
    held = track._worker.do(lambda: time.sleep(0.5))  # as if the knower were busy
    advance(track, first)
    position = track.position(time.monotonic() + 0.2)
    assert position.legal == first.legal(role)
    assert track.doubt == "what is known was not found out in time"
    held.result()
    advance(track, second)
    assert track.position(in_a_while()).legal == second.legal(role)
    assert track.doubt == ""


@pytest.mark.long
def test_a_knower_that_is_many_steps_late_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_track, "MOST_BEHIND", 1)
    game = load_game("krieg_tictactoe")
    role = game.roles[0]
    track = KnownTrack(game, role)
    held = track._worker.do(lambda: time.sleep(1.0))
    for state in told(game, role, 5, 5):
        advance(track, state)
        assert track.position(time.monotonic() + 0.1).legal == state.legal(role)
    held.result()
    assert track.position(in_a_while()).legal == state.legal(role)
    assert track.doubt == "what is known was not found out in time"


# The player may call as soon as it knows that the coin shows heads, and cannot know it: one move is safe.
BLIND = """
(role random) (role player) (init (step 1)) (succ 1 2) (succ 2 3)
(<= (legal random (hide heads)) (true (step 1))) (<= (legal random (hide tails)) (true (step 1)))
(<= (legal random wait) (not (true (step 1))))
(<= (legal player wait) (not (true (step 2))))
(<= (legal player (call ?side)) (true (coin ?side)))
SAFE
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (coin ?side)) (does random (hide ?side))) (<= (next (coin ?side)) (true (coin ?side)))
(<= terminal (true (step 3))) (goal player 50) (goal random 50)
(<= (sees player nothing) (true (step 9)))
"""


@pytest.mark.parametrize("safe", ["", "(<= (legal player pass) (true (step 2)))"])
def test_of_moves_that_cannot_be_known_the_safe_one_is_offered(safe: str) -> None:
    game = LiftedGame(parse_kif(BLIND.replace("SAFE", safe)), "blind")
    track = KnownTrack(game, game.role("player"))
    track.advance(Term("wait"), (), in_a_while())
    legal = track.position(in_a_while()).legal
    if safe:
        assert (legal, track.doubt) == ((Term("pass"),), "")
    else:
        assert set(legal) <= {parse_term("(call heads)"), parse_term("(call tails)")}
        assert track.doubt == "player cannot know its legal moves"


def test_a_circuit_that_becomes_ready_is_taken_and_changes_no_answer() -> None:
    with load_game("hidden_connect", "auto") as auto:  # type: ignore[attr-defined]
        assert isinstance(auto, AutoGame)
        role = auto.info.players[0]
        knower = CompleteKnower(auto.lifted, role)
        auto.wait()
        assert isinstance(auto.best, CompiledGame)
        whole = CompleteKnower(auto.best, role)
        for number, state in enumerate(told(auto.best, role, 4, 9)):
            assert state.joint is not None
            move = state.joint[auto.roles.index(role)]
            if number == 2:
                assert len(knower.possible_facts()) > len(knower.known_facts())
                knower.use(auto.best)
            for one in (knower, whole):
                one.update(move, state.percepts(role))
                one.asked()
            assert knower.known_facts() == whole.known_facts()
            assert knower.possible_facts() == whole.possible_facts()
            assert knower.known_legal() == whole.known_legal() == frozenset(state.legal(role))
        assert knower.game is auto.best
