"""Where a match may stand: every state that agrees with what a role knows, and legal moves in any case."""

from __future__ import annotations

import math
import time

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.knowledge import possible_states
from ludorum.knowledge.possible_states import HiddenTrack, OpenTrack
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from tests.arena.protocol.loopback import coin, door
from tests.how_much import sample
from tests.small_games import DOOR

HIDDEN = sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")
NOOP = Term("noop")


def in_a_while() -> float:
    return time.monotonic() + 5


def test_the_guesser_knows_that_the_coin_was_tossed_and_not_how() -> None:
    game = coin()
    track = HiddenTrack(game, game.roles[1])
    assert track.position(in_a_while()).state is not None  # everybody knows the beginning
    track.advance(NOOP, (Term("tossed"),), in_a_while())
    assert {str(state) for state in track.states} == {
        "((coin heads) (phase call))",
        "((coin tails) (phase call))",
    }
    position = track.position(in_a_while())
    assert position.state is None
    assert position.view.facts is None
    assert position.legal == (parse_term("(call heads)"), parse_term("(call tails)"))
    assert (track.complete, track.consistent, track.step) == (True, True, 1)
    track.advance(parse_term("(call heads)"), (parse_term("(it_was heads)"),), in_a_while())
    assert [str(state) for state in track.states] == ["(won (phase over))"]


def test_percepts_that_cannot_be_leave_a_guess() -> None:
    game = coin()
    track = HiddenTrack(game, game.roles[1])
    track.advance(NOOP, (parse_term("(saw elephant)"),), in_a_while())
    assert not track.consistent
    assert track.position(in_a_while()).legal == (parse_term("(call heads)"), parse_term("(call tails)"))


def test_a_lost_message_leaves_everything_possible() -> None:
    game = coin()
    track = HiddenTrack(game, game.roles[1])
    track.advance(None, None, in_a_while())
    assert len(track.states) == 2
    assert track.consistent


def test_where_everybody_sees_everything_the_state_is_known() -> None:
    rules = DOOR + "(<= (sees ?a (told ?b ?c)) (does ?b ?c) (role ?a))"
    game = LiftedGame(parse_kif(rules), "door")
    track = HiddenTrack(game, game.roles[0])
    track.advance(
        Term("wait"), tuple(map(parse_term, ("(told left wait)", "(told right push)"))), in_a_while()
    )
    position = track.position(in_a_while())
    assert position.state is not None
    assert str(position.state) == "(closed (step 1))"


def walk(name: str, seed: int, most: int = 12) -> list[State]:
    game = load_game(name)
    chance = SplitMix64(seed)
    states = [game.initial()]
    while len(states) < most and not states[-1].is_terminal:
        legal = [states[-1].legal(role) for role in game.roles]
        states.append(states[-1].play([moves[chance.below(len(moves))] for moves in legal]))
    return states


@pytest.mark.long
@pytest.mark.parametrize("name", sample(HIDDEN, 2))
def test_the_legal_moves_are_the_true_ones_in_every_game_with_secrets(name: str) -> None:
    states = walk(name, 3)
    game = states[0].game
    for role in game.info.players:
        track = HiddenTrack(game, role, seed=5)
        for state in states[1:]:
            assert state.joint is not None
            own = state.joint[game.roles.index(role)]
            track.advance(own, state.percepts(role), time.monotonic() + 2)
            assert track.consistent
            if state.is_terminal:
                break
            assert track.position(in_a_while()).legal == state.legal(role)
            if track.complete:
                assert state.facts() in {possible.facts() for possible in track.states}


@pytest.mark.long
def test_states_are_found_again_when_those_kept_turn_out_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for two states only, play soon contradicts them; the search from the start finds others."""
    monkeypatch.setattr(possible_states, "MOST_STATES", 2)
    searched = 0
    for seed in range(6):
        states = walk("mastermind", seed, 8)
        game = states[0].game
        role = game.info.players[0]
        track = HiddenTrack(game, role, seed)
        again = track._search_again

        def counted(deadline: float, again: object = again) -> list[State]:
            nonlocal searched
            searched += 1
            return again(deadline)  # type: ignore[operator,no-any-return]

        track._search_again = counted  # type: ignore[method-assign]
        for state in states[1:]:
            assert state.joint is not None
            own = state.joint[game.roles.index(role)]
            track.advance(own, state.percepts(role), time.monotonic() + 20)
            assert track.consistent
    assert searched


def test_open_games_follow_joint_moves_and_repeat_none() -> None:
    push, wait = Term("push"), Term("wait")
    track = OpenTrack(door(), Term("left"))
    assert track.advance_joint((push, wait))
    assert not track.advance_joint((push, Term("fly")))
    assert not track.advance_joint((push,))
    assert track.step == 1
    assert track.advance_joint((push, push))
    assert track.advance_joint((push, push))  # the door is open: this can only be the same again
    assert track.step == 2
    track.restart()
    assert track.state == track.game.initial()


def test_work_for_a_step_is_counted_where_it_is_to_be_the_same_everywhere() -> None:
    game = load_game("krieg_tictactoe")
    track = HiddenTrack(game, game.roles[0], most_plays=3)
    for state in list(game.playout(1))[1:4]:
        assert state.joint is not None
        track.advance(state.joint[0], state.percepts(game.roles[0]), math.inf)
        assert len(track.states) <= 3
    assert not track.complete
