"""Plans: what a search for one player answers."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.compiled import CompiledGame
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..rules.terms import Term
from .compiled_state import compiled_game


@dataclass(frozen=True)
class Plan:
    """Moves from a state to an end of the game."""

    moves: tuple[Term, ...]
    goal: int
    """The goal value, 0..100, at the end."""
    optimal: bool = False
    """Whether no plan reaches a better goal."""
    shortest: bool = False
    """Whether no shorter plan reaches as good a goal."""
    nodes: int = 0
    """States that were visited, or playouts."""
    seconds: float = 0.0
    method: str = ""

    def is_better_than(self, other: Plan | None) -> bool:
        if other is None:
            return True
        return self._rank > other._rank

    @property
    def _rank(self) -> tuple[int, bool, int, bool]:
        return self.goal, self.optimal, -len(self.moves), self.shortest


def best_goal(game: Game) -> int:
    """The highest goal value of the only role that the rules can give, as far as is known."""
    circuit = compiled_game(game)
    if circuit is None:
        return 100
    values = [value for _, value, _ in circuit.circuit.goals if isinstance(value, int)]
    return min(100, max(values, default=0))


def goal_values(game: CompiledGame) -> tuple[int, ...]:
    """The goal values, 0..100, that the rules can give the only role, the highest first."""
    values = {value for _, value, _ in game.circuit.goals if isinstance(value, int)}
    return tuple(sorted((value for value in values if 0 <= value <= 100), reverse=True))


def only_role(game: Game) -> Term:
    """The role of a game for one player; GameError in other games."""
    if len(game.roles) != 1:
        raise GameError(f"{game.name} has {len(game.roles)} roles: plans are for one")
    return game.roles[0]


def play_plan(state: State, moves: tuple[Term, ...]) -> State:
    """The last state of a plan; IllegalMoveError where it cannot be played."""
    for move in moves:
        state = state.play((move,))
    return state
