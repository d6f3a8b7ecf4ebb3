"""How the known hosts differ: what they write around a message, how long they wait, and what they do about
bad answers.

Another dialect is another entry of ``DIALECTS``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from ..match.clocks import Clocks
from .client import Address
from .messages import Message, format_message


class Language(Enum):
    """The languages that players understand."""

    GDL = "gdl1"
    """Joint moves; games in which nothing is hidden."""
    GDL2 = "gdl2"
    """Turn, own move and percepts: ``(PLAY match turn move percepts)``."""
    GDL2_2011 = "gdl2-2011"
    """Percepts in place of the joint move: ``(PLAY match percepts)``."""
    WDL = "wdl"
    """Joint moves in which what is hidden from the player has been left out; each has its own description."""


@dataclass(frozen=True)
class Dialect:
    """A way to be a host."""

    name: str
    sender: str
    allowances: Clocks
    """What this host allows on top of the clocks themselves, which are 0 here."""
    writes_host: bool = True
    """Whether requests name their receiver."""
    upper_case: bool = False
    match_headers: bool = False
    """Whether requests say to which match and step they belong."""
    replace_by: Literal["first", "random"] = "random"
    """Which legal move is played for a player that gave none."""
    own_words: bool = False
    """Whether a scrambled match uses other words for each of its players."""

    def clocks(self, start: float, play: float) -> Clocks:
        """The clocks with the allowance of this host added."""
        return replace(self.allowances, start=start, play=play)

    def headers(self, address: Address, receiver: str) -> Mapping[str, str]:
        """The headers of a message, without its type and length."""
        found = {"Accept": "text/delim"}
        if self.writes_host:
            found["Host"] = str(address)
        return found | {"Sender": self.sender, "Receiver": re.sub(r"[^!-~]+", "_", receiver)}

    def tags(self, match_id: str, step: int, players: Sequence[str]) -> Mapping[str, str]:
        """Headers that say to which match a message belongs, where this host writes them.

        Players are named by hashes, as Tiltyard names them: a player finds its own, and learns no name.
        """
        if not self.match_headers:
            return {}
        found = {"GGP-Match-ID": match_id, "GGP-Match-Step": str(step), "GGP-Match-Host": "Ludorum"}
        if players:
            hashes = (hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest() for name in players)
            found["GGP-Match-Players"] = ", ".join(hashes)
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


_KNOWN = (
    Dialect("ggp-base", "GAMESERVER", Clocks(0, 0, connect=5, start_grace=0, play_grace=1)),
    Dialect(
        "tiltyard",
        "GAMESERVER",
        Clocks(0, 0, connect=5, start_grace=5, play_grace=5),
        match_headers=True,
    ),
    Dialect(
        "dresden",
        "Gamecontroller",
        Clocks(*(0, 0), connect=2, connect_bonus=30, stop_grace=1, abort=1, abort_has_clock=True, pause=0.5),
        writes_host=False,
        upper_case=True,
        replace_by="first",
        own_words=True,
    ),
)

DIALECTS = {dialect.name: dialect for dialect in _KNOWN}
"""The known ways to be a host, by name."""
