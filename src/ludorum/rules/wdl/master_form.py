"""The rules of a WDL sheet as a GDL game that answers for odds and the clock, too.

Every engine can play it: the rows of ``random`` are the legal moves of a role of ours, and the number of the
last signal of the clock is a fluent of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..dependencies import Dependencies
from ..ruleset import Atom, Rule, Ruleset
from ..terms import Signature, Term, Variable
from ..unused_name import names_of_rules
from .rewriting import free_name, with_other_relations
from .sheet import WdlSheet

CLOCK: Signature = ("clock", 1)


@dataclass(frozen=True)
class MasterForm:
    """The rules, and the names that were added to them."""

    rules: Ruleset
    odds: Term
    """The role whose legal moves are ``(odds name weight event)``."""
    now: str
    """The fluent ``(now 7)``: the clock has given its seventh signal."""
    driven: str
    """The fluent ``(driven f)`` is next where the clock makes ``f``."""


def master_form(sheet: WdlSheet) -> MasterForm:
    taken = names_of_rules(sheet.master)
    odds, now, driven, player = (free_name(taken, name) for name in ("odds", "now", "driven", "player"))
    rules = tuple(_rules(sheet, odds, now, driven, player))
    return MasterForm(Ruleset(rules, sheet.master.source), Term(odds), now, driven)


def _rules(sheet: WdlSheet, odds: str, now: str, driven: str, player: str) -> Iterator[Rule]:
    # The role of ours is none of the sheet's: `(role ?p)` goes on to mean its players.
    players = {("role", 1): player}
    yield from (Rule(Term(player, (role,))) for role in sheet.roles)
    yield Rule(Term("role", (Term(odds),)))
    for rule in sheet.master.rules:
        yield with_other_relations(rule, players)
    name, weight, event = Variable("name"), Variable("weight"), Variable("event")
    if sheet.names:
        row = Atom(Term("random", (name, weight, event)))
        yield Rule(Term("legal", (Term(odds), Term(odds, (name, weight, event)))), (row,))
    if sheet.settings.realtime:
        number = Variable("number")
        yield Rule(Term("clock", (number,)), (Atom(Term("true", (Term(now, (number,)),))),))
    if sheet.settings.tick_inertia:
        for rule in driven_rules(sheet):
            marked = Term("next", (Term(driven, rule.head.args),))
            yield with_other_relations(Rule(marked, rule.body), players)


def clock_matters(sheet: WdlSheet) -> bool:
    """Whether a signal of the clock can change anything that rules say."""
    return any(
        signature[0] in ("next", "terminal", "goal", "legal", "random") for signature in _on_clock(sheet)
    )


def _on_clock(sheet: WdlSheet) -> set[Signature]:
    """The relations that depend on the clock."""
    found = {CLOCK}
    edges = Dependencies(sheet.master).edges
    while more := {edge.head for edge in edges if edge.body in found} - found:
        found |= more
    return found


def driven_rules(sheet: WdlSheet) -> Iterator[Rule]:
    """The rules of ``next`` that depend on the clock."""
    on_clock = _on_clock(sheet) - {("next", 1)}
    for edge in Dependencies(sheet.master).edges:
        if edge.head == ("next", 1) and edge.body in on_clock:
            yield edge.rule
