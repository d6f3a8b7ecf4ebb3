"""How long a message takes to a peer and back, as the operating system has measured it."""

from __future__ import annotations

import asyncio
import socket
import struct

_ROUND_TRIP = 68
"""The offset of ``tcpi_rtt``, in microseconds, in Linux's ``struct tcp_info``."""


def link_delay(writer: asyncio.StreamWriter) -> float | None:
    """Seconds of a round trip on this connection; None where the system does not say."""
    connection = writer.get_extra_info("socket")
    option = getattr(socket, "TCP_INFO", None)
    if connection is None or option is None:
        return None
    try:
        told = connection.getsockopt(socket.IPPROTO_TCP, option, _ROUND_TRIP + 4)
    except OSError:
        return None
    return None if len(told) < _ROUND_TRIP + 4 else float(struct.unpack_from("I", told, _ROUND_TRIP)[0]) / 1e6
