"""Random play of flow charts for ``ludorum simulate``: compiled where possible, else node by node."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import typer

from ..rules.library import Sheet
from .simulated import Play, SimulationEngine, SimulationResult

if TYPE_CHECKING:
    from ..cards.compiled import CompiledCards
    from ..cards.machine.game import CardGame

CHART_ENGINES = ("machine", "bytecode")


def chart_player(sheet: Sheet, asked: SimulationEngine, max_steps: int) -> tuple[SimulationEngine, Play]:
    """The engine of a chart that was asked for, the quickest for ``auto``; steps are nodes."""
    from ..cards.compiled import CompiledCards, NotCompiled
    from ..cards.load import make_card_game

    if asked is SimulationEngine.compiled:
        asked = SimulationEngine.bytecode
    if asked is not SimulationEngine.auto and asked not in CHART_ENGINES:
        engines = " and ".join(CHART_ENGINES)
        raise ValueError(f"{sheet.name} is a flow chart: its engines are {engines}, not {asked}")
    if max_steps:
        raise ValueError(f"{sheet.name} is a flow chart and ends by its own limit: leave --max-steps out")
    game = make_card_game(sheet)
    if asked is not SimulationEngine.machine:
        try:
            return SimulationEngine.bytecode, _compiled(CompiledCards(game.chart), game)
        except NotCompiled as error:
            if asked is not SimulationEngine.auto:
                raise ValueError(f"{sheet.name} has no bytecode: {error}; try --engine machine") from None
            typer.echo(f"no bytecode ({error}); the machine plays", err=True)
    return SimulationEngine.machine, _plain(game)


def _compiled(kernel: CompiledCards, game: CardGame) -> Play:

    def play(seconds: float, seed: int) -> SimulationResult:
        begin, games, steps = time.perf_counter(), 0, 0
        sums = [0.0] * len(game.players)
        while True:
            found = kernel.random_games(200, seed + games)
            games += found.games
            steps += found.steps
            sums = [total + goal * found.games for total, goal in zip(sums, found.goals, strict=True)]
            if time.perf_counter() - begin >= seconds:
                return _played(game, games, steps, sums, time.perf_counter() - begin)

    return play


def _plain(game: CardGame) -> Play:
    from ..cards.machine.host import Host
    from ..cards.machine.outcome import goals

    def play(seconds: float, seed: int) -> SimulationResult:
        begin, games, steps = time.perf_counter(), 0, 0
        sums = [0.0] * len(game.players)
        while True:
            last = game.machine.start()
            for position, _ in Host(game.machine, seed + games).play():
                last = position
                if games and time.perf_counter() - begin >= seconds:
                    return _played(game, games, steps, sums, time.perf_counter() - begin)
            games += 1
            steps += last.step
            sums = [total + goal for total, goal in zip(sums, goals(last), strict=True)]

    return play


def _played(game: CardGame, games: int, steps: int, sums: list[float], seconds: float) -> SimulationResult:
    means = {str(role): total / games for role, total in zip(game.players, sums, strict=True)}
    return SimulationResult(steps, games, seconds, dict(means))
