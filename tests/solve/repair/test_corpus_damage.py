"""Sheets of others, damaged in the ways people damage sheets: how often the old meaning comes back.

The costs of ``solve/repair`` were set while looking at library sheets and at the first of the two sets here;
the second was damaged once they were set. The tables in docs/repair.md are the output of this test.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ludorum.rules.check import check_source
from ludorum.rules.reader import read_rules, rule_language
from ludorum.rules.source import Severity, Source
from ludorum.solve.repair.play import play
from tests.solve.repair.damage import damaged
from tests.solve.repair.meaning import Outcome, outcome
from tests.solve.repair.test_damage import check, table

SHEETS = 25
FEWEST, MOST = 20, 150
"""Rules of a sheet. Larger ones take minutes for each damage; smaller ones are exercises."""
NAMED = (
    "missing bracket",
    "extra bracket",
    "misspelt relation",
    "misspelt constant",
    "misspelt variable",
    "dropped argument",
    "extra argument",
    "swapped arguments",
    "unsafe variable",
    "missing legal",
)


def chosen_sheets(corpus: Path, first: float) -> list[Path]:
    """Evenly among all names in order: from each of 25 places on, the first good sheet of middling size."""
    paths = sorted((corpus / "gdl1").glob("*.kif"))
    found: list[Path] = []
    for number in range(SHEETS):
        rest = paths[int((number + first) * len(paths) / SHEETS) :]
        found.append(next(path for path in rest if path not in found and is_good(path)))
    return found


def is_good(path: Path) -> bool:
    """Of middling size, in KIF, and without findings of check or play: damage must not meet other faults."""
    source = Source(path.name, path.read_text(encoding="utf-8", errors="replace"))
    rules, faults = read_rules(source)
    return (
        rule_language(source) == "kif"
        and not faults
        and FEWEST <= len(rules.rules) <= MOST
        and not any(fault.severity >= Severity.WARNING for fault in check_source(source))
        and not play(rules).symptoms
    )


@pytest.mark.slow
@pytest.mark.parametrize(("first", "seed"), [(0.0, 1), (0.5, 2)], ids=["looked at", "unseen"])
def test_damaged_sheets_of_others_come_back(
    first: float, seed: int, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found: dict[str, Counter[Outcome]] = {way: Counter() for way in NAMED}
    for path in chosen_sheets(corpus, first):
        text = path.read_text(encoding="utf-8", errors="replace")
        for way in NAMED:
            found[way][outcome(text, damaged(text, way, seed))[0]] += 1
    with capsys.disabled():
        print(f"\n{table(found)}")
    check(found)
