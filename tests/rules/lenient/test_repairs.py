"""Each lenient repair as rules before and rules after."""

import pytest

from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.lenient import make_safe, repair
from ludorum.rules.ruleset import format_kif
from ludorum.rules.source import Diagnostic, Severity
from tests.rules.check.sheets import GOOD, check, errors


def repaired(text: str) -> tuple[list[str], list[Diagnostic]]:
    """The repaired rules, one a line, and what was changed."""
    ruleset, notes = repair(parse_kif(text, "sheet.kif"))
    return [" ".join(str(rule).split()) for rule in ruleset.rules], notes


def codes(notes: list[Diagnostic]) -> list[str]:
    return [note.code for note in notes]


def test_a_good_sheet_stays_the_very_same() -> None:
    ruleset = parse_kif(GOOD)
    again, notes = repair(ruleset)
    assert again is ruleset
    assert not notes


def test_a_relation_is_taken_out_of_true() -> None:
    rules, notes = repaired("(init (cell a))\n(<= line (true (cell a)))\n(<= terminal\n    (true line))")
    assert rules[-1] == "(<= terminal line)"
    assert codes(notes) == ["repaired-wrapped-relation"]
    assert (notes[0].line, notes[0].column, notes[0].severity) == (4, 5, Severity.WARNING)


def test_a_relation_that_looks_at_does_stays_in_true() -> None:
    rules, notes = repaired("(init a)\n(<= moved (does white go))\n(<= terminal (true moved))")
    assert rules[-1] == "(<= terminal (true moved))"
    assert not notes


def test_a_bare_fluent_is_put_into_true() -> None:
    rules, notes = repaired("(init (on a b))\n(<= (goal robot 100)\n    (not (on b a)))")
    assert rules[-1] == "(<= (goal robot 100) (not (true (on b a))))"
    assert codes(notes) == ["repaired-bare-fluent"]
    assert (notes[0].line, notes[0].column) == (3, 10)


def test_a_name_that_is_both_is_left_alone_and_told() -> None:
    text = "(init (on a b))\n(on b a)\n(<= terminal (on b a) (true (on a b)))"
    _, notes = repaired(text)
    assert not notes
    assert "fluent-and-relation" in {fault.code for fault in check(text, lenient=True)}


def test_a_frame_rule_does_not_stop_the_repair() -> None:
    rules, _ = repaired("(init a)\n(<= (next ?f) (true ?f))\n(<= line (true a))\n(<= terminal (true line))")
    assert rules[-1] == "(<= terminal line)"


def test_a_variable_only_under_a_negation_means_there_is_none() -> None:
    rules, notes = repaired("(<= (legal ?p draw)\n    (role ?p)\n    (not (true (hand ?p ?card))))")
    assert rules == [
        "(<= (some_1 ?p) (true (hand ?p ?card)))",
        "(<= (legal ?p draw) (role ?p) (not (some_1 ?p)))",
    ]
    assert codes(notes) == ["repaired-negation-only-variable"]
    assert (notes[0].line, notes[0].column) == (3, 25)


def test_a_negated_conjunction_is_quantified_as_a_whole() -> None:
    rules, _ = repaired("(<= terminal (not (and (true (at ?x)) (goal_square ?x))))")
    assert rules == [
        "(<= some_1 (and (true (at ?x)) (goal_square ?x)))",
        "(<= terminal (not some_1))",
    ]


def test_what_the_negation_compares_with_is_bound_in_the_new_rule() -> None:
    rules, _ = repaired("(<= (alone ?x) (true (at ?x)) (not (and (true (at ?y)) (distinct ?x ?y))))")
    assert rules[0] == "(<= (some_1 ?x) (true (at ?x)) (and (true (at ?y)) (distinct ?x ?y)))"


def test_new_names_avoid_those_of_the_sheet() -> None:
    rules, _ = repaired("(some_1 a)\n(<= terminal (not (true (hand ?card))))")
    assert rules[-1] == "(<= terminal (not some_2))"


@pytest.mark.parametrize("keyword", ["legal", "goal", "sees"])
def test_an_unbound_role_is_any_role(keyword: str) -> None:
    rules, notes = repaired(f"(role a)\n(<= ({keyword} ?p 0)\n    (true start))\n(init start)")
    assert rules[1] == f"(<= ({keyword} ?p 0) (role ?p) (true start))"
    assert codes(notes) == ["repaired-role-variable"]
    assert (notes[0].line, notes[0].column) == (2, len(keyword) + 7)


def test_a_fact_for_every_role_becomes_a_rule() -> None:
    rules, _ = repaired("(role a)\n(legal ?p noop)")
    assert rules == ["(role a)", "(<= (legal ?p noop) (role ?p))"]


def test_an_unbound_role_in_a_helper_is_any_role() -> None:
    rules, _ = repaired("(role a)\n(<= (enemy ?p) (distinct ?p a))\n(<= (goal ?p 0) (role ?p) (enemy ?p))")
    assert rules[1] == "(<= (enemy ?p) (role ?p) (distinct ?p a))"


def test_another_unbound_variable_takes_the_values_of_its_place() -> None:
    rules, notes = repaired(
        "(mark x) (mark o)\n(<= (row ?a ?b) (mark ?a))\n(<= terminal (row ?a ?b) (mark ?b))"
    )
    assert "(<= (row ?a ?b) (value_1 ?b) (mark ?a))" in rules
    assert {"(value_1 x)", "(value_1 o)"} <= set(rules)
    assert codes(notes) == ["repaired-unbound-variable"]


def test_a_rule_that_nothing_can_bind_is_left_out() -> None:
    rules, notes = repaired("(role a)\n(<= (far ?x ?y)\n    (distinct ?x ?y))")
    assert rules == ["(role a)"]
    assert codes(notes) == ["repaired-unsafe-rule"]
    assert (notes[0].line, notes[0].column) == (2, 10)


def test_an_unsafe_hint_is_left_out_with_a_note_only() -> None:
    _, notes = repaired("(role a)\n(base (cell ?x))")
    assert [(note.code, note.severity) for note in notes] == [("repaired-unsafe-rule", Severity.NOTE)]


@pytest.mark.parametrize("fact", ["(distinct a b)", "(not a)", "(true (turn 1))", "(does a b)"])
def test_facts_that_cannot_be_facts_are_left_out(fact: str) -> None:
    rules, notes = repaired(f"(role a)\n{fact}")
    assert rules == ["(role a)"]
    assert codes(notes) == ["repaired-misplaced-head"]
    assert (notes[0].line, notes[0].column) == (2, 1)


def test_make_safe_leaves_names_alone() -> None:
    ruleset = parse_kif("(init (on a b))\n(<= terminal (on a b) (not (on b ?x)))")
    made, notes = make_safe(ruleset)
    assert codes(notes) == ["repaired-negation-only-variable"]
    assert "(true" not in format_kif(made)


def test_a_repaired_sheet_has_no_errors_and_can_be_played() -> None:
    text = GOOD.replace("    (role ?p)\n    (not (true (control ?p)))", "    (not (true (control ?p)))")
    text += "(<= terminal\n    (not (true (heap ?n))))\n"
    assert errors(check(text)) == {"unsafe-head", "unsafe-negation", "negation-only-variable"}
    assert not errors(check(text, lenient=True))
    start = ReferenceGame(repair(parse_kif(text))[0]).initial()
    assert start.legal(parse_term("black")) == (parse_term("noop"),)
    assert not start.is_terminal
