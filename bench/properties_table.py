"""The lines of ``properties.py`` as Markdown: a summary, and every sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]

TEXT = """# What is proved of every sheet

{count} sheets, read leniently: the library, and {public} of the public corpus. They had 3 to 30 s of
the clock each on a busy machine; much of what is unknown here is a matter of time. Made by
`bench/properties.py`, not by hand; what the words mean is told in [proving.md](proving.md). Every "proved"
survived {plays} random plays in all, 1000 a sheet, on the compiled engine, wherever the sheet compiles; every
"refuted" replayed its witness on the lifted engine (of `winnable`, where no play can be a witness, it was
checked that none of the random plays won). Verdicts found wrong by
these checks: {wrong}.

{summary}

`ends` gives the largest number of moves any play can have, where it is proved (a bound, not always reached).
"""


def properties_table(rows: Sequence[Row], asked: Sequence[str]) -> str:
    """The whole page."""
    rows = sorted(rows, key=lambda row: row["sheet"].lower())
    told = [row for row in rows if "failure" not in row]
    wrong = [row["sheet"] for row in told if row["wrong"]]
    page = TEXT.format(
        count=len(rows),
        public=sum(row["sheet"].endswith(".kif") for row in rows),
        plays=sum(row["plays"] for row in told),
        wrong=", ".join(wrong) or "none",
        summary=_summary(told, asked),
    )
    lines = [f"| sheet | {' | '.join(asked)} | ends | by |", "|---" * (len(asked) + 3) + "|"]
    for row in rows:
        lines.append(_line(row, asked))
    return page + "\n" + "\n".join(lines) + "\n"


def _summary(rows: Sequence[Row], asked: Sequence[str]) -> str:
    kinds = ("proved", "refuted", "observed", "unknown")
    lines = [f"| property | {' | '.join(kinds)} |", "|---" * (len(kinds) + 1) + "|"]
    for name in asked:
        counts = Counter(row[name]["status"] for row in rows)
        lines.append(f"| {name} | {' | '.join(str(counts[kind]) for kind in kinds)} |")
    return "\n".join(lines)


def _line(row: Row, asked: Sequence[str]) -> str:
    if "failure" in row:
        return f"| {row['sheet']} | {row['failure'].replace('|', '/')} |{' |' * (len(asked) + 1)}"
    cells = [row[name]["status"] for name in asked]
    bound = row["terminates"]["value"]
    methods = sorted({row[name]["method"] for name in asked if row[name]["method"]})
    return (
        f"| {row['sheet']} | {' | '.join(cells)} | {'' if bound is None else bound} | {', '.join(methods)} |"
    )
