"""How many states a second are valued by goals: by the plain evaluator, in compiled code, and in a search.

    python bench/goal_values.py [GAME...] [--version v1.1...] [--states 2000] [--seconds 2] [--late]

States are all of random plays, in the order of play; the plain evaluator gets the first few of them, as many
as it can value in the seconds. Values are made anew for each state: caches are off. The search is alpha-beta
from the first state, which looks at neighbours one after the other. Seconds are those of the processor, on
one core. ``--late`` adds what a player finds out late (persistence, admissible distances, what stands beside
goals). Values of both are compared on the way, and ``--json FILE`` keeps the figures.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.compiled_evaluation import CompiledEvaluation
from ludorum.evaluate.goals.evaluation import GoalEvaluation, GoalValueConfig
from ludorum.evaluate.goals.ground_atoms import NoCompiledFormError
from ludorum.evaluate.goals.versions import VERSIONS
from ludorum.players.goal_stages import find_more
from ludorum.search import AlphaBeta, Budget
from ludorum.search.budget import Stopwatch

GAMES = [
    "breakthrough",
    "tictactoe",
    "connect_four",
    "amazons",
    "english_draughts",
    "chinese_checkers",
    "nine_mens_morris",
    "othello",
    "chess",
]
NEAR = 1e-9


@dataclass(frozen=True)
class Speeds:
    """Values a second, and what it takes to be ready."""

    game: str
    version: str
    make_seconds: float
    compile_seconds: float
    plain: float
    compiled: float
    search: float
    """Nodes of alpha-beta a second, most of which are valued."""

    def __str__(self) -> str:
        return (
            f"{self.game:18} {self.version:6} {self.make_seconds:7.2f} {self.compile_seconds:9.2f} "
            f"{self.plain:9.0f} {self.compiled:11.0f} {self.compiled / self.plain:7.0f} {self.search:11.0f}"
        )


def main() -> None:
    asked = arguments()
    titles = "made s", "ready s", "plain/s", "compiled/s", "ratio", "search/s"
    print(
        f"{'game':26}{titles[0]:>7}{titles[1]:>10}{titles[2]:>10}{titles[3]:>12}{titles[4]:>8}{titles[5]:>12}"
    )
    found = []
    for name in asked.games or GAMES:
        game = load_game(name, "compiled")
        assert isinstance(game, CompiledGame)
        states = played_states(game, asked.states)
        for version in asked.version:
            try:
                speeds = measured(game, version, states, asked)
            except NoCompiledFormError as error:
                print(f"{name:18} {version:6} has no compiled form: {error}", flush=True)
                continue
            print(speeds, flush=True)
            found.append(asdict(speeds))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--version", nargs="+", choices=VERSIONS, default=["v1.0", "v1.1", "v1.1n", "final"])
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement, about")
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def played_states(game: CompiledGame, count: int) -> list[State]:
    found: list[State] = []
    seed = 0
    while len(found) < count:
        found += [state for state in game.playout(seed) if not state.is_terminal]
        seed += 1
    return found[:count]


def measured(game: CompiledGame, version: str, states: list[State], asked: argparse.Namespace) -> Speeds:
    start = time.process_time()
    evaluation = VERSIONS[version].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    if asked.late:
        find_more(game, evaluation, VERSIONS[version], Stopwatch(Budget(nodes=1)))
    made = time.process_time()
    compiled = CompiledEvaluation(evaluation, game)
    ready = time.process_time()
    evaluation.config = without_caches(evaluation.config)
    return Speeds(
        game.name,
        version,
        round(made - start, 2),
        round(ready - made, 2),
        plain_speed(evaluation, compiled, states, asked.seconds),
        compiled_speed(compiled, states, asked.seconds),
        search_speed(game, compiled, asked.seconds),
    )


def without_caches(config: GoalValueConfig) -> GoalValueConfig:
    return GoalValueConfig(**{**vars(config), "keep": False})


def plain_speed(
    evaluation: GoalEvaluation, compiled: CompiledEvaluation, states: list[State], seconds: float
) -> float:
    role = compiled.game.roles[0]
    done, found = 0, []
    start = time.process_time()
    while time.process_time() - start < seconds:
        found.append(evaluation(states[done % len(states)], role))
        done += 1
    took = time.process_time() - start
    for state, value in zip(states, found, strict=False):
        assert abs(compiled(state, role) - value) < NEAR, f"{compiled(state, role)} is not {value}"
    return done / took


def compiled_speed(compiled: CompiledEvaluation, states: list[State], seconds: float) -> float:
    rows = np.array([np.frombuffer(compiled.game.packed(state), np.uint8) for state in states])
    done = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        compiled.kernel.values(rows, 0)
        done += len(rows)
    return done / (time.process_time() - start)


def search_speed(game: CompiledGame, compiled: CompiledEvaluation, seconds: float) -> float:
    searcher = AlphaBeta(game, compiled)
    start = time.process_time()
    decision = searcher.search(game.initial(), game.roles[0], Budget(seconds=seconds))
    return decision.nodes / (time.process_time() - start)


if __name__ == "__main__":
    main()
