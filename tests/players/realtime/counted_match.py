"""Realtime matches between players on a counted clock, so that they are the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.arena.world import RealtimeMatch
from ludorum.engine.wdl_master import WdlMaster
from ludorum.players.realtime import RealtimePlayer


def play_counted(
    master: WdlMaster, players: Sequence[RealtimePlayer], seed: int, every: int = 5, most: int = 10_000
) -> RealtimeMatch:
    """A match in which each player is asked every so many ticks."""
    match = RealtimeMatch(master, "m1", seed, 3, 0)
    for role, player in zip(master.roles, players, strict=True):
        player.start(master, role)
    while not match.is_over and match.state.clock < most:
        for role, player in zip(master.roles, players, strict=True):
            if match.is_over or not (legal := master.legal(match.state, role)):
                continue
            move = player.think(match.state, legal, 0.0)
            if move is not None:
                assert move in legal
                match.act(role, move)
        for _ in range(every):
            if not match.is_over:
                match.tick()
    return match


def goals_of(match: RealtimeMatch) -> list[int]:
    assert match.record.goals is not None
    return [int(match.record.goals[str(role)][0]) for role in match.master.roles]
