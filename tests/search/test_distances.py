"""Estimates of the moves that are left, against the true numbers of all states of small games."""

from collections import deque
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.circuit import evaluate
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.rules.kif import parse_kif
from ludorum.search.distances import Distances
from ludorum.search.goal_formula import NEVER, GoalFormula
from ludorum.search.relaxation import relax
from tests.how_much import FULL
from tests.library_games import compiled_game


def all_states(game: CompiledGame, most: int = 100_000) -> dict[CompiledState, list[CompiledState]]:
    """Every state that play can reach, with those that come after it."""
    first = game.initial()
    after: dict[CompiledState, list[CompiledState]] = {first: []}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        if not state.is_terminal:
            after[state] = [state.play((move,)) for move in state.legal(game.roles[0])]
        for each in after[state]:
            if each not in after:
                after[each] = []
                waiting.append(each)
        assert len(after) <= most
    return after


def true_distances(game: CompiledGame, goal: int) -> dict[CompiledState, float]:
    """The fewest moves from every state to an end with the goal, found from the ends back."""
    after = all_states(game)
    before: dict[CompiledState, list[CompiledState]] = {state: [] for state in after}
    for state, following in after.items():
        for each in following:
            before[each].append(state)
    found = {state: 0.0 for state in after if state.is_terminal and state.goal(game.roles[0]) == goal}
    waiting = deque(found)
    while waiting:
        state = waiting.popleft()
        for each in before[state]:
            if each not in found:
                found[each] = found[state] + 1
                waiting.append(each)
    return {state: found.get(state, inf) for state in after}


def check_steps(game: CompiledGame, goal: int) -> None:
    """The estimate *steps* of all states: never too much, exact at ends, and never falling by more than 1."""
    truth = true_distances(game, goal)
    states = list(truth)
    estimates = Distances(game.circuit, goal).estimate(game.simulator().pack(states))
    steps = dict(zip(states, estimates.steps.tolist(), strict=True))
    for state in states:
        assert steps[state] <= truth[state] or (steps[state] == NEVER and truth[state] == inf)
        assert (steps[state] == 0) == (truth[state] == 0)
    for state, following in all_states(game).items():
        assert all(steps[state] <= steps[each] + 1 for each in following)
    missing = dict(zip(states, estimates.missing.tolist(), strict=True))
    assert all(missing[state] == 0 for state in states if truth[state] == 0)


@pytest.mark.parametrize("name", ["blocks", pytest.param("buttons", marks=pytest.mark.long), "maze"])
def test_no_state_is_nearer_to_the_goal_than_estimated(name: str) -> None:
    check_steps(compiled_game(name), 100)


PLACES = "abcd"


@settings(max_examples=100 if FULL else 8, deadline=None)
@given(
    st.frozensets(st.tuples(st.sampled_from(PLACES), st.sampled_from(PLACES)), min_size=2, max_size=9),
    st.sampled_from(["(true (key {}))", "(not (true (key {})))"]),
    st.sampled_from(PLACES),
    st.integers(2, 6),
    st.booleans(),
)
def test_nor_in_mazes_with_keys(
    ways: frozenset[tuple[str, str]], wanted: str, place: str, limit: int, twice: bool
) -> None:
    """Keys are taken and dropped, doors want them or forbid them, the goal has conditions of both kinds."""
    lines = [
        "(role you) (init (at a)) (init (step 0)) (init (key d))",
        *(f"(way {here} {there})" for here, there in sorted(ways)),
        *(f"(succ {step} {step + 1})" for step in range(limit)),
        "(<= (legal you (go ?y)) (true (at ?x)) (way ?x ?y) (not (true (key ?y))))",
        "(<= (legal you (turn ?x)) (true (at ?x)))",
        "(<= (next (at ?y)) (does you (go ?y)))",
        "(<= (next (at ?x)) (true (at ?x)) (does you (turn ?x)))",
        "(<= (next (key ?x)) (does you (turn ?x)) (not (true (key ?x))))",
        "(<= (next (key ?x)) (true (key ?x)) (not (does you (turn ?x))))",
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))",
        f"(<= open (true (at {place})) {wanted.format('b')} {wanted.format('c')})",
        f"(<= terminal (true (step {limit}))) (<= terminal open)",
        "(<= (goal you 100) open) (<= (goal you 0) (not open))",
        "(<= (goal you 50) (true (key a)))" if twice else "",  # such an end has no value at all
    ]
    check_steps(CompiledGame(parse_kif("\n".join(lines)), "keys"), 100)


