"""Each pass on tiny circuits: text before, text after."""

from collections.abc import Callable

import numpy as np
import pytest

from ludorum.engine.circuit import Circuit
from ludorum.engine.circuit_text import format_circuit, parse_circuit
from ludorum.engine.passes import (
    assume_legal,
    complement_does,
    drop_dead_gates,
    extract_common,
    factor_alternatives,
    find_latches,
    fold_constants,
    gate_runs,
    merge_gates,
    optimise,
    optimise_steps,
    order_gates,
    share_subexpressions,
    split_goals,
)

HEAD = "roles x\nfluents a b c d e\nmoves x m1 m2 m3 m4 m5\n"

CASES: list[tuple[str, Callable[[Circuit], Circuit], str, str]] = [
    (
        "what no output needs goes",
        drop_dead_gates,
        "#0 = a & b\n#1 = a & c\n#2 = #1 & d\nterminal = #1",
        "#0 = a & c\nterminal = #0",
    ),
    (
        "a loop that nothing needs goes",
        drop_dead_gates,
        "#0 = ~#1 & ~a\n#1 = ~#0\n#2 = a & c\nterminal = #2",
        "#0 = a & c\nterminal = #0",
    ),
    (
        "constants and repetitions go",
        fold_constants,
        "#0 = a & 1 & b & a\n#1 = #0 & 0\n#2 = ~#1 & c & d\nterminal = #2\nnext a = #0",
        "#0 = a & b\n#1 = c & d\nterminal = #1\nnext a = #0",
    ),
    (
        "a contradiction is false",
        fold_constants,
        "#0 = a & b & ~a\nterminal = ~#0\nnext a = #0",
        "terminal = 1",
    ),
    (
        "one literal is a wire",
        fold_constants,
        "#0 = ~a\n#1 = #0 & b\n#2 = ~#1\nterminal = #2\nnext b = #0",
        "#0 = ~a & b\nterminal = ~#0\nnext b = ~a",
    ),
    (
        "equal gates are not shared by folding",
        fold_constants,
        "#0 = a & b\n#1 = b & a\nterminal = #0\nnext a = #1",
        "#0 = a & b\n#1 = a & b\nterminal = #0\nnext a = #1",
    ),
    (
        "equal gates are one",
        share_subexpressions,
        "#0 = a & b\n#1 = b & a\n#2 = #0 & c\n#3 = c & #1\nterminal = #2\nnext a = #3",
        "#0 = a & b\n#1 = c & #0\nterminal = #1\nnext a = #1",
    ),
    (
        "a gate implies what is inside",
        share_subexpressions,
        "#0 = a & b\n#1 = #0 & a & c\nterminal = #1\nnext a = #0",
        "#0 = a & b\n#1 = c & #0\nterminal = #1\nnext a = #0",
    ),
    (
        "a gate contradicts what contradicts its inside",
        share_subexpressions,
        "#0 = a & b\n#1 = #0 & ~a & c\nterminal = #1\nnext a = #0",
        "#0 = a & b\nnext a = #0",
    ),
    (
        "the rest of a refused gate is refused",
        share_subexpressions,
        "#0 = a & b\n#1 = ~#0 & a & c\nterminal = #1",
        "#0 = a & ~b & c\nterminal = #0",
    ),
    (
        "an alternative that another covers goes",
        share_subexpressions,
        "#0 = a & b\n#1 = ~#0 & ~a\nterminal = ~#1",
        "terminal = a",
    ),
    (
        "a chain of gates becomes one",
        merge_gates,
        "#0 = a & b\n#1 = #0 & c\n#2 = #1 & ~d\nterminal = #2",
        "#0 = a & b & c & ~d\nterminal = #0",
    ),
    (
        "a gate used twice stays",
        merge_gates,
        "#0 = a & b\n#1 = #0 & c\nterminal = #1\nnext a = #0",
        "#0 = a & b\n#1 = c & #0\nterminal = #1\nnext a = #0",
    ),
    (
        "the way back of a loop takes in a gate, and no gate takes it in",
        merge_gates,
        "#0 = ~a & ~#2\n#1 = b & ~#0\n#2 = #1\n#3 = #2 & c\nterminal = #3",
        "#0 = ~a & ~#1\n#1 = b & ~#0\n#2 = c & #1\nterminal = #2",
    ),
    (
        "what legality says is not asked again",
        assume_legal,
        "#0 = a & b\n#1 = #0 & c\n#2 = does x m1 & a & d\n#3 = does x m1 & c & d\nlegal x m1 = #1\n"
        "next a = #2\nnext b = #3",
        "#0 = a & b\n#1 = c & #0\n#2 = d & does x m1\nlegal x m1 = #1\nnext a = #2\nnext b = #2",
    ),
    (
        "what legality forbids is false",
        assume_legal,
        "#0 = a & b\n#1 = does x m1 & ~a & d\nlegal x m1 = #0\nnext a = #1",
        "#0 = a & b\nlegal x m1 = #0",
    ),
    (
        "nothing is known of a move that is not done",
        assume_legal,
        "#0 = a & b\n#1 = ~does x m1 & a\nlegal x m1 = #0\nnext a = #1",
        "#0 = a & b\n#1 = a & ~does x m1\nlegal x m1 = #0\nnext a = #1",
    ),
    (
        "most moves are none of the others",
        complement_does,
        "#0 = a & does x m1\n#1 = a & does x m2\n#2 = a & does x m3\n#3 = a & does x m4\n"
        "#4 = ~#0 & ~#1 & ~#2 & ~#3\nnext a = ~#4",
        "#0 = a & ~does x m5\nnext a = #0",
    ),
    (
        "all moves together say nothing",
        complement_does,
        "#0 = ~does x m1 & ~does x m2 & ~does x m3 & ~does x m4 & ~does x m5\nnext a = ~#0",
        "next a = 1",
    ),
    (
        "two moves are not done at once",
        complement_does,
        "#0 = does x m1 & does x m2 & a\n#1 = does x m1 & ~does x m2 & b\nnext a = #0\nnext b = #1",
        "#0 = b & does x m1\nnext b = #0",
    ),
    (
        "a few moves stay as they are",
        complement_does,
        "#0 = ~does x m1 & ~does x m2\nnext a = ~#0",
        "#0 = ~does x m1 & ~does x m2\nnext a = ~#0",
    ),
    (
        "alternatives say what they share once",
        factor_alternatives,
        "#0 = a & b\n#1 = a & c\n#2 = ~#0 & ~#1\nterminal = ~#2",
        "#0 = ~b & ~c\n#1 = a & ~#0\nterminal = #1",
    ),
    (
        "two long alternatives stay apart",
        factor_alternatives,
        "#0 = a & b & c\n#1 = a & d & e\n#2 = ~#0 & ~#1\nterminal = ~#2",
        "#0 = a & b & c\n#1 = a & d & e\n#2 = ~#0 & ~#1\nterminal = ~#2",
    ),
    (
        "alternatives others use stay",
        factor_alternatives,
        "#0 = a & b\n#1 = a & c\n#2 = ~#0 & ~#1\nterminal = ~#2\nnext a = #0\nnext b = #1",
        "#0 = a & b\n#1 = a & c\n#2 = ~#0 & ~#1\nterminal = ~#2\nnext a = #0\nnext b = #1",
    ),
    (
        "many literals of two gates become one",
        extract_common,
        "#0 = ~a & ~b & ~c & ~d & ~e & does x m1\n#1 = ~a & ~b & ~c & ~d & ~e & does x m2\n"
        "next a = #0\nnext b = #1",
        "#0 = ~a & ~b & ~c & ~d & ~e\n#1 = does x m1 & #0\n#2 = does x m2 & #0\nnext a = #1\nnext b = #2",
    ),
    (
        "a gate that is part of another is used there",
        extract_common,
        "#0 = a & b & c\n#1 = a & b\nterminal = #0\nnext a = #1",
        "#0 = a & b\n#1 = c & #0\nterminal = #1\nnext a = #0",
    ),
    (
        "two literals of many gates become one",
        extract_common,
        "\n".join(f"#{at} = a & b & does x m{at + 1}" for at in range(5))
        + "".join(f"\nnext {fluent} = #{at}" for at, fluent in enumerate("abcde")),
        "#0 = a & b\n"
        + "\n".join(f"#{at} = does x m{at} & #0" for at in range(1, 6))
        + "".join(f"\nnext {fluent} = #{at}" for at, fluent in enumerate("abcde", 1)),
    ),
    (
        "two literals of few gates stay",
        extract_common,
        "#0 = a & b & does x m1\n#1 = a & b & does x m2\nnext a = #0\nnext b = #1",
        "#0 = a & b & does x m1\n#1 = a & b & does x m2\nnext a = #0\nnext b = #1",
    ),
    (
        "goals come between",
        split_goals,
        "#0 = a & does x m1\n#1 = a & b\n#2 = a & c\n#3 = b & c\nlegal x m1 = #2\ngoal x 100 = #1\n"
        "goal x 0 = #3\nnext a = #0\nnext b = #3",
        "#0 = a & c\n#1 = b & c\n#2 = a & b\n#3 = a & does x m1\nlegal x m1 = #0\ngoal x 100 = #2\n"
        "goal x 0 = #1\nnext a = #3\nnext b = #1",
    ),
    (
        "gates of one shape stand together",
        order_gates,
        "#0 = a & b\n#1 = a & ~b\n#2 = a & c\n#3 = ~c & b\n#4 = #0 & #2\nlegal x m1 = #1\nlegal x m2 = #3\n"
        "terminal = #4",
        "#0 = a & ~b\n#1 = b & ~c\n#2 = a & b\n#3 = a & c\n#4 = #2 & #3\nlegal x m1 = #0\nlegal x m2 = #1\n"
        "terminal = #4",
    ),
]


