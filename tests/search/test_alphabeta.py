"""Alpha-beta: exact values of small games, agreement of both cores, budgets, and what is kept."""

import threading
import time
from functools import cache, reduce
from itertools import product
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game, State, random_states
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from ludorum.search import AlphaBeta, AlphaBetaConfig, Budget, Decision, FactWeights, PlayoutMean
from tests.how_much import sample
from tests.library_games import compiled_game
from tests.search.small_boards import breakthrough, connect_four, dots_and_boxes_2
from tests.small_games import CIRCLE, DOOR

AMPLE = Budget(nodes=50_000_000)
DEEP = AlphaBetaConfig(first_depth=40, any_win=True)
"""For proofs of games that end by themselves: rounds before the last would only cost."""


def prove(
    game: Game, state: State | None = None, seat: int = 0, config: AlphaBetaConfig | None = None
) -> Decision:
    return AlphaBeta(game, None, config).search(state or game.initial(), game.roles[seat], AMPLE)


# ------------------------------------------------------------------------------------------ exact values


def test_tictactoe_is_a_draw() -> None:
    for seat in (0, 1):
        found = prove(compiled_game("tictactoe"), seat=seat)
        assert (found.value, found.proven, found.depth) == (50, True, 9)
    assert len(prove(compiled_game("tictactoe")).line) == 9


def test_all_replies_in_tictactoe() -> None:
    """To a mark in the corner only the centre does not lose; to one on a side there are five ways."""
    game = compiled_game("tictactoe")
    x, o = game.roles
    moves = {str(move): move for move in game.initial().legal(x)}
    noop = game.initial().legal(o)[0]
    for first, good in (
        ("(mark 1 1)", {"(mark 2 2)"}),
        ("(mark 2 2)", {"(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"}),
        ("(mark 1 2)", {"(mark 1 1)", "(mark 1 3)", "(mark 2 2)", "(mark 3 2)"}),
    ):
        state = game.initial().play([moves[first], noop])
        found = AlphaBeta(game, None, AlphaBetaConfig(every_value=True)).search(state, o, AMPLE)
        assert all(choice.proven for choice in found.choices)
        assert {str(choice.move) for choice in found.choices if choice.value == 50} == good
        assert {choice.value for choice in found.choices} == {0, 50}


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "value"), [(4, 4, 50), (5, 4, 50)])
def test_small_connect_four_has_the_published_value(width: int, height: int, value: int) -> None:
    """John Tromp's table of connect four on small boards, https://tromp.github.io/c4/c4.html."""
    found = prove(connect_four(width, height), config=DEEP)
    assert (found.value, found.proven) == (value, True)


@pytest.mark.slow
def test_breakthrough_four_by_five_is_lost_for_white() -> None:
    """About as far as a minute goes."""
    found = prove(breakthrough(4, 5), config=DEEP)
    assert (found.value, found.proven) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "value"), [(5, 5, 50), (6, 4, 0)])
def test_larger_connect_four_has_the_published_value(width: int, height: int, value: int) -> None:
    found = prove(connect_four(width, height), config=DEEP)
    assert (found.value, found.proven) == (value, True)


def nim_position(heaps: tuple[int, ...], player: str) -> State:
    facts = " ".join(f"(heap {name} {size})" for name, size in zip("abcd", heaps, strict=True))
    return compiled_game("nim").parse_state(f"({facts} (control {player}))")


def test_nim_is_won_where_the_sum_is_not_zero() -> None:
    """Bouton (1901), in every position, for who is on turn and for who is not."""
    game = compiled_game("nim")
    searches = [AlphaBeta(game, None, DEEP) for _ in game.roles]
    for heaps in product(range(2), range(4), range(6), range(8)):
        if not any(heaps):
            continue
        won = 100 if reduce(xor, heaps) else 0
        for seat, expected in ((0, won), (1, 100 - won)):
            found = searches[seat].search(nim_position(heaps, "left"), game.roles[seat], AMPLE)
            assert (found.value, found.proven) == (expected, True), heaps


def dots_and_boxes_value() -> int:
    """The boxes the first player is ahead by on two by two boxes, by a program that knows no rule sheet."""
    horizontal = {(x, y): 2 * y + x for x in range(2) for y in range(3)}
    vertical = {(x, y): 6 + 3 * y + x for x in range(3) for y in range(2)}
    boxes = [
        1 << horizontal[x, y] | 1 << horizontal[x, y + 1] | 1 << vertical[x, y] | 1 << vertical[x + 1, y]
        for x in range(2)
        for y in range(2)
    ]

    @cache
    def lead(drawn: int) -> int:
        """Of the player on turn, over what is left."""
        best = -4 if drawn != 2**12 - 1 else 0
        for line in range(12):
            after = drawn | 1 << line
            if after == drawn:
                continue
            gain = sum(box & after == box and box & drawn != box for box in boxes)
            best = max(best, gain + lead(after) if gain else -lead(after))
        return best

    return lead(0)


