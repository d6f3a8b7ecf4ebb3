"""The store keeps what was acknowledged, whoever is killed, and tells torn or foreign databases apart."""

import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from ludorum._core import SplitMix64
from ludorum.arena import verify
from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match, Reply
from ludorum.arena.records.spectator import PublishedMatch, publish, published_json
from ludorum.arena.records.store import MatchStore, StoredMatch
from ludorum.arena.records.store_address import StoreError, address, display
from ludorum.players import RandomPlayer
from ludorum.rules.kif import parse_term
from tests.arena.postgres_server import postgres_server
from tests.arena.test_spectator import published, rich_match
from tests.how_much import FULL
from tests.small_games import coin, door

LEFT, RIGHT, PUSH, WAIT, GUESSER = map(parse_term, ("left", "right", "push", "wait", "guesser"))


@pytest.mark.long
def test_a_match_comes_back_as_it_was(url: str) -> None:
    match = published(rich_match())
    with MatchStore(url) as store:
        store.begin(match)
        assert store.load("kiosk.1") == match
    with MatchStore(url) as again:
        assert again.load("kiosk.1") == match
        assert again.matches() == [StoredMatch("kiosk.1", "door", 1_600_000_000_000, 2, "completed")]


def test_every_step_is_there_before_the_next(url: str) -> None:
    match = Match(door(), 5, match_id="m1")
    with MatchStore(url) as store, MatchStore(url) as reader:
        store.begin(published(match))
        assert reader.matches() == [StoredMatch("m1", "door", match.times[0], 0, "")]
        while not match.is_over:
            match.settle({LEFT: Reply(WAIT), RIGHT: Reply(PUSH, seconds=0.01)})
            assert store.append(match) == 1
            assert reader.load("m1") == published(match)
        assert reader.matches()[0].ended == "completed"


def test_a_stored_match_is_taken_up_again(url: str) -> None:
    first = Match(coin(), 11, match_id="m")
    with MatchStore(url) as store:
        store.begin(published(first))
        first.settle({GUESSER: Reply(first.state.legal(GUESSER)[0])})
        store.append(first)
    with MatchStore(url) as store:
        second = Match.resumed(coin(), store.load("m").record)
        for match in (first, second):
            match.settle({GUESSER: Reply(match.state.legal(GUESSER)[-1])})
        assert second.moves == first.moves
        store.append(second)
        assert verify(coin(), store.load("m").record).agrees
        assert store.load("m").completed


def test_nothing_can_be_said_twice_or_taken_back(url: str) -> None:
    match = Match(door(), match_id="m")
    with MatchStore(url) as store:
        store.begin(published(match))
        with pytest.raises(StoreError, match="there is a match 'm' already"):
            store.begin(published(match))
        with pytest.raises(StoreError, match="no match 'n' here"):
            store.load("n")
        store.begin(published(Match(door(), match_id="mm")))
        with pytest.raises(StoreError, match="did you mean mm"):
            store.load("mmm")
        early = published(match)
        match.settle({LEFT: Reply(WAIT), RIGHT: Reply(WAIT)})
        store.append(match)
        with pytest.raises(StoreError, match="2 states here and 1"):
            store.append(early)
        match.settle({LEFT: Reply(PUSH), RIGHT: Reply(PUSH)})
        store.append(match)
        with pytest.raises(StoreError, match="'m' has ended"):
            store.append(match)
        for statement in ("UPDATE ludorum_steps SET body = ''", "DELETE FROM ludorum_matches"):
            with pytest.raises(sa.exc.DBAPIError, match="append-only"), store._engine.begin() as connection:
                connection.execute(sa.text(statement))


def test_two_who_play_the_same_match_are_told(url: str) -> None:
    match, other = Match(door(), match_id="m"), Match(door(), match_id="m")
    with MatchStore(url) as store:
        store.begin(published(match))
        digest, known = store._last("m")
        match.settle({LEFT: Reply(WAIT), RIGHT: Reply(WAIT)})
        store.append(match)
        other.settle({LEFT: Reply(WAIT), RIGHT: Reply(PUSH)})
        with pytest.raises(StoreError, match="another process plays it"):
            store._add("m", known, {"state": "()"}, None, digest)


def test_an_aborted_match_is_over(url: str) -> None:
    match = Match(door(), match_id="m")
    with MatchStore(url) as store:
        store.begin(published(match))
        store.append(published(match, aborted=True))
        assert store.load("m") == published(match, aborted=True)
        assert store.matches()[0].ended == "aborted"


PLAY_ON = """
import sys
from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match, Reply
from ludorum.arena.records.spectator import publish
from ludorum.arena.records.store import MatchStore
from ludorum.players import RandomPlayer, position_of
from tests.small_games import circle

url, = sys.argv[1:]
match = Match(circle(), 3, match_id="long")
store = MatchStore(url)
store.begin(publish(match.record(), Clocks(1, 1), ("walker",)))
role, = match.game.roles
while True:
    match.settle({role: Reply(match.state.legal(role)[0])})
    store.append(match)
    print(len(match.moves), flush=True)  # the acknowledgement
"""


