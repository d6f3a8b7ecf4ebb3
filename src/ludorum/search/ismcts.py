"""Monte Carlo tree search over information sets, for every game in which something is hidden.

Single-observer search after Cowling, Powley and Whitehouse ("Information Set Monte Carlo Tree Search",
2012): every descent uses another determinization, a state that the role considers possible, and all descents
share one tree. A node is an information set: what the role has seen since the root (its own moves and its
percepts), so that its choice cannot depend on what it does not know. Every role has statistics of its own
moves in a node; a move competes as often as it was legal there. Where nothing is hidden this is plain search
with decoupled selection, without transpositions.

With ``observers = "all"`` every role has a tree of its own (multiple-observer search): its nodes are what
that role has seen, since the root and, where worlds carry views, before it. So others choose by what they
know, and neither by what only the searching role knows, nor by what nobody can know.

Written once over ``Game`` and a sampler; faster ones are checked against it: ``compiled_ismcts`` for sheets
with a circuit, and that of ``cards``.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from .._core import SplitMix64
from ..engine.compiled import CompiledGame
from ..engine.game import State
from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .decision import Choice, Decision, NoWorldError
from .world_votes import SampledWorld

Sampler = Callable[[SplitMix64], State]
"""Samples a state that the role considers possible, by its probability."""

Policy = Callable[[State, Term, Sequence[Term]], Sequence[float]]
"""How likely a role's moves are in playouts: a weight for each, any of them above 0."""


@dataclass(frozen=True)
class IsmctsConfig:
    """How the tree is grown."""

    exploration: float = 0.7
    """Exploration weight, for rewards from 0 to 1."""
    random_others: float = 0.0
    """How often others are assumed to move at random instead of as the tree selects: against weak players
    some trust in their mistakes wins more."""
    max_steps: int = 2000
    """The most steps of a playout."""
    seed: int = 0
    games_a_leaf: int = 1
    """Random games at the end of each descent, which counts as one playout; with a policy it is one."""
    observers: Literal["one", "all"] = "one"
    """Whose knowledge makes the nodes: that of the searching role alone, or that of each role for its own."""
    policy: Policy | None = None
    prior: Policy | None = None
    """Weights of moves that were never tried: better ones are tried first."""


@dataclass(slots=True)
class _Stats:
    visits: int = 0
    available: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.5


@dataclass(slots=True)
class _Node:
    moves: dict[Term, dict[Term, _Stats]] = field(default_factory=dict)  # by role
    children: dict[object, _Node] = field(default_factory=dict)


