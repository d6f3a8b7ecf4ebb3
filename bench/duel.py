"""Two players against each other in several games, until a sequential test is sure or the games run out.

    python bench/duel.py FIRST SECOND [--in GAME...] [--seconds 0.1] [--games 200] [--elo 0 40] [--json FILE]

Players are named as everywhere (``mcts``, ``mcts:batch=1``). Games come in pairs: random moves open both,
and the seats are changed. For every game the score of FIRST is printed with its interval and what the test
says; the last line puts all games together.

    python bench/duel.py mcts:playouts=3000 mcts:playouts=3000 --ahead --seconds 3600

``--ahead``: FIRST ponders, as if others took as long as itself. It does so before each of its moves, with the
work that a move has, so that the clock on the wall and other programs of the machine change nothing.
"""

from __future__ import annotations

import argparse
import json
import threading
from pathlib import Path

from ludorum.arena.match.local import play_match
from ludorum.arena.tournament.play import open_match
from ludorum.arena.tournament.statistics import Sprt, elo_of, wilson_interval
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.sight import Position
from ludorum.players import DelegatingPlayer, Player, make_player
from ludorum.rules.terms import Term

SIX = ["connect_four", "breakthrough", "othello", "english_draughts", "hex", "amazons_8"]


class Ahead(DelegatingPlayer):
    """Ponders on its last answer when it is asked for the next one."""

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self._answered: tuple[Position, Term] | None = None

    def choose(self, position: Position, seconds: float) -> Term:
        if self._answered is not None:
            self.player.ponder(*self._answered, seconds, threading.Event())
        move = self.player.choose(position, seconds)
        self._answered = position, move
        return move


def duel(game: Game, asked: argparse.Namespace, total: Sprt) -> Sprt:
    test, faults = Sprt(*asked.elo), 0
    for pair in range(asked.games // 2):
        for seat in (0, 1):
            match = open_match(game, asked.seed + pair, asked.opening)
            names = (asked.first, asked.second) if seat == 0 else (asked.second, asked.first)
            players = {
                role: make_player(name, asked.seed + 1000 * pair + at)
                for at, (role, name) in enumerate(zip(game.info.players, names, strict=True))
            }
            if asked.ahead:
                first = game.info.players[seat]
                players[first] = Ahead(players[first])
            play_match(match, players, asked.seconds, limit=asked.longest, start_seconds=asked.start)
            faults += len(match.faults)
            goals = [goal or 0 for goal in match.state.goals()]
            points = 0.5 if goals[0] == goals[1] else float((goals[0] > goals[1]) == (seat == 0))
            test.add(points)
            total.add(points)
        if test.result is not None and asked.until_sure:
            break
        print(f"  {game.name}: {test.wins}-{test.draws}-{test.losses}", end="\r", flush=True)
    print(line(game.name, test) + (f"  {faults} faults" if faults else ""), flush=True)
    return test


def line(name: str, test: Sprt) -> str:
    low, high = wilson_interval(test.score, test.games)
    share = test.score / max(test.games, 1)
    said = {None: "not sure", True: "stronger", False: "not stronger"}[test.result]
    return (
        f"{name:18} {test.wins:4}-{test.draws}-{test.losses:<4} {share:6.1%} ({low:.1%} to {high:.1%}), "
        f"elo {elo_of(share):+.0f}, {said} (ratio {test.log_likelihood_ratio:+.2f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--in", dest="in_games", nargs="*", default=SIX)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--start", type=float, default=2.0, help="seconds to prepare")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--elo", type=float, nargs=2, default=(0.0, 40.0))
    parser.add_argument("--until-sure", action="store_true", help="end a game's test when it is decided")
    parser.add_argument("--ahead", action="store_true", help="let FIRST ponder, by counted work")
    parser.add_argument("--opening", type=int, default=2)
    parser.add_argument("--longest", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    total = Sprt(*asked.elo)
    rows = {name: duel(load_game(name, "compiled"), asked, total).as_json() for name in asked.in_games}
    print(line("all", total))
    if asked.json:
        kept = {"first": asked.first, "second": asked.second, "seconds": asked.seconds}
        asked.json.write_text(json.dumps({**kept, "games": rows, "all": total.as_json()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
