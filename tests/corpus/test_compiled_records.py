"""Compiled games give every recorded answer: one state at a time in both ways, and in lanes; and their
machine code plays the same games as runs of gates do.

A sheet without a circuit must be known to be slow to compile; it is an expected failure, told in the summary.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from ludorum._core import Lanes
from ludorum.arena import Disagreement, verify, verify_random
from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from tests.corpus.costly_records import OUTSIDE_PLAY, SLOW_TO_COMPILE, WRONG
from tests.corpus.records import load_case_for, record_names, safe_rules, sheet_of
from tests.corpus.sample import SAMPLE
from tests.engine.kernel_games import KERNELS, with_kernel
from tests.how_much import sample

NAMES = record_names()
SPREAD = [name for name in SAMPLE[::5] if "depthexponential" not in name.lower()]
"""What every test run replays; rules of exponential depth take a minute to compile."""
REFUSALS = ("can never be true", "has no role", "is no role", "is not legal")
CHESS = [name for name in NAMES if name.startswith("tiltyard/chess")]

BUILD_SECONDS = 120.0
"""Of the processor: more than players get, for every circuit that can be had is to be compared."""
SLOW_BUILD_SECONDS = 20.0
"""For sheets that are known to need more than that: one of them that has become quick is compared as well."""

Note: TypeAlias = Callable[[str, object], None]

pytestmark = pytest.mark.corpus


@lru_cache(maxsize=1)  # records of one sheet follow each other
def compiled(sheet: Path) -> CompiledGame | str:
    """The game of a sheet, or why there is none."""
    try:
        seconds = SLOW_BUILD_SECONDS if sheet.stem in SLOW_TO_COMPILE else BUILD_SECONDS
        return CompiledGame(safe_rules(sheet), sheet.stem, seconds=seconds, processor_time=True)
    except GameError as error:
        return str(error)


def check(corpus: Path, name: str, note: Note) -> None:
    sheet = sheet_of(corpus, name)
    game = compiled(sheet)
    if isinstance(game, str):
        note("corpus-note", f"{name}: {game}")
        assert sheet.stem in SLOW_TO_COMPILE, game
        pytest.xfail(game)
    _, record = load_case_for(corpus, name, lambda rules, _: game)
    for kernel in KERNELS:
        report = verify(with_kernel(game, kernel), record)
        note("corpus-counts", {"records": 1, "states": report.states, "questions": report.questions})
        found = report.disagreements
        if name in OUTSIDE_PLAY:
            assert found
            if kernel == KERNELS[0]:
                note("corpus-note", f"{name}: {report.disagreement_count} refused: {OUTSIDE_PLAY[name]}")
            found = tuple(one for one in found if not is_refusal(one))
        assert found == (), kernel
        assert report.complete, str(report)


def check_machine_code(corpus: Path, name: str) -> None:
    sheet = sheet_of(corpus, name)
    game = compiled(sheet)
    if isinstance(game, str):
        assert sheet.stem in SLOW_TO_COMPILE, game
        pytest.xfail(game)
    native = Lanes(game.network)
    runs = Lanes(game.network, native.lanes, native=False)
    by_code, by_runs = (lanes.playouts(300, seed=1, max_steps=60) for lanes in (native, runs))
    assert by_code["steps"] == by_runs["steps"]
    assert by_code["stuck"] == by_runs["stuck"]
    assert np.array_equal(by_code["goal_counts"], by_runs["goal_counts"])


def is_refusal(one: Disagreement) -> bool:
    return one.question == "error" and any(words in one.got[0] for words in REFUSALS)


@pytest.mark.parametrize("name", sample([name for name in SPREAD if name in NAMES], 3))
def test_a_sample_of_the_records_is_reproduced(corpus: Path, name: str, record_property: Note) -> None:
    check(corpus, name, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in WRONG and name not in SPREAD])
def test_every_record_is_reproduced(corpus: Path, name: str, record_property: Note) -> None:
    """And by machine code: to compile its sheet is most of the work."""
    check(corpus, name, record_property)
    check_machine_code(corpus, name)


@pytest.mark.parametrize("name", sample([name for name in SPREAD if name in NAMES], 6))
def test_a_sample_of_the_sheets_is_played_the_same_by_machine_code(corpus: Path, name: str) -> None:
    check_machine_code(corpus, name)


@pytest.mark.parametrize("name", [name for name in NAMES if name in WRONG])
def test_a_wrong_record_differs_exactly_as_is_known(corpus: Path, name: str) -> None:
    wrong = WRONG[name]
    game, record = load_case_for(corpus, name, CompiledGame)
    report = verify(game, record)
    assert report.complete
    found = [one for one in report.disagreements if one.question != "error"]
    assert found
    for one in found:
        assert one == Disagreement(one.step, wrong.question, None, wrong.expected, wrong.got)
    # The circuit has no such facts at all, and says so.
    assert all(one in found or is_refusal(one) for one in report.disagreements)


@pytest.mark.parametrize("name", [name for name in NAMES if name in OUTSIDE_PLAY])
def test_what_a_circuit_refuses_is_answered_where_there_is_another_engine(corpus: Path, name: str) -> None:
    game, record = load_case_for(corpus, name, AutoGame)
    assert game.wait(60)
    assert verify(game, record).agrees


def test_all_chess_records_are_there(corpus: Path) -> None:
    assert len(CHESS) == 6


@pytest.mark.parametrize("name", sample([name for name in SPREAD[::4] if name in NAMES], 3))
def test_records_are_reproduced_while_the_engine_changes(corpus: Path, name: str) -> None:
    """The lifted engine up to the middle, the circuit from there on."""
    game, record = load_case_for(corpus, name, AutoGame)
    changed: list[int] = []

    def change(done: int, steps: int) -> None:
        if 2 * done >= steps and not changed:
            assert game.wait(300)
            changed.append(done)

    report = verify(game, record, progress=change)
    assert report.agrees, report.disagreements
    assert verify_random(game, game._lifted, 20, seed=1).agrees
