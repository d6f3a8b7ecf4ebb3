"""How a match begins: anew with a name all can read, or where a record of the same game ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match
from ludorum.arena.records.begin import begin_match
from ludorum.arena.records.formats import format_record
from ludorum.arena.records.publisher import open_record
from ludorum.arena.records.record_checks import record_faults
from ludorum.arena.records.spectator import PublishedMatch, publish, published_json
from ludorum.rules.kif import parse_term
from tests.small_games import coin, door


def record_of(match: Match) -> PublishedMatch:
    return publish(match.record(), Clocks(10, 5), rules=match.game)


def test_a_new_match_has_a_name_that_all_players_can_read() -> None:
    assert begin_match(door(), 7, "final.2").match_id == "final.2"
    match = begin_match(door(), 7)
    assert match.match_id == f"ludorum.door.{match.times[0]}"
    assert (match.seed, match.replace_by) == (7, "first")
    with pytest.raises(ValueError, match="a match id is a letter and letters, digits or dots, not '2 final'"):
        begin_match(door(), 7, "2 final")


def test_a_match_goes_on_with_its_own_name_and_seed() -> None:
    match = Match(door(), 5, match_id="m1")
    match.play(dict.fromkeys(match.game.roles, parse_term("wait")))
    first = record_of(match)
    again = begin_match(door(), 9, "", first, "random")
    assert (again.match_id, again.seed, again.moves, again.replace_by) == ("m1", 5, match.moves, "random")
    unknown = replace(first, record=replace(first.record, seed=None))
    assert begin_match(door(), 9, "", unknown).seed == 9


def test_what_cannot_go_on() -> None:
    match = Match(door(), 5, match_id="m1")
    with pytest.raises(ValueError, match="keeps its name"):
        begin_match(door(), 0, "other", record_of(match))
    with pytest.raises(ValueError, match=r"the record is not of coin: its roles are left, right"):
        begin_match(coin(), 0, "", record_of(match))
    with pytest.raises(ValueError, match="the match m1 was aborted"):
        begin_match(door(), 0, "", replace(record_of(match), aborted=True))
    while not match.is_over:
        match.settle({})
    with pytest.raises(ValueError, match="the match m1 is over"):
        begin_match(door(), 0, "", record_of(match))


def test_a_record_of_another_format_says_as_much_as_it_can() -> None:
    match = Match(door(), 5, match_id="m1")
    while not match.is_over:
        match.settle({})
    whole = open_record(format_record(match.record()))
    assert whole.completed
    assert whole.record.states == match.record().states
    assert record_faults(published_json(whole)) == []
    text = '{"roles": ["left", "right"], "moves": [["push", "wait"]], "nlegal": [[2, 2], [2, 2]]}'
    bare = open_record(text)
    assert (bare.completed, bare.record.states, len(bare.record.moves)) == (False, (None, None), 1)
