"""Strategy trees: the positions of the two lost games, trees against an engine, and against exact solving."""

from __future__ import annotations

import pytest

from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.search.exact import solve
from ludorum.solve.horizon import HiddenInformationError, OutOfTime
from ludorum.solve.strategy_search import (
    StrategyFault,
    StrategyNode,
    StrategySearch,
    check_strategy_tree,
    find_strategy,
    settle_first_moves,
)

from ..small_games import COIN, DOOR
from .boards import BEFORE_TURN_5, BEFORE_TURN_7, SECOND_BEFORE_TURN_2, SECOND_BEFORE_TURN_4, board
from .test_temporal import HELPERS

ENOUGH = Budget(seconds=600)

RACE = """
; Who says four wins: three players count in turn, by one or two.
(role a) (role b) (role c)
(follows a b) (follows b c) (follows c a)
(add 0 1 1) (add 1 1 2) (add 2 1 3) (add 3 1 4) (add 0 2 2) (add 1 2 3) (add 2 2 4)
(init (count 0)) (init (control a))
(<= (legal ?r (say ?n)) (true (control ?r)) (true (count ?m)) (add ?m ?n ?sum))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (count ?sum)) (does ?r (say ?n)) (true (count ?m)) (add ?m ?n ?sum))
(<= (next (control ?q)) (true (control ?r)) (follows ?r ?q))
(<= (next (last ?r)) (true (control ?r)))
(<= terminal (true (count 4)))
(<= (goal ?r 100) (true (last ?r)))
(<= (goal ?r 0) (role ?r) (not (true (last ?r))))
"""


EVERYWHERE = {f"(mark {row} {column})" for row in "123" for column in "123"}


def mover(state: State) -> Term:
    return next(role for role in state.game.roles if len(state.legal(role)) > 1)


def settled(state: State, value: int) -> StrategySearch:
    assert state.game.rules is not None
    search = settle_first_moves(state.game.rules, state.facts(), mover(state), value, ENOUGH)
    assert search.is_settled
    assert set(search.verdicts) == set(state.legal(search.role))
    for verdict in search.verdicts.values():
        assert (verdict.strategy is not None) == verdict.holds
        if verdict.strategy is not None:
            assert check_strategy_tree(state, search.role, verdict.strategy, value) >= 1
            assert verdict.strategy.depth <= verdict.depth
    return search


def held(search: StrategySearch) -> set[str]:
    return {str(move) for move, verdict in search.verdicts.items() if verdict.holds}


