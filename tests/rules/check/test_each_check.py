"""One planted fault for each code: lines added to a good game, and the very place where the fault is told."""

import pytest

from ludorum.rules.source import Severity
from tests.rules.check.sheets import GOOD, LINES, check, check_added, places

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# code, severity, lines added to the good game, line among them and column of the fault
ADDED = [
    # keywords
    ("keyword-arity", E, "(role a b)", 1, 1),
    ("keyword-arity", E, "(<= (next (heap 1))\n    (does white))", 2, 5),
    ("hint-arity", E, "(base (heap 1) (heap 2))", 1, 1),
    ("keyword-head", E, "(true (heap 2))", 1, 1),
    ("keyword-head", E, "(<= (does white take)\n    (true (heap 1)))", 1, 5),
    ("role-by-rule", W, "(<= (role ?p)\n    (other ?p white))", 1, 5),
    ("init-by-rule", N, "(<= (init (heap ?n))\n    (succ ?n 1))", 1, 5),
    ("init-depends-on-state", E, "(<= (init (heap 1))\n    (succ 0 1)\n    (true (heap 1)))", 3, 5),
    ("init-depends-on-state", E, "(<= (init (heap 1))\n    (big))\n(<= big (true (heap 3)))", 2, 5),
    ("base-depends-on-state", E, "(<= (base (heap ?n))\n    (true (heap ?n)))", 2, 5),
    ("input-depends-on-state", E, "(<= (input ?p ?m)\n    (legal ?p ?m))", 2, 5),
    ("role-depends-on-state", E, "(<= (role ?p)\n    (true (control ?p)))", 2, 5),
    ("depends-on-does", E, "(<= terminal\n    (does white take))", 2, 5),
    ("depends-on-does", E, "(<= (goal ?p 50)\n    (took ?p))\n(<= (took ?p) (does ?p take))", 2, 5),
    ("next-in-body", W, "(<= terminal\n    (next (heap 0)))", 2, 5),
    ("init-in-body", W, "(<= terminal\n    (init (heap 0)))", 2, 5),
    ("sees-in-body", W, "(<= (sees white a) (does white take))\n(<= terminal\n    (sees white a))", 3, 5),
    ("percept-condition", N, "(<= (sees ?p ?f)\n    (role ?p)\n    (next ?f))", 3, 5),
    ("keyword-as-helper", N, "(<= terminal\n    (goal white 100))", 2, 5),
    ("keyword-as-function", N, "(<= (sees ?p (does ?q ?m))\n    (role ?p)\n    (does ?q ?m))", 1, 14),
    # connectives
    ("misplaced-connective", E, "(distinct white black)", 1, 1),
    ("misplaced-connective", E, "(<= terminal\n    (succ (not 1) 2))", 2, 11),
    ("misplaced-connective", E, "(succ and 2)", 1, 7),
    ("negated-distinct", E, "(<= terminal\n    (succ ?m ?n)\n    (not (distinct ?m ?n)))", 3, 5),
    ("negated-formula", W, "(<= terminal\n    (not (or (true (heap 1)) (true (heap 2)))))", 2, 5),
    ("too-many-alternatives", E, "(<= terminal\n" + "(or (succ 0 1) (succ 1 2))\n" * 13 + ")", 1, 1),
    ("too-many-arguments", E, "(succ " + "0 " * 1001 + ")", 1, 1),
    ("too-many-arguments", E, "(init (heap " + "0 " * 1001 + "))", 1, 7),
    ("too-many-conditions", E, "(<= terminal\n" + "(succ 0 1)\n" * 4001 + ")", 1, 5),
    ("too-many-roles", E, "\n".join(f"(role extra{n})" for n in range(1000)), 999, 1),
    # safety
    ("unsafe-head", E, "(<= (legal ?p pass)\n    (true (heap 1)))", 1, 12),
    ("unsafe-head", E, "(<= (next (heap ?n))\n    (or (succ ?n 1) (true (heap 1))))", 1, 17),
    ("variable-in-fact", E, "(succ 3 ?n)", 1, 9),
    ("unsafe-negation", E, "(<= (legal ?p pass)\n    (not (true (control ?p))))", 2, 25),
    ("unsafe-distinct", E, "(<= terminal\n    (true (heap 1))\n    (distinct 1 ?n))", 3, 17),
    ("negation-only-variable", E, "(<= terminal\n    (not (true (heap ?n))))", 2, 22),
    # recursion
    ("negation-cycle", E, "(<= (p ?n)\n    (succ ?n 1)\n    (not (q ?n)))\n(<= (q ?n) (p ?n))", 3, 10),
    ("growing-term", E, "(num 0)\n(<= (num (s ?n))\n    (num ?n))", 3, 10),
    ("recursion-restriction", E, "(num 0)\n(<= (num 1)\n    (num ?n))", 3, 10),
    # what a game must have
    ("goal-value", E, "(<= (goal ?p 150)\n    (role ?p))", 1, 14),
    ("goal-value", E, "(<= (goal ?p lots)\n    (role ?p))", 1, 14),
    ("random-goal", N, "(role random)\n(goal random 0)", 2, 7),
    # names
    ("relation-arities", W, "(succ 4)", 1, 1),
    ("function-arities", W, "(init (heap 1 2))", 1, 7),
    ("undefined-relation", W, "(<= terminal\n    (won white))", 2, 5),
    ("unused-relation", W, "(colour white)", 1, 1),
    ("unneeded-relation", W, "(<= (p ?n) (q ?n))\n(<= (q ?n) (succ ?n 1))", 2, 5),
    ("not-a-role", W, "(<= (legal red take)\n    (true (heap 1)))", 1, 12),
    ("odd-capitals", W, "(<= terminal\n    (true (Heap 1)))", 2, 12),
    ("forgotten-question-mark", W, "(<= terminal\n    (true (heap ?top))\n    (succ 0 top))", 3, 13),
    ("near-name", W, "(<= terminal\n    (true (control blakc)))", 2, 20),
    ("singleton-variable", N, "(<= terminal\n    (succ ?n 0))", 2, 11),
    # fluents and moves
    ("fluent-never-true", W, "(<= terminal\n    (true (pile 0)))", 2, 11),
    ("fluent-never-tested", N, "(init (pile 3))", 1, 7),
    ("fluent-not-kept", W, "(init (pile 3))\n(<= terminal\n    (true (pile 0)))", 1, 7),
    ("move-never-legal", W, "(<= (next (heap 1))\n    (does white (put 1)))", 2, 17),
    ("fluent-and-relation", W, "(heap 7)", 0, 0),
    ("base-incomplete", W, "(base (heap 0))", 0, 0),
    ("input-incomplete", W, "(input white take)", 0, 0),
    # rules that do nothing
    ("never-fires", W, "(<= (p ?n) (lost ?n))\n(<= terminal\n    (p 1))", 3, 5),
    ("contradictory-body", W, "(<= terminal\n    (true (heap 1))\n    (not (true (heap 1))))", 3, 5),
    ("same-distinct", W, "(<= terminal\n    (succ ?n 1)\n    (distinct ?n ?n))", 3, 5),
    ("constant-distinct", N, "(<= terminal\n    (true (heap 1))\n    (distinct 1 2))", 3, 5),
    ("compound-distinct", N, "(<= terminal\n    (true ?f)\n    (distinct ?f (heap 3)))", 3, 5),
    ("duplicate-rule", W, "(<= (legal ?x take)\n    (true (control ?x)))", 1, 1),
    # order and form
    ("early-negation", W, "(<= terminal\n    (not (true (heap ?n)))\n    (succ ?n 1))", 2, 22),
    ("early-distinct", W, "(<= terminal\n    (distinct ?n 0)\n    (succ ?n 1))", 2, 15),
    ("empty-body", W, "(<= (succ 3 4))", 1, 1),
    ("lone-brackets", W, "(<= terminal\n    (over))\n(<= over (true (heap 3)))", 2, 5),
    # GDL-II
    ("sees-random", W, "(role random)\n(<= (sees random a)\n    (does white take))", 2, 11),
    ("random-without-sees", N, "(role random)", 1, 1),
    ("blind-role", N, "(<= (sees white a)\n    (does white take))", 0, 0),
]  # fmt: skip

