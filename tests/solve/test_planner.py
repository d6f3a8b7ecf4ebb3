"""Plans: their lengths, their numbers, and what can be said of their first moves."""

from __future__ import annotations

import clingo
import pytest

from ludorum.engine import load_game
from ludorum.engine.load import load_rules
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.solve.horizon import Unrolled
from ludorum.solve.plan_progress import PlanProgress
from ludorum.solve.planner import JointPlan, Order, Planner, PlanNews

from ..small_games import CIRCLE, DOOR
from .test_temporal import HELPERS, PATHS

ENOUGH = Budget(seconds=60)

LADDER = """
; 100 and 75 would need a sixth rung or a fourth; there are time for three steps and a slip that costs one.
(role a)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(init (rung 0)) (init (step 0))
(legal a climb) (legal a rest) (legal a jump)
(<= (next (rung ?n)) (does a climb) (true (rung ?m)) (succ ?m ?n))
(<= (next (rung ?m)) (does a rest) (true (rung ?m)))
(<= (next (rung 0)) (does a jump))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= (goal a 100) (true (rung 6)))
(<= (goal a 75) (true (rung 4)))
(<= (goal a 50) (true (rung 3)))
(<= (goal a 25) (true (rung 1)))
(<= (goal a 0) (true (rung 0)))
"""


def rules_of(name: str) -> Ruleset:
    return load_rules(find_sheet(name))


def best_plan(planner: Planner, role: Term, **more: int) -> JointPlan:
    found = planner.plan(role, ENOUGH, **more)  # type: ignore[arg-type]
    assert found.plan is not None
    assert found.complete
    return found.plan


@pytest.mark.long
@pytest.mark.spec("asp-player", 23)
@pytest.mark.spec("asp-player", 24)
@pytest.mark.parametrize(
    ("name", "seat", "length", "count"),
    [
        ("blocks", 0, 3, 1),
        ("buttons", 0, 6, 2),
        ("maze", 0, 6, 1),
        ("tictactoe", 0, 5, 1440),
        ("tictactoe", 1, 6, 5328),
        ("hodgepodge", 0, 3, 2),
    ],
)
def test_shortest_plans_and_their_number(name: str, seat: int, length: int, count: int) -> None:
    planner = Planner(rules_of(name))
    plan = best_plan(planner, planner.roles[seat])
    assert (plan.goal, len(plan), plan.optimal) == (100, length, True)
    plays = set(planner.plans(plan, ENOUGH))
    assert len(plays) == count
    assert plan.moves in plays
    state = load_game(name).initial()
    for joint in plan.moves:
        assert not state.is_terminal
        state = state.play(joint)
    assert state.is_terminal
    assert state.goal(plan.role) == 100


@pytest.mark.spec("asp-player", 24)
def test_buttons_has_these_two_plans() -> None:
    planner = Planner(rules_of("buttons"))
    plays = planner.plans(best_plan(planner, planner.roles[0]), ENOUGH)
    assert {" ".join(str(move) for (move,) in play) for play in plays} == {"a b a c b a", "a b c a b a"}


@pytest.mark.long
@pytest.mark.spec("asp-player", 24)
def test_longer_plans_are_counted_too() -> None:
    planner = Planner(rules_of("tictactoe"))
    longer = JointPlan(planner.roles[0], ((),) * 7, 100)
    assert planner.count_plans(longer, ENOUGH) == 47_952


@pytest.mark.spec("asp-player", 17)
@pytest.mark.spec("asp-player", 23)
def test_the_maze_of_hodgepodge_is_out_of_reach() -> None:
    """The blocks end the game after three steps, and gold needs six: nothing above 0, proved."""
    planner = Planner(rules_of("hodgepodge"))
    found = planner.plan(planner.roles[1], ENOUGH)
    assert found.complete
    assert found.plan is not None
    assert found.plan.goal == 0
    none = planner.plan(planner.roles[1], ENOUGH, values=[100])
    assert (none.plan, none.complete) == (None, True)


@pytest.mark.spec("asp-player", 17)
def test_no_moves_are_made_after_the_end() -> None:
    """Six steps, and no move after the third; without the rule that ends play, the maze takes six."""
    rules = rules_of("hodgepodge")
    unrolled = Unrolled(rules)
    unrolled.extend(6)
    last: list[int] = []

    def read(model: clingo.Model) -> bool:
        last.append(max(atom.arguments[2].number for atom in model.symbols(shown=True)))
        return True

    unrolled.decide((), Stopwatch(ENOUGH), read)
    assert len(last) == 28
    assert set(last) == {2}  # the third move is made in state 2
    maze = rules.roles[1]
    endless = rules.with_rules(rule for rule in rules.rules if "(step 4)" not in str(rule) or rule.head.args)
    assert len(endless.rules) == len(rules.rules) - 1
    found = Planner(endless).plan(maze, ENOUGH, values=[100]).plan
    assert found is not None
    assert len(found) == 6


