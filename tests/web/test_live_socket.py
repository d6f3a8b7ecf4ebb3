"""The websocket of a match belongs to the person whose cookie it has, and to pages of this server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from ludorum.web.config import Rate, SiteConfig, SiteLimits
from tests.web.served import Person, served

People = Callable[[], Person]
BOTH = {"game": "tictactoe", "seats": {"xplayer": "me", "oplayer": "me"}}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_pages_of_other_sites_get_no_websocket(person: People, origin: str) -> None:
    ann = person()
    match = ann.post("/matches", BOTH, 201)["id"]
    with pytest.raises(InvalidStatus) as refused:
        ann.watch(match, origin=origin)
    assert refused.value.response.status_code == 403


def test_without_the_cookie_a_page_only_watches(person: People) -> None:
    ann, eve = person(), person()
    match = ann.post("/matches", BOTH, 201)["id"]
    with eve.watch(match) as page:
        view = page.view()
        assert (view["viewer"], view["choices"]) == (None, [])
        for message in ("move", "resign", "pause", "offer", "answer", "premove", "chat"):
            refused = page.ask(message, step=0, move="(mark 1 1)", what="draw", accept=True, text="hello")
            assert refused["type"] == "refused"
            assert refused["why"]
    assert ann.get(f"/matches/{match}")["step"] == 0


def test_a_stranger_with_an_account_moves_nobodys_pieces(person: People) -> None:
    ann, eve = person(), person()
    match = ann.post("/matches", BOTH, 201)["id"]
    eve.sign_up("stranger")
    with eve.watch(match) as page:
        page.view()
        assert page.ask("move", step=0, move="(mark 1 1)")["type"] == "refused"


def test_a_wrong_seat_token_opens_nothing(person: People) -> None:
    ann, eve = person(), person()
    match = ann.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me"}}, 201)["id"]
    eve.sign_up("guesser")
    with eve.watch(match, "?seat=wrong%00%ff") as page:
        assert page.view()["viewer"] is None


@pytest.mark.parametrize("name", ["unknown", "%00", "x" * 200])
def test_an_unknown_match_closes_the_websocket(person: People, name: str) -> None:
    with person().watch(name) as page:
        assert page.close_code() == 4404


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        "7",
        "null",
        '{"type": 7}',
        '{"type": "move", "id": {}}',
        '{"type": "chat", "text": "\\ud800"}',
        '{"type": "chat", "text": "\\u0000"}',
        "[" * 10_000,
        "x" * 20_000,
        b"\x00\xff",
    ],
)
def test_what_is_no_message_is_refused_and_the_page_goes_on(person: People, text: str | bytes) -> None:
    ann = person()
    match = ann.post("/matches", BOTH, 201)["id"]
    with ann.watch(match) as page:
        page.view()
        page.connection.send(text)
        assert page.receive() == {"type": "refused", "id": None, "why": "that is no message"}
        page.connection.send(json.dumps({"type": "ping"}))
        assert page.receive() == {"type": "pong"}


@pytest.mark.parametrize(
    "message",
    [
        {"type": "unknown"},
        {"type": "move"},
        {"type": "move", "step": "0", "move": 7},
        {"type": "move", "step": 0, "move": "(mark 9 9)"},
        {"type": "move", "step": 0, "move": "((("},
        {"type": "move", "step": 5, "move": "(mark 1 1)"},
        {"type": "move", "step": 10**30, "move": "(mark 1 1)"},
        {"type": "offer", "what": "money"},
        {"type": "answer", "what": "draw", "accept": "yes"},
        {"type": "chat", "text": 7},
        {"type": "chat", "text": ""},
        {"type": "premove", "move": []},
    ],
)
def test_messages_that_make_no_sense_are_refused(person: People, message: dict[str, object]) -> None:
    ann = person()
    match = ann.post("/matches", BOTH, 201)["id"]
    with ann.watch(match) as page:
        page.view()
        page.connection.send(json.dumps(message | {"id": 1}))
        while (answer := page.receive())["type"] == "view":
            pass
        assert (answer["type"], answer["id"]) == ("refused", 1)
        assert answer["why"]


def test_a_move_is_acknowledged_and_seen_by_all(person: People) -> None:
    ann, eve = person(), person()
    match = ann.post("/matches", BOTH, 201)["id"]
    with ann.watch(match) as page, eve.watch(match) as other:
        page.view(step=0)
        other.view(step=0)
        page.move()
        assert page.view(step=1)["to_move"] == ["oplayer"]
        assert other.view(step=1)["moves"][-1]["step"] == 1


def test_signing_out_closes_the_websockets_of_the_session(person: People) -> None:
    ann = person()
    ann.sign_up("leaver")
    match = ann.post("/matches", BOTH, 201)["id"]
    with ann.watch(match) as page:
        page.view()
        ann.send("DELETE", "/session")
        assert page.close_code() == 4401


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[str]:
    """A server that allows two websockets of a person, and three messages at once."""
    limits = SiteLimits(sockets=2, messages=Rate(3, 0.001))
    with served(SiteConfig(str(tmp_path / "web.db"), limits=limits)) as address:
        yield address


@pytest.mark.long
def test_websockets_and_messages_are_bounded(narrow: str) -> None:
    with Person(narrow) as ann:
        match = ann.post("/matches", BOTH, 201)["id"]
        with ann.watch(match) as one, ann.watch(match) as two, ann.watch(match) as three:
            assert one.view()["viewer"] == two.view()["viewer"]
            assert three.close_code() == 4429
            for _ in range(4):
                one.connection.send(json.dumps({"type": "ping"}))
            assert one.close_code() == 4429
        with ann.watch(match) as again:
            again.view()


@pytest.mark.long
def test_the_server_tells_pages_that_it_ends(tmp_path: Path) -> None:
    with Person("http://unused") as ann:
        with served(SiteConfig(str(tmp_path / "web.db"))) as address:
            ann.http.close()
            with Person(address) as bea:
                page = bea.watch(bea.post("/matches", BOTH, 201)["id"])
                page.view()
        assert page.close_code() == 1012