# Faults that the added line brings to a line of the good game itself.
IN_THE_GOOD_GAME = {
    "fluent-and-relation": (3, 7),
    "base-incomplete": (4, 7),
    "input-incomplete": (9, 15),
    "blind-role": (2, 1),
}


def test_the_good_game_has_no_fault() -> None:
    assert check(GOOD) == []
    assert check(GOOD, lenient=True) == []


@pytest.mark.parametrize(
    ("code", "severity", "added", "line", "column"),
    ADDED,
    ids=[f"{n}-{row[0]}" for n, row in enumerate(ADDED)],
)
def test_a_planted_fault_is_told_at_its_place(
    code: str, severity: Severity, added: str, line: int, column: int
) -> None:
    faults = check_added(added)
    place = IN_THE_GOOD_GAME.get(code) or (LINES + line, column)
    assert place in places(faults, code)
    assert {fault.severity for fault in faults if fault.code == code} == {severity}
    assert all(fault.message and fault.source.name == "sheet.kif" for fault in faults)
    assert all(fault.hint for fault in faults if fault.severity is not Severity.NOTE)


SMALL = "(role robot)\n(init a)\n(legal robot go)\n(<= (next b) (does robot go) (true a))\n"
SMALL += "(<= terminal (true b))\n(goal robot 100)\n"


