"""Values of games that fall into independent parts, each solved apart.

One role: a plan to the best goal (``plan_by_parts``). Several roles: each part must belong to one role whose
goal depends on its own part and the common clock alone. Each role then plays by itself, and the others can
only end the game early: a role that reaches its goal before another can end the game is certain of it
(hodgepodge; asp-player, section 15.8).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...asp.ground import GroundingError, GroundProgram, clock_of, ground_rules
from ...engine.errors import GameError
from ...engine.game import JointMove, State
from ...rules.ruleset import Ruleset
from ...rules.terms import Term, as_integer
from ...search.budget import Budget, Stopwatch
from ..horizon import OutOfTime
from ..part_states import PartStates
from ..plan_by_parts import NoSmallGoal, plan_by_parts, ways_to
from ..prove.subgames import Subgame, facts_behind, find_parts, plays_with_others


@dataclass(frozen=True)
class PartsValue:
    """The value of each role, with moves that reach it."""

    values: dict[Term, int]
    plans: dict[Term, tuple[Term, ...]]
    """The moves of each role; perhaps none for a role that gets its worst value whatever it does."""
    states: int
    """States of all parts together."""


def value_by_parts(rules: Ruleset, budget: Budget) -> PartsValue | None:
    """The value of a game from its first state; None where the parts do not decide it, or not in time."""
    try:
        if len(rules.roles) == 1:
            return _alone(rules, budget)
        return _Roles(rules, budget).value()
    except (OutOfTime, GameError, GroundingError):
        return None


def _alone(rules: Ruleset, budget: Budget) -> PartsValue | None:
    plan = plan_by_parts(rules, budget)
    if plan is None:
        return None
    own = tuple(move for (move,) in plan.moves)
    return PartsValue({plan.role: plan.goal}, {plan.role: own}, 0)


class _Roles:
    """A game of several roles, each with a part of its own."""

    def __init__(self, rules: Ruleset, budget: Budget) -> None:
        self.rules = rules
        self.watch = Stopwatch(budget)
        self.program = ground_rules(rules, clock_of(self.watch.seconds_left), stop=budget.stop)
        self.parts: dict[Term, Subgame] = {}
        if plays_with_others(self.program):
            return
        for part in find_parts(rules, budget):
            if len(part.roles) != 1 or part.roles[0] in self.parts:
                self.parts = {}
                break
            self.parts[part.roles[0]] = part

    def value(self) -> PartsValue | None:
        if set(self.parts) != set(self.rules.roles):
            return None
        if not all(self._is_own_business(self.program, role) for role in self.parts):
            return None
        if not self._ends_by_parts(self.program):
            return None
        states = {role: PartStates(part.game, self.watch) for role, part in self.parts.items()}
        if any(_gets_stuck(own, self.parts[role], role) for role, own in states.items()):
            return None
        values: dict[Term, int] = {}
        plans: dict[Term, tuple[Term, ...]] = {}
        for role, own in states.items():
            soonest = [_soonest_end(other) for who, other in states.items() if who is not role]
            found = _best(own, role, min(soonest))
            if found is None:
                return None
            values[role], plans[role] = found
        return PartsValue(values, plans, sum(len(own.states) for own in states.values()))

    def _is_own_business(self, program: GroundProgram, role: Term) -> bool:
        """Whether the goals of a role depend on facts of its own part and of the clock alone."""
        part = self.parts[role]
        goals = [atom for atom in program.numbers if atom.signature == ("goal", 2) and atom.args[0] is role]
        behind = set().union(*(facts_behind(program, atom) for atom in goals))
        return behind <= part.fluents | part.clock

    def _ends_by_parts(self, program: GroundProgram) -> bool:
        """Whether each rule that ends the game depends on a single part and the clock."""
        try:
            ways = [set(way) for way in ways_to(program, Term("terminal"))]
        except NoSmallGoal:
            return False
        return all(any(way <= part.fluents | part.clock for part in self.parts.values()) for way in ways)


def _gets_stuck(states: PartStates, part: Subgame, role: Term) -> bool:
    """Whether a role may be without a move before the end, which stops the whole game."""
    return any(
        not state.is_terminal and not any((role, move) in part.moves for move in state.legal(role))
        for state in states
    )


def _soonest_end(states: PartStates) -> int:
    """Steps after which play may be over at the soonest, as far as this part and the clock go."""
    end = states.nearest(lambda state: state.is_terminal)
    return len(states.states) if end is None else states.steps(end)


def _best(states: PartStates, role: Term, undisturbed: int) -> tuple[int, tuple[Term, ...]] | None:
    """The value of a role undisturbed for so many steps, and its moves; None where it is not certain.

    Whatever others do, play visits states of this part only, so nothing brings more than the best of them.
    """
    most = max(_goal(state, role) for state in states)
    seat = states.game.roles.index(role)
    end = states.nearest(lambda state: state.is_terminal and _goal(state, role) == most)
    if end is not None and states.steps(end) <= undisturbed:
        return most, _own(states.way_to(end), seat)
    ends = states.nearest(lambda state: state.is_terminal) is not None  # without an end there is no value
    if ends and min(_goal(state, role) for state in states) == most:  # the same value whenever the game ends
        return most, ()
    return None


def _own(play: tuple[JointMove, ...], seat: int) -> tuple[Term, ...]:
    return tuple(joint[seat] for joint in play)


def _goal(state: State, role: Term) -> int:
    found = state.goal_terms(role)
    values = [value for value in map(as_integer, found) if value is not None]
    return min(100, max(values, default=0))
