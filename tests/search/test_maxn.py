"""MaxN: each for itself, against exact solving and by hand; pruning changes the cost and not the value."""

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.search import AlphaBeta, Budget, MaxN, MaxNConfig, PlayoutMean, solve
from tests.search.test_exact import DICE, THREE
from tests.small_games import CIRCLE, DOOR

AMPLE = Budget(nodes=1_000_000)


@pytest.mark.spec("evaluation-functions", 56)
def test_three_players_each_for_itself() -> None:
    game = CompiledGame(parse_kif(THREE), "three")
    found = MaxN(game).search(game.initial(), game.roles[0], AMPLE)
    assert (str(found.move), found.value, found.proven, found.depth) == ("right", 45, True, 3)
    assert {str(choice.move): choice.value for choice in found.choices} == {"left": 40, "right": 45}
    paranoid = AlphaBeta(game).search(game.initial(), game.roles[0], AMPLE)
    assert (str(paranoid.move), paranoid.value) == ("left", 5), "against all others left is worth 5, right 0"


@pytest.mark.long
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


@pytest.mark.spec("evaluation-functions", 56)
def test_at_once_the_others_know_our_move_but_want_their_own_good() -> None:
    """Both gain by pushing, so both push: the paranoid reading would not trust the other."""
    game = CompiledGame(parse_kif(DOOR), "door")
    found = MaxN(game).search(game.initial(), game.roles[0], AMPLE)
    assert (str(found.move), found.value) == ("push", 100)
    assert not found.claims_something, "that the other knows our move is a reading"


PENNIES = """
; The matcher wins where both show the same side: even by mixing, and lost where the other knows our move.
(role matcher) (role other)
(side heads) (side tails)
(init begin)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next same) (does matcher (show ?s)) (does other (show ?s)))
(<= (next shown) (true begin))
(<= terminal (true shown))
(<= (goal matcher 100) (true same)) (<= (goal matcher 0) (not (true same)))
(<= (goal other 0) (true same)) (<= (goal other 100) (not (true same)))
"""


@pytest.mark.parametrize("prune", [True, False])
def test_nothing_is_proven_where_several_choose_at_once(prune: bool) -> None:
    """At once, or one step later: the search ends all the same as soon as it has seen all ends."""
    later = PENNIES.replace("(init begin)", "(init wait) (<= (next begin) (true wait))")
    later = later.replace("(role ?r) (side ?s))", "(role ?r) (side ?s) (true begin))")
    later += "(<= (legal ?r noop) (role ?r) (true wait)) (<= (legal other nothing) (true wait))"
    for text, depth in ((PENNIES, 1), (later, 2)):
        game = CompiledGame(parse_kif(text), "pennies")
        for role in game.roles:
            found = MaxN(game, config=MaxNConfig(prune=prune)).search(game.initial(), role, AMPLE)
            assert (found.proven, found.depth) == (False, depth)
            assert not any(choice.proven for choice in found.choices)


KINGMAKER = """
; The third chooses who of the other two wins, and gets nothing itself.
(role one) (role two) (role third)
(init begin)
(legal one noop) (legal two noop) (legal third (crown one)) (legal third (crown two))
(<= (next (king ?r)) (does third (crown ?r)))
(<= terminal (true (king ?r)))
(<= (goal ?r 100) (true (king ?r)))
(<= (goal ?r 0) (role ?r) (not (true (king ?r))))
"""


def test_a_choice_among_equals_proves_nothing_for_the_others() -> None:
    game = CompiledGame(parse_kif(KINGMAKER), "kingmaker")
    claims = [MaxN(game).search(game.initial(), role, AMPLE).claims_something for role in game.roles]
    assert claims == [False, False, True], "the third knows what each of its moves brings itself"


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
