"""Notes of a match while it is played: to a store, to a file, to spectators, as was asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .match import Match
from .posting import Posted, Poster
from .publisher import Publisher, write_record
from .store import MatchStore


@dataclass
class Notes:
    """Where a match is written down. The store has every step before ``write`` returns."""

    publisher: Publisher
    store: MatchStore | None = None
    record: Path | None = None
    poster: Poster | None = None
    _is_stored: bool = field(default=False, init=False)

    def write(self, match: Match, aborted: bool = False, file: bool = True) -> None:
        """Write down how the match stands; ``file``: also the record, anew as a whole."""
        if self.store is not None:
            if self._is_stored and not aborted:
                self.store.append(match)
            else:
                self.publisher.store(match, self.store, aborted)
                self._is_stored = True
        if self.record is not None and file:
            write_record(self.publisher.version(match, aborted), self.record)
        if self.poster is not None:
            self.poster.offer(self.publisher, match, aborted)

    def close(self) -> Posted | None:
        """What came of publishing, where that was asked for."""
        return None if self.poster is None else self.poster.close()