def test_dots_and_boxes_on_two_by_two() -> None:
    lead = dots_and_boxes_value()
    game = dots_and_boxes_2()
    for seat in (0, 1):
        found = prove(game, seat=seat)
        own = lead if seat == 0 else -lead
        assert (found.value, found.proven) == (50 + 50 * (own > 0) - 50 * (own < 0), True)


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), sample([(3, 4), (3, 5), (5, 4)], 2))
def test_small_breakthrough_is_lost_for_white(width: int, height: int) -> None:
    game = breakthrough(width, height)
    white, black = (prove(game, seat=seat) for seat in (0, 1))
    assert (white.value, white.proven) == (0, True)
    assert (black.value, black.proven) == (100, True)


# ------------------------------------------------------------------------------------------ quick wins


RACE = """
; Walk to the goal by the short way or the long one; the other only watches, or trips you when you linger.
(role walker) (role watcher)
(init (at start)) (init (turn walker))
(way start near short) (way start far long) (way far near back) (way near home step) (way far far linger)
(<= (legal walker ?how) (true (turn walker)) (true (at ?x)) (way ?x ?y ?how))
(<= (legal walker wait) (true (turn watcher)))
(<= (legal watcher wait))
(<= (next (at ?y)) (does walker ?how) (true (at ?x)) (way ?x ?y ?how))
(<= (next (at ?x)) (does walker wait) (true (at ?x)))
(<= (next (turn watcher)) (true (turn walker)))
(<= (next (turn walker)) (true (turn watcher)))
(<= terminal (true (at home)))
(<= (goal walker 100) (true (at home)))
(<= (goal walker 0) (not (true (at home))))
(<= (goal watcher 0) (true (at home)))
(<= (goal watcher 100) (not (true (at home))))
"""


@pytest.mark.parametrize("is_compiled", [True, False])
def test_the_quick_win_is_taken(is_compiled: bool) -> None:
    game = CompiledGame(parse_kif(RACE), "race")
    found = prove(game, config=AlphaBetaConfig(compiled=is_compiled, every_value=True, max_depth=12))
    assert str(found.move) == "short"
    assert found.value == 100
    assert [str(joint[0]) for joint in found.line] == ["short", "wait", "step"]


def test_a_lost_game_is_drawn_out() -> None:
    """From nim sums of zero every move loses; the best takes one stick and so lasts longest."""
    found = prove(compiled_game("nim"), config=AlphaBetaConfig(every_value=True))
    assert found.value == 0
    assert str(found.move).endswith(" 1)")


# ------------------------------------------------------------------------------------------ the twins


def outcome(decision: Decision) -> tuple[object, ...]:
    return decision.nodes, decision.depth, decision.proven, decision.choices, decision.line


GAMES = {
    "tictactoe": 6,
    "nim": 8,
    "connect_four": 4,
    "dots_and_boxes": 3,
    "breakthrough": 3,
    "tron": 4,
    "rock_paper_scissors": 3,
    "othello": 4,
    "chinese_checkers": 2,
}


@pytest.mark.parametrize("name", sample(GAMES, 2))
@pytest.mark.parametrize("evaluation", [None, PlayoutMean(2, seed=7)], ids=["draw", "playouts"])
def test_both_cores_visit_the_same_nodes(name: str, evaluation: PlayoutMean | None) -> None:
    game = compiled_game(name)
    for seat, role in enumerate(game.roles):
        state = list(game.playout(seed=seat))[seat]
        answers = [
            AlphaBeta(game, evaluation, AlphaBetaConfig(max_depth=GAMES[name], compiled=core)).search(
                state, role, Budget(nodes=3000)
            )
            for core in (True, False)
        ]
        assert outcome(answers[0]) == outcome(answers[1])


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    length=st.integers(0, 30),
    depth=st.integers(1, 5),
    nodes=st.integers(1, 2000),
    every=st.booleans(),
    any_win=st.booleans(),
    window=st.sampled_from([0.001, 2.0, 1000.0]),
)
def test_both_cores_agree_anywhere(
    seed: int, length: int, depth: int, nodes: int, every: bool, any_win: bool, window: float
) -> None:
    game = compiled_game("connect_four")
    state = list(zip(range(length + 1), game.playout(seed), strict=False))[-1][1]
    if state.is_terminal:
        return
    answers = [
        AlphaBeta(
            game,
            PlayoutMean(1, seed),
            AlphaBetaConfig(
                max_depth=depth, every_value=every, any_win=any_win, window=window, compiled=core
            ),
        ).search(state, game.roles[seed % 2], Budget(nodes=nodes))
        for core in (True, False)
    ]
    assert outcome(answers[0]) == outcome(answers[1])


