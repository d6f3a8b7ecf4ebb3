"""Who is to play, as people write it: names of our players and addresses of others, in the order of roles."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .client import parse_address
from .dialects import Language

_SETTING = re.compile(r",(?!\s*\w+=[^,:/]*(?:,|$))")
_ADDRESS = re.compile(r"(?:[a-z0-9-]+\+)*(?:\w+://.*|[^:/]+:[0-9]+/?|\[[0-9a-f:]+\]:[0-9]+/?)", re.IGNORECASE)


@dataclass(frozen=True)
class Invitation:
    """Somebody who is to play: a player of ours by name, or one that listens at an address."""

    name: str
    """The name or the address."""
    remote: bool = False
    language: Language | None = None
    """What a remote player speaks; None for whatever the game needs."""
    method: str = "POST"


def parse_invitations(text: str) -> list[Invitation]:
    """``champion,http://host:9147`` and the like; ValueError with what is wrong.

    Settings of a player of ours may hold commas: ``mcts:playouts=100,seed=1,random`` are two players.
    Before an address may stand ``gdl1+``, ``gdl2+`` or ``gdl2-2011+`` for what the player there speaks, and
    ``get+`` for one that takes its messages by GET.
    """
    return [parse_invitation(one.strip()) for one in _SETTING.split(text)]


def parse_invitation(text: str) -> Invitation:
    if not text:
        raise ValueError("an empty name among the players")
    if not _ADDRESS.fullmatch(text):
        return Invitation(text)
    *marks, address = text.split("+") if "://" not in text else _marks(text)
    language, method = None, "POST"
    for mark in marks:
        if mark.lower() == "get":
            method = "GET"
        elif mark.lower() in (known.value for known in Language):
            language = Language(mark.lower())
        else:
            known = ", ".join(f"{one.value}+" for one in Language)
            raise ValueError(f"{text!r}: before an address may stand {known} or get+, not {mark}+")
    parse_address(address)
    return Invitation(address, True, language, method)


def _marks(text: str) -> list[str]:
    scheme, _, rest = text.partition("://")
    *marks, last = scheme.split("+")
    return [*marks, f"{last}://{rest}"]
