"""Loops: found where they are, brought into shape where they are not, and refused where nothing helps."""

from __future__ import annotations

from itertools import islice

import pytest

from ludorum.cards.analysis import ChartPart, Loop, analyse, find_loops, normalise
from ludorum.cards.analysis.analyse import main_loop_candidates
from ludorum.cards.analysis.loops import all_loops
from ludorum.cards.analysis.walk import NotFinite, WalkConfig
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.rules import Rules, parse_table
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.host import Host, format_trace
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import CardPosition
from ludorum.cards.machine.reasons import MaxStep

from . import charts


def loop_of(name: str) -> Loop:
    loops, knots = find_loops(load_card_game(name).chart)
    assert knots == []
    assert len(loops) == 1
    return loops[0]


@pytest.mark.spec("card-games-fcdl", 37)
def test_headers_bodies_and_what_lies_around_them() -> None:
    trumps, kings, eights = (loop_of(name) for name in ("trumps", "kings_and_jacks", "crazy_eights_simple"))
    assert [one.header for one in (trumps, kings, eights)] == [11, 7, 5]
    assert trumps.body == {13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 36, 38, 40, 42, 49, 60, 51}
    (inner,) = trumps.inner
    assert inner.header == 21
    assert inner.body == {23, 25, 27, 29, 31, 33, 36, 38, 40, 42}
    whole = ChartPart(0, 54)
    before, body, after = trumps.split(whole)
    assert (before, body, after) == (ChartPart(0, 11), ChartPart(13, 11), ChartPart(54, 54))
    assert inner.split(body) == (ChartPart(13, 21), ChartPart(23, 21), ChartPart(49, 11))
    assert eights.split(ChartPart(0, 53)) == (ChartPart(0, 5), ChartPart(7, 5), ChartPart(49, 53))
    assert kings.inner == eights.inner == ()


@pytest.mark.spec("card-games-fcdl", 39)
def test_the_main_loop_is_the_smallest_with_all_decisions() -> None:
    for name, header in (("trumps", 11), ("kings_and_jacks", 7), ("crazy_eights_simple", 5)):
        assert analyse(load_card_game(name).chart).main_loop.header == header
    rounds = charts.ROUNDS
    loops, _ = find_loops(rounds)
    assert [one.header for one in all_loops(loops)] == [3, 10]
    assert [one.header for one in main_loop_candidates(rounds, loops)] == [10]
    analysis = analyse(rounds)
    assert analysis.main_loop.header == 10
    assert analysis.main_loop.body == {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}


@pytest.mark.spec("card-games-fcdl", 38)
def test_loops_of_other_forms_are_reported_with_their_node() -> None:
    expected = {
        "DO_WHILE": (5, "left at node 13"),
        "SEVERAL_EXITS": (4, "left at node 4, 6"),
        "SHEDDING": (5, "left at node 9"),
        "SEVERAL_ENTRIES": (5, "entered at several nodes: 5, 7"),
    }
    for name, (node, message) in expected.items():
        (note,) = normalise(getattr(charts, name)).notes
        assert (note.code, note.node) == ("loop-form", node)
        assert message in note.message
        assert note.hint


@pytest.mark.spec("card-games-fcdl", 38)
def test_a_loop_without_a_way_out_is_refused_at_its_node() -> None:
    (note,) = normalise(charts.ENDLESS).notes
    assert (note.code, note.node) == ("loop-shape", 5)
    with pytest.raises(CardsError, match="node 5: no way leads out of this loop"):
        analyse(charts.ENDLESS)


def test_a_choice_that_asks_itself_is_refused() -> None:
    rules = parse_table("0 start\n1 Shuffle\n2 Deal(1)\n3 random(2)==0 ? 3 : 4\n4 end")
    (note,) = normalise(rules).notes
    assert "nothing happens in this loop" in note.message


@pytest.mark.parametrize("name", ["DO_WHILE", "SEVERAL_EXITS", "SEVERAL_ENTRIES", "SHEDDING"])
@pytest.mark.long
def test_a_chart_brought_into_shape_is_the_same_game(name: str) -> None:
    rules = getattr(charts, name)
    form = normalise(rules)
    loops, knots = find_loops(form.rules)
    assert loops
    assert knots == []
    assert set(rules.nodes) <= set(form.rules.nodes)
    assert {form.original(node) for node in form.rules.nodes} == set(rules.nodes)
    for seed in range(20):
        assert list(states(rules, seed)) == list(states(form.rules, seed))


def states(rules: Rules, seed: int) -> list[str]:
    """All positions in which the host was asked something, without nodes, steps and added variables."""
    return [
        " ".join(part for part in format_trace(one).split()[2:] if not part.startswith("leavingLoop'"))
        for one in _asked(rules, seed)
    ]


def _asked(rules: Rules, seed: int) -> list[CardPosition]:
    host = Host(Machine(rules), seed)
    asked = (position for position, reason in host.play() if not isinstance(reason, MaxStep))
    return list(islice(asked, 40))  # some games go on and on


def test_copies_do_not_show_in_the_result() -> None:
    analysis = analyse(charts.SEVERAL_EXITS)
    assert analysis.main_loop.header == 4
    assert analysis.main_loop.body == {5, 6, 7, 11, 12}
    assert not any("leavingLoop" in str(one) for one in analysis.heuristics)
    assert sorted((one.weight, one.path) for one in analysis.heuristics) == [
        (-3, "aa"),
        (-1, "ab"),
        (1, "ab"),
        (3, "aa"),
    ]


@pytest.mark.spec("card-games-fcdl", 40)
def test_an_inner_loop_without_a_bound_is_rejected_at_its_node() -> None:
    with pytest.raises(NotFinite, match="node 6: how often playerHas"):
        analyse(charts.UNBOUNDED, WalkConfig(may_sample=False))


@pytest.mark.long
def test_the_second_try_is_a_sample_of_ways_and_is_told() -> None:
    analysis = analyse(charts.UNBOUNDED)
    assert {one.weight for one in analysis.heuristics} == {1, -1}
    (told,) = (one for one in analysis.warnings if one.code == "sampled")
    assert "drawn at random" in told.message
    assert "how often playerHas" in told.message
    assert told.node == 6
    assert analyse(charts.UNBOUNDED) == analysis  # a chart has one analysis


def test_a_number_of_passes_makes_the_most_of_it() -> None:
    analysis = analyse(charts.UNBOUNDED, WalkConfig(passes=2))
    assert {one.weight for one in analysis.heuristics} == {1, -1}
    assert any(one.unforeseen for one in analysis.heuristics)


def test_a_game_without_a_loop_says_so() -> None:
    rules = parse_table("0 start\n1 Shuffle\n2 Deal(1)\n3 playCard(player(0),card(any,any))\n4 end")
    with pytest.raises(CardsError, match="node 3: no loop contains the decisions"):
        analyse(rules)
