"""From what a person names to a game: find the sheet, read it, check it, start an engine on it."""

from __future__ import annotations

from ..rules.library import Sheet, find_sheet
from ..rules.reader import read_rules
from ..rules.ruleset import Ruleset
from ..rules.source import Diagnostic, RulesError, Severity
from .game import Game
from .reference import ReferenceGame

ENGINES = ("reference",)


def load_game(name: str, engine: str = "reference", lenient: bool = False) -> Game:
    """The game a library name, a path or ``-`` stands for; RulesError with all faults of bad rules."""
    return make_game(find_sheet(name), engine, lenient)


def make_game(sheet: Sheet, engine: str = "reference", lenient: bool = False) -> Game:
    if engine not in ENGINES:
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    return ReferenceGame(load_rules(sheet, lenient), sheet.name)


def load_rules(sheet: Sheet, lenient: bool = False) -> Ruleset:
    """The checked rules of a sheet, repaired in lenient mode; RulesError with every error otherwise."""
    from ..rules.check import check_ruleset
    from ..rules.repair import repair

    ruleset, faults = read_rules(sheet.source)
    faults = faults + check_ruleset(ruleset, lenient)
    errors: list[Diagnostic] = [fault for fault in faults if fault.severity is Severity.ERROR]
    if errors:
        raise RulesError(errors)
    return repair(ruleset)[0] if lenient else ruleset
