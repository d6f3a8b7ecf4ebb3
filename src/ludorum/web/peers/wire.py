"""Messages between processes: JSON with its length before it, after both sides have proved what they know.

The proofs show that both know the secret of the process that is called, which only readers of the database
do. Nothing is encrypted: the network between the processes is a private one.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import struct
from typing import Any

LONGEST_STRANGER = 1024
"""Bytes of a message of a side that has proved nothing yet."""
LONGEST = 64 * 1024 * 1024
"""Bytes of a message: the record of a long match may have megabytes."""
_LENGTH = struct.Struct(">I")


class PeerWireError(Exception):
    """The other side is not what it should be, or has gone."""


class PeerWire:
    """One end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._longest = LONGEST_STRANGER

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; PeerWireError where the other side has gone."""
        body = json.dumps(message, separators=(",", ":")).encode()
        try:
            self._writer.write(_LENGTH.pack(len(body)) + body)
            await self._writer.drain()
        except OSError as error:
            raise PeerWireError(str(error)) from error

    async def receive(self) -> dict[str, Any]:
        """The next message; PeerWireError where there is none."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            if length > self._longest:
                raise PeerWireError(f"a message of {length} bytes")
            message = json.loads(await self._reader.readexactly(length))
        except (OSError, asyncio.IncompleteReadError, ValueError, RecursionError) as error:
            raise PeerWireError(str(error) or "the connection has ended") from error
        if not isinstance(message, dict):
            raise PeerWireError("that is no message")
        return message

    def close(self) -> None:
        self._writer.close()

    async def prove_as_caller(self, server: str, secret: str) -> None:
        """Prove that this side knows the secret of the process it has called, and that it is that process."""
        challenge = secrets.token_hex(16)
        other = _challenge_of(await self.receive())
        await self.send({"challenge": challenge, "proof": _proof(secret, "caller", server, other, challenge)})
        self._check(await self.receive(), _proof(secret, "called", server, challenge, other))

    async def prove_as_called(self, server: str, secret: str) -> None:
        """Let a caller prove that it knows the secret of this process, and prove the same."""
        challenge = secrets.token_hex(16)
        await self.send({"challenge": challenge})
        answer = await self.receive()
        other = _challenge_of(answer)
        self._check(answer, _proof(secret, "caller", server, challenge, other))
        await self.send({"proof": _proof(secret, "called", server, other, challenge)})

    def _check(self, message: dict[str, Any], right: str) -> None:
        proof = message.get("proof")
        if not isinstance(proof, str) or not hmac.compare_digest(proof.encode(), right.encode()):
            raise PeerWireError("the other side does not know the secret")
        self._longest = LONGEST


def _challenge_of(message: dict[str, Any]) -> str:
    challenge = message.get("challenge")
    if not isinstance(challenge, str) or not challenge:
        raise PeerWireError("a challenge is missing")
    return challenge


def _proof(secret: str, *said: str) -> str:
    return hmac.new(secret.encode(), json.dumps(said).encode(), "sha256").hexdigest()
