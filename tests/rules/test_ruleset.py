"""Rulesets: equality by rules alone, roles in text order, and the graph of what depends on what."""

import pickle

import pytest
from hypothesis import given, settings

from ludorum.rules import Dependencies, Ruleset, Term, parse_kif
from ludorum.rules.ruleset import signed_atoms, subformulas
from tests.how_much import some
from tests.rules.random_rules import rulesets

SHEET = """
(role b) (role a) (role b)
(<= (role c) (foo ?x))
(init p)
(<= (next p) (true p) (not (and (does a go) (or q (not r)))))
(<= q r)
(<= r (not s))
(<= (legal ?r go) (role ?r))
"""


def test_layout_and_names_do_not_matter_for_equality() -> None:
    assert parse_kif(SHEET, "one") == parse_kif(SHEET.replace("\n", "  ").upper(), "two")
    assert hash(parse_kif(SHEET)) == hash(parse_kif(SHEET + " ; end"))
    assert parse_kif(SHEET) != parse_kif(SHEET + "(s)")


@pytest.mark.long
@settings(max_examples=some(100, 4))
@given(rulesets)
def test_rulesets_survive_pickling(ruleset: Ruleset) -> None:
    assert pickle.loads(pickle.dumps(ruleset)) == ruleset


def test_where_rules_stand_survives_pickling() -> None:
    """Equality of rules does not ask for it."""
    ruleset = parse_kif(SHEET, "sheet")
    again = pickle.loads(pickle.dumps(ruleset))
    assert [rule.node for rule in again.rules] == [rule.node for rule in ruleset.rules]
    assert again.rules[-1].node.span == ruleset.rules[-1].node.span != ruleset.rules[0].node.span
    assert again.source == ruleset.source


def test_roles_are_the_facts_in_text_order() -> None:
    assert parse_kif(SHEET).roles == (Term("b"), Term("a"))


def test_hidden_information_means_sees() -> None:
    assert not parse_kif(SHEET).has_hidden_information
    assert parse_kif("(<= (sees a p) (true p))").has_hidden_information


def test_atoms_carry_the_sign_of_their_negations() -> None:
    rule = parse_kif(SHEET).by_signature["next", 1][0]
    signs = [(str(atom.term), positive) for atom, positive in signed_atoms(rule.body)]
    assert signs == [("(true p)", True), ("(does a go)", False), ("q", False), ("r", True)]
    assert len(list(subformulas(rule.body))) == 8


def test_slices_hold_what_a_question_depends_on() -> None:
    dependencies = Dependencies(parse_kif(SHEET))
    assert [str(rule.head) for rule in dependencies.slice([("q", 0)])] == ["q", "r"]
    path = dependencies.path(("next", 1), {("s", 0)})
    assert path is not None
    assert [(edge.head, edge.positive) for edge in path] == [(("next", 1), True), (("r", 0), False)]
    order = [next(iter(group)) for group in dependencies.components]
    assert order.index(("r", 0)) < order.index(("q", 0)) < order.index(("next", 1))


def test_mutual_dependence_is_one_component() -> None:
    dependencies = Dependencies(parse_kif("(<= a b) (<= b c) (<= c a) (<= d a)"))
    assert frozenset({("a", 0), ("b", 0), ("c", 0)}) in dependencies.components
    assert dependencies.component_of["d", 0] == frozenset({("d", 0)})


def test_very_long_chains_need_no_recursion() -> None:
    chain = "".join(f"(<= p{number} p{number + 1})" for number in range(3_000))
    dependencies = Dependencies(parse_kif(chain))
    assert len(dependencies.components) == 3_001 or len(dependencies.components) == 3_000
    assert len(dependencies.path(("p0", 0), {("p3000", 0)}) or []) == 3_000
