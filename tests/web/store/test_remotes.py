"""Players elsewhere in the database: whose they are, which are to be asked, which play."""

from __future__ import annotations

import sqlalchemy as sa

from ludorum.web.store.accounts import Account, add_account
from ludorum.web.store.database import now, open_database
from ludorum.web.store.matches import SeatRow, add_match, end_match
from ludorum.web.store.remotes import (
    NotFree,
    Registration,
    add_remote,
    asked_before,
    count_remotes,
    find_remote,
    list_remotes,
    note_answer,
    remove_remote,
    remove_remotes_of,
)


def told(name: str, port: int = 9147) -> Registration:
    return Registration(name, "example.org", port, "", "POST", "ggp-base", "said")


def not_free(connection: sa.Connection, owner: Account, registration: Registration) -> str:
    try:
        add_remote(connection, owner, registration)
    except NotFree as error:
        return str(error)
    return ""


def test_names_and_addresses_are_free_or_not(url: str) -> None:
    database = open_database(url)
    with database.transaction() as connection:
        ann = add_account(connection, "ann", "x", is_guest=False)
        bob = add_account(connection, "bob", "x", is_guest=False)
        row = add_remote(connection, ann, told("Far"))
        assert (row.name, row.owner_name, row.is_reachable, row.is_playing) == ("Far", "ann", True, False)
        assert find_remote(connection, "FAR") == row
        assert not_free(connection, bob, told("Other")) == "a player is registered at this address"
        assert not_free(connection, bob, told("fAR", 1)) == "there is a player of the name fAR"
        remove_remote(connection, "Far")
        assert find_remote(connection, "Far") is None
        assert count_remotes(connection, ann) == 0
        assert not_free(connection, bob, told("Far")) == "there is a player of the name Far"
        assert add_remote(connection, bob, told("Other")).owner_name == "bob"
        assert add_remote(connection, ann, told("Far", 2)).id == row.id
        assert [one.name for one in list_remotes(connection)] == ["Far", "Other"]
        remove_remotes_of(connection, bob)
        assert [one.name for one in list_remotes(connection)] == ["Far"]
    database.close()


def test_those_that_play_and_answer_are_not_asked(url: str) -> None:
    database = open_database(url)
    with database.transaction() as connection:
        ann = add_account(connection, "ann", "x", is_guest=False)
        for port, name in enumerate(("One", "Two", "Three"), 2000):
            add_remote(connection, ann, told(name, port))

        def asked() -> set[str]:
            return {row.name for row in asked_before(connection, now() + 9, 10)}

        assert asked() == {"One", "Two", "Three"}
        assert asked_before(connection, now() - 9, 10) == []
        seats = [SeatRow(role, "player", f"remote:{role}", None) for role in ("One", "Two")]
        add_match(connection, "m1", "tictactoe", "Tic-Tac-Toe", seats)
        assert asked() == {"Three"}
        note_answer(connection, "Two", False)
        assert asked() == {"Two", "Three"}
        assert [row.is_playing for row in list_remotes(connection)] == [True, False, True]
        end_match(connection, "m1", "rules", None)
        assert asked() == {"One", "Two", "Three"}
    database.close()
