"""Games in which several choose at once: what is played there, and what a best answer to it gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.players import make_player, position_of
from ludorum.players.matrix_searcher import MatrixConfig, MatrixSearcher
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.search import Budget, Mcts, MctsConfig
from ludorum.search.mixed import NoAdviceError
from tests.library_games import compiled_game
from tests.simultaneous_games import (
    BLUNT_SCISSORS,
    DILEMMA,
    PENNIES,
    STAG_HUNT,
    UNEVEN,
    Policy,
    even_policy,
    exploitability,
    least_against,
    matrix_game,
    pursuit,
    transposed,
    worth,
)

WORK = Budget(playouts=100)

CONTESTS: dict[str, Callable[[], Game]] = {
    "pennies": lambda: matrix_game(PENNIES),
    "uneven": lambda: matrix_game(UNEVEN),
    "blunt scissors": lambda: matrix_game(BLUNT_SCISSORS),
    "pursuit": pursuit,
    "rock_paper_scissors": lambda: compiled_game("rock_paper_scissors"),
}
VALUES = {"pennies": 50.0, "uneven": 500 / 13, "blunt scissors": 50.0, "rock_paper_scissors": 50.0}
"""For the first role; worked out by hand."""


def policy_of(searcher: MatrixSearcher) -> Policy:
    def policy(state: State, role: Term) -> Mapping[Term, float]:
        choices = searcher.search(state, role, WORK).choices
        return {choice.move: choice.chance or 0.0 for choice in choices}

    return policy


@pytest.mark.parametrize("name", CONTESTS)
def test_no_answer_gains_anything_in_a_small_contest(name: str) -> None:
    game = CONTESTS[name]()
    searcher = MatrixSearcher(game)
    assert exploitability(game, policy_of(searcher)) < 1e-6
    for role in game.roles:
        found = searcher.search(game.initial(), role, WORK)
        assert found.proven
        assert least_against(game, policy_of(searcher), role) == pytest.approx(found.value, abs=1e-6)


def expected(name: str, game: Game, role: Term, seed: int = 0) -> float:
    """What a player says it expects at the start."""
    player = make_player(name, seed)
    player.choose(position_of(game.initial(), role), 600.0)
    assert player.decision is not None
    return player.decision.value


@pytest.mark.parametrize("name", VALUES)
def test_the_champion_expects_what_a_small_contest_is_worth(name: str) -> None:
    game = CONTESTS[name]()
    told = [expected("champion:playouts=100", game, role) for role in game.roles]
    assert told == pytest.approx([VALUES[name], 100 - VALUES[name]])


def test_the_champion_expects_defection() -> None:
    game = matrix_game(DILEMMA, transposed(DILEMMA))
    player = make_player("champion:playouts=100", 1)
    for role in game.roles:
        assert str(player.choose(position_of(game.initial(), role), 600.0)) == "m1"
        assert player.decision is not None
        assert player.decision.value == 20.0
        assert not player.decision.proven


@pytest.mark.long
def test_the_champion_expects_defection_in_ten_rounds() -> None:
    game = compiled_game("iterated_prisoners_dilemma")
    searcher = MatrixSearcher(game)
    found = searcher.search(game.initial(), game.roles[0], WORK)
    assert str(found.move) == "defect"
    assert found.value == pytest.approx(20.0)
    for role in game.roles:
        assert worth(game, policy_of(searcher), role) == pytest.approx(20.0)


def test_what_is_expected_where_goals_are_not_opposed_is_what_play_is_worth() -> None:
    # Whoever hunts the stag alone gets nothing: without a word from the other the hare is safer.
    game = matrix_game(STAG_HUNT, transposed(STAG_HUNT))
    searcher = MatrixSearcher(game)
    for role in game.roles:
        found = searcher.search(game.initial(), role, WORK)
        assert found.value == pytest.approx(60.0)
        assert worth(game, policy_of(searcher), role) == pytest.approx(found.value, abs=0.01)


@pytest.mark.long
@pytest.mark.parametrize("name", ["random", "legal", "greedy", "mcts:playouts=300", "cadia:playouts=50"])
@pytest.mark.parametrize("contest", ["pennies", "uneven", "blunt scissors"])
def test_the_champion_is_never_worse_than_random(contest: str, name: str) -> None:
    game = CONTESTS[contest]()
    for role in game.roles:
        sure = least_against(game, policy_of(MatrixSearcher(game)), role)
        assert sure >= least_against(game, even_policy, role) - 1e-6
        gained = [result(game, role, "champion:playouts=100", name, seed) for seed in range(60)]
        deviation = 50 / len(gained) ** 0.5
        assert sum(gained) / len(gained) >= sure - 3 * deviation


def result(game: Game, role: Term, name: str, against: str, seed: int) -> int:
    """The goal that a player with this role gets; the other one has another seed."""
    state = game.initial()
    players = {one: make_player(name if one is role else against, seed) for one in game.roles}
    while not state.is_terminal:
        state = state.play([players[one].choose(position_of(state, one), 600.0) for one in game.roles])
    return state.goal(role) or 0


@pytest.mark.long
def test_both_sides_draw_apart_although_they_have_the_same_seed() -> None:
    game = matrix_game(PENNIES)
    won = [
        result(game, game.roles[0], "champion:playouts=10", "champion:playouts=10", seed)
        for seed in range(60)
    ]
    assert 15 <= sum(goal == 100 for goal in won) <= 45


@pytest.mark.long
def test_a_drawn_move_can_be_drawn_again() -> None:
    game = matrix_game(UNEVEN)
    drawn = [
        [
            MatrixSearcher(game, MatrixConfig(seed=seed)).search(game.initial(), role, WORK).move
            for seed in range(50)
            for role in game.roles
        ]
        for _ in range(2)
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 2


def test_a_large_game_is_left_to_other_methods_until_it_has_become_small() -> None:
    game = pursuit()
    searcher = MatrixSearcher(game, MatrixConfig(limit=40))
    state = game.initial()
    with pytest.raises(NoAdviceError, match="more than 40 states"):
        searcher.search(state, game.roles[0], WORK)
    for hunter, hare in ((2, 2), (1, 3), (2, 2), (1, 3)):
        state = state.play([parse_term(f"(go 1 {hunter})"), parse_term(f"(go 3 {hare})")])
    assert searcher.search(state, game.roles[0], WORK).proven


def test_where_something_is_hidden_it_has_no_advice() -> None:
    game = load_game("krieg_tictactoe")
    with pytest.raises(NoAdviceError):
        MatrixSearcher(game).search(game.initial(), game.roles[0], WORK)


@pytest.mark.parametrize(
    ("name", "bound"),
    [("blunt scissors", 4.0), pytest.param("pursuit", 15.0, marks=pytest.mark.long)],
)
def test_regrets_are_less_exploitable_the_longer_they_are_matched(name: str, bound: float) -> None:
    game = CONTESTS[name]()
    found = [exploitability(game, regret_policy(game, playouts)) for playouts in (100, 1_000, 10_000)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < bound


def regret_policy(game: Game, playouts: int) -> Policy:
    """The average strategies of trees that grow from every state anew."""

    def policy(state: State, role: Term) -> Mapping[Term, float]:
        config = MctsConfig(simultaneous="regret", batch=1, playouts_per_leaf=1, seed=1)
        found = Mcts(game, config).search(state, role, Budget(playouts=playouts))
        return {choice.move: choice.chance or 0.0 for choice in found.choices}

    return cache(policy)