def minimax(state: State, role: Term, depth: int) -> float:
    """The plainest reading: the value after so many steps, without distances."""
    if state.is_terminal:
        return float(state.goal(role) or 0)
    if depth == 0:
        return 50.0
    own = state.game.roles.index(role)
    worst: dict[Term, float] = {}
    for joint in state.joint_moves():
        value = minimax(state.play(joint), role, depth - 1)
        worst[joint[own]] = min(worst.get(joint[own], 100.0), value)
    return max(worst.values())


@pytest.mark.spec("evaluation-functions", 55)
@settings(max_examples=40)
@given(name=st.sampled_from(["tictactoe", "connect_four", "tron"]), seed=st.integers(0, 2**32))
def test_values_are_those_of_plain_minimax(name: str, seed: int) -> None:
    """In games whose states tell how many steps were played: elsewhere the table looks further at times."""
    game = compiled_game(name)
    states = [state for state in game.playout(seed) if not state.is_terminal]
    state = states[-1 - seed % min(6, len(states))]
    depth = 2 if name == "tron" else 4
    for role in game.roles:
        found = AlphaBeta(game, None, AlphaBetaConfig(max_depth=depth, every_value=True)).search(
            state, role, AMPLE
        )
        assert round(found.value) == minimax(state, role, depth)


def test_weights_of_facts_need_no_python() -> None:
    game = compiled_game("breakthrough")
    white = game.roles[0]
    ahead = {
        fact: float(str(fact.args[1]))
        for fact in game.circuit.fluents
        if "cell" in str(fact) and fact.args[2] is white
    }
    evaluation = FactWeights({white: ahead}, bias=10.0)
    answers = [
        AlphaBeta(game, used, AlphaBetaConfig(max_depth=3, compiled=core)).search(
            game.initial(), white, AMPLE
        )
        for used, core in (
            (evaluation, True),
            (evaluation, False),
            (lambda state, role: evaluation(state, role), True),
        )
    ]
    assert outcome(answers[0]) == outcome(answers[1]) == outcome(answers[2])
    assert answers[0].value == pytest.approx(10 + 8 + 16 + 2, abs=0.01), (
        "two steps forward are two points more"
    )


def test_quiescence_looks_below_the_horizon() -> None:
    """With a win one step below the horizon, restless states show it and quiet ones do not."""
    game = compiled_game("nim")
    state = nim_position((1, 1, 0, 1), "left")
    shallow = AlphaBetaConfig(max_depth=1)
    for core in (True, False):
        config = AlphaBetaConfig(max_depth=1, compiled=core)
        quiet = AlphaBeta(game, None, config, is_quiet=lambda state: True).search(state, game.roles[0], AMPLE)
        restless = AlphaBeta(game, None, config, is_quiet=lambda state: False).search(
            state, game.roles[0], AMPLE
        )
        assert (quiet.value, quiet.proven) == (50, False)
        assert (restless.value, restless.proven) == (100, True)
    assert AlphaBeta(game, None, shallow).search(state, game.roles[0], AMPLE).value == 50


# ------------------------------------------------------------------------------------------ signature


SIGNATURE = {
    ("tictactoe", 9): 5521,
    ("nim", 15): 9790,
    ("connect_four", 10): 34694,
    ("breakthrough", 6): 25413,
    ("dots_and_boxes", 6): 20237,
}


@pytest.mark.parametrize(("name", "depth"), SIGNATURE)
def test_the_node_count_is_the_signature_of_the_search(name: str, depth: int) -> None:
    """Deterministic: when a count changes, the search has changed."""
    found = prove(compiled_game(name), config=AlphaBetaConfig(max_depth=depth))
    assert found.nodes == SIGNATURE[name, depth]


# ------------------------------------------------------------------------------------------ budgets


def test_a_spent_budget_still_gives_a_legal_move() -> None:
    game = compiled_game("connect_four")
    found = AlphaBeta(game).search(game.initial(), game.roles[0], Budget(nodes=0))
    assert found.move in game.initial().legal(game.roles[0])
    assert (found.depth, found.nodes, found.proven) == (0, 0, False)


@pytest.mark.alone
def test_the_clock_is_kept() -> None:
    game = compiled_game("breakthrough")
    search = AlphaBeta(game)
    began = time.monotonic()
    found = search.search(game.initial(), game.roles[0], Budget(seconds=0.3))
    assert time.monotonic() - began < 1.0
    assert found.depth >= 3


