"""The check of an uploaded game, as a function that runs in a process that can be killed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...arena.world import RealtimeGame
from ...engine.errors import GameError
from ...engine.play_faults import play_faults
from ...rules.library import CHARTS, WDL, Sheet, read_header
from ...rules.logic_sheets import checked_wdl, faults_of, is_wdl, rules_of
from ...rules.quoting import quoted
from ...rules.source import NOWHERE, Diagnostic, RulesError, Severity, Source
from .card import GameCard, card_of, drawn_game

MOST_FAULTS = 100
IN_ROUNDS = "T03"
"""The code of a warning: in rounds a realtime game is another one. Here it is played as it is written."""
_COMMENT = re.compile(r"^\s*[;%].*$", re.MULTILINE)
_WDL = re.compile(r"^[ \t]*\((include\s+[^\s()]+\s*\)|set\s+[a-z]|visible\s)", re.MULTILINE | re.IGNORECASE)
"""Statements that only sheets in WDL have."""
_RULES = re.compile(r"\(|[\w'][\w' ]*(\(|:-|<-|\.)")


@dataclass(frozen=True)
class Examined:
    """What a check found: the card of a game that can be played, and all faults."""

    card: GameCard | None
    faults: tuple[dict[str, object], ...]


def language_of(text: str) -> str:
    """The language a text looks like: rules begin with a bracket or an atom, charts with a number.

    WDL has words of its own.
    """
    rest = _COMMENT.sub("", text).lstrip("\ufeff \t\r\n")
    if not _RULES.match(rest):
        return CHARTS
    return WDL if _WDL.search(rest) or is_wdl(text) else "gdl"


def examine(game_id: str, text: str, language: str | None, title: str) -> Examined:
    """Check a game: by reading it, and by playing it within bounds that count work.

    Without a language it is the one that the text looks like.
    """
    language = language or language_of(text)
    sheet = Sheet(game_id, language, Source(title or "rules", text), read_header(text))
    try:
        found = _faults(sheet)
        if any(fault.severity is Severity.ERROR for fault in found):
            return Examined(None, _told(found))
        game = drawn_game(sheet)
        if not game.info.players:
            raise GameError("the game has no role that a player can play")
        if isinstance(game, RealtimeGame):
            found += _faults_of_a_sample(game)
        return Examined(card_of(sheet, game, title), _told(found))
    except RulesError as error:
        return Examined(None, _told(error.diagnostics))
    except (GameError, ValueError) as error:
        return Examined(None, (own_fault("not-playable", str(error)),))
    except RecursionError:
        return Examined(None, (own_fault("too-deep", "the rules are nested too deeply"),))


def own_fault(code: str, message: str, hint: str = "") -> dict[str, object]:
    """A fault without a place."""
    return {"code": code, "severity": "error", "message": message, "line": 1, "column": 1, "hint": hint}


def _faults(sheet: Sheet) -> list[Diagnostic]:
    if sheet.language == CHARTS:
        from ...cards.check.play import check_play
        from ...cards.load import read_chart

        rules, faults = read_chart(sheet.source, sheet.name)
        if rules is None or any(one.severity is Severity.ERROR for one in faults):
            return list(faults)
        return [*faults, *check_play(rules, sheet.name)]
    if sheet.is_realtime:
        return [fault for fault in faults_of(sheet) if fault.code != IN_ROUNDS]
    if sheet.language == WDL:
        ruleset, found = checked_wdl(sheet)
    else:
        found = faults_of(sheet)
        ruleset, _ = rules_of(sheet)
    if any(fault.severity is Severity.ERROR for fault in found):
        return found
    return found + play_faults(ruleset, sheet.name)


def _faults_of_a_sample(game: RealtimeGame) -> list[Diagnostic]:
    """What is wrong at the end of a random match of a realtime game."""
    *_, last = game.playout(1)
    if not last.is_terminal:
        return []
    lacking = [role for role in game.roles if len(last.goal_terms(role)) != 1]
    hint = "give every player one goal value, 0 to 100, in every last position"
    messages = [f"the game is over, and {quoted(role)} has no single goal value" for role in lacking]
    return [Diagnostic("end-without-goal", Severity.WARNING, NOWHERE, one, hint) for one in messages]


def _told(faults: list[Diagnostic] | tuple[Diagnostic, ...]) -> tuple[dict[str, object], ...]:
    """Faults as JSON, the worst first; ``file`` is of no use to people who have pasted a text."""
    worst = sorted(faults, key=lambda fault: -fault.severity)[:MOST_FAULTS]
    return tuple({k: v for k, v in fault.as_json().items() if k != "file"} for fault in worst)
