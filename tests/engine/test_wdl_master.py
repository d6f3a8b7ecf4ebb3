"""A WDL sheet as the one who knows everything plays it, with exact odds, on every engine."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.terms import Term
from ludorum.rules.wdl.draws import resolve_move
from tests.rules.wdl.sheets import COIN, DECK, DICE, MYCIN, sheet_of

ANN, BOB = Term("ann"), Term("bob")
MAKERS = [ReferenceGame, LiftedGame]


def goal_chances(master: WdlMaster, role: Term) -> dict[int, Fraction]:
    """The probability of each goal value of a role, where everybody always makes the first legal move."""
    found: dict[int, Fraction] = {}
    todo = [(master.initial(), Fraction(1))]
    while todo:
        state, chance = todo.pop()
        if master.is_terminal(state):
            value = int(master.goals(state)[role][0].name)
            found[value] = found.get(value, Fraction(0)) + chance
            continue
        moves = {one: master.legal(state, one)[0] for one in master.roles}
        todo += [(after, chance * part) for after, part in master.outcomes(state, moves).items()]
    return found


@pytest.mark.spec("wdl", 12)
@pytest.mark.parametrize("swapped", [False, True])
def test_the_conclusion_of_two_reasons_has_thirty_one_fortieths(swapped: bool) -> None:
    rules = MYCIN.strip().splitlines()
    text = "\n".join(rules[::-1] if swapped else rules)
    assert goal_chances(WdlMaster(sheet_of(text)), ANN) == {100: Fraction(31, 40), 0: Fraction(9, 40)}


@pytest.mark.spec("wdl", 9)
def test_two_players_who_use_one_name_draw_independently() -> None:
    master = WdlMaster(sheet_of(DICE))
    start = master.initial()
    found = master.outcomes(start, {role: master.legal(start, role)[0] for role in master.roles})
    assert len(found) == 36
    assert set(found.values()) == {Fraction(1, 36)}


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.spec("wdl", 6)
def test_a_card_that_is_dealt_has_probability_zero(make: type) -> None:
    master = WdlMaster(sheet_of(DECK), make)
    state = master.initial()
    deal, wait = parse_term("(get (visible ann deck))"), Term("wait")
    for left in (3, 2, 1):
        found = master.resolutions(state, deal)
        assert set(found.values()) == {Fraction(1, left)}
        card = min(found, key=str)
        state = master.after(state, {ANN: card, BOB: wait})
        assert card not in (master.resolutions(state, deal) if left > 1 else {})
    assert master.is_terminal(state)
    assert {str(fact) for fact in state.facts if fact.name == "hand"} == {
        "(hand ann ace)", "(hand ann ten)", "(hand ann two)",
    }  # fmt: skip


@pytest.mark.spec("wdl", 10)
def test_a_move_whose_name_has_no_event_is_not_legal() -> None:
    master = WdlMaster(sheet_of(DECK.replace("(card two) (card ten)", "")))
    state = master.initial()
    assert [str(move) for move in master.legal(state, ANN)] == ["(get (visible ann deck))"]
    state = master.after(state, {ANN: parse_term("(get (visible ann ace))"), BOB: Term("wait")})
    assert master.legal(state, ANN) == ()


@pytest.mark.spec("wdl", 17)
def test_rules_read_hidden_results() -> None:
    master = WdlMaster(sheet_of(COIN))
    state = master.initial()
    flip = parse_term("(flip (visible cat coin))")
    after = master.outcomes(state, {ANN: flip, BOB: Term("wait"), Term("cat"): Term("wait")})
    assert {str(*one.facts): chance for one, chance in after.items()} == {
        "(told heads)": Fraction(1, 4),
        "(told tails)": Fraction(3, 4),
    }


@pytest.mark.spec("wdl", 8)
@pytest.mark.long
def test_draws_follow_the_odds_and_the_seed() -> None:
    master = WdlMaster(sheet_of(COIN))
    state, flip = master.initial(), parse_term("(flip (visible bob coin))")
    rows, names, rng = master.odds(state), master.sheet.names, Random(7)
    drawn = [resolve_move(flip, names, rows, rng) for _ in range(60_000)]
    heads = sum(draws[0].event is Term("heads") for _, draws in drawn)
    # Chi-square with one degree of freedom stays below 10.83 in 999 of 1000 such trials; the seed is fixed.
    expected = {True: 15_000, False: 45_000}
    square = sum((seen - expected[is_heads]) ** 2 / expected[is_heads]
                 for is_heads, seen in ((True, heads), (False, 60_000 - heads)))  # fmt: skip
    assert square < 10.83
    again = Random(7)
    assert [master.resolve(state, flip, again) for _ in range(50)] == drawn[:50]


@pytest.mark.spec("wdl", 3)
@pytest.mark.parametrize("name", ["tictactoe", "blocks", "rock_paper_scissors", "nim"])
def test_plain_gdl_means_the_same(name: str) -> None:
    text = find_sheet(name).source.text
    master, game = WdlMaster(sheet_of(text)), LiftedGame(parse_kif(text), name)
    rng = Random(1)
    state, other = master.initial(), game.initial()
    while not other.is_terminal:
        assert state == MasterState(other.facts())
        legal = {role: master.legal(state, role) for role in master.roles}
        assert legal == {role: other.legal(role) for role in game.roles}
        moves = {role: rng.choice(legal[role]) for role in game.roles}
        state, other = master.after(state, moves), other.play(list(moves.values()))
    assert master.is_terminal(state)
    assert master.goals(state) == {role: other.goal_terms(role) for role in game.roles}


CLOCK = """
(set realtime) (role ann) (role bob)
(init (lamp off)) (init (count 0))
(plus1 0 1) (plus1 1 2) (plus1 2 3) (plus1 3 4)
(<= (legal ?p switch) (role ?p) (true (lamp off)))
(<= (next (lamp on)) (does ?p switch))
(<= (next (lamp ?s)) (true (lamp ?s)) (not moved))
(<= (next (count ?m)) (true (count ?n)) (plus1 ?n ?m) (not moved))
(<= (next (count ?n)) (true (count ?n)) moved)
(<= moved (does ?p ?m))
(<= (phase late) (clock ?n) (distinct ?n 0) (distinct ?n 1))
(<= terminal (phase late) (true (lamp on)))
(goal ann 50) (goal bob 50)
"""


@pytest.mark.spec("wdl", 25)
@pytest.mark.parametrize("make", MAKERS)
def test_the_clock_is_a_relation_of_realtime_games(make: type) -> None:
    master = WdlMaster(sheet_of(CLOCK), make)
    state = master.after(master.initial(), {BOB: Term("switch")})
    assert not master.is_terminal(state)
    states = [state := master.tick(state) for _ in range(3)]
    assert [one.clock for one in states] == [1, 2, 3]
    assert [master.is_terminal(one) for one in states] == [False, True, True]


@pytest.mark.spec("wdl", 31)
def test_a_tick_is_a_step_without_a_move() -> None:
    master = WdlMaster(sheet_of(CLOCK))
    state = master.initial()
    for expected in ("(count 1)", "(count 2)"):
        state = master.tick(state)
        assert {str(fact) for fact in state.facts} == {"(lamp off)", expected}
    moved = master.after(state, {ANN: Term("switch")})
    assert {str(fact) for fact in moved.facts} == {"(lamp on)", "(count 2)"}
    assert moved.clock == 2


INERT = """
(set realtime) (set tick-inertia) (role ann)
(init (cell a)) (init (phase one)) (init (phase zero))
(<= (next (cell ?x)) (does ann (go ?x)))
(<= (legal ann (go b)) (true (cell a)))
(<= (next (phase ?p)) (true (phase ?p)) (does ann ?m))
(<= (next (phase two)) (clock 2))
(<= terminal (clock 9))
(goal ann 100)
"""


@pytest.mark.spec("wdl", 31)
def test_with_inertia_a_tick_changes_only_what_the_clock_makes() -> None:
    master = WdlMaster(sheet_of(INERT))
    one = master.tick(master.initial())
    assert {str(fact) for fact in one.facts} == {"(cell a)", "(phase one)", "(phase zero)"}
    two = master.tick(one)
    assert {str(fact) for fact in two.facts} == {"(cell a)", "(phase two)"}
    moved = master.after(one, {ANN: parse_term("(go b)")})
    assert {str(fact) for fact in moved.facts} == {"(cell b)", "(phase one)", "(phase zero)"}
