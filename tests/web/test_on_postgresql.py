"""The whole application on a real PostgreSQL."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from ludorum.arena.records.store_address import address
from ludorum.web.config import SiteConfig
from tests.arena.postgres_server import postgres_server
from tests.web.served import Person, served, until
from tests.web.test_games import RACE


@pytest.mark.long
def test_accounts_games_and_matches_are_kept_in_postgresql() -> None:
    with postgres_server() as server:
        config = SiteConfig(server.url, admins=("root",))
        with served(config) as where, Person(where) as ann:
            ann.sign_up("root")
            game = ann.post("/games", {"text": RACE}, 201)["id"]
            match = ann.post("/matches", {"game": game, "seats": {"ann": "me", "bob": "me"}}, 201)["id"]
            with ann.watch(match) as page:
                page.view(phase="choice")
                page.move()
            for path in ("/games/%00", "/matches/%00", "/players/%00", "/jobs/%00"):
                ann.get(path, 404)
            cookies = ann.http.cookies
        with served(config) as where, Person(where) as ann:
            ann.http.cookies = cookies
            assert ann.get("/me")["user"] == {"name": "root", "is_guest": False, "is_admin": True}
            view = ann.get(f"/matches/{match}")
            assert (view["step"], view["viewer"] is not None) == (1, True)
            with ann.watch(match) as page:
                page.view(phase="choice")
                assert page.ask("resign")["type"] == "ack"
            listed = until(lambda: ann.get("/matches?state=over")["matches"], "the end")
            assert [one["id"] for one in listed] == [match]
        engine = sa.create_engine(address(server.url))
        with engine.connect() as connection:
            names = sa.inspect(connection).get_table_names()
        engine.dispose()
        assert {"web_accounts", "web_events", "alembic_version"} <= set(names)
