"""Which process plays a match, or runs something else that one process at a time may."""

from __future__ import annotations

from typing import Protocol


class Leases(Protocol):
    """What a process asks before it loads a match."""

    async def take(self, name: str, is_match: bool = False) -> bool:
        """Have something from now on; whether a process that is taken for dead may still believe it has it.

        Elsewhere where another process has it. UnknownMatch where it is to be a match and none was written.
        """
        ...

    async def give_back(self, name: str) -> None:
        """Have it no longer."""

    async def has(self, name: str) -> bool:
        """Whether this process has something; it takes what no process has."""
        ...

    async def stays(self, match_id: str, name: str) -> bool:
        """Whether this process has something; where another has it, that one plays the match from now on."""
        ...


class OneProcess:
    """The leases of a process that has its journal for itself."""

    async def take(self, name: str, is_match: bool = False) -> bool:
        return False

    async def give_back(self, name: str) -> None:
        pass

    async def has(self, name: str) -> bool:
        return True

    async def stays(self, match_id: str, name: str) -> bool:
        return True