@pytest.mark.spec("asp-player", 17)
def test_values_before_the_end_and_behind_it_do_not_count() -> None:
    """100 is there one step before the end, and would be there again behind it; at the end there is 10."""
    rules = parse_kif(
        "(role a) (legal a go) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)"
        "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 3)))"
        "(<= (goal a 100) (true (step 2))) (<= (goal a 100) (true (step 4))) (<= (goal a 10) (true (step 3)))"
    )
    answer = Planner(rules).plan(rules.roles[0], ENOUGH)
    assert answer.plan is not None
    assert (answer.plan.goal, len(answer.plan), answer.complete) == (10, 2, True)
    assert Planner(rules).longest_play(ENOUGH) == 2


@pytest.mark.spec("asp-player", 18)
@pytest.mark.parametrize("order", list(Order))
def test_the_best_value_that_can_be_reached(order: Order) -> None:
    planner = Planner(parse_kif(LADDER))
    found = planner.plan(planner.roles[0], ENOUGH, order=order)
    assert found.plan is not None
    assert (found.plan.goal, found.complete, len(found.plan)) == (50, True, 3)


@pytest.mark.spec("asp-player", 19)
def test_inertia_would_break_buttons() -> None:
    """Were frame axioms added, a lamp that goes off would stay on as well, and three moves would do."""
    frame = "(<= (next (on ?x)) (true (on ?x))) (<= (next (off ?x)) (true (off ?x)))"
    planner = Planner(parse_kif(find_sheet("buttons").source.text + frame))
    plan = best_plan(planner, planner.roles[0])
    assert len(plan) == 3
    end = planner.unrolled.trace(plan.moves)[-1].facts
    assert {parse_term("(on p)"), parse_term("(off p)")} <= end


@pytest.mark.spec("asp-player", 25)
def test_nothing_is_solved_while_the_goal_is_out_of_reach() -> None:
    planner = Planner(rules_of("maze"))
    found = planner.plan(planner.roles[0], ENOUGH, values=[100], longest=3)
    assert (found.plan, found.solves) == (None, 0)
    assert planner.unrolled.horizon == 3
    assert planner.unrolled.work.models == 0


def tictactoe_before_turn_5() -> list[str]:
    return ["(mark 2 2) noop", "noop (mark 1 1)", "(mark 1 2) noop", "noop (mark 3 2)"]


def joint(text: str) -> tuple[Term, ...]:
    return tuple(parse_kif(f"(x {text})").rules[0].head.args)  # type: ignore[arg-type]


@pytest.mark.spec("asp-player", 26)
@pytest.mark.spec("asp-player", 27)
@pytest.mark.parametrize("rooted", [False, True])
def test_first_moves_of_the_shortest_ways(rooted: bool) -> None:
    """The lost game of 2009 before turn 5: four ways to win by move 7 if the other one helps, none forced."""
    rules = rules_of("tictactoe")
    past = [joint(text) for text in tictactoe_before_turn_5()]
    if rooted:
        state = load_game("tictactoe").initial()
        for moves in past:
            state = state.play(moves)
        planner = Planner(Unrolled(rules, state.facts()))
    else:
        planner = Planner(rules)
        for moves in past:
            planner.after(moves)
    plan = best_plan(planner, planner.roles[0])
    assert len(plan) == 3  # moves 5, 6 and 7
    begun = {str(move) for move in planner.first_moves(plan, ENOUGH)}
    assert begun == {"(mark 1 3)", "(mark 2 1)", "(mark 2 3)", "(mark 3 1)"}
    assert planner.forced_move(plan, ENOUGH) is None
    assert sum(1 for _ in planner.plans(plan, ENOUGH)) == 12


@pytest.mark.spec("asp-player", 26)
def test_a_first_move_that_all_plans_share() -> None:
    planner = Planner(rules_of("buttons"))
    plan = best_plan(planner, planner.roles[0])
    assert planner.first_moves(plan, ENOUGH) == (Term("a"),)
    assert planner.forced_move(plan, ENOUGH) == Term("a")


@pytest.mark.spec("asp-player", 14)
def test_two_must_press_together() -> None:
    planner = Planner(parse_kif(DOOR))
    assert best_plan(planner, planner.roles[0]).moves == ((Term("push"), Term("push")),)


@pytest.mark.spec("asp-player", 15)
def test_a_plan_through_helpers() -> None:
    planner = Planner(parse_kif(HELPERS))
    plan = best_plan(planner, planner.roles[0])
    assert (plan.goal, len(plan), str(plan.moves[-1][0])) == (100, 3, "rest")


@pytest.mark.spec("asp-player", 16)
def test_a_plan_through_recursion_and_boxes() -> None:
    planner = Planner(parse_kif(PATHS))
    plan = best_plan(planner, planner.roles[0])
    assert (plan.goal, len(plan)) == (100, 6)
    assert plan.moves[-1] == (parse_term("(bridge 1 4)"),)


