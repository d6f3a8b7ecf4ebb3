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
import json
import multiprocessing
import platform
import resource
import time
from collections.abc import Iterator
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sheets_table import sheets_table

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

Row = dict[str, Any]

LONGEST = 500
"""Steps after which a playout is cut: some sheets never end under random play."""

PATIENCE = 20.0
"""Seconds of the wall for one of the processor before a process counts as hanging: others work here too."""


def main() -> None:
    asked = arguments()
    rows = {row["sheet"]: row for row in read_rows(asked.json)}
    for path in find_sheets(asked.corpus, asked.only):
        known = rows.get(str(path.relative_to(asked.corpus)))
        if known is None or asked.only or (asked.again and "reason" in known):
            row = measured_apart(path, asked)
            rows[row["sheet"]] = row
            print(line(row), flush=True)
            with asked.json.open("a") as file:
                file.write(json.dumps(row) + "\n")
    built = sum("reason" not in row for row in rows.values())
    print(f"{built} of {len(rows)} sheets have a circuit ({built / max(len(rows), 1):.1%})")
    if asked.table:
        limits = f"{asked.seconds:g} s and {asked.megabytes / 1000:g} GB"
        asked.table.write_text(sheets_table(list(rows.values()), limits))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--json", type=Path, default=Path("bench/results/sheets.jsonl"))
    parser.add_argument("--table", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--megabytes", type=float, default=6000.0)
    parser.add_argument("--play", type=float, default=0.3, help="seconds of random play on each engine")
    return parser.parse_args()


def read_rows(path: Path) -> Iterator[Row]:
    """The lines written so far; a later line about a sheet replaces an earlier one."""
    if path.exists():
        for text in path.read_text().splitlines():
            yield json.loads(text)


def find_sheets(corpus: Path, only: list[str]) -> list[Path]:
    found = sorted(path for path in corpus.glob("gdl*/*.kif"))
    return [path for path in found if not only or path.stem in only]


def measured_apart(path: Path, asked: argparse.Namespace) -> Row:
    """What one sheet came to, measured in a child; a row with a reason whatever happens to the child."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=tell, args=(sender, path, asked))
    child.start()
    sender.close()
    name = str(path.relative_to(asked.corpus))
    try:
        if receiver.poll(PATIENCE * (asked.seconds + 60)):
            row: Row = receiver.recv()
        else:
            row = {"reason": "hangs", "failure": "hangs"}
    except EOFError:
        row = {"reason": "the process died", "failure": "the process died"}
    finally:
        child.kill()
        child.join()
    return {"sheet": name, **row, "date": date.today().isoformat(), "machine": platform.machine()}


def tell(sender: Connection, path: Path, asked: argparse.Namespace) -> None:
    memory = int(1.5e6 * asked.megabytes)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sender.send(measured(path, asked))


def measured(path: Path, asked: argparse.Namespace) -> Row:
    began = used()
    try:
        rules = load_rules(find_sheet(str(path)), lenient=True)
    except RulesError as error:
        return {"reason": str(error), "failure": str(error)}
    row: Row = {"rules": len(rules.rules), "read_s": since(began)}
    row |= lifted(rules, asked.play)
    row |= compiled(rules, asked)
    return row


def lifted(rules: Ruleset, seconds: float) -> Row:
    row: Row = {}
    try:
        began = used()
        game = LiftedGame(rules)
        start = game.initial()
        for role in game.roles:
            start.legal(role)
        row["first_s"] = since(began)
        row["roles"] = len(game.roles)
        played = game.playouts(seconds=seconds, longest=LONGEST)
        row["lifted"] = round(played.steps / max(1e-9, played.cpu_seconds - played.tuning_seconds))
    except GameError as error:
        row["failure"] = str(error)
    return row


def compiled(rules: Ruleset, asked: argparse.Namespace) -> Row:
    began = used()
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


def used() -> float:
    """Processor seconds of this process and its children so far."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def since(began: float) -> float:
    return round(used() - began, 3)


def line(row: Row) -> str:
    start = (
        f"{row['sheet']:50} first {row.get('first_s', '-'):>7} s, lifted {row.get('lifted', '-'):>8} steps/s"
    )
    if "reason" in row:
        return f"{start}, no circuit: {row['reason']} ({row.get('compile_s', 0):.1f} s)"
    return f"{start}, circuit {row['compile_s']:>7} s, {row['gates']} gates, {row['lanes']} steps/s"


if __name__ == "__main__":
    main()
