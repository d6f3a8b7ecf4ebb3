"""Exact solving of small games: every state that can be reached, valued from the ends of the game backwards.

Any number of players that move in turns, each of which maximises its own value; nature, where it plays, draws
by its odds. Where a player has several best moves the quickest counts if it is ahead (above 50), the slowest
if it is behind, and the first of these: the values of the others are those after that move.
``is_unsure`` marks the states in which another choice among equals would give some role another value.

All players are assumed to know the state: where a game hides something, the values are those of the game with
all information open (``engine.information`` says which games hide something).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.words import Named
from ..rules.ruleset import is_nature
from ..rules.terms import Term
from .budget import USUAL, Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .decision import Choice, Decision
from .state_graph import NOBODY, StateGraph, UnsolvedError, explore_states

MOST_STATES = 2_000_000
"""About 300 bytes each while they are solved; 60 afterwards."""

LARGEST_DENOMINATOR = 10**6
"""The denominator up to which floating point numbers tell means apart."""
PLACES = 9
"""Decimal places that means are rounded to, so that moves that are worth the same compare as equal."""

T = TypeVar("T", bound=np.generic)
Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Solved:
    """The value of every state that can be reached from the one that was asked for."""

    game: Game
    state: State
    graph: StateGraph
    value_of: Array
    """By state and role; meaningless where ``is_known`` is not set (play may go in circles there)."""
    steps_to_end: NDArray[np.int32]
    is_known: NDArray[np.bool_]
    is_unsure: NDArray[np.bool_]
    """Whether a value depends on how a role chooses among moves of equal value to it."""
    denominator: int | None
    """Values of the first state are whole numbers over this one; None where means were rounded."""
    seconds: float

    @property
    def nodes(self) -> int:
        return self.graph.states

    @property
    def values(self) -> dict[Term, float]:
        """The value of the first state for each role if all play their best."""
        return dict(zip(self.game.roles, self.value_of[0].tolist(), strict=True))

    @property
    def is_constant_sum(self) -> bool:
        """Whether the players get the same together at every end."""
        sums = ends_of(self.graph)[:, self._players].sum(axis=1)
        return len(sums) > 0 and bool((sums == sums[0]).all())

    @property
    def _players(self) -> list[int]:
        return [at for at, role in enumerate(self.game.roles) if not is_nature(role)]

    @property
    def mover(self) -> Term | None:
        """The role that chooses in the first state."""
        seat = int(self.graph.movers[0])
        return None if seat == NOBODY else self.game.roles[seat]

    @property
    def best(self) -> tuple[Term, ...]:
        """The mover's moves in the first state that lose nothing, in order of preference."""
        if self.mover is None:
            return ()
        choices = self.decide(self.state, self.mover).choices
        return tuple(choice.move for choice in choices if choice.value == choices[0].value)

    def knows(self, state: State) -> bool:
        return self._number(state) is not None

    def value(self, state: State, role: Named) -> float:
        """The value of a state for a role."""
        number = self._number(state)
        if number is None:
            raise GameError("this state was not solved")
        return float(self.value_of[number, self.game.roles.index(self.game.role(role))])

    def decide(self, state: State, role: Named) -> Decision:
        """The moves of a role, best first; of equal ones the quickest when ahead, the slowest when behind."""
        role = self.game.role(role)
        number = self._number(state)
        if number is None:
            raise GameError("this state was not solved")
        seat, ranked, sure = self.game.roles.index(role), [], True
        for joint in state.joint_moves():
            after = self._number(state.play(joint))
            if after is None:  # a move that was not needed to know its state
                continue
            value, steps = float(self.value_of[after, seat]), int(self.steps_to_end[after])
            proven = not self.is_unsure[after]
            sure = sure and proven
            ranked.append((-value, steps if value > 50 else -steps, joint, proven))
        ranked.sort(key=lambda entry: entry[:2])
        choices: dict[Term, Choice] = {}
        for negative, _, joint, proven in ranked:
            choices.setdefault(joint[seat], Choice(joint[seat], 1, -negative, proven))
        if self.graph.movers[number] != seat:  # another role chooses: its choice decides
            own, sure = ranked[0][2][seat], not self.is_unsure[number]
            choices = {own: Choice(own, 1, float(self.value_of[number, seat]), sure)}
        best = next(iter(choices.values()))
        return Decision(role, best.move, tuple(choices.values()), 0, 0, 0.0, proven=sure)

    def _number(self, state: State) -> int | None:
        circuit = compiled_game(self.game)
        if not isinstance(self.graph.numbers, dict):
            assert circuit is not None
            packed = compiled_state(circuit, state)
            if packed is None:
                return None
            state = packed
        number = self.graph.number(state)
        return number if number is not None and self.is_known[number] else None


