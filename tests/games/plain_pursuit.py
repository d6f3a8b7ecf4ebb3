"""Fox and hare as a short program: the oracle of the sheet `pursuit`."""

from __future__ import annotations

Place = tuple[int, int]
HEDGES = {(x, y) for x in (2, 4, 6) for y in (2, 4, 6)}
OTHER = {"red": "blue", "blue": "red"}
WAIT = {"fox": 4, "hare": 5}
DENS = {"fox": (1, 1), "hare": (7, 7)}
HALF, READY = 200, 20
"""Ticks of a half, and ticks before the first step of one."""


class PlainPursuit:
    """A match that goes on with every ``tick`` and ``step``."""

    def __init__(self) -> None:
        self.half = 1
        self.passed = 0
        """Ticks of this half."""
        self.needed: dict[str, int | None] = {"red": None, "blue": None}
        """After how many ticks a fox caught the hare."""
        self.is_over = False
        self._begin()

    def _begin(self) -> None:
        self.places = {player: DENS[self.animal(player)] for player in OTHER}
        self.rests = dict.fromkeys(OTHER, READY)

    def animal(self, player: str) -> str:
        return "fox" if (player == "red") == (self.half == 1) else "hare"

    def legal(self, player: str) -> set[Place]:
        if self.rests[player]:
            return set()
        x, y = self.places[player]
        near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
        free = {(i, j) for i, j in near if 1 <= i <= 7 and 1 <= j <= 7} - HEDGES
        return free if self.animal(player) == "fox" else free - {self.places[OTHER[player]]}

    def step(self, player: str, place: Place) -> None:
        self.places[player] = place
        self.rests[player] = WAIT[self.animal(player)]
        if place == self.places[OTHER[player]]:
            self.needed[player] = self.passed
            self._end_half()

    def tick(self) -> None:
        self.passed += 1
        self.rests = {player: max(0, ticks - 1) for player, ticks in self.rests.items()}
        if self.passed == self.most:
            self._end_half()

    @property
    def most(self) -> int:
        """How many ticks this half lasts without a catch: the second no longer than blue may still draw."""
        return HALF if self.half == 1 or self.needed["red"] is None else self.needed["red"] + 1

    def _end_half(self) -> None:
        if self.half == 2:
            self.is_over = True
            return
        self.half, self.passed = 2, 0
        self._begin()

    def goals(self) -> dict[str, int]:
        red, blue = (HALF if ticks is None else ticks for ticks in self.needed.values())
        value = 50 if red == blue else 100 * (red < blue)
        return {"red": value, "blue": 100 - value}
