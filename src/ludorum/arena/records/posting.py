"""Publishing: matches sent to a server of spectators by POST, while they are played.

A packet is a form of two fields: ``AUTH``, a secret that identifies the publisher of this match, and
``DATA``, the signed match JSON. A later packet takes the place of an earlier one, so that a server which is
slow or away costs spectators some steps and the match nothing.
"""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import TypeAlias
from urllib.parse import urlencode, urlsplit

from ..match.match import Match
from .publisher import Publisher
from .signatures import SigningKey, signed
from .spectator import PublishedMatch, format_published

PAUSES = (0.5, 2.0, 5.0)
"""Pauses before a packet that did not arrive is sent again; then it is given up."""
SECONDS = 5.0
"""To connect to the server, and for each part of its answer."""
PARTING_SECONDS = 15.0
"""How long the end of a match waits to be published."""
MOST_ANSWER = 4096

Version: TypeAlias = tuple[Publisher, Match, bool]
"""What to publish: the publisher, the match as it stood, whether it was aborted."""


class PostError(OSError):
    """A packet did not arrive; says why."""

    def __init__(self, message: str, final: bool = False) -> None:
        super().__init__(message)
        self.final = final
        """Whether the server has refused it: sending it again would not help."""


def check_url(url: str) -> str:
    """The address of a server for packets; ValueError where packets cannot be sent there."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r}: matches are published to an address such as http://host/path")
    return url


def packet(match: PublishedMatch, key: SigningKey) -> bytes:
    """The form that is sent for a match."""
    secret = key.secret_for(f"{match.record.match_id} {match.start_time}")
    fields = {"AUTH": secret, "DATA": format_published(signed(match, key))}
    return urlencode(fields).encode("ascii")


def post(url: str, data: bytes, seconds: float = SECONDS) -> str:
    """Send a packet once; the first line of the answer. PostError where the server does not take it."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "User-Agent": "Ludorum"}
    request = urllib.request.Request(url, data, headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:
            answer: str = response.read(MOST_ANSWER).decode("utf-8", errors="replace")
    except urllib.error.HTTPError as error:
        with error:
            raise PostError(f"{url} answers {error.code} {error.reason}", error.code < 500) from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise PostError(f"{url} cannot be reached: {reason}") from error
    return answer.partition("\n")[0].strip()


@dataclass(frozen=True)
class Posted:
    """The outcome of publishing a match."""

    url: str
    packets: int
    """How many arrived."""
    answer: str
    """The server's answer to the last packet; known servers answer with their name for the match."""
    trouble: str
    """Why the last version has not arrived, if it has not."""

    def __str__(self) -> str:
        if self.trouble:
            return f"not published to the end: {self.trouble}"
        return f"published: {self.url}" + (f" as {self.answer}" if self.answer else "")


class Poster:
    """Sends versions of one match, newest first, in a thread of its own; no caller waits for it."""

    def __init__(
        self, url: str, key: SigningKey, pauses: tuple[float, ...] = PAUSES, seconds: float = SECONDS
    ) -> None:
        self.url = check_url(url)
        self._key, self._pauses, self._seconds = key, pauses, seconds
        self._changed = threading.Condition()
        self._waiting: Version | None = None
        self._busy = self._ended = False
        self._packets, self._answer, self._trouble = 0, "", ""
        # A daemon: a server that hangs does not keep the program from ending.
        threading.Thread(target=self._serve, name=f"publish {url}", daemon=True).start()

    def offer(self, publisher: Publisher, match: Match, aborted: bool = False) -> None:
        """Publish the match as it stands, as soon as possible; it replaces a version that still waits."""
        if not _may_be_seen(match, aborted):
            return
        with self._changed:
            self._waiting = (replace(publisher, key=None), match.snapshot(), aborted)
            self._changed.notify_all()

    def close(self, seconds: float = PARTING_SECONDS) -> Posted:
        """Wait for the last version, but not for long; nothing is sent afterwards."""
        with self._changed:
            arrived = self._changed.wait_for(lambda: self._waiting is None and not self._busy, seconds)
            self._ended = True
            self._waiting = None
            self._changed.notify_all()
            trouble = self._trouble if arrived else f"{self.url} has not taken it within {seconds:g} s"
            return Posted(self.url, self._packets, self._answer, trouble)

    # -- in the thread ----------------------------------------------------------------------------------

    def _serve(self) -> None:
        while (version := self._take()) is not None:
            try:
                found, answer, trouble = 1, self._deliver(version), ""
            except Exception as error:  # whatever a server or a record does, the match goes on
                found, answer, trouble = 0, "", str(error) or type(error).__name__
            with self._changed:
                self._packets += found
                self._answer, self._trouble = answer or self._answer, trouble
                self._busy = False
                self._changed.notify_all()

    def _take(self) -> Version | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting is not None or self._ended)
            version, self._waiting = self._waiting, None
            self._busy = version is not None
            return version

    def _deliver(self, version: Version) -> str:
        publisher, match, aborted = version
        data = packet(_for_spectators(publisher.version(match, aborted)), self._key)
        for pause in self._pauses:
            try:
                return post(self.url, data, self._seconds)
            except PostError as error:
                if error.final or self._is_overtaken(pause):
                    raise
        return post(self.url, data, self._seconds)

    def _is_overtaken(self, pause: float) -> bool:
        """Wait before the next try; whether a newer version came meanwhile, or the sender was closed."""
        with self._changed:
            return self._changed.wait_for(lambda: self._waiting is not None or self._ended, pause)


def _may_be_seen(match: Match, aborted: bool) -> bool:
    """Whether spectators may see a match: where the rules hide something, only its start and its end."""
    return match.is_open or match.is_over or aborted or not match.moves


def _for_spectators(match: PublishedMatch) -> PublishedMatch:
    """The match without its seed while it goes on: the seed tells what nature is going to draw."""
    if match.completed or match.aborted:
        return match
    return replace(match, record=replace(match.record, seed=None))
