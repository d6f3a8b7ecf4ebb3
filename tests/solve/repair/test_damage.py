"""Library sheets damaged in nineteen typical ways: how often the old meaning comes back.

What is left out: damage that changes nothing, and valid other games in which neither `check` nor play finds
anything new and nothing is mended. The table in docs/repair.md is the output of the slow test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from ludorum.rules.library import find_sheet
from ludorum.rules.reader import read_rules
from tests.how_much import FULL, sample
from tests.solve.repair.damage import WAYS, damaged
from tests.solve.repair.meaning import Outcome, outcome
from tests.solve.repair.sheets import GDL_SHEETS

SEED = 1
COUNTED = (Outcome.RESTORED, Outcome.OFFERED, Outcome.OTHER, Outcome.NOTHING, Outcome.RUINED)
LEAST = 0.8
"""What must come back, of all and of each way."""
WEAK = {"unsafe variable": 0.75, "dropped argument": 0.75}
"""Ways of which less comes back: which condition or argument was lost often stands nowhere."""
LARGE = 60
"""Rules of the sheets that only the slow test damages."""

Case = tuple[str, str]


def results(cases: Iterable[Case]) -> dict[str, Counter[Outcome]]:
    """What became of each damage, by way."""
    found: dict[str, Counter[Outcome]] = {way: Counter() for way in WAYS}
    for name, way in cases:
        text = find_sheet(name).source.text
        found[way][outcome(text, damaged(text, way, SEED))[0]] += 1
    return found


def table(found: dict[str, Counter[Outcome]]) -> str:
    """The rates as a table of Markdown."""
    lines = ["| damage | restored | of | also offered | left out |", "| --- | --- | --- | --- | --- |"]
    total = sum(found.values(), Counter[Outcome]())
    for way, counts in [*found.items(), ("all", total)]:
        damages = sum(counts[each] for each in COUNTED)
        left_out = counts.total() - damages
        lines.append(
            f"| {way} | {counts[Outcome.RESTORED]} | {damages} | {counts[Outcome.OFFERED]} | {left_out} |"
        )
    return "\n".join(lines)


def check(found: dict[str, Counter[Outcome]]) -> None:
    total = sum(found.values(), Counter[Outcome]())
    assert total[Outcome.RUINED] == 0, table(found)
    assert share(total) >= LEAST, table(found)


def share(counts: Counter[Outcome]) -> float:
    """How much of what counts came back; all where nothing counts."""
    damages = sum(counts[each] for each in COUNTED)
    return counts[Outcome.RESTORED] / damages if damages else 1


def is_small(name: str) -> bool:
    return len(read_rules(find_sheet(name).source)[0].rules) <= LARGE


@pytest.mark.long
def test_a_sample_of_small_sheets_comes_back() -> None:
    cases = [(name, way) for name in GDL_SHEETS if is_small(name) for way in WAYS]
    # These numbers share no factor with the nineteen ways, so that each is met.
    check(results(cases[:: 11 if FULL else 47]))


@pytest.mark.long
@pytest.mark.parametrize(
    "way",
    sample(["variable of a head", "missing arrow", "wrong word in a body", "wrong word in a head"], 4),
)
def test_slips_of_form_come_back(way: str) -> None:
    small = [name for name in GDL_SHEETS if is_small(name)]
    found = results((name, way) for name in small[:: 1 if FULL else 3])
    assert sum(found[way][each] for each in COUNTED) > 3, table(found)
    check(found)


@pytest.mark.slow
def test_four_of_five_damaged_sheets_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    found = results((name, way) for name in GDL_SHEETS for way in WAYS)
    with capsys.disabled():
        print(f"\n{table(found)}")
    check(found)
    assert [way for way in WAYS if share(found[way]) < WEAK.get(way, LEAST)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GDL_SHEETS)
def test_no_good_sheet_is_changed(name: str) -> None:
    from ludorum.solve.repair import mend

    found = mend(find_sheet(name).source)
    assert found.offers == ()
    assert found.left == []
