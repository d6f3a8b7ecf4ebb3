"""The games of the thesis run as printed, and show the defects for which ours are other rules."""

from __future__ import annotations

from random import Random

import pytest

from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.kif import parse_term
from ludorum.rules.source import Severity, Source
from ludorum.rules.terms import Term
from ludorum.rules.wdl.check import check_wdl
from tests.games.published_wdl import BACKGAMMON, CLOCK, UNSAFE_DECK, black_jack
from tests.rules.wdl.sheets import sheet_of

BLACK, WHITE = Term("black"), Term("white")


@pytest.fixture(scope="module")
def backgammon() -> WdlMaster:
    return WdlMaster(sheet_of(BACKGAMMON))


def deadlock(master: WdlMaster, seed: int, most: int = 1000) -> int | None:
    """The rounds of a random match until somebody has no legal move; None where that does not happen."""
    rng, state = Random(seed), master.initial()
    for rounds in range(most):
        moves = {}
        for role in master.roles:
            legal = master.legal(state, role)
            if not legal:
                return None if master.is_terminal(state) else rounds
            moves[role], _ = master.resolve(state, rng.choice(legal), rng)
        state = master.after(state, moves)
    return None


@pytest.mark.spec("wdl", 48)
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(20), marks=pytest.mark.long)])
def test_random_matches_of_the_printed_backgammon_end_in_a_deadlock(
    backgammon: WdlMaster, seeds: range
) -> None:
    found = [deadlock(backgammon, seed) for seed in seeds]
    assert None not in found
    assert all(rounds > 20 for rounds in found if rounds is not None)


def position(
    *facts: str, black: dict[int, int] | None = None, white: dict[int, int] | None = None
) -> MasterState:
    """A state of backgammon: who has how many men where, and other facts; bars are empty unless told."""
    men = [
        f"(men {n} {side} {(has or {}).get(n, 0)})"
        for side, has in (("black", black), ("white", white))
        for n in range(1, 25)
    ]
    bars = [
        f"(bar {side} 0)" for side in ("black", "white") if not any(f"(bar {side}" in fact for fact in facts)
    ]
    return MasterState(frozenset(map(parse_term, [*men, *bars, "(out black 0)", "(out white 0)", *facts])))


def moves(master: WdlMaster, state: MasterState, role: Term) -> list[str]:
    return sorted(map(str, master.legal(state, role)))


@pytest.mark.spec("wdl", 48)
@pytest.mark.parametrize(
    ("blockers", "legal"), [(1, ["(move 0 4 first)"]), (2, []), (3, ["(move 25 25 first)"])]
)
def test_two_men_let_nobody_in_and_let_nobody_pass(
    backgammon: WdlMaster, blockers: int, legal: list[str]
) -> None:
    state = position(
        "(phase white move 1)", "(firstroll 4)", "(bar white 1)", black={4: blockers}, white={20: 1}
    )
    assert moves(backgammon, state, WHITE) == legal


@pytest.mark.spec("wdl", 48)
def test_nobody_passes_without_a_man_on_the_bar(backgammon: WdlMaster) -> None:
    state = position("(phase white move 1)", "(firstroll 4)", black={5: 2}, white={1: 1})
    assert moves(backgammon, state, WHITE) == []
    assert not backgammon.is_terminal(state)


@pytest.mark.spec("wdl", 48)
def test_bearing_off_is_wrong_for_both(backgammon: WdlMaster) -> None:
    exact = position("(phase black move 1)", "(firstroll 3)", black={3: 1})
    assert moves(backgammon, exact, BLACK) == []
    outside = position("(phase white move 1)", "(firstroll 1)", white={18: 1, 24: 1})
    assert moves(backgammon, outside, WHITE) == ["(move 18 19 first)", "(move 24 out first)"]
    heaps = position("(phase white move 1)", "(firstroll 1)", black={3: 1}, white={24: 1})
    assert moves(backgammon, heaps, WHITE) == []
    after = backgammon.after(outside, {BLACK: Term("noop"), WHITE: parse_term("(move 24 out first)")})
    assert {str(fact) for fact in after.facts if fact.name == "bar"} == {"(bar white 0)"}


@pytest.mark.spec("wdl", 48)
def test_nothing_ends_it_and_goals_compare_with_less_than_nothing(backgammon: WdlMaster) -> None:
    codes = {
        fault.code for fault in check_wdl(Source("printed", BACKGAMMON)) if fault.severity is Severity.ERROR
    }
    assert "missing-terminal" in codes
    state = position("(phase black 1)", "(out white 15)", black={20: 14})
    single = MasterState(state.facts - {parse_term("(out white 0)")})
    assert not backgammon.is_terminal(single)
    assert {str(role): list(map(str, goals)) for role, goals in backgammon.goals(single).items()} == {
        "black": [], "white": ["66"],
    }  # fmt: skip
    one_out = MasterState((single.facts - {parse_term("(out black 0)")}) | {parse_term("(out black 1)")})
    assert backgammon.goals(one_out) == {BLACK: (), WHITE: ()}


@pytest.mark.spec("wdl", 48)
def test_dice_outlive_a_tie(backgammon: WdlMaster) -> None:
    state = position("(phase getstarter)", "(rollvalue black 3)", "(rollvalue white 3)")
    noop = {BLACK: Term("noop"), WHITE: Term("noop")}
    after = backgammon.after(state, noop)
    assert {"(phase prestart)", "(firstroll 3)", "(secondroll 3)"} <= set(map(str, after.facts))


@pytest.mark.spec("wdl", 48)
def test_both_win_the_printed_black_jack_where_nobody_is_over() -> None:
    master = WdlMaster(sheet_of(black_jack()))
    rng, both = Random(1), 0
    for _ in range(6):
        state = master.initial()
        while not master.is_terminal(state):
            made = {}
            for role in master.roles:
                move = master.legal(state, role)[0 if rng.random() < 0.5 else -1]
                made[role], _ = master.resolve(state, move, rng)
            state = master.after(state, made)
        points = [int(str(fact.args[1])) for fact in state.facts if fact.name == "points"]
        expected = 100 if max(points) <= 21 else None
        goals = [str(goal) for found in master.goals(state).values() for goal in found]
        if expected:
            both += 1
            assert goals == ["100", "100"]
    assert both


@pytest.mark.spec("wdl", 48)
def test_the_printed_deck_asks_for_a_player_whom_nothing_names() -> None:
    text = black_jack().replace("(include cards:carddeck)", f"(include cards:carddeck)\n{UNSAFE_DECK}")
    found = [fault for fault in check_wdl(Source("printed", text)) if fault.code == "W01"]
    first = found[0].span
    assert text[first.start : first.end] == "?who"


@pytest.mark.spec("wdl", 48)
def test_the_printed_chess_clock_never_counts_and_forgets_whose_turn_it_is() -> None:
    sheet = sheet_of(CLOCK + "(set range 0 2000)")
    warned = [fault.code for fault in check_wdl(Source("printed", CLOCK + "(set range 0 2000)"))]
    assert "W10" in warned
    master = WdlMaster(sheet)
    state = master.initial()
    assert moves(master, state, WHITE) == ["hit"]
    for _ in range(300):
        state = master.tick(state)
    assert state.facts == frozenset()
    assert not master.is_terminal(state)
    assert master.legal(state, WHITE) == master.legal(state, BLACK) == ()
