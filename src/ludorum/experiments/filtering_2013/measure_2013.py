"""Measures how much a role knows in random matches, and how long the knowledge of 1000 rounds takes.

All engines see the same matches, by seed. A cell is "yes" only if it held in every match. Where a weaker
engine does not know and the complete one does, the engine is too weak; where the complete one does not know,
it cannot be known, which two courses of the match that look the same prove.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

from ...engine.compiled import CompiledGame
from ...engine.game import Game, State
from ...knowledge.boxes.box_knower import BoxKnower
from ...knowledge.boxes.lifted_knower import LiftedKnower
from ...knowledge.boxes.make_box_knower import make_box_knower
from ...knowledge.complete_knower import CompleteKnower
from ...knowledge.knower import Knower, Truth
from ...rules.terms import Term

LEVELS = ("L0", "L1", "L2", "L3", "L4", "L5")
COMPLETE = "complete"
ENGINES = (*LEVELS, COMPLETE)


@dataclass
class Knowing:
    """What a role knew in some matches, by one engine."""

    engine: str
    matches: int = 0
    rounds: int = 0
    rounds_known: int = 0
    """Rounds in which all legal moves were known."""
    legal: int = 0
    """Matches in which the role always knew its legal moves."""
    terminal: int = 0
    """Matches at whose end it knew that they were over."""
    goal: int = 0
    """Matches at whose end it knew its goal value."""
    goal_told: int = 0
    """The same, with the message that the match is over."""
    undecided: int = 0
    """Matches at whose end a limit of the solver left the answer open."""
    several_goals: int = 0
    """Matches whose end gives the role several goal values: a fault of the sheet."""
    seconds: float = 0.0
    """Of the processor, for all updates and questions about legal moves."""

    @property
    def seconds_per_1000(self) -> float:
        return 1000 * self.seconds / self.rounds if self.rounds else 0.0

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "seconds_per_1000": self.seconds_per_1000}


def knower_of(game: Game, engine: str) -> Callable[[Term], Knower]:
    """What makes the knower of a role; what all matches of a game share is made once."""
    if engine == COMPLETE:
        if isinstance(game, CompiledGame):
            _ = game.shared_simulator, game.single
        return lambda role: CompleteKnower(game, role)
    if engine not in LEVELS:
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    made: dict[Term, BoxKnower | LiftedKnower] = {}

    def restarted(role: Term) -> Knower:
        if role not in made:
            made[role] = make_box_knower(game, role, LEVELS.index(engine))
        made[role].restart()
        return made[role]

    return restarted


def measure_knowing(game: Game, role: Term, engine: str, seeds: Iterable[int]) -> Knowing:
    """What a role knows in the random matches of some seeds."""
    make, found = knower_of(game, engine), Knowing(engine)
    for seed in seeds:
        _add_match(found, make(role), list(game.playout(seed)))
    return found


def _add_match(found: Knowing, knower: Knower, states: list[State]) -> None:
    """Follow one match, and add what was known in it."""
    role, seat = knower.role, states[0].game.roles.index(knower.role)
    always = True
    for state in states:
        begin = time.process_time()
        if state.joint is not None:
            knower.update(state.joint[seat], state.percepts(role))
        knows = state.is_terminal or knower.knows_legal
        found.seconds += time.process_time() - begin
        found.rounds += state.joint is not None
        found.rounds_known += knows and state.joint is not None
        always &= knows
    found.matches += 1
    found.legal += always
    found.terminal += knower.terminal() is Truth.TRUE
    found.goal += knower.goal is not None
    if isinstance(knower, CompleteKnower):
        found.undecided += not (knower.is_exact("over") and knower.is_exact("goal"))
    found.several_goals += len(states[-1].goal_terms(role)) > 1
    knower.stop()
    found.goal_told += knower.goal is not None
