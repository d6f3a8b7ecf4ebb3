"""The choices of a strategy for a circuit's packed states, thousands at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._core import RowIndex
from ...engine.compiled import CompiledGame
from ...engine.simulator import Packed
from .strategy import Strategy

BATCH = 1 << 15
"""States renumbered at once."""
NOT_LISTED = -1
NO_MOVE = -2
"""Instead of a move's number: one that the circuit does not know, and that is never legal."""


class PackedChoices:
    """Looks states up, as they are and by their images; ValueError where one state has two choices."""

    def __init__(self, game: CompiledGame, strategy: Strategy) -> None:
        self._fluents = len(game.circuit.fluents)
        self._index = RowIndex(game.state_bytes)
        places = np.array([game._fluents.get(fluent, -1) for fluent in strategy.fluents], np.int64)
        rows = np.frombuffer(strategy.states, np.uint8).reshape(-1, strategy.row_bytes)
        for begin in range(0, len(rows), BATCH):
            self._index.add(self._renumbered(rows[begin : begin + BATCH], places))
        if len(self._index) != len(strategy):
            raise ValueError("the strategy has two choices for one state")
        self._chosen = np.array(strategy.choices, np.int32)
        seat = game.seat(strategy.role)
        numbers = np.array([game.circuit.move_number(seat, move) for move in strategy.moves], np.int64)
        numbers[numbers < 0] = NO_MOVE
        self._views = [(np.arange(self._fluents), numbers)]
        for image in strategy.images:
            sources = np.arange(self._fluents)
            own, other = places, places[list(image.fluents)]
            both = (own >= 0) & (other >= 0)
            sources[other[both]] = own[both]
            back = np.zeros_like(numbers)
            back[list(image.moves)] = numbers
            self._views.append((sources, back))

    def find(self, rows: Packed) -> NDArray[np.int64]:
        """The number of the move for each state, NOT_LISTED or NO_MOVE."""
        found = np.full(len(rows), NOT_LISTED, np.int64)
        left = np.arange(len(rows))
        for at, (sources, numbers) in enumerate(self._views):
            own = self._index.find(rows[left] if at == 0 else self._image(rows[left], sources))
            listed = own >= 0
            found[left[listed]] = numbers[self._chosen[own[listed]]]
            left = left[~listed]
        return found

    def _image(self, rows: Packed, sources: NDArray[np.int64]) -> Packed:
        """The images of packed states: a fact holds in an image if the fact renamed to it holds."""
        bits = np.unpackbits(rows, axis=1, count=self._fluents, bitorder="little")
        return np.packbits(np.take(bits, sources, axis=1), axis=1, bitorder="little")

    def _renumbered(self, rows: Packed, places: NDArray[np.int64]) -> Packed:
        """The states in the circuit's order of facts; a fact that the circuit lacks is never true."""
        bits = np.unpackbits(rows, axis=1, count=len(places), bitorder="little")
        own = np.zeros((len(rows), self._fluents), np.uint8)
        own[:, places[places >= 0]] = bits[:, places >= 0]
        return np.packbits(own, axis=1, bitorder="little")
