"""One clingo rule for each alternative of a GDL rule, and the one stable model read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.asp import SolverError, asp_facts, asp_program, derive
from ludorum.rules import Term, parse_kif
from tests.rules.normalise.test_expand_connectives import ATOMS, bodies, holds, worlds


def derived(sheet: str, name: str, arity: int) -> set[str]:
    rows = derive(asp_program(parse_kif(sheet).rules), [(name, arity)])[name, arity]
    return {" ".join(map(str, row)) for row in rows}


@pytest.mark.parametrize(
    ("gdl", "asp"),
    [
        ("(role x)", "p_role_1(c_x)."),
        ("terminal", "p_terminal_0."),
        ("(<= (p ?a) (q ?a ?b) (not (r ?b)))", "p_p_1(V0) :- p_q_2(V0,V1), not p_r_1(V1)."),
        ("(<= p (q ?a) (distinct ?a 1))", "p_p_0 :- p_q_1(V0), V0 != 1."),
        ("(<= p (q ?a ?b) (not (distinct ?a ?b)))", "p_p_0 :- p_q_2(V0,V1), V0 = V1."),
        ("(<= p (or q r))", "p_p_0 :- p_q_0.\np_p_0 :- p_r_0."),
        ("(<= (next (cell ?m 1)) (does x (mark ?m)))", "p_next_1(c_cell(V0,1)) :- p_does_2(c_x,c_mark(V0))."),
    ],
)
def test_rules_are_translated_one_for_one(gdl: str, asp: str) -> None:
    program = asp_program(parse_kif(gdl).rules)
    assert "\n".join(line for line in program.splitlines() if not line.startswith("#")) == asp


@given(st.lists(bodies, min_size=1, max_size=2), st.sampled_from(worlds()))
def test_clingo_agrees_with_the_truth_table(body: list, world: frozenset[Term]) -> None:  # type: ignore[type-arg]
    from ludorum.rules import Rule

    assert len(ATOMS) == 4
    rules = [Rule(Term("h"), tuple(body)), *(Rule(fact) for fact in world)]
    found = bool(derive(asp_program(rules), [("h", 0)])["h", 0])
    assert found == all(holds(formula, world) for formula in body)


def test_recursion_and_functions() -> None:
    sheet = "(edge a b) (edge b c) (<= (way ?x ?y) (edge ?x ?y)) (<= (way ?x ?z) (way ?x ?y) (edge ?y ?z))"
    assert derived(sheet, "way", 2) == {"a b", "b c", "a c"}
    assert derived("(q (f (g a)))(<= (p ?x) (q (f ?x)))", "p", 1) == {"(g a)"}


def test_a_relation_with_two_arities_is_two_relations() -> None:
    assert derived("(p a) (p a b) (<= q (p ?x))", "p", 2) == {"a b"}


def test_relations_without_rules_are_empty_and_quiet() -> None:
    assert derived("(<= p nothing) (<= q (not nothing))", "q", 0) == {""}
    assert derived("(role a)", "unheard", 3) == set()


def test_gdl_words_do_not_clash_with_clingo() -> None:
    sheet = "(show const) (external a) (<= (minimize ?x) (show ?x)) (defined 1) (<= (p_p ?x) (defined ?x))"
    assert derived(sheet, "minimize", 1) == {"const"}
    assert derived(sheet, "p_p", 1) == {"1"}


def test_facts_of_a_state() -> None:
    assert asp_facts("true", [(Term("f", (Term("t"),)),)], "t") == "p_true_1(c_f(c_t),t)."
    assert asp_facts("true", [(Term("a-b"),), (Term("7"),)]) == "p_true_1(x_a_2d_b).\np_true_1(7)."


@pytest.mark.parametrize("sheet", ["(<= p (not q)) (<= q (not p))", "(<= p (not p))"])
def test_negation_in_a_circle_is_an_error(sheet: str) -> None:
    with pytest.raises(SolverError, match="circle"):
        derived(sheet, "p", 0)


def test_unsafe_rules_are_an_error() -> None:
    with pytest.raises(SolverError, match="unsafe"):
        derived("(<= (p ?x) (not (q ?x)))", "p", 1)
