"""Beyond what circuits rely on (one legal move a role): answered as the reference does, or refused."""

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

from ludorum.engine import LiftedGame
from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError, IllegalMoveError
from ludorum.engine.game import Game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Ruleset
from tests.engine.kernel_games import KERNELS, MODES, compile_here, with_kernel

ODD = """
; Blue runs out of moves before the end, red may move after it; goals are none, one, several, no number.
(role red) (role blue)
(init (step 0)) (init (fuel 2))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (less 2 1) (less 1 0)
(<= (legal red (walk ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal red rest) (true (step 1)))
(<= (legal blue (burn ?n)) (true (fuel ?m)) (less ?m ?n))
(<= (legal blue rest) (true (step 1)))
(<= (legal blue wait) (true (step 3)))
(<= (next (step ?n)) (does red (walk ?n)))
(<= (next (step ?n)) (true (step ?n)) (does red rest))
(<= (next (fuel ?n)) (does blue (burn ?n)))
(<= (next (fuel ?n)) (true (fuel ?n)) (not burnt))
(<= burnt (does blue (burn ?n)))
(<= (sees blue (red_did ?m)) (does red ?m))
(<= terminal (true (step 3)))
(<= (goal red 100) (true (step 3)))
(<= (goal red 50) (true (step 2)))
(<= (goal red 60) (true (step 2)) (not (true (fuel 2))))
(<= (goal blue much) (true (fuel 0)))
(<= (goal blue 7) (true (fuel 1)))
"""

STUCK = "((step 0) (fuel 0))"  # blue has nothing to burn
OVER = "((step 3) (fuel 1))"
SEVERAL = "((step 2) (fuel 1))"
STATES = [
    f"((step {step}){fuel})" for step in range(5) for fuel in ("", " (fuel 0)", " (fuel 1)", " (fuel 2)")
] + ["()", "((step 0) (step 3) (fuel 1) (fuel 2))"]  # also such as no play leads to


@cache
def game_of(engine: str) -> Game:
    rules = parse_kif(ODD)
    if engine in KERNELS:
        return with_kernel(compile_here(rules, "odd"), engine)
    makers: dict[str, Callable[[Ruleset, str], Game]] = {
        "reference": ReferenceGame,
        "lifted": LiftedGame,
        "compiled": CompiledGame,
        "auto": AutoGame,
    }
    game = makers[engine](rules, "odd")
    if isinstance(game, AutoGame):
        assert game.wait(60)
    return game


ENGINES = ("lifted", "compiled", "auto", *KERNELS)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", STATES)
def test_every_state_is_answered_as_the_reference_answers(engine: str, text: str) -> None:
    ours, theirs = game_of(engine).parse_state(text), game_of("reference").parse_state(text)
    assert ours.facts() == theirs.facts()
    assert ours.is_terminal == theirs.is_terminal
    for role in theirs.game.roles:
        assert ours.legal(role) == theirs.legal(role)
        assert ours.goal_terms(role) == theirs.goal_terms(role)
    assert ours.goals() == theirs.goals()
    assert list(ours.joint_moves()) == list(theirs.joint_moves())
    # Also where the game is over: rules may have moves there, and a next state.
    for joint in product(*(theirs.legal(role) for role in theirs.game.roles)):
        after, expected = ours.play(joint), theirs.play(joint)
        assert after == expected
        assert [after.percepts(role) for role in theirs.game.roles] == [
            expected.percepts(role) for role in theirs.game.roles
        ]


@pytest.mark.parametrize("engine", ["reference", "lifted", "compiled", "auto"])
@pytest.mark.parametrize(
    ("state", "joint", "why"),
    [
        (STUCK, ["(walk 1)", "(burn 0)"], r"\(burn 0\) is not legal for blue"),
        (STUCK, ["(walk 1)", "wait"], "wait is not legal for blue"),
        (STUCK, ["(walk 2)", "wait"], r"\(walk 2\) is not legal for red"),
        (OVER, ["rest", "wait"], "rest is not legal for red"),
        (OVER, ["wait", "rest"], "wait is not legal for red"),
        (OVER, ["(walk 4)", "(walk 4)"], r"\(walk 4\) is not legal for blue"),
        (OVER, ["(fly 9)", "wait"], r"\(fly 9\) is not legal for red"),
        (STUCK, ["(walk 1)"], "1 moves for 2 roles"),
        (STUCK, [], "0 moves for 2 roles"),
        (OVER, ["(walk 4)", "wait", "wait"], "3 moves for 2 roles"),
    ],
)
def test_illegal_joint_moves_are_refused(engine: str, state: str, joint: list[str], why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why):
        game_of(engine).parse_state(state).play([parse_term(move) for move in joint])


