"""``ludorum explain``: the features of a game's evaluation function, their weights, and their effect."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .circuit_game import load_with_circuit
from .common import (
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    need_logic,
    print_json,
    readable_errors,
    seconds_option,
)
from .progress import shown_progress
from .supervise import limit_seconds

if TYPE_CHECKING:
    from ..arena.feature_report import Comparison, ReportConfig
    from ..engine.game import Game, State
    from ..evaluate import Examples, Features

GREED = 0.5
"""The share of moves that follow learned weights in a game against itself; the rest explores."""


def run(
    game: GameArgument,
    state: Annotated[
        str | None, typer.Option("--state", help="value the features here: '((cell 1 1 x) ...)'")
    ] = None,
    games: Annotated[int, typer.Option("--games", min=0, help="random games to learn weights from")] = 200,
    again: Annotated[
        int, typer.Option("--again", min=0, help="then games against itself, to learn more")
    ] = 0,
    records: Annotated[
        list[Path] | None, typer.Option("--record", help="learn from this recorded match as well; repeatable")
    ] = None,
    seconds: Annotated[float, seconds_option("to learn, at most", least=0.1)] = 60.0,
    memory: Annotated[
        Path | None,
        typer.Option("--heuristics", help="folder of heuristics: known ones are used, new ones stored"),
    ] = None,
    compare: Annotated[
        int, typer.Option("--compare", min=0, help="matches with and without each kind of feature")
    ] = 0,
    each: Annotated[bool, typer.Option("--each", help="compare every feature by itself")] = False,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="states searched for a move there")] = 100,
    keep: Annotated[
        bool, typer.Option("--keep", help="learn again without the features that did not help")
    ] = False,
    goals: Annotated[
        bool, typer.Option("--goals", help="explain values from goals instead: nothing is learned")
    ] = False,
    version: Annotated[
        str, typer.Option("--made-of", help="the version of the values; `nexplayer` has the same ones")
    ] = "final",
    picture: Annotated[
        Path | None, typer.Option("--svg", help="draw the network of goals into this SVG file")
    ] = None,
    criteria: Annotated[
        bool, typer.Option("--criteria", help="report what values from goals keep of what good ones keep")
    ] = False,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Explain an evaluation function: structures of the rules, features, weights, and their effect."""
    from ..arena.feature_report import ReportConfig, ineffective_keys
    from ..evaluate import Features, HeuristicStore, HeuristicStoreError, learn
    from .explain_text import ExplainFindings

    limit_seconds(seconds)
    if criteria:
        _report_criteria(game, version, seconds, lenient, as_json)
        return
    if goals or picture is not None:
        _explain_goals(game, version, state, picture, seconds, lenient, as_json)
        return
    with readable_errors(as_json):
        need_logic(game)
        lessons = Lessons(games, again, tuple(records or ()), seconds, seed)
        _refuse_misuse(lessons, compare, keep)
        loaded, left = load_with_circuit(game, lenient, seconds)
        begin = time.monotonic()
        features = Features(loaded)
        # Finding features counts, up to half of the time: else none would be left for learning.
        lessons = replace(lessons, seconds=max(left / 2, left - (time.monotonic() - begin)))
        loaded = features.game
        here = loaded.initial() if state is None else loaded.parse_state(state)
        store = None if memory is None else HeuristicStore(memory)
        try:
            known = None if store is None else store.find(features)
            heuristic, report = (None if known is None else known[0]), []
            if lessons and (compare or heuristic is None):
                examples = _examples(features, lessons, as_json)
                limit_seconds(None)  # --seconds are for learning
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
    explanation = ExplainFindings(
        features, heuristic, here, report, None if known is None else known[1], noted
    )
    if as_json:
        print_json(explanation.as_json())
    else:
        explanation.print()


def _explain_goals(
    name: str,
    version: str,
    state: str | None,
    picture: Path | None,
    seconds: float,
    lenient: bool,
    as_json: bool,
) -> None:
    with readable_errors(as_json):
        need_logic(name)
        from ..engine.load import load_game
        from .explain_goals import explain_goals

        # Half of the time for what is found out late: the rest is for reading, and for looking at the state.
        found = explain_goals(load_game(name, "lifted", lenient), version, state, picture, seconds / 2)
    if as_json:
        print_json(found.as_json())
    else:
        found.print()
        if picture is not None:
            typer.echo(f"the network is drawn in {picture}")


def _report_criteria(name: str, version: str, seconds: float, lenient: bool, as_json: bool) -> None:
    from .explain_goals import CriteriaFindings, criteria_of

    with readable_errors(as_json):
        need_logic(name)
        game, left = load_with_circuit(name, lenient, seconds)
        found = CriteriaFindings(game, version, criteria_of(game, version, left / 2))
    if as_json:
        print_json(found.as_json())
    else:
        found.print()


@dataclass(frozen=True)
class Lessons:
    """The examples to learn from."""

    games: int
    """At random."""
    again: int
    """Games against itself, half of the moves by the learned weights."""
    records: tuple[Path, ...]
    seconds: float
    seed: int

    def __bool__(self) -> bool:
        return bool(self.games or self.records)


def _refuse_misuse(lessons: Lessons, compare: int, keep: bool) -> None:
    if keep and not compare:
        raise ValueError("--keep goes by the matches of --compare; say how many: --compare 40 --keep")
    if (compare or lessons.again) and not lessons:
        raise ValueError("weights come from games: let --games be more than 0, or name records by --record")


def _examples(features: Features, lessons: Lessons, as_json: bool) -> Examples:
    from ..evaluate import LearnConfig, examples_from, learn, play_games

    until = time.monotonic() + lessons.seconds
    config = LearnConfig(games=lessons.games, seed=lessons.seed)
    plays = [_replayed(path, features.game) for path in lessons.records]
    with shown_progress("games", as_json, total=lessons.games) as report:
        plays += play_games(features, config, until=until, report=report)
    examples = examples_from(features, plays, config.states_a_game)
    if lessons.again:
        known = learn(features, examples, seed=lessons.seed)
        more = LearnConfig(games=lessons.again, greed=GREED, seed=lessons.seed + 1)
        with shown_progress("games", as_json, total=lessons.again) as report:
            examples += examples_from(features, play_games(features, more, known, until, report))
    return examples


def _replayed(path: Path, game: Game) -> Sequence[State]:
    """The states of a recorded match in this game's engine."""
    from ..arena import MatchRecord, load_record

    record = load_record(path)
    if not isinstance(record, MatchRecord):
        raise ValueError(f"{path}: this is not a record of a match; name files written by `match --record`")
    states = [game.initial()]
    for joint in record.moves:
        states.append(states[-1].play(joint))
    return states


def _report(features: Features, examples: Examples, config: ReportConfig, as_json: bool) -> list[Comparison]:
    from ..arena.feature_report import compare_features

    if not config.matches:
        return []
    with shown_progress("matches", as_json) as report:
        return list(compare_features(features, examples, config, report))
