"""Bytes that were something sensible once: requests and replies with something wrong in them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ludorum.arena.testing import Raw, reply_bytes
from tests.arena.protocol.test_host_bytes import GOOD
from tests.arena.protocol.test_player_bytes import CONVERSATIONS, WAYS, post

SENSIBLE_REQUESTS: list[bytes] = [
    *(post(text) for talk in CONVERSATIONS.values() for text, _ in talk),
    *(data for data, _ in WAYS.values()),
]
SENSIBLE_REPLIES: list[bytes] = [
    *(act.data for act in GOOD.values() if isinstance(act, Raw)),
    *(reply_bytes(act) for act in GOOD.values() if isinstance(act, str)),
    *map(reply_bytes, ("ready", "busy", "nil", "((name me) (status available))", "<html></html>")),
]
DISTURBING = [
    b"\x00", b"\xff\xfe", b"\r\n", b"\r\n\r\n", b"\n", b"(", b")", b"((((", b"|", b";", b'"', b"?x", b"%28",
    b"%zz", b":", b"Content-Length: 99999999999999999999\r\n", b"Content-Length: -5\r\n",
    b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n", b"ffffffff\r\n", b"HTTP/9.9 999",
    b"1e999", b"-1", b"\xc3", b"\xe2\x80\x8b", "größe".encode(), b"X-Long: " + b"a" * 20_000 + b"\r\n",
    b"a: b\r\n" * 4000, b" " * 5000,
]  # fmt: skip


def mutated(chance: random.Random, sensible: Sequence[bytes]) -> bytes:
    """One of the texts, changed in one to four places; now and then bytes of no sense at all."""
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(2000))
    data = chance.choice(sensible)
    for _ in range(chance.randint(1, 4)):
        data = _change(chance, data, sensible)
    return data


def _change(chance: random.Random, data: bytes, sensible: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice([1, 1, 2, 10, 100]))
    match chance.randrange(8):
        case 0:  # cut off
            return data[:at]
        case 1:  # something is missing
            return data[:at] + data[end:]
        case 2:  # something comes twice
            return data[:end] + data[at:]
        case 3:  # other bytes
            return data[:at] + chance.randbytes(end - at) + data[end:]
        case 4:  # one bit
            changed = bytes(byte ^ 1 << chance.randrange(8) for byte in data[at : at + 1])
            return data[:at] + changed + data[at + 1 :]
        case 5:  # the beginning of one and the end of another
            other = chance.choice(sensible)
            return data[:at] + other[chance.randrange(len(other) + 1) :]
        case _:
            return data[:at] + chance.choice(DISTURBING) + data[at:]
