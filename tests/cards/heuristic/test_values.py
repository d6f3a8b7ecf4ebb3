"""What positions are worth: instances, cards, states, and every switch, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludorum.cards.heuristic import USUAL, Instance, Judge, ThinkingConfig, judge_of, value_of_cards
from ludorum.cards.heuristic.readable_judge import ReadableJudge
from ludorum.cards.heuristic.scheme import analysis_of
from ludorum.cards.language.terms import format_term
from ludorum.cards.machine.position import CardPosition
from tests.cards.heuristic.tables import HIGHER_CARD, KINGS_AND_JACKS, TRUMPS, table
from tests.cards.small_charts import cards

CONFIGS = {
    "usual": USUAL,
    "count_one": replace(USUAL, role_mismatch="count_one"),
    "count_three": replace(USUAL, role_mismatch="count_one", role_count=3),
    "exclude": replace(USUAL, role_mismatch="exclude"),
    "drop_impossible": replace(USUAL, drop_impossible=True),
    "active_only": replace(USUAL, active_only=True),
    "no_score": replace(USUAL, score_term=False),
    "greedy": replace(USUAL, heuristics=False),
    "others": replace(USUAL, others_cards=True),
    "two_passes": replace(USUAL, passes=2),
}


def judges(game: object, config: ThinkingConfig) -> list[Judge]:
    """The quick one and the readable one."""
    analysis = analysis_of(game.chart)  # type: ignore[attr-defined]
    return [make(game, analysis, config) for make in (judge_of, ReadableJudge)]  # type: ignore[arg-type]


def short(instances: list[Instance]) -> set[tuple[str, int, int]]:
    """Cards, weight and count."""
    return {
        (" ".join(format_term(card) for card in one.cards), one.scheme.weight, one.count) for one in instances
    }


def trick(other: list[str]) -> CardPosition:
    return table(TRUMPS, [["6h"], other], {"trumps": "spades", "leader": "0"})


@pytest.mark.spec("card-games-fcdl", 58)
def test_an_instance_is_active_when_all_its_conditions_hold_and_counts_what_must_change_else() -> None:
    for judge in judges(TRUMPS, USUAL):
        six_on_four = ("card(6,hearts) card(4,hearts)", 1, 0)
        assert six_on_four in short(judge.instances(trick(["4h"]), 0))
        found = judge.instances(trick(["4h", "10h"]), 0)
        # The other follows suit: both cards would have to go before a heart takes the trick by that alone.
        assert ("card(6,hearts) card(4,hearts)", 1, 2) in short(found)
        assert ("card(6,hearts) card(10,hearts)", -1, 0) in short(found)
        assert {one.is_active for one in found} == {True, False}
        assert all(one.is_active == (one.count == 0) for one in found)


@pytest.mark.spec("card-games-fcdl", 59)
def test_the_worth_of_cards_and_states_is_the_mean_over_a_card_and_the_sum_over_the_hand() -> None:
    for judge in judges(HIGHER_CARD, USUAL):
        state = table(HIGHER_CARD, [["kh", "4h"], ["2c", "3c", "ac"]], {"leader": "0"}, scores=[2, 1])
        king, four = cards("kh", "4h")
        # Each of mine beats two of three, whoever leads.
        assert value_of_cards(judge.instances(state, 0)) == pytest.approx({king: 1 / 3, four: 1 / 3})
        assert judge.value(state, 0) == pytest.approx(2 - 1 + 2 / 3)
    for judge in judges(TRUMPS, USUAL):
        # Leading, the six takes both hearts (+1, +1); were the other without hearts, which two cards hinder,
        # it would too (1/9, 1/9). Led by the other, it takes both (+1, +1), but were I without hearts, which
        # one card hinders, it would not (-1/4, -1/4).
        assert judge.value(trick(["4h", "5h"]), 0) == pytest.approx((2 + 2 / 9 + 2 - 2 / 4) / 8)


@pytest.mark.spec("card-games-fcdl", 60)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("usual", (2 + 2 / 9 + 2 - 2 / 4) / 8 + 3),
        ("count_one", (2 + 2 / 9 + 2 / 4 - 2 / 9) / 8 + 3),
        ("count_three", (2 + 2 / 9 + 2 / 16 - 2 / 25) / 8 + 3),
        ("exclude", (2 + 2 / 9) / 4 + 3),
        ("drop_impossible", (2 + 2) / 4 + 3),
        ("active_only", 2 / 2 + 3),
        ("no_score", (2 + 2 / 9 + 2 - 2 / 4) / 8),
        ("greedy", 3),
    ],
)
def test_every_switch_changes_the_value_as_it_should(name: str, expected: float) -> None:
    state = table(TRUMPS, [["6h"], ["4h", "5h"]], {"trumps": "spades", "leader": "0"}, scores=[4, 1])
    for judge in judges(TRUMPS, CONFIGS[name]):
        assert judge.value(state, 0) == pytest.approx(expected)


@pytest.mark.spec("card-games-fcdl", 60)
def test_ways_that_change_nothing_count_only_when_asked() -> None:
    state = table(KINGS_AND_JACKS, [["9h"], ["kh", "10h"]], {"leader": "0"})
    exact = replace(USUAL, role_mismatch="exclude", drop_impossible=True)
    for judge in judges(KINGS_AND_JACKS, exact):
        # The king takes my nine and loses ten; the ten takes it for nothing.
        assert judge.value(state, 0) == pytest.approx(10)
    for judge in judges(KINGS_AND_JACKS, replace(exact, include_zero=True)):
        assert judge.value(state, 0) == pytest.approx(10 / 2)


def test_a_card_without_instances_is_worth_nothing() -> None:
    for judge in judges(KINGS_AND_JACKS, USUAL):
        assert judge.instances(table(KINGS_AND_JACKS, [["9h"], ["2c"]], {"leader": "0"}), 0) == []
        assert judge.value(table(KINGS_AND_JACKS, [["9h"], ["2c"]], {"leader": "0"}), 0) == 0


@pytest.mark.parametrize(
    "wrong", [{"n_worlds": 0}, {"role_mismatch": "maybe"}, {"time_limit": -1.0}, {"weighting": "x"}]
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ThinkingConfig(**wrong)  # type: ignore[arg-type]
