"""One reading of goals: a value counts where the rules give exactly one; whatever plans, and by any seed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from ludorum.cli.app import app
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from ludorum.search.breadth_first import breadth_first
from ludorum.search.budget import Budget, Stopwatch
from ludorum.search.nested import nested_search
from ludorum.solve.command_line import ProgramPlanner
from ludorum.solve.goals import every_goal_value
from ludorum.solve.horizon import Unrolled
from ludorum.solve.planner import Order, Planner
from ludorum.solve.portfolio import PlanTask, best_plan
from ludorum.solve.strategy_search import check_strategy_tree, settle_first_moves
from ludorum.solve.thinker import LogicThinker, ThinkerConfig

ENOUGH = Budget(seconds=300)


def run_cli(*args: str) -> Result:
    return CliRunner().invoke(app, list(args))


SEVERAL = """
(role me) (init here)
(legal me a) (legal me b) (legal me c) (legal me d)
(<= (next (went ?m)) (does me ?m))
(<= terminal (true (went ?m)))
(<= (goal me 30) (true (went a)))
(<= (goal me 80) (true (went a)))
(<= (goal me 50) (true (went b)))
(<= (goal me 70) (true (went c)))
(<= (goal me 90) (true (went c)))
"""
"""Worth 30 and 80 at once after a, 50 after b, 70 and 90 after c, nothing after d."""

OVER = "(role me) (init here) (legal me go) (<= (next there) (does me go)) (<= terminal (true here)) {goals}"
"""Over before it begins."""


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("order", list(Order))
def test_several_values_are_none_whatever_the_seed(seed: int, order: Order) -> None:
    rules = parse_kif(SEVERAL)
    answer = Planner(Unrolled(rules, seed=seed)).plan(rules.roles[0], ENOUGH, order=order)
    assert answer.plan is not None
    assert (str(answer.plan.moves[0][0]), answer.plan.goal, answer.plan.optimal) == ("b", 50, True)
    assert answer.complete


def test_all_ways_read_goals_alike() -> None:
    rules = parse_kif(SEVERAL)
    for game in (LiftedGame(rules, "several"), ReferenceGame(rules, "several")):
        ends = [game.initial().play((move,)) for move in game.initial().legal(game.roles[0])]
        assert [end.goal(game.roles[0]) for end in ends] == [None, 50, None, None]
    program = ProgramPlanner(rules).plan(rules.roles[0], ENOUGH, longest=3)
    assert program.plan is not None
    assert (program.plan.goal, len(program.plan), program.complete) == (50, 1, True)
    game = LiftedGame(rules, "several")
    for found in (breadth_first(game), nested_search(game, budget=Budget(playouts=200), seed=3)):
        assert found is not None
        assert (str(found.moves[0]), found.goal) == ("b", 50)


@pytest.mark.parametrize(("way", "seed"), [("logic", 2), ("search", 1)])
def test_the_verb_gives_one_answer(tmp_path: Path, way: str, seed: int) -> None:
    sheet = tmp_path / "several.kif"
    sheet.write_text(SEVERAL)
    told = json.loads(run_cli("plan", str(sheet), "--seed", str(seed), "--way", way, "--json").stdout)
    assert (told["goal"], told["moves"], told["optimal"]) == (50, [["b"]], True)


def test_an_end_without_one_value_is_no_end_of_a_plan() -> None:
    rules = parse_kif(SEVERAL.replace("(legal me b)", ""))
    answer = Planner(rules).plan(rules.roles[0], ENOUGH)
    assert (answer.plan, answer.complete) == (None, True)
    assert ProgramPlanner(rules).plan(rules.roles[0], ENOUGH, longest=3).plan is None
    game = LiftedGame(rules, "none")
    assert breadth_first(game) is None
    assert nested_search(game, budget=Budget(playouts=20)) is None


def test_strategies_do_not_count_on_one_of_several_values() -> None:
    other = "(role you) (legal you wait)"
    rules = parse_kif(SEVERAL + other)
    state = LiftedGame(rules, "several").initial()
    me = rules.roles[0]
    held = {}
    for value in (0, 30, 50, 80):
        search = settle_first_moves(rules, state.facts(), me, value, ENOUGH)
        assert search.is_settled
        held[value] = {str(move) for move, verdict in search.verdicts.items() if verdict.holds}
        for verdict in search.verdicts.values():
            assert verdict.strategy is None or check_strategy_tree(state, me, verdict.strategy, value) == 1
    assert held == {0: {"a", "b", "c", "d"}, 30: {"b"}, 50: {"b"}, 80: set()}


def test_a_game_that_is_over_has_a_plan_without_moves(tmp_path: Path) -> None:
    text = OVER.format(goals="(<= (goal me 70) (true here)) (<= (goal me 100) (true there))")
    rules = parse_kif(text)
    me = rules.roles[0]
    for order in Order:
        for hurry in (False, True):
            planner = Planner(rules)
            answer = planner.plan(me, ENOUGH, order=order, hurry=hurry)
            assert answer.plan is not None
            assert (answer.plan.moves, answer.plan.goal, answer.complete) == ((), 70, True)
            assert planner.count_plans(answer.plan, ENOUGH) == 1
            assert planner.first_moves(answer.plan, ENOUGH) == ()
            assert planner.forced_move(answer.plan, ENOUGH) is None
            assert planner.longest_play(ENOUGH) == 0
    program = ProgramPlanner(rules).plan(me, ENOUGH, longest=2)
    assert program.plan is not None
    assert (program.plan.moves, program.plan.goal, program.complete) == ((), 70, True)
    sheet = tmp_path / "over.kif"
    sheet.write_text(text)
    game = load_game(str(sheet), "lifted")
    for found in best_plan(PlanTask(game, me), Budget(seconds=60)):
        if found.answer is not None and found.answer.plan is not None:
            assert (found.answer.plan.moves, found.answer.plan.goal) == ((), 70)
    told = run_cli("plan", str(sheet))
    assert "me has 70 after 0 moves: the best there is; no plan is shorter" in told.stdout


def test_a_match_that_is_over_has_a_plan_without_moves(tmp_path: Path) -> None:
    sheet = tmp_path / "several.kif"
    sheet.write_text(SEVERAL)
    told = json.loads(run_cli("plan", str(sheet), "--after", "b", "--json").stdout)
    assert (told["goal"], told["moves"], told["optimal"]) == (50, [], True)
    rules = parse_kif(SEVERAL)
    planner = Planner(rules)
    planner.after((LiftedGame(rules, "x").initial().legal(rules.roles[0])[1],))
    answer = planner.plan(rules.roles[0], ENOUGH)
    assert answer.plan is not None
    assert (answer.plan.moves, answer.plan.goal) == ((), 50)


@dataclass(frozen=True)
class Puzzle:
    """A puzzle by its table: where moves lead, where it ends, and what ends are worth."""

    moves: tuple[tuple[int, ...], ...]
    """From each state the states that moves lead to, all with greater numbers; none: stuck."""
    ends: frozenset[int]
    values: tuple[tuple[str, ...], ...]

    @property
    def rules(self) -> Ruleset:
        lines = ["(role me)", "(init (at 0))", "(<= (legal me (go ?y)) (true (at ?x)) (edge ?x ?y))",
                 "(<= (next (at ?y)) (does me (go ?y)))", "(<= terminal (true (at ?x)) (end ?x))",
                 "(<= (goal me ?v) (true (at ?x)) (worth ?x ?v))"]  # fmt: skip
        lines += [f"(edge {one} {other})" for one, after in enumerate(self.moves) for other in after]
        lines += [f"(end {one})" for one in sorted(self.ends)]
        lines += [f"(worth {one} {value})" for one, own in enumerate(self.values) for value in own]
        return parse_kif("\n".join(lines))

    def best(self) -> tuple[int, int] | None:
        """The highest value and the fewest moves to it, by going through all states."""
        layer, length = {0}, 0
        found: dict[int, int] = {}
        while layer:
            for one in layer & self.ends:
                own = self.values[one]
                if len(own) == 1 and own[0].isdigit() and int(own[0]) <= 100:
                    found.setdefault(int(own[0]), length)
            layer = {other for one in layer - self.ends for other in self.moves[one]}
            length += 1
        return max(found.items(), default=None)


VALUES = st.lists(st.sampled_from(["0", "30", "80", "100", "much"]), unique=True, max_size=2).map(tuple)


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    count = draw(st.integers(1, 7))
    later = [st.sets(st.integers(at + 1, count - 1), max_size=3) if at + 1 < count else st.just(set())
             for at in range(count)]  # fmt: skip
    moves = tuple(tuple(sorted(draw(each))) for each in later)
    ends = draw(st.frozensets(st.integers(0, count - 1)))
    values: Sequence[tuple[str, ...]] = [draw(VALUES) for _ in range(count)]
    return Puzzle(moves, ends, tuple(values))


@pytest.mark.long
@settings(max_examples=50)
@given(puzzles(), st.integers(0, 2**40))
def test_plans_by_logic_and_by_search_are_those_of_the_table(puzzle: Puzzle, seed: int) -> None:
    rules, expected = puzzle.rules, puzzle.best()
    me = rules.roles[0]
    planner = Planner(Unrolled(rules, seed=seed))
    for order, hurry in ((Order.VALUE, False), (Order.VALUE, True), (Order.LENGTH, False)):
        answer = planner.plan(me, ENOUGH, order=order, hurry=hurry)
        assert answer.complete
        assert (None if answer.plan is None else (answer.plan.goal, len(answer.plan))) == expected
    found = breadth_first(LiftedGame(rules, "table"))
    assert (None if found is None else (found.goal, len(found.moves))) == expected
    fresh = Planner(Unrolled(rules, seed=seed)).plan(me, ENOUGH, order=Order.LENGTH, hurry=True)
    assert (None if fresh.plan is None else (fresh.plan.goal, len(fresh.plan))) == expected


@settings(max_examples=25)
@given(puzzles())
def test_plays_of_each_length_are_those_of_the_table(puzzle: Puzzle) -> None:
    """Asked again in any order, horizons give the same numbers of plays."""
    rules = puzzle.rules
    unrolled = Unrolled(rules)
    counts = {0: {0: 1}}
    for length in range(6):
        counts[length + 1] = {}
        for one, ways in counts[length].items():
            for other in () if one in puzzle.ends else puzzle.moves[one]:
                counts[length + 1][other] = counts[length + 1].get(other, 0) + ways
    planner = Planner(unrolled)
    for length in (3, 0, 5, 1, 4, 2, 3):
        for value in (100, 30, 0):
            expected = sum(
                ways
                for one, ways in counts[length].items()
                if one in puzzle.ends and len(puzzle.values[one]) == 1
                and puzzle.values[one][0].isdigit() and int(puzzle.values[one][0]) >= value
            )  # fmt: skip
            query = planner.query(length, rules.roles[0], value)
            assert unrolled.count(query, Stopwatch(ENOUGH)) == expected


COMPUTED = """
(role me) (role you) (init (left 3)) (legal you wait) (less 3 2) (less 2 1) (less 1 0)
(<= (legal me (take ?v)) (worth ?v))
(<= (next (got ?v)) (does me (take ?v)))
(<= terminal (true (got ?v)))
(<= (goal ?r ?v) (role ?r) (true (got ?v)))
"""


@pytest.mark.parametrize(
    ("values", "exact"), [([60, 20], True), ([97, 85, 60, 42, 31, 20, 13, 8, 5, 2], False)]
)
def test_values_between_those_asked_for_are_possible(values: list[int], exact: bool) -> None:
    """Rules that compute values: nothing is called lost, or exact, that lies between two of a sample."""
    rules = parse_kif(COMPUTED + " ".join(f"(worth {value})" for value in values))
    assert (every_goal_value(rules, rules.roles[0]) is not None) is exact
    thinker = LogicThinker()
    thinker.begin(lambda _: None, rules, rules.roles[0], ThinkerConfig())
    advice = thinker.think(lambda _: None, LiftedGame(rules, "computed").initial().facts(), 300.0)
    assert len(advice.assessments) == len(values)
    for its in advice.assessments:
        value = int(str(its.move.args[0]))
        assert its.guaranteed <= value <= its.at_most
        assert its.is_exact is exact
    plan = ProgramPlanner(rules).plan(rules.roles[0], ENOUGH, longest=2)
    assert plan.plan is not None
    assert (plan.plan.goal, plan.complete) == (values[0], True)
