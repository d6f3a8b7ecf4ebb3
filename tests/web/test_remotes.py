"""Players elsewhere are registered by people, and play matches with people and players of the server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ludorum.arena.testing import Act, Endless, Heard, Raw, Silence
from ludorum.web.config import Rate, SiteConfig, SiteLimits
from ludorum.web.contract import MatchView
from ludorum.web.remotes import register as asking
from tests.arena.protocol.player_process import player_process
from tests.web.scripted import scripted
from tests.web.served import Person, served, until

People = Callable[[], Person]


def register(person: Person, name: str, url: str, status: int = 201, **more: object) -> Any:
    return person.post("/remotes", {"name": name, "url": url} | more, status)


@pytest.fixture(scope="module")
def owner(address: str) -> Iterator[Person]:
    """Somebody who has signed up: that takes a second of the processor."""
    with Person(address) as found:
        found.sign_up("registrar")
        yield found


def test_a_registered_player_is_listed_and_can_be_chosen(owner: Person, person: People) -> None:
    ann, bob = owner, person()
    with scripted() as far:
        made = register(ann, "Listed", far.url)
        assert made | {"answered": 0} == {
            "name": "Listed",
            "player": "remote:Listed",
            "owner": "registrar",
            "is_mine": True,
            "url": far.url,
            "said": "scripted",
            "language": None,
            "answered": 0,
            "is_reachable": True,
            "is_playing": False,
        }
        (seen,) = [one for one in bob.get("/remotes") if one["name"] == "Listed"]
        assert (seen["url"], seen["is_mine"]) == (None, False)
        (line,) = [one for one in bob.get("/players") if one["name"] == "remote:Listed"]
        assert line["is_available"] is True
        assert line["summary"] == "A program at another machine, registered by registrar."
        assert bob.get("/players/remote:Listed")["summary"] == line["summary"]
        assert [heard.keyword for heard in far.heard] == ["info"]


def test_what_a_player_speaks_may_stand_before_its_address(owner: Person) -> None:
    with scripted() as far, scripted() as other:
        assert register(owner, "Worldly", f"wdl+{far.url}")["language"] == "wdl"
        assert register(owner, "Worldly2", other.url, language="wdl")["language"] == "wdl"
        said = register(owner, "Worldly3", f"wdl+{far.url}", 422, language="gdl2")["error"]["message"]
        assert said == "the address says wdl, and the language is gdl2"
        assert register(owner, "Worldly4", f"klingon+{far.url}", 422)["error"]["code"] == "invalid"


def test_only_those_that_have_signed_up_register_players(person: People) -> None:
    with scripted() as far:
        guest = person()
        assert register(guest, "Guests", far.url, 401)["error"]["code"] == "sign-in-needed"
        assert guest.http.post("/api/v1/remotes", json={"name": "No", "url": far.url}).status_code == 403
        assert far.heard == []


REFUSED = [
    ("http://localhost:9147", 422, "localhost is not a host of the public internet"),
    ("http://[::1]:9147", 422, "::1 is not a host of the public internet"),
    ("http://169.254.169.254:80", 422, "not a host of the public internet"),
    ("http://10.0.0.1:9147", 422, "not a host of the public internet"),
    ("http://2130706433:9147", 422, "not a host of the public internet"),
    ("http://0:9147", 422, "not a host of the public internet"),
    ("http://1.1.1.1:25", 422, "port 25 is not one of a player"),
    ("https://1.1.1.1:9147", 422, "players are reached by http"),
    ("file:///etc/passwd", 422, "nothing more"),
    ("http://127.0.0.1:9147/path", 422, "nothing more"),
    ("http://me:secret@127.0.0.1:9147", 422, "nothing more"),
    ("http://127.0.0.1:99999", 422, "Port out of range"),
    ("http://a b:9147", 422, "a host has letters"),
    ("http://exämple.org:9147", 422, "a host has letters"),
    ("", 422, "write a player's address"),
    ("http://[", 422, "Invalid IPv6 URL"),
    ("http://no-such-host.invalid:9147", 409, "the host no-such-host.invalid is not known"),
    ("http://127.0.0.1:1", 409, "nothing at 127.0.0.1:1 answers as a player does"),
]


@pytest.mark.long
def test_addresses_that_lead_nowhere_good_are_refused(owner: Person) -> None:
    for url, status, said in REFUSED:
        assert said in register(owner, "Refused", url, status)["error"]["message"], url


def test_what_is_no_player_is_not_registered(owner: Person) -> None:
    page = b"HTTP/1.1 200 OK\r\n\r\n<html><body>already here</body></html>"
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n((name x) (status available))"
    acts: list[Act] = [Raw(page), Raw(moved), Raw(b"SSH-2.0-OpenSSH\r\n"), Endless(), "nil"]
    for act in acts:
        with scripted({"info": act, "ping": act}) as far:
            assert register(owner, "Nobody", far.url, 409)["error"]["code"] == "no-answer"
            assert 1 <= len(far.heard) <= 2


def test_a_player_that_only_answers_pings_is_one(owner: Person) -> None:
    with scripted({"info": "nil", "ping": "ready"}) as far:
        assert register(owner, "Pinged", far.url)["said"] == ""


def test_the_name_that_a_player_gives_itself_is_made_plain(owner: Person) -> None:
    said = b'((name "a\x00\x1b[31m<b>' + "é".encode() + b"z" * 300 + b'") (status available))'
    with scripted({"info": Raw(b"HTTP/1.0 200 OK\r\n\r\n" + said)}) as far:
        name = register(owner, "Noisy", far.url)["said"]
    assert name == f"a [31m<b> {'z' * 50}"


@pytest.mark.long
def test_names_and_addresses_belong_to_one_player(owner: Person, person: People) -> None:
    bob = person()
    bob.sign_up("second-owner")
    with scripted() as far, scripted() as other:
        register(owner, "Mine", far.url)
        told = register(bob, "Theirs", far.url, 409)["error"]
        assert told["message"] == "a player is registered at this address"
        told = register(bob, "mINE", other.url, 409)["error"]
        assert told["message"] == "there is a player of the name mINE"
        for name in ("x", "has blank", "ä" * 5, "a" * 31, "-a", "remote:a", "../a"):
            register(bob, name, other.url, 422)
        assert bob.send("DELETE", "/remotes/Mine").status_code == 403
        assert owner.send("DELETE", "/remotes/Mine").status_code == 204
        assert owner.send("DELETE", "/remotes/Mine").status_code == 404
        assert register(bob, "Mine", far.url, 409)["error"]["code"] == "taken"  # its matches keep their name
        register(owner, "Mine", far.url)


@pytest.mark.long
def test_an_account_has_so_many_players_until_they_or_it_are_removed(tmp_path: Path) -> None:
    limits = SiteLimits(remotes=1, remote_checks=Rate(3, 1.0))
    config = SiteConfig(
        str(tmp_path / "web.db"), admins=("chief",), limits=limits, remote_hosts=("127.0.0.1",)
    )
    with served(config) as address, Person(address) as ann, Person(address) as chief:
        ann.sign_up("collector")
        chief.sign_up("chief")
        with scripted() as far, scripted() as other:
            register(ann, "One", far.url)
            told = register(ann, "Two", other.url, 409)["error"]
            assert told["message"] == "an account has 1 players at most"
            ann.post("/remotes/One/check")
            until(lambda: ann.send("POST", "/remotes/One/check").status_code == 429, "the bound")
            (seen,) = chief.get("/remotes")
            assert (seen["url"], seen["is_mine"]) == (far.url, False)
            assert chief.send("DELETE", "/remotes/One").status_code == 204
            assert chief.get("/remotes") == []
            until(
                lambda: ann.send("POST", "/remotes", {"name": "One", "url": far.url}).is_success,
                "room for it",
            )
            assert chief.send("DELETE", "/admin/accounts/collector").status_code == 204
            assert chief.get("/remotes") == []
        acts = [(one["act"], one["subject"]) for one in chief.get("/admin/audit")]
        assert acts == [("close-account", "collector"), ("remove-remote", "One")]


def test_a_player_that_stays_silent_is_not_offered_until_it_answers_again(owner: Person) -> None:
    ann = owner
    is_deaf = threading.Event()
    with scripted(lambda heard: Raw(b"") if is_deaf.is_set() else "((name far) (status available))") as far:
        register(ann, "Moody", far.url)
        is_deaf.set()
        assert ann.post("/remotes/Moody/check")["is_reachable"] is False
        (line,) = [one for one in ann.get("/players") if one["name"] == "remote:Moody"]
        assert line["is_available"] is False
        seats = {"xplayer": "me", "oplayer": "player:remote:Moody"}
        refused = ann.post("/matches", {"game": "tictactoe", "seats": seats}, 409)
        assert refused["error"]["message"] == "remote:Moody does not answer at its address"
        is_deaf.clear()
        ann.post("/matches", {"game": "tictactoe", "seats": seats}, 201)
        assert ann.post("/remotes/Moody/check")["is_reachable"] is True


@pytest.mark.long
def test_players_are_asked_now_and_then_unless_they_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(asking, "ASK_SECONDS", -5.0)
    config = SiteConfig(str(tmp_path / "web.db"), remote_hosts=("127.0.0.1",))
    is_deaf = threading.Event()

    def answer(heard: Heard) -> Act:
        return Raw(b"") if is_deaf.is_set() else "((name far) (status available))"

    def watched() -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in ann.get("/remotes") if one["name"] == "Watched")
        return found

    def rounds_pass(count: int) -> None:
        before = len(other.heard)
        until(lambda: len(other.heard) >= before + count, "more rounds")

    with ExitStack() as stack:
        ann = stack.enter_context(Person(stack.enter_context(served(config))))
        far, other = stack.enter_context(scripted(answer)), stack.enter_context(scripted())
        ann.sign_up("watcher")
        register(ann, "Watched", far.url)
        register(ann, "Other", other.url)
        is_deaf.set()
        until(lambda: not watched()["is_reachable"], "a player that does not answer")
        is_deaf.clear()
        until(lambda: watched()["is_reachable"], "the player's answer")
        seats = {"xplayer": "open", "oplayer": "player:remote:Watched"}
        match = ann.post("/matches", {"game": "tictactoe", "seats": seats}, 201)["id"]
        assert watched()["is_playing"] is False
        ann.post(f"/matches/{match}/seat", {"role": "xplayer"})
        until(lambda: watched()["is_playing"], "the player at work")
        until(lambda: "play" in [heard.keyword for heard in far.heard], "its first step")
        rounds_pass(2)  # one may have begun before the match
        count = len(far.heard)
        rounds_pass(2)
        assert len(far.heard) == count


def play_out(page: Any) -> dict[str, Any]:
    """Make the first move there is until the match is over."""
    while page.view()["result"] is None:
        if page.last["phase"] == "choice":
            step = page.last["step"]
            page.move()
            while page.last["step"] == step:
                page.receive()
        else:
            page.receive()
    view: dict[str, Any] = page.last
    return view


@pytest.mark.long
def test_ludorum_player_plays_a_person_and_a_player_of_the_server(owner: Person, person: People) -> None:
    ann = owner
    with player_process("--as", "mcts:playouts=50") as far:
        assert register(ann, "Ludorum", far.url)["said"] == "Ludorum.mcts:playouts=50"
        for game, first, second in (
            ("connect_four", "red", "yellow"),
            ("kuhn_poker", "alice", "bob"),
        ):
            seats = {first: "me", second: "player:remote:Ludorum"}
            made = ann.post("/matches", {"game": game, "seats": seats, "think": 1, "seed": 3}, 201)
            with ann.watch(made["id"]) as page:
                view = play_out(page)
            assert view["how"] == "rules"
            assert view["notes"] == []
            MatchView.model_validate(ann.get(f"/matches/{made['id']}"))
            far.wait_for("stop")
        seats = {"red": "player:remote:Ludorum", "yellow": "player:random"}
        made = ann.post("/matches", {"game": "connect_four", "seats": seats, "think": 1, "seed": 3}, 201)
        with person().watch(made["id"]) as page:
            while page.view()["result"] is None:
                page.receive()
            assert page.last["result"] == {"red": 100, "yellow": 0}
            assert page.last["notes"] == []
    board = ann.get("/players/remote:Ludorum")
    assert {match["game"]["id"] for match in board["recent"]} == {"connect_four", "kuhn_poker"}


@pytest.mark.long
def test_a_tournament_schedules_a_player_elsewhere(owner: Person, person: People) -> None:
    with player_process("--as", "legal") as far:
        register(owner, "Cup-guest", far.url)
        name = "remote:Cup-guest"
        body = {"games": ["tictactoe"], "players": [name, "random"], "seconds": 1, "seed": 1}
        made = owner.post("/tournaments", body, 201)["id"]

        def over() -> Any:
            found = person().get(f"/tournaments/{made}")
            return found if found["state"] == "over" else None

        view = until(over, "the end of the tournament")
        assert sorted(line["player"] for line in view["standings"]) == ["random", name]
        assert view["done"] == view["total"] == 2
        for one in owner.get(f"/tournaments/{made}/matches")["matches"]:
            match = owner.get(f"/matches/{one['id']}")
            assert (match["how"], match["notes"]) == ("rules", [])
        (listed,) = [one for one in owner.get("/remotes") if one["player"] == name]
        assert listed["is_playing"] is False


@pytest.mark.long
def test_hostile_players_do_not_hurt_other_matches(person: People) -> None:
    owner = person()
    owner.sign_up("keeper of the hostile")  # an account has ten players at most, and the registrar has some

    def hostile(act: Act) -> Callable[[Heard], Act]:
        return lambda heard: "((name bad) (status available))" if heard.keyword == "info" else act

    def ended() -> list[Any]:
        over = owner.get("/matches?state=over&game=tictactoe")["matches"]
        return [one for one in over if one["roles"][0]["name"].startswith("remote:Hostile")]

    deep = Raw(b"HTTP/1.0 200 OK\r\n\r\n" + b"(" * 60_000)
    with ExitStack() as stack:
        acts: list[Act] = [Silence(), Endless(), Raw(b"(" * 60_000), deep]
        for number, act in enumerate(acts):
            far = stack.enter_context(scripted(hostile(act)))
            register(owner, f"Hostile{number}", far.url)
            seats = {"xplayer": f"player:remote:Hostile{number}", "oplayer": "player:random"}
            body = {"game": "tictactoe", "seats": seats, "think": 0.1, "prepare": 1}
            owner.post("/matches", body, 201)
        body = {"game": "connect_four", "seats": {"red": "me", "yellow": "player:random"}, "think": 0.1}
        with owner.watch(owner.post("/matches", body, 201)["id"]) as page:
            assert play_out(page)["how"] == "rules"
        until(lambda: len(ended()) == 4, "the end of the matches with hostile players")
    assert owner.get("/healthz")["status"] == "ok"
