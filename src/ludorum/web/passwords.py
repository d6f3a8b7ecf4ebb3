"""Passwords as argon2 hashes, made and checked in threads."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""Hashes at once: each takes 64 MB for a twentieth of a second."""


class Passwords:
    """Makes and checks hashes."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._nobody: str | None = None

    async def hash(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, password: str, kept: str | None) -> bool:
        """Whether a password is the one of a hash. Takes as long where there is no account of that name."""
        if kept is None:
            if self._nobody is None:
                self._nobody = await self.hash("nobody has this password")
            await self._verify(password, self._nobody)
            return False
        return await self._verify(password, kept)

    def is_outdated(self, kept: str) -> bool:
        """Whether a hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(kept)

    async def _verify(self, password: str, kept: str) -> bool:
        async with self._turn:
            try:
                return await asyncio.to_thread(self._hasher.verify, kept, password)
            except (VerificationError, InvalidHashError):
                return False
