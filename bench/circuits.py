"""Circuit sizes before and after each pass, and the seconds they took, for library games and other sheets.

    python bench/circuits.py [GAME...] [--corpus FOLDER] [--json FILE]

A GAME is a library name or a path. Without games the usual ones are measured, and with ``--corpus`` the
public sheets of the same games beside them. A last table compares gates and literals with the prototype's.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ludorum.asp.ground import GroundingError
from ludorum.engine.circuit import CircuitError
from ludorum.engine.circuit_report import CircuitReport, report_circuit
from ludorum.engine.load import load_rules
from ludorum.rules.library import find_sheet

GAMES = (
    "tictactoe",
    "connect_four",
    "breakthrough",
    "othello",
    "english_draughts",
    "hex",
    "chess",
    "amazons_8",
)
SHEETS = (
    "ticTacToe", "connectFour", "breakthrough", "reversi", "checkers", "hex", "amazons_8x8", "speedChess",
)  # fmt: skip

PROTOTYPE = {
    "ticTacToe": (103, 279),
    "connectFour": (455, 1_200),
    "breakthrough": (793, 2_700),
    "reversi": (17_100, 40_000),
    "checkers": (2_800, 18_000),
    "hex": (61_000, 159_000),
    "amazons_8x8": (5_800, 27_000),
    "chess": (36_000, 137_000),
}
"""Gates and literals a prototype reached, on the public sheets and its own chess and hex 9x9."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    games = asked.games or list(GAMES)
    if asked.corpus and not asked.games:
        games += [str(asked.corpus / "gdl1" / f"{sheet}.kif") for sheet in SHEETS]
    reports = {game: measured(game) for game in games}
    print(f"\n{'game':<20} {'ground s':>8} {'build s':>8} {'gates':>8} {'literals':>9} {'prototype':>15}")
    for game, report in reports.items():
        if report:
            print(summary(game, report))
    if asked.json:
        rows: dict[str, Any] = {Path(game).stem: one.as_json() for game, one in reports.items() if one}
        asked.json.write_text(json.dumps(rows, indent=1) + "\n")


def measured(game: str) -> CircuitReport | None:
    print(f"\n{game}")
    try:
        report = report_circuit(load_rules(find_sheet(game), lenient=True))
    except (GroundingError, CircuitError) as error:
        print(f"  {error}")
        return None
    print(report, flush=True)
    return report


def summary(game: str, report: CircuitReport) -> str:
    name = Path(game).stem
    before = PROTOTYPE.get(name)
    beside = f"{before[0]} / {before[1]}" if before else ""
    size = report.circuit.size
    return (
        f"{name:<20} {report.ground_seconds:>8.2f} {report.build_seconds:>8.3f}"
        f" {size.gates:>8} {size.literals:>9} {beside:>15}"
    )


if __name__ == "__main__":
    main()
