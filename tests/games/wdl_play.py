"""Random matches of WDL games of the library, by the rules as they are written."""

from __future__ import annotations

from random import Random

from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.library import find_sheet
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.terms import Term

Step = tuple[MasterState, dict[Term, Term]]
"""A state, and the resolved moves that led to it."""


def master_of(name: str) -> WdlMaster:
    sheet, faults = read_wdl_sheet(find_sheet(name))
    assert faults == []
    return WdlMaster(sheet)


def random_match(master: WdlMaster, rng: Random) -> list[Step]:
    """All states of one random match."""
    steps: list[Step] = [(master.initial(), {})]
    while not master.is_terminal(state := steps[-1][0]):
        moves = {}
        for role in master.roles:
            moves[role], _ = master.resolve(state, rng.choice(master.legal(state, role)), rng)
        steps.append((master.after(state, moves), moves))
    return steps


def facts(state: MasterState, name: str) -> list[tuple[str, ...]]:
    return sorted(tuple(map(str, fact.args)) for fact in state.facts if fact.name == name)


def goals_of(master: WdlMaster, state: MasterState) -> dict[str, int]:
    """The goal value of each role, of which there must be one."""
    goals = master.goals(state)
    assert all(len(values) == 1 for values in goals.values()), goals
    return {str(role): int(str(values[0])) for role, values in goals.items()}