@pytest.mark.parametrize(
    ("code", "severity", "without"),
    [
        ("missing-role", E, "(role robot)\n"),
        ("missing-legal", E, "(legal robot go)\n"),
        ("missing-terminal", E, "(<= terminal (true b))\n"),
        ("missing-goal", E, "(goal robot 100)\n"),
        ("missing-init", W, "(init a)\n"),
        ("missing-next", W, "(<= (next b) (does robot go) (true a))\n"),
    ],
)
def test_what_is_missing_is_told_at_the_beginning(code: str, severity: Severity, without: str) -> None:
    assert check(SMALL) == []
    faults = [fault for fault in check(SMALL.replace(without, "")) if fault.code == code]
    assert [(fault.line, fault.column, fault.severity) for fault in faults] == [(1, 1, severity)]


@pytest.mark.parametrize("keyword", ["legal", "goal"])
def test_a_role_without_moves_or_goal_is_told_at_its_fact(keyword: str) -> None:
    faults = check(SMALL + "(role other)\n")
    assert places(faults, f"role-without-{keyword}") == [(7, 1)]


def test_nature_needs_no_goal() -> None:
    faults = check(SMALL + "(role random)\n(legal random roll)\n")
    assert not places(faults, "role-without-goal")


def test_a_constant_terminal_is_told() -> None:
    faults = check(SMALL.replace("(<= terminal (true b))", "terminal"))
    assert places(faults, "constant-terminal") == [(5, 1)]


def test_a_cycle_is_spelled_out_with_its_lines() -> None:
    faults = check_added("(<= (p ?n)\n    (succ ?n 1)\n    (not (q ?n)))\n(<= (q ?n)\n    (p ?n))")
    (cycle,) = [fault for fault in faults if fault.code == "negation-cycle"]
    assert f"p/1 (line {LINES + 3}) -> not q/1 (line {LINES + 5}) -> p/1" in cycle.message


def test_a_dependence_on_does_is_spelled_out() -> None:
    faults = check_added("(<= (legal ?p pass)\n    (took ?p))\n(<= (took ?p) (does ?p take))")
    (fault,) = [fault for fault in faults if fault.code == "depends-on-does"]
    assert f"legal/2 (line {LINES + 2}) -> took/1 (line {LINES + 3}) -> does/2" in fault.message


def test_each_alternative_of_or_must_bind() -> None:
    bad = (
        "(<= terminal\n    (or (succ ?n 1) (true (heap 1)))\n    (or (true (heap 2)) (not (true (heap ?n)))))"
    )
    good = "(<= terminal\n    (or (succ ?n 1) (succ 1 ?n))\n    (or (true (heap 2)) (not (true (heap ?n)))))"
    assert places(check_added(bad), "unsafe-negation") == [(LINES + 3, 42)]
    assert not places(check_added(good), "unsafe-negation")


def test_a_bounded_recursion_is_fine() -> None:
    faults = check_added(
        "(less 0 1)\n(<= (less ?a ?c)\n    (less ?a ?b)\n    (succ ?b ?c))\n(<= terminal (less 1 0))"
    )
    assert not places(faults, "recursion-restriction")
    assert not places(faults, "growing-term")


def test_a_constant_used_elsewhere_is_no_forgotten_variable() -> None:
    assert not places(check_added("(<= terminal\n    (other ?white white))"), "forgotten-question-mark")


def test_frame_rules_make_no_new_fluents() -> None:
    faults = check_added("(<= (next ?f)\n    (true ?f))\n(<= terminal\n    (true (pile 0)))")
    assert places(faults, "fluent-never-true") == [(LINES + 4, 11)]
