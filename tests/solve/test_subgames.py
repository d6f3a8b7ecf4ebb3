"""Independent sub-games: found, playable as games of their own, and planned apart."""

from __future__ import annotations

import time

import pytest

from ludorum.engine import explore
from ludorum.engine.errors import GameError
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif
from ludorum.search.budget import Budget
from ludorum.solve.horizon import OutOfTime
from ludorum.solve.plan_by_parts import plan_by_parts
from ludorum.solve.planner import Planner
from ludorum.solve.portfolio import PlanTask, best_plan
from ludorum.solve.prove import ProofLimits, VerdictStatus, prove
from ludorum.solve.prove.subgames import Subgame, find_parts, may_split
from tests.how_much import sample

from .test_planner import rules_of

ENOUGH = Budget(seconds=60)

TWO_WALKS = """
; Two walks of one walker, a step in one of them at a time; too far on the left is the end of it.
(role a)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(init (left 0)) (init (right 0))
(<= (legal a (go_left ?y)) (true (left ?x)) (succ ?x ?y))
(<= (legal a (go_right ?y)) (true (right ?x)) (succ ?x ?y))
(<= (legal a (back_right ?x)) (true (right ?y)) (succ ?x ?y))
(<= (next (left ?y)) (does a (go_left ?y)))
(<= (next (left ?x)) (true (left ?x)) (does a (go_right ?y)))
(<= (next (left ?x)) (true (left ?x)) (does a (back_right ?y)))
(<= (next (right ?y)) (does a (go_right ?y)))
(<= (next (right ?y)) (does a (back_right ?y)))
(<= (next (right ?x)) (true (right ?x)) (does a (go_left ?y)))
(<= done (true (left 3)) (true (right 4)))
(<= terminal done)
(<= terminal (true (left 4)))
(<= (goal a 100) done)
(<= (goal a 0) (not done))
"""


def named(part: Subgame) -> tuple[set[str], set[str]]:
    return {fluent.name for fluent in part.fluents}, {move.name for _, move in part.moves}


@pytest.mark.spec("asp-player", 53)
def test_hodgepodge_splits_into_blocks_and_maze() -> None:
    blocks, maze = find_parts(rules_of("hodgepodge"), ENOUGH)
    assert named(blocks) == ({"on", "table", "clear"}, {"s", "u"})
    assert named(maze) == ({"cell", "gold"}, {"move", "grab", "drop"})
    assert {fluent.name for fluent in blocks.clock} == {"step"}
    assert [str(role) for part in (blocks, maze) for role in part.roles] == ["blocksplayer", "mazeplayer"]


@pytest.mark.spec("asp-player", 53)
def test_the_blocks_of_hodgepodge_are_the_game_of_blocks() -> None:
    part, _ = find_parts(rules_of("hodgepodge"), ENOUGH)
    apart, alone = (explore(LiftedGame(rules, "part")) for rules in (part.game, rules_of("blocks")))
    assert (apart.states, apart.terminal, apart.longest) == (alone.states, alone.terminal, alone.longest)
    assert (apart.states, apart.terminal) == (16, 7)


@pytest.mark.parametrize("name", sample(["tictactoe", "blocks", "buttons"], 3))
def test_games_of_one_piece_stay_whole(name: str) -> None:
    assert len(find_parts(rules_of(name), ENOUGH)) == 1


def test_two_puzzles_are_planned_apart_and_as_short_as_together() -> None:
    rules = parse_kif(TWO_WALKS)
    assert [named(part)[0] for part in find_parts(rules, ENOUGH)] == [{"left"}, {"right"}]
    plan = plan_by_parts(rules, ENOUGH)
    whole = Planner(rules).plan(rules.roles[0], ENOUGH).plan
    assert plan is not None
    assert whole is not None
    assert (len(plan), plan.goal, plan.shortest) == (len(whole), 100, True) == (7, 100, True)
    states = [LiftedGame(rules, "whole").initial()]
    for joint in plan.moves:
        states.append(states[-1].play(joint))
    assert states[-1].is_terminal
    assert states[-1].goal(rules.roles[0]) == 100


@pytest.mark.parametrize("name", ["blocks", "hodgepodge", "tictactoe"])
def test_no_plan_by_parts_where_there_are_none(name: str) -> None:
    assert plan_by_parts(rules_of(name), ENOUGH) is None


def test_factorable_is_a_property() -> None:
    for name, status in (("hodgepodge", VerdictStatus.PROVED), ("maze", VerdictStatus.UNKNOWN)):
        (found,) = prove(rules_of(name), ["factorable"], ENOUGH, limits=ProofLimits(plays=50))
        assert found.status is status


def test_the_planner_plans_by_parts_on_its_own() -> None:
    rules = parse_kif(TWO_WALKS)
    assert may_split(rules)
    assert not any(may_split(rules_of(name)) for name in ("blocks", "buttons", "maze", "lights_out"))
    task = PlanTask(LiftedGame(rules, "walks"), rules.roles[0], shortest=True)
    (found,) = best_plan(task, ENOUGH, ["parts"])
    assert found.answer is not None
    assert found.answer.plan is not None
    assert (len(found.answer.plan), found.answer.complete) == (7, True)
    best = best_plan(task, ENOUGH)[0]
    assert best.answer is not None
    assert best.answer.plan is not None
    assert len(best.answer.plan) == 7


def test_plans_of_parts_need_no_clock() -> None:
    plan = plan_by_parts(parse_kif(TWO_WALKS), Budget(nodes=1_000_000))
    assert plan is not None
    assert plan.moves == plan_by_parts(parse_kif(TWO_WALKS), ENOUGH).moves  # type: ignore[union-attr]


def test_time_that_is_up_is_not_begun_anew() -> None:
    began = time.monotonic()
    with pytest.raises((GameError, OutOfTime)):
        plan_by_parts(parse_kif(TWO_WALKS), Budget(seconds=0.0))
    assert time.monotonic() - began < 20
