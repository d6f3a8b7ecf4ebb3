"""What is worth having, and what it comes from."""

from __future__ import annotations

from itertools import permutations

import pytest

from ludorum.cards.analysis import analyse
from ludorum.cards.analysis.names import ChartNames
from ludorum.cards.analysis.properties import aims
from ludorum.cards.language.captions import parse_condition
from ludorum.cards.language.rules import Rules
from ludorum.cards.language.terms import format_term

from . import charts

WON = "4 won(player(0))=0\n5 won(player(1))=0"
COUNTED = f"{WON}\n6 taken(player(0))=0\n7 taken(player(1))=0\n8 fouls(player(0))=0\n9 fouls(player(1))=0"
COUNTS = "31 taken(winner)=taken(winner)+2\n32 fouls(player(leader))=fouls(player(leader))+1"


def properties(rules: Rules) -> set[str]:
    """All but the scores, which are always there."""
    found = [str(one) for one in analyse(rules).properties]
    assert found[0] == "maximise score(me)"
    return {one for one in found if "score(" not in one}


def after(condition: str, good: str = "player(0)", change: str = "+1") -> Rules:
    return charts.tricks(
        scoring="won(winner)=won(winner)+1",
        setup=COUNTED,
        more=COUNTS,
        after=f"40 {condition} ? 41 : 99\n41 score({good})=score({good}){change}",
    )


@pytest.mark.spec("card-games-fcdl", 43)
@pytest.mark.parametrize(
    ("condition", "change", "mine", "theirs"),
    [
        ("won(player(0))==0", "+1", "minimise won(me)", "maximise won(otherPlayer)"),
        ("won(player(0))==0", "-1", "maximise won(me)", "minimise won(otherPlayer)"),
        ("won(player(0))!=0", "+1", "maximise won(me)", "minimise won(otherPlayer)"),
        ("won(player(0))!=0", "-1", "minimise won(me)", "maximise won(otherPlayer)"),
        ("won(player(0))<3", "+1", "minimise won(me)", "maximise won(otherPlayer)"),
        ("won(player(0))<3", "-1", "maximise won(me)", "minimise won(otherPlayer)"),
        ("won(player(0))>3", "+1", "maximise won(me)", "minimise won(otherPlayer)"),
        ("won(player(0))>3", "-1", "minimise won(me)", "maximise won(otherPlayer)"),
    ],
)
def test_each_row_of_the_table(condition: str, change: str, mine: str, theirs: str) -> None:
    assert properties(after(condition, change=change)) == {mine, theirs}


MANY_TRICKS = ("won(player(0))>3", {"maximise won(me)", "minimise won(otherPlayer)"})
FEW_POINTS = ("taken(player(0))<2", {"minimise taken(me)", "maximise taken(otherPlayer)"})
THEIR_FOULS = ("fouls(player(1))!=0", {"maximise fouls(otherPlayer)", "minimise fouls(me)"})
PARTS = [MANY_TRICKS, FEW_POINTS, THEIR_FOULS]


def turned(found: set[str]) -> set[str]:
    """The same wishes the other way round."""
    other = {"maximise": "minimise", "minimise": "maximise"}
    return {f"{other[direction]} {term}" for direction, _, term in (one.partition(" ") for one in found)}


@pytest.mark.spec("card-games-fcdl", 43)
@pytest.mark.parametrize("sign", ["&", "|"])
@pytest.mark.parametrize("parts", list(permutations(PARTS, 2)), ids=lambda parts: parts[0][0] + parts[1][0])
def test_each_half_of_a_condition_counts(sign: str, parts: tuple[tuple[str, set[str]], ...]) -> None:
    """Each half is about another variable, so that neither can speak for the other."""
    (left, first), (right, second) = parts
    assert properties(after(f"{left}{sign}{right}")) == first | second
    assert properties(after(f"{left}{sign}{right}", change="-1")) == turned(first | second)
    assert properties(after(f"!({left}{sign}{right})")) == turned(first | second)


@pytest.mark.spec("card-games-fcdl", 43)
@pytest.mark.parametrize("signs", [("&", "&"), ("|", "|"), ("&", "|")])
def test_all_parts_of_a_longer_condition_count(signs: tuple[str, str]) -> None:
    texts, wishes = zip(*PARTS, strict=True)
    condition = f"{texts[0]}{signs[0]}({texts[1]}{signs[1]}{texts[2]})"
    assert properties(after(condition)) == set().union(*wishes)


