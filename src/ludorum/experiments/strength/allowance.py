"""How much players may think: counted work, or seconds of the processor."""

from __future__ import annotations

from dataclasses import dataclass

from ...players.recipe import own_recipes
from ...players.registry import CARD_PLAYERS

OPENSPIEL = "openspiel"
PATIENCE_SECONDS = 600.0
"""The clock of a decision where work is counted: only a player that hangs meets it."""
STRETCH = 10.0
"""How far the clock of a decision may be stretched on a busy machine."""
COUNTED_START_SECONDS = 60.0


@dataclass(frozen=True)
class Allowance:
    """What a player may spend on a move. With ``playouts`` and ``nodes`` a run is repeatable."""

    playouts: int | None = None
    nodes: int | None = None
    seconds: float = 1.0
    """Of the processor, for a move; not used where work is counted."""
    start_seconds: float = 5.0

    @property
    def is_counted(self) -> bool:
        return self.playouts is not None

    @property
    def words(self) -> str:
        """As the page says it."""
        if self.is_counted:
            return f"{self.playouts} playouts, {self.nodes} nodes"
        return f"{self.seconds:g} s of the processor"

    def named(self, player: str) -> str:
        """The player with its bounds as settings, if it searches and has none yet."""
        name, at, clone = player.partition("@")
        base, colon, settings = name.partition(":")
        if not self.is_counted or any(
            part.startswith(("playouts=", "nodes=", "simulations=")) for part in settings.split(",")
        ):
            return player
        if base == OPENSPIEL:
            bounds = f"simulations={self.playouts}"
        elif base.endswith(".toml") or (base in own_recipes() and base not in CARD_PLAYERS):
            bounds = f"playouts={self.playouts},nodes={self.nodes}"
        else:
            return player
        return f"{base}:{settings + ',' if colon else ''}{bounds}{at}{clone}"
