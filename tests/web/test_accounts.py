"""People sign up, in and out; nobody acts with another's session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from ludorum.web.config import Rate, SiteConfig, SiteLimits
from ludorum.web.store.accounts import find_name
from ludorum.web.store.database import open_database
from ludorum.web.visitor import COOKIE
from tests.web.served import API, Person, served
from tests.web.test_games import RACE

People = Callable[[], Person]
PASSWORD = "a long password"


def test_a_first_visit_has_a_token_and_no_account(person: People) -> None:
    me = person().get("/me")
    assert me["user"] is None
    assert len(me["csrf"]) == 64


def test_the_first_change_makes_a_guest_under_a_new_cookie(person: People) -> None:
    ann = person()
    ann.get("/me")
    before = ann.http.cookies[COOKIE]
    ann.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me"}}, 201)
    me = ann.get("/me")
    assert me["user"]["is_guest"] is True
    assert me["user"]["name"].startswith("guest-")
    assert me["csrf"] == ann.csrf
    assert ann.http.cookies[COOKIE] != before


def test_the_cookie_is_not_for_scripts_and_not_for_other_sites(person: People) -> None:
    cookie = person().http.get(API + "/me").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie


def test_behind_tls_the_cookie_is_for_tls_alone(address: str) -> None:
    answer = httpx.get(address + API + "/me", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in answer.headers["set-cookie"]


def test_a_guest_who_signs_up_keeps_the_matches(person: People) -> None:
    bea = person()
    match = bea.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me"}}, 201)["id"]
    bea.sign_up("bea")
    assert bea.get("/me")["user"] == {"name": "bea", "is_guest": False, "is_admin": False}
    assert bea.get(f"/matches/{match}")["viewer"] == "xplayer"


def test_signing_in_gives_a_new_token_and_ends_the_old_session(person: People) -> None:
    one = person()
    one.sign_up("carl")
    first, csrf = one.http.cookies[COOKIE], one.csrf
    one.post("/session", {"name": "CARL", "password": PASSWORD})
    assert one.http.cookies[COOKIE] != first
    assert one.csrf != csrf
    old = person()
    old.http.cookies.set(COOKIE, first)
    assert old.get("/me")["user"] is None


def test_a_planted_cookie_never_becomes_a_session(person: People) -> None:
    """Session fixation: the attacker knows a cookie that the victim's browser has when signing up."""
    attacker, victim = person(), person()
    attacker.get("/me")
    planted = attacker.http.cookies[COOKIE]
    victim.http.cookies.set(COOKIE, planted)
    victim.sign_up("victim")
    assert victim.get("/me")["user"]["name"] == "victim"
    assert attacker.http.cookies[COOKIE] == planted
    assert attacker.get("/me")["user"] is None


def test_signing_out_ends_the_session(person: People) -> None:
    dora = person()
    dora.sign_up("dora")
    token = dora.http.cookies[COOKIE]
    assert dora.send("DELETE", "/session").json()["user"] is None
    dora.http.cookies.clear()
    dora.http.cookies.set(COOKIE, token)
    assert dora.get("/me")["user"] is None


@pytest.mark.long
def test_a_wrong_password_and_an_unknown_name_are_told_alike(person: People) -> None:
    eve = person()
    eve.sign_up("eve")
    wrong = eve.send("POST", "/session", {"name": "eve", "password": "another password"})
    unknown = eve.send("POST", "/session", {"name": "nobody at all", "password": PASSWORD})
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        ("x", PASSWORD, "name"),
        ("<script>alert(1)</script>", PASSWORD, "name"),
        ("guest-9", PASSWORD, "name"),
        ("n" * 31, PASSWORD, "name"),
        ("frank", "short", "password"),
        ("frankfrank", "FrankFrank", "password"),
        ("frank\0", PASSWORD, "invalid"),
        ("frank", "p" * 201, "invalid"),
    ],
)
def test_names_and_passwords_have_bounds(person: People, name: str, password: str, code: str) -> None:
    answer = person().send("POST", "/accounts", {"name": name, "password": password})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == code
    assert password not in answer.text or code == "name"


