"""Proofs about a game: its value, its properties, and plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from ..engine.errors import GameError
from ..engine.game import State
from ..engine.words import Named
from ..rules.terms import Term, format_term
from ..search.budget import Budget
from ..show.markup import listing, markup, report
from .games import GameLike, as_game, compiled_game

if TYPE_CHECKING:
    from ..solve.planner import JointPlan
    from ..solve.prove.verdict import Verdict
    from ..solve.values.solution import Solution


def solve_game(
    game: GameLike,
    *,
    state: State | str | None = None,
    role: Named | None = None,
    seconds: float = 60.0,
    opened: bool = False,
) -> Solution:
    """The exact value of a game or of one of its states for each role, and the moves that keep it.

    ``role`` is the one whose value is computed first. A game that is not solved within the seconds gets
    bounds. A game that hides something is refused, unless ``opened`` asks for the open game instead.

    >>> import ludorum
    >>> found = ludorum.solve_game("tictactoe")
    >>> {str(role): int(value) for role, value in found.values.items()}
    {'xplayer': 50, 'oplayer': 50}
    """
    from ..solve.values.solve_game import SolveConfig, solve_game

    played = compiled_game(game)
    start = played.parse_state(state) if isinstance(state, str) else state
    whose = None if role is None else played.role(role)
    return solve_game(played, start, whose, Budget(seconds=seconds), SolveConfig(opened=opened))


class Verdicts(Sequence["Verdict"]):
    """Verdicts on properties of one game, in the order in which they were asked for, and by name."""

    def __init__(self, game: str, verdicts: Sequence[Verdict]) -> None:
        self.game = game
        self._verdicts = tuple(verdicts)

    def __len__(self) -> int:
        return len(self._verdicts)

    @overload
    def __getitem__(self, at: int | str) -> Verdict: ...
    @overload
    def __getitem__(self, at: slice) -> Verdicts: ...
    def __getitem__(self, at: int | str | slice) -> Verdict | Verdicts:
        if isinstance(at, slice):
            return Verdicts(self.game, self._verdicts[at])
        if isinstance(at, int):
            return self._verdicts[at]
        for verdict in self._verdicts:
            if verdict.property == at:
                return verdict
        raise KeyError(f"{at} was not asked for; there are {', '.join(one.property for one in self)}")

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self._verdicts)

    def __repr__(self) -> str:
        told = ", ".join(f"{one.property} {one.status.value}" for one in self)
        return f"<{self.game}: {told or 'no properties'}>"

    def _repr_html_(self) -> str:
        """The verdicts as a table."""
        rows = [(one.property, one.status.value, one.reason) for one in self]
        return markup(report(self.game, [], listing(("property", "status", "reason"), rows)))


def prove_game(game: GameLike, *properties: str, seconds: float = 30.0, seed: int = 0) -> Verdicts:
    """A verdict for each property, all of them where none is named: proved, refuted, observed or unknown.

    >>> import ludorum
    >>> found = ludorum.prove_game("tictactoe", "turn-taking", "constant-sum")
    >>> found
    <tictactoe: turn-taking proved, constant-sum proved>
    >>> found["constant-sum"].value
    100
    """
    from ..solve.prove import property_names, prove

    played = as_game(game)
    if played.rules is None:
        raise GameError(f"{played.name} is a flow chart: proofs need rules in logic")
    names = property_names(properties or ["all"])
    found = prove(played.rules, names, Budget(seconds=seconds), name=played.name, seed=seed)
    return Verdicts(played.name, found)


@dataclass(frozen=True)
class PlanReport:
    """The plan that was found for a role, if one was; true where there is one."""

    game: str
    role: Term
    plan: JointPlan | None
    proved: bool
    """Whether this is final: nothing better exists, or no plan at all."""
    bound: int
    """An upper bound on the goal value of any plan."""

    @property
    def goal(self) -> int | None:
        """The goal value of the plan."""
        return None if self.plan is None else self.plan.goal

    @property
    def moves(self) -> tuple[tuple[Term, ...], ...]:
        """The joint moves of the plan."""
        return () if self.plan is None else self.plan.moves

    def __bool__(self) -> bool:
        return self.plan is not None

    def __repr__(self) -> str:
        if self.plan is None:
            return f"<{self.game}: {'there is no plan' if self.proved else 'no plan was found'}>"
        return f"<{self.game}: {self.role} has {self.goal} after {len(self.moves)} moves>"

    def _repr_html_(self) -> str:
        """The moves of the plan as a table."""
        rows = [(str(at), " ".join(map(format_term, joint))) for at, joint in enumerate(self.moves, 1)]
        table = [listing(("step", "moves"), rows)] if rows else []
        told = "the best there is" if self.proved else f"nothing brings more than {self.bound}"
        goal = "no plan" if self.goal is None else f"{self.goal}, {told}"
        return markup(report(self.game, [(f"goal of {self.role}", goal)], *table))


def find_plan(
    game: GameLike,
    role: Named | None = None,
    *,
    value: int | None = None,
    seconds: float = 60.0,
    seed: int = 0,
) -> PlanReport:
    """Moves of all roles that bring one of them the most, or ``value``, as if all others helped.

    >>> import ludorum
    >>> found = ludorum.find_plan("eight_puzzle", value=0)
    >>> found.goal is not None
    True
    """
    from ..solve.portfolio import PlanTask, best_plan, proved_bound

    played = as_game(game, "auto")
    if played.rules is None:
        raise GameError(f"{played.name} is a flow chart: plans need rules in logic")
    whose = played.roles[0] if role is None else played.role(role)
    task = PlanTask(played, whose, values=None if value is None else (value,), seed=seed)
    found = best_plan(task, Budget(seconds=seconds))
    answer = found[0].answer
    plan = None if answer is None else answer.plan
    return PlanReport(played.name, whose, plan, answer is not None and answer.complete, proved_bound(found))
