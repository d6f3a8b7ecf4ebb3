"""Swiss tournaments: each round pairs players of similar scores that have not met, and byes go round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from .matching import largest_matching
from .plan import TournamentPlan
from .result import duel_points
from .schedule import Encounter, Results, encounter_points


@dataclass
class Standing:
    """The rounds so far: scores, pairs that met, players that sat out."""

    players: tuple[str, ...]
    scores: dict[str, float] = field(init=False)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.scores = dict.fromkeys(self.players, 0.0)

    def order(self) -> list[str]:
        """Best first; equals in the order in which they entered."""
        return sorted(self.players, key=lambda name: -self.scores[name])

    def opponents_scores(self, name: str) -> float:
        """The sum of the scores of all opponents (Buchholz): larger for harder opponents."""
        return sum(
            times * self.scores[other]
            for pair, times in self.met.items()
            if name in pair
            for other in pair - {name}
        )


def pair_round(standing: Standing) -> tuple[list[tuple[str, str]], str | None]:
    """The pairs of the next round and the player that sits out.

    A bye goes to a player with the fewest, of these to one that lets most others meet for the first time, of
    these to the last. Then from the top each player meets the nearest below that it has not met, as long as
    the others can still be paired; players meet again only where that cannot be avoided.
    """
    waiting = standing.order()
    bye = _choose_bye(standing, waiting) if len(waiting) % 2 else None
    if bye is not None:
        waiting.remove(bye)
    pairs = []
    best = _fresh_pairs(standing, waiting)
    while waiting:
        first = waiting.pop(0)
        # Never met comes first, then the least often met; near scores decide among those.
        for other in sorted(waiting, key=lambda name: standing.met[frozenset((first, name))]):
            rest = [name for name in waiting if name != other]
            fresh = not standing.met[frozenset((first, other))]
            if _fresh_pairs(standing, rest) + fresh == best:
                break
        pairs.append((first, other))
        waiting.remove(other)
        best -= fresh
    return pairs, bye


def _choose_bye(standing: Standing, order: Sequence[str]) -> str:
    fewest = min(standing.byes[name] for name in order)
    candidates = [name for name in reversed(order) if standing.byes[name] == fewest]
    chosen, best = candidates[0], -1
    for out in candidates:
        fresh = _fresh_pairs(standing, [name for name in order if name != out])
        if fresh > best:
            chosen, best = out, fresh
        if best == len(order) // 2:
            break  # all others meet a new opponent: it cannot be better
    return chosen


def _fresh_pairs(standing: Standing, names: Sequence[str]) -> int:
    """How many of these players can meet a new opponent at once, in pairs."""
    fresh = [
        (one, other)
        for one, other in combinations(range(len(names)), 2)
        if not standing.met[frozenset((names[one], names[other]))]
    ]
    return largest_matching(len(names), fresh)


@dataclass(frozen=True)
class Swiss:
    """A win of an encounter counts 1, a draw half, a bye 1."""

    plan: TournamentPlan

    @property
    def rounds(self) -> int:
        return self.plan.rounds or max(1, (len(self.plan.players) - 1).bit_length())

    def encounters(self, number: int, results: Results) -> Sequence[Encounter] | None:
        if number >= self.rounds:
            return None
        pairs, _ = pair_round(self._standing(number, results))
        return [Encounter(pair, number) for pair in pairs]

    def _standing(self, rounds: int, results: Results) -> Standing:
        standing = Standing(self.plan.players)
        for number in range(rounds):
            pairs, bye = pair_round(standing)
            for pair in pairs:
                points = encounter_points(self.plan, Encounter(pair, number), results)
                first = duel_points(points[pair[0]], points[pair[1]])
                standing.scores[pair[0]] += first
                standing.scores[pair[1]] += 1 - first
                standing.met[frozenset(pair)] += 1
            if bye is not None:
                standing.byes[bye] += 1
                standing.scores[bye] += 1
        return standing

    def placing(self, results: Results) -> list[tuple[str, str]]:
        standing = self._standing(self.rounds, results)
        order = sorted(
            standing.order(), key=lambda name: (-standing.scores[name], -standing.opponents_scores(name))
        )
        return [
            (name, f"{standing.scores[name]:g} points, {standing.opponents_scores(name):g} of opponents")
            for name in order
        ]
