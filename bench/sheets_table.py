"""The lines of ``sheets.py`` as Markdown: a summary, what has no circuit and why, and every sheet."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any

Row = dict[str, Any]

TEXT = """# Every public sheet on every engine

{count} sheets of GDL and GDL-II, read leniently and repaired as the engines load them. Measured {dates}
on {machines}, one process on one core; all seconds are seconds of the processor. Made by `bench/sheets.py`,
not by hand. Sheets that compile quickly were measured under a limit of 6 s, the others again under the full
one, some of them after later changes to the passes for large sheets.

- **{built} of {count} ({share:.1%}) become a circuit** within {limits}. Compiling takes {median_s:.2f} s
  in the median, {most_s:.1f} s at the 90th percentile. There `auto` ends with the compiled engine.
- **The lifted engine answers the first `legal` within 2 s on {quick} of {count}**, in {median_first:.3f} s
  in the median, and plays {median_lifted} steps a second in the median.
- Where there is no circuit `auto` stays with the lifted engine.

`first`: seconds from rules in memory to the first legal moves, lifted. `lifted` and `lanes`: steps a second
of random play, lifted and by one block of lanes; a step is one joint move with all its questions. `compile`:
seconds for rewriting, grounding, building and optimising; `MB`: the memory of the process that did it.
"""

COLUMNS = (
    ("sheet", "sheet"),
    ("rules", "rules"),
    ("first", "first_s"),
    ("lifted", "lifted"),
    ("engine", "engine"),
    ("compile", "compile_s"),
    ("MB", "megabytes"),
    ("ground rules", "ground"),
    ("fluents", "fluents"),
    ("moves", "moves"),
    ("gates", "gates"),
    ("literals", "literals"),
    ("lanes", "lanes"),
)


def sheets_table(rows: Sequence[Row], limits: str) -> str:
    """The whole page."""
    rows = sorted(rows, key=lambda row: row["sheet"].lower())
    parts = [TEXT.format(limits=limits, **_summary(rows))]
    without = [row for row in rows if "reason" in row]
    if without:
        parts.append("## Without a circuit\n\n" + _table(without, (("sheet", "sheet"), ("reason", "reason"))))
    failed = [row for row in rows if "failure" in row]
    if failed:
        parts.append(
            "## Without fast lifted play\n\n" + _table(failed, (("sheet", "sheet"), ("reason", "failure")))
        )
    parts.append("## All sheets\n\n" + _table(rows, COLUMNS))
    return "\n".join(parts)


def _summary(rows: Sequence[Row]) -> dict[str, Any]:
    built = [row for row in rows if "reason" not in row]
    seconds = sorted(row["compile_s"] for row in built)
    first = [row["first_s"] for row in rows if "first_s" in row]
    dates = sorted({row["date"] for row in rows})
    return {
        "count": len(rows),
        "built": len(built),
        "share": len(built) / len(rows),
        "dates": dates[0] if len(dates) == 1 else f"from {dates[0]} to {dates[-1]}",
        "machines": " and ".join(sorted({row["machine"] for row in rows})),
        "median_s": statistics.median(seconds),
        "most_s": seconds[len(seconds) * 9 // 10],
        "quick": sum(one <= 2 for one in first),
        "median_first": statistics.median(first),
        "median_lifted": _count(statistics.median(row["lifted"] for row in rows if "lifted" in row)),
    }


def _table(rows: Iterable[Row], columns: Sequence[tuple[str, str]]) -> str:
    lines = ["| " + " | ".join(title for title, _ in columns) + " |"]
    lines.append("|" + "|".join("---" if key in ("sheet", "reason", "failure", "engine") else "--:"
                                for _, key in columns) + "|")  # fmt: skip
    lines += ["| " + " | ".join(_cell(row, key) for _, key in columns) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(row: Row, key: str) -> str:
    if key == "engine":
        return "lifted" if "reason" in row else "compiled"
    value = row.get(key, "")
    if isinstance(value, str):
        return " ".join(value.replace("|", "\\|").split())
    if key in ("first_s", "compile_s"):
        return f"{value:.3f}" if value < 1 else f"{value:.1f}"
    return _count(value)


def _count(number: float) -> str:
    """A number as people read it: 950, 12.3 k, 4.56 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e4)):
        if number >= size:
            return f"{number / (1e3 if unit == 'k' else size):.3g} {unit}"
    return f"{number:.0f}"
