"""B1 to B20: what went wrong in 2009 goes wrong in the baseline, and goes right in the planner of today."""

from __future__ import annotations

import json
import sys
from collections import Counter

import pytest
from clingo import ast

from ludorum.asp.control import RemarkError, ground, make_control
from ludorum.asp.names import asp_relation
from ludorum.asp.solver import SolverError, derive
from ludorum.asp.stamped import ROOTS, StampedRules, Stamps
from ludorum.asp.temporal import TemporalProgram
from ludorum.engine.load import load_rules
from ludorum.experiments.planning_2009.legacy import LegacyPlanner
from ludorum.experiments.planning_2009.translation import NO_MOVE, extract_move, lisp_move
from ludorum.rules.check import check_ruleset
from ludorum.rules.dependencies import Dependencies
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import find_sheet, library_names
from ludorum.rules.normalise import literal_bodies
from ludorum.rules.source import Severity
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.solve.command_line import ProgramError, ProgramPlanner
from ludorum.solve.horizon import Unrolled
from ludorum.solve.planner import JointPlan, Planner

from .sheets_2009 import ENOUGH, legacy_planner, modern_answer, sheet_2009

CLOCK = """
(succ 1 2) (succ 2 3) (init (step 1))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 3)))
"""
ONE = "(role a) (legal a press) (legal a rest)" + CLOCK
WON = "(<= terminal (true won)) (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))"


def modern_plan(text: str, role: str = "a") -> JointPlan:
    """The plan of today; the sheet must have no fault."""
    rules = parse_kif(text)
    assert [fault for fault in check_ruleset(rules) if fault.severity is Severity.ERROR] == []
    plan = modern_answer(rules, role).plan
    assert plan is not None
    return plan


def assert_legacy_has_no_move(text: str, role: str = "a") -> None:
    """It finds no plan, or believes to be done."""
    assert LegacyPlanner(text, role).answer().move == NO_MOVE


def assert_legacy_fails(text: str, role: str = "a") -> None:
    with pytest.raises(RuntimeError):
        LegacyPlanner(text, role).answer()


def test_b1_effects_of_joint_moves() -> None:
    door = (
        "(role a) (role b) (legal a push) (legal a wait) (legal b push) (legal b wait)"
        + CLOCK
        + "(<= (next won) (does a push) (does b push))"
        + WON
        + "(goal b 0)"
    )
    assert_legacy_has_no_move(door)
    assert modern_plan(door).moves == ((Term("push"), Term("push")),)


def test_b2_persistence_under_a_negated_move() -> None:
    lamp = (
        ONE
        + "(init lit) (<= (next lit) (true lit) (not (does a rest)))"
        + "(<= (goal a 100) (true lit) (true (step 3))) (<= (goal a 0) (not (true lit)))"
    )
    assert_legacy_has_no_move(lamp)
    assert modern_plan(lamp).moves == ((Term("press"),), (Term("press"),))


def test_b3_helpers_that_ask_for_moves() -> None:
    lamp = ONE + "(<= pushed (does a press)) (<= (next won) pushed)" + WON
    assert_legacy_has_no_move(lamp)
    assert modern_plan(lamp).moves == ((Term("press"),),)


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (legal a jump) (not (true won)) (true (step ?m)))",
        "(<= (next lit) (does a press) (not (true won)) (true (step ?m)))",
        "(<= apart (true (step ?m)) (distinct ?m 2) (succ ?m ?n))",
        "(<= idle (not (does a press)) (true (step ?m)))",
    ],
)
def test_b4_separators(rule: str) -> None:
    game = ONE + rule + "(<= (next won) (does a press))" + WON
    assert_legacy_fails(game)
    assert len(modern_plan(game)) == 1


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (next won) (does a press) (or (true (step 1)) (true (step 2))))",
        "(<= early (or (true (step 1)) (true (step 2)))) (<= (next won) (does a press) early)",
        "(<= (next won) (or (true (step 1)) (true (step 3))))",
    ],
)
def test_b5_disjunctions_of_anything(rule: str) -> None:
    assert_legacy_has_no_move(ONE + rule + WON)
    assert len(modern_plan(ONE + rule + WON)) == 1


