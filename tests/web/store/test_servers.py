"""Each match is played by one living process; those of a process that has ended may be taken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from ludorum.web.store.database import Database, open_database
from ludorum.web.store.journal import add_events
from ludorum.web.store.matches import (
    SeatRow,
    add_match,
    change_match,
    change_steps,
    end_match,
    find_match,
)
from ludorum.web.store.servers import (
    LEASE_SECONDS,
    ServerRow,
    Taken,
    beat,
    forget_servers,
    give_back,
    leave,
    living,
    matches_of,
    orphans,
    take_match,
)

ONE, TWO = (ServerRow(name, f"127.0.0.1:{port}", name * 8) for name, port in (("one", 1), ("two", 2)))


@pytest.fixture
def database(shared: str) -> Iterator[Database]:
    opened = open_database(shared)
    with opened.transaction() as connection:
        beat(connection, ONE)
        beat(connection, TWO)
    yield opened
    opened.close()


def hang(connection: sa.Connection, server: ServerRow) -> None:
    """Let a process have given its last sign of life some time ago."""
    past = sa.text("UPDATE web_servers SET beat = beat - :seconds WHERE id = :id")
    connection.execute(past, {"seconds": LEASE_SECONDS, "id": server.id})


def test_processes_live_while_they_give_signs_of_life(database: Database) -> None:
    with database.transaction() as connection:
        assert beat(connection, ONE) == [ONE, TWO]
        hang(connection, ONE)
        assert living(connection) == [TWO]
        assert beat(connection, ONE) == [ONE, TWO]
        leave(connection, TWO.id)
        assert living(connection) == [ONE]


def test_a_match_belongs_to_the_first_that_takes_it(database: Database) -> None:
    with database.transaction() as connection:
        assert take_match(connection, "m", ONE.id) == Taken()
        assert take_match(connection, "m", ONE.id) == Taken()
        assert take_match(connection, "m", TWO.id) == Taken(elsewhere=ONE)
        assert matches_of(connection, ONE.id) == {"m"}
        give_back(connection, "m", TWO.id)  # it is not its own
        assert matches_of(connection, ONE.id) == {"m"}
        give_back(connection, "m", ONE.id)
        add_events(connection, [{"match": "m", "number": 0, "body": "{}"}])
        assert take_match(connection, "m", TWO.id, is_match=True) == Taken()


def test_a_match_that_is_not_there_is_not_taken(database: Database) -> None:
    with database.transaction() as connection:
        assert take_match(connection, "m", ONE.id, is_match=True) == Taken(is_unknown=True)
        assert matches_of(connection, ONE.id) == set()


def test_of_two_that_take_a_match_in_the_same_moment_one_has_it(database: Database) -> None:
    """The second one sees no owner, and then that of the first."""
    with database.transaction() as first:
        assert take_match(first, "m", ONE.id) == Taken()
        with database.transaction() as second:
            second.execute(sa.text("SET LOCAL lock_timeout = '50ms'"))
            with pytest.raises(sa.exc.OperationalError, match="lock timeout"), second.begin_nested():
                take_match(second, "m", TWO.id)
    with database.transaction() as second:
        assert take_match(second, "m", TWO.id) == Taken(elsewhere=ONE)


def test_the_match_of_a_process_that_hangs_is_taken_where_that_may_be(database: Database) -> None:
    with database.transaction() as connection:
        take_match(connection, "m", ONE.id)
        hang(connection, ONE)
        assert take_match(connection, "m", TWO.id, may_be_lost=False) is None
        assert take_match(connection, "m", TWO.id) == Taken(was_lost=True)
        beat(connection, ONE)
        assert take_match(connection, "m", ONE.id) == Taken(elsewhere=TWO)
        assert matches_of(connection, ONE.id) == set()


def test_the_matches_of_a_process_that_was_forgotten_are_still_known_as_lost(database: Database) -> None:
    with database.transaction() as connection:
        take_match(connection, "m", ONE.id)
        connection.execute(sa.text("UPDATE web_servers SET beat = 0 WHERE id = 'one'"))
        forget_servers(connection)
        assert living(connection) == [TWO]
        assert take_match(connection, "m", TWO.id) == Taken(was_lost=True)


def test_live_matches_without_a_living_owner_are_orphans(database: Database) -> None:
    seats = [SeatRow("a", "player", "random", None)]
    with database.transaction() as connection:
        for name in ("kept", "lost", "free", "refused"):
            add_match(connection, name, "g", "G", seats)
        add_match(connection, "open", "g", "G", [SeatRow("a", "open", "", None)])
        take_match(connection, "kept", ONE.id)
        take_match(connection, "lost", TWO.id)
        hang(connection, TWO)
        assert set(orphans(connection, ["refused"])) == {"lost", "free"}
        leave(connection, ONE.id)
        assert set(orphans(connection)) == {"kept", "lost", "free", "refused"}


def test_a_match_that_is_over_stays_so_in_the_lists_whatever_is_told_late(database: Database) -> None:
    seats = [SeatRow("a", "person", "ann", None)]
    with database.transaction() as connection:
        add_match(connection, "m", "g", "G", seats)
        change_match(connection, "m", "over", 9, seats)
        end_match(connection, "m", "rules", {"a": 100})
        change_match(connection, "m", "live", 4, [SeatRow("a", "open", "", None)])
        change_steps(connection, {"m": 5})
        found = find_match(connection, "m")
        assert found is not None
        assert (found.state, found.how, found.step, found.seats[0].name) == ("over", "rules", 9, "ann")
