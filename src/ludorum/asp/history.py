"""Rules stamped with time, for the histories of a match that one role considers possible.

A stable model is a course of the match that agrees with the role's own moves and with all that it perceived
(filtering-gdl2, 9.3). State 0 is where the program begins: the start of the game, or one of several states
that were possible later. Own moves are facts, so that only what can follow from them is grounded; those of
others are chosen among what is legal.

Parts, with ``t`` a number: ``base``, ``state(t)``, ``step(t)`` (from t-1 to t); for single steps there are
texts: ``own_step`` (the role's move and percepts) and ``questions`` (names for what is asked of a state).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from ..rules.classes import Class
from ..rules.dependencies import Dependencies
from ..rules.normalise import normalise
from ..rules.ruleset import Rule, Ruleset, with_other_terms
from ..rules.terms import Term, sort_key
from ..rules.unify import resolve, unify
from .names import asp_term
from .stamped import ALL_ROOTS, SEES, StampedRules, Stamps

_STEP = "{ p_does_2(R,A,t-1) : p_legal_2(R,A,t-1) } = 1 :- p_role_1(R), not own(R).\n"


class HistoryProgram:
    """The stamped rules of a game for one role, as text."""

    def __init__(self, rules: Ruleset, role: Term, heeds_messages: bool = True) -> None:
        """``heeds_messages``: whether a wish for a move tells that the match was not over."""
        self.role = asp_term(role)
        self.heeds_messages = heeds_messages
        stamps = Stamps(state="t", before="t-1", moves="t-1", after="t")
        stamped = StampedRules(normalise(_seen_by(rules, role)), stamps, ALL_ROOTS)
        declared = stamped.declarations([("p_does_2", 3), ("p_true_1", 2), ("heard", 2), ("root", 1)])
        self.text = (
            f"#program base.\n{declared}#show p_does_2/3.\n#show root/1.\nown({self.role}).\n"
            f"{stamped.text(Class.STATIC)}"
            f"#program state(t).\n{stamped.text(Class.STATE)}"
            f"#program step(t).\n{_STEP}{stamped.text(Class.ACTION)}"
        )

    def roots(self, states: Sequence[Iterable[Term]]) -> str:
        """One of these sets of facts is state 0."""
        sets = [frozenset(facts) for facts in states]
        sure = frozenset.intersection(*sets)
        lines = [f"p_true_1({asp_term(fact)},0)." for fact in _in_order(sure)]
        if len(sets) > 1:
            lines.append(f"{{ root(0..{len(sets) - 1}) }} = 1.")
        for number, facts in enumerate(sets):
            lines += [f"p_true_1({asp_term(fact)},0) :- root({number})." for fact in _in_order(facts - sure)]
        return "\n".join(lines)

    def any_of(self, known: Iterable[Term], possible: Iterable[Term]) -> str:
        """State 0 has the known facts, and any of those that are possible."""
        sure = frozenset(known)
        lines = [f"p_true_1({asp_term(fact)},0)." for fact in _in_order(sure)]
        lines += [f"{{ p_true_1({asp_term(fact)},0) }}." for fact in _in_order(frozenset(possible) - sure)]
        return "\n".join(lines)

    def own_step(self, at: int, move: Term, percepts: Iterable[Term]) -> str:
        """The role's move in state ``at``, that it was legal, and all that the role perceived."""
        done = asp_term(move)
        lines = [
            f"p_does_2({self.role},{done},{at}).",
            f":- not p_legal_2({self.role},{done},{at}).",
            f":- p_sees_2({self.role},P,{at}), not heard(P,{at}).",
        ]
        for percept in _in_order(percepts):
            seen = asp_term(percept)
            lines += [f"heard({seen},{at}).", f":- not p_sees_2({self.role},{seen},{at})."]
        if self.heeds_messages:
            lines.append(f":- p_terminal_0({at}).")
        return "\n".join(lines)

    def questions(self, at: int) -> str:
        """Names of their own for what is asked of state ``at``: they are found without looking at others."""
        return (
            f"legal_{at}(M) :- p_legal_2({self.role},M,{at}).\n"
            f"fact_{at}(F) :- p_true_1(F,{at}).\n"
            f"goal_{at}(V) :- p_goal_2({self.role},V,{at}).\n"
            f"over_{at}(0) :- p_terminal_0({at}).\n"
        )


@lru_cache(maxsize=16)
def history_program(rules: Ruleset, role: Term, heeds_messages: bool = True) -> HistoryProgram:
    """The program, rewritten once for the matches of a game: that takes longer than many questions to it."""
    return HistoryProgram(rules, role, heeds_messages)


def _seen_by(rules: Ruleset, role: Term) -> Ruleset:
    """The rules without what others perceive, which matters only where rules go on with it."""
    if Dependencies(rules).users_of([SEES]):
        return rules
    kept: list[Rule] = []
    for rule in rules.rules:
        if rule.signature != SEES:
            kept.append(rule)
        elif (values := unify(rule.head.args[0], role)) is not None:
            kept.append(with_other_terms(rule, partial(resolve, values=values)))
    return rules.with_rules(kept)


def _in_order(terms: Iterable[Term]) -> list[Term]:
    return sorted(terms, key=sort_key)  # terms compare in the same way, but make both keys anew each time
