"""Beam search for one player: layer by layer, and of each layer only the most promising positions.

A run costs as much as its lines are long, so ends that lie deep are seen early; ends without a gain are
noted, and the lines that can go on are kept. Which positions are promising differs from puzzle to puzzle. So
each run orders them in its own way: by their distance to the goal, by many or few ways to go on, by the goal
as it stands, or by chance; and runs become wider. A run that left nothing out proves that its best end is the
best.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from ..engine.game import Game, State
from .beam_boards import Packed, PackedBeamBoard, PlainBeamBoard, States
from .beam_run import BeamRun, OpenLine
from .budget import USUAL, Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .distances import Distances
from .plan import Plan, best_goal, goal_values, only_role

FIRST_WIDTH, LAST_WIDTH = 8, 1 << 12
WIDER = 4
"""How many times as wide runs become after one of each kind; one that was cut short makes them narrower."""
PLAIN_WIDTH = 2
"""The first width without a circuit, where each position takes a thousand times as long."""
ORDERS = (
    ("near", "most", "goal", "chance"),
    ("most",),
    ("near", "goal", "fewest", "chance"),
    ("goal", "most"),
)
"""By what the runs choose, in turn; each of several chooses the same share of the width."""


@dataclass(frozen=True)
class BeamResult:
    """What the runs of one search came to."""

    plan: Plan | None
    """The best end seen."""
    is_last_word: bool
    """Whether it is proved that no end is better than this one and the one known before."""
    open_line: OpenLine
    """The line along which play can go on for longest."""


class BeamSearch:
    """Runs of one game, wider from search to search."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.role = only_role(game)
        self._seed = seed
        self._runs = self._turn = self._level = 0
        self._was_cut = False
        """Whether a run of this width was cut short."""

    def search(
        self,
        state: State,
        budget: Budget | None = None,
        *,
        known: int = -1,
        distances: Distances | None = None,
        most_runs: int | None = None,
    ) -> BeamResult:
        """The best end of as many runs as the budget allows.

        ``known`` is the goal of a plan that is known. ``distances`` are the estimates for the best goal there
        is: positions from which it is out of reach are dropped where nothing else would be better.
        """
        watch = Stopwatch(budget or USUAL)
        best: Plan | None = None
        line = OpenLine()
        work = nodes = runs = 0
        while runs != most_runs and not watch.is_up(work):
            run = self._make_run(state, max(known, -1 if best is None else best.goal), distances)
            run.go(watch, work)
            self._settle_width(run.was_cut)
            if not run.nodes and not run.is_complete:
                break  # the time is up, or there is no move
            work, nodes, runs = run.work, nodes + run.nodes, runs + 1
            proved = best_goal(self.game) if not run.is_complete else known
            found = run.plan(proved, nodes, watch.seconds)
            if found is not None and found.is_better_than(best):
                best = found
            line = max(line, run.open_line(), key=attrgetter("rank"))
            if run.is_complete or (best is not None and best.optimal):
                return BeamResult(best, True, line)
        return BeamResult(best, False, line)

    def _settle_width(self, was_cut: bool) -> None:
        """Makes runs wider after one of each kind, or narrower where there was no time for some."""
        self._was_cut |= was_cut
        self._turn += 1
        if self._turn == len(ORDERS) or (was_cut and self._level):
            self._level = max(0, self._level - 1) if self._was_cut else self._level + 1
            self._turn, self._was_cut = 0, False

    def _make_run(
        self, state: State, known: int, distances: Distances | None
    ) -> BeamRun[Packed] | BeamRun[States]:
        order, wider = ORDERS[self._turn], WIDER**self._level
        self._runs += 1
        chance = np.random.default_rng((self._seed, self._runs))
        circuit = compiled_game(self.game)
        packed = compiled_state(circuit, state) if circuit else None
        if circuit is None or packed is None or not circuit.state_bytes:
            return BeamRun(
                PlainBeamBoard(self.role, state), min(PLAIN_WIDTH * wider, LAST_WIDTH), order, chance
            )
        board = PackedBeamBoard(circuit, packed)
        if distances is not None:
            board.distances, board.estimates = distances, "near" in order
            values, best = goal_values(circuit), best_goal(circuit)
            board.drops_hopeless = [each for each in values if each > known] == [best]
            board.sees_hopeless = [each for each in values if each > max(known, min(values))] == [best]
        return BeamRun(board, min(FIRST_WIDTH * wider, LAST_WIDTH), order, chance)