class Ismcts:
    """A search for one role; the tree is dropped after each question."""

    def __init__(self, config: IsmctsConfig | None = None) -> None:
        self.config = config or IsmctsConfig()
        self._random = SplitMix64(self.config.seed)

    def search(self, sampler: Sampler, role: Term, budget: Budget) -> Decision:
        """The move most often found good in the states the sampler gives, which offer the same moves."""
        return self._search(lambda random: (sampler(random), ()), role, budget, _Node())

    def search_worlds(
        self,
        worlds: Sequence[SampledWorld],
        role: Term,
        budget: Budget,
        before: Decision | None = None,
        trust: int = 0,
    ) -> Decision:
        """As ``search``, in worlds that are drawn by their weights; others' views of them are respected.

        The values of a decision ``before`` count as so many visits of each of its moves.
        """
        sums = list(accumulate(world.weight for world in worlds))

        def draw(random: SplitMix64) -> tuple[State, tuple[int, ...]]:
            at = bisect_right(sums, (random.next() >> 11) * 2.0**-53 * sums[-1])
            world = worlds[min(at, len(worlds) - 1)]
            return world.state, world.views

        root = _Node()
        if before is not None and trust:
            available = trust * len(before.choices)
            root.moves[role] = {
                choice.move: _Stats(trust, available, trust * choice.value / 100) for choice in before.choices
            }
        return self._search(draw, role, budget, root)

    def _search(
        self,
        draw: Callable[[SplitMix64], tuple[State, tuple[int, ...]]],
        role: Term,
        budget: Budget,
        root: _Node,
    ) -> Decision:
        nodes, descents = 1, 0
        others: dict[tuple[int, int], _Node] = {}
        clock = Stopwatch(budget)
        while descents == 0 or not clock.is_up(nodes, descents):
            state, views = draw(self._random)
            nodes += self._descend(self._roots(root, others, state, role, views), state, role, clock)
            descents += 1
        tried = [
            (move, one.visits, one.total) for move, one in root.moves.get(role, {}).items() if one.available
        ]
        return decision_at_root(role, tried, nodes, descents, clock.seconds)

    def _roots(
        self,
        root: _Node,
        others: dict[tuple[int, int], _Node],
        state: State,
        role: Term,
        views: tuple[int, ...],
    ) -> list[_Node]:
        """The node of each role where the search begins."""
        roles = state.game.roles
        if self.config.observers == "one":
            return [root] * len(roles)
        return [
            root if one is role else others.setdefault((seat, views[seat] if views else 0), _Node())
            for seat, one in enumerate(roles)
        ]

    def _descend(self, nodes: list[_Node], state: State, role: Term, clock: Stopwatch) -> int:
        """Runs one descent and its playout, and returns the number of new nodes."""
        path, new = list[tuple[list[_Node], tuple[Term, ...]]](), 0
        roles = state.game.roles
        seat = roles.index(role)
        while new == 0 and not state.is_terminal and all(state.legal(one) for one in roles):
            joint, is_new = self._select(nodes, state, role)
            path.append((nodes, joint))
            state = state.play(joint)
            after, met = _step(nodes[seat], joint[seat], state.percepts(role))
            new = int(is_new or not met)
            if self.config.observers == "one":
                nodes = [after] * len(roles)
            else:
                nodes = [
                    after if at == seat else _step(nodes[at], joint[at], state.percepts(one))[0]
                    for at, one in enumerate(roles)
                ]
        rewards = self._rewards(state, clock)
        for visited, joint in path:
            for at, move in enumerate(joint):
                stats = visited[at].moves.get(roles[at], {}).get(move)
                if stats is not None:
                    stats.visits += 1
                    stats.total += rewards[at]
        return new

    def _select(self, nodes: list[_Node], state: State, role: Term) -> tuple[tuple[Term, ...], bool]:
        """A move for every role, and whether one of them was never tried here."""
        joint: list[Term] = []
        is_new = False
        for node, one in zip(nodes, state.game.roles, strict=True):
            legal = state.legal(one)
            if one in state.game.info.chance_roles:
                joint.append(state.game.chances.draw(legal, self._random))
                continue
            stats = node.moves.setdefault(one, {})
            for move in legal:
                stats.setdefault(move, _Stats()).available += 1
            move = self._choose(stats, legal, state, one, is_other=one is not role)
            is_new |= stats[move].visits == 0 and len(legal) > 1
            joint.append(move)
        return tuple(joint), is_new

    def _choose(
        self, stats: dict[Term, _Stats], legal: Sequence[Term], state: State, role: Term, is_other: bool
    ) -> Term:
        if len(legal) == 1:
            return legal[0]
        if is_other and self.config.random_others and self._chance() < self.config.random_others:
            return legal[self._random.below(len(legal))]
        fresh = [move for move in legal if stats[move].visits == 0]
        if fresh:
            return self._weighted(self.config.prior, state, role, fresh)

        def score(move: Term) -> float:
            one = stats[move]
            return one.mean + self.config.exploration * math.sqrt(math.log(one.available) / one.visits)

        return max(legal, key=score)

    def _rewards(self, state: State, clock: Stopwatch) -> list[float]:
        """The goals of all roles at the end of some games from here, from 0 to 1."""
        if self.config.policy is not None:
            return [(value or 0) / 100 for value in self._play_out(state).goals()]
        # Engines play whole games faster than step by step, and those with lanes several at once.
        at_once = self.config.games_a_leaf if isinstance(state.game, CompiledGame) else 1
        totals, games = [0.0] * len(state.game.roles), 0
        while games < self.config.games_a_leaf and not (games and clock.is_up()):
            means = state.playouts(at_once, seed=self._random.next(), max_steps=self.config.max_steps)
            totals = [total + at_once * mean / 100 for total, mean in zip(totals, means, strict=True)]
            games += at_once
        return [total / games for total in totals]

    def _play_out(self, state: State) -> State:
        for _ in range(self.config.max_steps):
            if state.is_terminal:
                break
            joint = []
            for role in state.game.roles:
                legal = state.legal(role)
                if not legal:
                    return state
                if role in state.game.info.chance_roles:
                    joint.append(state.game.chances.draw(legal, self._random))
                else:
                    joint.append(self._weighted(self.config.policy, state, role, legal))
            state = state.play(joint)
        return state

    def _weighted(self, policy: Policy | None, state: State, role: Term, moves: Sequence[Term]) -> Term:
        if policy is None or len(moves) == 1:
            return moves[self._random.below(len(moves))]
        weights = policy(state, role, moves)
        point = self._chance() * sum(weights)
        for move, weight in zip(moves, weights, strict=True):
            point -= weight
            if point < 0:
                return move
        return moves[-1]

    def _chance(self) -> float:
        return (self._random.next() >> 11) * 2.0**-53


def decision_at_root(
    role: Term, tried: Sequence[tuple[Term, int, float]], nodes: int, descents: int, seconds: float
) -> Decision:
    """The move that was visited most often, of all with their visits and sums of rewards.

    NoWorldError where there is none.
    """
    if not tried:
        raise NoWorldError(f"{role} cannot move in any of the worlds")
    choices = sorted(
        (Choice(move, visits, 100 * (total / visits if visits else 0.5)) for move, visits, total in tried),
        key=lambda choice: (-choice.visits, -choice.value, choice.move),
    )
    return Decision(role, choices[0].move, tuple(choices), nodes, descents, seconds)


def _step(node: _Node, move: Term, percepts: object) -> tuple[_Node, bool]:
    """The node after an own move and percepts, and whether it was there before."""
    key = (move, percepts)
    after = node.children.get(key)
    if after is not None:
        return after, True
    after = node.children[key] = _Node()
    return after, False