@pytest.mark.long
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(url: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", PLAY_ON, url], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(25):
        assert process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    acknowledged = int(rest[-1]) if rest else 25
    from tests.small_games import circle

    with MatchStore(url) as store:
        record = store.load("long").record
        assert record.last in (acknowledged, acknowledged + 1)  # the last one may have been on its way
        assert verify(circle(), record).agrees
        match = Match.resumed(circle(), record)
        match.settle({match.game.roles[0]: Reply(match.state.legal(match.game.roles[0])[0])})
        assert store.append(match) == 1


@pytest.mark.long
def test_nothing_acknowledged_is_lost_when_the_server_is_killed() -> None:
    with postgres_server() as server:
        match = Match(coin(), 3, match_id="m")
        with MatchStore(server.url) as store:
            store.begin(published(match))
            match.settle({GUESSER: Reply(match.state.legal(GUESSER)[0])})
            store.append(match)
            server.kill()
            with pytest.raises(StoreError, match="postgresql"):
                store.load("m")
            server.start()
        with MatchStore(server.url) as store:
            assert store.load("m") == published(match)
            match.settle({GUESSER: Reply(match.state.legal(GUESSER)[0])})
            store.append(match)
            assert store.load("m").completed


@pytest.mark.long
def test_many_writers_share_a_store(url: str) -> None:
    program = """
import sys
from tests.arena.test_store import store_some
store_some(sys.argv[1], int(sys.argv[2]))
"""
    count = 3 if FULL else 2
    writers = [subprocess.Popen([sys.executable, "-c", program, url, str(at)]) for at in range(count)]
    assert [writer.wait(60) for writer in writers] == [0] * count
    with MatchStore(url) as store:
        assert len(store.matches()) == 3 * count
        assert all(store.load(match.match_id).completed for match in store.matches())


def store_some(url: str, writer: int) -> None:
    """Three matches of one process."""
    with MatchStore(url) as store:
        for at in range(3):
            match = Match(coin(), at, match_id=f"w{writer}.{at}")
            store.begin(published(match))
            play_match(match, {GUESSER: RandomPlayer(at)}, 1.0, store.append)


# -- hostile databases ------------------------------------------------------------------------------------


def test_files_that_are_no_database(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, although it is long enough to be one" * 20)
    with pytest.raises(StoreError, match="no SQLite database"):
        MatchStore(str(tmp_path / "text.db"))
    with pytest.raises(StoreError, match="cannot be opened"):
        MatchStore(str(tmp_path / "none" / "matches.db"))
    with pytest.raises(StoreError, match="no such kind of database"):
        MatchStore("oracle9://somewhere")
    with pytest.raises(StoreError, match="not a database address"):
        MatchStore("://")


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreError) as caught:
        MatchStore("postgresql://ludorum:secret@/none?host=/nowhere")
    assert "secret" not in str(caught.value)


def test_passwords_are_not_shown() -> None:
    assert display("postgresql+psycopg://me:secret@host/db") == "postgresql+psycopg://me@host/db"
    assert address("~/x.db") == f"sqlite:///{Path.home()}/x.db"
    assert address("postgres://h/d") == address("postgresql://h/d") == "postgresql+psycopg://h/d"


def sqlite_store(path: Path) -> PublishedMatch:
    match = published(rich_match())
    with MatchStore(str(path)) as store:
        store.begin(match)
    return match


def spoil(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for table in ("matches", "steps", "ends"):
            for verb in ("update", "delete"):
                connection.execute(f"DROP TRIGGER ludorum_{table}_no_{verb}")
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM ludorum_steps WHERE step = 1", "state 1 is missing"),
        ("DELETE FROM ludorum_steps WHERE step = 2", "its end is not what was written"),
        (
            "UPDATE ludorum_steps SET body = replace(body, 'push', 'wait') WHERE step = 1",
            "state 1 is not what",
        ),
        ("UPDATE ludorum_steps SET body = x'00ff' WHERE step = 1", "state 1 is not what was written"),
        (
            "UPDATE ludorum_matches SET head = replace(head, '5', '6')",
            "its first row is not what",
        ),
        ("DELETE FROM ludorum_steps", "not even its first state"),
        ("UPDATE ludorum_ends SET body = '{}'", "its end is not what was written"),
    ],
)
def test_changed_rows_are_found(tmp_path: Path, statement: str, message: str) -> None:
    path = tmp_path / "matches.db"
    sqlite_store(path)
    spoil(path, statement)
    with MatchStore(str(path)) as store, pytest.raises(StoreError, match=message):
        store.load("kiosk.1")


