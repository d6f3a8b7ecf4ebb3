"""Grounding: exact instances of tiny games, agreement with the reference, limits that end in a clear word."""

import threading

import clingo
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.asp.control import RemarkError, ground, make_control
from ludorum.asp.ground import GroundingError, ground_rules
from ludorum.asp.ground_terms import pack_terms, unpack_terms
from ludorum.asp.observe_rules import observe_rules
from ludorum.asp.read_atoms import read_atoms
from ludorum.asp.simplify_ground import Instances, simplify
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.normalise.decompose_bodies import decompose_bodies
from ludorum.rules.reader import read_rules
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.asp.ground_evaluation import compare_with_reference
from tests.exploding_sheets import HUGE_GROUNDING
from tests.how_much import some
from tests.random_games import random_games
from tests.small_games import CIRCLE, COIN, DOOR


def test_circle_grounds_to_what_can_be_worked_out_by_hand() -> None:
    program = ground_rules(parse_kif(CIRCLE), in_process=True)
    named = {str(atom) for atom in program.atoms if atom is not None}
    assert named == {
        "(true (at a))", "(true (at b))", "(true (at c))", "(does walker go)", "(legal walker go)",
        "(next (at a))", "(next (at b))", "(next (at c))", "(goal walker 0)",
    }  # fmt: skip
    assert program.roles == (Term("walker"),)
    assert program.initial == {parse_term("(at a)")}
    assert len(program.heads) == 6  # three ways to be allowed to go, three steps
    assert program.numbers[parse_term("(goal walker 0)")] in program.facts


@pytest.mark.parametrize("text", [DOOR, COIN, CIRCLE])
@pytest.mark.parametrize("seed", range(3))
def test_small_games_answer_as_the_reference_does(text: str, seed: int) -> None:
    rules = parse_kif(text)
    program = ground_rules(rules, in_process=True)
    assert compare_with_reference(ReferenceGame(rules), program, steps=6, seed=seed) > 1


@pytest.mark.parametrize("name", ["tictactoe", "nim", "monty_hall", "krieg_tictactoe", "sokoban", "tron"])
def test_library_games_answer_as_the_reference_does(name: str) -> None:
    rules, _ = read_rules(find_sheet(name).source)
    assert compare_with_reference(ReferenceGame(rules), ground_rules(rules), steps=6) > 1


def test_atoms_of_those_who_are_no_roles_have_no_name() -> None:
    text = CIRCLE + "(legal ghost go) (goal ghost 100) (sees ghost boo) (sees walker sun)"
    program = ground_rules(parse_kif(text), in_process=True)
    assert not [atom for atom in program.atoms if atom is not None and Term("ghost") in atom.args]
    assert parse_term("(sees walker sun)") in program.numbers


def test_atoms_that_cannot_hold_fold_away_under_not() -> None:
    text = CIRCLE + "(<= (legal walker rest) (true (at a)) (not (true (at moon))) (not never))"
    program = ground_rules(parse_kif(text), in_process=True)
    rule = list(program.heads).index(program.numbers[parse_term("(legal walker rest)")])
    body = program.body[program.body_offsets[rule] : program.body_offsets[rule + 1]]
    assert body.tolist() == [2 * program.numbers[parse_term("(true (at a))")]]


def test_names_that_clingo_cannot_read_come_back_whole() -> None:
    text = CIRCLE.replace("go", "Go-On!").replace("(at ", "(p@ ").replace(" nowhere", " 99999999999")
    program = ground_rules(parse_kif(text), in_process=True)
    assert parse_term("(does walker Go-On!)") in program.numbers
    assert program.initial == {parse_term("(p@ a)")}


@pytest.mark.long
def test_a_huge_sheet_ends_at_the_limit_of_time_or_memory() -> None:
    with pytest.raises(GroundingError, match=r"grounding took more than 0\.3 s"):
        ground_rules(parse_kif(HUGE_GROUNDING), seconds=0.3)
    with pytest.raises(GroundingError, match="grounding needed more than 60 MB"):
        ground_rules(parse_kif(HUGE_GROUNDING), seconds=500, megabytes=60)


def test_rules_are_ground_beside_a_running_thread() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert len(ground_rules(parse_kif(CIRCLE)).heads) == 6
    finally:
        done.set()
        thread.join()


def test_an_initial_state_that_hangs_on_the_state_is_refused() -> None:
    with pytest.raises(GroundingError, match="init depends on the state"):
        ground_rules(parse_kif(CIRCLE + "(<= (init (at b)) (true (at c)))"), in_process=True)


