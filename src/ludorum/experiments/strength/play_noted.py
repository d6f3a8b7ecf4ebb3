"""Plays one match of the bench: each player's decisions are noted, and both have equal processor time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...arena.match.match import Match
from ...arena.tournament.noted_decision import NotedDecision
from ...arena.tournament.plan import PlannedGame, TournamentPlan
from ...arena.tournament.play import play_fixture
from ...arena.tournament.result import MatchResult
from ...arena.tournament.schedule import Fixture
from ...arena.tournament.trace import Busy
from ...players.player import Player
from ...players.registry import make_player
from .allowance import OPENSPIEL, STRETCH
from .clone_player import ClonePlayer
from .noting_player import NotingPlayer, ProcessorClock


def play_noted(plan: TournamentPlan, fixture: Fixture, busy: Busy, by_processor: bool = False) -> MatchResult:
    """The result of a match with the decisions of its players.

    With ``by_processor`` the clock of a move counts seconds of the processor. Nobody can measure those of a
    program elsewhere: where one plays, seconds are those of the clock for both.
    """
    notes: list[NotedDecision] = []
    stretched = by_processor and not any(plan.invitation(name).remote for name in fixture.players)
    game = plan.game(fixture.game)

    def make(plan: TournamentPlan, name: str, seed: int, match: Match, seat: int) -> Player:
        if seat == 0:
            notes.clear()  # a match may be played again
        clock = ProcessorClock(plan.play_seconds) if stretched else None
        return NotingPlayer(
            bench_player(name, seed, match, seat, game, plan.engine), match, seat, notes.append, clock
        )

    played = replace(plan, play_seconds=plan.play_seconds * STRETCH) if stretched else plan
    result = play_fixture(played, fixture, busy, make)
    return replace(result, decisions=tuple(sorted(notes, key=lambda one: (one.step, one.seat))))


def bench_player(name: str, seed: int, match: Match, seat: int, game: PlannedGame, engine: str) -> Player:
    """The player of that name: of the registry, OpenSpiel's, or of another clone (``NAME@FOLDER``)."""
    base, _, clone = name.partition("@")
    if clone:
        return ClonePlayer(Path(clone), base, seed, match, seat, game, engine)
    kind, _, settings = name.partition(":")
    if kind == OPENSPIEL:
        from .openspiel_player import OpenSpielPlayer  # where it is installed

        simulations = settings.removeprefix("simulations=")
        return OpenSpielPlayer(match, seed, int(simulations) if simulations else None)
    return make_player(name, seed)
