"""Everything that a running server has: one value that the routes are given."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from .config import Rate, SiteConfig
from .counters import Counters
from .errors import ApiError
from .games.catalogue import Catalogue
from .jobs import Reports
from .ladder import MatchLadder
from .live import MatchHub
from .passwords import Passwords
from .peers import Peers
from .rate_limits import RateLimiter
from .remotes.register import RemoteRegister
from .sockets import Sockets
from .store.accounts import digest
from .store.database import Database
from .store.journal import SqlJournal
from .tournaments import RunningTournaments, TournamentSights
from .watcher import ListKeeper


@dataclass
class Site:
    """The parts of a server."""

    config: SiteConfig
    database: Database
    journal: SqlJournal
    hub: MatchHub
    lists: ListKeeper
    remotes: RemoteRegister
    catalogue: Catalogue
    ladder: MatchLadder
    jobs: Reports
    tournaments: RunningTournaments
    tournament_sights: TournamentSights
    counters: Counters
    peers: Peers | None = None
    """The other processes that share the database; None where it is not PostgreSQL."""
    passwords: Passwords = field(default_factory=Passwords)
    rates: RateLimiter = field(default_factory=RateLimiter)
    sockets: Sockets = field(default_factory=Sockets)

    async def end_session(self, token: str) -> None:
        """End the websockets of a session, in whatever process they are."""
        await self.end_sockets(digest(token))
        if self.peers is not None:
            await self.peers.ask_others("end_sockets", digest(token))

    async def end_sockets(self, session: str) -> None:
        """End the websockets of this process for a session, which the digest of its token names."""
        self.sockets.close_session(session)

    def gauges(self) -> dict[str, float]:
        """Numbers of this process."""
        gauges = {f"live_{name}": value for name, value in self.hub.metrics().items()}
        return gauges | {
            "tournaments_running": self.tournaments.count,
            "websockets": len(self.sockets),
            "jobs": self.jobs.waiting,
            "rate_limit_refusals": self.rates.refusals,
            "journal_events": self.journal.written,
            "journal_commits": self.journal.commits,
        }

    async def metrics(self) -> str:
        """The counters of this process, in the text format of Prometheus."""
        return self.counters.text(self.gauges(), "" if self.peers is None else self.peers.name)

    def limit(self, kind: str, key: str, rate: Rate) -> None:
        """Count something that an account or an address does; ApiError if it is too much."""
        if not self.config.is_limited:
            return
        wait = self.rates.wait_for(kind, key, rate)
        if wait:
            raise ApiError(
                429,
                "that was too often in a short time",
                hint=f"try again in {max(1, round(wait))} seconds",
                retry_after=wait,
            )


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request is for."""
    site: Site = connection.app.state.site
    return site