def test_names_differ_in_more_than_capital_letters(person: People) -> None:
    person().sign_up("Gus")
    answer = person().send("POST", "/accounts", {"name": "gUS", "password": PASSWORD})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "name-taken")


@pytest.mark.long
def test_a_change_needs_the_token_of_its_session(person: People) -> None:
    hal, ivy = person(), person()
    hal.sign_up("hal")
    ivy.sign_up("ivy")
    for token in ("", ivy.csrf, "é"):
        answer = hal.http.post(
            API + "/matches",
            json={"game": "tictactoe", "seats": {}},
            headers={b"X-CSRF-Token": token.encode("latin-1")},
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_changes_nothing(person: People, headers: dict[str, str]) -> None:
    jim = person()
    body = {"game": "tictactoe", "seats": {}}
    answer = jim.send("POST", "/matches", body, **headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "origin")
    assert jim.send("POST", "/matches", body, Origin=jim.address).status_code == 201


def test_passwords_and_tokens_are_kept_as_digests(folder_of_one: tuple[str, Person]) -> None:
    path, kim = folder_of_one
    kim.sign_up("kim")
    database = open_database(path)
    with database.reading() as connection:
        found = find_name(connection, "kim")
    database.close()
    assert found is not None
    assert str(found[1]).startswith("$argon2id$")
    written = b"".join(one.read_bytes() for one in Path(path).parent.glob("web.db*"))
    assert kim.http.cookies[COOKIE].encode() not in written
    assert PASSWORD.encode() not in written


@pytest.mark.long
def test_passwords_are_not_guessed_fast(folder_of_one: tuple[str, Person]) -> None:
    _, lou = folder_of_one
    lou.sign_up("lou")
    codes = [
        lou.send("POST", "/session", {"name": "lou", "password": f"password {guess}"}).status_code
        for guess in range(4)
    ]
    assert codes == [401, 401, 429, 429]
    refused = lou.send("POST", "/session", {"name": "lou", "password": PASSWORD})
    assert int(refused.headers["retry-after"]) > 0
    assert refused.json()["error"]["hint"].startswith("try again in")


@pytest.mark.long
def test_guests_of_one_address_are_bounded(folder_of_one: tuple[str, Person]) -> None:
    _, first = folder_of_one
    codes = []
    for _ in range(4):
        with Person(first.address) as guest:
            body = {"game": "tictactoe", "seats": {}}
            codes.append(guest.send("POST", "/matches", body).status_code)
    assert codes == [201, 201, 201, 429]


@pytest.fixture
def folder_of_one(tmp_path: Path) -> Iterator[tuple[str, Person]]:
    """A server with narrow limits, and a person at it."""
    path = str(tmp_path / "web.db")
    limits = SiteLimits(sign_in=Rate(3, 0.001), guests=Rate(3, 0.001))
    with served(SiteConfig(path, limits=limits)) as address, Person(address) as someone:
        yield path, someone


@pytest.mark.long
def test_administrators_are_those_of_the_command_line_and_all_they_do_is_noted(person: People) -> None:
    root, mia = person(), person()
    mia.sign_up("mia")
    mia.get("/admin/audit", 403)
    assert mia.send("DELETE", "/admin/accounts/root").status_code == 403
    root.come_as("root")
    assert root.get("/me")["user"]["is_admin"] is True
    game = mia.post("/games", {"text": RACE}, 201)["id"]
    assert root.send("DELETE", f"/games/{game}").status_code == 204
    assert root.send("DELETE", "/admin/accounts/mia").status_code == 204
    assert mia.get("/me")["user"] is None
    assert mia.send("POST", "/session", {"name": "mia", "password": PASSWORD}).status_code == 403
    mia.csrf = ""
    assert mia.send("POST", "/session", {"name": "mia", "password": PASSWORD}).status_code == 401
    acts = [(one["name"], one["act"], one["subject"]) for one in root.get("/admin/audit")]
    assert acts.count(("root", "close-account", "mia")) == 1
    assert acts.count(("root", "remove-game", game)) == 1
    assert root.send("DELETE", "/admin/accounts/root").status_code == 409
    assert root.send("DELETE", "/admin/accounts/unknown").status_code == 404
