"""A realtime sheet as a game of rounds: the states of the virtual clock, where at most one acts in a tick."""

from __future__ import annotations

from random import Random

import pytest

from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.check import check_ruleset
from ludorum.rules.library import find_sheet
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.ruleset import RANDOM
from ludorum.rules.source import Severity
from ludorum.rules.terms import Term
from ludorum.rules.wdl.sheet import WdlSheet
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from tests.engine.test_wdl_master import CLOCK, INERT
from tests.rules.wdl.sheets import sheet_of

STAY = Term("stay")

RACE = """
(set realtime) (include successor) (include greater) (set range 0 60)
(role ann) (role bob)
(random stride 1 1) (random stride 3 2)
(init (at ann 0)) (init (at bob 0)) (init (rested ann)) (init (rested bob)) (init (count 0))
(<= (legal ?p (run stride (visible ?p stride))) (true (rested ?p)))
(<= moved (does ?p ?m))
(<= (moved ?p) (does ?p ?m))
(<= (next (at ?p ?m)) (true (at ?p ?n)) (does ?p (run 1 ?k)) (successor:++ ?n ?m))
(<= (next (at ?p ?l)) (true (at ?p ?n)) (does ?p (run 2 ?k)) (successor:++ ?n ?m) (successor:++ ?m ?l))
(<= (next (at ?p ?n)) (true (at ?p ?n)) (not (moved ?p)))
(<= (next (rested ?p)) (true (rested ?p)) (not (moved ?p)))
(<= (next (rested ?p)) (role ?p) (not moved) (clock ?n) (even ?n))
(<= (next (count ?m)) (true (count ?n)) (not moved) (successor:++ ?n ?m))
(<= (next (count ?n)) (true (count ?n)) moved)
(even 0) (even 4) (even 8) (even 12) (even 16) (even 20)
(<= terminal (true (at ?p ?n)) (greater:greaterthan ?n 5))
(<= (goal ?p 100) (true (at ?p ?n)) (greater:greaterthan ?n 5))
(<= (goal ?p 0) (true (at ?p ?n)) (not (greater:greaterthan ?n 5)))
"""
"""Moves with chance and private parts, a clock that lets players run again, and an end by a move."""


def facts_of(state: State) -> tuple[frozenset[Term], int]:
    """The facts of the sheet, and the number that stands for the clock."""
    facts = state.facts()
    now = next(fact for fact in facts if fact.name == "now")
    return facts - {now}, int(str(now.args[0]))


def play_beside(sheet: WdlSheet, ticks: int, seed: int) -> int:
    """Play both for some ticks, at most one move in each; returns the number of moves."""
    rng = Random(seed)
    master = WdlMaster(sheet)
    game = LiftedGame(to_gdl2(sheet, ticks).rules.as_sent, "rounds")
    errors = [fault for fault in check_ruleset(game.rules) if fault.severity is Severity.ERROR]
    assert errors == []
    state, other, moves = master.initial(), game.initial(), 0
    while True:
        assert facts_of(other) == (state.facts, state.clock)
        over = master.is_terminal(state)
        assert other.is_terminal == (over or state.clock == ticks)
        if other.is_terminal:
            assert {role: other.goal_terms(role) for role in sheet.roles} == master.goals(state)
            return moves
        for role in sheet.roles:
            assert set(other.legal(role)) == {*master.legal(state, role), STAY}
        made = dict.fromkeys(game.roles, STAY)
        who = rng.choice(sheet.roles)
        ways = master.legal(state, who)
        if ways and rng.random() < 0.5:
            moves += 1
            made[who] = rng.choice(ways)
        if RANDOM in game.roles:
            made[RANDOM] = rng.choice(other.legal(RANDOM))
        other = other.play([made[role] for role in game.roles])
        state = after_round(master, state, who, made)


def after_round(master: WdlMaster, state: MasterState, who: Term, made: dict[Term, Term]) -> MasterState:
    """One move, resolved as `random` has drawn, and a signal of the clock where the game is not over."""
    if made[who] is not STAY:
        resolved = made[who]
        for draw in draws_of(made.get(RANDOM)):
            if draw.args[0] is who:
                resolved = next(
                    one for one in master.resolutions(state, resolved) if draw.args[2] in one.args
                )
        state = master.after(state, {who: resolved})
    return state if master.is_terminal(state) else master.tick(state)


def draws_of(move: Term | None) -> list[Term]:
    """What was drawn for each player that could draw."""
    if move is None:
        return []
    parts = move.args if move.name == "draws" else (move,)
    return [part for part in parts if isinstance(part, Term) and part.name == "draw"]


@pytest.mark.spec("wdl", 51)
@pytest.mark.parametrize("text", [CLOCK, INERT, RACE], ids=["clock", "inert", "race"])
def test_rounds_of_ticks_have_the_states_of_the_clock(text: str) -> None:
    sheet = sheet_of(text)
    assert [warning.code for warning in to_gdl2(sheet).warnings] == ["T03"]
    assert sum(play_beside(sheet, 14, seed) for seed in range(3)) > 2


@pytest.mark.spec("wdl", 51)
@pytest.mark.parametrize("name", ["tictactoe_clock", "pursuit"])
def test_our_realtime_games_have_the_states_of_the_clock(name: str) -> None:
    sheet, _ = read_wdl_sheet(find_sheet(name))
    assert play_beside(sheet, 40, 1) > 5


WON = """
(set realtime) (role ann) (role bob) (init (open)) (init (count 0)) (after 0 1) (after 1 2)
(<= (legal ?p grab) (role ?p) (true open))
(<= moved (does ?p ?m))
(<= (next (has ?p)) (does ?p grab))
(<= (next (has ?p)) (true (has ?p)))
(<= (next open) (true open))
(<= (next (count ?m)) (true (count ?n)) (after ?n ?m) (not moved))
(<= (next (count ?n)) (true (count ?n)) moved)
(<= terminal (true (has ?p)))
(<= (goal ?p 100) (true (has ?p)))
(<= (goal ?p 0) (role ?p) (not (true (has ?p))))
"""


def test_what_ends_the_game_leaves_no_time_for_a_second_move_or_a_tick() -> None:
    game = LiftedGame(to_gdl2(sheet_of(WON)).rules.as_sent, "rounds")
    grab = Term("grab")
    both = game.initial().play([grab, grab])
    assert sorted(map(str, both.facts())) == ["(count 0)", "(has ann)", "(now 0)", "open"]
    assert both.is_terminal
    second = game.initial().play([STAY, STAY]).play([STAY, grab])
    assert sorted(map(str, second.facts())) == ["(count 1)", "(has bob)", "(now 1)", "open"]


def test_of_two_at_once_the_first_role_comes_first() -> None:
    game = LiftedGame(to_gdl2(sheet_of(CLOCK)).rules, "rounds")
    both = game.initial().play([Term("switch"), Term("switch")])
    one = game.initial().play([Term("switch"), STAY])
    assert both.facts() == one.facts()
    assert both.facts() == game.initial().play([STAY, Term("switch")]).facts()