@pytest.mark.spec("card-games-fcdl", 43)
@pytest.mark.parametrize("sign", ["&", "|"])
@pytest.mark.parametrize("good", [True, False])
def test_each_half_of_one_condition_is_an_aim(sign: str, good: bool) -> None:
    """In a chart the other branch of a choice speaks for both halves as well; here it is silent."""
    names = ChartNames(after("won(player(0))>3"))
    halves = f"won(player(0))>3{sign}taken(player(0))<2"

    def wanted(condition: str) -> set[tuple[str, str]]:
        return {(format_term(term), way) for term, way in aims(names, parse_condition(condition), good)}

    more, less = ("max", "min") if good else ("min", "max")
    assert wanted(halves) == {("won(player(0))", more), ("taken(player(0))", less)}
    assert wanted(f"!({halves})") == {("won(player(0))", less), ("taken(player(0))", more)}


@pytest.mark.spec("card-games-fcdl", 43)
def test_what_each_player_gets_points_for_counts() -> None:
    """One player scores by tricks, and the other by points: all want both, seats being alike."""
    rules = charts.tricks(
        scoring="won(winner)=won(winner)+1",
        setup=COUNTED,
        more=COUNTS,
        after="40 won(player(0))>3 ? 41 : 42\n41 score(player(0))=score(player(0))+1\n"
        "42 taken(player(1))<2 ? 43 : 99\n43 score(player(1))=score(player(1))+1",
    )
    assert properties(rules) == MANY_TRICKS[1] | FEW_POINTS[1]


def test_two_sides_of_a_difference_are_one_property() -> None:
    assert properties(after("won(player(0))>won(player(1))")) == {
        "maximise operation(subtract,won(me),won(otherPlayer))"
    }


def test_what_is_wanted_large_and_small_is_left_out_with_a_warning() -> None:
    rules = after("won(player(0))>won(player(1))&i>3")
    analysis = analyse(rules)
    assert not any(format_term(one.term) == "i" for one in analysis.properties)
    codes = {one.code: one.message for one in analysis.warnings}
    assert codes["contradiction"].endswith("left out: i")


def test_amounts_are_worth_what_they_are_made_of() -> None:
    rules = charts.tricks(
        scoring="won(winner)=won(winner)+1",
        setup=WON,
        after="40 score(player(0))=score(player(0))+3*won(player(0))-won(player(1))",
    )
    assert properties(rules) == {"maximise won(me)", "minimise won(otherPlayer)"}


def test_a_bid_to_be_met_is_a_distance() -> None:
    rules = charts.tricks(
        scoring="won(winner)=won(winner)+1",
        setup=WON
        + "\n6 choose(player(0),bid(player(0)),range(0,5))\n7 choose(player(1),bid(player(1)),range(0,5))",
        after="40 k=0\n41 k<2 ? 42 : 99\n42 won(player(k))==bid(player(k)) ? 43 : 44\n"
        "43 score(player(k))=score(player(k))+10\n44 k=k+1 -> 41",
    )
    analysis = analyse(rules)
    assert {str(one) for one in analysis.properties} >= {"minimise abs(operation(subtract,bid(me),won(me)))"}
    mine = [one for one in analysis.heuristics if one.path == "ab" and one.players[0][1] == 0]
    needed = parse_condition("bid(me)-won(me)>0")
    # I win the trick: good where I still need one, bad where I have enough. The other bids as well.
    assert {one.weight for one in mine if needed in one.conditions} == {1}
    assert {one.weight for one in mine if needed not in one.conditions} == {-1}
    assert [one.code for one in analysis.warnings] == ["outside"]


def test_properties_of_properties_are_found() -> None:
    rules = charts.tricks(
        scoring="won(winner)=won(winner)+1",
        setup=WON + "\n6 bonus(player(0))=0\n7 bonus(player(1))=0\n8 round=0\n9 round<3 ? 10 : 50",
        after="40 won(player(0))>2 ? 41 : 42\n41 bonus(player(0))=bonus(player(0))+1\n42 round=round+1 -> 9\n"
        "50 bonus(player(0))>1 ? 51 : 99\n51 score(player(0))=score(player(0))+1",
    )
    assert properties(rules) >= {"maximise bonus(me)", "maximise won(me)"}


def test_partners_count_as_one() -> None:
    analysis = analyse(charts.tricks(4, setup=charts.PARTNERS))
    assert [str(one) for one in analysis.properties] == [
        "maximise score(me)",
        "minimise score(otherPlayer(1))",
        "maximise score(otherPlayer(2))",
        "minimise score(otherPlayer(3))",
    ]
    assert len(analysis.heuristics) == 108
    assert sum(one.weight for one in analysis.heuristics) == 0


def test_who_wins_by_the_last_card_wants_few() -> None:
    analysis = analyse(charts.SHEDDING)
    assert properties(charts.SHEDDING) == {
        "minimise cardsRemaining(me)",
        "maximise cardsRemaining(otherPlayer(1))",
        "maximise cardsRemaining(otherPlayer(2))",
    }
    mine = {one.path: one.weight for one in analysis.heuristics if one.players[0][1] == 0}
    assert mine == {"aa": 2, "ab": 1, "b": -1}  # the last card, with the game; a card; one picked up