@pytest.mark.parametrize(
    ("rewrite", "before", "after"),
    [case[1:] for case in CASES],
    ids=[f"{case[1].__name__}: {case[0]}" for case in CASES],
)
def test_a_pass_makes_of_this_circuit_that_one(
    rewrite: Callable[[Circuit], Circuit], before: str, after: str
) -> None:
    assert format_circuit(rewrite(parse_circuit(HEAD + before))) == HEAD + after + "\n"


def test_phases_end_where_their_gates_end() -> None:
    circuit = split_goals(
        parse_circuit(
            HEAD + "#0 = a & does x m1\n#1 = a & b\n#2 = a & c\nterminal = #2\ngoal x 1 = #1\nnext a = #0"
        )
    )
    assert circuit.phases == (1, 2, 3)
    assert split_goals(parse_circuit(HEAD + "terminal = a")).phases == (0, 0, 0)


def test_latches_are_fluents_that_never_go_back() -> None:
    circuit = find_latches(
        parse_circuit(
            HEAD
            + "#0 = ~a & ~does x m1\n#1 = b & ~does x m1\n#2 = c & does x m2\n#3 = ~#2 & ~#1\n"
            + "next a = ~#0\nnext b = #1\nnext c = ~#3\nnext d = d\nnext e = 1"
        )
    )
    held = {literal: circuit.fluents[literal >> 1].name for literal in circuit.latches}
    stays_true = {name for literal, name in held.items() if not literal & 1}
    stays_false = {name for literal, name in held.items() if literal & 1}
    assert stays_true == {"a", "d", "e"}  # e is true next in any case
    assert stays_false == {"b", "d"}


