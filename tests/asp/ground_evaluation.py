"""A plain evaluation of ground programs, to compare them with the reference engine state by state."""

from __future__ import annotations

import random
from collections.abc import Iterable

from ludorum.asp.ground import GroundProgram
from ludorum.engine.reference import ReferenceGame, ReferenceState
from ludorum.rules.terms import Term

Rule = tuple[int, list[int], list[int]]


class PlainEvaluation:
    """Answers by the alternating fixpoint: with stratified rules both sides meet in the one model."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        literals, ends = program.body.tolist(), program.body_offsets.tolist()
        self.rules: list[Rule] = []
        for head, start, end in zip(program.heads.tolist(), ends, ends[1:], strict=False):
            body = literals[start:end]
            positive = [literal >> 1 for literal in body if not literal & 1]
            self.rules.append((head, positive, [literal >> 1 for literal in body if literal & 1]))

    def model(self, facts: Iterable[Term], does: Iterable[tuple[Term, Term]] = ()) -> set[Term]:
        """The named atoms that hold in a state under a joint move."""
        numbers = self.program.numbers
        given = {numbers[Term("true", (fact,))] for fact in facts}
        given |= {numbers[Term("does", pair)] for pair in does}
        given.update(self.program.facts.tolist())
        low = set(given)
        while True:
            high = self._closure(given, low)
            better = self._closure(given, high)
            if better == low:
                assert low == high, "negation runs in a circle"
                return {term for number in low if (term := self.program.atoms[number]) is not None}
            low = better

    def _closure(self, given: set[int], assumed: set[int]) -> set[int]:
        holds = set(given)
        while True:
            new = {
                head
                for head, positive, negative in self.rules
                if head not in holds and holds.issuperset(positive) and assumed.isdisjoint(negative)
            }
            if not new:
                return holds
            holds |= new


def compare_with_reference(game: ReferenceGame, program: GroundProgram, steps: int, seed: int = 0) -> int:
    """Play at random and compare every answer; the number of states compared."""
    chance = random.Random(seed)
    plain = PlainEvaluation(program)
    assert program.roles == game.roles
    assert program.initial == game.initial().facts()
    state = game.initial()
    for compared in range(steps):
        model = plain.model(state.facts())
        compare_position(state, model)
        if state.is_terminal or not all(state.legal(role) for role in game.roles):
            return compared + 1
        joint = [chance.choice(state.legal(role)) for role in game.roles]
        model = plain.model(state.facts(), zip(game.roles, joint, strict=True))
        state = state.play(joint)
        assert state.facts() == {atom.args[0] for atom in model if atom.signature == ("next", 1)}
        for role in game.roles:
            seen = {atom.args[1] for atom in model if atom.signature == ("sees", 2) and atom.args[0] is role}
            assert set(state.percepts(role)) == seen
    return steps


def compare_position(state: ReferenceState, model: set[Term]) -> None:
    assert state.is_terminal == (Term("terminal") in model)
    for role in state.game.roles:
        assert set(state.legal(role)) == {
            atom.args[1] for atom in model if atom.signature == ("legal", 2) and atom.args[0] is role
        }
        assert set(state.goal_terms(role)) == {
            atom.args[1] for atom in model if atom.signature == ("goal", 2) and atom.args[0] is role
        }
