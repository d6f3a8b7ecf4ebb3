"""Plain search over worlds: the fallback where a card player's own method fails.

It searches worlds that agree with the percepts, on the readable machine, and needs neither an analysis of
the chart nor bytecode.
"""

from __future__ import annotations

from collections.abc import Iterable

from .._core import SplitMix64
from ..cards.machine.game import CardGame, CardState
from ..cards.worlds import sample_worlds
from ..cards.worlds.knowledge import Knowledge
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.decision import Decision, NoWorldError
from ..search.ismcts import Ismcts, IsmctsConfig

WORLDS = 100
"""So many worlds are searched for each decision."""


class WorldSearch:
    """Plain search over worlds, for any chart: it follows a match by one player's percepts."""

    def __init__(self, game: CardGame, knowledge: Knowledge, seed: int = 0) -> None:
        self._game = game
        self.knowledge = knowledge
        self._random = SplitMix64(seed)

    @classmethod
    def of(cls, game: CardGame, role: Term, seed: int = 0) -> WorldSearch:
        """A search from the beginning of a match."""
        return cls(game, Knowledge.of(game, game.players.index(role)), seed)

    def observe(self, percepts: Iterable[Term], move: Term | None = None) -> None:
        """Take the percepts of the last step; the own move is among them."""
        self.knowledge.observe(percepts)

    def decide(self, budget: Budget) -> Decision:
        """The best move in the worlds that agree; NoWorldError where there is none."""
        worlds = sample_worlds(self.knowledge, WORLDS, self._random.next() >> 1)
        if not worlds:
            raise NoWorldError("no world agrees with what was seen")
        machine, game = self._game.machine, self._game
        states = [CardState(game, *machine.run(world.position), None, ()) for world in worlds]
        search = Ismcts(IsmctsConfig(seed=self._random.next()))
        role = game.players[self.knowledge.player]
        return search.search(lambda random: states[random.below(len(states))], role, budget)