def test_latches_are_found_through_a_loop() -> None:
    circuit = find_latches(
        parse_circuit(HEAD + "#0 = ~#1 & ~a\n#1 = ~#0 & b\n#2 = ~#0 & a\nnext a = ~#0\nnext b = #2")
    )
    assert 0 in circuit.latches


def test_runs_cover_all_gates_in_order() -> None:
    circuit = order_gates(parse_circuit(HEAD + CASES[-1][2]))
    runs = gate_runs(circuit)
    assert runs.tolist() == [[1, 1, 2, 0, 0], [2, 0, 3, 2, 4]]
    assert np.all(np.diff(circuit.gate_offsets)[runs[:, 3]] == runs[:, 0] + runs[:, 1])
    assert gate_runs(order_gates(parse_circuit(HEAD + "terminal = a"))).shape == (0, 5)


def test_steps_end_where_optimise_ends() -> None:
    before = parse_circuit(HEAD + CASES[-1][2])
    steps = list(optimise_steps(before))
    assert steps[-1].name == "order_gates"
    assert format_circuit(steps[-1].circuit) == format_circuit(optimise(before))


def test_nothing_is_looked_for_in_a_circuit_that_is_too_large() -> None:
    before = parse_circuit(HEAD + CASES[-1][2])
    assert extract_common(before, largest=1) is before
