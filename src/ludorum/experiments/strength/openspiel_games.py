"""The same games here and in OpenSpiel: how a move is called there, and a check that the rules agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyspiel

from ..._core import SplitMix64
from ...engine.game import State
from ...engine.load import load_game
from ...rules.terms import Term, Variable


@dataclass(frozen=True)
class Twin:
    """A game of ours, the same one there, and the name of a move there. Roles move in the order of ours."""

    ours: str
    theirs: str
    name: Callable[[Term, int], str]


def _square(column: Term | Variable, row: int) -> str:
    return f"{chr(ord('a') + int(str(column)) - 1)}{row}"


def _connect_four(move: Term, seat: int) -> str:
    return f"{'xo'[seat]}{int(str(move.args[0])) - 1}"


def _breakthrough(move: Term, seat: int) -> str:
    # There the first player comes from above.
    x1, y1, x2, y2 = move.args
    return _square(x1, 9 - int(str(y1))) + _square(x2, 9 - int(str(y2)))


def _othello(move: Term, seat: int) -> str:
    return _square(move.args[0], int(str(move.args[1]))) if move.args else "pass"


def _hex(move: Term, seat: int) -> str:
    return _square(move.args[0], int(str(move.args[1])))


TWINS = {
    twin.ours: twin
    for twin in (
        Twin("connect_four", "connect_four", _connect_four),
        Twin("breakthrough", "breakthrough", _breakthrough),
        Twin("othello", "othello", _othello),
        Twin("hex", "hex(board_size=9)", _hex),
    )
}


class TwinBoard:
    """One position in both programs, moved in step."""

    def __init__(self, twin: Twin, state: State) -> None:
        self.twin = twin
        self.ours = state
        self.theirs = pyspiel.load_game(twin.theirs).new_initial_state()

    @property
    def is_over(self) -> bool:
        if self.ours.is_terminal != self.theirs.is_terminal():
            raise AssertionError(f"{self.twin.ours}: over here but not there, or the other way round")
        return self.ours.is_terminal

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return int(self.theirs.current_player())

    def actions(self) -> dict[int, Term]:
        """Our moves by their actions there; AssertionError where the rules do not agree."""
        role = self.ours.game.roles[self.seat]
        named = {self.twin.name(move, self.seat): move for move in self.ours.legal(role)}
        actions = {
            self.theirs.action_to_string(self.seat, action).removesuffix("*"): action
            for action in self.theirs.legal_actions()
        }
        if named.keys() != actions.keys():
            raise AssertionError(f"{self.twin.ours}: {sorted(named)} here, {sorted(actions)} there")
        return {actions[name]: move for name, move in named.items()}

    def play(self, action: int) -> None:
        move = self.actions()[action]
        roles = self.ours.game.roles
        joint = [move if at == self.seat else self.ours.legal(role)[0] for at, role in enumerate(roles)]
        self.ours = self.ours.play(joint)
        self.theirs.apply_action(action)

    def points(self) -> tuple[float, float]:
        """What both seats have at the end, 0 to 1; both programs must agree."""
        ours = tuple((goal or 0) / 100 for goal in self.ours.goals())
        theirs = tuple((value + 1) / 2 for value in self.theirs.returns())
        if ours != theirs:
            raise AssertionError(f"{self.twin.ours}: {ours} here, {theirs} there")
        return ours[0], ours[1]


def check_twin(twin: Twin, games: int = 100, seed: int = 0) -> None:
    """Random games through both programs: moves, ends and results must be the same."""
    chance, game = SplitMix64(seed), load_game(twin.ours, "compiled")
    for _ in range(games):
        board = TwinBoard(twin, game.initial())
        while not board.is_over:
            actions = sorted(board.actions())
            board.play(actions[chance.below(len(actions))])
        board.points()


if __name__ == "__main__":
    for each in TWINS.values():
        check_twin(each)
        print(f"{each.ours}: 100 random games agree")
