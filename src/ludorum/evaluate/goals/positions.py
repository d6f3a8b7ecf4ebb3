"""States as leaves of goals read them: queries are relations of their own, asked of the lifted engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ...engine.lifted import LiftedGame, LimitError
from ...engine.lifted_program import LiftedProgram
from ...rules.ruleset import Rule, Ruleset
from ...rules.terms import Signature, Term
from .leaf import LeafQuery, Row

# As with facts that are stored apart, no sheet can write a name with a space and a colon.
_ASKED = " : asked"
MOST_STEPS = 1_000_000
"""Joins for a query of a feature in the first state: less than a tenth of a second."""


@dataclass(frozen=True)
class Avoided:
    """A leaf that a role has to keep away from: as true as the leaf, and with another feature."""

    leaf: Hashable
    role: Term


class Positions:
    """Makes positions in which some queries can be asked."""

    def __init__(self, rules: Ruleset, queries: Iterable[LeafQuery], name: str = "game") -> None:
        self._relations: dict[LeafQuery, Signature] = {}
        asked: list[Rule] = []
        for number, query in enumerate(dict.fromkeys(queries)):
            head = Term(f"{number}{_ASKED}", query.variables)
            self._relations[query] = head.signature
            asked.append(Rule(head, query.body))
        self.game = LiftedGame(rules.with_rules([*rules.rules, *asked]), name)

    def at(self, facts: Iterable[Term]) -> AskedPosition:
        program = self.game.program
        found = frozenset(facts)
        return AskedPosition(self.game, program, self._relations, found)

    def initial(self) -> AskedPosition:
        return self.at(self.game.initial().facts())


class AskedPosition:
    """A state; each query is answered once."""

    def __init__(
        self,
        game: LiftedGame,
        program: LiftedProgram,
        relations: Mapping[LeafQuery, Signature],
        facts: frozenset[Term],
    ) -> None:
        self._game = game
        self._program = program
        self._relations = relations
        self._facts = facts
        self._counts: dict[LeafQuery, int] = {}
        self._rows: dict[LeafQuery, list[Row]] = {}

    @property
    def facts(self) -> frozenset[Term]:
        return self._facts

    def holds(self, leaf: Hashable) -> bool:
        while isinstance(leaf, Avoided):
            leaf = leaf.leaf
        return self.count(leaf) > 0 if isinstance(leaf, LeafQuery) else leaf in self._facts

    def count(self, query: LeafQuery) -> int:
        """KeyError where the query was not announced to ``Positions``."""
        found = self._counts.get(query)
        if found is None:
            signature = self._relations[query]
            found = self._counts[query] = self._game.count(self._program, signature, self._packed)
        return found

    def rows(self, query: LeafQuery) -> list[Row]:
        found = self._rows.get(query)
        if found is None:
            found = self._rows[query] = self._game.ask(self._program, self._relations[query], self._packed)
        return found

    def is_cheap(self, query: LeafQuery) -> bool:
        """Whether a query is answered by few enough joins."""
        self._program.allow_steps(self._program.core.steps + MOST_STEPS)
        try:
            self.count(query)
        except LimitError:
            return False
        finally:
            self._program.allow_steps(self._program.limits.steps)
        return True

    @cached_property
    def _packed(self) -> bytes:
        return self._program.pack(self._facts)
