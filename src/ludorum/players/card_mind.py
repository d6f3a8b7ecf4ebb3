"""Our own player of card games with settings: the champion's method, to be measured and tuned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from ..cards.machine.game import CardGame
from ..cards.mind.mind import CardMind, CardMindConfig
from ..engine.game import Game
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.decision import Follower, Searcher
from .recipe import no_setting
from .searching import SearchPlayer

NAMES = [field.name for field in fields(CardMindConfig)]


class CardMindPlayer(SearchPlayer):
    """One tree over all worlds that agree with what was seen; the champion of card games."""

    def __init__(
        self, seed: int = 0, config: CardMindConfig | None = None, name: str = "card_mind", playouts: int = 0
    ) -> None:
        super().__init__(name, _no_searcher, seed, Budget(playouts=playouts) if playouts else None)
        self.config = config or CardMindConfig()

    def start(self, game: Game, role: Term, seconds: float) -> None:
        if not isinstance(game, CardGame):
            raise ValueError(f"{self.name} plays card games from flow charts; {game.name} is none")
        super().start(game, role, seconds)

    def _make_follower(self, game: CardGame, role: Term) -> Follower:
        return CardMind(game, role, self._seed, self.config)


def card_mind(seed: int, settings: Mapping[str, object]) -> CardMindPlayer:
    """The player with settings, and ``playouts`` for each decision; ValueError where a setting is unknown."""
    unknown = sorted(set(settings) - {*NAMES, "playouts"})
    if unknown:
        raise ValueError(no_setting("player 'card_mind'", unknown[0], ("playouts", *NAMES)))
    written = ":" + ",".join(f"{key}={value}" for key, value in settings.items()) if settings else ""
    rest = dict(settings)
    playouts = rest.pop("playouts", 0)
    if type(playouts) is not int or playouts < 0:
        raise ValueError(f"playouts is a whole number, not {playouts!r}")
    return CardMindPlayer(seed, CardMindConfig(**rest), "card_mind" + written, playouts)  # type: ignore[arg-type]


def _no_searcher(game: Game, role: Term, seconds: float) -> Searcher:
    raise ValueError("card_mind plays card games from flow charts, from their beginning")
