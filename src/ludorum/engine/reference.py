"""The reference engine: slow, and obviously right.

Every question is one clingo call on the unmodified rules plus the facts of the state. Nothing but answers is
kept between calls, nothing is compiled, and no rule is rewritten: this is the oracle that every faster engine
is tested against. The only optimisation is that a question uses just the rules it can depend on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ..asp import asp_facts, asp_program, derive
from ..rules.dependencies import Dependencies
from ..rules.ruleset import Ruleset
from ..rules.terms import Signature, Term, sort_key
from .game import Game, JointMove, Moves, Named, State
from .information import info_by_rules

ROLE: Signature = ("role", 1)
INIT: Signature = ("init", 1)
LEGAL: Signature = ("legal", 2)
NEXT: Signature = ("next", 1)
SEES: Signature = ("sees", 2)
GOAL: Signature = ("goal", 2)
TERMINAL: Signature = ("terminal", 0)

Rows = dict[Signature, list[tuple[Term, ...]]]


class ReferenceGame(Game):
    """A game whose every question is answered by clingo on the rules as written."""

    def __init__(self, rules: Ruleset, name: str = "game") -> None:
        self.name = name
        self.rules: Ruleset = rules
        self._dependencies = Dependencies(rules)
        start = self.ask([ROLE, INIT])
        self.roles = in_text_order(rules, [row[0] for row in start[ROLE]])
        self._initial = frozenset(row[0] for row in start[INIT])
        self.info = info_by_rules(rules, self.roles)

    def ask(
        self, wanted: Sequence[Signature], facts: Iterable[Term] = (), does: Iterable[tuple[Term, Term]] = ()
    ) -> Rows:
        """The rows of some relations in a state under a joint move: one clingo call."""
        program = self._program(tuple(wanted))
        state = asp_facts("true", ((fact,) for fact in facts))
        return derive(f"{program}{state}\n{asp_facts('does', does)}\n", wanted)

    def _program(self, wanted: tuple[Signature, ...]) -> str:
        known = self._programs.get(wanted)
        if known is None:
            known = asp_program(self._dependencies.slice(wanted), self.rules.source)
            self._programs[wanted] = known
        return known

    @cached_property
    def _programs(self) -> dict[tuple[Signature, ...], str]:
        return {}

    def initial(self) -> ReferenceState:
        return ReferenceState(self, self._initial)

    def state(self, facts: Iterable[Term]) -> ReferenceState:
        return ReferenceState(self, frozenset(facts))

    def successor(
        self, facts: Iterable[Term], does: Iterable[tuple[Term, Term]]
    ) -> tuple[frozenset[Term], dict[Term, tuple[Term, ...]]]:
        """The next facts and each role's percepts, without asking whether the moves are legal."""
        rows = self.ask([NEXT, SEES], facts, does)
        seen = {role: _sorted(percept for who, percept in rows[SEES] if who is role) for role in self.roles}
        return frozenset(row[0] for row in rows[NEXT]), seen

    def __reduce__(self) -> tuple[type[ReferenceGame], tuple[Ruleset, str]]:
        return (ReferenceGame, (self.rules, self.name))


class ReferenceState(State):
    """A set of facts; what follows from them is computed on demand."""

    def __init__(
        self,
        game: ReferenceGame,
        facts: frozenset[Term],
        joint: JointMove | None = None,
        percepts: dict[Term, tuple[Term, ...]] | None = None,
    ) -> None:
        self.game: ReferenceGame = game
        self._facts = facts
        self._joint = joint
        self._percepts = percepts or {}

    @cached_property
    def _answers(self) -> Rows:
        return self.game.ask([LEGAL, TERMINAL, GOAL], self._facts)

    def facts(self) -> frozenset[Term]:
        return self._facts

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    @cached_property
    def _legal(self) -> dict[Term, tuple[Term, ...]]:
        moves: dict[Term, list[Term]] = {}
        for role, move in self._answers[LEGAL]:
            moves.setdefault(role, []).append(move)
        return {role: _sorted(own) for role, own in moves.items()}

    def legal(self, role: Named) -> tuple[Term, ...]:
        return self._legal.get(self._role(role), ())

    @property
    def is_terminal(self) -> bool:
        return bool(self._answers[TERMINAL])

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        role = self._role(role)
        return _sorted(value for who, value in self._answers[GOAL] if who is role)

    def percepts(self, role: Named) -> tuple[Term, ...]:
        return self._percepts.get(self._role(role), ())

    def play(self, joint: Moves) -> ReferenceState:
        moves = self.legal_joint(joint)
        facts, percepts = self.game.successor(self._facts, zip(self.game.roles, moves, strict=True))
        return ReferenceState(self.game, facts, moves, percepts)

    def __reduce__(self) -> tuple[object, ...]:
        return (ReferenceState, (self.game, self._facts, self._joint, self._percepts))


def _sorted(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=sort_key))


def in_text_order(rules: Ruleset, roles: Sequence[Term]) -> tuple[Term, ...]:
    """Roles as their facts appear; roles that only rules derive come after them, sorted."""
    stated = [role for role in rules.roles if role in roles]
    return (*stated, *_sorted(role for role in roles if role not in stated))
