"""GDL-II in WDL and back: the same states, the same odds, and each role can tell apart what it could."""

from __future__ import annotations

from itertools import product

import pytest

from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import RANDOM, Ruleset
from ludorum.rules.source import RulesError, Severity, Source
from ludorum.rules.terms import Term
from ludorum.rules.wdl.check import check_wdl
from ludorum.rules.wdl.from_gdl2 import from_gdl2
from ludorum.rules.wdl.sheet import read_wdl
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from tests.rules.wdl.monty import MONTY

SEALED = """
(role ann) (role bob) (role cat)
(card red) (card blue)
(init (step 1)) (succ 1 2) (succ 2 3)
(<= (legal ann (choose ?c)) (true (step 1)) (card ?c))
(<= (legal ann wait) (true (step 2)))
(<= (legal ?p wait) (role ?p) (distinct ?p ann) (true (step 1)))
(<= (legal ?p (guess ?c)) (role ?p) (distinct ?p ann) (true (step 2)) (card ?c))
(<= (sees bob (looks ?c)) (does ann (choose ?c)) (not (true (dark))))
(<= (sees cat something) (does ann (choose ?c)) (true (step 1)))
(<= (sees ?q (guessed ?p)) (role ?q) (does ?p (guess ?c)) (distinct ?p ?q))
(<= (next (chosen ?c)) (does ann (choose ?c)))
(<= (next (chosen ?c)) (true (chosen ?c)))
(<= (next (right ?p)) (does ?p (guess ?c)) (true (chosen ?c)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 3)))
(<= (goal ?p 100) (true (right ?p)))
(<= (goal ?p 0) (role ?p) (not (true (right ?p))))
"""
"""Moves of one role, of which others see different parts, and simultaneous ones."""

NATURE = Term("nature")

DEALT = """
(role ann) (role random)
(coin heads) (coin tails)
(init start)
(<= (legal random (visible ?c)) (true start) (coin ?c))
(<= (legal ann (call ?c)) (true start) (coin ?c))
(<= (next (called ?c)) (does ann (call ?c)))
(<= (next (clock ?c)) (does random (visible ?c)))
(<= terminal (true (called ?c)))
(<= (goal ann 100) (true (called ?c)) (true (clock ?c)))
(<= (goal ann 0) (true (called ?c)) (not (true (clock ?c))))
(<= (set ?c) (coin ?c))
"""
"""Nobody sees anything, and words of WDL mean something else."""


def in_wdl_and_back(rules: Ruleset) -> Ruleset:
    source = Source("translated", str(from_gdl2(rules).rules))
    assert [fault for fault in check_wdl(source) if fault.severity is Severity.ERROR] == []
    sheet, _ = read_wdl(source)
    return to_gdl2(sheet).rules.as_sent


def facts_of(state: State) -> set[str]:
    """The facts of a state; words of WDL have got a mark behind them."""
    return {str(fact).replace("clock_", "clock") for fact in state.facts()}


def marked(move: Term) -> Term:
    return Term("visible_", move.args) if move.name == "visible" else move


def told(state: State, role: Term, move: Term) -> tuple[object, ...]:
    return move, frozenset(state.percepts(role))


@pytest.mark.spec("wdl", 50)
@pytest.mark.parametrize("text", [MONTY, SEALED, DEALT], ids=["monty", "sealed", "dealt"])
def test_there_and_back_it_is_the_same_game(text: str) -> None:
    game = LiftedGame(parse_kif(text), "first")
    other = LiftedGame(in_wdl_and_back(game.rules), "second")
    todo = [(game.initial(), other.initial())]
    seen: set[frozenset[Term]] = set()
    pairs: dict[Term, set[tuple[object, object]]] = {role: set() for role in game.roles if role is not RANDOM}
    while todo:
        one, two = todo.pop()
        assert facts_of(one) == facts_of(two)
        assert one.is_terminal == two.is_terminal
        for role in pairs:
            assert one.goal_terms(role) == two.goal_terms(role)
        if one.facts() in seen:
            continue
        seen.add(one.facts())
        if one.is_terminal:
            continue
        ways = wrapped_moves(two)
        assert {role: sorted(ways[role]) for role in game.roles} == {
            role: sorted(map(marked, one.legal(role))) for role in game.roles
        }
        if NATURE in other.roles:
            ways[NATURE] = {NATURE: two.legal(NATURE)[0]}
        for moves in product(*(one.legal(role) for role in game.roles)):
            made = dict(zip(game.roles, map(marked, moves), strict=True))
            after = one.play(list(moves))
            later = two.play([ways[role][made.get(role, role)] for role in other.roles])
            for role, known in pairs.items():
                known.add((told(after, role, made[role]), told(later, role, ways[role][made[role]])))
            todo.append((after, later))
    for known in pairs.values():  # what is the same in one is the same in the other
        assert len(known) == len({one for one, _ in known}) == len({two for _, two in known})
    assert len(seen) > 1


