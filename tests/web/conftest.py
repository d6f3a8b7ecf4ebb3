"""One server for all tests of the folder that need no other, and one PostgreSQL for those that do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from ludorum.web.config import SiteConfig
from tests.arena.postgres_server import new_database, postgres_server
from tests.web.served import Person, served


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server without limits, whose administrator is root. Players may be registered at 127.0.0.1."""
    folder = tmp_path_factory.mktemp("web")
    page = folder / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>Ludorum</title>" + "<p>page</p>" * 100)
    (page / "assets" / "app-1234.js").write_text("const page = 1;\n" * 100)
    (folder / "secret.txt").write_text("not for the web")
    config = SiteConfig(
        str(folder / "web.db"), admins=("root",), page=page, is_limited=False, remote_hosts=("127.0.0.1",)
    )
    with served(config) as where:
        yield where


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with postgres_server() as server:
        yield server.url


@pytest.fixture
def shared(postgres: str) -> str:
    """An empty database that several servers may use."""
    return new_database(postgres)


@pytest.fixture
def person(address: str) -> Iterator[Callable[[], Person]]:
    """Makes people, each with a browser of their own."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(Person(address))
