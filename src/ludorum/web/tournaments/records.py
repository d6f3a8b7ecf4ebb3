"""The records of a tournament as a zip file, written while it is sent."""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import AsyncIterator

from ..live import MatchHub
from .views import MatchesInSight, final_standings, standings_csv


class _Sink:
    """A file that is read while it is written."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """There is nothing to wait for."""

    def close(self) -> None:
        """Nothing is held."""

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


async def zip_of(sight: MatchesInSight, hub: MatchHub) -> AsyncIterator[bytes]:
    """The standings of a tournament and the records of all matches that are over, in one file."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("standings.csv", standings_csv(sight.table))
        archive.writestr("standings.json", final_standings(sight).model_dump_json(indent=1))
        yield sink.take()
        for number, fixture in enumerate(sight.course.fixtures, 1):
            if fixture.match_id not in sight.course.results:
                continue
            record = await hub.finished_record(sight.course.matches[fixture.match_id])
            text = await asyncio.to_thread(json.dumps, record)
            await asyncio.to_thread(archive.writestr, f"{number:04d}-{fixture.game}.json", text)
            yield sink.take()
    yield sink.take()
