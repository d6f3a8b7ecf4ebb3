"""Databases for tests of stores."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.postgres_server import new_database, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with postgres_server() as server:
        yield server.url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "matches.db")
    return new_database(request.getfixturevalue("postgres"))
