"""The reference engine gives every answer that real matches and independent evaluators recorded.

States, legal moves, percepts, ends and goals are compared exactly, in every state of every record. What is
too slow for that is named in ``costly_records`` with its cost, checked for as long as is reasonable, and
listed in the summary of the run.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from ludorum.arena import Disagreement, VerifyReport, verify
from tests.corpus.costly_records import COSTLY, WRONG
from tests.corpus.records import COUNTS, load_case, record_names
from tests.corpus.sample import SAMPLE
from tests.how_much import sample

NAMES = record_names()
WHOLE = [name for name in NAMES if name not in COSTLY and name not in WRONG]

LIMIT = 300.0
"""Seconds a record may take that is not known to be costly; most take less than one."""

COSTLY_LIMIT = 40.0
"""Seconds spent on a costly record (and the rest of the question that is being answered by then)."""

pytestmark = pytest.mark.corpus


Note: TypeAlias = Callable[[str, object], None]


def check(corpus: Path, name: str, seconds: float, note: Note) -> VerifyReport:
    """The report on one record; what was compared goes into the summary of the run."""
    game, record = load_case(corpus, name)
    report = verify(game, record, seconds=seconds)
    note("corpus-counts", {"records": 1, "states": report.states, "questions": report.questions})
    if not report.complete:
        cost = (
            f"; {COSTLY[name].seconds_per_state:g} s a state: {COSTLY[name].reason}" if name in COSTLY else ""
        )
        note("corpus-note", f"{name}: checked {report.checked} of {report.steps} steps{cost}")
    return report


@pytest.mark.parametrize("name", sample([name for name in SAMPLE if name in NAMES], 2))
def test_a_sample_of_the_records_is_reproduced(corpus: Path, name: str, record_property: Note) -> None:
    report = check(corpus, name, LIMIT, record_property)
    assert report.disagreements == ()
    assert report.complete, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in WHOLE if name not in SAMPLE])
def test_a_record_is_reproduced(corpus: Path, name: str, record_property: Note) -> None:
    report = check(corpus, name, LIMIT, record_property)
    assert report.disagreements == ()
    assert report.complete, f"{report}; name it in costly_records"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name in COSTLY])
def test_a_costly_record_is_reproduced_as_far_as_time_allows(
    corpus: Path, name: str, record_property: Note
) -> None:
    report = check(corpus, name, COSTLY_LIMIT, record_property)
    assert report.disagreements == ()
    assert report.questions > 0


@pytest.mark.parametrize("name", [name for name in NAMES if name in WRONG])
def test_a_wrong_record_differs_exactly_as_is_known(corpus: Path, name: str, record_property: Note) -> None:
    report = check(corpus, name, LIMIT, record_property)
    assert report.complete
    expected, got = WRONG[name].expected, WRONG[name].got
    assert report.disagreements
    for one in report.disagreements:
        assert one == Disagreement(one.step, WRONG[name].question, None, expected, got)


def test_no_record_is_left_out(corpus: Path) -> None:
    assert Counter(name.split("/")[0] for name in NAMES) == COUNTS
    assert not (set(SAMPLE) | set(COSTLY) | set(WRONG)) - set(NAMES), (
        "a table names a record that is not there"
    )
    assert sorted([*WHOLE, *COSTLY, *WRONG]) == NAMES
    assert not set(SAMPLE) & (set(COSTLY) | set(WRONG))
    assert {name.split("/")[0] for name in SAMPLE} == set(COUNTS)
