"""Every sheet for one player: the best plan within a minute, and what is proved of it.

    python bench/plans.py CORPUS... [--json FILE] [--table FILE] [--only NAME...] [--again] [--seconds 60]

CORPUS holds folders of ``.kif`` files, or is ``library``. Each sheet is looked at in a process of its own,
killed when it hangs, and written to FILE as one line of JSON; a run that is started again goes on where it
stopped, and ``--again`` takes up those that are not solved, perhaps by one ``--way`` alone. What several runs
found of a sheet adds up. ``--table`` writes Markdown (docs/puzzles.md is made so).

Solved: a plan of which it is proved that nothing brings more. Every plan is played on the lifted engine,
which had no part in finding it; one that does not lead where it says is reported as *wrong*, and the run ends
with exit code 1. ``seconds`` are of the clock on the wall, ``cpu`` of the processor, all processes together.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from functools import partial
from pathlib import Path

from plans_table import best_rows, is_solved, plans_table
from walk import Limits, Row, read_lines, sheet_names, sheet_path, used_seconds, walk

from ludorum.engine.auto import AutoGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_rules
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import RulesError
from ludorum.search.budget import Budget
from ludorum.solve.planner import JointPlan
from ludorum.solve.portfolio import PlanTask, WayResult, best_plan, proved_bound

PATIENCE = 2.0
"""A process may take so many times its seconds, and some to begin and end, before it counts as hanging."""


def main() -> None:
    asked = arguments()
    rows = best_rows(read_lines(asked.json))
    limits = Limits(PATIENCE * asked.seconds + 60, int(1e6 * asked.megabytes), asked.jobs)
    for corpus in asked.corpus:
        names = [
            name
            for name in single_player_sheets(corpus, asked.only)
            if name not in rows or asked.only or (asked.again and not is_solved(rows[name]))
        ]
        look = partial(planned, corpus, asked.seconds, asked.way)
        walk(names, look, limits, asked.json, line)
    rows = best_rows(read_lines(asked.json))
    if asked.table:
        asked.table.write_text(plans_table(list(rows.values())), encoding="utf-8")
    wrong = [row["sheet"] for row in rows.values() if row.get("wrong")]
    solved = sum(map(is_solved, rows.values()))
    print(f"{solved} of {len(rows)} sheets are solved; wrong plans: {', '.join(wrong) or 'none'}")
    sys.exit(bool(wrong))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", nargs="*", help="folders, or `library`")
    parser.add_argument("--json", type=Path, default=Path("bench/results/plans.jsonl"))
    parser.add_argument("--table", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the wall, for each sheet")
    parser.add_argument("--megabytes", type=float, default=8000.0)
    parser.add_argument(
        "--way", nargs="*", help="only some of `logic`, `search`, `any-order`, `parts` and `bound`"
    )
    parser.add_argument("--jobs", type=int, default=1, help="sheets at a time")
    return parser.parse_args()


def single_player_sheets(corpus: str, only: list[str]) -> list[str]:
    """Those with one role."""
    return [name for name in sheet_names(corpus, only) if has_one_role(sheet_path(corpus, name))]


def has_one_role(path: str) -> bool:
    """Whether rules give a single role; sheets that name several are not read, those in error have none."""
    sheet = find_sheet(path)
    text = re.sub(r";.*", "", sheet.source.text.lower())
    if len(set(re.findall(r"\(\s*role\s+([^\s()?]+)\s*\)", text))) > 1:
        return False
    try:
        return len(load_rules(sheet, lenient=True).roles) == 1
    except RulesError:
        return False


def planned(corpus: str, seconds: float, ways: list[str] | None, name: str) -> Row:
    """What planning one sheet came to."""
    path = sheet_path(corpus, name)
    rules = load_rules(find_sheet(path), lenient=True)
    began = time.monotonic()
    row: Row = {"limit": seconds}
    circuit = ""
    try:
        if ways == ["logic"]:  # which has no use for a circuit
            found = asked_of(LiftedGame(rules, name), seconds, ways)
        else:
            with AutoGame(rules, name) as game:
                found = asked_of(game, seconds, ways)
                circuit = "" if game.is_compiled else game.failure or "not there in time"
    except (GameError, MemoryError) as error:
        return row | {"failure": f"{type(error).__name__}: {error}".splitlines()[0]}
    row |= {"seconds": round(time.monotonic() - began, 2), "cpu": round(used_seconds(), 2)}
    row |= told(found)
    plan = found[0].answer and found[0].answer.plan
    values = () if plan is None else values_at_the_end(rules, plan)
    row["wrong"] = plan is not None and values != (str(plan.goal),)
    if circuit:
        row["circuit"] = circuit.splitlines()[0]
    return row


def asked_of(game: Game, seconds: float, ways: list[str] | None) -> list[WayResult]:
    return best_plan(PlanTask(game, game.roles[0]), Budget(seconds=seconds), ways)


def told(found: list[WayResult]) -> Row:
    best, answer = found[0], found[0].answer
    plan = None if answer is None else answer.plan
    row: Row = {
        "goal": None if plan is None else plan.goal,
        "length": None if plan is None else len(plan),
        "optimal": plan is not None and plan.optimal,
        "shortest": plan is not None and plan.shortest,
        "none": answer is not None and plan is None and answer.complete,
        "bound": proved_bound(found),
        "looked_at": max((each.answer.horizon for each in found if each.answer), default=0),
        "method": best.method or best.way,
        "trouble": {each.way: each.trouble for each in found if each.trouble},
    }
    return row


def values_at_the_end(rules: Ruleset, plan: JointPlan) -> tuple[str, ...]:
    """The goals where the lifted engine comes by the plan; none if it comes to no end, or to one before."""
    state = LiftedGame(rules, "checked").initial()
    for joint in plan.moves:
        if state.is_terminal or any(
            move not in state.legal(role) for role, move in zip(rules.roles, joint, strict=True)
        ):
            return ()
        state = state.play(joint)
    return tuple(map(str, state.goal_terms(plan.role))) if state.is_terminal else ()


def line(row: Row) -> str:
    if "failure" in row:
        return f"{row['sheet']}: {row['failure']}"
    if row["goal"] is None:
        found = "no play ends, proved" if row["none"] else "nothing found"
    else:
        found = f"{row['goal']} in {row['length']} by {row['method']}"
    proved = "optimal" if row["optimal"] else f"at most {row['bound']}"
    shortest = ", shortest" if row["shortest"] else ""
    wrong = "; WRONG" if row["wrong"] else ""
    seconds = f"{row['seconds']} s ({row['cpu']} s of the processor)"
    return f"{row['sheet']}: {found}, {proved}{shortest}, {seconds}{wrong}"


if __name__ == "__main__":
    main()
