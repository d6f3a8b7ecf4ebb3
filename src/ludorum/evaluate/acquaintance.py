"""The heuristic of a game: read from the store of earlier matches, or learned from random games."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from ..engine.errors import GameError
from ..engine.game import Game
from ..rules.terms import Term
from .features import Features
from .heuristic import Heuristic
from .heuristic_store import HeuristicStore, HeuristicStoreError
from .learning import LearnConfig, examples_from, learn, play_games

log = logging.getLogger("ludorum.features")
log.addHandler(logging.NullHandler())

FEWEST_GAMES = 20
"""The least games to learn from; with fewer, for want of time, the next move tries again."""


@dataclass(frozen=True)
class AcquaintanceConfig:
    """Settings that may be changed, with their defaults."""

    memory: str = ""
    """The folder of heuristics; nothing is kept without one."""
    games: int = 300
    """Random games to learn from, at most."""
    without: str = ""
    """Features to leave out, by what their keys begin with, with ``+`` between several."""
    seed: int = 0


class Acquaintance:
    """Finds or learns the heuristic of a game (``meet``), and rates it by the ends of matches (``ended``)."""

    def __init__(self, game: Game, config: AcquaintanceConfig) -> None:
        self.game = game
        self.config = config
        self.heuristic: Heuristic | None = None
        """None before ``meet``, and where there is nothing to learn from."""
        self.known = False
        """Whether the heuristic was read from the store, not learned."""
        self.troubles: list[str] = []
        self._store = HeuristicStore(config.memory) if config.memory else None
        self._features: Features | None = None
        self._is_met = False

    def meet(self, seconds: float | None) -> Heuristic | None:
        """The heuristic of the game, after at most about so many seconds; None where they did not suffice.

        Once there is one, further calls return it at no cost.
        """
        if not self._is_met and self.game.rules is not None:
            until = None if seconds is None else time.monotonic() + seconds
            self._meet(until)
            self._is_met = self.heuristic is not None or until is None or time.monotonic() < until
        return self.heuristic

    def ended(self, role: Term, goal: int) -> None:
        """Rate the heuristic by the goal of a match."""
        if self._store is not None and self.heuristic is not None:
            try:
                self._store.rate(self.heuristic, str(role), goal)
            except HeuristicStoreError as error:
                self._note(str(error))

    def _meet(self, until: float | None) -> None:
        if self._features is None:
            for_goals = None if until is None else (until - time.monotonic()) / 2
            self._features = Features(self.game, for_goals)
            for kind, why in self._features.missing.items():
                self._note(f"no feature of the kind {kind}: {why}")
        features = self._features
        without = left_out(features, self.config.without)
        self.heuristic = None if without else self._remembered(features)
        if self.heuristic is not None:
            self.known = True
            return
        plays = play_games(features, LearnConfig(games=self.config.games, seed=self.config.seed), until=until)
        examples = examples_from(features, plays)
        if len(plays) < FEWEST_GAMES and until is not None and time.monotonic() >= until:
            return  # the next call may have more time
        try:
            self.heuristic = learn(features, examples, without=without, seed=self.config.seed)
            if self._store is not None and not without:
                self._store.save(self.heuristic, len(examples))
        except (GameError, HeuristicStoreError) as error:
            self._note(str(error))

    def _remembered(self, features: Features) -> Heuristic | None:
        if self._store is None:
            return None
        try:
            found = self._store.find(features)
        except HeuristicStoreError as error:
            self._note(str(error))
            return None
        return None if found is None else found[0]

    def _note(self, text: str) -> None:
        self.troubles.append(text)
        log.warning("%s: %s", self.game.name, text)


def left_out(features: Features, without: str) -> list[str]:
    """The keys that begin with one of the words between plus signs; ValueError where a word fits none."""
    words = [word for word in without.split("+") if word]
    for word in words:
        if not any(key.startswith(word) for key in features.keys):
            kinds = sorted({feature.kind for feature in features.all})
            raise ValueError(f"no feature of {features.game.name} begins with {word!r}: {', '.join(kinds)}")
    return [key for key in features.keys if any(key.startswith(word) for word in words)]
