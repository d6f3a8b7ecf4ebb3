"""Requests that are too large, malformed or strange are refused, and the server goes on."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludorum.web.app import make_app
from ludorum.web.config import SiteConfig
from ludorum.web.store.database import open_database
from tests.web.served import API, PATIENCE, Person, served_app

People = Callable[[], Person]
CHUNK = b" " * 65536


def test_a_body_of_a_hundred_megabytes_is_refused_by_its_length(address: str) -> None:
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), PATIENCE) as connection:
        head = f"POST {API}/games HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 104857600\r\n\r\n"
        connection.sendall(head.encode() + CHUNK)
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(("path", "most"), [("/games", 1024 * 1024), ("/accounts", 64 * 1024)])
def test_a_body_without_a_length_is_read_up_to_the_limit(person: People, path: str, most: int) -> None:
    ann = person()
    ann.get("/me")
    sent = 0

    def body() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(1600):
            sent += len(CHUNK)
            yield CHUNK

    headers = {"X-CSRF-Token": ann.get("/me")["csrf"], "Content-Type": "application/json"}
    try:
        answer = ann.http.post(API + path, content=body(), headers=headers)
    except httpx.TransportError:
        pass  # the server has closed the connection while the client was still sending
    else:
        assert answer.status_code == 413
    assert sent < 1600 * len(CHUNK)
    assert httpx.get(ann.address + "/healthz").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no json",
        b"[]",
        b"null",
        b"[" * 60_000,
        b'{"name": NaN, "password": 1}',
        b'{"name": "\xff", "password": "x"}',
        b'{"name": ["a"], "password": {}}',
        b'{"name": "ann"}',
        b'{"name": "\\ud800", "password": "\\ud800 long enough"}',
        b'{"name": "valid", "password": "long \\ud800 enough"}',
        b'{"name": "a", "password": "b", "is_admin": true}',
    ],
)
def test_bodies_that_make_no_sense_are_refused(person: People, body: bytes) -> None:
    ann = person()
    headers = {"X-CSRF-Token": ann.get("/me")["csrf"], "Content-Type": "application/json"}
    for path in ("/accounts", "/session", "/games", "/matches"):
        answer = ann.http.post(API + path, content=body, headers=headers)
        assert answer.status_code in (400, 422), answer.text
        assert set(answer.json()["error"]) == {"code", "message", "hint"}


def test_what_was_sent_is_not_repeated(person: People) -> None:
    answer = person().send("POST", "/accounts", {"name": 7, "password": ["very secret"]})
    assert answer.status_code == 422
    assert "secret" not in answer.text


def test_the_description_of_the_api_names_every_path(address: str) -> None:
    paths = httpx.get(f"{address}{API}/openapi.json").json()["paths"]
    wanted = ["me", "accounts", "session", "games", "players", "matches", "leaderboard", "admin/audit"]
    wanted += ["games/{game_id}", "games/{game_id}/start", "games/{game_id}/report", "players/{name}"]
    wanted += ["matches/{match_id}", "jobs/{job_id}"]
    wanted += [f"matches/{{match_id}}/{part}" for part in ("seat", "record", "analysis", "knowledge")]
    assert {f"{API}/{path}" for path in wanted} <= set(paths)
    assert {"/healthz", "/metrics"} <= set(paths)


def test_health_and_metrics_are_told(person: People) -> None:
    ann = person()
    ann.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me"}}, 201)
    assert ann.http.get("/healthz").json()["status"] == "ok"
    answer = ann.http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    numbers = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
    assert float(numbers["ludorum_matches_made_total"]) >= 1
    assert float(numbers['ludorum_http_answers_total{status="2xx"}']) >= 2
    assert float(numbers["ludorum_journal_events"]) >= 1


def test_counters_are_not_for_visitors_from_elsewhere(person: People) -> None:
    """They would tell the people at a match when another has moved unseen."""
    ann, root = person(), person()
    elsewhere = {"X-Forwarded-For": "203.0.113.5"}  # as a proxy on this machine says it
    assert ann.http.get("/metrics", headers=elsewhere).status_code == 403
    assert ann.http.get(f"{API}/metrics", headers=elsewhere).status_code == 403
    assert ann.http.get("/healthz", headers=elsewhere).status_code == 200
    root.come_as("root")
    assert root.http.get("/metrics", headers=elsewhere).status_code == 200


def test_the_time_to_the_acknowledgement_of_moves_is_a_histogram(person: People) -> None:
    ann = person()
    both = {"xplayer": "me", "oplayer": "me"}
    match = ann.post("/matches", {"game": "tictactoe", "seats": both}, 201)["id"]
    buckets = re.compile(r'^ludorum_move_seconds_bucket{le="[^"]+"} (\d+)$', re.MULTILINE)

    def counts() -> list[int]:
        return [int(count) for count in buckets.findall(ann.http.get("/metrics").text)]

    before = counts()
    with ann.watch(match) as page:
        page.view()
        page.move()
        assert page.ask("chat", text="hello")["type"] == "ack"
    after = counts()
    assert after == sorted(after)
    assert after[-1] == before[-1] + 1


@pytest.mark.long
def test_the_description_of_the_api_is_not_made_in_the_event_loop(tmp_path: Path) -> None:
    database = str(tmp_path / "web.db")
    app = make_app(SiteConfig(database), open_database(database))
    make, are_in_loop = app.openapi, list[bool]()

    def watched() -> dict[str, Any]:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            are_in_loop.append(False)
        else:
            are_in_loop.append(True)
        return make()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "openapi", watched)
        with served_app(app) as (address, _), Person(address) as someone:
            assert someone.get("/openapi.json")["info"]["title"] == "Ludorum"
    assert are_in_loop == [False]
