"""Loads a game by name: finds the sheet, reads it, checks it, and starts an engine on it."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

from ..rules.library import CHARTS, LANGUAGES, LOGIC, WDL, Sheet, find_sheet
from ..rules.logic_sheets import checked_wdl, faults_of, read_wdl_sheet, rules_of
from ..rules.ruleset import Ruleset
from ..rules.source import NOWHERE, Diagnostic, RulesError, Severity
from .auto import AutoGame
from .game import Game
from .lifted import LiftedGame
from .reference import ReferenceGame

if TYPE_CHECKING:
    from .wdl_master import WdlMaster


def _compiled(rules: Ruleset, name: str) -> Game:
    from .compiled import CompiledGame  # imports clingo and the circuit passes: only when asked for

    return CompiledGame(rules, name)


_MAKERS: dict[str, Callable[[Ruleset, str], Game]] = {
    "reference": ReferenceGame,
    "lifted": LiftedGame,
    "compiled": _compiled,
    "auto": AutoGame,
}

ENGINES = tuple(_MAKERS)

DEFAULT_ENGINE = "lifted"
"""The default engine: it answers at once on every sheet."""


def load_game(
    name: str, engine: str = DEFAULT_ENGINE, lenient: bool = False, keep_names: bool = False
) -> Game:
    """The game a library name, a path or ``-`` stands for; RulesError with all faults of bad rules.

    The engine ``lifted`` answers at once, ``compiled`` plays hundreds of games at once after it was built,
    ``auto`` begins with the first and goes over to the second, ``reference`` is slow and obviously right.

    >>> import ludorum
    >>> [str(role) for role in ludorum.load_game("connect_four").roles]
    ['red', 'yellow']
    """
    return make_game(find_sheet(name), engine, lenient, keep_names)


def make_game(
    sheet: Sheet, engine: str = DEFAULT_ENGINE, lenient: bool = False, keep_names: bool = False
) -> Game:
    if engine not in ENGINES:
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    if sheet.language not in LOGIC:
        return _reader_of(sheet.language)(sheet, engine)
    return _MAKERS[engine](load_rules(sheet, lenient, keep_names), sheet.name)


def load_realtime(sheet: Sheet) -> WdlMaster | None:
    """A realtime game as it is written; None where a sheet of WDL has rounds. RulesError with all errors."""
    from .wdl_master import WdlMaster

    read, _ = read_wdl_sheet(sheet)
    if not read.settings.realtime:
        return None
    errors = [fault for fault in faults_of(sheet) if fault.severity is Severity.ERROR]
    if errors:
        raise RulesError(errors)
    return WdlMaster(read)


def load_rules(sheet: Sheet, lenient: bool = False, keep_names: bool = False) -> Ruleset:
    """The checked rules of a sheet, repaired in lenient mode; RulesError with every error otherwise.

    ``keep_names`` leaves out the repairs that give a name another meaning (a fluent without ``true``):
    records of matches refer to the rules as they were written.
    """
    from ..rules.check import check_ruleset
    from ..rules.lenient import make_safe, repair

    if sheet.language not in LOGIC:
        raise RulesError([_no_logic(sheet)])
    if sheet.language == WDL:
        ruleset, faults = checked_wdl(sheet)
    else:
        ruleset, faults = rules_of(sheet)
        faults += check_ruleset(ruleset, lenient)
    errors: list[Diagnostic] = [fault for fault in faults if fault.severity is Severity.ERROR]
    if errors:
        raise RulesError(errors)
    if not lenient or sheet.language == WDL:
        return ruleset
    return (make_safe if keep_names else repair)(ruleset)[0]


def _no_logic(sheet: Sheet) -> Diagnostic:
    name = sheet.name
    if sheet.language == CHARTS:
        code, what, hint = "flow-chart", "a flow chart", f"`ludorum cards check {name}` reads it"
    else:
        code, what, hint = "other-language", f"written in {sheet.language}", f"`ludorum play {name}` plays it"
    message = f"{name} is {what}, and rules in logic are needed here"
    return Diagnostic(code, Severity.ERROR, NOWHERE, message, hint, sheet.source)


def _reader_of(language: str) -> Callable[[Sheet, str], Game]:
    for point in entry_points(group=LANGUAGES, name=language):
        return cast(Callable[[Sheet, str], Game], point.load())
    raise ValueError(f"nothing is installed that reads {language}")
