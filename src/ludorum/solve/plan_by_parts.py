"""Plans for one role in a game of independent parts: each part is planned apart, then all are played in turn.

Two puzzles with n and m states have n * m together; apart they have n + m. What a part must come to is read
off the ground rules of goal 100: a conjunction of facts, each of which belongs to one part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ..asp.ground import GroundProgram, ground_rules
from ..engine.game import GameError, JointMove
from ..engine.lifted import LiftedGame
from ..rules.ruleset import Atom, Formula, Not, Rule, Ruleset
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from .planner import JointPlan, Planner
from .subgames import Part, find_parts, part_rules

BEST = 100
MOST_WAYS = 64
"""Conjunctions of facts that are looked at."""

Target = dict[Term, bool]
"""Facts that must hold, or must not."""


class TooManyWays(Exception):
    """The goal is no small disjunction of facts."""


def plan_by_parts(rules: Ruleset, budget: Budget) -> JointPlan | None:
    """A plan to 100 made of plans for the parts; None where the game is none of independent parts.

    For one role, and without a clock that would count the moves of all parts together. The plan was replayed.
    """
    watch = Stopwatch(budget)
    if len(rules.roles) != 1:
        return None
    parts = find_parts(rules, budget)
    if len(parts) < 2 or parts[0].clock:
        return None
    program = ground_rules(rules, watch.seconds_left or 60.0, stop=budget.stop)
    role = rules.roles[0]
    try:
        targets = list(ways_to(program, Term("goal", (role, Term(str(BEST))))))
    except TooManyWays:
        return None
    plans = [_plan_target(parts, target, role, watch) for target in targets]
    made = [plan for plan in plans if plan is not None and _reaches(rules, role, plan)]
    if not made:
        return None
    best = min(made, key=len)
    known = len(made) == len(targets)
    return JointPlan(role, best, BEST, shortest=known, optimal=True)


def ways_to(program: GroundProgram, atom: Term) -> Iterator[Target]:
    """The sets of facts from which an atom follows; TooManyWays where they are many, or there is a circle."""
    number = program.numbers.get(atom)
    if number is None:
        return
    reader = _Ways(program)
    for way in reader.positive(number, ()):
        target: Target = {}
        for literal, wanted in way:
            fact = program.atoms[literal]
            assert fact is not None
            inner = fact.args[0]
            assert isinstance(inner, Term)
            if target.setdefault(inner, wanted) != wanted:
                break
        else:
            yield target


Way = tuple[tuple[int, bool], ...]


class _Ways:
    """Unfolds atoms of a ground program into facts."""

    def __init__(self, program: GroundProgram) -> None:
        self.facts = set(program.facts.tolist())
        self.inputs = set(program.true_atoms.tolist())
        body, offsets = program.body.tolist(), program.body_offsets.tolist()
        self.bodies: dict[int, list[list[int]]] = {}
        for at, head in enumerate(program.heads.tolist()):
            self.bodies.setdefault(head, []).append(body[offsets[at] : offsets[at + 1]])

    def positive(self, atom: int, above: tuple[int, ...]) -> list[Way]:
        """Ways in which an atom holds."""
        if atom in self.inputs:
            return [((atom, True),)]
        if atom in self.facts:
            return [()]
        if atom in above:
            raise TooManyWays
        ways: list[Way] = []
        for body in self.bodies.get(atom, ()):
            ways += self._all([self._literal(literal, (*above, atom)) for literal in body])
        return _few(ways)

    def negative(self, atom: int, above: tuple[int, ...]) -> list[Way]:
        """Ways in which it does not."""
        if atom in self.inputs:
            return [((atom, False),)]
        if atom in self.facts:
            return []
        if atom in above:
            raise TooManyWays
        broken = [
            _few([way for literal in body for way in self._literal(literal ^ 1, (*above, atom))])
            for body in self.bodies.get(atom, ())
        ]
        return self._all(broken)

    def _literal(self, literal: int, above: tuple[int, ...]) -> list[Way]:
        return (self.negative if literal & 1 else self.positive)(literal >> 1, above)

    def _all(self, choices: Sequence[list[Way]]) -> list[Way]:
        ways: list[Way] = [()]
        for choice in choices:
            ways = _few([(*one, *other) for one, other in product(ways, choice)])
        return ways


def _few(ways: list[Way]) -> list[Way]:
    ways = list(dict.fromkeys(tuple(dict.fromkeys(way)) for way in ways))
    if len(ways) > MOST_WAYS:
        raise TooManyWays
    return ways


def _plan_target(
    parts: Sequence[Part], target: Target, role: Term, watch: Stopwatch
) -> tuple[JointMove, ...] | None:
    """One part after the other brought to where the target wants it."""
    moves: list[JointMove] = []
    if not set(target) <= {fluent for part in parts for fluent in part.fluents}:
        return None
    for part in parts:
        own = {fact: wanted for fact, wanted in target.items() if fact in part.fluents}
        planner = Planner(_towards(part, own, role))
        if _holds_already(part, own):
            continue
        left = Budget(seconds=watch.seconds_left, stop=watch.budget.stop)
        found = planner.plan(role, left, values=[BEST]).plan
        if found is None:
            return None
        moves += found.moves
    return tuple(moves)


def _towards(part: Part, target: Target, role: Term) -> Ruleset:
    """The part as a puzzle that ends where the target is reached."""
    done = "target_of_part"
    body: tuple[Formula, ...] = tuple(
        Atom(Term("true", (fact,))) if wanted else Not(Atom(Term("true", (fact,))))
        for fact, wanted in target.items()
    )
    kept = [rule for rule in part.rules.rules if rule.head.name not in ("goal", "terminal")]
    kept += [
        Rule(Term(done), body),
        Rule(Term("terminal"), (Atom(Term(done)),)),
        Rule(Term("goal", (role, Term(str(BEST)))), (Atom(Term(done)),)),
        Rule(Term("goal", (role, Term("0"))), (Not(Atom(Term(done))),)),
    ]
    return part_rules(part.rules.with_rules(kept), part.fluents, part.moves)


def _holds_already(part: Part, target: Target) -> bool:
    facts = LiftedGame(part.game, "part").initial().facts()
    return all((fact in facts) == wanted for fact, wanted in target.items())


def _reaches(rules: Ruleset, role: Term, plan: Sequence[JointMove]) -> bool:
    """Whether the plan ends the whole game with 100, and no sooner."""
    state = LiftedGame(rules, "whole").initial()
    for joint in plan:
        if state.is_terminal:
            return False
        try:
            state = state.play(joint)
        except GameError:
            return False
    return state.is_terminal and state.goal(role) == BEST