LAMPS = (
    "(role a) (lamp p) (lamp q)"
    + CLOCK
    + "(<= (legal a (touch ?x)) (lamp ?x)) (<= (next (lit ?x)) (does a (touch ?x)))"
    + "(<= dark (not (true (lit p))) (not (true (lit q)))) (<= (goal a 0) dark) (<= terminal (not dark))"
)


def test_b6_alternative_goals() -> None:
    """A lamp is lit for one step only: both at once are never lit."""
    either = LAMPS + "(<= (goal a 100) (true (lit p))) (<= (goal a 100) (true (lit q)))"
    assert_legacy_has_no_move(either)
    plan = modern_plan(either)
    assert Planner(parse_kif(either)).count_plans(plan, ENOUGH) == 2


def test_b7_goals_with_variables_negation_and_the_rest() -> None:
    some = LAMPS + "(<= (goal a 100) (true (lit ?x)))"
    assert_legacy_has_no_move(some)
    assert len(modern_plan(some)) == 1
    other = LAMPS + "(<= (goal a 100) (true (lit ?x)) (distinct ?x p))"
    assert_legacy_has_no_move(other)
    assert modern_plan(other).moves == ((parse_term("(touch q)"),),)
    either = LAMPS + "(<= (goal a 100) (or (true (lit p)) (true (lit q))))"
    assert_legacy_has_no_move(either)
    assert len(modern_plan(either)) == 1
    negated = LAMPS + "(<= (goal a 100) (not dark))"
    assert_legacy_fails(negated)
    assert len(modern_plan(negated)) == 1


def test_b8_goals_of_every_role() -> None:
    """Without its goal the baseline believes to have reached it, and sends no move."""
    goal = "(<= (goal ?r 100) (role ?r) (true won))"
    game = ONE + "(<= (next won) (does a press)) (<= terminal (true won))" + goal
    legacy = LegacyPlanner(game, "a")
    assert goal in legacy.program.dropped
    assert legacy.answer().move == NO_MOVE
    assert modern_plan(game).moves == ((Term("press"),),)


@pytest.mark.spec("asp-player", 60)
@pytest.mark.parametrize("name", ["all_on", "all-on", "on2"])
def test_b9_names_of_more_than_letters(name: str) -> None:
    rule = f"(<= {name} (true lit))"
    game = ONE + f"(<= (next lit) (does a press)) {rule} (<= terminal {name}) (<= (goal a 100) {name})"
    legacy = LegacyPlanner(game, "a")
    assert rule in legacy.program.dropped
    assert legacy.answer().move == NO_MOVE
    assert modern_plan(game).moves == ((Term("press"),),)


def test_b10_terms_inside_terms() -> None:
    board = (
        "(role a) (init (at (pos 1 2)))"
        + CLOCK
        + "(<= (legal a (stay ?p)) (true (at ?p))) (<= (next won) (does a (stay ?p)))"
        + WON
    )
    assert_legacy_has_no_move(board)
    assert modern_plan(board).moves == ((parse_term("(stay (pos 1 2))"),),)
    assert lisp_move("stay(pos(1,2))") != "(stay (pos 1 2))"
    assert lisp_move("s(b,c)") == "(s b c)"


def test_b11_constants_hidden_in_others() -> None:
    road = (
        "(role a) (legal a go) (init (at 10)) (link 10 1)"
        + "(<= (next (at ?y)) (does a go) (true (at ?x)) (link ?x ?y))"
        + "(<= terminal (true (at 1))) (<= (goal a 100) (true (at 1))) (<= (goal a 0) (true (at 10)))"
    )
    legacy = LegacyPlanner(road, "a")
    assert legacy.program.domains.constants["y"] == ["10"]
    assert legacy.answer().plans == 0
    assert len(modern_plan(road)) == 1


