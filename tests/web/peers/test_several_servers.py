"""Several servers over one PostgreSQL: people meet in a match whatever server they are connected to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa

from ludorum.arena.records.store_address import address
from ludorum.web.config import SiteConfig
from ludorum.web.live.arbiter import game_of
from ludorum.web.store.schema import OWNERS
from tests.web.live.hubs import library_game
from tests.web.live.remote_players import FirstMover
from tests.web.scripted import scripted
from tests.web.served import Person, served, until
from tests.web.test_remotes import register

TWO = {"game": "tictactoe", "seats": {"xplayer": "me"}}


@dataclass
class Both:
    """Ann at the server that plays the match, and Bob at the other one."""

    ann: Person
    bob: Person
    match: str


@pytest.fixture
def servers(shared: str) -> Iterator[tuple[str, str]]:
    config = SiteConfig(shared, is_limited=False)
    with served(config) as one, served(config) as other:
        yield one, other


@pytest.fixture
def people(servers: tuple[str, str]) -> Iterator[Callable[..., Both]]:
    """Begins a match of two people at different servers."""
    with ExitStack() as stack:

        def begin(game: str, first: str, second: str, **more: object) -> Both:
            ann, bob = (stack.enter_context(Person(where)) for where in servers)
            asked = {"game": game, "seats": {first: "me"}} | more
            made = ann.post("/matches", asked, 201)
            token = made["links"][second].partition("seat=")[2]
            bob.post(f"/matches/{made['id']}/seat", {"role": second, "token": token})
            return Both(ann, bob, made["id"])

        yield begin


@pytest.mark.long
def test_two_people_at_different_servers_play_a_match(people: Callable[..., Both]) -> None:
    both = people("tictactoe", "xplayer", "oplayer", chat=True)
    with both.ann.watch(both.match) as ann, both.bob.watch(both.match) as bob:
        for step in range(5):
            page, other = (ann, bob) if step % 2 == 0 else (bob, ann)
            page.view(step=step, phase="choice")
            other.view(step=step, phase="waiting")
            page.move()
        assert bob.ask("chat", text="well played")["type"] == "ack"
        ann.view(step=5)
        while not ann.last["chat"]:
            ann.receive()
        assert ann.last["chat"][0]["text"] == "well played"
        refused = bob.ask("move", step=4, move="(mark 1 1)")
        assert (refused["type"], refused["why"]) == (
            "refused",
            "the match has moved on: this choice belongs to another step",
        )
        assert ann.ask("resign")["type"] == "ack"
        bob.view(how="resigned")
        assert bob.last["result"] == {"xplayer": 0, "oplayer": 100}
    assert both.bob.get(f"/matches/{both.match}/record") == both.ann.get(f"/matches/{both.match}/record")
    step = both.bob.get(f"/matches/{both.match}/steps/3")
    assert step == both.ann.get(f"/matches/{both.match}/steps/3")


@pytest.mark.long
def test_whatever_server_is_asked_a_viewer_gets_what_it_may_see_and_no_more(
    servers: tuple[str, str], people: Callable[..., Both]
) -> None:
    """Every byte that a spectator gets from the server that does not play the match is public."""
    both = people("kuhn_poker", "alice", "bob")
    with (
        Person(servers[0]) as near,
        Person(servers[1]) as far,
        both.ann.watch(both.match) as ann,
        both.bob.watch(both.match) as bob,
    ):
        ann.view()
        bob.view()
        seen = []
        for stranger in (near, far):
            with stranger.watch(both.match) as page:
                seen.append(page.view())
            for path in ("", "/record", "/steps/0"):
                seen.append(stranger.get(f"/matches/{both.match}{path}"))
            refused = stranger.get(f"/matches/{both.match}/knowledge", 409)
            seen.append(refused)
            with stranger.watch(both.match) as page:
                page.view()
                for kind in ("move", "resign", "offer"):
                    answer = page.ask(kind, step=page.last["step"], move="bet", what="draw")
                    assert (answer["type"], answer["why"]) == (
                        "refused",
                        "only people at the match can do this",
                    )
        half = len(seen) // 2
        assert seen[:half] == seen[half:]
        assert ann.last["scene"] != seen[0]["scene"] != bob.last["scene"]
        assert seen[0]["viewer"] is None
        assert (ann.last["viewer"], bob.last["viewer"]) == ("alice", "bob")
        # A person sees the same from both servers.
        with Person(servers[1]) as again:
            again.http.cookies = both.ann.http.cookies
            with again.watch(both.match) as page:
                assert page.view()["scene"] == ann.last["scene"]


@pytest.mark.long
def test_reports_sessions_and_counters_are_those_of_all_servers(servers: tuple[str, str]) -> None:
    with Person(servers[0]) as ann, Person(servers[1]) as bob:
        job = ann.post("/games/tictactoe/report", status=202)["job"]
        assert bob.post("/games/tictactoe/report", status=202)["job"] == job
        ann.sign_up("ann")
        match = ann.post("/matches", TWO, 201)["id"]
        bob.http.cookies = ann.http.cookies
        assert bob.get("/me")["user"]["name"] == "ann"
        with bob.watch(match) as page:
            page.view()
            assert ann.send("DELETE", "/session").is_success
            assert page.close_code() == 4401
        assert bob.get("/me")["user"] is None
        seen = [one.http.get("/healthz").json() for one in (ann, bob)]
        assert len({one["process"] for one in seen}) == 2
        until(lambda: ann.http.get("/healthz").json()["processes"] == 2, "a sign of life")
        text = bob.http.get("/metrics").text
        for one in seen:
            assert f'ludorum_websockets{{process="{one["process"]}"}} ' in text
        heads = [line for line in text.splitlines() if line.startswith("#")]
        assert len(heads) == len(set(heads))
        done = until(lambda: _done(bob.get(f"/jobs/{job}")), "the report")
        assert done["result"]["games"] == 10_000
        assert ann.get(f"/jobs/{job}") == done


def _done(job: dict[str, Any]) -> dict[str, Any] | None:
    return job if job["state"] == "done" else None


@pytest.mark.long
def test_a_player_elsewhere_is_in_one_match_at_a_time_whatever_servers_have_them(shared: str) -> None:
    """Both matches are played by one server, and the second waits for the player."""
    config = SiteConfig(shared, is_limited=False, remote_hosts=("127.0.0.1",))
    with (
        served(config) as one,
        served(config) as other,
        Person(one) as ann,
        Person(other) as bob,
        scripted(FirstMover(game_of(library_game("tictactoe")))) as far,
    ):
        ann.sign_up("ann")
        register(ann, "Far", far.url)
        asked = {"game": "tictactoe", "seats": {"xplayer": "me", "oplayer": "player:remote:Far"}}
        matches = [person.post("/matches", asked, 201)["id"] for person in (ann, bob)]
        assert len(set(_owners(shared, matches))) == 1
        with ann.watch(matches[0]) as first, bob.watch(matches[1]) as second:
            while not second.view()["roles"][1]["remark"]:
                second.receive()
            assert second.last["roles"][1]["remark"] == "plays another match first"
            first.view(phase="choice")
            first.move()
            first.view(step=2)
            assert first.ask("resign")["type"] == "ack"
            second.view(step=0, phase="choice")
            second.move()
            second.view(step=2)
        told = [heard.keyword for heard in far.heard if heard.keyword in ("start", "abort")]
        assert told == ["start", "abort", "start"]


def _owners(database: str, matches: list[str]) -> list[str]:
    engine = sa.create_engine(address(database))
    with engine.connect() as connection:
        query = sa.select(OWNERS.c.server).where(OWNERS.c.match.in_(matches))
        found = list(connection.execute(query).scalars())
    engine.dispose()
    return found
