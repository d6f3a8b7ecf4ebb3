"""Random openings: matches of players that always do the same differ by them."""

from __future__ import annotations

from ..._core import SplitMix64
from ...engine.game import Game
from .match import Match

OPENING_TRIES = 20
"""How often an opening that ends the game is drawn again before it is made shorter."""


def open_match(game: Game, seed: int, moves: int, match_id: str = "") -> Match:
    """A match after some random moves that do not end it; the same seed gives the same moves."""
    chance = SplitMix64(seed)
    tries = 0
    while True:
        match = Match(game, chance.below(1 << 62), match_id=match_id)
        for _ in range(moves):
            if match.is_over:
                break
            legal = {role: match.state.legal(role) for role in game.info.players}
            match.play({role: own[chance.below(len(own))] for role, own in legal.items()})
        if not match.is_over or moves == 0:
            return match
        tries += 1
        moves -= tries % OPENING_TRIES == 0
