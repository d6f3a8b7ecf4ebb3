"""How the known hosts differ: what they write around a message, and what they do about bad answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from ..clocks import Clocks, clocks_of
from .client import Address
from .messages import Message, format_message


class Language(Enum):
    """What a player understands."""

    GDL = "gdl1"
    """Joint moves; games in which nothing is hidden."""
    GDL2 = "gdl2"
    """Turn, own move and percepts: ``(PLAY match turn move percepts)``."""
    GDL2_2011 = "gdl2-2011"
    """Percepts in place of the joint move: ``(PLAY match percepts)``."""


@dataclass(frozen=True)
class Dialect:
    """A way to be a host."""

    name: str
    sender: str
    writes_host: bool = True
    """Whether requests say whom they are for."""
    upper_case: bool = False
    match_headers: bool = False
    """Whether requests say to which match and step they belong."""
    replace_by: Literal["first", "random"] = "random"
    """Which legal move is played for a player who gave none."""

    def clocks(self, start: float, play: float) -> Clocks:
        """The clocks with what this host allows besides."""
        return clocks_of(self.name, start, play)

    def headers(
        self, address: Address, receiver: str, match_id: str = "", step: int = 0
    ) -> Mapping[str, str]:
        """What stands before a message, but for its type and length."""
        found = {"Accept": "text/delim"}
        if self.writes_host:
            found["Host"] = str(address)
        found |= {"Sender": self.sender, "Receiver": re.sub(r"[^!-~]+", "_", receiver)}
        if self.match_headers and match_id:
            found |= {"GGP-Match-ID": match_id, "GGP-Match-Step": str(step), "GGP-Match-Host": "Ludorum"}
        return found

    def write(self, message: Message) -> str:
        """The text of a message; ids of matches keep their letters also where all else is in capitals."""
        text = format_message(message)
        if not self.upper_case:
            return text
        if not hasattr(message, "match_id"):
            return text.upper()
        bracket, keyword, match_id, rest = text.split(" ", 3)
        return " ".join([bracket, keyword, match_id, rest.upper()])


DIALECTS = {
    "ggp-base": Dialect("ggp-base", "GAMESERVER"),
    "tiltyard": Dialect("tiltyard", "GAMESERVER", match_headers=True),
    "dresden": Dialect("dresden", "Gamecontroller", writes_host=False, upper_case=True, replace_by="first"),
}
