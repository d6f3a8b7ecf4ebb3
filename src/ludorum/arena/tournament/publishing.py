"""Publishing a tournament: every finished match is sent to a server of spectators.

Seeds are not sent: those of later matches follow from them, and so do nature's draws there. Where nature
draws, or something is hidden, even the matches themselves would tell: all matches of a set are dealt the
same. Such matches are sent when the tournament is over.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, replace

from ..records.posting import PARTING_SECONDS, PAUSES, SECONDS, PostError, check_url, packet, post
from ..records.signatures import SigningKey
from ..records.spectator import PublishedMatch
from .plan import TournamentPlan
from .play import load_planned
from .records import published_match
from .result import MatchResult
from .run import Played, Progress
from .schedule import Fixture

MOST_LOST = 3
"""After so many failures in a row no more matches are sent: the server is not there."""


@dataclass(frozen=True)
class PostedTournament:
    """The outcome of publishing the matches of a tournament."""

    url: str
    matches: int
    """How many there were to publish."""
    arrived: int
    trouble: str
    """Why the last match that failed did not arrive."""

    def __str__(self) -> str:
        text = f"published: {self.arrived} of {self.matches} matches at {self.url}"
        return f"{text}: {self.trouble}" if self.trouble else text


class TournamentPoster:
    """Sends matches in a thread of its own; a tournament never waits for it before its end."""

    def __init__(
        self,
        url: str,
        key: SigningKey,
        pauses: tuple[float, ...] = PAUSES,
        seconds: float = SECONDS,
        parting: float = PARTING_SECONDS,
    ) -> None:
        """``parting``: how long the end waits for a server that takes nothing any more."""
        self.url = check_url(url)
        self._key, self._pauses, self._seconds, self._parting = key, pauses, seconds, parting
        self._seen: set[str] = set()
        self._waiting: deque[tuple[TournamentPlan, Fixture, MatchResult]] = deque()
        self._changed = threading.Condition()
        self._arrived = self._lost = self._given_up = 0
        self._trouble = ""
        self._busy = self._ended = False
        # A daemon: a server that hangs does not keep the program from ending.
        threading.Thread(target=self._serve, name=f"publish {url}", daemon=True).start()

    def look(self, progress: Progress) -> None:
        """After a match: send every finished match that may be seen already."""
        for fixture in progress.fixtures:
            result = progress.results.get(fixture.match_id)
            new = result is not None and fixture.match_id not in self._seen
            if new and _may_be_seen(progress.plan, fixture):
                self._offer(progress.plan, fixture, progress.results[fixture.match_id])

    def close(self, played: Played) -> PostedTournament:
        """Send the rest, and wait for it as long as matches arrive."""
        for fixture in played.fixtures:
            if fixture.match_id not in self._seen:
                self._offer(played.plan, fixture, played.results[fixture.match_id])
        with self._changed:
            while self._waiting or self._busy:
                # Every match that arrives, or is lost, wakes this thread.
                if not self._changed.wait(self._parting):
                    self._trouble = f"{self.url} has taken nothing for {self._parting:g} s"
                    break
            self._ended = True
            left = len(self._waiting) + self._busy
            self._waiting.clear()
            self._changed.notify_all()
            return PostedTournament(self.url, self._arrived + self._lost + left, self._arrived, self._trouble)

    def _offer(self, plan: TournamentPlan, fixture: Fixture, result: MatchResult) -> None:
        self._seen.add(fixture.match_id)
        if result.moves and result.counts:  # else there is no match to show, or it is played again
            with self._changed:
                self._waiting.append((plan, fixture, result))
                self._changed.notify_all()

    # -- in the thread ----------------------------------------------------------------------------------

    def _serve(self) -> None:
        while (match := self._take()) is not None:
            try:
                self._deliver(packet(_for_spectators(published_match(*match)), self._key))
                trouble = ""
            except Exception as error:  # whatever a server or a record does, the tournament goes on
                trouble = str(error) or type(error).__name__
            with self._changed:
                self._given_up = self._given_up + 1 if trouble else 0
                self._arrived, self._lost = self._arrived + (not trouble), self._lost + bool(trouble)
                self._trouble = trouble or self._trouble
                self._busy = False
                self._changed.notify_all()

    def _take(self) -> tuple[TournamentPlan, Fixture, MatchResult] | None:
        with self._changed:
            self._changed.wait_for(lambda: bool(self._waiting) or self._ended)
            self._busy = bool(self._waiting)
            return self._waiting.popleft() if self._waiting else None

    def _deliver(self, data: bytes) -> None:
        if self._given_up >= MOST_LOST:
            raise PostError(self._trouble)
        for pause in self._pauses:
            try:
                post(self.url, data, self._seconds)
                return
            except PostError as error:
                if error.final:
                    raise
                time.sleep(pause)
        post(self.url, data, self._seconds)


def _may_be_seen(plan: TournamentPlan, fixture: Fixture) -> bool:
    """Whether a match tells nothing about others of the tournament."""
    info = load_planned(plan.game(fixture.game), plan.engine, plan.lenient).info
    return info.is_open and len(info.players) == len(info.roles)


def _for_spectators(match: PublishedMatch) -> PublishedMatch:
    return replace(match, record=replace(match.record, seed=None))
