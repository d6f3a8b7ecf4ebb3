"""The faults of a rule sheet that quick play shows, as diagnostics with the play in the hint."""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.dependencies import is_stratified
from ..rules.growing_terms import growing_rule
from ..rules.quoting import quoted
from ..rules.ruleset import Ruleset
from ..rules.source import NOWHERE, Diagnostic, Severity, Span
from ..rules.terms import Term
from .errors import GameError
from .game import JointMove
from .lifted import FOREVER, LiftedGame
from .lifted_program import Limits
from .play_check import PlayFault, PlayFaultKind, PlayReport, check_play

LIMITS = Limits(
    seconds=FOREVER, rows=1_000_000, terms=2_000_000, megabytes=300.0, depth=1000, steps=20_000_000
)
"""The limit of all questions of quick play together: counted, so that every machine finds the same."""
MOST_RULES = 4000
"""The most rules with conditions of a sheet that is played: planning more joins takes longer than checks."""
MOST_MOVES = 12
"""Moves of a play that a hint writes out; of longer plays it gives the last ones."""

_CODES = {
    PlayFaultKind.OVER_AT_START: ("over-at-start", Severity.WARNING),
    PlayFaultKind.STUCK: ("no-move", Severity.ERROR),
    PlayFaultKind.NEVER_ENDS: ("never-ends", Severity.ERROR),
    PlayFaultKind.MAY_NOT_END: ("may-not-end", Severity.WARNING),
    PlayFaultKind.NO_GOAL: ("end-without-goal", Severity.WARNING),
}


def play_faults(rules: Ruleset, name: str = "game") -> list[Diagnostic]:
    """Every fault that quick play of checked rules shows, and a note where it was abandoned."""
    if not is_stratified(rules):
        return [_note(rules, "negation runs in a circle")]
    count = sum(bool(rule.body) for rule in rules.rules)
    if count > MOST_RULES:
        return [_note(rules, f"there are {count} rules, and at most {MOST_RULES} are played here")]
    try:
        game = LiftedGame(rules, name, LIMITS)
        report = check_play(game)
    except GameError as error:
        return [_note(rules, str(error))]
    found = [_diagnostic(fault, rules, game.roles) for fault in report.faults]
    return [*found, *_given_up(rules, report)]


def _given_up(rules: Ruleset, report: PlayReport) -> list[Diagnostic]:
    return [_note(rules, report.trouble)] if report.trouble else []


def _note(rules: Ruleset, reason: str) -> Diagnostic:
    span, hint = NOWHERE, "`ludorum prove` with more --seconds may tell whether it can be played"
    if (rule := growing_rule(rules)) is not None:
        span, hint = rule.node.span, "bound what grows, by a relation with all values that are meant"
    message = f"quick play was given up: {reason}"
    return Diagnostic("not-played", Severity.NOTE, span, message, hint, rules.source)


def _diagnostic(fault: PlayFault, rules: Ruleset, roles: Sequence[Term]) -> Diagnostic:
    code, severity = _CODES[fault.kind]
    message, hint = _words(fault, roles)
    return Diagnostic(code, severity, _place(fault, rules), message, hint, rules.source)


def _words(fault: PlayFault, roles: Sequence[Term]) -> tuple[str, str]:
    """What is wrong, and the play that shows it."""
    when = _after(fault.moves)
    play = _join(_told("the play", fault.moves + fault.onwards, roles), _told("for ever", fault.loop, roles))
    match fault.kind:
        case PlayFaultKind.OVER_AT_START:
            return "the game is over at the start", "make `terminal` false in the first position"
        case PlayFaultKind.STUCK:
            who = " and ".join(map(quoted, fault.roles[:3])) + (" and others" if fault.roles[3:] else "")
            has = "has" if len(fault.roles) == 1 else "have"
            give = "give it a move where it is not its turn, such as `noop`, or make `terminal` true"
            return f"{when} {who} {has} no legal move, and the game is not over", _join(play, give)
        case PlayFaultKind.NEVER_ENDS:
            message = "no play ever comes to an end" if not fault.moves else f"{when} no play comes to an end"
            return message, play
        case PlayFaultKind.MAY_NOT_END:
            message = (
                f"a play can go on for ever: {when} {len(fault.loop)} more lead back to the same position"
            )
            return message, play
        case PlayFaultKind.NO_GOAL:
            values = " and ".join(map(quoted, fault.values[:4])) or "none"
            message = (
                f"{when} the game is over, and {quoted(fault.roles[0])} has no single goal value: {values}"
            )
            return message, _join(play, "give every player one goal value, 0 to 100, in every last position")


def _join(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _told(what: str, moves: Sequence[JointMove], roles: Sequence[Term]) -> str:
    return f"{what}: {_written_play(moves, roles)}" if moves else ""


def _after(moves: Sequence[object]) -> str:
    """The time of a fault in words: ``at the start``, ``after 3 moves``."""
    return f"after {len(moves)} move{'s' if len(moves) != 1 else ''}" if moves else "at the start"


def _written_play(moves: Sequence[JointMove], roles: Sequence[Term]) -> str:
    """Joint moves as people read them, the last of a long play."""
    shown = moves[-MOST_MOVES:]
    text = ", ".join(_written_joint(joint, roles) for joint in shown)
    return text if len(shown) == len(moves) else f"... {text}"


def _written_joint(joint: JointMove, roles: Sequence[Term]) -> str:
    if len(roles) == 1:
        return quoted(joint[0])
    words = [f"{quoted(role)} {quoted(move)}" for role, move in zip(roles[:4], joint[:4], strict=True)]
    return " + ".join(words) + (" + ..." if len(roles) > 4 else "")


def _place(fault: PlayFault, rules: Ruleset) -> Span:
    """The place of a fault: the fact of the role concerned, else the first rule that may cause it."""
    for rule in rules.by_signature.get(("role", 1), ()):
        if rule.head.args[0] in fault.roles[:1]:
            return rule.head_node.span
    for keyword, arity in (
        ("legal", 2) if fault.kind is PlayFaultKind.STUCK else ("terminal", 0),
        ("role", 1),
    ):
        for rule in rules.by_signature.get((keyword, arity), ()):
            return rule.head_node.span
    return NOWHERE