RED, BLUE, GHOST = (parse_term(name) for name in ("red", "blue", "ghost"))
WALK, REST, WAIT, BURN = (parse_term(text) for text in ("(walk 1)", "rest", "wait", "(burn 1)"))


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ([(RED, WALK)], "needs a move of blue"),
        ([], "needs a move of red"),
        ([(RED, WALK), (BLUE, BURN), (RED, REST)], r"red cannot do both \(walk 1\) and rest"),
        ([(RED, WALK), (BLUE, BURN), (GHOST, REST)], "ghost is no role of odd"),
        ([(RED, REST), (BLUE, BURN)], "rest is not legal for red"),
    ],
)
def test_a_circuit_has_no_successor_under_other_than_joint_moves(
    does: list[tuple[object, object]], why: str
) -> None:
    facts = game_of("reference").initial().facts()
    with pytest.raises(GameError, match=why):
        game_of("compiled").successor(facts, does)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "does", [[(RED, WALK)], [], [(RED, WALK), (BLUE, BURN), (RED, REST)], [(RED, REST), (BLUE, BURN)]]
)
def test_the_others_answer_for_any_moves(does: list[tuple[object, object]]) -> None:
    reference = game_of("reference")
    facts = reference.initial().facts()
    expected, seen = reference.successor(facts, does)  # type: ignore[arg-type]
    for engine in ("lifted", "auto"):
        found, percepts = game_of(engine).successor(facts, does)  # type: ignore[arg-type]
        assert found == expected
        assert {role: own for role, own in percepts.items() if own} == {
            role: own for role, own in seen.items() if own
        }


# -- batches -------------------------------------------------------------------------------------------------


def batch(*texts: str) -> tuple[CompiledGame, np.ndarray[tuple[int, int], np.dtype[np.uint8]]]:
    game = game_of("compiled")
    assert isinstance(game, CompiledGame)
    rows = b"".join(game.parse_state(text).bits for text in texts)  # type: ignore[attr-defined]
    return game, np.frombuffer(rows, np.uint8).reshape(len(texts), -1)


