"""Tournaments where several servers share a PostgreSQL: one runs each, and another takes its place."""

from __future__ import annotations

import signal

import pytest

from ludorum.web.config import SiteConfig
from tests.web.peers.test_processes import options
from tests.web.served import Person, served, until
from tests.web.test_serve import serving
from tests.web.test_tournaments import ENDLESS, SMALL, ended


@pytest.mark.long
def test_a_tournament_outlives_its_server_and_is_stopped_at_any(shared: str) -> None:
    config = SiteConfig(shared, is_limited=False)
    with serving(*options(shared)) as first, served(config) as other, Person(other) as ann:
        ann.sign_up("ann")
        with Person(first.address) as there:
            there.http.cookies = ann.http.cookies
            made = there.post("/tournaments", SMALL | {"players": ["random", "legal"], "matches": 8}, 201)
            endless = there.post("/tournaments", ENDLESS, 201)["id"]
        until(lambda: ann.get(f"/tournaments/{made['id']}")["done"] >= 1, "a match")
        live = until(lambda: ann.get(f"/tournaments/{endless}")["live"], "a match that does not end")
        assert ann.send("POST", f"/tournaments/{endless}/stop").status_code == 204
        assert ann.get(f"/matches/{live[0]['id']}")["how"] == "stopped"
        first.end(signal.SIGKILL)
        view = ended(ann, made["id"])
        assert (view["state"], view["done"], view["total"]) == ("over", 8, 8)
        matches = ann.get(f"/tournaments/{made['id']}/matches")["matches"]
        assert len({one["id"] for one in matches}) == 8
        assert ann.get(f"/tournaments/{endless}")["state"] == "stopped"
