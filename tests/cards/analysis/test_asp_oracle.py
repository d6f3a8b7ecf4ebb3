"""Logic programs and Python find the same."""

from __future__ import annotations

import pytest

from ludorum.cards.analysis import analyse, find_loops
from ludorum.cards.analysis.loops import all_loops
from ludorum.cards.asp.analyse import analyse_by_asp
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.terms import format_term
from ludorum.cards.load import load_card_game

from . import charts

NAMES = ["trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card"]


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 37, 39, 41, 43, 46)
@pytest.mark.parametrize("name", NAMES)
def test_the_logic_programs_agree(name: str) -> None:
    rules = load_card_game(name).chart
    asp, native = analyse_by_asp(rules), analyse(rules)
    assert asp.unsupported == frozenset()
    assert asp.headers == {one.header for one in all_loops(find_loops(rules)[0])}
    assert asp.main_loop == (native.main_loop.header, native.main_loop.body)
    assert asp.paths == {one.path for one in native.instances}
    assert asp.properties == {(one.direction, format_term(one.term)) for one in native.properties}
    assert asp.heuristics == {
        (one.weight, frozenset(map(format_term, one.conditions))) for one in native.instances
    }


@pytest.mark.long
def test_they_split_trumps_as_the_thesis_does() -> None:
    found = analyse_by_asp(load_card_game("trumps").chart).containers
    assert found == {
        "loopContainer(program(0,54),program(0,11),program(13,11),program(54,54))",
        "loopContainer(program(13,11),program(13,21),program(23,21),program(49,11))",
    }


def test_they_refuse_what_they_do_not_know() -> None:
    with pytest.raises(CardsError, match="two players"):
        analyse_by_asp(charts.ROUNDS)
    with pytest.raises(CardsError, match="no main loop"):
        analyse_by_asp(charts.DO_WHILE)
    with pytest.raises(CardsError, match="do not know moveAll"):
        analyse_by_asp(charts.tricks(scoring="moveAll(stack,pile(won,winner))"))