def wrapped_moves(state: State) -> dict[Term, dict[Term, Term]]:
    """For each role of the sheet its moves, each with its form in WDL; the moves of nature are draws."""
    found = {
        role: {part(move, 0, 1): move for move in state.legal(role)}
        for role in state.game.roles
        if role not in (RANDOM, NATURE)
    }
    if RANDOM in state.game.roles:
        draws = state.legal(RANDOM)
        found[RANDOM] = {part(draw, 2): draw for draw in draws}
        assert len(found[RANDOM]) == len(draws)
    return found


def part(term: Term, *path: int) -> Term:
    for at in path:
        inner = term.args[at]
        assert isinstance(inner, Term)
        term = inner
    return term


@pytest.mark.parametrize(
    ("percept", "reason"),
    [
        ("(<= (sees ann clash) (does bob x) (does cat x))", "exactly one move"),
        ("(<= (sees ann dark) (true (step 1)))", "exactly one move"),
        ("(<= (sees ann quiet) (does cat x) (not (does bob x)))", "exactly one move"),
        ("(<= (sees ann noise) (noise ?p)) (<= (noise ?p) (does ?p x))", "exactly one move"),
        ("(<= (sees ann (at ?n)) (does bob x) (true (step ?n)))", "may be several"),
        ("(<= (sees ann noise) (does bob x)) (<= (sees ann noise) (does cat x))", "another move"),
        ("(<= (sees ann (half ?a)) (does random (deal ?a ?b)))", "a part of a draw"),
        ("(<= (sees ann low) (does random (deal 1 2)))", "some draws only"),
        ("(<= (sees ann (all ?a ?b)) (does random (deal ?a ?b)) (distinct ?a 1))", "what was drawn"),
        ("(<= (sees ann (all ?a ?b)) (does random (deal ?a ?b)))"
         "(<= (sees ann (both ?a ?b)) (does random (deal ?a ?b)) (true (step 2)))", "second one"),
    ],
)  # fmt: skip
@pytest.mark.spec("wdl", 50)
def test_what_wdl_cannot_say_is_refused_with_its_place_and_reason(percept: str, reason: str) -> None:
    rules = f"""
    (role ann) (role bob) (role cat) (role random) (card 1) (card 2) (init (step 1)) (legal ann x)
    (<= (legal random (deal ?a ?b)) (card ?a) (card ?b)) (legal bob x) (legal cat x)
    {percept}
    (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2))) (goal ann 1) (goal bob 1) (goal cat 1)
    """
    with pytest.raises(RulesError) as caught:
        from_gdl2(parse_kif(rules))
    faults = caught.value.diagnostics
    assert {fault.code for fault in faults} == {"T04"}
    assert reason in faults[-1].message
    assert rules[faults[-1].span.start : faults[-1].span.end].startswith("(sees ann")


def test_our_monty_hall_sees_what_no_move_tells() -> None:
    with pytest.raises(RulesError) as caught:
        from_gdl2(parse_kif(find_sheet("monty_hall").source.text))
    first = caught.value.diagnostics[0]
    assert (first.code, first.line, first.column) == ("T04", 48, 5)


def test_draws_that_are_shown_and_hidden_at_once_leave_nature_without_a_move() -> None:
    rules = MONTY.replace(
        "(<= (legal random noop) (true (step 3)))", "(<= (legal random noop) (true (step 2)))"
    )
    game = LiftedGame(in_wdl_and_back(parse_kif(rules)), "mixed")
    state = game.initial()
    state = state.play([state.legal(role)[0] for role in game.roles])
    assert state.legal(NATURE) == ()


def test_a_sheet_of_plain_gdl_is_one_of_wdl() -> None:
    rules = parse_kif(find_sheet("tictactoe").source.text)
    assert from_gdl2(rules).rules is rules
