"""Persistence of the fluents of goals: as known for small games, and without a counterexample in others."""

from __future__ import annotations

from itertools import islice, pairwise, product
from pathlib import Path

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.game import Game, random_states
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.goal_theory import GoalTheory, goal_theory
from ludorum.evaluate.goals.persistence import LastingFluents
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from ludorum.solve.prove.goal_persistence import PersistenceLimits, persistence_by_steps, prove_persistence
from tests.corpus_sheets import NO_CIRCUIT, hidden_sheets, open_sheets_with_ground_goals
from tests.how_much import sample

TRANSITIONS = 10_000
SHEETS = sorted(sheet.name for sheet in library_sheets() if sheet.language in ("gdl", "gdl2"))
WDL = Path(__file__).parents[2] / "games" / "wdl"
HEAVY = {"amazons", "amazons_8", "chess"}


def fluents_of(goals: GoalTheory) -> list[Term]:
    return [leaf for leaf in goals.theory.leaves.values() if isinstance(leaf, Term)]


def proved(game: Game, limits: PersistenceLimits | None = None) -> tuple[list[Term], LastingFluents]:
    assert game.rules is not None
    goals = goal_theory(game.rules)
    wanted = fluents_of(goals)
    return wanted, prove_persistence(game, goals.program, wanted, limits or PersistenceLimits())


def wrong(found: LastingFluents, game: Game, transitions: int, seed: int) -> list[Term]:
    """The fluents for which random transitions show the opposite."""
    if found == LastingFluents():
        return []
    bad: set[Term] = set()
    play = 0
    while transitions > 0 and not bad:
        states = random_states(game.initial(), SplitMix64(1000 * seed + play))
        facts = [state.facts() for state in islice(states, transitions + 1)]
        for before, after in pairwise(facts):
            bad |= found.once_true & (before - after) | found.once_false & (after - before)
        for now in facts:
            bad |= {fluent for fluent in now if not now.isdisjoint(found.ended_by.get(fluent, ()))}
        transitions -= max(1, len(facts) - 1)
        play += 1
    return sorted(bad, key=str)


@pytest.mark.spec("evaluation-functions", 33)
@pytest.mark.spec("evaluation-functions", 34)
def test_tictactoe_is_known_whole() -> None:
    wanted, found = proved(load_game("tictactoe"))
    assert len(wanted) == 27
    cells = [(m, n) for m, n in product("123", "123")]
    marks = {f"(cell {m} {n} {mark})" for m, n in cells for mark in "xo"}
    assert set(map(str, found.once_true)) == marks
    assert set(map(str, found.once_false)) == {f"(cell {m} {n} b)" for m, n in cells}
    ended_by = {str(fluent): set(map(str, others)) for fluent, others in found.ended_by.items()}
    assert ended_by == {
        **{f"(cell {m} {n} x)": {f"(cell {m} {n} o)"} for m, n in cells},
        **{f"(cell {m} {n} o)": {f"(cell {m} {n} x)"} for m, n in cells},
        **{f"(cell {m} {n} b)": {f"(cell {m} {n} x)", f"(cell {m} {n} o)"} for m, n in cells},
    }


@pytest.mark.spec("evaluation-functions", 33)
def test_control_is_neither() -> None:
    game = load_game("tictactoe")
    assert game.rules is not None
    turns = [Term("control", (Term(role),)) for role in ("xplayer", "oplayer")]
    assert prove_persistence(game, goal_theory(game.rules).program, turns) == LastingFluents()


RING = """
(role r) (init (at 1)) (init (gate open)) (succ 1 2) (succ 2 3) (succ 3 1)
(legal r step) (<= (legal r close) (true (at 2)))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
(<= (next (gate open)) (true (gate open)) (not (does r close)))
(<= (next (gate shut)) (does r close))
(<= (next (gate shut)) (true (gate shut)))
(<= (next (both)) (true (at 1)) (true (at 2)))
(<= (next (both)) (true (both)))
(<= (next (kept)) (true (kept)) (true (at ?x)))
(<= (next (flag)) (true (flag)) (not (true (both))))
(init (kept)) (init (flag))
(<= terminal (true (gate shut)))
(<= terminal (true (both)))
(<= (goal r 100) (true (gate shut)) (true (kept)) (true (flag)))
(<= (goal r 0) (true (gate open)))
"""


