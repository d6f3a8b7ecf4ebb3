"""The lifted engine gives every recorded answer, and its first answers at once, on every sheet there is."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ludorum.arena import verify
from ludorum.engine import LiftedGame
from tests.corpus.costly_records import WRONG
from tests.corpus.records import load_case_for, record_names, safe_rules
from tests.corpus.sample import SAMPLE
from tests.corpus_location import corpus_folder
from tests.how_much import sample

NAMES = [name for name in record_names() if name not in WRONG]
FIRST_ANSWER = 2.0
"""Seconds of the processor from rules to the first legal moves."""
MAY_BE_SLOWER = 4
"""Sheets, of all, that may take longer."""

pytestmark = pytest.mark.corpus


def sheets() -> list[Path]:
    folder = corpus_folder()
    return [] if folder is None else sorted([*folder.glob("gdl1/*.kif"), *folder.glob("gdl2/*.kif")])


def check(corpus: Path, name: str, note: Callable[[str, object], None]) -> None:
    game, record = load_case_for(corpus, name, LiftedGame)
    report = verify(game, record, seconds=300)
    note("corpus-counts", {"records": 1, "states": report.states, "questions": report.questions})
    assert report.disagreements == ()
    assert report.complete, str(report)


@pytest.mark.parametrize("name", sample([name for name in SAMPLE if name in NAMES], 2))
def test_a_sample_of_the_records_is_reproduced(
    corpus: Path, name: str, record_property: Callable[[str, object], None]
) -> None:
    check(corpus, name, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_record_is_reproduced(
    corpus: Path, name: str, record_property: Callable[[str, object], None]
) -> None:
    check(corpus, name, record_property)


def seconds_to_first_answer(path: Path) -> float:
    """Also plays on, so that a sheet that only starts well is noticed."""
    rules = safe_rules(path)
    began = time.thread_time()
    game = LiftedGame(rules, path.stem)
    state = game.initial()
    for role in game.roles:
        state.legal(role)
    spent = time.thread_time() - began
    game.measure_playouts(1, longest=20)
    return spent


@pytest.mark.long
@pytest.mark.alone
def test_some_sheets_answer_at_once(corpus: Path) -> None:
    assert max(map(seconds_to_first_answer, sheets()[::40])) < FIRST_ANSWER


@pytest.mark.slow
def test_nearly_every_sheet_answers_at_once(corpus: Path) -> None:
    slow = {path.stem: spent for path in sheets() if (spent := seconds_to_first_answer(path)) > FIRST_ANSWER}
    assert len(slow) <= MAY_BE_SLOWER, slow
