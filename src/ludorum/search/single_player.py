"""Games for one player: a plan to the best end that can be found, with a proof where there is one.

Several searches share the time. Breadth-first finds shortest plans and proves that there are no better ones
as long as memory lasts; beams keep the most promising positions of each layer; best-first is led by estimates
that follow from the rules; alpha-beta, which has no opponent here, goes deep first with a table of states;
nested rollouts learn where the state space is too large for all of them. As long as nothing is proved and
time is left, wider beams and further rollouts follow. ``a_star`` and ``ida_star`` take an estimate of the
steps that are left from the caller.

Where there is nothing to lose, no plan is followed to an end with the lowest goal: the line along which play
can go on is played, and searched further at every move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TypeAlias

from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.words import Named
from ..rules.terms import Term
from .alphabeta import AlphaBeta
from .alphabeta_config import AlphaBetaConfig
from .beam import ORDERS, BeamSearch
from .beam_run import OpenLine
from .best_first import BestFirst
from .breadth_first import MEMORY_BYTES, breadth_first
from .budget import USUAL, Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .decision import Choice, Decision, Searcher
from .goal_formula import NEVER
from .nested import NestedConfig, nested_search
from .open_play import most_open_move, move_that_puts_off
from .plan import Plan, best_goal, goal_values, only_role, play_plan

FEW = 10
"""Rollouts that are played when the time is over without any plan."""

SHORTEST_SHARES = (0.5, 0.5, 0.0, 0.8, 0.5, 0.3)
"""As ``SinglePlayerConfig.shares``, where a shortest plan is wanted: depth-first search proves none."""

LATER_SHARES = (0.08, 0.08, 0.4, 0.3, 0.2, 0.4)
"""The same once play has begun: what breadth-first search had no memory for, it seldom has a move later."""

FURTHER_SHARE, FURTHER_SECONDS = 0.3, 0.2
"""The share of the time that is left, and the least, of each search after the first round."""
FURTHER_PLAYOUTS = 20_000
"""Rollouts of a search after the first round where no clock runs; twice as many each time."""
PLANNING_SHARE = 0.95
"""The share of a move's time for plans; the rest is for a choice where there is none to follow."""
LONGEST_OPEN = 500
"""Moves for which play is kept open without a better plan: a match must end."""


