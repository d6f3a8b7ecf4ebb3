"""Circuits and passes on random ground rules, in many states under joint moves."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from ludorum.asp.ground import GroundProgram
from ludorum.engine.build_circuit import build_circuit
from ludorum.engine.circuit import Circuit, evaluate
from ludorum.engine.circuit_text import format_circuit, parse_circuit
from ludorum.engine.passes import PASSES, PASSES_FOR_HUGE, drop_dead_gates, optimise
from ludorum.rules.terms import Term
from tests.engine.random_circuits import assert_same_answers, ground_programs, holding, some_inputs
from tests.how_much import some

EXAMPLES = some(40, 6)
"""Enough to meet loops and shared gates many times; the cost is in trying many states and joint moves."""


def answers(circuit: Circuit, fluents: set[int], moves: set[int]) -> set[Term]:
    """What holds, as atoms, read from a circuit."""
    values = evaluate(circuit, fluents, moves)
    found = {
        Term("legal", (circuit.roles[circuit.moves[at][0]], circuit.moves[at][1])) for at in values.legal
    }
    found |= {Term("next", (circuit.fluents[at],)) for at in values.next}
    found |= {Term("goal", (circuit.roles[role], Term(str(value)))) for role, value in values.goals}
    found |= {Term("sees", (circuit.roles[role], percept)) for role, percept in values.sees}
    return found | ({Term("terminal")} if values.terminal else set())


@settings(max_examples=EXAMPLES)
@given(program=ground_programs())
def test_a_circuit_says_what_its_rules_say(program: GroundProgram) -> None:
    circuit = build_circuit(program)
    for fluents, moves in some_inputs(circuit):
        expected = holding(program, fluents | {len(circuit.fluents) + move for move in moves})
        inputs = {term for term in expected if term.name in ("true", "does")}
        assert answers(circuit, fluents, moves) == expected - inputs


@settings(max_examples=EXAMPLES)
@given(program=ground_programs())
def test_the_text_of_a_circuit_reads_back(program: GroundProgram) -> None:
    circuit = build_circuit(program)
    again = parse_circuit(format_circuit(circuit))
    assert format_circuit(again) == format_circuit(circuit)
    assert again.loops == circuit.loops


@pytest.mark.parametrize("rewrite", [*dict.fromkeys(PASSES), drop_dead_gates, optimise])
@settings(max_examples=EXAMPLES)
@given(program=ground_programs())
def test_a_pass_keeps_the_meaning(rewrite: Callable[[Circuit], Circuit], program: GroundProgram) -> None:
    circuit = build_circuit(program)
    assert_same_answers(
        circuit, rewrite(circuit), only_legal=rewrite.__name__ in ("assume_legal", "optimise")
    )


@pytest.mark.parametrize("passes", [PASSES, PASSES_FOR_HUGE])
@settings(max_examples=EXAMPLES)
@given(program=ground_programs())
def test_each_pass_keeps_the_meaning_after_the_others(
    passes: tuple[Callable[[Circuit], Circuit], ...], program: GroundProgram
) -> None:
    first = circuit = build_circuit(program)
    for rewrite in passes:
        circuit = rewrite(circuit)
        assert_same_answers(first, circuit, only_legal=True)
