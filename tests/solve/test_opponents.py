"""Models of opponents, improbable moves, safety one step ahead, losses that can be helped and that cannot."""

from __future__ import annotations

from collections import Counter

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.game import State
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.solve.opponents import (
    EPSILON,
    Danger,
    OpponentModel,
    Opponents,
    danger_of,
    moves_that_let_win,
    moves_to_make,
    own_goal_moves,
)
from ludorum.solve.strategy_search import StrategySearch, settle_first_moves

from .boards import BEFORE_TURN_5, BEFORE_TURN_7, SECOND_BEFORE_TURN_4, board

ENOUGH = Budget(seconds=600)
X, O = Term("xplayer"), Term("oplayer")  # noqa: E741
CAN_WIN = ("oo. xx. ...", "o")
MUST_BLOCK = ("xx. o.. ...", "o")
CANNOT_BLOCK = ("xx. xo. ..o", "o")  # (1 3) and (3 1)


def texts(moves: object) -> set[str]:
    return {str(move) for move in moves}  # type: ignore[attr-defined]


def seen_by(state: State, role: Term, model: OpponentModel) -> Opponents:
    assert state.game.rules is not None
    return Opponents(state.game.rules, role, model)


@pytest.mark.spec("asp-player", 34)
def test_those_who_help_may_do_anything() -> None:
    state = board(*CAN_WIN)
    weights = seen_by(state, X, OpponentModel.COOPERATIVE).weights(state)
    assert texts(move for (move,) in weights) == texts(state.legal(O))
    assert set(weights.values()) == {1.0}


@pytest.mark.spec("asp-player", 34)
def test_those_who_look_at_their_own_goal() -> None:
    """At once only one move wins; in three moves, all others helping, every move still does."""
    state = board(*CAN_WIN)
    assert state.game.rules is not None
    assert texts(own_goal_moves(state.game.rules, state.facts(), O, 1)) == {"(mark 1 3)"}
    assert texts(own_goal_moves(state.game.rules, state.facts(), O, 3)) == texts(state.legal(O))
    model = Opponents(state.game.rules, X, OpponentModel.OWN_GOAL, horizon=1)
    assert texts(move for (move,) in model.weights(state)) == {"(mark 1 3)"}


@pytest.mark.spec("asp-player", 34)
@pytest.mark.parametrize(
    ("position", "moves"),
    [(CAN_WIN, {"(mark 1 3)"}), (MUST_BLOCK, {"(mark 1 3)"}), (CANNOT_BLOCK, None)],
)
def test_plausible_ones_win_and_block(position: tuple[str, str], moves: set[str] | None) -> None:
    state = board(*position)
    weights = seen_by(state, X, OpponentModel.PLAUSIBLE).weights(state)
    assert texts(move for (move,) in weights) == (moves or texts(state.legal(O)))


@pytest.mark.spec("asp-player", 34)
def test_paranoid_ones_may_do_anything_and_the_worst_counts() -> None:
    state = board(*CAN_WIN)
    model = seen_by(state, X, OpponentModel.PARANOID)
    assert model.worst_counts
    assert not seen_by(state, X, OpponentModel.SAMPLED).worst_counts
    assert len(model.weights(state)) == len(state.legal(O))


@pytest.mark.spec("asp-player", 34)
def test_sampled_ones_draw_by_weight_and_seed() -> None:
    state = board(*CAN_WIN)
    model = seen_by(state, X, OpponentModel.SAMPLED)
    drawn = [model.sample(state, chooser)[0] for chooser in [SplitMix64(5)] for _ in range(1000)]
    again = [model.sample(state, chooser)[0] for chooser in [SplitMix64(5)] for _ in range(1000)]
    assert drawn == again
    counts = Counter(map(str, drawn))
    assert counts["(mark 1 3)"] > 900
    assert len(counts) > 1


