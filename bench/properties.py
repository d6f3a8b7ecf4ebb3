"""Is every sheet of a corpus playable, does it end, can it be won? Proved, refuted, observed or unknown.

    python bench/properties.py CORPUS [--json FILE] [--table FILE] [--only NAME...] [--again] [--seconds 30]

CORPUS holds folders of ``.kif`` files (or is ``library``). Each sheet is looked at in a process of its own,
killed when it hangs, and written to FILE as one line of JSON; a run that is started again goes on where it
stopped, and ``--again`` takes up those with something open. ``--table`` writes Markdown (docs/properties.md).

Verdicts are checked: what is proved must survive 1000 random plays of the compiled engine, and what is
refuted must replay on the lifted one. A verdict that does not is reported as *wrong*, and the run ends with
exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from properties_table import properties_table
from walk import Limits as WalkLimits
from walk import Row, read_rows, sheet_names, sheet_path, walk

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_rules
from ludorum.engine.simulator import PlayoutReport
from ludorum.rules.kif import parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import RulesError
from ludorum.search.budget import Budget
from ludorum.solve.prove import ProofLimits, Verdict, VerdictStatus, prove

ASKED = ("playable", "terminates", "winnable")
PLAYS = 1000
LONGEST = 1000
"""Moves after which a random play is cut where no bound is proved."""
PATIENCE = 6.0
"""A process may take so many times its seconds of the wall before it counts as hanging."""


def main() -> None:
    asked = arguments()
    rows = read_rows(asked.json)
    names = [
        name
        for name in sheet_names(asked.corpus, asked.only)
        if name not in rows or asked.only or (asked.again and is_open(rows[name]))
    ]
    limits = WalkLimits(PATIENCE * (asked.seconds + 20), int(2.5e6 * asked.megabytes))
    rows |= walk(names, lambda name: looked_at(name, asked), limits, asked.json, line)
    if asked.table:
        asked.table.write_text(properties_table(list(rows.values()), ASKED))
    wrong = [row["sheet"] for row in rows.values() if row.get("wrong")]
    print(f"{len(rows)} sheets; wrong verdicts: {', '.join(wrong) or 'none'}")
    sys.exit(bool(wrong))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", help="a folder, or `library`")
    parser.add_argument("--json", type=Path, default=Path("bench/results/properties.jsonl"))
    parser.add_argument("--table", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=30.0, help="of the wall, for each sheet")
    parser.add_argument("--megabytes", type=float, default=2000.0)
    return parser.parse_args()


def is_open(row: Row) -> bool:
    return "failure" in row or any(row[name]["status"] in ("observed", "unknown") for name in ASKED)


def looked_at(name: str, asked: argparse.Namespace) -> Row:
    try:
        rules = load_rules(find_sheet(sheet_path(asked.corpus, name)), lenient=True)
    except RulesError as error:
        return {"failure": str(error).splitlines()[0]}
    limits = ProofLimits(megabytes=asked.megabytes, plays=200)
    try:
        found = {
            verdict.property: verdict
            for verdict in prove(rules, ASKED, Budget(seconds=asked.seconds), name=name, limits=limits)
        }
        plays, wrong = check(rules, found, asked)
    except (GameError, MemoryError) as error:
        return {"failure": f"{type(error).__name__}: {error}".splitlines()[0]}
    row: Row = {"roles": len(rules.roles), "plays": plays, "wrong": wrong}
    for verdict in found.values():
        value = verdict.value if verdict.property == "terminates" else None
        row[verdict.property] = {
            "status": verdict.status.value, "method": verdict.method, "reason": verdict.reason,
            "value": value, "seconds": round(verdict.seconds, 2),
        }  # fmt: skip
    return row


def check(rules: Ruleset, found: dict[str, Verdict], asked: argparse.Namespace) -> tuple[int, list[str]]:
    """The number of random plays made, and the properties whose verdicts do not stand."""
    game = LiftedGame(rules, "checked")
    wrong = [name for name, verdict in found.items() if not stands(game, verdict)]
    report = random_plays(rules, found["terminates"], asked.megabytes)
    if report is not None:
        proved = {name for name, verdict in found.items() if verdict.status is VerdictStatus.PROVED}
        if "playable" in proved and report.stuck:
            wrong.append("playable")
        if "terminates" in proved and report.capped:
            wrong.append("terminates")
        loser = never_wins(found["winnable"])
        if loser is not None and report.histogram[parse_term(loser)].get(100):
            wrong.append("winnable")
    return (0 if report is None else report.playouts), sorted(set(wrong))


def never_wins(verdict: Verdict) -> str | None:
    """The role of which it is claimed that it never has 100 at the end."""
    refuted = verdict.status is VerdictStatus.REFUTED and isinstance(verdict.value, dict)
    return str(verdict.value["role"]) if refuted and isinstance(verdict.value, dict) else None


def stands(game: Game, verdict: Verdict) -> bool:
    """Whether the witness of a verdict replays, and shows what it says; true where there is none."""
    if verdict.witness is None:
        return verdict.status is not VerdictStatus.REFUTED or verdict.property == "winnable"
    states = verdict.witness.replay(game)
    last = states[-1]
    if verdict.property == "terminates":
        return last == states[len(verdict.witness.moves)] and len(verdict.witness.loop) > 0
    if verdict.property == "playable":
        return not last.is_terminal and any(not last.legal(role) for role in game.roles)
    return all(won(game, role, play) for role, play in dict(verdict.value or {}).items())  # type: ignore[call-overload]


def won(game: Game, role: str, play: list[list[str]]) -> bool:
    state = game.initial()
    for joint in play:
        state = state.play([parse_term(move) for move in joint])
    return state.is_terminal and state.goal(game.role(role)) == 100


def random_plays(rules: Ruleset, terminates: Verdict, megabytes: float) -> PlayoutReport | None:
    """A thousand random plays on the compiled engine; cut one move after the proved bound."""
    try:
        game = CompiledGame(rules, "checked", seconds=60, megabytes=megabytes)
    except GameError:
        return None
    bound = terminates.value if isinstance(terminates.value, int) else LONGEST - 1
    return game.simulator().playouts(count=PLAYS, max_steps=bound + 1, seed=1)


def line(row: Row) -> str:
    if "failure" in row:
        return f"{row['sheet']}: {row['failure']}"
    told = ", ".join(f"{name} {row[name]['status']}" for name in ASKED)
    return f"{row['sheet']}: {told}{'; WRONG ' + str(row['wrong']) if row['wrong'] else ''}"


if __name__ == "__main__":
    main()