@pytest.mark.long
@pytest.mark.spec("asp-player", 22)
@pytest.mark.parametrize(
    ("name", "length"), [("blocks", 3), ("buttons", 6), ("maze", 9), ("tictactoe", 9), ("hodgepodge", 3)]
)
def test_the_longest_play_is_proved(name: str, length: int) -> None:
    assert Planner(rules_of(name)).longest_play(ENOUGH) == length


NEEDED = [("blocks", 0, 3), ("buttons", 0, 6), ("maze", 0, 6), ("tictactoe", 0, 5), ("tictactoe", 1, 6),
          ("hodgepodge", 0, 3), ("hodgepodge", 1, None)]  # fmt: skip
"""Moves that a role needs for 100 if all help; None where nothing brings it."""


@pytest.mark.spec("asp-player", 59)
def test_no_plan_of_at_most_so_many_moves() -> None:
    """For each role of five games: proof that fewer moves do not do, and a plan that the engine plays."""
    for name, seat, needed in NEEDED:
        game = load_game(name)
        role, planner = game.roles[seat], Planner(rules_of(name))
        for longest in range(1, 7):
            answer = planner.plan(role, ENOUGH, values=[100], longest=longest)
            assert answer.complete, (name, role, longest)
            if needed is None or longest < needed:
                assert answer.plan is None
                continue
            assert answer.plan is not None
            assert len(answer.plan) == needed
            state = game.initial()
            for joint in answer.plan.moves:
                assert not state.is_terminal
                assert len(joint) == len(game.roles)
                assert all(move in state.legal(who) for who, move in zip(game.roles, joint, strict=True))
                state = state.play(joint)
            assert state.is_terminal
            assert state.goal(role) == 100


@pytest.mark.alone
def test_an_endless_game_ends_with_the_budget() -> None:
    planner = Planner(parse_kif(CIRCLE))
    found = planner.plan(planner.roles[0], Budget(seconds=0.3))
    assert (found.plan, found.complete) == (None, False)
    assert found.seconds < 1


@pytest.mark.parametrize(
    ("name", "seat", "goal"), [("blocks", 0, 100), ("tictactoe", 1, 100), ("hodgepodge", 1, 0)]
)
def test_who_hurries_finds_the_same_where_nothing_is_hard(name: str, seat: int, goal: int) -> None:
    planner, patient = Planner(rules_of(name)), Planner(rules_of(name))
    role = planner.roles[seat]
    found = planner.plan(role, ENOUGH, hurry=True)
    assert found.complete
    assert found.plan is not None
    assert (found.plan.goal, found.bound) == (goal, goal)
    assert len(found.plan) == len(best_plan(patient, role))


@pytest.mark.long
def test_who_hurries_leaves_hard_horizons_for_later() -> None:
    """That nine presses do not do it is hard to prove; ten do."""
    planner = Planner(rules_of("lights_out"))
    found = planner.plan(planner.roles[0], ENOUGH, hurry=True)
    assert found.plan is not None
    assert (found.plan.goal, found.plan.optimal, found.plan.shortest, found.complete) == (
        100,
        True,
        False,
        False,
    )
    state = load_game("lights_out").initial()
    for joint in found.plan.moves:
        state = state.play(joint)
    assert state.is_terminal
    assert state.goals() == (100,)


def test_what_is_out_of_reach_bounds_the_value() -> None:
    rules = parse_kif(LADDER)
    found = Planner(rules).plan(rules.roles[0], ENOUGH, hurry=True)
    assert (found.bound, found.complete) == (50, True)


def test_news_on_the_way_to_a_plan() -> None:
    """Every horizon for every value is told, the best plan with it."""
    planner = Planner(parse_kif(LADDER))
    heard: list[PlanNews] = []
    answer = planner.plan(planner.roles[0], ENOUGH, on_news=heard.append)
    assert answer.plan is not None
    assert heard[-1].plan is not None
    assert (heard[-1].plan.moves, heard[-1].plan.goal) == (answer.plan.moves, answer.plan.goal)
    assert max(news.horizon for news in heard) == answer.horizon
    assert all(news.plan is None for news in heard[:-1])


def test_progress_is_the_best_of_all_news() -> None:
    """Whoever tells it, and in whatever order."""
    progress = PlanProgress()
    plan = JointPlan(Term("a"), (), 50)
    for news in (PlanNews(3, None), PlanNews(2, plan), PlanNews(5, JointPlan(Term("a"), (), 25))):
        progress.hear(news)
    assert (progress.horizon, progress.best) == (5, plan)
    assert str(progress).startswith("5 moves ahead, best so far 50, 0 s")
    assert str(PlanProgress()).startswith("no plan yet")
