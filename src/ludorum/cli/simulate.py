"""``ludorum simulate``: random play, and how fast it goes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    print_json,
    readable_errors,
    seconds_option,
)
from .completion import complete_from
from .progress import shown_progress
from .simulated import Play, SimulationEngine, SimulationResult
from .supervise import limit_seconds

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..rules.terms import Term


BUILD_SECONDS = 120.0
"""How long reading the rules and building the engine may take: --seconds are for play."""


def run(
    game: GameArgument,
    seconds: Annotated[float, seconds_option("to play")] = 1.0,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            help=f"engine that runs the rules: {', '.join(SimulationEngine)}",
            autocompletion=complete_from(*SimulationEngine),
        ),
    ] = "auto",
    threads: Annotated[int, typer.Option("--threads", min=1, max=1024, help="threads (lanes only)")] = 1,
    max_steps: Annotated[int, typer.Option("--max-steps", min=0, help="longest game, 0: any")] = 0,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play at random for some seconds: steps and playouts a second, and the mean goal of each role."""
    limit_seconds(BUILD_SECONDS)
    with readable_errors(as_json):
        start = time.perf_counter()
        chosen, play = _best_player(_known_engine(engine), game, lenient, threads, max_steps)
        build = time.perf_counter() - start
        limit_seconds(seconds)
        with (
            shown_progress("random play", as_json, seconds=seconds) as bar,
            bar.drawn_by_thread() if bar is not None else nullcontext(),
        ):
            played = play(seconds, seed)
    found: dict[str, object] = {
        "engine": chosen.value,
        "steps_per_s": round(played.steps / max(played.seconds, 1e-9), 1),
        "playouts_per_s": round(played.playouts / max(played.seconds, 1e-9), 1),
        "build_s": round(build, 3),
        "goals": played.goals,
        "steps": played.steps,
        "playouts": played.playouts,
    }
    if as_json:
        print_json(found)
        return
    for key, value in found.items():
        if isinstance(value, dict):
            for role, mean in value.items():
                typer.echo(f"{'goal of ' + role:<16} {'unknown' if mean is None else f'{mean:.3f}'}")
        else:
            typer.echo(f"{key.replace('_', ' '):<16} {value}")


def _known_engine(name: str) -> SimulationEngine:
    try:
        return SimulationEngine(name)
    except ValueError:
        raise ValueError(f"no engine {name!r}; there are {', '.join(SimulationEngine)}") from None


def _best_player(
    asked: SimulationEngine, name: str, lenient: bool, threads: int, max_steps: int
) -> tuple[SimulationEngine, Play]:
    """The engine that was asked for; for ``auto`` lanes, and the lifted engine where there is no circuit."""
    from ..engine.errors import GameError
    from ..rules.library import CHARTS, find_sheet
    from .simulate_charts import CHART_ENGINES, chart_player

    sheet = find_sheet(name)
    if sheet.language == CHARTS:
        return chart_player(sheet, asked, max_steps)
    if asked in CHART_ENGINES:
        raise ValueError(f"--engine {asked} plays flow charts, and {sheet.name} is none: try --engine auto")
    if asked is SimulationEngine.compiled:
        asked = SimulationEngine.lanes
    engine = SimulationEngine.lanes if asked is SimulationEngine.auto else asked
    try:
        return engine, _player(engine, name, lenient, threads, max_steps)
    except GameError as error:
        if asked is not SimulationEngine.auto:
            raise
        typer.echo(f"{error}; the lifted engine plays", err=True)
    return SimulationEngine.lifted, _player(SimulationEngine.lifted, name, lenient, threads, max_steps)


def _player(engine: SimulationEngine, name: str, lenient: bool, threads: int, max_steps: int) -> Play:
    """Build the engine; returns a function that plays with it."""
    from ..engine.load import load_game

    if engine is SimulationEngine.reference:
        reference = load_game(name, "reference", lenient)
        return lambda seconds, seed: _plain_play(reference, seconds, seed, max_steps)
    if engine is SimulationEngine.lifted:
        return _lifted_player(load_game(name, "lifted", lenient), max_steps)
    return _compiled_player(load_game(name, "compiled", lenient), engine, threads, max_steps)


def _lifted_player(game: Game, max_steps: int) -> Play:
    from ..engine.lifted import LiftedGame

    assert isinstance(game, LiftedGame)

    def play(seconds: float, seed: int) -> SimulationResult:
        found = game.measure_playouts(seconds=seconds, seed=seed, longest=max_steps or 10**9)
        means: list[float | None] = list(found.goals) or [None] * len(game.roles)
        goals = _goals_of_players(game, dict(zip(game.roles, means, strict=True)))
        return SimulationResult(found.steps, found.playouts, found.seconds, goals)

    return play


def _compiled_player(game: Game, engine: SimulationEngine, threads: int, max_steps: int) -> Play:
    from ..engine.compiled import CompiledGame
    from ..engine.simulator import playout_report

    assert isinstance(game, CompiledGame)
    lanes = game.simulator() if engine is SimulationEngine.lanes else None
    single = game.single if lanes is None else None

    def play(seconds: float, seed: int) -> SimulationResult:
        if lanes is not None:
            found = lanes.playouts(seconds=seconds, seed=seed, threads=threads, max_steps=max_steps)
        else:
            assert single is not None
            found = playout_report(game, single.playouts(seconds=seconds, seed=seed, max_steps=max_steps))
        goals = _goals_of_players(game, found.goals)
        return SimulationResult(found.steps, found.playouts, found.seconds, goals)

    return play


def _plain_play(game: Game, seconds: float, seed: int, max_steps: int) -> SimulationResult:
    """Play state by state in Python; the unfinished playout does not count."""
    start = time.perf_counter()
    steps = playouts = 0
    sums = dict.fromkeys(game.roles, 0.0)
    while True:
        state = game.initial()
        for number, following in enumerate(game.playout(seed + playouts)):
            state = following
            steps += number > 0
            if time.perf_counter() - start >= seconds:
                spent = time.perf_counter() - start
                means = {role: total / playouts if playouts else None for role, total in sums.items()}
                return SimulationResult(steps, playouts, spent, _goals_of_players(game, means))
            if max_steps and number >= max_steps:
                break
        for role in game.roles:
            sums[role] += state.goal(role) or 0
        playouts += 1


def _goals_of_players(game: Game, goals: Mapping[Term, float | None]) -> dict[str, float | None]:
    """The mean goals without those of nature, which has none."""
    return {str(role): goals[role] for role in game.info.players}
