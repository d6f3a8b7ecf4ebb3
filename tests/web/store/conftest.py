"""Empty databases of either kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.postgres_server import new_database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "new folder" / "web.db")
    return new_database(request.getfixturevalue("postgres"))
