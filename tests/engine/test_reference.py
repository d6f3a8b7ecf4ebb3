"""The reference engine against traces worked out by hand."""

from collections.abc import Iterator

import pytest

from ludorum.asp import SolverError, asp_program
from ludorum.engine.errors import IllegalMoveError
from ludorum.engine.reference import ReferenceGame, ReferenceState
from ludorum.rules import Term, parse_kif, parse_prolog, parse_term
from tests.engine.monty_hall import MONTY_HALL_KIF, MONTY_HALL_PROLOG

MONTY, CANDIDATE = Term("monty"), Term("candidate")


def monty_hall() -> ReferenceGame:
    return ReferenceGame(parse_kif(MONTY_HALL_KIF), "monty_hall")


def terms(text: str) -> tuple[Term, ...]:
    """Terms separated by commas, in the order states give them."""
    return tuple(sorted(parse_term(part) for part in text.split(",") if part.strip()))


def ends(state: ReferenceState) -> Iterator[ReferenceState]:
    """Every terminal state of every match from here."""
    if state.is_terminal:
        yield state
    for joint in state.joint_moves():
        yield from ends(state.play(joint))


@pytest.mark.spec("filtering-gdl2", 1)
def test_monty_hall_is_one_program_in_both_dresses() -> None:
    kif, prolog = parse_kif(MONTY_HALL_KIF), parse_prolog(MONTY_HALL_PROLOG)
    assert kif == prolog
    assert asp_program(kif.rules) == asp_program(prolog.rules)


@pytest.mark.spec("filtering-gdl2", 3)
def test_monty_hall_by_hand() -> None:
    game = monty_hall()
    assert game.roles == (MONTY, CANDIDATE)
    state = game.initial()
    assert state.facts() == frozenset(terms("(closed 1), (closed 2), (closed 3), (step 1)"))
    assert state.legal(MONTY) == terms("(hide_car 1), (hide_car 2), (hide_car 3)")
    assert state.legal(CANDIDATE) == terms("(choose 1), (choose 2), (choose 3)")
    assert state.percepts(CANDIDATE) == ()
    assert not state.is_terminal

    state = state.play([parse_term("(hide_car 2)"), parse_term("(choose 1)")])
    assert state.facts() == frozenset(
        terms("(car 2), (chosen 1), (closed 1), (closed 2), (closed 3), (step 2)")
    )
    assert state.percepts(CANDIDATE) == ()
    assert state.percepts(MONTY) == terms("(move monty (hide_car 2)), (move candidate (choose 1))")
    assert state.legal(MONTY) == terms("(open_door 3)")
    assert state.legal(CANDIDATE) == terms("noop")

    state = state.play([parse_term("(open_door 3)"), Term("noop")])
    assert state.facts() == frozenset(terms("(car 2), (chosen 1), (closed 1), (closed 2), (step 3)"))
    assert state.percepts(CANDIDATE) == terms("3")
    assert state.legal(CANDIDATE) == terms("noop, switch")
    assert state.legal(MONTY) == terms("noop")

    state = state.play([Term("noop"), Term("switch")])
    assert state.facts() == frozenset(terms("(car 2), (chosen 2), (closed 1), (closed 2), (step 4)"))
    assert state.percepts(CANDIDATE) == terms("2")
    assert state.percepts(MONTY) == terms("(move monty noop), (move candidate switch)")
    assert state.is_terminal
    assert state.goals() == (0, 100)
    assert list(state.joint_moves()) == []


@pytest.mark.spec("filtering-gdl2", 3)
def test_monty_has_two_doors_when_the_candidate_is_right() -> None:
    state = monty_hall().initial().play([parse_term("(hide_car 1)"), parse_term("(choose 1)")])
    assert state.legal(MONTY) == terms("(open_door 2), (open_door 3)")
    stayed = state.play([parse_term("(open_door 2)"), Term("noop")]).play([Term("noop"), Term("noop")])
    assert stayed.goals() == (0, 100)
    assert stayed.percepts(CANDIDATE) == terms("1")


@pytest.mark.spec("filtering-gdl2", 34)
def test_every_end_of_monty_hall_has_one_goal_for_each() -> None:
    found = list(ends(monty_hall().initial()))
    # Nine ways to hide and choose; two doors to open in three of them; switch or stay.
    assert len(found) == (3 * 2 + 6 * 1) * 2
    assert {state.goals() for state in found} == {(0, 100), (100, 0)}
    assert all(len(state.goal_terms(role)) == 1 for state in found for role in (MONTY, CANDIDATE))


