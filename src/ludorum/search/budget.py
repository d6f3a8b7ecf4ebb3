"""How long a search may think: by the clock, by counted work, or until an event stops it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

MOST_WORK = 2**64 - 1
"""The largest count of the kernels."""


@dataclass(frozen=True)
class Budget:
    """Limits of one search; whichever is reached first ends it.

    Counted work (``nodes``, ``playouts``) makes a search repeatable, so tests and signatures use it; matches
    use ``seconds``. A budget without any limit is refused: it would be a mistake.
    """

    seconds: float | None = None
    playouts: int | None = None
    nodes: int | None = None
    stop: threading.Event | None = None

    def __post_init__(self) -> None:
        limits = (self.seconds, self.playouts, self.nodes)
        if all(limit is None for limit in limits) and self.stop is None:
            raise ValueError("a budget needs seconds, playouts, nodes, or an event that stops it")
        if not all(limit is None or limit >= 0 for limit in limits):  # written so that NaN is refused
            raise ValueError(f"a budget is not negative, and a number: {limits}")
        if any(limit is not None and limit > MOST_WORK for limit in limits[1:]):
            raise ValueError(f"playouts and nodes are at most {MOST_WORK}: {limits}")


USUAL = Budget(playouts=200_000, nodes=2_000_000)
"""The default budget of a search: counted, so that a busy machine gives the same answer."""


TO_THE_END = Budget(nodes=MOST_WORK)
"""For work that ends by itself, such as a fixed horizon: no clock cuts it short."""


class Stopwatch:
    """A budget that is being spent, from the moment this is made."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._begin = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.monotonic() - self._begin

    @property
    def seconds_left(self) -> float | None:
        """What the clock still allows, never below 0; None where no clock runs."""
        limit = self.budget.seconds
        return None if limit is None else max(0.0, limit - self.seconds)

    def is_up(self, nodes: int = 0, playouts: int = 0) -> bool:
        """Whether the search must end, after so much work."""
        budget = self.budget
        return (
            (budget.nodes is not None and nodes >= budget.nodes)
            or (budget.playouts is not None and playouts >= budget.playouts)
            or (budget.stop is not None and budget.stop.is_set())
            or (budget.seconds is not None and self.seconds >= budget.seconds)
        )
