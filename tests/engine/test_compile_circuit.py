"""From rules to circuits in a killable process: nothing is lost on the way, and limits end in clear words."""

import threading

import numpy as np
import pytest

from ludorum.asp.ground import ground_rules
from ludorum.engine.auto import AutoGame
from ludorum.engine.build_circuit import build_circuit
from ludorum.engine.check_game import check_game
from ludorum.engine.circuit import CircuitError
from ludorum.engine.compile_circuit import compile_circuit
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.passes import optimise
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from tests.small_games import CIRCLE, COIN, DOOR

# Every joint move adds another wrapping to one of two towers: play ends, what could be reached never does.
TOWERS = """
(role r) (init (tower one zero)) (init (tower two zero)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal r (grow ?t)) (true (tower ?t ?h)))
(<= (next (tower ?t (up ?h))) (does r (grow ?t)) (true (tower ?t ?h)))
(<= (next (tower ?t ?h)) (does r (grow ?s)) (true (tower ?t ?h)) (distinct ?s ?t))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= high (true (tower one (up (up ?h)))))
(<= (goal r 100) high)
(<= (goal r 0) (not high))
"""


@pytest.mark.parametrize("text", [DOOR, COIN, CIRCLE.replace("(goal walker 0)", "(goal walker little)")])
def test_the_circuit_arrives_as_it_was_made(text: str) -> None:
    rules = parse_kif(text)
    program = ground_rules(rules, in_process=True)
    made = optimise(build_circuit(program))
    found, cost = compile_circuit(rules)
    assert cost.ground == program.size
    for name in ("roles", "fluents", "moves", "goals", "sees", "terminal", "loops", "phases", "latches"):
        assert getattr(found, name) == getattr(made, name)
    for name in ("gate_offsets", "gate_literals", "legal", "next", "initial"):
        assert np.array_equal(getattr(found, name), getattr(made, name))


@pytest.mark.long
def test_a_sheet_that_explodes_ends_at_the_limit_of_time_or_memory() -> None:
    with pytest.raises(CircuitError, match=r"^compiling took more than 0\.4 s$"):
        compile_circuit(parse_kif(TOWERS), seconds=0.4)
    with pytest.raises(CircuitError, match=r"^compiling needed more than 40 MB$"):
        compile_circuit(parse_kif(TOWERS), seconds=60, megabytes=40)


def test_where_the_circuit_explodes_the_lifted_engine_goes_on() -> None:
    def build(rules: Ruleset, name: str, stop: threading.Event) -> Game:
        return CompiledGame(rules, name, seconds=0.4, megabytes=40, stop=stop)

    game = AutoGame(parse_kif(TOWERS), "towers", build)
    assert not game.wait(60)
    assert game.failure.startswith("GameError: towers cannot be compiled: compiling ")
    assert not game.is_compiled
    assert check_game(game) == []
    state = game.initial()
    while not state.is_terminal:
        state = state.play([state.legal(game.roles[0])[0]])
    assert state.goals() == (100,)


def test_negation_in_a_circle_is_named() -> None:
    circle = "(<= p (true (at a)) (not q)) (<= q (true (at a)) (not p)) (<= (legal walker rest) p)"
    with pytest.raises(GameError, match="negation runs in a circle in the rules of"):
        CompiledGame(parse_kif(CIRCLE + circle))
