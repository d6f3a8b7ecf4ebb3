"""The pseudo-heuristics of the four charts of the thesis, as its tables have them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from ludorum.cards.analysis import ChartAnalysis, PseudoHeuristic, analyse
from ludorum.cards.language.terms import Term, format_term
from ludorum.cards.load import load_card_game

Rows = list[tuple[set[str], int]]
Pairs = Counter[tuple[str, int]]


def analysed(name: str) -> ChartAnalysis:
    return analyse(load_card_game(name).chart)


def printed(one: PseudoHeuristic, redundant: bool) -> frozenset[Term]:
    return one.conditions | one.redundant if redundant else one.conditions


def pairs(found: Iterable[PseudoHeuristic], redundant: bool = False) -> Pairs:
    """Conjuncts with the weights they stand under, each as often as it is printed."""
    return Counter(
        (format_term(condition), one.weight) for one in found for condition in printed(one, redundant)
    )


def sets(found: Iterable[PseudoHeuristic], redundant: bool = False) -> Counter[tuple[int, frozenset[str]]]:
    return Counter(
        (
            one.weight,
            frozenset(map(format_term, one.conditions | (one.redundant if redundant else frozenset()))),
        )
        for one in found
    )


def both_roles(
    rows: Callable[[str, str, str, str], list[tuple[set[str], int]]],
) -> list[tuple[int, set[str]]]:
    """Rows for a leader and a follower with their cards, once with me as the leader and once with the other.

    The weight of a row is what it is worth to the leader.
    """
    mine = [(weight, conditions) for conditions, weight in rows("me", "otherPlayer", "myCard", "otherCard")]
    theirs = [
        (-weight, conditions) for conditions, weight in rows("otherPlayer", "me", "otherCard", "myCard")
    ]
    return mine + theirs


def counted(rows: list[tuple[int, set[str]]]) -> Counter[tuple[int, frozenset[str]]]:
    return Counter((weight, frozenset(conditions)) for weight, conditions in rows)


def trumps_rows(leader: str, follower: str, led: str, other: str) -> Rows:
    common = {f"equal(player(leader),{leader})", f"cardInstanceOf({led},card(any,any))"}
    has = f"playerHas({follower},card(any,suit({led})))"
    higher = f"lessThan(rankValue({led}),rankValue({other}))"
    follows = common | {has, f"cardInstanceOf({other},card(any,suit({led})))"}
    void = common | {f"neg({has})", f"cardInstanceOf({other},card(any,any))"}
    trump, led_trump = f"equal(suit({other}),trumps)", f"equal(suit({led}),trumps)"
    return [
        (follows | {higher}, -1),
        (follows | {f"neg({higher})"}, 1),
        (void | {trump, led_trump, higher}, -1),
        (void | {trump, led_trump, f"neg({higher})"}, 1),
        (void | {trump, f"neg({led_trump})"}, -1),
        (void | {f"neg({trump})"}, 1),
    ]


def kings_rows(leader: str, follower: str, led: str, other: str) -> Rows:
    common = {
        f"equal(player(leader),{leader})",
        f"cardInstanceOf({led},card(any,any))",
        f"equal(player(operation(modulo,operation(add,leader,1),2)),{follower})",
    }
    has = f"playerHas({follower},card(any,suit({led})))"
    higher = f"lessThan(rankValue({led}),rankValue({other}))"
    follows = {has, f"cardInstanceOf({other},card(any,suit({led})))"}
    outcomes = [
        (follows | {higher}, 1),
        (follows | {f"neg({higher})"}, -1),
        ({f"neg({has})", f"cardInstanceOf({other},card(any,any))"}, -1),
    ]
    rows = []
    for conditions, sign in outcomes:
        for first in (True, False):
            for second in (True, False):
                honours = {honour("myCard", first), honour("otherCard", second)}
                rows.append((common | conditions | honours, sign * 10 * (first + second)))
    return rows


def honour(card: str, holds: bool) -> str:
    text = f"operation(or,equal(rank({card}),king),equal(rank({card}),jack))"
    return text if holds else f"neg({text})"


UNION = "union(card(any,lastSuit),union(card(lastRank,any),card(8,any)))"


def eights_rows(first: str, second: str, card: str, answer: str) -> Rows:
    common = {f"equal(player(leader),{first})", f"cardInstanceOf({card},{UNION})"}
    passed = f"equal(passed({first}),true)"
    king, eight, two = (f"equal(rank({card}),{rank})" for rank in ("king", "8", "2"))
    played = common | {f"neg({passed})"}
    low = played | {f"neg({king})", f"neg({eight})"}
    asked = low | {two, f"cardInstanceOf({answer},card(2,any))", f"equal(player(follower),{second})"}
    passes = f"equal(passed({second}),true)"
    return [
        (common | {passed}, -1),
        (played | {king}, 1),
        (played | {f"neg({king})", eight}, 1),
        (low | {f"neg({two})"}, 1),
        (asked | {passes}, 3),
        (asked | {f"neg({passes})"}, -4),
    ]


@pytest.mark.spec("card-games-fcdl", 44, 46)
def test_trumps_has_the_twelve_of_the_table() -> None:
    found = analysed("trumps").heuristics
    assert len(found) == 12
    assert sum(pairs(found).values()) == 70
    assert sets(found) == counted(both_roles(trumps_rows))


@pytest.mark.spec("card-games-fcdl", 44, 46)
def test_kings_and_jacks_has_the_eighteen_of_the_table() -> None:
    found = analysed("kings_and_jacks").heuristics
    assert Counter(one.weight for one in found) == {20: 3, -20: 3, 10: 6, -10: 6}
    assert sum(pairs(found).values()) == 120
    assert sum(pairs(found, redundant=True).values()) == 138
    assert sets(found, redundant=True) == counted([row for row in both_roles(kings_rows) if row[0]])


@pytest.mark.spec("card-games-fcdl", 47)
def test_ways_that_change_nothing_are_kept_but_not_shown() -> None:
    analysis = analysed("kings_and_jacks")
    assert len(analysis.hidden) == 6
    assert all(one.weight == 0 and not one.is_shown for one in analysis.hidden)
    assert sets(analysis.hidden, redundant=True) == counted(
        [row for row in both_roles(kings_rows) if not row[0]]
    )
    assert len(analysis.instances) == 24
    data = analysis.as_json()
    assert isinstance(data["heuristics"], list)
    assert len(data["heuristics"]) == 18


@pytest.mark.spec("card-games-fcdl", 44, 46)
def test_crazy_eights_has_the_twelve_of_the_table() -> None:
    found = analysed("crazy_eights_simple").heuristics
    assert len(found) == 12
    assert sum(pairs(found).values()) == 68
    assert sum(pairs(found, redundant=True).values()) == 72
    assert sets(found, redundant=True) == counted(both_roles(eights_rows))


@pytest.mark.spec("card-games-fcdl", 36, 44)
def test_the_toy_has_four() -> None:
    found = analysed("higher_card").heuristics
    assert sorted((one.path, one.players[0][1], one.weight) for one in found) == [
        ("a", 0, 1),
        ("a", 1, -1),
        ("b", 0, -1),
        ("b", 1, 1),
    ]


@pytest.mark.spec("card-games-fcdl", 43)
def test_what_matters_is_the_score_and_where_it_comes_last_what_it_depends_on() -> None:
    scores = [("score(me)", "max"), ("score(otherPlayer)", "min")]
    for name in ("trumps", "kings_and_jacks", "higher_card"):
        assert [(format_term(one.term), one.direction) for one in analysed(name).properties] == scores
    assert [(format_term(one.term), one.direction) for one in analysed("crazy_eights_simple").properties] == [
        *scores,
        ("cardsRemaining(me)", "min"),
        ("cardsRemaining(otherPlayer)", "max"),
    ]


@pytest.mark.spec("card-games-fcdl", 41)
@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("trumps", ["aa", "ab", "baaa", "baab", "bab", "bb"]),
        (
            "kings_and_jacks",
            [f"{way}{first}{second}" for way in ("aa", "ab", "b") for first in "ab" for second in "ab"],
        ),
        ("crazy_eights_simple", ["a", "ba", "bba", "bbbaa", "bbbab", "bbbb"]),
        ("higher_card", ["a", "b"]),
    ],
)
def test_paths_of_each_role_have_their_names(name: str, paths: list[str]) -> None:
    for seat in (0, 1):
        found = [one.path for one in analysed(name).instances if one.players == ((one.players[0][0], seat),)]
        assert sorted(found) == sorted(paths)


def test_who_passes_plays_no_card() -> None:
    found = analysed("crazy_eights_simple").heuristics
    plays = {(one.path, one.players[0][1]): one.plays_my_card for one in found}
    assert not plays["a", 0]  # I pass
    assert plays["ba", 0]
    assert not plays["ba", 1]  # the other plays
    assert plays["bbbab", 1]  # I answer
    assert not plays["bbbaa", 1]  # I do not


@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card"])
def test_it_takes_a_moment_where_the_thesis_took_minutes(name: str) -> None:
    rules = load_card_game(name).chart
    before = time.process_time()
    analyse(rules)
    assert time.process_time() - before < 1.0  # measured: 0.03 s
