"""The page is answered for every path that it knows; files outside its folder are not."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from ludorum.web.config import SiteConfig
from tests.web.served import Person, served

People = Callable[[], Person]


@pytest.mark.parametrize("path", ["/", "/games", "/game/chess", "/match/m1?seat=x", "/player/a%20b", "/new"])
def test_every_path_of_the_page_answers_the_page(address: str, path: str) -> None:
    answer = httpx.get(address + path)
    assert answer.status_code == 200
    assert answer.text.startswith("<!doctype html><title>Ludorum</title>")
    assert answer.headers["cache-control"] == "no-cache"


def test_assets_are_kept_for_ever_and_sent_compressed(address: str) -> None:
    answer = httpx.get(address + "/assets/app-1234.js")
    assert answer.text == "const page = 1;\n" * 100
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < 200
    again = httpx.get(address + "/assets/app-1234.js", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = httpx.get(address + "/assets/app-1234.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/../secret.txt",
        "//etc/passwd",
        "/assets//etc/passwd",
        "/assets/%00",
        "/assets/" + "x" * 5000,
        "/assets/unknown.js",
        "/assets/..\\..\\secret.txt",
    ],
)
def test_paths_lead_nowhere_else(address: str, path: str) -> None:
    """Sent as they are: clients of libraries would tidy them up."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    status = int(answer.split()[1])
    assert b"not for the web" not in answer
    assert b"root:" not in answer
    assert status in (200, 400, 404)
    assert status != 200 or b"<title>Ludorum</title>" in answer


def test_answers_tell_browsers_to_be_careful(address: str) -> None:
    for path in ("/", "/api/v1/me", "/api/v1/unknown", "/healthz"):
        headers = httpx.get(address + path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert len(headers["x-request-id"]) == 12


def test_what_is_no_part_of_the_api_is_told_as_json(person: People) -> None:
    for path in ("/unknown", "/", "/games/", "", "/../x"):
        assert person().http.get("/api/v1" + path).json()["error"]["code"] == "not-found"
    answer = person().http.put("/api/v1/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "wrong-method")


def test_a_missing_page_says_how_it_is_built(tmp_path: Path) -> None:
    with served(SiteConfig(str(tmp_path / "web.db"), page=tmp_path / "none")) as address:
        answer = httpx.get(address)
        assert answer.status_code == 503
        assert "make page" in answer.text


def test_a_server_of_this_machine_answers_to_its_own_names_alone(tmp_path: Path) -> None:
    """Otherwise a page elsewhere could reach it under a name that it makes point here."""
    with served(SiteConfig(str(tmp_path / "web.db"), hosts=("localhost", "127.0.0.1"))) as address:
        assert httpx.get(address + "/healthz").status_code == 200
        answer = httpx.get(address + "/healthz", headers={"Host": "evil.example"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (421, "wrong-host")
