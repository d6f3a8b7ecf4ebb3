"""The tables of docs/speed.md come from the newest file of results; as a program, this puts them there."""

import json
import re
from pathlib import Path
from typing import Any

from ludorum.experiments.measure import Speeds
from ludorum.experiments.speed_table import format_markdown
from tests.corpus_location import ROOT

PAGE = ROOT / "docs" / "speed.md"
TABLE = re.compile(r"(<!-- engine table: begin -->\n).*?(<!-- engine table: end -->)", re.DOTALL)


def newest_results() -> Path | None:
    return max((ROOT / "bench" / "results").glob("engine-*.json"), default=None)


def engine_table(path: Path) -> str:
    """The section between the marks: where it comes from, and the tables."""
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        Speeds(**{key: value for key, value in row.items() if key not in ("ratios", "rivals")})
        for row in results["games"]
    ]
    machine = results["machine"]
    told = (
        f"From [{path.name}](../bench/results/{path.name}): {machine['processor']}, {machine['cores']} cores,"
        f" {machine['vector_bits']}-bit vectors, Python {machine['python']}, commit `{results['commit']}`;"
        f" {machine['load']:g} programs wanted a core meanwhile."
    )
    return f"{told}\n\n{format_markdown(rows)}\n"


def page_with_table(text: str, table: str) -> str:
    return TABLE.sub(lambda marks: marks[1] + table + marks[2], text)


if __name__ == "__main__":
    found = newest_results()
    assert found, "no results yet: make bench"
    PAGE.write_text(page_with_table(PAGE.read_text(encoding="utf-8"), engine_table(found)), encoding="utf-8")
