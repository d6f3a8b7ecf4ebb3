"""Looking more than one pass ahead: with enough passes the values are those of the whole game tree."""

from __future__ import annotations

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.heuristic import ThinkingConfig, judge_of
from ludorum.cards.heuristic.scheme import analysis_of
from ludorum.cards.language.terms import Term, as_integer, player
from ludorum.cards.machine.game import CardGame, CardState, move_of
from ludorum.cards.machine.reasons import NeedMove
from ludorum.experiments.paired import compare
from ludorum.players import make_player
from tests.cards.heuristic.tables import KINGS_AND_JACKS, TRUMPS

DECIDED = 1000.0


def late_state(game: CardGame, seed: int, decisions: int) -> CardState:
    """A random game after so many decisions."""
    random = SplitMix64(seed)
    state = game.initial()
    while not (isinstance(state.reason, NeedMove) and state.position.decisions == decisions):
        legal = [state.legal(role) for role in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    return state


def minimax(state: CardState, me: int) -> float:
    """What a state is worth to a player when everybody sees all cards, by the readable machine."""
    game = state.game
    if state.is_terminal:
        scores = [as_integer(state.position.variables[Term("score", (player(at),))]) or 0 for at in range(2)]
        won = ((state.goal(game.players[me]) or 0) - 50) / 50
        return scores[me] - scores[1 - me] + DECIDED * won
    values = [minimax(after(state, move), me) for move in state.legal(state.asked)]
    return max(values) if state.asked is game.players[me] else min(values)


def after(state: CardState, move: object) -> CardState:
    roles = state.game.roles
    return state.play([move if role is state.asked else state.legal(role)[0] for role in roles])  # type: ignore[misc]


@pytest.mark.spec("card-games-fcdl", 90)
@pytest.mark.parametrize("game", [TRUMPS, KINGS_AND_JACKS], ids=lambda game: game.name)
@pytest.mark.parametrize("decisions", [8, 9, 10, 11])
def test_enough_passes_see_the_end_of_the_game(game: CardGame, decisions: int) -> None:
    """Three tricks are left, or two; one of them may have been begun."""
    passes = 7 - decisions // 2
    config = ThinkingConfig(passes=passes, decided=DECIDED)
    judge = judge_of(game, analysis_of(game.chart), config)
    for seed in range(6):
        state = late_state(game, seed, decisions)
        assert isinstance(state.reason, NeedMove)
        me = state.reason.player
        found = judge.outcomes(state.position, me, seed)
        expected = {move: minimax(after(state, move), me) for move in state.legal(game.players[me])}
        assert {move_of(option): one.value for option, one in found.items()} == pytest.approx(expected)


@pytest.mark.spec("card-games-fcdl", 90)
def test_one_pass_sees_less_than_two() -> None:
    """The option is one of the player by its name, and it changes what is thought of moves."""
    judges = [judge_of(TRUMPS, analysis_of(TRUMPS.chart), ThinkingConfig(passes=passes)) for passes in (1, 2)]
    differ = 0
    for seed in range(4):
        state = late_state(TRUMPS, seed, 8)
        assert isinstance(state.reason, NeedMove)
        near, far = (judge.outcomes(state.position, state.reason.player, seed) for judge in judges)
        assert near.keys() == far.keys()
        assert all(far[option].states >= one.states for option, one in near.items())
        differ += any(abs(one.value - far[option].value) > 1e-9 for option, one in near.items())
    assert differ
    assert make_player("hyper_heur:passes=2").config.passes == 2  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.spec("card-games-fcdl", 90)
def test_two_passes_are_no_worse_than_one() -> None:
    standing = compare(TRUMPS, "hyper_heur:passes=2,n_worlds=8", "hyper_heur:n_worlds=8", 200, seed=5)
    assert standing.interval[1] > 0.5
