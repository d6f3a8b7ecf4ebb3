"""Our players at `backgammon` against random moves, a plain race, GNU Backgammon, or another player of ours.

    python bench/backgammon.py random race gnubg [--player mcts:playouts=400] [--games 500] [--json FILE]

Games come in pairs with the same dice and the seats changed: the opening and every roll after it are the same
numbers in the same order. What is counted is who bears off all men first, and the points: one, two for a
gammon, three for a backgammon. `race` makes the move after which it is most pips ahead, one die after the
other. `gnubg` chooses by the evaluation of the positions after its move (0-ply), cubeless. Intervals are of
95 %, over pairs.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gnubg_line import Gnubg, dice_left, find_gnubg, joint_of, men_of, mover_of, steps_of

from ludorum._core import SplitMix64
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.players import Player, make_player
from ludorum.rules.terms import Term, format_term

PATIENCE = 60.0
"""Seconds for a move: budgets are in playouts, so that a busy machine plays the same games."""
POINTS = {"33": 1, "66": 2, "100": 3}


class Side(Protocol):
    """One that moves men for a role, one die after the other."""

    def choose(self, state: State, role: Term) -> Term: ...


@dataclass
class Ours:
    """A player of ours."""

    player: Player
    seconds: float = 0.0
    decisions: int = 0

    def choose(self, state: State, role: Term) -> Term:
        begun = time.process_time()
        move = self.player.choose(position_of(state, role), PATIENCE)
        self.seconds += time.process_time() - begun
        self.decisions += 1
        return move


@dataclass
class Random:
    chance: SplitMix64

    def choose(self, state: State, role: Term) -> Term:
        legal = state.legal(role)
        return legal[self.chance.below(len(legal))]


@dataclass
class Race:
    """Goes where it is most pips ahead; equal moves by chance."""

    chance: SplitMix64

    def choose(self, state: State, role: Term) -> Term:
        after = {move: state.play(joint_of(state, {role: move})) for move in state.legal(role)}
        ahead = {move: self._lead(one, role) for move, one in after.items()}
        best = [move for move, lead in ahead.items() if lead == max(ahead.values())]
        return best[self.chance.below(len(best))]

    def _lead(self, state: State, role: Term) -> int:
        pips = {
            one: sum(point * count for point, count in enumerate(men)) for one, men in men_of(state).items()
        }
        return sum(pips.values()) - 2 * pips[role]


@dataclass
class GnubgSide:
    """GNU Backgammon, asked once a turn."""

    program: Gnubg
    planned: list[Term] = field(default_factory=list)

    def choose(self, state: State, role: Term) -> Term:
        (first, *_) = state.legal(role)
        if first.name == "pass":
            return first
        if not self.planned:
            men = men_of(state)
            (other,) = (one for one in men if one is not role)
            dice = dice_left(state)
            hops = self.program.best(men[role], men[other], dice[:2])
            self.planned = steps_of(state, role, hops)
        return self.planned.pop(0)


# --- a game ------------------------------------------------------------------------------------------


def play(game: Game, sides: Sequence[Side], dice: SplitMix64) -> tuple[int, int]:
    """The seat that wins and its points."""
    players = game.info.players
    state = game.initial()
    while not state.is_terminal:
        mover = mover_of(state)
        moves: dict[Term, Term] = {}
        if mover is None:
            moves = _roll(state, dice)
        elif len(state.legal(mover)) > 1 or isinstance(sides[players.index(mover)], GnubgSide):
            moves = {mover: sides[players.index(mover)].choose(state, mover)}
        state = state.play(joint_of(state, moves))
    goals = [format_term(state.goal_terms(player)[0]) for player in players]
    winner = next(seat for seat, goal in enumerate(goals) if goal != "0")
    return winner, POINTS[goals[winner]]


def _roll(state: State, dice: SplitMix64) -> dict[Term, Term]:
    """Nature's moves by the next numbers of the dice: one for each player that rolls."""
    draws = {role: state.legal(role) for role in state.game.info.chance_roles}
    return {role: moves[dice.below(len(moves))] for role, moves in draws.items() if len(moves) > 1}


@dataclass
class Tally:
    pairs: list[tuple[float, float]] = field(default_factory=list)
    """Games won and points of our side in each pair, half of each."""

    def mean(self, which: int) -> tuple[float, float, float]:
        """The mean a game with its interval."""
        values = [pair[which] for pair in self.pairs]
        mean = math.fsum(values) / len(values)
        spread = math.fsum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
        half = 1.96 * math.sqrt(spread / len(values))
        return mean, mean - half, mean + half


def compare(game: Game, opponent: str, asked: argparse.Namespace, gnubg: Gnubg | None) -> dict[str, object]:
    ours = Ours(make_player(asked.player, asked.seed))
    tally, begun = Tally(), time.monotonic()
    for pair in range(asked.games // 2):
        won, points = 0.0, 0.0
        for seat in (0, 1):
            role = game.info.players[seat]
            ours.player.start(game, role, asked.start)
            theirs = _side(opponent, asked.seed + pair, gnubg, game, game.info.players[1 - seat])
            sides = (ours, theirs) if seat == 0 else (theirs, ours)
            winner, worth = play(game, sides, SplitMix64(asked.seed + pair))
            won += (winner == seat) / 2
            points += (worth if winner == seat else -worth) / 2
        tally.pairs.append((won, points))
        print(f"  {opponent}: {tally.mean(0)[0]:.1%} of {2 * len(tally.pairs)} games", end="\r", flush=True)
        if asked.minutes and time.monotonic() - begun > 60 * asked.minutes:
            break
    ours.player.stop()
    share, points_a_game = tally.mean(0), tally.mean(1)
    print(
        f"{asked.player} against {opponent}: {share[0]:.1%} of {2 * len(tally.pairs)} games won "
        f"({share[1]:.1%} to {share[2]:.1%}), {points_a_game[0]:+.3f} points a game "
        f"({points_a_game[1]:+.3f} to {points_a_game[2]:+.3f}); "
        f"{ours.seconds / max(ours.decisions, 1):.3f} seconds of the processor a decision"
    )
    return {
        "player": asked.player,
        "opponent": opponent,
        "games": 2 * len(tally.pairs),
        "won": share,
        "points": points_a_game,
        "seconds": ours.seconds / max(ours.decisions, 1),
        "seed": asked.seed,
    }


def _side(opponent: str, seed: int, gnubg: Gnubg | None, game: Game, role: Term) -> Side:
    if opponent == "random":
        return Random(SplitMix64(seed))
    if opponent == "race":
        return Race(SplitMix64(seed))
    if opponent == "gnubg":
        assert gnubg is not None
        return GnubgSide(gnubg)
    player = make_player(opponent, seed)
    player.start(game, role, 0.0)
    return Ours(player)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "opponents", nargs="+", metavar="OPPONENT", help="random, race, gnubg or a player of ours"
    )
    parser.add_argument("--player", default="mcts:playouts=400")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--start", type=float, default=0.0, help="seconds before the first move of a game")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no pair after so long (0: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    return parser.parse_args(arguments)


def main() -> None:
    asked = parse()
    game = load_game("backgammon", "compiled")
    program = find_gnubg()
    if "gnubg" in asked.opponents and program is None:
        raise SystemExit("GNU Backgammon is not installed: apt-get install gnubg")
    gnubg = Gnubg(program) if program is not None and "gnubg" in asked.opponents else None
    rows = [compare(game, opponent, asked, gnubg) for opponent in asked.opponents]
    if gnubg is not None:
        gnubg.close()
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
