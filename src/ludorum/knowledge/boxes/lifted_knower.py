"""Knowledge in a box without grounding: rules on two rails, answered by the lifted engine.

The answers are those of ``BoxKnower`` at level 0. Where the rails are not exact, or an observation says more
than they tell, the step is ground by itself (``stepwise_knower``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

import numpy as np

from ...engine.lifted import LiftedGame
from ...engine.lifted_program import GOAL, LEGAL, SEES, TERMINAL, LiftedProgram
from ...rules.ruleset import Ruleset
from ...rules.terms import Signature, Term
from ..knower import ImpossiblePerceptsError, Knower, Truth
from .flat_rules import FlatRules, flat_rules
from .ground_sheet import goal_value
from .polarity import mixed_uses
from .rails import HARD, KNOWN, MAY, MUST, OPEN, OWN, SEEN, WRONG, rail_rules
from .stepwise_knower import StepwiseKnower

Rails = tuple[frozenset[Term], frozenset[Term]]
"""What must be, and what may be."""


class LiftedKnower(Knower):
    """A box of known and open facts, moved from step to step by rules with variables."""

    def __init__(self, rules: Ruleset, role: Term) -> None:
        self.rules = rules
        self.role = role
        self._flat: FlatRules = flat_rules(rules, role)
        self._mixed = mixed_uses(self._flat)
        self._moves = frozenset(base[0] for base, kind in self._flat.bases.items() if kind.keyword == "does")
        self._percepts = frozenset(self._flat.of("sees"))
        self._game = LiftedGame(rail_rules(self._flat, role), f"what {role} knows")
        self.grounded = 0
        """How often something had to be ground."""
        self.restart()

    def restart(self) -> None:
        """Begin another match."""
        self.step = 0
        self._enter(_inside(self._game.initial().facts(), KNOWN), frozenset())

    def _enter(self, known: frozenset[Term], maybe: frozenset[Term]) -> None:
        self._known, self._open = known, maybe
        self._doubtful = frozenset(self._flat.relation("true", fact)[0] for fact in maybe)
        """The relations of open facts."""
        self._stopped: StepwiseKnower | None = None
        for answers in ("_program", "_state", "_legal", "_goals", "_end", "_ground"):
            self.__dict__.pop(answers, None)

    # -- what is known ------------------------------------------------------------------------------------

    @cached_property
    def _program(self) -> LiftedProgram:
        return self._game.program

    @cached_property
    def _state(self) -> bytes:
        facts = [Term(KNOWN, (fact,)) for fact in self._known] + [Term(OPEN, (fact,)) for fact in self._open]
        return self._program.pack(facts)

    @cached_property
    def _legal(self) -> Rails | None:
        return self._rails(LEGAL, self._flat.of("legal"))

    @cached_property
    def _goals(self) -> Rails | None:
        return self._rails(GOAL, [GOAL])

    @cached_property
    def _end(self) -> Rails | None:
        return self._rails(SEES, [TERMINAL])

    def _rails(self, asked: Signature, relations: Iterable[Signature]) -> Rails | None:
        """What must and may be; None where the rails do not tell it exactly."""
        found = self._game.pairs(self._program, asked, self._state)
        must, may = (frozenset(found.get(mode, ())) for mode in (_MUST, _MAY))
        return (must, may) if must == may or self._is_exact(relations, self._doubtful) else None

    def _is_exact(self, relations: Iterable[Signature], doubtful: Collection[str]) -> bool:
        """Whether rails are exact where such facts and moves are open."""
        nothing: frozenset[str] = frozenset()
        return all(self._mixed.get(relation, nothing).isdisjoint(doubtful) for relation in relations)

    @cached_property
    def _ground(self) -> StepwiseKnower:
        """The same box with ground rules."""
        self.grounded += 1
        made = self._stepwise
        made.enter(self._known, self._open)
        return made

    @cached_property
    def _stepwise(self) -> StepwiseKnower:
        return StepwiseKnower(self.rules, self.role)

    def known_legal(self) -> frozenset[Term]:
        return self._ground.known_legal() if self._legal is None else self._legal[0]

    def possible_legal(self) -> frozenset[Term]:
        return self._ground.possible_legal() if self._legal is None else self._legal[1]

    def known_facts(self) -> frozenset[Term]:
        return self._stopped.known_facts() if self._stopped else self._known

    def possible_facts(self) -> frozenset[Term]:
        return self._stopped.possible_facts() if self._stopped else self._known | self._open

    def terminal(self) -> Truth:
        if self._stopped or self._end is None:
            return self._ground.terminal()
        must, may = self._end
        return Truth.TRUE if must else Truth.UNKNOWN if may else Truth.FALSE

    def known_goals(self) -> frozenset[int]:
        exact = None if self._stopped else self._goals
        return self._ground.known_goals() if exact is None else _values(exact[0])

    def possible_goals(self) -> frozenset[int]:
        exact = None if self._stopped else self._goals
        return self._ground.possible_goals() if exact is None else _values(exact[1])

    # -- what is learned ----------------------------------------------------------------------------------

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        seen = frozenset(percepts)
        if move not in self.possible_legal():
            raise ImpossiblePerceptsError(f"{move} cannot be a legal move of {self.role}")
        for percept in seen:
            if self._flat.relation("sees", percept) not in self._percepts:
                raise ImpossiblePerceptsError(f"{self.role} can never see {percept}")
        after = self._after(move, seen)
        if after is None:
            ground = self._ground
            ground.update(move, seen)
            known = ground.known_facts()
            after = known, ground.possible_facts() - known
        self._enter(*after)
        self.step += 1

    def _after(self, move: Term, seen: frozenset[Term]) -> Rails | None:
        """The facts of the next state that are known and those that are open, where the rails tell them."""
        if self._stopped or not self._knows_what_others_may_do():
            return None
        program = self._program
        told = program.pack([Term(OWN, (move,)), *(Term(SEEN, (percept,)) for percept in seen)])
        numbers = np.frombuffer(self._state + told, np.int32)
        later = program.unpack(self._game.next(program, np.sort(numbers).tobytes(), b""))
        if HARD in later:
            return None
        if WRONG in later:
            raise ImpossiblePerceptsError("nothing that may be true agrees with what was perceived")
        known, maybe = _inside(later, KNOWN), _inside(later, OPEN)
        unclear = {self._flat.relation("next", fact) for fact in maybe}
        exact = self._is_exact(unclear, self._doubtful | self._moves)
        return (known, maybe) if exact else None

    def _knows_what_others_may_do(self) -> bool:
        """Whether the rails tell exactly which moves of others may be legal."""
        if self._is_exact(self._flat.of("legal"), self._doubtful):
            return True
        return not self._game.ask(self._program, TERMINAL, self._state)

    def stop(self) -> None:
        ground = self._ground
        ground.stop()
        self._stopped = ground


_MUST, _MAY = Term(MUST), Term(MAY)


def _inside(facts: Iterable[Term], kind: str) -> frozenset[Term]:
    """What facts of one kind are about."""
    return frozenset(fact.args[0] for fact in facts if fact.name == kind)  # type: ignore[misc]


def _values(terms: Iterable[Term]) -> frozenset[int]:
    return frozenset(value for term in terms if (value := goal_value(term)) is not None)
