"""How far a search for plans has come, reported while it works."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .planner import JointPlan, PlanNews

TICK = 0.25
"""Seconds between two reports."""


@dataclass
class PlanProgress:
    """What all methods together have found so far. Several threads update it, one shows it."""

    horizon: int = 0
    """The longest horizon that logic has searched."""
    best: JointPlan | None = None
    _began: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def hear(self, news: PlanNews) -> None:
        with self._lock:
            self.horizon = max(self.horizon, news.horizon)
            plan = news.plan
            if plan is not None and (self.best is None or plan.goal > self.best.goal):
                self.best = plan

    def __str__(self) -> str:
        looked = f"{self.horizon} moves ahead, " if self.horizon else ""
        best = "no plan yet" if self.best is None else f"best so far {self.best.goal}"
        return f"{looked}{best}, {self.seconds:.0f} s"


Report = Callable[[PlanProgress], None]
