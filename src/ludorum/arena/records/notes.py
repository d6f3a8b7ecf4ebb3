"""Notes of a match while it is played: to a store, to a file and to spectators, as the caller asks."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..match.match import Match
from .posting import Posted, Poster
from .publisher import Publisher, write_record

if TYPE_CHECKING:  # it brings SQLAlchemy, which takes as long to import as all the rest
    from .store import MatchStore

FREE_SECONDS = 2.0
"""Seconds of writing that any match may take: records of a few hundred steps are written at every step."""


@dataclass
class Notes:
    """Where the record of a match goes. The store has every step before ``write`` returns."""

    publisher: Publisher
    store: MatchStore | None = None
    record: Path | None = None
    poster: Poster | None = None
    thrifty: bool = False
    """Whether the record may lag behind where writing it at every step would take longer than playing."""
    _is_stored: bool = field(default=False, init=False)
    _began: float = field(default_factory=time.monotonic, init=False)
    _spent: float = field(default=0.0, init=False)

    def write(self, match: Match, aborted: bool = False) -> None:
        """Write the current state of the match."""
        if self.store is not None:
            if self._is_stored and not aborted:
                self.store.append(match)
            else:
                self.publisher.store(match, self.store, aborted)
                self._is_stored = True
        if aborted or match.is_over or self._has_time():
            self.write_file(match, aborted)
        if self.poster is not None:
            self.poster.offer(self.publisher, match, aborted)

    def write_file(self, match: Match, aborted: bool = False) -> None:
        """Rewrite the record, if there is to be one: whole or not at all."""
        if self.record is not None:
            begin = time.monotonic()
            write_record(self.publisher.version(match, aborted), self.record)
            self._spent += time.monotonic() - begin

    def _has_time(self) -> bool:
        """Whether writing has taken less than half of the time so far, or next to none."""
        return not self.thrifty or self._spent < FREE_SECONDS + (time.monotonic() - self._began) / 2

    def close(self) -> Posted | None:
        """The outcome of publishing, where that was asked for."""
        return None if self.poster is None else self.poster.close()
