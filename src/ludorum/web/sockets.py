"""The open websockets of a server: how many one person has, and which end with a session."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from .store.accounts import digest


class Socket(Protocol):
    """A websocket that can be told to end."""

    def end(self) -> None: ...


class Sockets:
    """Open websockets by person and by session."""

    def __init__(self) -> None:
        self._by_person: Counter[str] = Counter()
        self._by_session: dict[str, set[Socket]] = defaultdict(set)

    def __len__(self) -> int:
        return self._by_person.total()

    def count(self, person: str) -> int:
        return self._by_person[person]

    @contextmanager
    def opened(self, person: str, token: str | None, socket: Socket) -> Iterator[None]:
        """Count a websocket while the block lasts."""
        session = "" if token is None else digest(token)
        self._by_person[person] += 1
        self._by_session[session].add(socket)
        try:
            yield
        finally:
            self._by_person[person] -= 1
            if not self._by_person[person]:
                del self._by_person[person]
            self._by_session[session].discard(socket)
            if not self._by_session[session]:
                del self._by_session[session]

    def close_session(self, session: str) -> None:
        """End the websockets of a session that has ended, named by the digest of its token."""
        for socket in list(self._by_session.get(session, ())):
            socket.end()
