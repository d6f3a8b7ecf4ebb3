"""Our player against OpenSpiel's MCTS in C++: same game, same seconds a move, one core each in turn.

    pip install '.[rivals]'
    python bench/openspiel.py [GAME...] [--games 100] [--seconds 0.5] [--player mcts] [--json FILE]

Games come in pairs: a few random moves open both, and the seats are changed. OpenSpiel's bot knows no clock,
so it is given as many simulations as it made in that time in its last move, measured anew at every move; the
seconds that both really used are printed. Its exploration constant is its authors' default, or the best of
some that were tried where ``--constant`` says so; its solver is on.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path

import pyspiel

from ludorum._core import SplitMix64
from ludorum.arena.tournament.statistics import Sprt, wilson_interval
from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.experiments.strength.openspiel_games import TWINS, TwinBoard, check_twin
from ludorum.players import Player, make_player


@dataclass
class Spent:
    """Time of one side."""

    seconds: float = 0.0
    moves: int = 0
    work: int = 0

    def add(self, seconds: float, work: int) -> None:
        self.seconds += seconds
        self.moves += 1
        self.work += work

    @property
    def mean(self) -> float:
        return self.seconds / max(self.moves, 1)

    @property
    def work_a_move(self) -> float:
        return self.work / max(self.moves, 1)


@dataclass
class Spiel:
    """OpenSpiel's bot with a clock."""

    game: pyspiel.Game
    seconds: float
    constant: float
    seed: int
    rate: float = 0.0
    spent: Spent = field(default_factory=Spent)

    def choose(self, state: pyspiel.State) -> int:
        if not self.rate:
            self._run(state, 200)
        simulations = max(10, int(self.rate * self.seconds))
        action, seconds = self._run(state, simulations)
        self.spent.add(seconds, simulations)
        return action

    def _run(self, state: pyspiel.State, simulations: int) -> tuple[int, float]:
        self.seed += 1
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        bot = pyspiel.MCTSBot(self.game, evaluator, self.constant, simulations, 2000, True, self.seed, False)
        begin = time.perf_counter()
        action = bot.step(state)
        seconds = time.perf_counter() - begin
        # A proof ends the search early and says nothing of its speed.
        if seconds > self.seconds / 2 or not self.rate:
            self.rate = simulations / seconds
        return action, seconds


def play(board: TwinBoard, ours: Player, theirs: Spiel, seat: int, seconds: float, spent: Spent) -> float:
    """One game; our points."""
    role = board.ours.game.roles[seat]
    while not board.is_over:
        if board.seat == seat:
            begin = time.perf_counter()
            move = ours.choose(position_of(board.ours, role), seconds)
            if len(board.actions()) > 1:
                spent.add(time.perf_counter() - begin, ours.decision.playouts if ours.decision else 0)
            action = next(action for action, known in board.actions().items() if known is move)
        else:
            action = theirs.choose(board.theirs) if len(board.actions()) > 1 else next(iter(board.actions()))
        board.play(action)
    return board.points()[seat]


def opened(name: str, game: object, moves: int, chance: SplitMix64) -> list[int]:
    """Random first moves that leave the game open."""
    board = TwinBoard(TWINS[name], game.initial())  # type: ignore[attr-defined]
    line = []
    while len(line) < moves:
        actions = sorted(board.actions())
        line.append(actions[chance.below(len(actions))])
        board.play(line[-1])
    return line


def compare(name: str, asked: argparse.Namespace) -> dict[str, object]:
    check_twin(TWINS[name], games=20)
    game = load_game(name, "compiled")
    chance, result, spent = SplitMix64(asked.seed), Sprt(), Spent()
    theirs = Spiel(pyspiel.load_game(TWINS[name].theirs), asked.seconds, asked.constant, asked.seed)
    for pair in range((asked.games + 1) // 2):
        line = opened(name, game, asked.opening, chance)
        for seat in (0, 1):
            board = TwinBoard(TWINS[name], game.initial())
            for action in line:
                board.play(action)
            ours = make_player(asked.player, asked.seed + 2 * pair + seat)
            result.add(play(board, ours, theirs, seat, asked.seconds, spent))
            ours.stop()
        print(f"  {name}: {result.wins}-{result.draws}-{result.losses}", end="\r", flush=True)
    low, high = wilson_interval(result.score, result.games)
    print(
        f"{name}: {result.score / result.games:.1%} of {result.games} games ({low:.1%} to {high:.1%}), "
        f"{result.wins} won, {result.draws} drawn, {result.losses} lost; "
        f"seconds a move {spent.mean:.3f} here, {theirs.spent.mean:.3f} there; "
        f"playouts a move {spent.work_a_move:.0f} here, {theirs.spent.work_a_move:.0f} there"
    )
    return {
        "game": name,
        "player": asked.player,
        **result.as_json(),
        "seconds": [spent.mean, theirs.spent.mean],
        "playouts": [spent.work_a_move, theirs.spent.work_a_move],
    }


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games_named", nargs="*", metavar="GAME", default=[])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--player", default="mcts")
    parser.add_argument("--constant", type=float, default=2.0)
    parser.add_argument("--opening", type=int, default=2, help="random moves at the beginning")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    return parser.parse_args(arguments)


def main() -> None:
    asked = parse()
    rows = [compare(name, asked) for name in asked.games_named or TWINS]
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
