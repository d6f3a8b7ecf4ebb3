"""Keys for moves: each keeps its key while the clock runs, so that a finger finds it again."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.terms import Term

KEYS = "1234567890abcdefghijklmnopqrstuvwxyz"


class MoveKeys:
    """The keys of the legal moves. A move that is not legal keeps its key until another one needs it."""

    def __init__(self) -> None:
        self._keys: dict[Term, str] = {}
        self._legal: tuple[Term, ...] = ()

    def offer(self, legal: Sequence[Term]) -> None:
        """Other moves are legal now."""
        self._legal = tuple(legal)
        for move in self._legal:
            if move not in self._keys and (key := self._free_key()):
                self._keys[move] = key

    def key_of(self, move: Term) -> str:
        """The key of a move; empty where there are too many moves."""
        return self._keys.get(move, "")

    def move_of(self, key: str) -> Term | None:
        """The legal move that a key stands for."""
        return next((move for move in self._legal if self._keys.get(move) == key), None)

    def _free_key(self) -> str:
        taken = set(self._keys.values())
        for key in KEYS:
            if key not in taken:
                return key
        old = next((move for move in self._keys if move not in self._legal), None)
        return "" if old is None else self._keys.pop(old)
