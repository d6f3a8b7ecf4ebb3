"""The lines of ``plans.py`` as Markdown: a summary, what is open and why, and every sheet."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]

TEXT = """# Games for one player, planned

{count} sheets, all those of the library and of the public corpus with a single role, read leniently. Made by
`bench/plans.py`, not by hand; how plans are found is told in [planning.md](planning.md). A sheet had at most
{limit:g} s of the clock, all ways side by side, on two cores that were shared with many other programs; so
`cpu` tells more, the seconds of the processor that all its processes took together, reading the rules and
compiling them included. What is open may be so because the processor was elsewhere: `--again` takes it up.
Every plan was played to its end on the lifted engine, which had no part in finding it; plans found wrong:
{wrong}.

- **{solved} of {count} are solved** ({share:.1%}): it is proved that nothing brings more. The median took
  {median:.1f} s of the processor, {quick} of them less than a minute. Of {shortest} plans it is proved as
  well that none is shorter.
- {won} end with 100; of {less} it is proved that 100 is out of reach.
- {open} are open: what was found, and what is proved of it, is in the first table.

By method: {methods}.
"""

OPEN_TEXT = """
## Open

`found` is the value of the best plan, `at most` what is proved to be the limit, `moves` the length of the
plan, `asked` the number of moves of the longest plays that logic has come to ask about, `s` the seconds of
the clock it had at most.

| sheet | found | at most | moves | asked | by | cpu | s | why |
|---|--:|--:|--:|--:|---|--:|--:|---|
"""

ALL_TEXT = """
## Solved

`value` is the most that can be had. `shortest`: proved that no plan for it has fewer moves; elsewhere there
may be one. An end where a sheet gives several values has none.

| sheet | value | moves | shortest | by | cpu |
|---|--:|--:|---|---|--:|
"""


def is_solved(row: Row) -> bool:
    """Whether the last word is said about the value."""
    return "failure" not in row and bool(row["optimal"] or row["none"])


def best_rows(rows: Sequence[Row]) -> dict[str, Row]:
    """What all rows of a sheet come to: plans were played and bounds are proved, in whichever run."""
    best: dict[str, Row] = {}
    for row in rows:
        known = best.get(row["sheet"])
        if known is None or _rank(row) >= _rank(known):
            best[row["sheet"]] = row
    for row in rows:
        kept = best[row["sheet"]]
        if "bound" in row and "bound" in kept:
            kept["bound"] = min(kept["bound"], row["bound"])
            kept["limit"] = max(kept["limit"], row["limit"])
            kept["optimal"] = kept["optimal"] or kept["goal"] == kept["bound"]
    return best


def _rank(row: Row) -> tuple[bool, int, int]:
    if "failure" in row:
        return (False, -2, 0)
    goal, length = row["goal"], row["length"]
    return (is_solved(row), -1 if goal is None else goal, 0 if length is None else -length)


def plans_table(rows: Sequence[Row]) -> str:
    """The whole page."""
    rows = sorted(rows, key=lambda row: row["sheet"].lower())
    solved = [row for row in rows if is_solved(row)]
    left = [row for row in rows if not is_solved(row)]
    parts = [TEXT.format(**_summary(rows, solved))]
    if left:
        parts.append(OPEN_TEXT + "\n".join(map(_open_line, left)) + "\n")
    parts.append(ALL_TEXT + "\n".join(map(_line, solved)) + "\n")
    return "".join(parts)


def _summary(rows: Sequence[Row], solved: Sequence[Row]) -> Row:
    if not rows:
        raise ValueError("there are no results yet: run bench/plans.py")
    methods = Counter(row["method"] for row in solved)
    return {
        "count": len(rows),
        "limit": max((row.get("limit", 0) for row in rows), default=0),
        "wrong": ", ".join(row["sheet"] for row in rows if row.get("wrong")) or "none",
        "solved": len(solved),
        "share": len(solved) / max(1, len(rows)),
        "median": statistics.median([row["cpu"] for row in solved] or [0.0]),
        "quick": sum(row["cpu"] < 60 for row in solved),
        "shortest": sum(row["shortest"] for row in solved),
        "won": sum(row["goal"] == 100 for row in solved),
        "less": sum(row["goal"] != 100 for row in solved),
        "open": len(rows) - len(solved),
        "methods": ", ".join(f"{method} {count}" for method, count in methods.most_common()),
    }


def _line(row: Row) -> str:
    value = "no end" if row["goal"] is None else str(row["goal"])
    length = "" if row["length"] is None else row["length"]
    shortest = "yes" if row["shortest"] else ""
    return f"| {row['sheet']} | {value} | {length} | {shortest} | {row['method']} | {row['cpu']:.1f} |"


def _open_line(row: Row) -> str:
    if "failure" in row:
        return f"| {row['sheet']} | | | | | | | | {_cell(row['failure'])} |"
    found = "nothing" if row["goal"] is None else row["goal"]
    length = "" if row["length"] is None else row["length"]
    return (
        f"| {row['sheet']} | {found} | {row['bound']} | {length} | {row['looked_at']} | {row['method']} "
        f"| {row['cpu']:.1f} | {row['limit']:g} | {_cell(why_open(row))} |"
    )


def why_open(row: Row) -> str:
    """What stopped the ways, in words."""
    reasons = [f"no circuit: {row['circuit']}"] if "circuit" in row else []
    reasons += [f"{way}: {trouble}" for way, trouble in row["trouble"].items()]
    return "; ".join(reasons) or "time"


def _cell(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ")
