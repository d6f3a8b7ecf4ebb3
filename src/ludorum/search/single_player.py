"""Games for one player: a plan to the best end that can be found, with a proof where there is one.

Four searches share the time. Breadth-first finds shortest plans and proves that there are no better ones as
long as memory lasts; best-first is led by estimates that follow from the rules; alpha-beta, which has no
opponent here, goes deep first with a table of states; nested rollouts learn where the state space is too
large for all of them. ``a_star`` and ``ida_star`` take an estimate of the steps that are left from the
caller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.words import Named
from ..rules.terms import Term
from .alphabeta import AlphaBeta
from .alphabeta_config import AlphaBetaConfig
from .best_first import BestFirst
from .breadth_first import MEMORY_BYTES, breadth_first
from .budget import USUAL, Budget, Stopwatch
from .decision import Choice, Decision
from .nested import NestedConfig, nested_search
from .plan import Plan, best_goal, only_role, play_plan

FEW = 10
"""Rollouts that are played when the time is over without any plan."""

SHORTEST_SHARES = (0.5, 0.5, 0.8, 0.5)
"""As ``SinglePlayerConfig.shares``, where a shortest plan is wanted: depth-first search proves none."""


@dataclass(frozen=True)
class SinglePlayerConfig:
    """Settings that may be changed, with their defaults."""

    shares: tuple[float, float, float, float] = (0.2, 0.2, 0.5, 0.5)
    """The shares of breadth-first search without and with step counters, of best-first and of depth-first
    search, each of the time that the ones before have left. Rollouts have the rest."""
    memory_bytes: int = MEMORY_BYTES
    table_bytes: int = 256 << 20
    depth_step: int = 48
    """By how much the depth-first search deepens: most games for one player end before that."""
    nested: NestedConfig = field(default_factory=NestedConfig)
    seed: int = 0


class SinglePlayer:
    """A searcher that makes a plan, keeps it while it is followed, and improves it until it is proven."""

    def __init__(self, game: Game, config: SinglePlayerConfig | None = None) -> None:
        self.game = game
        self.role = only_role(game)
        self.config = config or SinglePlayerConfig()
        self._plan: Plan | None = None
        self._states: list[State] = []
        self._searches = 0
        self._best_first = BestFirst(game, self.config.memory_bytes)
        self.has_no_end = False
        """Whether the last search for a plan has seen all states, none of them an end with a value."""

    def forget(self) -> None:
        """Drop the plan."""
        self._plan, self._states = None, []

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        """The next move of the plan; time is spent only while the plan can still be improved."""
        role = state.game.role(role)
        if state.is_terminal:
            raise GameError(f"{self.game.name} is over: there is nothing to search")
        watch = Stopwatch(budget)
        plan = self._known_plan(state)
        if plan is None or not plan.optimal:
            found = self.plan(state, budget)
            if found is not None and found.is_better_than(plan):
                plan = found
        legal = state.legal(role)
        if not legal:
            raise GameError(f"{self.game.name} goes no further: {role} has no move")
        if plan is None:
            return Decision(role, legal[0], (Choice(legal[0], 0, 0.0),), 0, 0, watch.seconds)
        self._keep(state, plan)
        move = plan.moves[0]
        return Decision(
            role,
            move,
            (Choice(move, plan.nodes, float(plan.goal), plan.optimal),),
            plan.nodes,
            0,
            watch.seconds,
            depth=len(plan.moves),
            proven=plan.optimal,
            line=tuple((each,) for each in plan.moves),
        )

    def plan(
        self,
        state: State | None = None,
        budget: Budget | None = None,
        *,
        shortest: bool = False,
        on_better: Callable[[Plan], None] | None = None,
    ) -> Plan | None:
        """The best plan that the searches find, one after the other, until one is proven to be best.

        ``shortest``: also proven to be shortest, which breadth-first search and A* can do.
        ``on_better`` is called with every plan that is better than those before.
        """
        self.has_no_end = False
        begin = state or self.game.initial()
        watch = Stopwatch(budget or USUAL)
        best: Plan | None = None
        shares = SHORTEST_SHARES if shortest else self.config.shares
        best_first = self._best_first.shortest if shortest else self._best_first.greedy
        ways: list[tuple[float, Callable[[State, Budget], Plan | None]]] = [
            (shares[0], self._breadth_without_counter),
            (shares[1], self._breadth),
            (shares[2], lambda state, budget: best_first(state, budget, on_better)),
            (shares[3], self._depth),
            (1.0, self._rollouts),
        ]
        cut = False
        for share, way in ways:
            if cut and way == self._breadth:
                continue  # with step counters there are only more states
            left, before = watch.seconds_left, watch.seconds
            part = replace(watch.budget, seconds=None if left is None else left * share)
            found = way(begin, part)
            cut = part.seconds is not None and watch.seconds - before >= 0.9 * part.seconds
            if found is not None and found.is_better_than(best):
                best = found
                if on_better is not None:
                    on_better(found)
            if self.has_no_end:
                return None
            if watch.is_up() or (
                best is not None and best.optimal and (best.shortest or not shortest or way == self._breadth)
            ):
                break
        return best or self._rollouts(begin, Budget(playouts=FEW))

    def _breadth_without_counter(self, state: State, budget: Budget) -> Plan | None:
        return breadth_first(self.game, state, budget, self.config.memory_bytes, ignore_steps=True)

    def _breadth(self, state: State, budget: Budget) -> Plan | None:
        return breadth_first(
            self.game, state, budget, self.config.memory_bytes, on_exhausted=self._note_no_end
        )

    def _note_no_end(self) -> None:
        self.has_no_end = True

    def _rollouts(self, state: State, budget: Budget) -> Plan | None:
        self._searches += 1
        seed = self.config.seed + self._searches
        if budget.seconds is None and budget.playouts is None and budget.stop is None:
            budget = replace(budget, playouts=budget.nodes)
        return nested_search(self.game, state, budget, self.config.nested, seed)

    def _depth(self, state: State, budget: Budget) -> Plan | None:
        """A plan by alpha-beta: its principal variation, searched on where the table has lost some of it."""
        step = self.config.depth_step
        search = AlphaBeta(
            self.game,
            None,
            AlphaBetaConfig(
                first_depth=step,
                deepening=step,
                max_depth=10 * step,
                any_win=True,
                table_bytes=self.config.table_bytes,
            ),
        )
        watch = Stopwatch(budget)
        moves: list[Term] = []
        nodes, first = 0, None
        while not state.is_terminal:
            if watch.is_up(nodes):
                return None
            found = search.search(state, self.role, replace(budget, seconds=watch.seconds_left))
            first = first or found
            nodes += found.nodes
            if not found.line:
                return None
            for (move,) in found.line:
                moves.append(move)
                state = state.play((move,))
        value = state.goal(self.role)
        if value is None:
            return None
        proven = first is not None and first.proven and value >= first.value
        optimal = proven or value >= best_goal(self.game)
        return Plan(tuple(moves), value, optimal, False, nodes, watch.seconds, "depth-first")

    def _known_plan(self, state: State) -> Plan | None:
        """The rest of the plan, where the state lies on it."""
        if self._plan is None or state not in self._states:
            return None
        passed = self._states.index(state)
        return replace(self._plan, moves=self._plan.moves[passed:])

    def _keep(self, state: State, plan: Plan) -> None:
        if self._plan is not None and state in self._states:
            passed = self._states.index(state)
            if self._plan.moves[passed:] == plan.moves:
                return
        self._plan, self._states = plan, [state]
        for move in plan.moves[:-1]:
            self._states.append(self._states[-1].play((move,)))


__all__ = ["Plan", "SinglePlayer", "SinglePlayerConfig", "play_plan"]
