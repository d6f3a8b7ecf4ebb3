"""Which process plays a match: each is played by one at a time."""

from __future__ import annotations

from typing import Protocol


class Leases(Protocol):
    """What a process asks before it loads a match."""

    async def take(self, match_id: str, is_new: bool = False) -> bool:
        """Play a match from now on; whether a process that is taken for dead may still write to it.

        Elsewhere where another process plays it, UnknownMatch where there is none although it is not new.
        """
        ...


class OneProcess:
    """The leases of a process that has its journal for itself."""

    async def take(self, match_id: str, is_new: bool = False) -> bool:
        return False
