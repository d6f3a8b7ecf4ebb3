"""Publishing by POST: a real server of spectators, such as it may be: good, slow, unwilling, gone."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from typer.testing import CliRunner

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.records.notes import Notes
from ludorum.arena.records.posting import Poster, packet
from ludorum.arena.records.publisher import Publisher
from ludorum.arena.records.record_checks import growth_faults, record_faults
from ludorum.arena.records.signatures import SigningKey, check_signature, save_key
from ludorum.cli.app import app
from ludorum.engine.load import load_game
from ludorum.players import make_player

KEY = SigningKey.generate()
Json = dict[str, object]


class Spectators(ThreadingHTTPServer):
    """Takes packets; ``reply`` says with which status, and may take its time or break the connection."""

    daemon_threads = True

    def __init__(self, reply: Callable[[int], int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = reply
        self.bodies: list[bytes] = []
        self.kinds: set[str | None] = set()
        self.came = threading.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/publish"

    @property
    def forms(self) -> list[tuple[str, Json]]:
        """The secret and the match of every packet."""
        found = []
        for body in self.bodies:
            assert body.startswith(b"AUTH=")
            assert body.split(b"&")[1].startswith(b"DATA=%7B")
            form = parse_qs(body.decode("ascii"), strict_parsing=True)
            assert list(form) == ["AUTH", "DATA"]
            found.append((form["AUTH"][0], json.loads(form["DATA"][0])))
        return found

    def wait_for(self, count: int) -> None:
        with self.came:
            assert self.came.wait_for(lambda: len(self.bodies) >= count, 30)


class _Handler(BaseHTTPRequestHandler):
    server: Spectators

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.came:
            number = len(self.server.bodies)
            self.server.bodies.append(body)
            self.server.kinds.add(self.headers["Content-Type"])
            self.server.came.notify_all()
        status = self.server.reply(number)
        if status:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"key%d\nmore\n" % number)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def spectators(reply: Callable[[int], int] = lambda number: 200) -> Iterator[Spectators]:
    with Spectators(reply) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def play(game_name: str, poster: Poster, seed: int = 3) -> Match:
    game = load_game(game_name)
    match = Match(game, seed, match_id="m1")
    players = {role: make_player("random", at) for at, role in enumerate(game.info.players)}
    notes = Notes(Publisher(Clocks(10, 5), ("random",) * len(game.roles)), poster=poster)
    return play_match(match, players, 5.0, notes.write)


def check_packets(forms: list[tuple[str, Json]]) -> None:
    assert len({auth for auth, _ in forms}) == 1
    assert len({match["randomToken"] for _, match in forms}) == 1
    assert forms[0][0] not in json.dumps(forms[0][1])  # the secret stays one
    for _, match in forms:
        assert record_faults(match) == []
        assert check_signature(match) == KEY.public_text
        assert ("x-seed" in match) == match["isCompleted"]
    for (_, before), (_, after) in pairwise(forms):
        assert growth_faults(before, after) == []


@pytest.mark.parametrize("verb", ["match", "host"])
def test_a_match_is_published_from_the_command_line(tmp_path: Path, verb: str) -> None:
    save_key(KEY, tmp_path / "key.pem")
    with spectators() as server:
        words = ["tictactoe", "--players", "random,legal", "--clock", "5,5", "--seed", "3", "--id", "m1"]
        words += ["--publish", server.url, "--key", str(tmp_path / "key.pem"), "--json"]
        done = CliRunner().invoke(app, [verb, *words])
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["published"]["trouble"] == ""
    assert told["published"]["packets"] == len(server.bodies)
    assert told["published"]["answer"] == f"key{len(server.bodies) - 1}"
    assert server.kinds == {"application/x-www-form-urlencoded"}
    check_packets(server.forms)
    last = server.forms[-1][1]
    assert (last["isCompleted"], last["moves"], last["matchId"]) == (True, told["moves"], "m1")


def test_a_slow_server_costs_the_match_nothing() -> None:
    release = threading.Event()

    def hang(number: int) -> int:
        release.wait(30)
        return 200

    with spectators(hang) as server:
        poster = Poster(server.url, KEY, seconds=30)
        match = Match(load_game("tictactoe"), match_id="m1")
        publisher = Publisher(Clocks(10, 5), ("random", "random"))
        poster.offer(publisher, match)
        server.wait_for(1)
        begin = time.monotonic()
        while not match.is_over:
            match.settle({})
            poster.offer(publisher, match)
        assert time.monotonic() - begin < 5
        assert len(server.bodies) == 1  # all others have to wait, and the match does not
        release.set()
        posted = poster.close(30)
    assert (posted.packets, posted.trouble) == (2, "")
    check_packets(server.forms)
    assert [len(form["moves"]) for _, form in server.forms] == [0, len(match.moves)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "tries"), [(503, 3), (0, 3), (404, 1)], ids=["out of order", "cut off", "refused"]
)
def test_tries_are_counted(status: int, tries: int) -> None:
    with spectators(lambda number: status) as server:
        poster = Poster(server.url, KEY, pauses=(0.01, 0.01))
        poster.offer(Publisher(Clocks(10, 5), ("a", "b")), Match(load_game("tictactoe"), match_id="m1"))
        posted = poster.close(30)
        assert len(server.bodies) == tries
    assert len(set(server.bodies)) == 1
    assert posted.packets == 0
    assert server.url in posted.trouble
    assert str(posted).startswith("not published to the end: http")


def test_what_did_not_arrive_at_first_arrives_later() -> None:
    with spectators(lambda number: 503 if number < 2 else 200) as server:
        poster = Poster(server.url, KEY, pauses=(0.01, 0.01))
        match = play("tictactoe", poster)
        posted = poster.close(30)
    assert posted.trouble == ""
    assert server.forms[-1][1]["isCompleted"] is True
    assert len(server.forms[-1][1]["states"]) == len(match.states)  # type: ignore[arg-type]


@pytest.mark.alone
def test_nobody_there_and_nobody_who_answers() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        poster = Poster(url, KEY, pauses=(0.01,))
        play("tictactoe", poster)
        assert "cannot be reached" in poster.close(30).trouble
        silent.listen()  # takes connections, and never says a word
        poster = Poster(url, KEY)
        play("tictactoe", poster)
        begin = time.monotonic()
        assert poster.close(0.2).trouble == f"{url} has not taken it within 0.2 s"
        assert time.monotonic() - begin < 3


def test_players_of_a_game_with_secrets_learn_nothing_from_spectators() -> None:
    with spectators() as server:
        poster = Poster(server.url, KEY)
        match = Match(load_game("kuhn_poker"), 5, match_id="m1")
        publisher = Publisher(Clocks(10, 5), ("random",) * len(match.game.roles))
        poster.offer(publisher, match)
        server.wait_for(1)
        while not match.is_over:
            match.settle({})
            poster.offer(publisher, match)
        poster.close(30)
    check_packets(server.forms)
    lengths = [len(form["moves"]) for _, form in server.forms]  # type: ignore[arg-type]
    assert lengths == [0, len(match.moves)]


def test_the_secret_is_the_same_for_the_match_and_no_other() -> None:
    game = load_game("tictactoe")
    secrets = set()
    for match_id, key in (("m1", KEY), ("m1", KEY), ("m2", KEY), ("m1", SigningKey.generate())):
        match = Match(game, match_id=match_id, now=lambda: 5.0)
        version = Publisher(Clocks(10, 5), ("a", "b")).version(match)
        secrets.add(packet(version, key).split(b"&")[0])
    assert len(secrets) == 3
    assert all(len(secret) == len(b"AUTH=") + 32 for secret in secrets)


def test_nothing_is_sent_after_the_end() -> None:
    with spectators() as server:
        poster = Poster(server.url, KEY)
        match = play("tictactoe", poster)
        (thread,) = (one for one in threading.enumerate() if one.name == f"publish {server.url}")
        poster.close()
        thread.join(30)
        assert not thread.is_alive()
        sent = len(server.bodies)
        poster.offer(Publisher(Clocks(10, 5), ("random",) * 2), match)
        assert len(server.bodies) == sent


def test_an_address_that_cannot_be_published_to() -> None:
    words = ["match", "tictactoe", "--players", "random", "--publish", "spectators.example"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "an address such as http://host/path" in done.stderr
