"""The settings of a server, each with the reason for its default."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

PAGE_FOLDER = Path(__file__).parent / "page"


@dataclass(frozen=True)
class Rate:
    """A token bucket: so many at once, and so many more a second."""

    burst: int
    a_second: float


@dataclass(frozen=True)
class SiteLimits:
    """Bounds on what one person, or one address, can make the server do."""

    sign_in: Rate = Rate(10, 0.1)
    """Six tries a minute: a list of ten thousand passwords takes a day for one account."""
    guests: Rate = Rate(20, 0.2)
    """By address: a school behind one address brings a class at once."""
    uploads: Rate = Rate(10, 0.1)
    """A check may take a processor for seconds."""
    matches: Rate = Rate(30, 0.5)
    analyses: Rate = Rate(20, 1.0)
    tournaments: Rate = Rate(5, 0.02)
    tournaments_own: int = 2
    """Tournaments that one account may have running …"""
    tournaments_all: int = 50
    """… and the server: each holds its schedule and rules in memory."""
    tournament_matches: int = 500
    record_files: Rate = Rate(5, 0.1)
    """Files with the records of a tournament: they take the rules of every match."""
    messages: Rate = Rate(40, 10.0)
    """Of one websocket: nobody clicks faster."""
    sockets: int = 30
    """Open websockets of one account or, without one, of one address: a page for each of many matches."""
    remotes: int = 10
    """Players elsewhere that one account may register."""
    remote_checks: Rate = Rate(10, 0.1)
    """Each lets the server open a connection to an address that a person has named."""
    games: int = 200
    """Games that one account may keep."""
    body_bytes: int = 64 * 1024
    upload_bytes: int = 1024 * 1024
    """The largest public sheet has 0.4 MB, and quotes make a text longer."""
    message_bytes: int = 16 * 1024
    check_seconds: float = 15.0
    check_megabytes: float = 1000.0
    checks: int = 1
    """Checks of uploads at once: matches need the other processors."""


@dataclass(frozen=True)
class SiteConfig:
    """Everything that ``ludorum serve`` can set."""

    database: str = "ludorum.db"
    workers: int = 1
    """Processes that think for players."""
    admins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    """Host names that are answered; all where it is empty. A server for this machine alone answers only to
    the machine's own names: a page elsewhere cannot reach it by a name that it makes point here."""
    private_host: str = "127.0.0.1"
    """The address of this machine for other processes of the same PostgreSQL."""
    origins: tuple[str, ...] = ()
    """Origins of pages that may use the server beside its own, such as that of a development server."""
    remote_hosts: tuple[str, ...] = ()
    """Hosts at which players may be registered although they are not in the public internet."""
    page: Path = PAGE_FOLDER
    is_limited: bool = True
    """Whether rates are limited; measurements with one address switch this off."""
    limits: SiteLimits = field(default_factory=SiteLimits)