def solve(
    game: Game, state: State | None = None, budget: Budget | None = None, limit: int = MOST_STATES
) -> Solved | None:
    """All values from a state on; None where ``find_values`` has none."""
    try:
        return find_values(game, state, budget, limit)
    except UnsolvedError:
        return None


def find_values(
    game: Game, state: State | None = None, budget: Budget | None = None, limit: int = MOST_STATES
) -> Solved:
    """All values from a state on.

    UnsolvedError where it is too large, goes in circles, or roles move at once. In games of two with a
    constant sum, a state is known as soon as one move wins, or all are known to lose; what goes in circles
    beyond that stays unknown.
    """
    watch = Stopwatch(budget or USUAL)
    begin = state or game.initial()
    graph = explore_states(game, begin, watch, limit)
    seats = game.info.chance_seats
    nature = seats[0] if seats else NOBODY - 1
    induction = _Induction(graph, nature, seats)
    values, steps, known = induction.run()
    if not known[0]:
        raise UnsolvedError("play can go in circles, and induction needs ends")
    return Solved(
        game,
        begin,
        graph,
        values,
        steps,
        known,
        induction.unsure,
        _denominator(graph, nature, int(induction.draws[0])),
        watch.seconds,
    )


def _denominator(graph: StateGraph, nature: int, draws: int) -> int | None:
    """The common denominator of values after so many draws of nature; None where it is too large."""
    drawn = np.flatnonzero(graph.movers == nature)
    owners = np.repeat(np.arange(graph.states), np.diff(graph.first_edge))
    sums = np.unique(np.bincount(owners, graph.weights, graph.states)[drawn])
    if math.prod(sums.tolist()) > LARGEST_DENOMINATOR and draws:
        return None
    base = math.lcm(*map(int, sums.tolist()))
    return base**draws if draws * math.log(base) <= math.log(LARGEST_DENOMINATOR) else None


def ends_of(graph: StateGraph) -> Array:
    """The goals of all roles at each end."""
    ends: Array = graph.goals[graph.first_edge[1:] == graph.first_edge[:-1]]
    return ends


