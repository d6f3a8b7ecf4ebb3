"""Long matches: decisions of players count, not steps."""

from __future__ import annotations

from typing import cast

import pytest

from ludorum.arena.match.limits import MOST_FORCED, decision_limit, is_given_up
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.cards.language.config import MachineConfig
from ludorum.cards.machine.game import CardGame, CardState
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.players import LegalPlayer, RandomPlayer
from ludorum.rules.kif import parse_kif, parse_term
from tests.small_games import CIRCLE, coin, door

COUNTING = """
; The walker goes on and is asked for a choice at every third step.
(role walker) (init (at 0)) (after 0 1) (after 1 2) (after 2 0)
(legal walker go)
(<= (legal walker wait) (true (at 2)))
(<= (next (at ?n)) (true (at ?m)) (after ?m ?n))
(<= terminal (true (at nowhere)))
(<= (goal walker 30) (true (at 2)))
(<= (goal walker 70) (not (true (at 2))))
"""


def test_forced_steps_are_no_decisions() -> None:
    game = LiftedGame(parse_kif(COUNTING), "counting")
    match = play_match(Match(game), {game.roles[0]: RandomPlayer(1)}, 5.0, limit=4)
    # What is forced after the fourth choice is still played; the fifth choice is not asked for.
    assert (match.decisions, len(match.moves), match.forced_steps) == (4, 14, 2)
    assert match.state.goals() == (30,)
    assert is_given_up(match, 4)
    assert not is_given_up(match, 5)


def test_nature_decides_nothing() -> None:
    game = coin()
    match = Match(game)
    counts = []
    while not match.is_over:
        counts.append((match.is_decision, match.decisions, match.forced_steps))
        match.play({role: match.state.legal(role)[0] for role in game.info.players})
    assert counts == [(False, 0, 0), (True, 0, 1)]
    assert (match.is_decision, match.decisions, match.forced_steps) == (False, 1, 0)
    assert not is_given_up(match, 1)


def test_a_step_that_is_taken_back_is_not_counted() -> None:
    match = Match(door())
    moves = {role: match.state.legal(role)[1] for role in match.game.roles}
    match.play(moves)
    kept = match.snapshot()
    assert match.decisions == 1
    match.take_back()
    assert (match.decisions, kept.decisions) == (0, 1)


@pytest.mark.long
def test_rules_that_force_every_move_for_ever_are_given_up() -> None:
    game = LiftedGame(parse_kif(CIRCLE), "circle")
    match = play_match(Match(game), {game.roles[0]: LegalPlayer()}, 5.0, limit=1)
    assert (match.decisions, len(match.moves)) == (0, MOST_FORCED)


def test_a_game_sets_its_own_bound() -> None:
    game = door()
    assert decision_limit(game) == 1000
    game.decision_limit = 1
    assert decision_limit(game) == 1
    assert decision_limit(game, 7) == 7
    left, right = game.roles
    players = {left: LegalPlayer(), right: RandomPlayer(3)}
    match = play_match(Match(game), players, 5.0)
    assert match.moves == [(parse_term("push"), parse_term("wait"))]
    assert is_given_up(match)
    assert not is_given_up(match, 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_an_ordinary_card_game_has_far_fewer_decisions_than_steps(seed: int) -> None:
    game = load_game("crazy_eights_simple")
    match = play_match(Match(game, seed), {role: RandomPlayer(seed) for role in game.info.players}, 5.0)
    assert match.is_over
    assert match.decisions < len(match.moves) - 10


@pytest.mark.parametrize("name", ["war", "trumps"])
def test_a_chart_and_its_match_count_the_same_decisions(name: str) -> None:
    """Also those in which the player who is asked has one answer: the bound of the chart counts them."""
    game = load_game(name)
    assert isinstance(game, CardGame)
    match = Match(game, 1)
    forced = 0
    while not match.is_over and match.decisions < 40:
        state = match.state
        assert isinstance(state, CardState)
        assert match.decisions == state.position.decisions
        forced += state.is_decision and len(state.legal(state.asked)) == 1
        match.play({role: state.legal(role)[0] for role in game.info.players})
    assert isinstance(match.state, CardState)
    assert match.decisions == match.state.position.decisions
    assert forced > 0


def test_a_limit_that_is_asked_for_ends_a_match_of_a_chart_where_its_own_bound_would() -> None:
    game, bounded = (
        CardGame(chart, "eights", MachineConfig(most_decisions=most))
        for chart in [cast(CardGame, load_game("trumps")).chart]
        for most in (1000, 12)
    )
    players = {role: RandomPlayer(2) for role in game.info.players}
    asked = play_match(Match(game, 3), players, 5.0, limit=12)
    own = play_match(Match(bounded, 3), {role: RandomPlayer(2) for role in game.info.players}, 5.0)
    assert own.is_over
    assert asked.moves[: len(own.moves)] == own.moves
    assert (asked.decisions, own.decisions) == (12, 12)
