"""Ways through the main loop: what they assign and what they ask; and how terms become simpler."""

from __future__ import annotations

import pytest

from ludorum.cards.analysis import Path, analyse
from ludorum.cards.analysis.closure import Closure
from ludorum.cards.analysis.linear import as_sum, as_term
from ludorum.cards.analysis.names import ChartNames
from ludorum.cards.analysis.simplify import conjuncts, fold, negation
from ludorum.cards.analysis.symbolic import CHOSEN, DRAWN, UNKNOWN, SymbolicState
from ludorum.cards.language.captions import format_condition, parse_condition
from ludorum.cards.language.terms import FALSE, TRUE, Term, format_term, number
from ludorum.cards.load import load_card_game


def path_of(game: str, name: str, leader: int) -> tuple[dict[str, str], set[str]]:
    """Final values and conditions of one way, as captions."""

    def is_wanted(one: Path) -> bool:
        return one.name == name and dict(one.players) == {parse_condition("player(leader)"): leader}

    (found,) = [one for one in analyse(load_card_game(game).chart).paths if is_wanted(one)]
    values = {format_condition(name): format_condition(value) for name, value in found.assignments.items()}
    return values, set(map(format_condition, found.conditions))


@pytest.mark.spec("card-games-fcdl", 42)
def test_a_follower_who_beats_the_led_card_scores_and_leads() -> None:
    values, conditions = path_of("trumps", "aa", leader=0)
    assert values["score(player(1))"] == "score(player(1))+1"
    assert "score(player(0))" not in values
    assert (values["leader"], values["trickWinner"], values["i"]) == ("1", "player(1)", "2")
    assert values["leadSuit"] == "suit(played'(player(0),1))"
    assert values["cardsRemaining(player(0))"] == "cardsRemaining(player(0))-1"
    assert values["middle(player(0))"] == "empty"
    assert conditions == {
        "cardInstanceOf(played'(player(0),1),card(any,any))",
        "playerHas(player(1),card(any,suit(played'(player(0),1))))",
        "cardInstanceOf(played'(player(1),1),card(any,suit(played'(player(0),1))))",
        "rankValue(played'(player(0),1))<rankValue(played'(player(1),1))",
    }


@pytest.mark.spec("card-games-fcdl", 42)
def test_two_kings_cost_twenty() -> None:
    values, conditions = path_of("kings_and_jacks", "baa", leader=1)
    assert values["score(player(1))"] == "score(player(1))-20"
    assert (values["leader"], values["follower"], values["trickWinner"]) == ("1", "0", "1")
    assert "!playerHas(player(0),card(any,suit(played'(player(1),1))))" in conditions


@pytest.mark.spec("card-games-fcdl", 42)
def test_an_answered_two_costs_four_cards() -> None:
    values, _ = path_of("crazy_eights_simple", "bbbab", leader=0)
    assert values["cardsRemaining(player(0))"] == "cardsRemaining(player(0))+3"
    assert values["cardsRemaining(player(1))"] == "cardsRemaining(player(1))-1"
    assert values["lastRank"] == "rank(played'(player(1),1))"
    assert "leader" not in values  # the same player goes on


NAMES = ChartNames(load_card_game("trumps").chart)


def simplified(text: str) -> str:
    state = SymbolicState(NAMES, 0)
    return format_condition(state.evaluate(parse_condition(text)))


@pytest.mark.spec("card-games-fcdl", 45)
@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("suit(leadSuit)==suit(leadSuit)", "true"),
        ("1<2", "true"),
        ("2<1", "false"),
        ("hearts==spades", "false"),
        ("trumps==hearts", "trumps==hearts"),
        ("trumps==hearts&1<2", "trumps==hearts"),
        ("trumps==hearts|1<2", "true"),
        ("trumps==hearts|2<1", "trumps==hearts"),
        ("!!(trumps==hearts)", "trumps==hearts"),
        ("(1+i)%2+2*3", "(i+1)%2+6"),
        ("i+3-1-i", "2"),
        ("i<i+1", "true"),
        ("rankValue(king)", "13"),
        ("suit(2)", "hearts"),
        ("suit(card(2,spades))", "spades"),
        ("max(3,abs(0-4))", "4"),
        ("cardInstanceOf(card(2,hearts),card(any,hearts))", "true"),
        ("score(player(1))-10-10", "score(player(1))-20"),
    ],
)
def test_terms_become_simpler(text: str, simple: str) -> None:
    assert simplified(text) == simple


@pytest.mark.spec("card-games-fcdl", 45)
def test_a_conjunction_is_split_and_what_is_true_left_out() -> None:
    both = parse_condition("trumps==hearts&i>3")
    assert [format_condition(one) for one in conjuncts(both)] == ["trumps==hearts", "i>3"]
    state = SymbolicState(NAMES, 0).assume(both)
    assert state is not None
    assert [format_condition(one) for one in state.conditions] == ["trumps==hearts", "i>3"]
    assert state.assume(negation(both)) is None
    assert state.assume(parse_condition("3<i")) is not None
    assert len(state.assume(parse_condition("3<i")).conditions) == 2  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("known", "asked", "answer"),
    [
        ("cardInstanceOf(c,card(any,hearts))", "suit(c)==hearts", "true"),
        ("cardInstanceOf(c,card(any,hearts))", "suit(c)==spades", "false"),
        ("rank(c)==king", "rank(c)==jack", "false"),
        ("rank(c)!=king", "rank(c)==king", "false"),
        ("rank(c)!=king", "rank(c)==jack", "open"),
        ("cardInstanceOf(c,card(any,suit(e)))&suit(e)==hearts", "cardInstanceOf(c,card(any,hearts))", "true"),
        ("cardInstanceOf(c,card(any,trumps))", "suit(c)==trumps", "open"),  # trumps could be any
    ],
)
def test_what_follows_from_conditions(known: str, asked: str, answer: str) -> None:
    conditions = list(conjuncts(parse_condition(known)))
    decided = Closure(NAMES, conditions).decide(parse_condition(asked))
    assert format_term(decided) == (answer if answer != "open" else format_term(parse_condition(asked)))


def test_sums_are_written_as_they_are_read() -> None:
    for text in ("i+1", "i-1", "i", "2*i-r+3", "0-i"):
        assert format_condition(as_term(as_sum(parse_condition(text)))) == text
    assert fold("player", (Term("0"),), NAMES) is parse_condition("player(0)")


@pytest.mark.parametrize("word", [CHOSEN, DRAWN, UNKNOWN])
def test_what_only_the_game_shows_keeps_its_label(word: str) -> None:
    """Two variables that began alike and are unknown now are still two."""
    names = ChartNames(load_card_game("trumps").chart)
    one, other = map(Term, ("i", "leader"))
    state = SymbolicState(names, 0, initial={one: number(0), other: number(0)})
    labels = [Term(word, (name, number(3))) for name in (one, other)]
    assert [state.at_start(label) for label in labels] == labels
    assert state.truth(Term("equal", tuple(labels))) not in (TRUE, FALSE)