def numbers(game: CompiledGame, *joints: tuple[str, str]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    found = [game.move_numbers([parse_term(move) for move in joint]) for joint in joints]
    return np.array(found, np.int32)


def test_a_batch_with_an_illegal_move_is_refused_and_the_move_is_named() -> None:
    game, states = batch(OVER, STUCK)
    simulator = game.simulator()
    good = numbers(game, ("(walk 4)", "wait"), ("(walk 1)", "(burn 0)"))
    with pytest.raises(IllegalMoveError, match=r"row 1: \(burn 0\) is not legal for blue"):
        simulator.step(states, good)
    with pytest.raises(IllegalMoveError, match=r"row 1: \(burn 0\) is not legal for blue"):
        simulator.percepts(states, good)
    after = simulator.step(states[:1], good[:1])
    assert [str(state) for state in simulator.unpack(after)] == ["((fuel 1) (step 4))"]


def test_a_batch_without_a_move_of_some_role_is_refused() -> None:
    game, states = batch(OVER)
    joint = numbers(game, ("(walk 4)", "wait"))
    with pytest.raises(IllegalMoveError, match="row 0: blue has no move of number -1"):
        game.simulator().step(states, np.array([[joint[0, 0], -1]], np.int32))
    with pytest.raises(IllegalMoveError, match="row 0: blue has no move of number"):
        game.simulator().step(states, joint[:, [0, 0]])
    with pytest.raises(ValueError, match="a row for each state and a column for each role"):
        game.simulator().step(states, joint[:, :1])


def test_a_block_is_clean_after_a_refusal() -> None:
    game, states = batch(*[STUCK] * 700)
    simulator = game.simulator()
    with pytest.raises(IllegalMoveError):
        simulator.step(states, np.tile(numbers(game, ("(walk 1)", "wait")), (700, 1)))
    over = np.tile(batch(OVER)[1], (700, 1))
    after = simulator.step(over, np.tile(numbers(game, ("(walk 4)", "wait")), (700, 1)))
    assert {str(state) for state in simulator.unpack(after)} == {"((fuel 1) (step 4))"}


def test_batches_say_of_odd_states_what_states_say() -> None:
    game, states = batch(*STATES)
    simulator = game.simulator()
    legal, terminal, goals = simulator.legal_moves(states), *simulator.expand(states)[1:]
    for at, text in enumerate(STATES):
        state = game.parse_state(text)
        own = {game.circuit.moves[number] for number in np.flatnonzero(legal[at]).tolist()}
        assert own == {(seat, move) for seat, role in enumerate(game.roles) for move in state.legal(role)}
        assert terminal[at] == state.is_terminal
        assert [None if goal < 0 else goal for goal in goals[at].tolist()] == list(state.goals())


def test_stuck_and_finished_states_have_no_successors() -> None:
    game, states = batch(STUCK, OVER, "((step 0) (fuel 1))")
    _, parents, _ = game.simulator().successors(states)
    assert parents.tolist() == [2]


def test_random_play_from_stuck_and_finished_states_ends_there() -> None:
    game, states = batch(OVER, STUCK, SEVERAL)
    sums = game.simulator().playouts_from(states, 4)
    assert sums.tolist()[0] == [400, 28]
    assert sums.tolist()[1] == [0, 0]
    assert game.simulator().playouts(1000).stuck + game.simulator().playouts(1000).playouts > 0


def test_a_game_that_is_over_at_the_start_is_played_at_once() -> None:
    rules = parse_kif(
        "(role r) (init a) (legal r go) (<= (next a) (true a)) (<= terminal (true a)) (goal r 3)"
    )
    game = compile_here(rules)
    assert game.single.playouts(seconds=0.05)["goal_sums"][0] > 0
    found = game.simulator().playouts(1000)
    assert (found.playouts, found.steps, found.stuck) == (1000, 0, 0)
    assert found.goals[game.roles[0]] == 3.0


def test_a_game_without_any_move_is_stuck_at_once() -> None:
    rules = parse_kif("(role r) (init a) (<= (legal r go) (true b)) (<= terminal (true c)) (goal r 3)")
    game = compile_here(rules)
    assert game.single.playouts(100)["stuck"] == 100
    assert game.simulator().playouts(100).stuck == 100
    assert list(game.initial().joint_moves()) == []


TWO_VALUES = """
; Whoever goes left has two values, which are none: random play must not add them up.
(role a) (role b)
(init start)
(legal a left) (legal a right) (legal b rest)
(<= (next at_left) (does a left)) (<= (next at_right) (does a right))
(<= terminal (true at_left)) (<= terminal (true at_right))
(goal a 50)
(<= (goal a 100) (true at_left))
(goal b 30)
"""


def test_two_values_at_the_end_count_as_none() -> None:
    game = compile_here(parse_kif(TWO_VALUES))
    a, b = game.roles
    found = game.simulator().playouts(1000, seed=1)
    right = found.histogram[a].pop(50)
    assert 400 < right < 600
    assert not any(found.histogram[a].values())
    assert found.goals == {a: 50 * right / 1000, b: 30.0}
    sums = game.simulator().playouts_from(game.simulator().pack([game.initial()]), 1000)
    assert sums[0, 1] == 30 * 1000
    assert 400 < sums[0, 0] / 50 < 600


@pytest.mark.parametrize("kernel", MODES)
def test_two_values_at_the_end_of_a_single_game_count_as_none(kernel: str) -> None:
    game = compile_here(parse_kif(TWO_VALUES))
    found = game.make_single(kernel).playouts(1000, seed=1)
    goals = [(role, value) for role, value, _ in game.circuit.goals]
    counts = dict(zip(goals, found["goal_counts"], strict=True))
    assert (counts[0, 100], counts[1, 30]) == (0, 1000)
    assert 400 < counts[0, 50] < 600
    assert found["goal_sums"] == [50 * counts[0, 50], 30 * 1000]
