"""Lanes on sheets of the corpus: machine code plays the same games as runs of gates do."""

from pathlib import Path

import numpy as np
import pytest

from ludorum._core import Lanes
from tests.corpus.costly_records import SLOW_TO_COMPILE
from tests.corpus.records import record_names, sheet_of
from tests.corpus.test_compiled_records import SPREAD, compiled
from tests.how_much import sample

pytestmark = pytest.mark.corpus

NAMES = record_names()


def check(corpus: Path, name: str) -> None:
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


@pytest.mark.parametrize("name", sample([name for name in SPREAD[::2] if name in NAMES], 3))
def test_a_sample_of_the_sheets_is_played_the_same(corpus: Path, name: str) -> None:
    check(corpus, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({name.split("-")[0]: name for name in NAMES}.values()))
def test_every_sheet_with_a_record_is_played_the_same(corpus: Path, name: str) -> None:
    check(corpus, name)