@dataclass(frozen=True)
class SinglePlayerConfig:
    """Settings that may be changed, with their defaults."""

    shares: tuple[float, float, float, float, float, float] = (0.15, 0.15, 0.3, 0.35, 0.25, 0.4)
    """The shares of breadth-first search without and with step counters, of beams, of best-first and of
    depth-first search and of rollouts, each of the time that the ones before have left."""
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
        self._beams = BeamSearch(game, self.config.seed)
        self._passed: set[State] = set()
        """Positions of this match."""
        self._open_line = OpenLine()
        """The line along which play can go on for longest, as the last search for a plan has seen it."""
        self._open_moves: dict[State, Term] = {}
        """The line that is played as long as no plan is worth following."""
        self.has_no_end = False
        """Whether the last search for a plan has seen all states, none of them an end with a value."""

    def forget(self) -> None:
        """Drop the plan, and what has been played."""
        self._plan, self._states = None, []
        self._passed, self._open_moves = set(), {}

    def take_over(self, before: Searcher) -> None:
        """Keep the plan of a searcher of the same game on another engine."""
        if not isinstance(before, SinglePlayer):
            return
        try:
            self._passed = {self.game.state(state.facts()) for state in before._passed}
            if before._plan is not None:
                self._keep(self.game.state(before._states[0].facts()), before._plan)
        except GameError:  # states that this engine does not have
            self.forget()

    def is_settled(self, state: State) -> bool:
        """Whether a plan from this state is known of which it is proved that no other is better."""
        plan = self._known_plan(state)
        return plan is not None and plan.optimal

    def adopt(self, state: State, plan: Plan) -> None:
        """Keep a plan found elsewhere, if it is better than the own one."""
        if plan.is_better_than(self._known_plan(state)):
            self._keep(state, plan)

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        """The next move of the plan; time is spent only while the plan can still be improved.

        Where the plan has the lowest goal there is and that is not proved to be all, no plan is followed, but
        the line along which play can go on for longest.
        """
        role = state.game.role(role)
        if state.is_terminal:
            raise GameError(f"{self.game.name} is over: there is nothing to search")
        if not state.legal(role):
            raise GameError(f"{self.game.name} goes no further: {role} has no move")
        watch = Stopwatch(budget)
        plan = self._known_plan(state)
        if plan is None or not plan.optimal:
            seconds = None if budget.seconds is None else budget.seconds * PLANNING_SHARE
            plan = self._plan_on(state, replace(budget, seconds=seconds), plan) or plan
        if plan is not None:
            self._keep(state, plan)
        move = self._move_off_the_plan(state, plan, watch)
        self._passed.add(state)
        if plan is not None and move in (None, plan.moves[0]):
            return self._follow(plan, watch)
        assert move is not None
        goal, visits = (0, 0) if plan is None else (plan.goal, plan.nodes)
        said = f"no end with more than {goal} is found yet, and none is ruled out: play goes on"
        choice = Choice(move, visits, float(goal))
        return Decision(role, move, (choice,), visits, 0, watch.seconds, reasons=(said,))

    def _follow(self, plan: Plan, watch: Stopwatch) -> Decision:
        """The next move of a plan."""
        move = plan.moves[0]
        return Decision(
            self.role,
            move,
            (Choice(move, plan.nodes, float(plan.goal), plan.optimal),),
            plan.nodes,
            0,
            watch.seconds,
            depth=len(plan.moves),
            proven=plan.optimal,
            line=tuple((each,) for each in plan.moves),
        )

    def _move_off_the_plan(self, state: State, plan: Plan | None, watch: Stopwatch) -> Term | None:
        """A move in place of that of a plan which is not proved to be best; None: the plan is followed."""
        if plan is None:
            return self._open_move(state, watch)
        if plan.optimal or len(self._passed) >= LONGEST_OPEN:
            return None
        if plan.goal <= self._lowest_goal():
            return self._open_move(state, watch)
        if len(plan.moves) > 1:
            return None
        return move_that_puts_off(state, self.role, plan.goal, self._passed, watch)

    def _lowest_goal(self) -> int:
        circuit = compiled_game(self.game)
        return min(goal_values(circuit), default=0) if circuit is not None else 0

    def _open_move(self, state: State, watch: Stopwatch) -> Term:
        """The next move of the line that is kept open; it gives way to a longer one that is not hopeless.

        A new line must not go back at once, or play would go to and fro.
        """
        line, rest = self._open_line, self._rest_of_open_line(state)
        if len(line.moves) > rest and not line.is_hopeless:
            at = state.play(line.moves[:1])
            if not rest or at not in self._passed:
                self._open_moves = {state: line.moves[0]}
                for each in line.moves[1:]:
                    self._open_moves[at] = each
                    at = at.play((each,))
        move = self._open_moves.get(state)
        return move or most_open_move(state, self.role, self._passed, watch, self._is_hopeless).move

    def _is_hopeless(self, state: State) -> bool:
        """Whether the best goal is out of reach for sure; False where that cannot be estimated."""
        game, distances = compiled_game(self.game), self._best_first.distances()
        packed = compiled_state(game, state) if game else None
        if game is None or packed is None or distances is None:
            return False
        return bool(distances.estimate(game.simulator().pack([packed])).steps[0] >= NEVER)

    def _rest_of_open_line(self, state: State) -> int:
        """The number of moves left of the line that is kept open."""
        states = list(self._open_moves)
        return len(states) - states.index(state) if state in self._open_moves else 0

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
        begin = state or self.game.initial()
        return self._plan_on(begin, budget or USUAL, None, shortest, on_better)

    def _plan_on(
        self,
        state: State,
        budget: Budget,
        known: Plan | None,
        shortest: bool = False,
        on_better: Callable[[Plan], None] | None = None,
    ) -> Plan | None:
        """The best plan of all searches, and of the one that is known."""
        self.has_no_end, self._open_line = False, OpenLine()
        rounds = _Rounds(Stopwatch(budget), known, shortest, on_better)
        was_compiled = compiled_game(self.game) is not None
        self._first_round(state, rounds)
        # A counted budget is spent by each search in the first round.
        while budget.nodes is None and budget.playouts is None and not self._is_over(rounds):
            if not was_compiled and compiled_game(self.game) is not None:
                was_compiled = True
                self._first_round(state, rounds)
            else:
                self._further_round(state, rounds)
        if self.has_no_end:
            return None
        return rounds.best or self._rollouts(state, Budget(playouts=FEW))

    def _is_over(self, rounds: _Rounds) -> bool:
        """Whether further rounds can bring nothing: they do not prove that a plan is shortest."""
        return self.has_no_end or rounds.watch.is_up() or rounds.is_best()

    def _first_round(self, state: State, rounds: _Rounds) -> None:
        shares = LATER_SHARES if self._passed else self.config.shares
        if rounds.shortest:
            shares = SHORTEST_SHARES
        best_first = self._best_first.shortest if rounds.shortest else self._best_first.greedy
        ways: list[Way] = [
            self._breadth_without_counter,
            self._breadth,
            lambda state, budget: self._beam(state, budget, rounds),
            lambda state, budget: best_first(state, budget, rounds.hear),
            self._depth,
            self._rollouts,
        ]
        cut = False
        for share, way in zip(shares, ways, strict=True):
            if (cut and way == self._breadth) or not share:
                continue  # with step counters there are only more states
            part = rounds.part(share)
            before = rounds.watch.seconds
            rounds.hear(way(state, part))
            cut = part.seconds is not None and rounds.watch.seconds - before >= 0.9 * part.seconds
            # Breadth-first search with step counters has the last word on what is shortest.
            is_last = rounds.is_best() if way == self._breadth else rounds.is_settled()
            if is_last or self.has_no_end or rounds.watch.is_up():
                return

    def _further_round(self, state: State, rounds: _Rounds) -> None:
        rounds.number += 1
        rounds.hear(self._beam(state, rounds.part(FURTHER_SHARE), rounds))
        if not self._is_over(rounds):
            rounds.hear(self._rollouts(state, rounds.part(FURTHER_SHARE)))

    def _beam(self, state: State, budget: Budget, rounds: _Rounds) -> Plan | None:
        """The best end of some beams; as it is known, if they prove that there is no better one."""
        known = rounds.best
        # Without a clock or a count, one run of each kind.
        runs = len(ORDERS) if budget.seconds is None and budget.nodes is None else None
        found = self._beams.search(
            state,
            budget,
            known=-1 if known is None else known.goal,
            distances=self._best_first.distances(budget.seconds),
            most_runs=runs,
        )
        self._open_line = max(self._open_line, found.open_line, key=attrgetter("rank"))
        best = found.plan if found.plan is not None and found.plan.is_better_than(known) else known
        if not found.is_last_word:
            return best
        self.has_no_end |= best is None
        return None if best is None else replace(best, optimal=True)

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
        if budget.seconds is None and budget.playouts is None:
            counted = FURTHER_PLAYOUTS << min(self._searches, 20)
            budget = replace(budget, playouts=counted if budget.nodes is None else budget.nodes)
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
            if watch.is_up(nodes) or not state.legal(self.role):
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


