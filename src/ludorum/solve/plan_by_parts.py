"""Plans for one role in a game of independent parts: each part is planned apart, then all are played in turn.

Two puzzles with n and m states have n * m together; apart they have n + m. The targets of each part are read
off the ground rules of goals and of the end: conjunctions of facts, each of which belongs to one part. Where
no state of a part satisfies any of them, no play of the whole game does, so lower goals are tried next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ..asp.ground import GroundProgram, clock_of, ground_rules
from ..engine.errors import GameError
from ..engine.game import JointMove, State
from ..engine.lifted import LiftedGame
from ..rules.ruleset import Atom, Rule, Ruleset
from ..rules.terms import Term, as_integer
from ..rules.unused_name import unused_name
from ..search.budget import Budget, Stopwatch
from .part_states import PartStates
from .planner import JointPlan
from .prove.subgames import Subgame, find_parts, part_rules

MOST_WAYS = 64
"""The most conjunctions of facts that are tried."""

Target = dict[Term, bool]
"""Facts that must hold, or must not."""


class NoSmallGoal(Exception):
    """The goal is no small disjunction of facts."""


def plan_by_parts(rules: Ruleset, budget: Budget) -> JointPlan | None:
    """A plan to the best goal, made of plans for the parts; None where the game has no such parts.

    For one role. The plan was replayed; that no goal is better is proved by the states of the parts.
    """
    watch = Stopwatch(budget)
    if len(rules.roles) != 1:
        return None
    parts = find_parts(rules, budget)
    if len(parts) < 2 or parts[0].clock:  # a clock would count the moves of all parts together
        return None
    program = ground_rules(rules, clock_of(watch.seconds_left), stop=budget.stop)
    role = rules.roles[0]
    states = [PartStates(_open(part, role), watch) for part in parts]
    try:
        for value in _goal_values(program, role):
            targets = list(_ends(program, role, value))
            plans = [_way_to(parts, states, target) for target in targets]
            reachable = [plan for plan in plans if plan is not None]
            made = [plan for plan in reachable if _reaches(rules, role, plan, value)]
            if made:
                # The shortest plan, unless a shorter candidate ended the game too soon or too late.
                best = min(made, key=len)
                shortest = len(best) <= min(map(len, reachable))
                return JointPlan(role, best, value, shortest=shortest, optimal=True)
            if reachable:
                return None  # no part rules it out, but their combination fails: nothing is proved
    except NoSmallGoal:
        pass
    return None


def _goal_values(program: GroundProgram, role: Term) -> list[int]:
    """The goal values the rules can give a role, highest first."""
    found = {
        as_integer(atom.args[1])
        for atom in program.numbers
        if atom.signature == ("goal", 2) and atom.args[0] is role and isinstance(atom.args[1], Term)
    }
    return sorted((value for value in found if value is not None and 0 <= value <= 100), reverse=True)


def _ends(program: GroundProgram, role: Term, value: int) -> Iterator[Target]:
    """The sets of facts with which the game is over and the role has the value."""
    ends = list(ways_to(program, Term("terminal")))
    for goal, end in product(ways_to(program, Term("goal", (role, Term(str(value))))), ends):
        if all(goal.get(fact, wanted) == wanted for fact, wanted in end.items()):
            yield goal | end


def ways_to(program: GroundProgram, atom: Term) -> Iterator[Target]:
    """The sets of facts from which an atom follows; NoSmallGoal where they are many, or rules are cyclic."""
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
            raise NoSmallGoal
        ways: list[Way] = []
        for body in self.bodies.get(atom, ()):
            ways += self._all([self._literal(literal, (*above, atom)) for literal in body])
        return _few(ways)

    def negative(self, atom: int, above: tuple[int, ...]) -> list[Way]:
        """Ways in which an atom does not hold."""
        if atom in self.inputs:
            return [((atom, False),)]
        if atom in self.facts:
            return []
        if atom in above:
            raise NoSmallGoal
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
        raise NoSmallGoal
    return ways


def _way_to(
    parts: Sequence[Subgame], states: Sequence[PartStates], target: Target
) -> tuple[JointMove, ...] | None:
    """A plan that brings one part after the other to its target; None where one cannot reach it."""
    moves: list[JointMove] = []
    for part, own in zip(parts, states, strict=True):
        wanted = {fact: holds for fact, holds in target.items() if fact in part.fluents}
        found = own.nearest(lambda state, wanted=wanted: _fits(state, wanted))  # type: ignore[misc]
        if found is None:
            return None
        moves += own.way_to(found)
    return tuple(moves)


def _fits(state: State, wanted: Target) -> bool:
    facts = state.facts()
    return all((fact in facts) == holds for fact, holds in wanted.items())


def _open(part: Subgame, role: Term) -> Ruleset:
    """The part as a puzzle that never ends."""
    kept = [rule for rule in part.rules.rules if rule.head.name not in ("goal", "terminal")]
    never = Atom(Term("true", (Term(unused_name(part.rules, "never_in_part")),)))
    kept += [Rule(Term("terminal"), (never,)), Rule(Term("goal", (role, Term("0"))))]
    return part_rules(part.rules.with_rules(kept), part.fluents, part.moves)


def _reaches(rules: Ruleset, role: Term, plan: Sequence[JointMove], value: int) -> bool:
    """Whether the plan ends the whole game with the value, and no sooner."""
    state = LiftedGame(rules, "whole").initial()
    for joint in plan:
        if state.is_terminal:
            return False
        try:
            state = state.play(joint)
        except GameError:
            return False
    return state.is_terminal and state.goal(role) == value