@pytest.mark.alone
def test_an_event_stops_the_search() -> None:
    game = compiled_game("breakthrough")
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    AlphaBeta(game).search(game.initial(), game.roles[0], Budget(stop=stop))
    assert time.monotonic() - began < 2.0


def test_an_unfinished_round_may_improve_the_answer() -> None:
    """However little is spent, the move is never worse than that of the last finished round."""
    game = compiled_game("connect_four")
    red = game.roles[0]
    state = game.parse_state(
        "((control red) (cell 3 1 red) (cell 4 1 red) (cell 5 1 red) (cell 3 2 yellow) (cell 4 2 yellow))"
    )
    for nodes in range(1, 60):
        found = AlphaBeta(game).search(state, red, Budget(nodes=nodes))
        if found.depth >= 1:
            assert str(found.move) in ("(drop 2)", "(drop 6)")
            assert found.value == 100
        assert found.nodes <= nodes


def test_what_was_learnt_is_kept_and_can_be_forgotten() -> None:
    game = connect_four(4, 4)
    search = AlphaBeta(game)
    first, second = (search.search(game.initial(), game.roles[0], AMPLE) for _ in range(2))
    assert second.nodes < first.nodes / 100
    assert second.value == first.value
    search.forget()
    assert search.search(game.initial(), game.roles[0], AMPLE).nodes == first.nodes


def test_a_small_table_changes_the_cost_and_not_the_value() -> None:
    game = connect_four(4, 4)
    small = prove(game, config=AlphaBetaConfig(table_bytes=1 << 14))
    large = prove(game)
    assert (small.value, small.proven) == (large.value, large.proven) == (50, True)
    assert small.nodes > large.nodes


# ------------------------------------------------------------------------------------------ odd games


def test_games_without_an_end_are_left_open() -> None:
    game = ReferenceGame(parse_kif(CIRCLE), "circle")
    found = prove(game, config=AlphaBetaConfig(max_depth=50))
    assert (found.value, found.proven, found.depth) == (50, False, 50)


def test_endless_games_do_not_exhaust_the_stack() -> None:
    game = ReferenceGame(parse_kif(CIRCLE), "circle")
    found = prove(game)
    assert (found.value, found.proven, found.depth) == (50, False, 100)
    endless = CompiledGame(parse_kif(ENDLESS), "endless")
    found = prove(endless, config=AlphaBetaConfig(max_depth=1000))
    assert (found.value, found.proven, found.depth) == (50, False, 1000)


ENDLESS = """
; A walker tries a door that a guard may hold shut for ever.
(role walker) (role guard)
(init inside)
(<= (legal walker try) (true inside))
(<= (legal walker wait) (true inside))
(<= (legal guard hold) (true inside))
(<= (legal guard nod) (true inside))
(<= out (does walker try) (does guard nod))
(<= (next outside) out)
(<= (next inside) (true inside) (not out))
(<= terminal (true outside))
(<= (goal walker 100) (true outside))
(<= (goal walker 0) (not (true outside)))
(<= (goal guard 0) (true outside))
(<= (goal guard 100) (not (true outside)))
"""


def test_where_all_goals_are_the_same_nothing_is_open() -> None:
    found = prove(CompiledGame(parse_kif(CIRCLE), "circle"))
    assert (found.value, found.proven) == (0, True)


@pytest.mark.spec("evaluation-functions", 56)
def test_who_moves_at_once_is_taken_to_know_our_move() -> None:
    """The door opens only if both push: a guarantee nobody can give alone."""
    for game in (CompiledGame(parse_kif(DOOR), "door"), ReferenceGame(parse_kif(DOOR), "door")):
        found = prove(game)
        assert (found.value, found.proven) == (0, True)


def test_a_state_of_another_engine_is_served() -> None:
    lifted = load_game("tictactoe")
    found = AlphaBeta(compiled_game("tictactoe")).search(lifted.initial(), lifted.roles[0], AMPLE)
    assert (found.value, found.proven) == (50, True)
    assert AlphaBeta(lifted).search(lifted.initial(), lifted.roles[0], Budget(nodes=200)).nodes == 200


def test_a_finished_game_is_refused() -> None:
    game = compiled_game("tictactoe")
    over = list(random_states(game.initial(), SplitMix64(1)))[-1]
    with pytest.raises(GameError, match="over"):
        AlphaBeta(game).search(over, game.roles[0], AMPLE)


def test_errors_of_an_evaluation_reach_the_caller() -> None:
    def broken(state: State, role: Term) -> float:
        raise ZeroDivisionError

    game = compiled_game("tictactoe")
    with pytest.raises(ZeroDivisionError):
        AlphaBeta(game, broken).search(game.initial(), game.roles[0], AMPLE)