@pytest.mark.spec("filtering-gdl2", 34)
def test_as_printed_monty_would_have_no_goal_when_he_loses() -> None:
    printed = MONTY_HALL_KIF.replace(
        "(<= (goal monty 0) (true (chosen ?d)) (true (car ?d)))",
        "(<= (goal monty 0) (true (chosen ?d)) (true (card ?d)))",
    )
    assert printed != MONTY_HALL_KIF
    game = ReferenceGame(parse_kif(printed), "misprint")
    assert {state.goals() for state in ends(game.initial())} == {(None, 100), (100, 0)}


def test_roles_keep_the_order_of_their_facts_and_derived_roles_follow() -> None:
    game = ReferenceGame(
        parse_kif("(role zoe) (role 10) (role adam) (kin eve) (kin bob) (<= (role ?x) (kin ?x))")
    )
    assert list(map(str, game.roles)) == ["zoe", "10", "adam", "bob", "eve"]


def test_sees_may_use_what_comes_next_and_what_is_legal() -> None:
    sheet = """
    (role a) (role b) (init (at 1)) (succ 1 2) (succ 2 3)
    (<= (legal ?r (go ?n)) (role ?r) (true (at ?m)) (succ ?m ?n))
    (<= (next (at ?n)) (does a (go ?n)))
    (<= (sees a (now ?n)) (next (at ?n)))
    (<= (sees b (could ?m)) (legal a ?m))
    (<= (sees b quiet) (not (heard b)))
    (<= (heard ?r) (does ?r (go 3)))
    (<= terminal (true (at 3)))
    (<= (goal ?r 50) (role ?r))
    """
    state = ReferenceGame(parse_kif(sheet)).initial().play([parse_term("(go 2)"), parse_term("(go 2)")])
    assert state.percepts(Term("a")) == terms("(now 2)")
    assert state.percepts(Term("b")) == terms("(could (go 2)), quiet")


def test_next_through_helpers_disjunctions_and_several_moves_at_once() -> None:
    sheet = """
    (role a) (role b) (init off)
    (<= (legal ?r push) (role ?r)) (<= (legal ?r wait) (role ?r))
    (<= both (does a push) (does b push))
    (<= one (or (and (does a push) (does b wait)) (and (does a wait) (does b push))))
    (<= (next on) (or both (and (true on) (not one))))
    (<= (next off) (not (or both (and (true on) (not one)))))
    (<= terminal (true (never))) (<= (goal ?r 1) (role ?r))
    """
    push, wait = Term("push"), Term("wait")
    state = ReferenceGame(parse_kif(sheet)).initial()
    for joint, fact in [
        ((push, wait), "off"),
        ((push, push), "on"),
        ((wait, wait), "on"),
        ((wait, push), "off"),
    ]:
        state = state.play(joint)
        assert str(state) == f"({fact})"


def test_odd_names_survive_play() -> None:
    sheet = """
    (role |The Player|) (init (x-y 007))
    (<= (legal ?r (go + ?n)) (role ?r) (true (x-y ?n)))
    (<= (next (x-y |Up|)) (does ?r (go + 007)))
    (<= terminal (true (x-y |Up|))) (<= (goal ?r 2147483648) (role ?r))
    """
    game = ReferenceGame(parse_kif(sheet))
    state = game.initial().play([parse_term("(go + 007)")])
    assert str(state) == "((x-y |Up|))"
    assert state.is_terminal
    assert state.goal(game.roles[0]) == 2147483648


def test_rules_that_go_in_a_circle_through_negation_are_refused() -> None:
    sheet = "(role a) (init p) (<= (legal a go) (not q)) (<= q (not (legal a go))) (<= terminal (true over))"
    state = ReferenceGame(parse_kif(sheet)).initial()
    with pytest.raises(SolverError, match="circle"):
        state.legal(Term("a"))


def test_a_circle_elsewhere_does_not_spoil_other_questions() -> None:
    sheet = "(role a) (init p) (legal a go) (<= (next q) (not (next r))) (<= (next r) (not (next q)))"
    state = ReferenceGame(parse_kif(sheet)).initial()
    assert state.legal(Term("a")) == (Term("go"),)
    with pytest.raises(SolverError):
        state.play([Term("go")])


def test_illegal_moves_are_refused_and_named() -> None:
    state = monty_hall().initial()
    with pytest.raises(IllegalMoveError, match="noop is not legal for candidate"):
        state.play([parse_term("(hide_car 1)"), Term("noop")])
    with pytest.raises(IllegalMoveError, match="1 moves for 2 roles"):
        state.play([parse_term("(hide_car 1)")])
