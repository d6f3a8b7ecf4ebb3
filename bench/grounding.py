"""Ground every sheet of a folder, one child process at a time, and print what it took or what stopped it.

    python bench/grounding.py FOLDER... [--seconds 60] [--megabytes 6000] [--only NAME...] [--json FILE]

Seconds are seconds of the processor. A last line says how many sheets were ground.
"""

from __future__ import annotations

import argparse
import json
import resource
from pathlib import Path
from typing import Any

from ludorum.asp.ground import GroundingError, ground_rules
from ludorum.rules.kif import read_kif
from ludorum.rules.source import RulesError
from ludorum.rules.syntax import load_source


def main() -> None:
    asked = arguments()
    sheets = [sheet for folder in asked.folders for sheet in find_sheets(folder, asked.only)]
    rows = []
    print(f"{'sheet':40} {'rules':>6} {'ground':>9} {'literals':>9} {'atoms':>8} {'true':>6} {'does':>7}"
          f" {'s':>7} {'MB':>6}")  # fmt: skip
    for sheet in sheets:
        rows.append(measure(sheet, asked.seconds, asked.megabytes, asked.options))
        print(line(rows[-1]), flush=True)
    done = sum("limit" not in row for row in rows)
    print(f"{done} of {len(rows)} sheets ground ({done / max(len(rows), 1):.1%})")
    if asked.json:
        Path(asked.json).write_text(json.dumps(rows, indent=1) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--megabytes", type=float, default=6000.0)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--passes", default=None, help="names of passes, separated by commas; '' for none")
    parser.add_argument("--json")
    asked = parser.parse_args()
    asked.options = {} if asked.passes is None else {"passes": tuple(filter(None, asked.passes.split(",")))}
    return asked


def find_sheets(folder: Path, only: list[str]) -> list[Path]:
    found = [folder] if folder.is_file() else sorted(folder.glob("*.kif"))
    return [path for path in found if not only or path.stem in only]


def measure(path: Path, seconds: float, megabytes: float, options: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"sheet": path.stem}
    before = used()
    try:
        ruleset, _ = read_kif(load_source(path))
        row["rules"] = len(ruleset.rules)
        program = ground_rules(ruleset, seconds, megabytes, processor_time=True, **options)
        row["ground"] = program.size["rules"]
        row |= {key: program.size[key] for key in ("literals", "atoms", "true", "does")}
        row["megabytes"] = round(program.megabytes)
    except (GroundingError, RulesError) as error:
        row["limit"] = str(error)
    row["seconds"] = round(used() - before, 3)
    return row


def used() -> float:
    """Processor seconds of this process and its children so far."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def line(row: dict[str, Any]) -> str:
    start = f"{row['sheet']:40} {row.get('rules', '-'):>6} "
    if "limit" in row:
        return start + f"{row['limit'].splitlines()[0][:100]} ({row['seconds']:.1f} s)"
    return start + (f"{row['ground']:>9} {row['literals']:>9} {row['atoms']:>8} {row['true']:>6}"
                    f" {row['does']:>7} {row['seconds']:>7.2f} {row['megabytes']:>6}")  # fmt: skip


if __name__ == "__main__":
    main()