@pytest.mark.parametrize("name", ["t", "a", "aa", "f", "r"])
def test_b12_variables_of_the_fixed_part(name: str) -> None:
    road = (
        "(role a) (legal a go) (init (at p)) (link p q)" + CLOCK + f"(<= (next (at ?{name}))"
        f" (does a go) (true (at ?x)) (link ?x ?{name}))"
        "(<= terminal (true (at q))) (<= (goal a 100) (true (at q))) (<= (goal a 0) (true (at p)))"
    )
    assert_legacy_has_no_move(road)
    assert LegacyPlanner(road.replace(f"?{name})", "?y)"), "a").answer().move == "go"
    assert len(modern_plan(road)) == 1


def test_b13_variables_of_several_letters() -> None:
    game = (
        "(role a) (init (free p)) (init (free q))"
        + CLOCK
        + "(<= (legal a (put ?xb)) (true (free ?xb))) (<= (next won) (does a (put ?xa)))"
        + WON
    )
    assert_legacy_fails(game)
    assert LegacyPlanner(game.replace("?xa", "?u").replace("?xb", "?v"), "a").answer().plans > 0
    assert len(modern_plan(game)) == 1


def test_b14_comments_spaces_and_rules_of_init() -> None:
    plain = "(role a) (start p) (init (at p)) (<= (legal a press) (true (at p)))"
    rest = CLOCK + "(<= (next won) (does a press))" + WON
    assert LegacyPlanner(plain + rest, "a").answer().move == "press"
    derived = plain.replace("(init (at p))", "(<= (init (at ?x)) (start ?x))")
    assert_legacy_has_no_move(derived + rest)
    assert len(modern_plan(derived + rest)) == 1
    for space in ("  ", "\t"):
        layout = plain.replace("(init (at", f"(init{space}(at") + rest
        assert_legacy_fails(layout)
        assert len(modern_plan(layout)) == 1
    remark = "; is it (won) ?\n" + plain + rest
    assert LegacyPlanner(remark, "a").program.rules[0].head == "holds(won,T)"
    assert len(modern_plan(remark)) == 1


ROAD = (
    "(role a) (init (at 1))"
    + " ".join(f"(link {place} {place + 1})" for place in range(1, 12))
    + "(<= (legal a (go ?y)) (true (at ?x)) (link ?x ?y)) (<= (next (at ?y)) (does a (go ?y)))"
    + "(<= terminal (true (at 12))) (<= (goal a 100) (true (at 12)))"
)


def test_b15_the_move_of_the_turn() -> None:
    assert extract_move("occurs(go(12),11,a) occurs(go(2),1,a)", 1, "a") == "(go 12)"
    assert [str(move) for (move,) in modern_plan(ROAD).moves] == [f"(go {n})" for n in range(2, 13)]


def test_b16_the_shortest_plan() -> None:
    """Two short words are less text than one long one."""
    game = (
        "(role a) (legal a s) (legal a t) (legal a jumpoverthewholewallatonce)"
        + CLOCK
        + "(<= (next won) (does a jumpoverthewholewallatonce)) (<= (next up) (does a s))"
        + "(<= (next won) (does a t) (true up))"
        + WON
    )
    legacy = LegacyPlanner(game, "a").answer()
    assert legacy.line is not None
    assert legacy.line.count("occurs") == 2
    assert len(modern_plan(game)) == 1


@pytest.mark.spec("asp-player", 60)
def test_b17_without_a_plan_something_is_said() -> None:
    never = ONE + "(<= terminal (true won)) (<= (goal a 100) (true won)) (<= (goal a 20) (true (step 3)))"
    assert_legacy_has_no_move(never)
    none = modern_answer(never, "a")
    assert (none.plan, none.complete) == (None, True)
    lower = Planner(parse_kif(never)).plan(Term("a"), ENOUGH).plan
    assert lower is not None
    assert lower.goal == 20


def test_b18_time_is_limited() -> None:
    planner = Planner(load_rules(find_sheet("peg_solitaire")))
    found = planner.plan(planner.roles[0], Budget(seconds=0.05))
    assert not found.complete