@pytest.mark.spec("asp-player", 37)
@pytest.mark.parametrize(
    ("text", "who", "value", "moves"),
    [
        (*BEFORE_TURN_5, 50, {"(mark 2 1)", "(mark 2 3)", "(mark 3 1)", "(mark 3 3)"}),
        (*BEFORE_TURN_5, 100, set()),
        (*BEFORE_TURN_7, 50, set()),
        (*SECOND_BEFORE_TURN_4, 50, set()),
        ("o.. .x. ...", "x", 50, EVERYWHERE - {"(mark 1 1)", "(mark 2 2)"}),
        pytest.param(*SECOND_BEFORE_TURN_2, 50, {"(mark 2 2)"}, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_first_moves_that_keep_the_value(text: str, who: str, value: int, moves: set[str]) -> None:
    """The table of section 12.4, each strategy replayed against every answer."""
    state = board(text, who)
    search = settled(state, value)
    assert held(search) == moves
    exact = solve(state.game, state)
    assert exact is not None
    for move in state.legal(search.role):
        choice = next(each for each in exact.decide(state, search.role).choices if each.move is move)
        assert (choice.value >= value) == (str(move) in moves)


@pytest.mark.spec("asp-player", 38)
def test_how_long_a_lost_game_can_last() -> None:
    lost = {
        str(move): verdict.depth
        for move, verdict in settled(board(*SECOND_BEFORE_TURN_4), 50).verdicts.items()
    }
    assert lost.pop("(mark 1 2)") == 4  # until turn 7
    assert set(lost.values()) == {2}


@pytest.mark.spec("asp-player", 37)
def test_one_strategy_is_enough_where_one_is_asked_for() -> None:
    state = board(*BEFORE_TURN_5)
    assert state.game.rules is not None
    search = find_strategy(state.game.rules, state.facts(), mover(state), 50, ENOUGH)
    assert search.strategy is not None
    assert not search.is_settled
    assert check_strategy_tree(state, search.role, search.strategy, 50) == len(list(leaves(search.strategy)))


def leaves(strategy: StrategyNode) -> list[int]:
    """Ends of play below a strategy; what is not mentioned below the last moves ends there."""
    below = [leaf for child in strategy.after.values() for leaf in leaves(child)]
    return below or [1]


def made(text: str) -> State:
    return LiftedGame(parse_kif(text), "made").initial()


def test_several_others_are_one_coalition() -> None:
    """What each of three can force against the others is what looking at everything gives."""
    state = made(RACE)
    assert state.game.rules is not None
    for role in state.game.roles:
        search = settle_first_moves(state.game.rules, state.facts(), role, 100, ENOUGH)
        assert search.is_settled
        assert bool(held(search)) == (coalition_value(state, role) == 100)


def coalition_value(state: State, role: Term) -> int:
    """What a role can force if all others play against it and know its move: by looking at everything."""
    if state.is_terminal:
        return state.goal(role) or 0
    seat = state.game.roles.index(role)
    joints = list(state.joint_moves())
    return max(
        min(coalition_value(state.play(joint), role) for joint in joints if joint[seat] is own)
        for own in state.legal(role)
    )


def test_simultaneous_moves_are_known_to_the_others() -> None:
    state = made(DOOR)
    assert state.game.rules is not None
    search = settle_first_moves(state.game.rules, state.facts(), state.game.roles[0], 100, ENOUGH)
    assert search.is_settled
    assert not held(search)  # the other one need not push


def test_a_game_for_one_is_a_tree_without_branches() -> None:
    state = made(HELPERS)
    assert state.game.rules is not None
    search = find_strategy(state.game.rules, state.facts(), state.game.roles[0], 100, ENOUGH)
    assert search.strategy is not None
    assert search.strategy.nodes == search.strategy.depth == 3
    assert check_strategy_tree(state, state.game.roles[0], search.strategy, 100) == 1


def test_a_strategy_that_lies_is_found_out() -> None:
    state = board(*BEFORE_TURN_5)
    rules = state.game.rules
    assert rules is not None
    strategy = find_strategy(rules, state.facts(), mover(state), 50, ENOUGH).strategy
    assert strategy is not None
    with pytest.raises(StrategyFault, match="not 100"):
        check_strategy_tree(state, mover(state), strategy, 100)
    with pytest.raises(StrategyFault, match="the strategy has no move"):
        check_strategy_tree(state, mover(state), StrategyNode(strategy.move), 50)
    with pytest.raises(StrategyFault, match="not legal"):
        check_strategy_tree(state, mover(state), StrategyNode(Term("noop")), 50)


def test_no_time_is_said() -> None:
    state = board("... ... ...", "x")
    assert state.game.rules is not None
    search = StrategySearch(state.game.rules, state.facts(), mover(state), 50)
    with pytest.raises(OutOfTime):
        search.deepen(Stopwatch(Budget(seconds=0)))
    cut = settle_first_moves(state.game.rules, state.facts(), mover(state), 50, ENOUGH, deepest=2)
    assert (cut.depth, cut.is_settled, cut.strategy) == (2, False, None)


@pytest.mark.spec("asp-player", 6)
def test_hidden_information_is_refused() -> None:
    with pytest.raises(HiddenInformationError, match="random"):
        StrategySearch(parse_kif(COIN), (), Term("guesser"), 100)
