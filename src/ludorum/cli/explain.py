"""``ludorum explain``: what a game's evaluation function is made of, what it weighs, and whether it helps."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    clear_progress,
    need_logic,
    print_json,
    progress,
    readable_errors,
)

if TYPE_CHECKING:
    from ..arena.feature_report import Comparison, ReportConfig
    from ..engine.game import Game
    from ..evaluate import Examples, Features


def run(
    game: GameArgument,
    state: Annotated[
        str | None, typer.Option("--state", help="value the features here: '((cell 1 1 x) ...)'")
    ] = None,
    games: Annotated[int, typer.Option("--games", min=0, help="random games to learn weights from")] = 200,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="how long to learn at most")] = 60.0,
    memory: Annotated[
        Path | None,
        typer.Option("--memory", help="folder of heuristics: what is known is used, the rest kept"),
    ] = None,
    compare: Annotated[
        int, typer.Option("--compare", min=0, help="matches with and without each kind of feature")
    ] = 0,
    each: Annotated[bool, typer.Option("--each", help="compare every feature for itself")] = False,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="states looked at for a move there")] = 100,
    keep: Annotated[
        bool, typer.Option("--keep", help="learn again without the features that did not help")
    ] = False,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Explain an evaluation function: structures of the rules, features, weights, and their effect."""
    from ..arena.feature_report import ReportConfig, ineffective_keys
    from ..evaluate import Features, HeuristicStore, HeuristicStoreError, learn
    from .explain_text import Explanation

    with readable_errors(as_json):
        need_logic(game)
        _refuse_misuse(games, compare, keep)
        features = Features(_load(game, lenient))
        loaded = features.game
        here = loaded.initial() if state is None else loaded.parse_state(state)
        store = None if memory is None else HeuristicStore(memory)
        try:
            known = None if store is None else store.find(features)
            heuristic, report = (None if known is None else known[0]), []
            if games and (compare or heuristic is None):
                examples = _examples(features, games, seconds, seed, as_json)
                config = ReportConfig(compare, nodes, each=each, seed=seed)
                report = _report(features, examples, config, as_json)
                if heuristic is None or keep:
                    without = ineffective_keys(features, report) if keep else ()
                    heuristic = learn(features, examples, without=without, seed=seed)
                    if store is not None:
                        store.save(heuristic, len(examples))
            noted = [] if store is None else store.matches(features.rules)
        except HeuristicStoreError as error:
            raise ValueError(str(error)) from error
    explanation = Explanation(features, heuristic, here, report, None if known is None else known[1], noted)
    if as_json:
        print_json(explanation.as_json())
    else:
        explanation.print()


def _refuse_misuse(games: int, compare: int, keep: bool) -> None:
    if keep and not compare:
        raise ValueError("--keep goes by the matches of --compare; say how many: --compare 40 --keep")
    if compare and not games:
        raise ValueError("--compare needs weights to compare with; let --games be more than 0")


def _load(name: str, lenient: bool) -> Game:
    """With a circuit where one can be built: games are played many times as fast."""
    from ..engine.game import GameError
    from ..engine.load import load_game

    try:
        return load_game(name, "compiled", lenient)
    except GameError:
        return load_game(name, "lifted", lenient)


def _examples(features: Features, games: int, seconds: float, seed: int, as_json: bool) -> Examples:
    from ..evaluate import LearnConfig, examples_from, play_games

    report = progress("games", as_json)
    config = LearnConfig(games=games, seed=seed)
    plays = play_games(features, config, until=time.monotonic() + seconds, report=report)
    clear_progress(report)
    return examples_from(features, plays, config.states_a_game)


def _report(features: Features, examples: Examples, config: ReportConfig, as_json: bool) -> list[Comparison]:
    from ..arena.feature_report import compare_features

    if not config.matches:
        return []
    report: Callable[[int], None] | None = progress("matches", as_json)
    found = list(compare_features(features, examples, config, report))
    clear_progress(report)
    return found
