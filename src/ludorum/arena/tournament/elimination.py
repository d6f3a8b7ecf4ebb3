"""Single elimination: the loser of an encounter is out, and one player remains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .plan import TournamentPlan
from .schedule import Encounter, Results, encounter_points

REPLAYS = 2
"""How often a drawn encounter is played again; after that the player with the higher seed goes on."""


def bracket(players: Sequence[str]) -> list[str | None]:
    """The slots of the first round, from players with the strongest first: the strongest meet as late as
    possible.

    Slots 0 and 1 meet, 2 and 3, and so on; None is a bye, and byes go to the first players.

    >>> bracket("ABCDE")
    ['A', None, 'D', 'E', 'B', None, 'C', None]
    """
    order = [0]
    while len(order) < len(players):
        total = 2 * len(order) - 1
        order = [seed for place in order for seed in (place, total - place)]
    return [players[seed] if seed < len(players) else None for seed in order]


@dataclass(frozen=True)
class Elimination:
    """Players are seeded in the order in which they are named."""

    plan: TournamentPlan

    def encounters(self, number: int, results: Results) -> Sequence[Encounter] | None:
        for round_number, (found, _) in enumerate(self._rounds(results)):
            if round_number == number:
                return found or None
        return None

    def _rounds(self, results: Results) -> Iterator[tuple[list[Encounter], dict[str, int]]]:
        """The encounters of each round, and the stage in which each player went out so far. Replays are
        rounds too."""
        slots, number, stage = bracket(self.plan.players), 0, 1
        out: dict[str, int] = {}
        while len(slots) > 1:
            pairs = [(slots[at], slots[at + 1]) for at in range(0, len(slots), 2)]
            winner: dict[tuple[str | None, str | None], str] = {
                pair: next(filter(None, pair)) for pair in pairs if None in pair
            }
            for replay in range(REPLAYS + 1):
                open_pairs = [
                    (one, other)
                    for one, other in pairs
                    if one is not None and other is not None and (one, other) not in winner
                ]
                if not open_pairs:
                    break
                found = [Encounter(pair, number) for pair in open_pairs]
                yield found, out
                number += 1
                for encounter, pair in zip(found, open_pairs, strict=True):
                    ahead = self._ahead(encounter, results)
                    if ahead is not None or replay == REPLAYS:
                        winner[pair] = ahead or min(pair, key=self.plan.players.index)
            for meeting in pairs:
                out |= {name: stage for name in meeting if name is not None and name != winner[meeting]}
            slots = [winner[meeting] for meeting in pairs]
            stage += 1
        yield [], out | {name: stage for name in slots if name is not None}

    def _ahead(self, encounter: Encounter, results: Results) -> str | None:
        points = encounter_points(self.plan, encounter, results)
        one, other = encounter.players
        if abs(points[one] - points[other]) < 1e-9:
            return None
        return max(encounter.players, key=lambda name: points[name])

    def placing(self, results: Results) -> list[tuple[str, str]]:
        stages = list(self._rounds(results))[-1][1]
        last = max(stages.values())
        order = sorted(self.plan.players, key=lambda name: -stages[name])
        return [
            (name, "winner" if stages[name] == last else f"out in stage {stages[name]}") for name in order
        ]