@pytest.mark.spec("asp-player", 35)
@pytest.mark.parametrize("position", [CAN_WIN, MUST_BLOCK])
def test_a_missed_win_and_a_missed_block_are_improbable(position: tuple[str, str]) -> None:
    state = board(*position)
    model = seen_by(state, X, OpponentModel.SAMPLED)
    rest = len(state.legal(O)) - 1
    weights = {str(move): weight for (move,), weight in model.weights(state).items()}
    assert sum(weights.values()) == pytest.approx(1.0)
    assert weights.pop("(mark 1 3)") == pytest.approx(1 / (1 + rest * EPSILON))
    assert list(weights.values()) == pytest.approx([EPSILON / (1 + rest * EPSILON)] * rest)
    assert {model.weight(state, (move,)) for move in state.legal(O)} == {1.0, EPSILON}


@pytest.mark.spec("asp-player", 35)
@pytest.mark.parametrize("position", [CANNOT_BLOCK, ("x.. .o. ...", "x"), ("x.. .o. ..x", "o")])
def test_where_nothing_can_be_done_nothing_is_improbable(position: tuple[str, str]) -> None:
    state = board(*position)
    other = X if position[1] == "x" else O
    model = seen_by(state, O if other is X else X, OpponentModel.SAMPLED)
    assert model.improbable(state, other) == frozenset()


@pytest.mark.spec("asp-player", 36)
@pytest.mark.parametrize(
    ("position", "safe"),
    [
        (MUST_BLOCK, {"(mark 1 3)"}),
        (("xx. oo. ...", "x"), {"(mark 1 3)", "(mark 2 3)"}),
        (BEFORE_TURN_5, None),
        (SECOND_BEFORE_TURN_4, {"(mark 1 2)"}),
    ],
)
def test_no_win_in_one_is_allowed_where_it_can_be_helped(
    position: tuple[str, str], safe: set[str] | None
) -> None:
    """Asked of the engine and of the solver."""
    state = board(*position)
    role = X if position[1] == "x" else O
    unsafe = seen_by(state, role, OpponentModel.SAMPLED).unsafe_moves(state)
    assert texts(set(state.legal(role)) - unsafe) == (safe or texts(state.legal(role)))
    assert state.game.rules is not None
    solved = moves_that_let_win(state.game.rules, state.facts(), role, state.legal(role), ENOUGH)
    assert solved == unsafe


@pytest.mark.spec("asp-player", 36)
def test_where_every_move_allows_it_none_is_blamed() -> None:
    state = board(*CANNOT_BLOCK)
    assert seen_by(state, O, OpponentModel.SAMPLED).unsafe_moves(state) == frozenset()


def settled(position: tuple[str, str], value: int) -> StrategySearch:
    state = board(*position)
    assert state.game.rules is not None
    role = X if position[1] == "x" else O
    return settle_first_moves(state.game.rules, state.facts(), role, value, ENOUGH)


@pytest.mark.spec("asp-player", 38)
def test_forced_and_inaction() -> None:
    """The second lost game before turn 4: all loses, (1 2) lasts longest. The first: one move is an error."""
    forced = settled(SECOND_BEFORE_TURN_4, 50)
    assert danger_of(forced) is Danger.FORCED
    assert texts(moves_to_make(forced)) == {"(mark 1 2)"}
    careless = settled(BEFORE_TURN_5, 50)
    assert danger_of(careless) is Danger.INACTION
    assert "(mark 1 3)" not in texts(moves_to_make(careless))
    assert len(moves_to_make(careless)) == 4
    assert danger_of(settled(BEFORE_TURN_7, 50)) is Danger.FORCED
    assert danger_of(settled(BEFORE_TURN_7, 0)) is Danger.SAFE


def test_what_is_not_settled_is_not_judged() -> None:
    state = board("... ... ...", "x")
    assert state.game.rules is not None
    search = settle_first_moves(state.game.rules, state.facts(), X, 50, ENOUGH, deepest=1)
    assert danger_of(search) is Danger.UNKNOWN
    assert set(moves_to_make(search)) == set(state.legal(X))
