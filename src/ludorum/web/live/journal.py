"""Journals: where the events of matches are written before anybody is told of them."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Protocol

from .plan import Json, Overtaken

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}")


class Journal(Protocol):
    """Keeps events in their order."""

    async def append(self, match_id: str, number: int, event: Json) -> None:
        """Write the event of a number, from 0; it is durable when this returns.

        Overtaken where there is one of that number: another process plays the match then.
        """

    async def load(self, match_id: str) -> list[Json]:
        """All events of a match; none where it is not known."""
        ...


class MemoryJournal:
    """A journal that ends with its process: for tests, and for games that nobody wants to keep."""

    def __init__(self) -> None:
        self.events: dict[str, list[Json]] = {}

    async def append(self, match_id: str, number: int, event: Json) -> None:
        events = self.events.setdefault(match_id, [])
        if number != len(events):
            raise Overtaken(match_id)
        # Through text, as in every other journal: what cannot be written is found out by tests.
        events.append(json.loads(json.dumps(event)))

    async def load(self, match_id: str) -> list[Json]:
        return list(self.events.get(match_id, ()))


class FileJournal:
    """A file for each match in one folder, a line for each event, synced before ``append`` returns.

    For one process: numbers of events are not looked at.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    async def append(self, match_id: str, number: int, event: Json) -> None:
        await asyncio.to_thread(_append, self._path(match_id), json.dumps(event).encode() + b"\n")

    async def load(self, match_id: str) -> list[Json]:
        return await asyncio.to_thread(_load, self._path(match_id))

    def _path(self, match_id: str) -> Path:
        if not _PLAIN_NAME.fullmatch(match_id):
            raise ValueError(f"{match_id!r} is no name of a match")
        return self._folder / f"{match_id}.jsonl"


def _append(path: Path, line: bytes) -> None:
    is_new = not path.exists()
    with path.open("ab") as file:
        if file.tell() and not _ends_whole(path):  # the process was killed while it wrote the last line
            _cut(path)
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _cut(path: Path) -> None:
    """Remove a line that was not written whole: nobody was told of its event."""
    os.truncate(path, path.read_bytes().rfind(b"\n") + 1)


def _load(path: Path) -> list[Json]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
