"""A WDL sheet and its translation are one game: states, odds, goals, and what players can tell apart."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from ludorum.asp.ground import WITHOUT_CLOCK, ground_rules
from ludorum.engine.chances import probabilities
from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.check import check_ruleset
from ludorum.rules.ruleset import RANDOM, Ruleset
from ludorum.rules.source import RulesError, Severity
from ludorum.rules.terms import Term
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from ludorum.rules.wdl.views import seen_move
from tests.rules.wdl.sheets import COIN, DECK, DICE, MYCIN, sheet_of

TWO_NAMES = """
(role ann) (role bob)
(random coin 1 up) (random coin 2 down) (random die 4 low) (random die 2 high)
(init (left 2)) (less 2 1) (less 1 0)
(<= (legal ann (both coin (visible bob die))) (true (left ?n)))
(<= (legal ann (one coin)) (true (left 2)))
(<= (legal ann skip) (true (left ?n)))
(<= (legal bob (peek (visible bob coin) die)) (true (left 1)))
(<= (legal bob wait) (true (left ?n)))
(<= (next (left ?m)) (true (left ?n)) (less ?n ?m))
(<= (next (got ?p ?m)) (does ?p ?m))
(<= (next (got ?p ?m)) (true (got ?p ?m)))
(<= terminal (true (left 0)))
(<= (goal ann 100) (true (got ann (both up high))))
(<= (goal ann 0) (not (true (got ann (both up high)))))
(goal bob 50)
"""
"""Several names in a move, several players who draw, moves with names and without at the same time."""

CLASHING = COIN.replace("told", "did").replace("wait", "none").replace("turn", "active")
"""A sheet that uses our names."""

OPEN = DICE.replace("(random dice 1 6)", "(random dice 4 6)")

PARTS = """
(role ann) (role bob)
(random red 1 1) (random red 2 2) (random blue 1 1) (random blue 1 2)
(init (left 2)) (less 2 1) (less 1 0) (tag a) (tag b)
(<= (legal ann (roll red (visible ann blue) ?t)) (true (left ?n)) (tag ?t))
(<= (legal ann (roll blue red c)) (true (left 1)))
(<= (legal ann ?m) (extra ?m) (true (left 1))) (extra (roll 1 1 d)) (extra skip)
(<= (legal bob wait) (true (left ?n)))
(<= (next (left ?m)) (true (left ?n)) (less ?n ?m))
(<= (next (red ?r)) (does ann (roll ?r ?b ?t)))
(<= (next (blue ?b ?t)) (does ?p (roll ?r ?b ?t)))
(<= (next (tagged ?t)) (does ann (roll ?r ?b ?t)))
(<= (next double) (does ann (roll ?r ?r ?t)))
(<= (next low) (does ann (roll 1 ?b ?t)))
(<= (next rolled) (does ?p (roll ?r ?b ?t)))
(<= (next not_low) (does ann (roll ?r ?b ?t)) (not (does ann (roll 1 ?b ?t))))
(<= terminal (true (left 0)))
(goal ann 100) (goal bob 0)
"""
"""Rules that ask for parts of what was drawn."""

Key = tuple[frozenset[Term], tuple[tuple[Term, ...], ...]]
"""The facts of a state, and what each player was told."""


def by_the_language(master: WdlMaster, state: MasterState, moves: dict[Term, Term]) -> dict[Key, Fraction]:
    found: dict[Key, Fraction] = defaultdict(Fraction)
    ways = [list(master.resolutions(state, move).items()) for move in moves.values()]
    for choice in product(*ways):
        made = dict(zip(moves, (move for move, _ in choice), strict=True))
        chance = Fraction(1)
        for _, part in choice:
            chance *= part
        told = tuple(
            tuple(sorted(Term("did", (role, seen_move(move, viewer))) for role, move in made.items()))
            for viewer in master.roles
        )
        found[master.after(state, made).facts, told] += chance
    return dict(found)


def by_translation(state: State, moves: dict[Term, Term]) -> tuple[dict[Key, Fraction], dict[Key, State]]:
    game = state.game
    found: dict[Key, Fraction] = defaultdict(Fraction)
    states = {}
    nature = game.info.chance_roles
    for drawn in product(*(probabilities(state.odds(role)).items() for role in nature)):
        made = moves | dict(zip(nature, (move for move, _ in drawn), strict=True))
        after = state.play(made)
        told = tuple(tuple(sorted(_told(after, role))) for role in moves)
        key = after.facts(), told
        found[key] += prod((chance for _, chance in drawn), start=Fraction(1))
        states[key] = after
    return dict(found), states


def _told(state: State, role: Term) -> list[Term]:
    # The relation may have underscores behind its name where the sheet uses `did`.
    return [Term("did", percept.args) for percept in state.percepts(role)]


@pytest.mark.spec("wdl", 49)
@pytest.mark.parametrize("make", [pytest.param(ReferenceGame, marks=pytest.mark.long), LiftedGame])
@pytest.mark.parametrize("is_plain", [False, True], ids=["weights", "copies"])
@pytest.mark.parametrize("text", [COIN, DECK, DICE, MYCIN, TWO_NAMES, CLASHING, OPEN, PARTS], ids=[
    "coin", "deck", "dice", "mycin", "two names", "clashing", "open", "parts"])  # fmt: skip
def test_the_translation_is_the_same_game(text: str, is_plain: bool, make: type) -> None:
    sheet = sheet_of(text)
    translation = to_gdl2(sheet)
    assert translation.warnings == ()
    rules = translation.rules.as_sent if is_plain else translation.rules
    errors = [one for one in check_ruleset(rules) if one.severity is Severity.ERROR]
    assert errors == []
    master, game = WdlMaster(sheet), make(rules, "translated")
    todo = [(master.initial(), game.initial())]
    seen = set()
    while todo:
        state, other = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        assert state.facts == other.facts()
        assert master.is_terminal(state) == other.is_terminal
        assert master.goals(state) == {role: other.goal_terms(role) for role in master.roles}
        if other.is_terminal:
            continue
        legal = {role: master.legal(state, role) for role in master.roles}
        assert legal == {role: other.legal(role) for role in master.roles}
        for choice in product(*legal.values()):
            moves = dict(zip(master.roles, choice, strict=True))
            found, states = by_translation(other, moves)
            assert by_the_language(master, state, moves) == found
            todo += [(MasterState(key[0]), after) for key, after in states.items()]
    assert len(seen) > 1


def test_a_sheet_of_plain_gdl_stays_as_it_is() -> None:
    sheet = sheet_of(
        "(role ann) (init a) (legal ann go) (<= terminal (true b)) (<= (next b) (true a)) (goal ann 1)"
    )
    assert to_gdl2(sheet).rules == sheet.master


def test_weights_are_divided_by_what_divides_them_all() -> None:
    rules = to_gdl2(sheet_of(COIN)).rules
    assert [str(rule.head) for rule in rules.rules if rule.head.name == "random"] == [
        "(random coin 1 heads)", "(random coin 3 tails)",
    ]  # fmt: skip


def test_what_gdl2_cannot_say_is_told() -> None:
    private = "(role ann) (role bob) (legal ann a) (legal bob (b (visible bob x)))"
    assert [one.code for one in to_gdl2(sheet_of(private + "(visible ann (init (key 1)))")).warnings] == [
        "T01"
    ]
    rule = "(visible ann (<= (open ?x) (door ?x))) (door 1)"
    assert [one.code for one in to_gdl2(sheet_of(private + rule)).warnings] == ["T02"]
    assert [one.code for one in to_gdl2(sheet_of("(set realtime)" + private)).warnings] == ["T03"]


def dice_in_one_move(count: int) -> Ruleset:
    """Ann rolls so many dice in one move, and each rule asks for one of them."""
    dice = range(count)
    names = [f"die{at}" for at in dice]
    facts = "".join(f"(random {name} 1 {event})" for name in names for event in range(1, 7))
    move = f"(roll {' '.join(f'?d{at}' for at in dice)})"
    shows = "".join(f"(<= (next (shows {at} ?d{at})) (does ann {move}))" for at in dice)
    text = f"(role ann) (init start) {facts} {shows} (<= terminal (true (shows 0 ?n))) (goal ann 0)"
    return to_gdl2(sheet_of(f"{text} (<= (legal ann (roll {' '.join(names)})) (true start))")).rules


@pytest.mark.parametrize("count", [2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_more_names_in_a_move_take_little_more_work_than_outcomes_to_be_told(count: int) -> None:
    """A rule for each roll as it was made, one for each as it is told, and some for each die."""
    size = ground_rules(dice_in_one_move(count), WITHOUT_CLOCK, in_process=True).size
    assert size["rules"] - 2 * 6**count <= 30 * count
    assert size["does"] <= 10 * count


def test_five_dice_are_not_their_product() -> None:
    rules = dice_in_one_move(5)
    game = LiftedGame(rules)
    assert game.info.is_open
    start = game.initial()
    assert [len(start.legal(role)) for role in game.roles] == [1, 6, 6, 6, 6, 6]
    asked = {name for name, _ in rules.parts}  # type: ignore[attr-defined]
    assert asked == {f"did_roll_{at}" for at in range(5)}


def test_programs_of_others_know_one_role_of_nature() -> None:
    rules = to_gdl2(sheet_of(DICE)).rules
    assert [str(role) for role in rules.roles] == ["ann", "bob", "(random ann dice)", "(random bob dice)"]
    assert rules.as_sent.roles == (Term("ann"), Term("bob"), RANDOM)
    start = LiftedGame(rules.as_sent).initial()
    assert len(start.legal(RANDOM)) == 36
    assert [len(LiftedGame(rules).initial().legal(role)) for role in rules.roles] == [1, 1, 6, 6]


@pytest.mark.long
def test_programs_of_others_are_sent_large_weights_rounded() -> None:
    text = "(role ann)(init a)(random coin 99999 up)(random coin 1 down)(<= (legal ann (flip coin)) (true a))"
    start = LiftedGame(to_gdl2(sheet_of(text)).rules.as_sent).initial()
    assert sorted(start.odds(RANDOM).values()) == [1, 10000]


def test_weights_that_are_too_large_are_refused_at_their_place() -> None:
    text = "(role ann)\n(random coin 2147483648 up) (random coin 1 down) (legal ann (flip coin))"
    with pytest.raises(RulesError) as caught:
        to_gdl2(sheet_of(text))
    fault = caught.value.diagnostics[0]
    assert (fault.code, fault.line, fault.column) == ("T05", 2, 1)
