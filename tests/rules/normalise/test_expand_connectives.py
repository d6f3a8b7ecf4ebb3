"""Expanding connectives keeps the meaning: checked by truth tables over every world of a few propositions."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.rules import And, Atom, Distinct, Formula, Not, Or, Rule, RulesError, Ruleset, Term, parse_kif
from ludorum.rules.normalise import expand_connectives, literal_bodies
from ludorum.rules.normalise.expand_connectives import MAX_ALTERNATIVES

ATOMS = tuple(Atom(Term(name)) for name in "pqrs")
SAME = Distinct(Term("a"), Term("a"))
OTHER = Distinct(Term("a"), Term("b"))

bodies: st.SearchStrategy[Formula] = st.recursive(
    st.sampled_from([*ATOMS, SAME, OTHER]),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)


def holds(formula: Formula, world: frozenset[Term]) -> bool:
    match formula:
        case Atom(term):
            return term in world
        case Distinct(left, right):
            return left is not right
        case Not(body):
            return not holds(body, world)
        case And(parts):
            return all(holds(part, world) for part in parts)
        case Or(parts):
            return any(holds(part, world) for part in parts)


def worlds() -> list[frozenset[Term]]:
    choices = product([False, True], repeat=len(ATOMS))
    return [
        frozenset(atom.term for atom, yes in zip(ATOMS, choice, strict=True) if yes) for choice in choices
    ]


@pytest.mark.spec("asp-player", 8)
@given(st.lists(bodies, max_size=3))
def test_the_alternatives_say_what_the_body_said(body: list[Formula]) -> None:
    alternatives = literal_bodies(Rule(Term("h"), tuple(body)))
    for world in worlds():
        before = all(holds(formula, world) for formula in body)
        after = any(all(holds(literal, world) for literal in literals) for literals in alternatives)
        assert before == after


@given(st.lists(bodies, max_size=3))
def test_only_plain_literals_remain(body: list[Formula]) -> None:
    once = expand_connectives(Ruleset((Rule(Term("h"), tuple(body)),)))
    for rule in once.rules:
        for literal in rule.body:
            inner = literal.body if isinstance(literal, Not) else literal
            assert isinstance(inner, (Atom, Distinct))
    assert expand_connectives(once) == once


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(<= h a b)", "(<= h a b)"),
        ("(<= h (or a b) c)", "(<= h a c) (<= h b c)"),
        ("(<= h (not (and a b)))", "(<= h (not a)) (<= h (not b))"),
        ("(<= h (not (or a (not b))))", "(<= h (not a) b)"),
        ("(<= h (or a b) (or c d))", "(<= h a c) (<= h a d) (<= h b c) (<= h b d)"),
        ("(<= h (not (not (distinct x y))))", "(<= h (distinct x y))"),
        ("h", "h"),
    ],
)
def test_before_and_after(before: str, after: str) -> None:
    assert expand_connectives(parse_kif(before)) == parse_kif(after)


def test_order_follows_the_disjuncts_and_the_text_is_remembered() -> None:
    rules = parse_kif("(<= h (or a (and b c)))")
    assert [rule.node for rule in expand_connectives(rules).rules] == [rules.rules[0].node] * 2


@pytest.mark.long
def test_too_many_alternatives_are_refused_before_they_are_written_down() -> None:
    for count in (13, 40_000):
        with pytest.raises(RulesError) as caught:
            expand_connectives(parse_kif(f"(<= h {'(or a b) ' * count})"))
        assert caught.value.diagnostics[0].code == "too-many-alternatives"
    assert len(expand_connectives(parse_kif(f"(<= h {'(or a b) ' * 12})")).rules) == MAX_ALTERNATIVES


def test_long_bodies_need_no_recursion() -> None:
    (rule,) = expand_connectives(parse_kif(f"(<= h {'a ' * 5_000})")).rules
    assert len(rule.body) == 5_000
