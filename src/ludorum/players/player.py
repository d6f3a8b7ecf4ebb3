"""What a player is, the two simplest ones, and the names people call them by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from .._core import SplitMix64
from ..engine.game import State, View
from ..rules.terms import Term


@dataclass(frozen=True)
class Position:
    """All that a player may use to choose: ``state`` is None where the rules hide something from the role."""

    role: Term
    legal: tuple[Term, ...]
    view: View
    state: State | None


def position_of(state: State, role: Term) -> Position:
    """The position of a role in a state, with hidden things left out."""
    view = state.view(role)
    return Position(role, state.legal(role), view, state if view.facts is not None else None)


class Player(Protocol):
    """Chooses one of ``position.legal`` within ``seconds``."""

    name: str

    def choose(self, position: Position, seconds: float) -> Term: ...


class LegalPlayer:
    """Plays the first legal move."""

    name = "legal"

    def choose(self, position: Position, seconds: float) -> Term:
        return position.legal[0]


class RandomPlayer:
    """Plays any legal move, each as likely as the others; the same seed plays the same."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._chooser = SplitMix64(seed)

    def choose(self, position: Position, seconds: float) -> Term:
        return position.legal[self._chooser.below(len(position.legal))]


def _lookahead(seed: int) -> Player:
    from .lookahead import LookaheadPlayer

    return LookaheadPlayer(seed)


_PLAYERS: dict[str, Callable[[int], Player]] = {
    "legal": lambda seed: LegalPlayer(),
    "random": RandomPlayer,
    "lookahead": _lookahead,
}

STRONGEST = "lookahead"
"""Who plays against people until somebody stronger is built."""


def player_names() -> list[str]:
    return list(_PLAYERS)


def make_player(name: str, seed: int = 0) -> Player:
    """The player of that name; ValueError with the names there are if it is unknown."""
    if name not in _PLAYERS:
        raise ValueError(f"no player {name!r}; there are {', '.join(_PLAYERS)}")
    return _PLAYERS[name](seed)
