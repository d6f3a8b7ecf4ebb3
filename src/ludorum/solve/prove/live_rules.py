"""Live rules: every rule with a body fires in some reachable state.

Each rule gets a twin with the same body, whose head is a goal value (or a percept, where the body asks for
moves) that means nothing to the game: whether the twin holds is whether the rule fires.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...asp.ground import GroundingError, ground_rules
from ...engine.errors import GameError
from ...engine.lifted import LiftedGame
from ...rules.classes import Class, classify_relations
from ...rules.dependencies import Dependencies
from ...rules.ruleset import Rule, Ruleset
from ...rules.terms import Signature, Term
from ...rules.unused_name import unused_name
from .plays import play_at_random
from .proof import OutOfTime, Proof, seen_in
from .property import INDUCTION, PLAY, Property
from .transitions import Literal, Transitions
from .verdict import Verdict, VerdictStatus

if TYPE_CHECKING:
    from .subject import Subject

MOST_RULES = 400
MOST_UNROLLED = 8
ROOTS = (("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("sees", 2))


class LiveRules(Property):
    name = "live-rules"
    claim = "every rule that the game depends on fires in some reachable state"

    def by_rules(self, subject: Subject) -> Verdict | None:
        rules = subject.rules
        asked = [rule for rule in Dependencies(rules).slice(ROOTS) if rule.body]
        if not asked or len(asked) > MOST_RULES or not rules.roles:
            return self.verdict(VerdictStatus.UNKNOWN, "", f"{len(asked)} rules are not decided one by one")
        try:
            return self._decide(subject, asked, Twins(rules, asked))
        except (GameError, GroundingError, OutOfTime) as error:
            return self.verdict(VerdictStatus.UNKNOWN, "", f"no answer: {str(error) or 'out of time'}")

    def _decide(self, subject: Subject, asked: list[Rule], twins: Twins) -> Verdict:
        plays = play_at_random(
            LiftedGame(twins.rules, subject.name), 100, subject.watch, subject.seconds(0.1)
        )
        seen: set[Term] = set()
        role = twins.rules.roles[0]
        for state in plays.states:
            seen.update(state.goal_terms(role))
            seen.update(state.percepts(role))
        silent = [at for at in range(len(asked)) if twins.mark(at) not in seen]
        if not silent:
            return self.verdict(VerdictStatus.PROVED, PLAY, f"all {len(asked)} rules fired in random plays")
        program = ground_rules(twins.rules, subject.seconds(0.3), subject.limits.megabytes)
        fluents = [_argument(program.atoms[at]) for at in program.true_atoms.tolist()]
        proof = Proof(program, seen_in(plays, fluents), subject.watch)
        fates = {at: self._fires(proof, role, twins.mark(at)) for at in silent}
        dead = [at for at, fires in fates.items() if fires is False]
        open_ones = sum(fires is None for fires in fates.values())
        value = [{"line": _line(twins.rules, asked[at]), "rule": str(asked[at])} for at in dead]
        also = f"; of {open_ones} more it is not known" if open_ones else ""
        if dead:
            reason = f"{len(dead)} of {len(asked)} rules can never fire{also}"
            return self.verdict(VerdictStatus.REFUTED, INDUCTION, reason, value=value)
        if open_ones:
            reason = f"{open_ones} of {len(asked)} rules did not fire in {len(plays)} random plays"
            return self.verdict(VerdictStatus.UNKNOWN, PLAY, reason)
        return self.verdict(
            VerdictStatus.PROVED, INDUCTION, f"for each of {len(asked)} rules there is a play"
        )

    def _fires(self, proof: Proof, role: Term, mark: Term) -> bool | None:
        """Whether the rule with this mark can fire; None where that is not known."""
        named = {relation: Term(relation, (role, mark)) for relation in ("goal", "sees")}
        known = [atom for atom in named.values() if atom in proof.program.numbers]
        if not known:
            return False  # it does not fire even in the over-approximation of what can be true
        transitions = proof.transitions

        def fires(_: Transitions, step: int) -> Literal:
            literal = transitions.atom(known[0], step)
            if known[0].name == "goal":
                return literal
            return transitions.all_of((literal, transitions.moves_from(step)))

        try:
            if proof.never(fires) is not None:
                return False
            play, complete = proof.search(lambda step: (fires(transitions, step),), MOST_UNROLLED)
        except OutOfTime:
            return None
        return True if play is not None else False if complete else None


class Twins:
    """The rules, and for each one asked about a twin that holds when it fires."""

    def __init__(self, rules: Ruleset, asked: list[Rule]) -> None:
        self._name = unused_name(rules, "rule_fires")
        classes = classify_relations(rules)
        twins = [self._twin(rules, classes, at, rule) for at, rule in enumerate(asked)]
        self.rules = rules.with_rules([*rules.rules, *twins])

    def mark(self, at: int) -> Term:
        """The goal value or percept that marks the rule of this number as firing."""
        return Term(self._name, (Term(str(at)),))

    def _twin(self, rules: Ruleset, classes: Mapping[Signature, Class], at: int, rule: Rule) -> Rule:
        relations = {rule.signature, *_used(rules, rule)}
        of_moves = any(classes.get(each) is Class.ACTION for each in relations) or rule.head.name == "next"
        relation = "sees" if of_moves else "goal"
        return Rule(Term(relation, (rules.roles[0], self.mark(at))), rule.body, rule.node)


def _used(rules: Ruleset, rule: Rule) -> set[tuple[str, int]]:
    from ...rules.ruleset import signed_atoms

    return {atom.term.signature for atom, _ in signed_atoms(rule.body)}


def _line(rules: Ruleset, rule: Rule) -> int | None:
    try:
        return rules.source.position(rule.node.span.start)[0]
    except (AttributeError, IndexError, ValueError):
        return None


def _argument(atom: Term | None) -> Term:
    assert atom is not None
    argument = atom.args[0]
    assert isinstance(argument, Term)
    return argument
