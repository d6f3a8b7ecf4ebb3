"""Matches of random players, to be shown: the same seed gives the same moves."""

from __future__ import annotations

from functools import cache

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.records.spectator import PublishedMatch, publish
from ludorum.engine.load import load_game
from ludorum.players import make_player


@cache
def played(name: str, seed: int = 1) -> PublishedMatch:
    game = load_game(name)
    match = Match(game, seed=seed, match_id=f"{name}.{seed}")
    players = {role: make_player("random", seed) for role in game.info.players}
    play_match(match, players, 60)
    return publish(match.record(), Clocks(0, 60), tuple("random" for _ in game.roles), rules=game)