def test_rows_that_agree_with_their_digest_but_hold_no_match(tmp_path: Path) -> None:
    import hashlib

    def digest(before: str, body: str) -> str:
        return hashlib.sha256(f"{before}\n{body}".encode()).hexdigest()

    path = tmp_path / "matches.db"
    sqlite_store(path)
    for body in ("null", "[]", "{", '{"state": 3}', "9" * 5000, "[" * 100_000):
        head = sqlite3.connect(path).execute("SELECT digest FROM ludorum_matches").fetchone()[0]
        fresh = tmp_path / "spoiled.db"
        fresh.write_bytes(b"")
        source, target = sqlite3.connect(path), sqlite3.connect(fresh)
        source.backup(target)
        target.close()
        spoil(
            fresh,
            "DELETE FROM ludorum_steps WHERE step > 0",
            "DELETE FROM ludorum_ends",
            f"UPDATE ludorum_steps SET body = '{body}', digest = '{digest(head, body)}'",
        )
        with MatchStore(str(fresh)) as store, pytest.raises(StoreError, match="does not hold a match"):
            store.load("kiosk.1")


@pytest.mark.parametrize("body", ["[]", "{", "3", "x"])
def test_a_list_shows_what_is_damaged(tmp_path: Path, body: str) -> None:
    path = tmp_path / "matches.db"
    sqlite_store(path)
    spoil(path, f"UPDATE ludorum_ends SET body = '{body}'")
    with MatchStore(str(path)) as store:
        assert [match.ended for match in store.matches()] == ["damaged"]


def test_a_torn_file_is_an_error_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    match = sqlite_store(path)
    whole = path.read_bytes()
    assert len(whole) > 8192
    for length in range(0, len(whole), 1000):
        path.write_bytes(whole[:length])
        try:
            with MatchStore(str(path)) as store:
                assert store.load("kiosk.1") == match
        except StoreError:
            pass
        for rest in tmp_path.glob("matches.db-*"):
            rest.unlink()


@pytest.mark.long
def test_flipped_bytes_are_found_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    match = sqlite_store(path)
    whole = path.read_bytes()
    chance = SplitMix64(1)
    found = 0
    for _ in range(150):
        flipped = bytearray(whole)
        for _ in range(1 + chance.below(4)):
            flipped[chance.below(len(flipped))] ^= 1 + chance.below(255)
        path.write_bytes(flipped)
        for rest in tmp_path.glob("matches.db-*"):
            rest.unlink()
        try:
            with MatchStore(str(path)) as store:
                store.matches()
                assert store.load("kiosk.1") == match
        except StoreError:
            found += 1
    assert found > 10


def test_a_store_of_another_version(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    sqlite_store(path)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO ludorum_store VALUES (2)")
    connection.close()
    with pytest.raises(StoreError, match="version 2; this program reads version 1"):
        MatchStore(str(path))


def begin_many(store: MatchStore) -> None:
    for at in range(1000):
        store.begin(published(Match(coin(), at, match_id=f"m{at}")))


def test_a_full_disk_says_so_and_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    match = Match(coin(), 1, match_id="m")
    with MatchStore(str(path)) as store:
        store.begin(published(match))
        with store._engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        # The database may not grow any more, which is what SQLite says of a full disk as well.
        sa.event.listen(
            store._engine,
            "begin",
            lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={pages}"),
        )
        with pytest.raises(StoreError, match="no room left"):
            begin_many(store)
    with MatchStore(str(path)) as store:
        assert store.load("m") == published(match)


@pytest.mark.long
def test_a_real_full_disk(tmp_path: Path) -> None:
    """A process that may write no file beyond some size: the nearest to a full disk without root."""
    program = """
import resource, signal, sys
from ludorum.arena.match.match import Match
from ludorum.arena.records.store import MatchStore
from ludorum.arena.records.store_address import StoreError
from tests.arena.test_spectator import published
from tests.small_games import coin

store = MatchStore(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    for at in range(10_000):
        store.begin(published(Match(coin(), at, match_id=f"m{at}")))
        print(f"m{at}", flush=True)
except StoreError as error:
    print(error)
"""
    path = tmp_path / "matches.db"
    found = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    *stored, said = found.stdout.splitlines()
    assert said.startswith(f"{path}: the disk cannot be written to"), said
    with MatchStore(str(path)) as store:
        names = {match.match_id for match in store.matches()}
        assert set(stored) <= names
        for name in stored:
            assert store.load(name).record.match_id == name


def test_what_is_stored_live_is_what_is_published(tmp_path: Path) -> None:
    for seed in range(4):
        match = Match(coin(), seed, match_id=f"m{seed}")
        with MatchStore(str(tmp_path / "live.db")) as store:
            store.begin(published(match))
            play_match(match, {GUESSER: RandomPlayer(seed)}, 1.0, store.append)
            live = store.load(f"m{seed}")
        whole = publish(match.record(), Clocks(10, 0.5), ("player random", "player guesser"), rules=coin())
        assert json.dumps(published_json(live)) == json.dumps(published_json(whole))
