"""Where players elsewhere are found, as live matches ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ....arena.protocol.client import Address, Dial
from ....arena.protocol.dialects import Dialect, Language


@dataclass(frozen=True)
class RemoteEntry:
    """A player that was registered by its address."""

    name: str
    address: Address
    language: Language | None
    """What it speaks; None for what the game needs."""
    method: str
    dialect: Dialect
    is_reachable: bool
    """Whether it answered when it was asked last."""


class RemoteBook(Protocol):
    """Knows players elsewhere by their names."""

    @property
    def dial(self) -> Dial:
        """Opens connections to them."""

    async def find(self, name: str) -> RemoteEntry | None:
        """The player of a name; None where there is none."""

    async def ask(self, name: str) -> RemoteEntry | None:
        """The same, after asking it whether it is there."""

    async def note(self, name: str, is_reachable: bool) -> None:
        """A player has answered in a match, or did not."""
