"""Invitations as people write them: names of our players and addresses of others, in the order of roles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...players import split_names
from .client import parse_address
from .dialects import Language

_ADDRESS = re.compile(r"(?:[a-z0-9-]+\+)*(?:\w+://.*|[^:/]+:[0-9]+/?|\[[0-9a-f:]+\]:[0-9]+/?)", re.IGNORECASE)
_NAMED = re.compile(r"([^=:/+,]+)=(.+)")


@dataclass(frozen=True)
class Invitation:
    """An invited player: one of ours by name, or one that listens at an address."""

    name: str
    """The player's name; a player at an address without a given name is called by the address."""
    address: str = ""
    """The address of a remote player; empty for a player of ours."""
    language: Language | None = None
    """The language a remote player speaks; None for the one the game needs."""
    method: str = "POST"

    @property
    def remote(self) -> bool:
        return bool(self.address)


def parse_invitations(text: str) -> list[Invitation]:
    """``champion,http://host:9147`` and the like; ValueError with what is wrong."""
    return [parse_invitation(one) for one in split_names(text)]


def parse_invitation(text: str) -> Invitation:
    """A name of ours, an address, or ``name=address``.

    Before an address may stand ``gdl1+``, ``gdl2+`` or ``gdl2-2011+`` for what the player there speaks, and
    ``get+`` for one that takes its messages by GET.
    """
    named = _NAMED.fullmatch(text)
    name, where = (named[1].strip(), named[2].strip()) if named else ("", text)
    if not _ADDRESS.fullmatch(where):
        return Invitation(text)
    *marks, address = where.split("+") if "://" not in where else _marks(where)
    language, method = None, "POST"
    for mark in marks:
        if mark.lower() == "get":
            method = "GET"
        elif mark.lower() in (known.value for known in Language):
            language = Language(mark.lower())
        else:
            known = ", ".join(f"{one.value}+" for one in Language)
            raise ValueError(f"{text!r}: before an address may stand {known} or get+, not {mark}+")
    return Invitation(name or str(parse_address(address)), str(parse_address(address)), language, method)


def format_invitation(invitation: Invitation) -> str:
    """The twin of ``parse_invitation``."""
    if not invitation.remote:
        return invitation.name
    marks = ["get+"] if invitation.method == "GET" else []
    marks += [f"{invitation.language.value}+"] if invitation.language else []
    called = "" if invitation.name == invitation.address else f"{invitation.name}="
    return f"{called}{''.join(marks)}http://{invitation.address}"


def refuse_shared_ports(invitations: Iterable[Invitation]) -> None:
    """ValueError where two players have one address."""
    addresses = [one.address for one in invitations if one.remote]
    for address in addresses:
        if addresses.count(address) > 1:
            raise ValueError(
                f"{address} is named for two players: messages name the match and not the role, so each "
                f"needs a port of its own"
            )


def _marks(text: str) -> list[str]:
    scheme, _, rest = text.partition("://")
    *marks, last = scheme.split("+")
    return [*marks, f"{last}://{rest}"]
