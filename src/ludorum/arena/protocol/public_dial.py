"""Connections to the public internet alone, for addresses that strangers have named.

The name of a host is looked up when a connection is opened, all addresses found are checked, and one of
these is connected to: a name that means another machine a moment later gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TypeAlias

from .client import Address, Streams

IpAddress: TypeAlias = IPv4Address | IPv6Address

LOWEST_PORT = 1024
WEB_PORT = 80
"""Below the first port only the second is connected to: mail servers and the like listen there."""
LOOKUPS = 4
"""Names that are looked up at once: a slow name server must not take all threads of the program."""
SPECIAL = (ip_network("192.0.0.0/24"), ip_network("168.63.129.16/32"))
"""Addresses that count as public ones, but mean services of a machine's own cloud."""
_UNICAST = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")


class ForbiddenAddressError(OSError):
    """An address that must not be connected to; says why."""


class PublicDial:
    """Opens connections, as ``client.Dial``; ForbiddenAddressError where the address is not public."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """``allowed``: hosts, as they are written in addresses, that may have any address and port."""
        self._allowed = frozenset(host.lower().strip("[]") for host in allowed)
        self._threads = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="lookup")

    async def __call__(self, address: Address, longest: int) -> Streams:
        found = await self.look_up(address)
        for one in found[:-1]:
            try:
                return await asyncio.open_connection(str(one), address.port, limit=longest)
            except OSError:
                continue
        return await asyncio.open_connection(str(found[-1]), address.port, limit=longest)

    async def look_up(self, address: Address) -> list[IpAddress]:
        """What a host's name means now; OSError where that is nothing, or something that is forbidden."""
        is_allowed = address.host.lower() in self._allowed
        if not is_allowed and address.port < LOWEST_PORT and address.port != WEB_PORT:
            raise ForbiddenAddressError(
                f"port {address.port} is not one of a player: take one from {LOWEST_PORT} on"
            )
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, _addresses, address)
        if not is_allowed and not all(map(is_public, found)):
            raise ForbiddenAddressError(f"{address.host} is not a host of the public internet")
        if not is_allowed and any(map(is_own, found)):
            raise ForbiddenAddressError(f"{address.host} is the machine of this server")
        return found

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def is_public(address: IpAddress) -> bool:
    """Whether an address is one of the public internet, also where another one is written inside it."""
    inner = _inner(address)
    if inner is not None:
        return is_public(inner)
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False
    is_special = any(address in network for network in SPECIAL)
    return address.is_global and not address.is_multicast and not is_special


def is_own(address: IpAddress) -> bool:
    """Whether an address is one of this machine: behind its own firewall everything may be open."""
    family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((str(address), 0))
        except OSError:
            return False
    return True


def _inner(address: IpAddress) -> IPv4Address | None:
    """The IPv4 address to which gateways translate an IPv6 address."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def _addresses(address: Address) -> list[IpAddress]:
    rows = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(row[4][0]) for row in rows))
