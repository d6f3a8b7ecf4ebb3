"""A publisher: turns a match that is being played into the record of it, version after version.

The versions keep the promises of the format among each other: the identity of the match stays, the rest
only grows. The continuation of a record is published under the record's own name and token.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..match.clocks import Clocks
from ..match.match import Match
from ..match.record import MatchRecord, RecordError
from .signatures import SigningKey, signed
from .spectator import PublishedMatch, format_published, match_name, parse_published, publish

if TYPE_CHECKING:  # it brings SQLAlchemy, which takes as long to import as all the rest
    from .store import MatchStore

CONTINUED = "x-continued"
"""The key under which a record names new players, and from which step they play."""


@dataclass(frozen=True)
class Publisher:
    """Everything a record of one match says besides its moves and states."""

    clocks: Clocks
    names: tuple[str, ...]
    """The player of each role."""
    first: PublishedMatch | None = None
    """The record that the match continues."""
    key: SigningKey | None = None
    scrambled: bool | None = None
    """Whether remote players are told other names; None where there are none."""

    def version(self, match: Match, aborted: bool = False) -> PublishedMatch:
        """The record as the match stands."""
        record = match.record()
        if self.first is None:
            found = publish(record, self.clocks, self.names, rules=match.game, aborted=aborted)
            found = replace(found, scrambled=self.scrambled)
        else:
            found = replace(
                self.first,
                record=replace(record, game=self.first.record.game, source=self.first.record.source),
                completed=match.is_over,
                aborted=aborted and not match.is_over,
                extra=self._extra(),
                public_key=None,
                signature=None,
            )
        return found if self.key is None else signed(found, self.key)

    def _extra(self) -> dict[str, object]:
        assert self.first is not None
        if self.first.player_names == self.names:
            return self.first.extra
        note = {"from": self.first.record.last, "players": list(self.names)}
        return self.first.extra | {CONTINUED: note}

    def store(self, match: Match, store: MatchStore, aborted: bool = False) -> None:
        """Put a match into a store; steps that are there already stay."""
        if store.has(match.match_id):
            store.append(self.version(match, aborted) if aborted else match)
        else:
            store.begin(self.version(match, aborted))


def open_record(text: str, name: str = "<record>") -> PublishedMatch:
    """A match to look at or continue, from any format: missing fields get plain values."""
    from .formats import parse_record

    record = parse_record(text, name)
    if not isinstance(record, MatchRecord):
        raise RecordError("single questions, not a match", name)
    try:
        return parse_published(text, name)
    except RecordError:
        if any(state is None for state in record.states):
            return _without_states(record)
        return publish(record, Clocks(0, 0))


def _without_states(record: MatchRecord) -> PublishedMatch:
    match_id = record.match_id or match_name(record.game, 0)
    return PublishedMatch(
        replace(record, match_id=match_id), 0, "0" * 12, 0, 0, f"/games/{record.game}/v0/", record.game
    )


def write_record(match: PublishedMatch, path: Path) -> None:
    """Write a record whole or not at all: a reader never sees half of it."""
    write_whole(format_published(match), path)


def write_whole(text: str, path: Path) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
