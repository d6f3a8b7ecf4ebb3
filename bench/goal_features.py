"""How many features the goals of every sheet have, by kind, beside the counts of the thesis (E4).

    python bench/goal_features.py CORPUS [--json FILE] [--only NAME...] [--every 1] [--seconds 60]

CORPUS holds folders of ``.kif`` files (or is ``library``). Each sheet is looked at in a process of its own,
killed when it hangs, and written to FILE as one line of JSON; a run that is started again goes on where it
stopped. ``--every 15`` looks at one sheet in fifteen. Goals are those of all roles. Work is bounded by
counts, so only the seconds differ from machine to machine. Persistence is proved elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from walk import Limits as WalkLimits
from walk import Row, read_rows, sheet_names, sheet_path, used_seconds, walk

from ludorum.engine.errors import GameError
from ludorum.engine.load import load_rules
from ludorum.evaluate.goals.expansion import expand_goals
from ludorum.evaluate.goals.feature_counts import count_features
from ludorum.evaluate.goals.leaf import LeafQuery
from ludorum.evaluate.goals.theory import Kind
from ludorum.rules.library import find_sheet
from ludorum.rules.source import RulesError

PUBLISHED: dict[str, tuple[float, float]] = {
    "solutions": (44.5, 2.44),
    "partial solutions": (19.9, 1.81),
    "order": (16.8, 0.55),
    "variable distance": (15.7, 0.23),
    "fixed distance": (59.7, 5.53),
    "mobility": (0.0, 0.0),
}
"""In percent of 191 games, and features of a game; mobility was no kind of its own."""


def main() -> None:
    asked = arguments()
    rows = read_rows(asked.json)
    names = sheet_names(asked.corpus, asked.only)[:: asked.every]
    limits = WalkLimits(asked.seconds, int(2.5e6 * asked.megabytes))
    missing = [name for name in names if name not in rows or asked.only]
    rows |= walk(missing, lambda name: looked_at(name, asked.corpus), limits, asked.json, line)
    print(table([rows[name] for name in names]))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", help="a folder, or `library`")
    parser.add_argument("--json", type=Path, default=Path("bench/results/goal-features.jsonl"))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the wall, for each sheet")
    parser.add_argument("--megabytes", type=float, default=2000.0)
    return parser.parse_args()


def looked_at(name: str, corpus: str) -> Row:
    began = used_seconds()
    try:
        found = expand_goals(load_rules(find_sheet(sheet_path(corpus, name)), lenient=True))
    except (RulesError, GameError, MemoryError) as error:
        return {"failure": f"{type(error).__name__}: {error}".splitlines()[0]}
    leaves = found.theory.leaves.values()
    return {
        "nodes": sum(node.kind is not Kind.LEAF for node in found.theory.nodes),
        "leaves": len(leaves),
        "queries": sum(isinstance(leaf, LeafQuery) for leaf in leaves),
        "features": dict(count_features(found.features.values())),
        "seconds": round(used_seconds() - began, 2),
    }


def line(row: Row) -> str:
    if "failure" in row:
        return f"{row['sheet']}: {row['failure']}"
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(row["features"].items()))
    return f"{row['sheet']}: {row['nodes']} nodes, {row['leaves']} leaves; {kinds or 'no features'}"


def table(rows: Sequence[Row]) -> str:
    """Of each kind the share of sheets that have it, and how many there are in a sheet."""
    told = [row for row in rows if "failure" not in row]
    lines = [
        f"{len(told)} sheets of {len(rows)}",
        "| kind | sheets | share | published | features | a sheet | published |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind, (share, each) in PUBLISHED.items():
        counts = [row["features"].get(kind, 0) for row in told]
        having, total = sum(map(bool, counts)), sum(counts)
        lines.append(
            f"| {kind} | {having} | {100 * having / len(told):.1f} % | {share} % "
            f"| {total} | {total / len(told):.2f} | {each} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
