"""How many features the goals of every sheet have, by kind, beside the counts of the thesis (E4).

    python bench/goal_features.py CORPUS [--json FILE] [--only NAME...] [--every 1] [--seconds 60]

CORPUS holds folders of ``.kif`` files (or is ``library``). Each sheet is looked at in a process of its own,
killed when it hangs, and written to FILE as one line of JSON; a run that is started again goes on where it
stopped. ``--every 15`` looks at one sheet in fifteen. Goals are those of all roles. What is found out
late has 100 seconds for each sheet.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from walk import Limits as WalkLimits
from walk import Row, read_rows, sheet_names, sheet_path, used_seconds, walk

from ludorum.engine.errors import GameError
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_rules
from ludorum.experiments.evaluation_2012.features import features_table, measure_features
from ludorum.rules.library import find_sheet
from ludorum.rules.source import RulesError


def main() -> None:
    asked = arguments()
    rows = read_rows(asked.json)
    names = sheet_names(asked.corpus, asked.only)[:: asked.every]
    limits = WalkLimits(asked.seconds, int(2.5e6 * asked.megabytes))
    missing = [name for name in names if name not in rows or asked.only]
    rows |= walk(missing, lambda name: looked_at(name, asked.corpus), limits, asked.json, line)
    told = [rows[name]["features"] for name in names if "failure" not in rows[name]]
    print(f"{len(told)} sheets of {len(names)}\n{features_table(told)}")


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
        game = LiftedGame(load_rules(find_sheet(sheet_path(corpus, name)), lenient=True), name)
        found = measure_features(game).as_json()
    except (RulesError, GameError, MemoryError) as error:
        return {"failure": f"{type(error).__name__}: {error}".splitlines()[0]}
    del found["game"]
    return {**found, "cpu_seconds": round(used_seconds() - began, 2)}


def line(row: Row) -> str:
    if "failure" in row:
        return f"{row['sheet']}: {row['failure']}"
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(row["features"].items()))
    return f"{row['sheet']}: {row['nodes']} nodes, {row['leaves']} leaves; {kinds or 'no features'}"


if __name__ == "__main__":
    main()
