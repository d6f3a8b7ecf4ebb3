"""What the fuzzer draws from: calls, and what earlier calls have made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass
class Call:
    name: str
    function: Callable[..., object]
    given: dict[str, Any]
    keep: Callable[[Any], None] | None = None
    """What becomes of an answer."""
    fixed: tuple[str, ...] = ()
    """Addresses in memory, which nobody can check."""
    sizes: tuple[str, ...] = ()
    """Arguments that say how much memory is wanted."""


class Pools:
    """What constructors have made, for later calls."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.pools: dict[str, list[Any]] = {}

    def draw(self) -> Call:
        """One of the calls that methods named ``call_...`` make."""
        names = sorted(name for name in dir(type(self)) if name.startswith("call_"))
        call: Call = getattr(self, self.random.choice(names))()
        return call

    def keeper(self, name: str, most: int = 4) -> Callable[[Any], None]:
        def keep(made: Any) -> None:
            pool = self.pools.setdefault(name, [])
            pool.append(made)
            if len(pool) > most:
                del pool[self.random.randrange(len(pool))]

        return keep

    def one(self, name: str, make: Callable[[], Any]) -> Any:
        """One that a constructor has made, or a new one."""
        pool = self.pools.setdefault(name, [])
        if not pool or self.random.random() < 0.1:
            self.keeper(name)(make())
        return self.random.choice(pool)
