"""Keeps the record of a realtime match of ``match`` and ``host``: in a file, in a store, signed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..arena.records.signatures import SigningKey
    from ..arena.world import RealtimeMatch, WorldRecord
    from ..arena.world.record_keeper import RecordKeeper


@dataclass(frozen=True)
class Keeping:
    """Where the record of a match is written."""

    record: Path | None = None
    store: str | None = None
    key: SigningKey | None = None
    """The key that signs the record; None for no signature."""


@contextmanager
def kept(match: RealtimeMatch, keeping: Keeping) -> Iterator[RecordKeeper | None]:
    """Keep the record of a match that is played meanwhile, however it ends; yields the store's writer."""
    if keeping.record is not None:
        keeping.record.touch()  # a file that cannot be written is better found before the match
    with ExitStack() as stack:
        keeper = None if keeping.store is None else _keeper(match, keeping.store, stack)
        try:
            yield keeper
        finally:
            final = _final_record(match, keeping.key)
            if keeping.record is not None:
                write_lines(final, keeping.record)
            if keeper is not None:
                keeper.close(final)


def _keeper(match: RealtimeMatch, store: str, stack: ExitStack) -> RecordKeeper:
    from ..arena.records.store import MatchStore
    from ..arena.world.record_keeper import RecordKeeper

    return RecordKeeper(stack.enter_context(MatchStore(store)), match.record)


def _final_record(match: RealtimeMatch, key: SigningKey | None) -> WorldRecord:
    if key is None:
        return match.record
    from ..arena.world.signed_record import signed_record

    return signed_record(match.record, key)


def write_lines(record: WorldRecord, path: Path) -> None:
    """Write a record as lines of JSON: whole or not at all."""
    from ..arena.records.publisher import write_whole

    write_whole("".join(f"{line}\n" for line in record.lines()), path)
