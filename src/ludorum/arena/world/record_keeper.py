"""Keeps records of WDL matches in a store: a row for each move, written while the match goes on.

Row 0 is the beginning. Each later row has one event with moves, after everything that happened since the row
before it: signals of the clock and dropped moves. What came after the last moves stands with the end.
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import PurePath

from ..records.store import MatchStore
from ..records.store_address import StoreError
from .record import MadeMoves, WorldRecord, WorldRecordError, event_value, read_record

WORLD = "world"
"""The key under which rows hold lines of a record; matches of rounds in the other format have none such."""


class RecordKeeper:
    """Writes a record to a store in a thread of its own: the clock of a match never waits for a disk."""

    def __init__(self, store: MatchStore, record: WorldRecord) -> None:
        """StoreError where the store has a match of this name, or cannot be written."""
        self._store = store
        self._record = record
        self._rows: list[dict[str, object]] = [{WORLD: []}]
        self._next = 0
        """The first event that is in no row yet."""
        self._news = threading.Event()
        self._is_over = False
        head = next(record.values())
        now = time.time_ns() // 1_000_000
        store.begin_rows(record.match_id, PurePath(record.game).stem, now, {WORLD: [head]})
        store.append_rows(record.match_id, self._rows, None)
        self._thread = threading.Thread(target=self._run, name="record keeper", daemon=True)
        self._thread.start()

    def note_moves(self) -> None:
        """Moves were made: they will be written soon."""
        self._news.set()

    def close(self, final: WorldRecord) -> None:
        """Write what is missing, and the end; StoreError where that cannot be written.

        ``final`` is the record as it ends, with its signature where it has one.
        """
        self._is_over = True
        self._news.set()
        self._thread.join()
        self._take_rows()
        left = [event_value(event) for event in final.events[self._next :]]
        over = final.goals is not None
        end = {"isCompleted": over, "isAborted": not over, WORLD: [*left, *final.ending()]}
        self._store.append_rows(final.match_id, self._rows, end)

    def _run(self) -> None:
        while not self._is_over:
            self._news.wait()
            self._news.clear()
            self._take_rows()
            try:
                self._store.append_rows(self._record.match_id, self._rows, None)
            except StoreError:
                continue  # tried again with the next moves; `close` says what is wrong

    def _take_rows(self) -> None:
        """Make rows of the events up to the last moves; those do not change any more."""
        events = self._record.events
        row: list[dict[str, object]] = []
        for at in range(self._next, len(events)):
            row.append(event_value(event := events[at]))
            if isinstance(event, MadeMoves):
                self._rows.append({WORLD: row})
                self._next, row = at + 1, []


def stored_lines(store: MatchStore, match_id: str) -> list[str] | None:
    """The lines of a record in a store; None where the match is kept as states. StoreError where it is
    damaged."""
    rows = store.load_rows(match_id)
    bodies = [json.loads(body) for body in (rows.head, *rows.steps, *([rows.end] if rows.end else ()))]
    if WORLD not in bodies[0]:
        return None
    lines = [f"{json.dumps(value)}\n" for body in bodies for value in body[WORLD]]
    try:
        read_record(lines)
    except WorldRecordError as error:
        raise StoreError(f"{match_id!r} does not hold a match: {error}") from error
    return lines