class _Induction:
    """Waves of states, each known from those before it."""

    def __init__(self, graph: StateGraph, nature: int, seats: tuple[int, ...]) -> None:
        self.graph = graph
        self.nature = nature
        self.values = graph.goals.copy()
        self.steps = np.zeros(graph.states, np.int32)
        self.known = np.zeros(graph.states, np.bool_)
        self.unsure = np.zeros(graph.states, np.bool_)
        self.draws = np.zeros(graph.states, np.int32)
        """Draws of nature on the way to an end, at most."""
        self.players = [at for at in range(graph.goals.shape[1]) if at not in seats]
        self.degrees = np.diff(graph.first_edge)
        ends = graph.goals[self.degrees == 0]
        sums = ends.sum(axis=1)
        opposed = graph.goals.shape[1] == 2 and len(sums) > 0 and bool((sums == sums[0]).all())
        # Where every end is the best for both, each role may wait for ever for the other to end the game.
        opposed = opposed and not bool((ends == ends.max(axis=0)).all() and (ends > 0).all())
        self.best = ends.max(axis=0) if opposed else None
        """The highest goal of each of two opposed players; None in other games."""

    def run(self) -> tuple[Array, NDArray[np.int32], NDArray[np.bool_]]:
        graph = self.graph
        parents = np.repeat(np.arange(graph.states), self.degrees)
        order = np.argsort(graph.children, kind="stable")
        into = parents[order]
        first_into = np.searchsorted(graph.children[order], np.arange(graph.states + 1))
        waiting = self.degrees.copy()
        wave = np.flatnonzero(self.degrees == 0)
        while len(wave):
            self.known[wave] = True
            reached, sources = _neighbours(into, first_into, wave)
            open_edges = ~self.known[reached]
            reached, sources = reached[open_edges], sources[open_edges]
            np.subtract.at(waiting, reached, 1)
            won = self._settle_wins(reached, sources)
            full = np.unique(reached)
            full = full[(waiting[full] == 0) & ~np.isin(full, won)]
            self._settle(full)
            wave = np.concatenate([won, full])
        return self.values, self.steps, self.known

    def _settle_wins(self, states: Indices, children: Indices) -> Indices:
        """States from which the mover, one of two opposed players, can reach a won state."""
        if self.best is None:
            return np.zeros(0, np.int64)
        movers = self.graph.movers[states]
        wins = (movers >= 0) & (movers != self.nature)
        # Where the best is 0, playing on for ever is as good, and the other's value is not certain.
        best = self.best[np.maximum(movers, 0)]
        wins &= (self.values[children, np.maximum(movers, 0)] == best) & (best > 0)
        states, children = states[wins], children[wins]
        # Of several wins of one wave the quickest: the order of waves is that of steps but for long losses.
        order = np.lexsort((self.steps[children], states))
        states, children = states[order], children[order]
        first = np.ones(len(states), np.bool_)
        first[1:] = states[1:] != states[:-1]
        states, children = states[first], children[first]
        self.values[states] = self.values[children]
        self.steps[states] = self.steps[children] + 1
        self.draws[states] = self.draws[children]
        return states

    def _settle(self, states: Indices) -> None:
        """States all of whose successors are known."""
        if not len(states):
            return
        graph = self.graph
        lengths = self.degrees[states]
        children, _ = _neighbours(graph.children, graph.first_edge, states)
        weights, _ = _neighbours(graph.weights, graph.first_edge, states)
        owners = np.repeat(np.arange(len(states)), lengths)
        movers = np.maximum(graph.movers[states], 0)[owners]
        own = self.values[children, movers]
        steps = self.steps[children]
        # Best own value; then quick if ahead, slow if behind; then the first move.
        order = np.lexsort((np.where(own > 50, steps, -steps), -own, owners))
        firsts = np.cumsum(lengths) - lengths
        chosen = children[order[firsts]]
        self.values[states] = self.values[chosen]
        self.steps[states] = self.steps[chosen] + 1
        self.draws[states] = np.maximum.reduceat(self.draws[children], firsts)
        # A child that is unsure may become the best by another choice, so it need not be the best here.
        # Equal moves are those of equal value to the mover; for nature, all that it may draw.
        drawn = graph.movers[states] == self.nature
        equal = drawn[owners] | (own == self.values[chosen, np.maximum(graph.movers[states], 0)][owners])
        rows, taken = self.values[children][:, self.players], self.values[chosen][:, self.players]
        differs = (rows != taken[owners]).any(axis=1) & ~drawn[owners]
        self.unsure[states] = np.logical_or.reduceat((equal & differs) | self.unsure[children], firsts)
        if drawn.any():
            sums = np.add.reduceat(weights[:, None] * self.values[children], firsts, axis=0)
            totals = np.add.reduceat(weights, firsts)
            means = np.round(sums[drawn] / totals[drawn, None], PLACES)
            self.values[states[drawn]] = means
            self.draws[states[drawn]] += 1


def _neighbours(targets: NDArray[T], first: Indices, states: Indices) -> tuple[NDArray[T], Indices]:
    """The entries in the rows of some states, and the row of each."""
    lengths = first[states + 1] - first[states]
    owners = np.repeat(states, lengths)
    offsets = np.repeat(first[states] - np.cumsum(lengths) + lengths, lengths)
    return targets[offsets + np.arange(len(owners))], owners