def test_both_ways_to_read_atoms_give_the_same() -> None:
    control = clingo.Control()
    control.add(
        "base",
        [],
        "p_a_3(x_x_2d_1,3,c_f(7,c_g)). {p_b_0}. p_a_3(1,1,1) :- p_b_0, not p_c_0."
        "p_c_0 :- p_b_0, not p_d_1(0).",
    )
    control.ground([("base", [])])
    asked = [("a", 3), ("b", 0), ("c", 0), ("d", 1)]
    one, other = read_atoms(control, asked), read_atoms(control, asked, native=False)
    assert one.relation.tolist() == other.relation.tolist()
    assert one.literals.tolist() == other.literals.tolist()
    assert one.is_fact.tolist() == other.is_fact.tolist()
    assert unpack_terms(one.terms) == unpack_terms(other.terms)
    assert parse_term("(a x-1 3 (f 7 g))") in unpack_terms(one.terms)


@pytest.mark.parametrize("native", [True, False])
def test_both_ways_to_read_rules_stop_after_so_many(native: bool) -> None:
    control, remarks = make_control()
    observer = observe_rules(control, native, most_rules=5)
    with pytest.raises(RemarkError):
        ground(control, remarks, ["n(0). n(s(X)) :- n(X)."])
    assert observer.is_full
    assert len(observer.rules().heads) == 5


@pytest.mark.long
@settings(max_examples=some(60, 6))
@given(random_games())
def test_random_sheets_answer_as_the_reference_does(sheet: Ruleset) -> None:
    compare_with_reference(ReferenceGame(sheet), ground_rules(sheet, in_process=True), steps=3)


@settings(max_examples=some(60, 6))
@given(random_games())
@pytest.mark.long
def test_sheets_in_the_smallest_parts_answer_as_the_reference_does(sheet: Ruleset) -> None:
    parts = decompose_bodies(sheet, worthwhile=0.0, gain=1e9)
    compare_with_reference(ReferenceGame(sheet), ground_rules(parts, in_process=True, passes=()), steps=3)


def test_domains_leave_no_trace_in_the_ground_rules() -> None:
    sheet = parse_kif("""
        (role r) (<= (init (at ?x ?y ?p)) (n ?x) (n ?y) (p ?p)) (n 1) (n 2) (n 3) (p a) (p b)
        (<= (legal r (go ?x ?y)) (n ?x) (n ?y)) (<= terminal (true (at 9 9 a))) (goal r 0)
        (<= (next (at ?x ?y ?p)) (does r (go ?u ?v)) (true (at ?x ?y ?p)) (distinct (f ?u ?v) (f ?x ?y)))
    """)
    parts = decompose_bodies(sheet, worthwhile=10.0)
    assert parts.domains == {("domain_1", 2)}
    program = ground_rules(parts, in_process=True, passes=())
    # A part for each other move, and a rule for each fact: no rule says where facts may be.
    assert len(program.heads) == 9 * 8 + 9 * 2
    assert sorted(np.diff(program.body_offsets).tolist()) == [1] * 72 + [2] * 18
    assert compare_with_reference(ReferenceGame(sheet), program, steps=3) > 1


_terms = st.recursive(
    st.builds(Term, st.text(min_size=1, max_size=4)),
    lambda inner: st.builds(Term, st.text(min_size=1, max_size=4), st.lists(inner, min_size=1).map(tuple)),
    max_leaves=6,
)


@pytest.mark.long
@given(st.lists(_terms))
def test_terms_survive_the_journey(terms: list[Term]) -> None:
    assert unpack_terms(pack_terms(terms)) == terms


def test_simplify_follows_chains_of_facts_and_impossible_atoms() -> None:
    # 0 input; 1. ; 2 :- 1. ; 3 :- 0, 2, not 9. ; 4 :- 0, not 2. ; 5 :- 4. ; 6 :- 0, not 5.
    bodies = [[], [2], [0, 4, 19], [0, 5], [8], [0, 11]]
    offsets = np.cumsum([0, *map(len, bodies)]).astype(np.int32)
    flat = np.array([literal for body in bodies for literal in body], np.int32)
    before = Instances(np.arange(1, 7, dtype=np.int32), offsets, flat, np.zeros(0, np.int32), 10)
    after = simplify(before, np.array([0], np.int32))
    assert after.facts.tolist() == [1, 2]
    assert after.heads.tolist() == [3, 6]
    assert after.offsets.tolist() == [0, 1, 2]
    assert after.body.tolist() == [0, 0]


def test_both_ways_to_observe_clingo_give_the_same_rules() -> None:
    text = "{a}. {b} :- a. c :- a, not b. d. e :- d, not c."
    seen = []
    for native in (True, False):
        control = clingo.Control()
        observer = observe_rules(control, native)
        control.add("base", [], text)
        control.ground([("base", [])])
        seen.append(observer.rules())
    for field in ("heads", "ends", "body", "inputs"):
        assert getattr(seen[0], field).tolist() == getattr(seen[1], field).tolist()
    assert len(seen[0].heads) == 3
    assert len(seen[0].inputs) == 2
