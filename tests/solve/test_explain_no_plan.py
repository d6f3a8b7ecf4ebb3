"""Why there is no plan: the reasons are right, and with them gone there is one."""

from __future__ import annotations

import pytest

from ludorum.rules.kif import parse_kif
from ludorum.search.budget import Budget
from ludorum.solve.explain_no_plan import NoPlan, explain_no_plan

from .test_planner import ENOUGH, LADDER, joint, rules_of


@pytest.mark.spec("asp-player", 54)
def test_too_few_moves_are_named() -> None:
    rules = rules_of("tictactoe")
    (reason,) = explain_no_plan(NoPlan(rules, rules.roles[1], 100, longest=5), ENOUGH)
    assert reason.kind == "horizon"
    assert reason.text == "oplayer needs at least 6 moves for 100; 5 were allowed"


@pytest.mark.spec("asp-player", 54)
def test_the_move_that_ruled_it_out_is_named() -> None:
    """In blocks the second move decides: unstack c, then anything but b on c is too slow."""
    rules = rules_of("blocks")
    past = (joint("(u c a)"), joint("(s a b)"))
    (reason,) = explain_no_plan(NoPlan(rules, rules.roles[0], 100, past), ENOUGH)
    assert reason.kind == "past"
    assert reason.text == (
        "move 2, (s a b) by robot, ruled it out: with (s b c) there would be a plan for 100 of 3 moves in all"
    )


@pytest.mark.spec("asp-player", 54)
def test_whose_part_of_a_joint_move_it_was() -> None:
    rules = rules_of("hodgepodge")
    past = (joint("(u c a) move"), joint("(s a b) move"))
    reasons = explain_no_plan(NoPlan(rules, rules.roles[0], 100, past), ENOUGH)
    assert [reason.kind for reason in reasons] == ["past"]
    assert "(s a b) by blocksplayer" in reasons[0].text
    assert "with (s b c)" in reasons[0].text


@pytest.mark.spec("asp-player", 54)
def test_a_rule_that_ends_the_game_too_early() -> None:
    rules = rules_of("hodgepodge")
    (reason,) = explain_no_plan(NoPlan(rules, rules.roles[1], 100), ENOUGH)
    assert reason.kind == "ending"
    assert reason.line == 158
    assert reason.plan is not None
    assert len(reason.plan) == 6
    assert rules.source.line_text(158).startswith("(<= terminal")


@pytest.mark.spec("asp-player", 54)
def test_a_value_nobody_could_reach() -> None:
    rules = parse_kif(LADDER)
    (reason,) = explain_no_plan(NoPlan(rules, rules.roles[0], 75), ENOUGH)
    assert reason.text == "75 is out of reach for a whatever all do; the most is 50"


def test_no_time_no_reason() -> None:
    rules = rules_of("tictactoe")
    assert explain_no_plan(NoPlan(rules, rules.roles[1], 100, longest=5), Budget(seconds=0)) == []
