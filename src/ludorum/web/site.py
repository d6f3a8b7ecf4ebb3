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
from .rate_limits import RateLimiter
from .sockets import Sockets
from .store.database import Database
from .store.journal import SqlJournal
from .watcher import ListKeeper


@dataclass
class Site:
    """The parts of a server."""

    config: SiteConfig
    database: Database
    journal: SqlJournal
    hub: MatchHub
    lists: ListKeeper
    catalogue: Catalogue
    ladder: MatchLadder
    jobs: Reports
    counters: Counters
    passwords: Passwords = field(default_factory=Passwords)
    rates: RateLimiter = field(default_factory=RateLimiter)
    sockets: Sockets = field(default_factory=Sockets)

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
