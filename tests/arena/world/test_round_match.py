"""WDL matches in rounds: what players are told, substitutes, draws, records."""

from __future__ import annotations

from collections import Counter

import pytest

from ludorum.arena.protocol.messages import Play, Start, Stop, format_message, parse_message
from ludorum.arena.world import GameFaultError, RoundMatch, WorldRecordError, read_record, replay
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.kif import parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.terms import Term
from tests.arena.world.naive_player import NaivePlayer
from tests.rules.wdl.sheets import COIN, DECK, DICE, sheet_of

ANN, BOB, CAT = map(Term, ("ann", "bob", "cat"))


def match_of(text: str, seed: int = 1) -> RoundMatch:
    return RoundMatch(WdlMaster(sheet_of(text)), "m1", seed, (10, 5))


def library_match(name: str, seed: int) -> RoundMatch:
    return RoundMatch(WdlMaster(read_wdl_sheet(find_sheet(name))[0]), "m1", seed, (10, 5))


def play_to_the_end(match: RoundMatch, seed: int) -> None:
    """With a naive player in every seat, by nothing but messages."""
    roles = match.master.roles
    players = {}
    for at, role in enumerate(roles):
        start = parse_message(format_message(match.start(role)))
        assert isinstance(start, Start)
        players[role] = NaivePlayer(start, seed + at)
    while not match.is_over:
        match.play({role: players[role].answer(match.told(role)) for role in roles})


@pytest.mark.spec("wdl", 14)
def test_each_player_is_told_its_own_view_of_the_moves() -> None:
    match = match_of(COIN)
    assert [match.told(role) for role in match.master.roles] == [Play("m1", None)] * 3
    match.play({ANN: parse_term("(flip (visible bob coin))"), BOB: Term("wait"), CAT: Term("wait")})
    side = match.record.events[0].moves[0].draws[0][1]  # type: ignore[union-attr]
    wait = Term("wait")
    assert match.told(ANN) == match.told(CAT) == Stop("m1", (Term("flip"), wait, wait))
    assert match.told(BOB) == Stop("m1", (Term("flip", (Term(side),)), wait, wait))


@pytest.mark.spec("wdl", 8)
def test_the_seed_decides_the_match() -> None:
    def course(seed: int) -> list[str]:
        match = library_match("pig", seed)
        play_to_the_end(match, 7)
        return list(match.record.lines())

    assert course(3) == course(3)
    assert course(3) != course(4)


@pytest.mark.spec("wdl", 41)
def test_a_missing_or_illegal_answer_is_replaced_by_a_legal_move_and_noted() -> None:
    match = match_of(DICE)
    noted = match.play({ANN: Term("nonsense"), BOB: None})
    assert [(one.move, one.fault) for one in noted] == [
        ("(roll dice)", "nonsense is not legal"),
        ("(roll dice)", "no answer"),
    ]
    assert all(one.made in {f"(roll {face})" for face in range(1, 7)} for one in noted)


@pytest.mark.spec("wdl", 11)
def test_an_event_that_a_player_names_is_illegal() -> None:
    noted = match_of(DICE).play({ANN: parse_term("(roll 6)"), BOB: parse_term("(roll dice)")})
    assert noted[0].fault == "(roll 6) is not legal"
    assert noted[1].fault == ""


@pytest.mark.spec("wdl", 10, 28)
def test_a_player_without_a_legal_move_is_a_fault_of_the_game() -> None:
    match = match_of(DECK.replace("(card two) (card ten)", ""))
    deal = parse_term("(get (visible ann deck))")
    match.play({ANN: deal, BOB: Term("wait")})
    with pytest.raises(GameFaultError, match="ann has no legal move"):
        match.play({ANN: deal, BOB: Term("wait")})


@pytest.mark.parametrize(("name", "count"), [
    ("pig", 5), ("black_jack", 5),
    pytest.param("pig", 1000, marks=pytest.mark.slow),
    pytest.param("black_jack", 1000, marks=pytest.mark.slow),
])  # fmt: skip
@pytest.mark.spec("wdl", 52)
def test_players_of_plain_gdl_play_without_an_illegal_move(name: str, count: int) -> None:
    for seed in range(count):
        match = library_match(name, seed)
        play_to_the_end(match, seed)
        faults = [one.fault for event in match.record.events for one in event.moves if one.fault]  # type: ignore[union-attr]
        assert faults == []


@pytest.mark.spec("wdl", 44)
@pytest.mark.parametrize("name", ["pig", "black_jack"])
def test_a_record_is_replayed_state_by_state(name: str) -> None:
    match = library_match(name, 5)
    roles = match.master.roles
    players = {role: NaivePlayer(match.start(role), 1) for role in roles}
    states = [match.state]
    while not match.is_over:
        match.play({role: players[role].answer(match.told(role)) for role in roles})
        states.append(match.state)
    record = read_record(f"{line}\n" for line in match.record.lines())
    assert record == match.record
    assert list(replay(record, match.master)) == states


def test_a_record_that_was_changed_is_found_out() -> None:
    match = match_of(COIN)
    match.play({ANN: parse_term("(flip (visible bob coin))"), BOB: Term("wait"), CAT: Term("wait")})
    lines = [f"{line}\n" for line in match.record.lines()]
    for old, new, what in (
        ("(flip (visible bob coin))", "(flip (visible ann coin))", "not legal"),
        ("(flip (visible bob heads))", "(flip (visible bob edge))", "cannot have become"),
        ("(flip (visible bob tails))", "(flip (visible bob edge))", "cannot have become"),
    ):
        changed = [line.replace(old, new) for line in lines]
        if changed != lines:
            with pytest.raises(WorldRecordError, match=what):
                list(replay(read_record(changed), match.master))
    with pytest.raises(WorldRecordError, match="other rules"):
        list(replay(match.record, WdlMaster(sheet_of(DECK))))
    swapped = [line.replace('["100"]', '["7"]').replace('["0"]', '["7"]') for line in lines]
    with pytest.raises(WorldRecordError, match="goal values"):
        list(replay(read_record(swapped), match.master))


def test_a_record_may_end_in_the_middle_of_a_line_and_nowhere_else() -> None:
    match = match_of(DICE)
    match.play({})
    lines = [f"{line}\n" for line in match.record.lines()]
    assert read_record([*lines[:-1], lines[-1][:9]]).events == match.record.events
    for text in ([], ["\n"], ["nonsense\n"], [lines[0], "{}\n"], [lines[0], '{"leap": {}}\n']):
        with pytest.raises(WorldRecordError):
            read_record(text)


def test_cards_are_dealt_as_odds_say() -> None:
    counts: Counter[str] = Counter()
    master = WdlMaster(sheet_of(DECK))
    for seed in range(600):
        match = RoundMatch(master, "m1", seed, (10, 5))
        match.play({})
        counts[match.record.events[0].moves[0].made] += 1  # type: ignore[union-attr]
    assert set(counts) == {f"(get (visible ann {card}))" for card in ("ace", "two", "ten")}
    # Chi-square with two degrees of freedom stays below 13.8 in 999 of 1000 such trials; the seeds are fixed.
    assert sum((seen - 200) ** 2 / 200 for seen in counts.values()) < 13.8
