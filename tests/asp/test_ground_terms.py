"""Terms as arrays: packed, ordered and made as if they were terms."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ludorum.asp.ground_terms import (
    DEEPEST,
    AtomList,
    TermList,
    compact_terms,
    pack_terms,
    rank_nodes,
    select_terms,
    unpack_terms,
)
from ludorum.rules.terms import Term, sort_key

NAMES = st.sampled_from(["a", "b", "B", "f", "g", "0", "9", "10", "-3", "007", "cell"])


def terms(depth: int = 3) -> st.SearchStrategy[Term]:
    return st.recursive(
        NAMES.map(Term),
        lambda inner: st.builds(Term, NAMES, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        max_leaves=2 * depth,
    )


TERMS = st.lists(terms(), max_size=20)


def nested(depth: int) -> Term:
    term = Term("nil")
    for at in range(depth):
        term = Term("cons", (Term(str(at)), term))
    return term


@given(TERMS)
def test_terms_come_back_whole_or_one_by_one(given_terms: list[Term]) -> None:
    table = pack_terms(given_terms)
    assert unpack_terms(table) == given_terms
    made = TermList(table)
    assert list(reversed(made)) == given_terms[::-1]
    assert made[1:] == given_terms[1:]
    assert list(pickle.loads(pickle.dumps(made))) == given_terms


@given(TERMS, st.data())
def test_compact_tables_keep_their_roots(given_terms: list[Term], data: st.DataObject) -> None:
    which = np.array(
        data.draw(st.lists(st.sampled_from(range(len(given_terms))))) if given_terms else [], int
    )
    chosen = select_terms(pack_terms(given_terms), which)
    small = compact_terms(chosen)
    assert unpack_terms(small) == [given_terms[at] for at in which]
    assert len(small.symbols) <= len(chosen.symbols)


@given(TERMS)
def test_nodes_are_ordered_like_terms(given_terms: list[Term]) -> None:
    table = pack_terms(given_terms)
    ranks = rank_nodes(table, table.roots)[table.roots]
    by_rank = sorted(range(len(given_terms)), key=lambda at: (ranks[at], at))
    assert by_rank == sorted(range(len(given_terms)), key=lambda at: (sort_key(given_terms[at]), at))


def test_deep_terms_are_ordered_too() -> None:
    given_terms = [nested(depth) for depth in (3 * DEEPEST, 2, DEEPEST, 0, DEEPEST + 1)]
    table = pack_terms(given_terms)
    ranks = rank_nodes(table, table.roots)[table.roots].tolist()
    expected = sorted(range(5), key=lambda at: sort_key(given_terms[at]))
    assert sorted(range(5), key=ranks.__getitem__) == expected


def test_atoms_beyond_the_named_ones_have_no_name() -> None:
    atoms = AtomList(pack_terms([Term("a"), Term("b")]), 4)
    assert list(atoms) == [Term("a"), Term("b"), None, None]
    assert atoms[-1] is None
    assert atoms[:3] == [Term("a"), Term("b"), None]
