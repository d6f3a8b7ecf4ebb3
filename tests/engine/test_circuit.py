"""Circuits: the text form, the oracle, and what is built from ground rules."""

import pytest

from ludorum.arena.records.verify import verify_random
from ludorum.asp.ground import ground_rules
from ludorum.engine.build_circuit import build_circuit
from ludorum.engine.circuit import CircuitError, evaluate
from ludorum.engine.circuit_text import format_circuit, parse_circuit
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from tests.engine.circuit_game import CircuitGame
from tests.small_games import CIRCLE, COIN, DOOR

SWITCH = """\
roles x
fluents off (lamp 1)
moves x flip wait
init off
#0 = off & does x flip
#1 = off & ~(lamp 1)
legal x flip = #1
legal x wait = 1
terminal = ~off
goal x 100 = (lamp 1)
next off = ~#0
sees x click = #0
"""

GATES_IN_A_RING = """\
roles x
fluents a b
moves x go
#0 = ~#3 & ~a
#1 = ~#0 & b
#2 = ~#1
#3 = ~#2 & b
legal x go = #1
"""

REACH = """
; A walker may go wherever a path of open doors leads; doors shut behind it.
(role w)
(init (at a)) (init (open a b)) (init (open b c)) (init (open c a)) (init (open c d)) (init (open d c))
(node a) (node b) (node c) (node d) (node e)
(<= (reach ?x) (true (at ?x)))
(<= (reach ?y) (reach ?x) (true (open ?x ?y)))
(<= (legal w (go ?x)) (reach ?x))
(<= (legal w (shut ?x ?y)) (true (open ?x ?y)))
(<= (next (at ?x)) (does w (go ?x)))
(<= (next (at ?x)) (true (at ?x)) (does w (shut ?y ?z)))
(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does w (shut ?x ?y))))
(<= something_open (true (open ?x ?y)))
(<= terminal (not something_open))
(<= unreached (node ?x) (not (reach ?x)))
(<= (goal w 100) (not unreached))
(<= (goal w 50) unreached)
"""


def test_the_text_of_a_circuit_reads_back_as_the_same_text() -> None:
    assert format_circuit(parse_circuit(SWITCH)) == SWITCH
    assert format_circuit(parse_circuit(GATES_IN_A_RING)) == GATES_IN_A_RING


def test_a_line_that_says_nothing_is_named() -> None:
    with pytest.raises(ValueError, match="#7 = off"):
        parse_circuit("roles x\nfluents off\n#7 = off")
    with pytest.raises(ValueError, match="nonsense"):
        parse_circuit("nonsense of a line")


def test_the_oracle_answers_every_question() -> None:
    circuit = parse_circuit(SWITCH)
    values = evaluate(circuit, {0}, {0})
    assert values.legal == {0, 1}
    assert not values.terminal
    assert values.goals == ()
    assert values.next == frozenset()
    assert [str(percept) for _, percept in values.sees] == ["click"]
    values = evaluate(circuit, {1}, {1})
    assert values.legal == {1}
    assert values.terminal
    assert values.goals == ((0, 100),)
    assert values.next == {0}
    assert values.sees == ()


def test_a_ring_of_gates_is_a_loop_that_starts_from_false() -> None:
    circuit = parse_circuit(GATES_IN_A_RING)
    assert circuit.loops == ((0, 3),)
    assert evaluate(circuit, {1}).legal == frozenset()  # nothing derives itself
    assert evaluate(circuit, {0, 1}).legal == {0}


def test_sizes_are_counted() -> None:
    size = parse_circuit(SWITCH).size
    assert (size.fluents, size.moves, size.gates, size.literals, size.depth) == (2, 2, 2, 4, 1)
    assert str(parse_circuit(GATES_IN_A_RING).size) == "4 gates, 7 literals, depth 4, 1 loops of 4 gates"


def circuit_game(text: str) -> tuple[CircuitGame, ReferenceGame]:
    rules = parse_kif(text)
    reference = ReferenceGame(rules, "game")
    return CircuitGame(build_circuit(ground_rules(rules)), reference), reference


@pytest.mark.parametrize("text", [DOOR, COIN, CIRCLE, REACH], ids=["door", "coin", "circle", "reach"])
def test_a_circuit_answers_as_the_reference_does(text: str) -> None:
    game, reference = circuit_game(text)
    assert verify_random(game, reference, states=20, seed=1).agrees


def test_a_door_that_opens_has_these_gates() -> None:
    game, _ = circuit_game(DOOR)
    assert format_circuit(game.circuit).splitlines()[-9:] == [
        "terminal = ~#2",
        "goal left 0 = closed",
        "goal left 100 = open",
        "goal right 0 = closed",
        "goal right 100 = open",
        "next closed = #1",
        "next open = #0",
        "next (step 1) = (step 0)",
        "next (step 2) = (step 1)",
    ]


def test_recursion_through_the_state_becomes_a_loop() -> None:
    game, _ = circuit_game(REACH)
    assert len(game.circuit.loops) == 1


def test_negation_in_a_circle_is_refused_by_name() -> None:
    text = DOOR + "(<= odd (true closed) (not even)) (<= even (not odd)) (<= (next odd) odd)"
    with pytest.raises(CircuitError, match=r"negation runs in a circle .* \(next odd\)"):
        build_circuit(ground_rules(parse_kif(text)))