Way: TypeAlias = Callable[[State, Budget], Plan | None]


@dataclass
class _Rounds:
    """The best plan of some searches, one after the other, and the time they share."""

    watch: Stopwatch
    best: Plan | None
    shortest: bool
    """Whether the best plan is to be proved shortest as well."""
    on_better: Callable[[Plan], None] | None
    number: int = 0
    """Rounds after the first."""

    def hear(self, found: Plan | None) -> None:
        """Note a plan; the caller hears of it if it is better than those before."""
        if found is None or not found.is_better_than(self.best):
            return
        self.best = found
        if self.on_better is not None:
            self.on_better(found)

    def is_best(self) -> bool:
        return self.best is not None and self.best.optimal

    def is_settled(self) -> bool:
        """Whether nothing is left to be found or proved."""
        return self.best is not None and self.best.optimal and (self.best.shortest or not self.shortest)

    def part(self, share: float) -> Budget:
        """The budget of a search that may use this share of the time that is left."""
        left = self.watch.seconds_left
        seconds = None if left is None else left * share
        if seconds is not None and left is not None and self.number:
            seconds = min(left, max(seconds, FURTHER_SECONDS))
        return replace(self.watch.budget, seconds=seconds)


__all__ = ["Plan", "SinglePlayer", "SinglePlayerConfig", "play_plan"]
