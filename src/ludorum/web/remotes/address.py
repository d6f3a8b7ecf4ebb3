"""The addresses that people register: what may be written, and where it may lead."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from ...arena.protocol.client import Address, parse_address
from ...arena.protocol.dialects import Language

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:.]{2,45}")


def checked_address(url: str) -> Address:
    """The address of ``http://host:port``; ValueError with what is wrong."""
    text = url.strip().rstrip("/")
    parts = urlsplit(text if "://" in text else f"//{text}")
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        raise ValueError("an address is http://host:port and nothing more")
    address = parse_address(text)
    host = address.host.lower().rstrip(".")
    if not _HOST.fullmatch(host):
        raise ValueError("a host has letters of ASCII, digits, dots and hyphens")
    return Address(host, address.port)


def marked_language(url: str) -> tuple[str | None, str]:
    """What stands before an address, as in ``wdl+http://host:port``, and the address; None without a mark."""
    mark, plus, rest = url.strip().partition("+")
    known = {one.value for one in Language}
    return (mark.lower(), rest) if plus and mark.lower() in known else (None, url)
