"""The five games of 2009 in their dress of then, and small questions to both planners."""

from __future__ import annotations

from ludorum._paths import games_folder
from ludorum.engine.load import load_rules
from ludorum.experiments.planning_2009.legacy import LegacyPlanner, sent_text
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.solve.planner import PlanAnswer, Planner

ENOUGH = Budget(seconds=120)


def sheet_2009(name: str, lenient: bool = True) -> Ruleset:
    return load_rules(find_sheet(str(games_folder() / "planning_2009" / f"{name}.kif")), lenient)


def legacy_planner(name: str, role: str) -> LegacyPlanner:
    """The rules exactly as they stand in the sheet, sent without comments."""
    return LegacyPlanner(sent_text(sheet_2009(name, lenient=False)), role)


def modern_answer(rules: Ruleset | str, role: str) -> PlanAnswer:
    rules = parse_kif(rules) if isinstance(rules, str) else rules
    return Planner(rules).plan(Term(role), ENOUGH, values=[100])
