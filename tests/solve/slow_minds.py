"""Thinkers that misbehave in ways real ones could, for tests of those who wait for them."""

from __future__ import annotations

import os
from collections.abc import Callable

import clingo

from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from ludorum.solve.selection import Assessment
from ludorum.solve.thinker import Advice, ThinkerConfig

PIGEONS = """
{ in(P,H) : H = 1..12 } = 1 :- P = 1..13.
:- in(P,H), in(Q,H), P < Q.
"""


class Endless:
    """Tells something, then solves what no solver does before the sun burns out."""

    def begin(
        self, tell: Callable[[object], None], rules: Ruleset, role: Term, config: ThinkerConfig
    ) -> None:
        pass

    def think(self, tell: Callable[[object], None], facts: frozenset[Term], seconds: float) -> Advice:
        self.remark(tell)
        control = clingo.Control()
        control.add("base", [], PIGEONS)
        control.ground([("base", [])])
        control.solve()
        raise AssertionError("not reached")

    def remark(self, tell: Callable[[object], None]) -> None:
        pass


class EndlessButHelpful(Endless):
    def remark(self, tell: Callable[[object], None]) -> None:
        tell(Advice((Assessment(Term("wait"), 0, 100), Assessment(Term("push"), 100, 100))))


class Dying(Endless):
    def remark(self, tell: Callable[[object], None]) -> None:
        os._exit(7)


class Swelling(Endless):
    def remark(self, tell: Callable[[object], None]) -> None:
        kept = []
        while True:
            kept.append(bytearray(b"x") * 4_000_000)


class Failing(Endless):
    def remark(self, tell: Callable[[object], None]) -> None:
        raise KeyError("lost")
