"""Sheets of all rule languages in logic, as rules that engines play, with their faults."""

from __future__ import annotations

from .check import check_ruleset, check_source
from .kif import read_kif
from .library import WDL, Sheet
from .reader import read_rules
from .ruleset import Ruleset, is_nature
from .source import NOWHERE, Diagnostic, RulesError, Severity, Source
from .wdl.check import check_read
from .wdl.from_gdl2 import from_gdl2
from .wdl.modules import ModulePath
from .wdl.sheet import RANDOM_FACT, WdlSheet, read_wdl
from .wdl.statements import private_parts
from .wdl.tick_rounds import MOST_TICKS
from .wdl.to_gdl2 import LEGAL, Translation, to_gdl2


def rules_of(sheet: Sheet) -> tuple[Ruleset, list[Diagnostic]]:
    """The rules of a sheet that could be read, and the faults of form. WDL is translated to GDL-II."""
    if sheet.language != WDL:
        return read_rules(sheet.source)
    found, faults = read_wdl_sheet(sheet)
    if any(fault.severity is Severity.ERROR for fault in faults):
        return Ruleset((), sheet.source), faults
    if found.settings.realtime:
        return Ruleset((), sheet.source), [*faults, _no_rounds(sheet)]
    try:
        return to_gdl2(found).rules, faults
    except RulesError as error:
        return Ruleset((), sheet.source), [*faults, *error.diagnostics]


def is_wdl(text: str) -> bool:
    """Whether rules that a host has sent are in WDL: odds, or moves with private parts, and no nature.

    GDL may use these words for relations of its own, but not so.
    """
    ruleset, faults = read_kif(Source("sent", text))
    if faults or any(map(is_nature, ruleset.roles)):
        return False
    legal = ruleset.by_signature.get(LEGAL, ())
    return RANDOM_FACT in ruleset.by_signature or any(
        next(private_parts(rule.head.args[1]), None) is not None for rule in legal
    )


def _no_rounds(sheet: Sheet) -> Diagnostic:
    message = f"{sheet.source.name} is a realtime game, which has no rounds"
    hint = "`ludorum play`, `match`, `host` and `arena` play it, by the clock"
    return Diagnostic("realtime", Severity.ERROR, NOWHERE, message, hint, sheet.source)


def read_wdl_sheet(sheet: Sheet) -> tuple[WdlSheet, list[Diagnostic]]:
    """A sheet in WDL with its modules, and its faults of form."""
    return read_wdl(sheet.source, module_path(sheet))


def faults_of(sheet: Sheet, lenient: bool = False) -> list[Diagnostic]:
    """Every fault of a sheet that shows without play, by place."""
    if sheet.language != WDL:
        return check_source(sheet.source, lenient)
    return _examined(sheet)[1]


def checked_wdl(sheet: Sheet) -> tuple[Ruleset, list[Diagnostic]]:
    """The rules of a sheet in WDL, and every fault that shows without play: read and translated once."""
    rules, faults, is_realtime = _examined(sheet)
    return rules, [*faults, _no_rounds(sheet)] if is_realtime else faults


def _examined(sheet: Sheet) -> tuple[Ruleset, list[Diagnostic], bool]:
    """The translated rules, the faults, and whether the game is one of realtime."""
    found, faults = read_wdl_sheet(sheet)
    faults = check_read(found, faults)
    rules = Ruleset((), sheet.source)
    if not any(fault.severity is Severity.ERROR for fault in faults):
        try:
            translation = to_gdl2(found)
            rules, faults = translation.rules, [*faults, *translation.warnings]
        except RulesError as error:
            faults = [*faults, *error.diagnostics]
    return rules, faults, found.settings.realtime


TRANSLATED = {"gdl2": "GDL-II", WDL: "WDL"}
"""The languages into which sheets of the others are translated."""


def translated(sheet: Sheet, to: str, ticks: int = MOST_TICKS) -> Translation:
    """The game of a sheet in GDL-II or WDL, and what is lost; RulesError where that cannot be said."""
    if (sheet.language == WDL) == (to == WDL):
        raise ValueError(f"{sheet.name} is no sheet to be translated into {TRANSLATED[to]}")
    if sheet.language != WDL:
        rules, faults = read_rules(sheet.source)
        faults += check_ruleset(rules)
        _refuse_errors(faults)
        return from_gdl2(rules)
    found, faults = read_wdl_sheet(sheet)
    _refuse_errors(check_read(found, faults))
    made = to_gdl2(found, ticks)
    return Translation(made.rules.as_sent, made.warnings)


def description_for(sheet: Sheet, role: str) -> Ruleset:
    """What the player of a role is told of a sheet in WDL; RulesError where it has faults."""
    if sheet.language != WDL:
        raise ValueError(f"{sheet.name} is not written in WDL: all players are told the same rules")
    found, faults = read_wdl_sheet(sheet)
    _refuse_errors(check_read(found, faults))
    roles = {str(one): one for one in found.roles}
    if role not in roles:
        raise ValueError(f"no role {role!r}; there are {', '.join(roles)}")
    return found.description(roles[role])


def _refuse_errors(faults: list[Diagnostic]) -> None:
    errors = [fault for fault in faults if fault.severity is Severity.ERROR]
    if errors:
        raise RulesError(errors)


def module_path(sheet: Sheet) -> ModulePath:
    """Where the modules of a sheet are looked for: only a sheet from a file may read other files."""
    return ModulePath.of_library() if sheet.path is None else ModulePath.of_environment(sheet.path)