def test_b19_after_the_goal() -> None:
    """The baseline has nothing to do once the goal is reached; the game knows that it is over."""
    legacy = legacy_planner("blocks", "robot")
    planner = Planner(sheet_2009("blocks"))
    for move in ("(u c a)", "(s b c)", "(s a b)"):
        legacy.after([move])
        planner.after((parse_term(move),))
    assert legacy.answer().plans == 1
    assert legacy.answer().move == NO_MOVE
    assert planner.longest_play(ENOUGH) == 0


@pytest.mark.spec("asp-player", 60)
def test_b20_goals_and_effects_that_are_facts() -> None:
    rung = ONE + "(next won)" + WON
    assert_legacy_has_no_move(rung)
    assert len(modern_plan(rung)) == 1
    always = ONE + "(goal a 100)"
    assert LegacyPlanner(always, "a").answer().move == NO_MOVE
    assert LegacyPlanner(rung, "a").program.misread == ["(next won)"]
    assert LegacyPlanner(always, "a").program.misread == ["(goal a 100)"]
    assert len(modern_plan(always)) == 2


@pytest.mark.spec("asp-player", 60)
def test_hyphens_are_no_arithmetic() -> None:
    """The baseline loses the fact, and the grounder's remark with it; our controls make it an error."""
    game = ONE + "(init lamp-off) (<= (next won) (does a press) (true lamp-off))" + WON
    legacy = LegacyPlanner(game, "a")
    assert legacy.answer().plans == 0
    assert any("undefined" in remark for remark in legacy.remarks)
    assert len(modern_plan(game)) == 1
    control, remarks = make_control()
    with pytest.raises(RemarkError, match="undefined"):
        ground(control, remarks, ["holds(lamp-off)."])


@pytest.mark.long
@pytest.mark.spec("asp-player", 60)
def test_no_rule_is_dropped() -> None:
    """Each alternative of each rule that a game depends on is one clingo rule of that head and size."""
    for name in library_names():
        rules = load_rules(find_sheet(name))
        if rules.has_hidden_information or not rules.roles:
            continue
        stamped = StampedRules(rules, Stamps(state="S", before="B", moves="M", after="A"))
        expected = Counter[tuple[str, int]]()
        for rule in Dependencies(rules).slice(ROOTS):
            head = ("true", 1) if rule.signature == ("next", 1) else rule.signature
            expected.update((asp_relation(*head), len(body)) for body in literal_bodies(rule))
        written = Counter[tuple[str, int]]()
        for line in (line for part in stamped.parts.values() for line in part):
            (statement,) = _statements(line)
            written[statement.head.atom.symbol.name, len(statement.body)] += 1
        assert written == expected, name


def _statements(text: str) -> list[ast.AST]:
    found: list[ast.AST] = []
    ast.parse_string(text, found.append)
    return found[1:]  # the first is `#program base`


@pytest.mark.spec("asp-player", 60)
def test_rules_that_play_no_part_are_named_by_the_checks() -> None:
    """What no keyword depends on is in no program; `check` says so, so that nothing vanishes unsaid."""
    text = ONE + "(<= (next won) (does a press)) (<= forgotten (true won))" + WON
    faults = check_ruleset(parse_kif(text))
    assert [fault.code for fault in faults if "forgotten" in fault.message] == ["unused-relation"]


@pytest.mark.spec("asp-player", 60)
def test_remarks_of_the_solver_are_errors_in_every_mode() -> None:
    """Library and program alike: a rule that clingo would drop with an info message stops the plan."""
    rules = parse_kif(ONE + "(<= (next won) (does a press))" + WON)
    text = TemporalProgram(rules).text + "#program base.\np_gone_1(lamp-off).\n"
    with pytest.raises(RemarkError, match="operation undefined"):
        Unrolled(rules, translation=text)
    with pytest.raises(SolverError, match="operation undefined"):
        derive("p_gone_1(lamp-off).", [("gone", 1)])
    answer = json.dumps({"Result": "UNSATISFIABLE", "Call": [{}]})
    talking = f"import sys; print('info: dropped', file=sys.stderr); print({answer!r})"
    with pytest.raises(ProgramError, match="remarks: info: dropped"):
        ProgramPlanner(rules, command=[sys.executable, "-c", talking]).plan(Term("a"), ENOUGH)
