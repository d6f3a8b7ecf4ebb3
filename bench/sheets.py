"""Every sheet of a corpus on every engine: what it takes, how fast it plays, and why it has no circuit.

    python bench/sheets.py CORPUS [--json FILE] [--table FILE] [--only NAME...] [--again] [--seconds 60]

CORPUS holds folders of ``.kif`` files. Each sheet is measured in a process of its own, killed when it hangs,
and written to FILE as one line of JSON; a run that is started again goes on where it stopped. ``--again``
measures the sheets without a circuit once more. ``--table`` writes Markdown (docs/sheets.md is made so).

All seconds are seconds of the processor, so a busy machine does no harm. ``first`` is the time from rules in
memory to the first legal moves of the lifted engine; a step is one joint move with all its questions.
"""

from __future__ import annotations

import argparse
import platform
import time
from datetime import date
from pathlib import Path

from sheets_table import sheets_table
from walk import Limits, Row, read_rows, sheet_names, sheet_path, used_seconds, walk

from ludorum._core import Lanes
from ludorum.engine import GameError
from ludorum.engine.circuit import CircuitError
from ludorum.engine.compile_circuit import compile_circuit
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_rules
from ludorum.engine.network import make_network
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import RulesError

LONGEST = 500
"""Steps after which a playout is cut: some sheets never end under random play."""

PATIENCE = 20.0
"""Seconds of the wall for one of the processor before a process counts as hanging: others work here too."""


def main() -> None:
    asked = arguments()
    rows = read_rows(asked.json)
    names = [
        name
        for name in sheet_names(asked.corpus, asked.only)
        if name not in rows or asked.only or (asked.again and "reason" in rows[name])
    ]
    limits = Limits(PATIENCE * (asked.seconds + 60), int(1.5e6 * asked.megabytes))
    rows |= walk(names, lambda name: measured(name, asked), limits, asked.json, line, lost)
    built = sum("reason" not in row for row in rows.values())
    print(f"{built} of {len(rows)} sheets have a circuit ({built / max(len(rows), 1):.1%})")
    if asked.table:
        limits = f"{asked.seconds:g} s and {asked.megabytes / 1000:g} GB"
        asked.table.write_text(sheets_table(list(rows.values()), limits))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", help="a folder, or `library`")
    parser.add_argument("--json", type=Path, default=Path("bench/results/sheets.jsonl"))
    parser.add_argument("--table", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--megabytes", type=float, default=6000.0)
    parser.add_argument("--play", type=float, default=0.3, help="seconds of random play on each engine")
    return parser.parse_args()


def measured(name: str, asked: argparse.Namespace) -> Row:
    began = used_seconds()
    try:
        rules = load_rules(find_sheet(sheet_path(asked.corpus, name)), lenient=True)
    except RulesError as error:
        return lost(str(error))
    row: Row = {"rules": len(rules.rules), "read_s": since(began)}
    return row | lifted(rules, asked.play) | compiled(rules, asked) | where_and_when()


def lost(reason: str) -> Row:
    """The row of a sheet of which nothing is known but why."""
    return {"reason": reason, "failure": reason, **where_and_when()}


def where_and_when() -> Row:
    return {"date": date.today().isoformat(), "machine": platform.machine()}


def lifted(rules: Ruleset, seconds: float) -> Row:
    row: Row = {}
    try:
        began = used_seconds()
        game = LiftedGame(rules)
        start = game.initial()
        for role in game.roles:
            start.legal(role)
        row["first_s"] = since(began)
        row["roles"] = len(game.roles)
        played = game.measure_playouts(seconds=seconds, longest=LONGEST)
        row["lifted"] = round(played.steps / max(1e-9, played.cpu_seconds - played.tuning_seconds))
    except GameError as error:
        row["failure"] = str(error)
    return row


def compiled(rules: Ruleset, asked: argparse.Namespace) -> Row:
    began = used_seconds()
    try:
        circuit, cost = compile_circuit(rules, asked.seconds, asked.megabytes, processor_time=True)
    except CircuitError as error:
        return {"compile_s": since(began), "reason": str(error)}
    network = make_network(circuit)
    row: Row = {"compile_s": since(began), "megabytes": round(cost.megabytes), "ground": cost.ground["rules"]}
    size = circuit.size
    row |= {"fluents": size.fluents, "moves": size.moves, "gates": size.gates, "literals": size.literals}
    lanes = Lanes(network, 0)
    began = time.process_time()
    played = lanes.playouts(seconds=asked.play, max_steps=LONGEST)
    row["lanes"] = round(played["steps"] / max(1e-9, time.process_time() - began))
    return row


def since(began: float) -> float:
    return round(used_seconds() - began, 3)


def line(row: Row) -> str:
    start = (
        f"{row['sheet']:50} first {row.get('first_s', '-'):>7} s, lifted {row.get('lifted', '-'):>8} steps/s"
    )
    if "reason" in row:
        return f"{start}, no circuit: {row['reason']} ({row.get('compile_s', 0):.1f} s)"
    return f"{start}, circuit {row['compile_s']:>7} s, {row['gates']} gates, {row['lanes']} steps/s"


if __name__ == "__main__":
    main()