CORRIDOR = """
(role you) (init (at 0)) (init (lamp off)) (way 0 1) (way 1 2) (way 2 3) (way 3 4)
(<= (legal you (go ?y)) (true (at ?x)) (way ?x ?y))
(<= (legal you light) (true (at 0)))
(<= (next (at ?y)) (does you (go ?y)))
(<= (next (at ?x)) (does you light) (true (at ?x)))
(<= (next (lamp on)) (does you light))
(<= (next (lamp ?x)) (true (lamp ?x)) (not (does you light)))
(<= terminal (true (at 4)))
(<= (goal you 100) (true (at 4)) (true (lamp on)))
(<= (goal you 60) (true (at 4)) (not (true (lamp on))))
"""


def test_estimates_of_a_corridor() -> None:
    """The lamp is lit while one walks, as far as the relaxation can tell; its sum counts both."""
    game = CompiledGame(parse_kif(CORRIDOR), "corridor")
    light, walk = game.initial().legal(game.roles[0])[::-1]
    if str(light) != "light":
        light, walk = walk, light
    states = [game.initial(), game.initial().play((light,)), game.initial().play((walk,))]
    rows = game.simulator().pack(states)
    found = Distances(game.circuit, 100).estimate(rows)
    assert found.steps.tolist() == [4, 4, NEVER]
    # At 4, which the end and the goal want, counts once; after walking on, the lamp stays off for ever.
    assert found.sum.tolist() == [5, 4, NEVER]
    assert found.missing.tolist() == [2, 1, 2]
    assert Distances(game.circuit, 60).estimate(rows).steps.tolist() == [4, NEVER, 3]


def test_the_relaxation_of_a_state_is_that_state_with_all_its_moves() -> None:
    """After one step possible is what some move may bring, certain what every move brings."""
    game = compiled_game("eight_puzzle")
    state = game.initial()
    relaxed = relax(game.circuit, 100)
    half = len(relaxed.fluents) // 2
    after = [
        {game.circuit.fluents.index(fact) for fact in state.play((move,)).facts()}
        for move in state.legal(game.roles[0])
    ]
    now = [game.circuit.fluents.index(fact) for fact in state.facts()]
    found = evaluate(relaxed, [*now, *(half + each for each in now)], [0]).next
    assert set.union(*after) <= {each for each in found if each < half}
    assert {each - half for each in found if each >= half} <= set.intersection(*after)
    assert {each for each in found if each < half} == set.union(*after), "nothing else, in this game"


def test_the_formula_of_a_goal_wants_no_other_goal() -> None:
    """All lamps must be lit: with one of them dark there is a second value, and so none."""
    lamps = " ".join(f"(lamp {number})" for number in range(4))
    text = f"""
    (role you) {lamps} (<= (legal you (light ?l)) (lamp ?l)) (legal you stop)
    (<= (next (lit ?l)) (does you (light ?l))) (<= (next (lit ?l)) (true (lit ?l)))
    (<= (next over) (does you stop)) (<= terminal (true over))
    (<= (goal you 100) (true (lit 0))) (<= (goal you 0) (lamp ?l) (not (true (lit ?l))))
    """
    game = CompiledGame(parse_kif(text), "lamps")
    found = Distances(game.circuit, 100).estimate(game.simulator().pack([game.initial()]))
    assert (found.missing.tolist(), found.sum.tolist()) == ([5], [5])


@given(st.integers(0, 2**16 - 1))
@settings(deadline=None)
def test_the_formula_of_a_goal_is_zero_where_it_holds(bits: int) -> None:
    """With 0 for a literal that holds and 1 for others it is 0 exactly where the circuit says so."""
    game = compiled_game("blocks")
    circuit = game.circuit
    formula = GoalFormula(circuit, 100)
    facts = [each for each in range(len(circuit.fluents)) if bits >> each & 1]
    row = np.packbits([each in facts for each in range(len(circuit.fluents))], bitorder="little")[None, :]
    holding = formula.holding(row, row)
    assert holding[0].tolist() == [
        (each >> 1 in facts) ^ bool(each & 1) for each in formula.literals.tolist()
    ]
    found = evaluate(circuit, facts)
    value = int(formula.value((~holding).astype(np.int16))[0])
    assert (value == 0) == (found.terminal and found.goals == ((0, 100),))
