"""MaxN: each for itself, against exact solving and by hand; pruning changes the cost and not the value."""

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import GameError
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.search import AlphaBeta, Budget, MaxN, MaxNConfig, PlayoutMean, solve
from tests.search.test_exact import DICE, THREE
from tests.small_games import CIRCLE, DOOR

AMPLE = Budget(nodes=1_000_000)


def test_three_players_each_for_itself() -> None:
    game = CompiledGame(parse_kif(THREE), "three")
    found = MaxN(game).search(game.initial(), game.roles[0], AMPLE)
    assert (str(found.move), found.value, found.proven, found.depth) == ("right", 45, True, 3)
    assert {str(choice.move): choice.value for choice in found.choices} == {"left": 40, "right": 45}
    paranoid = AlphaBeta(game).search(game.initial(), game.roles[0], AMPLE)
    assert (str(paranoid.move), paranoid.value) == ("left", 5), "against all others left is worth 5, right 0"


def test_two_opposed_players_are_as_in_alphabeta() -> None:
    game = load_game("tictactoe", "compiled")
    states = [list(game.playout(seed))[2 + seed % 4] for seed in range(12)]
    for state in states:
        if state.is_terminal:
            continue
        for role in game.roles:
            ours = MaxN(game).search(state, role, AMPLE)
            theirs = AlphaBeta(game).search(state, role, AMPLE)
            assert (ours.value, ours.proven) == (theirs.value, True)


def test_pruning_keeps_the_value() -> None:
    """The sweets of the three with other prices, whose sum is never above 100."""
    text = THREE.replace("40 50 60", "30 20 50").replace("5 60 0", "5 60 35")
    text = text.replace("0 90 40", "0 90 10").replace("45 30 50", "40 25 35")
    game = CompiledGame(parse_kif(text), "sweets")
    exact = solve(game)
    assert exact is not None
    for seat, role in enumerate(game.roles):
        plain = MaxN(game, config=MaxNConfig(prune=False)).search(game.initial(), role, AMPLE)
        pruned = MaxN(game, config=MaxNConfig(sum_of_goals=100)).search(game.initial(), role, AMPLE)
        assert plain.value == pruned.value == exact.values[game.roles[seat]]
        assert pruned.nodes <= plain.nodes


def test_pruning_saves_work_in_tictactoe() -> None:
    game = load_game("tictactoe", "compiled")
    state = list(game.playout(3))[2]
    plain = MaxN(game, config=MaxNConfig(prune=False)).search(state, game.roles[0], AMPLE)
    pruned = MaxN(game, config=MaxNConfig(sum_of_goals=100)).search(state, game.roles[0], AMPLE)
    assert plain.value == pruned.value
    assert pruned.nodes < plain.nodes


def test_nature_draws_evenly() -> None:
    game = CompiledGame(parse_kif(DICE), "dice")
    found = MaxN(game).search(game.initial(), game.roles[1], AMPLE)
    assert str(found.move) == "throw"
    assert found.value == pytest.approx(140 / 3, abs=1)


def test_at_once_the_others_know_our_move_but_want_their_own_good() -> None:
    """Both gain by pushing, so both push: the paranoid reading would not trust the other."""
    game = CompiledGame(parse_kif(DOOR), "door")
    found = MaxN(game).search(game.initial(), game.roles[0], AMPLE)
    assert (str(found.move), found.value) == ("push", 100)


def test_budgets_and_evaluations() -> None:
    game = load_game("chinese_checkers", "compiled")
    search = MaxN(game, PlayoutMean(1, max_steps=10))
    found = search.search(game.initial(), game.roles[0], Budget(nodes=300))
    assert found.move in game.initial().legal(game.roles[0])
    assert found.nodes <= 300
    assert not found.proven
    again = MaxN(game, PlayoutMean(1, max_steps=10)).search(game.initial(), game.roles[0], Budget(nodes=300))
    assert (again.move, again.nodes, again.choices) == (found.move, found.nodes, found.choices)
    over = list(game.playout(0))[-1]
    if over.is_terminal:
        with pytest.raises(GameError):
            search.search(over, game.roles[0], AMPLE)


def test_endless_games_do_not_exhaust_the_stack() -> None:
    game = ReferenceGame(parse_kif(CIRCLE), "circle")
    found = MaxN(game).search(game.initial(), game.roles[0], AMPLE)
    assert not found.proven
    assert found.depth > 50
