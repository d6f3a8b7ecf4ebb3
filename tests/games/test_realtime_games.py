"""What every realtime game of the library promises, and what its own rules say."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from ludorum.arena.world import RealtimeMatch
from ludorum.arena.world.record import replay
from ludorum.engine.load import load_game
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.kif import parse_term
from ludorum.rules.library import find_sheet, realtime_sheets
from ludorum.rules.logic_sheets import faults_of, read_wdl_sheet
from ludorum.rules.source import Severity
from ludorum.rules.terms import Term
from tests.games.plain_pursuit import OTHER, PlainPursuit
from tests.how_much import FULL

NAMES = [sheet.name for sheet in realtime_sheets()]
MASTERS = {name: WdlMaster(read_wdl_sheet(find_sheet(name))[0]) for name in NAMES}


def match_of(name: str, seed: int = 1) -> RealtimeMatch:
    return RealtimeMatch(MASTERS[name], name, seed, 1, 0)


def goals_of(match: RealtimeMatch) -> dict[str, int]:
    assert match.record.goals is not None
    assert all(len(values) == 1 for values in match.record.goals.values())
    return {role: int(*values) for role, values in match.record.goals.items()}


def values(state: MasterState, name: str) -> dict[str, tuple[str, ...]]:
    """The facts of a name by their first argument."""
    return {str(fact.args[0]): tuple(map(str, fact.args[1:])) for fact in state.facts if fact.name == name}


def tick(match: RealtimeMatch, count: int) -> None:
    for _ in range(count):
        match.tick()


def act(match: RealtimeMatch, role: str, move: str) -> None:
    told = match.act(parse_term(role), parse_term(move))
    assert told, f"{move} was dropped"


def random_match(name: str, seed: int, hurry: float) -> RealtimeMatch:
    """A match in which everybody acts at random, each with this chance between two ticks."""
    match, rng = match_of(name, seed), Random(seed)
    while not match.is_over:
        match.tick()
        for role in rng.sample(match.master.roles, len(match.master.roles)):
            if match.is_over or rng.random() > hurry:
                continue
            if moves := match.master.legal(match.state, role):
                match.act(role, rng.choice(moves))
    return match


@pytest.mark.parametrize("name", NAMES)
def test_headers_and_rules_are_without_fault(name: str) -> None:
    sheet = find_sheet(name)
    assert sheet.info.title
    assert sheet.info.rules.count(".") >= 2
    assert sheet.info.players == len(MASTERS[name].roles)
    loud = [fault for fault in faults_of(sheet) if fault.severity > Severity.NOTE]
    assert [fault.code for fault in loud] == ["T03"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name == "chess_clock" else name for name in NAMES]
)
@pytest.mark.parametrize("seed", range(1000 if FULL else 2))
def test_random_matches_end_with_a_hundred_to_share(name: str, seed: int) -> None:
    match = random_match(name, seed, hurry=0.1)
    assert sum(goals_of(match).values()) == 100
    if seed < 3:
        *_, last = replay(match.record, match.master)
        assert last == match.state


# --- clocks ------------------------------------------------------------------------------------------------


@pytest.mark.spec("wdl", 47)
def test_a_fallen_flag_gives_the_opponent_all() -> None:
    match = match_of("tictactoe_clock")
    tick(match, 50)
    act(match, "xplayer", "(mark 2 2)")
    tick(match, 200)
    assert not match.is_over
    assert values(match.state, "chessclock") == {"xplayer": ("50",), "oplayer": ("200",)}
    tick(match, 1)
    assert match.is_over
    assert values(match.state, "chessclock")["oplayer"] == ("201",)
    assert goals_of(match) == {"xplayer": 100, "oplayer": 0}


@pytest.mark.spec("wdl", 47)
def test_five_minutes_of_chess_run_out() -> None:
    match = match_of("chess_clock")
    tick(match, 150)
    act(match, "white", "(move e 2 e 4)")
    tick(match, 20)
    act(match, "black", "(move e 7 e 5)")
    assert values(match.state, "chessclock") == {"white": ("1", "50"), "black": ("0", "20")}
    almost = {fact for fact in match.state.facts if fact.name != "chessclock"}
    almost |= {parse_term("(chessclock white 299 98)"), parse_term("(chessclock black 0 20)")}
    match.state = MasterState(frozenset(almost), match.state.clock)
    tick(match, 2)
    assert not match.is_over
    assert values(match.state, "chessclock")["white"] == ("300", "0")
    tick(match, 1)
    assert match.is_over
    assert goals_of(match) == {"white": 0, "black": 100}


def test_clocks_stand_while_moves_are_made_and_for_who_is_not_on_turn() -> None:
    match = match_of("tictactoe_clock")
    for role, cell in (("xplayer", "1 1"), ("oplayer", "2 1"), ("xplayer", "1 2"), ("oplayer", "2 2")):
        assert match.act(Term("oplayer" if role == "xplayer" else "xplayer"), parse_term("(mark 3 3)")) == {}
        act(match, role, f"(mark {cell})")
    assert values(match.state, "chessclock") == {"xplayer": ("0",), "oplayer": ("0",)}
    act(match, "xplayer", "(mark 1 3)")
    assert goals_of(match) == {"xplayer": 100, "oplayer": 0}


@pytest.mark.parametrize("seed", range(100 if FULL else 1))
def test_chess_by_the_clock_has_the_moves_and_ends_of_chess(seed: int) -> None:
    match, rng = match_of("chess_clock"), Random(seed)
    state = load_game("chess").initial()
    kept = ("cell", "may_castle", "en_passant", "quiet", "ply", "control")
    for _ in range(1000 if FULL else 60):
        assert match.is_over == state.is_terminal
        if match.is_over:
            assert goals_of(match) == {str(role): state.goal(role) for role in match.master.roles}
            break
        (player,) = (role for role in match.master.roles if Term("noop") not in state.legal(role))
        moves = match.master.legal(match.state, player)
        assert set(moves) == set(state.legal(player))
        move = rng.choice(sorted(moves, key=str))
        state = state.play([move if role is player else Term("noop") for role in match.master.roles])
        tick(match, 1)
        match.act(player, move)
        assert {fact for fact in match.state.facts if fact.name in kept} == state.facts()


# --- pursuit -----------------------------------------------------------------------------------------------


def shown(plain: PlainPursuit) -> dict[tuple[int, ...], str]:
    return {place: f"{player}_{plain.animal(player)}" for player, place in plain.places.items()}


def numbers(terms: Iterable[object]) -> tuple[int, ...]:
    return tuple(int(str(term)) for term in terms)


def animals(state: MasterState) -> dict[tuple[int, ...], str]:
    cells = (fact.args for fact in state.facts if fact.name == "cell")
    return {numbers(place): str(thing) for *place, thing in cells if "_" in str(thing)}


@pytest.mark.parametrize("seed", range(300 if FULL else 4))
def test_a_pursuit_goes_as_in_the_short_program(seed: int) -> None:
    match, plain, rng = match_of("pursuit"), PlainPursuit(), Random(seed)
    hurry = rng.choice((0.05, 0.3, 1))
    while not match.is_over:
        tick(match, 1)
        plain.tick()
        for player in rng.sample(sorted(OTHER), 2):
            if match.is_over:
                break
            moves = match.master.legal(match.state, Term(player))
            assert {numbers(move.args) for move in moves} == plain.legal(player)
            if moves and rng.random() < hurry:
                place = rng.choice(sorted(plain.legal(player)))
                act(match, player, f"(step {place[0]} {place[1]})")
                plain.step(player, place)
        assert plain.is_over or animals(match.state) == shown(plain)
        assert match.is_over == plain.is_over
    assert goals_of(match) == plain.goals()