@pytest.mark.spec("evaluation-functions", 34)
def test_invariants_prove_what_one_step_alone_does_not() -> None:
    wanted, found = proved(LiftedGame(parse_kif(RING), "ring"))
    assert set(map(str, wanted)) == {"(gate open)", "(gate shut)", "both", "kept", "flag"}
    # kept: some (at ?x) always holds; both: never two of them. Neither follows from any state.
    assert set(map(str, found.once_true)) == {"(gate shut)", "both", "kept", "flag"}
    assert set(map(str, found.once_false)) == {"(gate open)", "both", "kept", "flag"}
    assert {str(one): set(map(str, others)) for one, others in found.ended_by.items()} == {
        "(gate open)": {"(gate shut)"}
    }


def test_without_questions_only_what_is_read_is_known() -> None:
    game = LiftedGame(parse_kif(RING), "ring")
    _, found = proved(game, PersistenceLimits(questions=0))
    assert set(map(str, found.once_true)) == {"(gate shut)", "both"}
    assert found.ended_by == {}


def test_what_is_read_comes_before_what_is_proved() -> None:
    game = LiftedGame(parse_kif(RING), "ring")
    assert game.rules is not None
    goals = goal_theory(game.rules)
    wanted = [*fluents_of(goals), Term("never")]
    read, whole = persistence_by_steps(game, goals.program, wanted)
    assert set(map(str, read.once_true)) == {"(gate shut)", "both"}
    assert set(map(str, read.once_false)) == {"(gate open)", "kept", "flag", "never"}
    assert read.once_true < whole.once_true
    assert read.once_false < whole.once_false
    assert not read.ended_by
    opened, shut = parse_term("(gate open)"), parse_term("(gate shut)")
    assert whole.lasts(opened, frozenset([shut]))
    assert not whole.lasts(opened, frozenset([opened]))
    assert whole.lasts(shut, frozenset([shut]))
    assert not whole.lasts(shut, frozenset([opened]))


@pytest.mark.long
def test_what_ends_the_game_stays() -> None:
    wanted, found = proved(load_game("breakthrough"))
    assert {str(fluent) for fluent in found.once_true} == {
        f"(cell {file} {row} {man})"
        for file, row, man in product("12345678", "18", ("white", "black"))
        if (row == "8") == (man == "white")
    } & set(map(str, wanted))


@pytest.mark.spec("evaluation-functions", 33)
@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.long) for name in ("krieg_tictactoe", "connect_four")),
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in SHEETS
            if name not in {*HEAVY, "krieg_tictactoe", "connect_four"}
        ),
    ],
)
def test_ten_thousand_transitions_contradict_nothing(name: str) -> None:
    game = load_game(name)
    _, found = proved(game)
    assert wrong(found, game, TRANSITIONS, 1) == []


@pytest.mark.spec("evaluation-functions", 33)
@pytest.mark.parametrize("name", sample(["monty_hall", *sorted({*SHEETS} - HEAVY - {"monty_hall"})], 20))
def test_random_transitions_contradict_nothing(name: str) -> None:
    game = load_game(name)
    _, found = proved(game)
    assert wrong(found, game, 500, 2) == []


@pytest.mark.spec("evaluation-functions", 33)
@pytest.mark.parametrize(
    "name",
    [pytest.param("pig", marks=pytest.mark.long)]
    + [pytest.param(name, marks=pytest.mark.slow) for name in ("auction", "black_jack", "wolf_and_rabbit")],
)
def test_worlds_with_several_roles_of_nature_are_not_misread(name: str) -> None:
    game = load_game(str(WDL / f"{name}.wdl"), "lifted")
    _, found = proved(game)
    assert wrong(found, game, TRANSITIONS // 5, 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HEAVY))
def test_games_of_many_rules_are_not_misread(name: str) -> None:
    game = load_game(name)
    _, found = proved(game, PersistenceLimits(questions=5))
    assert wrong(found, game, 200, 1) == []


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.spec("evaluation-functions", 33)
@pytest.mark.parametrize("name", open_sheets_with_ground_goals())
def test_open_sheets_are_not_misread(corpus: Path, name: str) -> None:
    game = load_game(str(corpus / "gdl1" / f"{name}.kif"), "lifted", lenient=True)
    _, found = proved(game, PersistenceLimits(seconds=30))
    assert wrong(found, game, TRANSITIONS // 10, 1) == []


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.spec("evaluation-functions", 33)
@pytest.mark.parametrize("name", [name for name in hidden_sheets() if name not in NO_CIRCUIT])
def test_hidden_sheets_are_not_misread(corpus: Path, name: str) -> None:
    game = load_game(str(corpus / "gdl2" / f"{name}.kif"), "lifted", lenient=True)
    _, found = proved(game, PersistenceLimits(seconds=30))
    assert wrong(found, game, TRANSITIONS // 10, 1) == []
