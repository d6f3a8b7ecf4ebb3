"""One pass ahead: where states are judged, how replies are folded, and two judges that agree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.heuristic import USUAL, Instance, ThinkingConfig, best_moves, expected_values, judge_of
from ludorum.cards.heuristic.compiled_judge import CompiledJudge
from ludorum.cards.heuristic.readable_judge import ReadableJudge
from ludorum.cards.heuristic.scheme import analysis_of
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.terms import Term
from ludorum.cards.load import checked_rules, load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import CardPosition, hand
from ludorum.cards.machine.reasons import Finished, NeedCard, NeedMove, NeedRandom
from ludorum.rules.source import Source
from tests.cards.heuristic.tables import CRAZY_EIGHTS, KINGS_AND_JACKS, TRUMPS, asked, table
from tests.cards.heuristic.test_values import CONFIGS, judges
from tests.cards.small_charts import cards
from tests.how_much import sample, some

IN_ROLE = replace(USUAL, role_mismatch="exclude")


@pytest.mark.spec("card-games-fcdl", 56)
def test_states_are_judged_at_the_start_of_the_loop_only() -> None:
    """After my queen the jack must be played: later it cannot beat my ten."""
    start = table(TRUMPS, [["qh", "10h"], ["jh", "2s"]], {"trumps": "clubs", "leader": "0"})
    queen, ten, jack, two = cards("qh", "10h", "jh", "2s")
    later = table(TRUMPS, [["qh"], ["2s"]], {"trumps": "clubs", "leader": "1"})
    for judge in judges(TRUMPS, IN_ROLE):
        found = judge.outcomes(asked(TRUMPS, start), 0, 0, keep_states=True)
        assert found[queen].states == 1
        state = found[queen].state
        assert state is not None
        instances = judge.instances(state, 0)
        assert {one.cards for one in instances} == {(ten, two)}
        # One trick won, and another to come; in the middle of the trick the jack would still be a threat.
        assert found[queen].value == 1 + 1
        assert found[ten].value == pytest.approx(-1 + judge.value(later, 0))
        assert jack not in {card for one in instances for card in one.cards}


@pytest.mark.spec("card-games-fcdl", 57)
def test_others_reply_as_is_worst_for_me() -> None:
    start = table(TRUMPS, [["9h", "3c"], ["10h", "2h"]], {"trumps": "spades", "leader": "0"})
    nine = cards("9h")[0]
    for judge in judges(TRUMPS, USUAL):
        after = {
            reply: judge.value(_reached(start, "9h", reply), 0)  # two states, one for each reply
            for reply in ("10h", "2h")
        }
        assert after["10h"] < after["2h"]
        found = judge.outcomes(asked(TRUMPS, start), 0, 0)[nine]
        assert (found.value, found.states) == (after["10h"], 2)


def _reached(start: CardPosition, *moves: str) -> CardPosition:
    """The start of the next trick."""
    machine = TRUMPS.machine
    position = asked(TRUMPS, start, *moves[:-1])
    position = machine.supply(position, cards(moves[-1])[0])
    analysis = analysis_of(TRUMPS.chart)
    assert analysis is not None
    while position.node != analysis.main_loop.header:
        position, _ = machine.advance(position, 1)
    return position


THREE_CARDS = """
0 start
1 Shuffle
2 Deal(5)
3 cardsRemaining(player(0))>1 ? 4 : 10
4 playCard(player(0),card(any,any))
5 first=rankValue(middle(player(0)))
6 playCard(player(1),card(any,any))
7 playCard(player(0),card(any,any))
8 gain=first-rankValue(middle(player(1)))*rankValue(middle(player(0)))%7
9 score(player(0))=score(player(0))+gain -> 3
10 end
"""


@pytest.mark.spec("card-games-fcdl", 57)
def test_where_i_move_again_i_take_the_best() -> None:
    rules = checked_rules(Source("three", THREE_CARDS), "three")
    game = CardGame(rules, "three")
    start = table(game, [["2h", "9h", "kh"], ["10c", "jc"]])
    values = {"2h": 2, "9h": 9, "kh": 13, "10c": 10, "jc": 11}

    def gain(first: str, reply: str, second: str) -> int:
        return values[first] - values[reply] * values[second] % 7

    greedy = replace(USUAL, heuristics=False)
    for judge in judges(game, greedy):
        found = judge.outcomes(asked(game, start), 0, 0)
        for first in ("2h", "9h", "kh"):
            rest = [one for one in ("2h", "9h", "kh") if one != first]
            expected = min(max(gain(first, reply, one) for one in rest) for reply in ("10c", "jc"))
            # One card is left then: the game is over, and decided by the score.
            decided = USUAL.decided * ((expected > 0) - (expected < 0))
            assert found[cards(first)[0]].value == expected + decided, first


@pytest.mark.spec("card-games-fcdl", 66)
def test_a_dangerous_card_goes_while_that_is_safe() -> None:
    """The other led the eight of hearts: the queen takes the trick for nothing, and is gone."""
    values = _kings_and_jacks(USUAL, ["9h", "qh", "5c", "6d"], "8h", 18, 3, "jh")
    nine, queen = cards("9h", "qh")
    assert values[queen] > values[nine] + 0.1
    blind = _kings_and_jacks(CONFIGS["greedy"], ["9h", "qh", "5c", "6d"], "8h", 18, 3, "jh")
    assert best_moves(blind) == [nine, queen]  # greedy sees no difference


@pytest.mark.spec("card-games-fcdl", 67)
def test_cards_that_nothing_fits_between_are_worth_the_same() -> None:
    for seed in range(5):
        values = _kings_and_jacks(USUAL, ["7c", "8c", "2d", "qd", "10s"], "6c", 12, 4, seed=seed)
        seven, eight = cards("7c", "8c")
        assert abs(values[seven] - values[eight]) < 1e-9


def _kings_and_jacks(
    config: ThinkingConfig, mine: list[str], led: str, worlds: int, size: int, once: str = "", seed: int = 0
) -> dict[Term, float]:
    """Mean values over worlds in which the other led a card and has so many more, ``once`` in the first."""
    judge = judge_of(KINGS_AND_JACKS, analysis_of(KINGS_AND_JACKS.chart), config)
    names = [f"{rank}{suit}" for suit in "cdhs" for rank in (*map(str, range(2, 11)), "j", "q", "k", "a")]
    unseen = [name for name in names if name not in (*mine, led, once)]
    random = SplitMix64(seed)
    found = []
    for number in range(worlds):
        rest = list(unseen)
        other = [rest.pop(random.below(len(rest))) for _ in range(size)]
        if once and number == 0:
            other[0] = once
        start = table(KINGS_AND_JACKS, [mine, [led, *other]], {"leader": "1"})
        outcomes = judge.outcomes(asked(KINGS_AND_JACKS, start, led), 0, number)
        found.append({move: one.value for move, one in outcomes.items()})
    return expected_values(found)


def test_a_game_that_is_won_is_worth_more_than_all_else() -> None:
    start = table(CRAZY_EIGHTS, [["3h"], ["4h", "5h"]], {"leader": "0", "lastSuit": "any", "lastRank": "any"})
    start.variables[Term("follower")] = Term("1")
    for judge in judges(CRAZY_EIGHTS, USUAL):
        found = judge.outcomes(asked(CRAZY_EIGHTS, start), 0, 0)
        assert found[cards("3h")[0]].value > 900
        assert found[Term("pass")].value < 100


def _random_decisions(game: CardGame, seed: int, most_cards: int) -> list[tuple[CardPosition, int]]:
    """Positions of a random game with a choice and few cards: the readable judge is slow."""
    machine: Machine = game.machine
    random = SplitMix64(seed)
    position, reason = machine.run(machine.start())
    found = []
    for _ in range(400):
        if isinstance(reason, Finished):
            break
        answer: object
        if isinstance(reason, NeedMove):
            held = [len(position.cards(hand(index))) for index in range(position.players)]
            if len(reason.options) > 1 and max(held) <= most_cards:
                found.append((position, reason.player))
            answer = reason.options[random.below(len(reason.options))]
        elif isinstance(reason, NeedRandom):
            answer = random.below(reason.size)
        else:
            assert isinstance(reason, NeedCard)
            answer = reason.cards[random.below(len(reason.cards))]
        position, reason = machine.run(machine.supply(position, answer))
    return found


@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card"])
@pytest.mark.parametrize("setting", sample(CONFIGS, 4))
def test_both_judges_agree(name: str, setting: str) -> None:
    game = load_card_game(name)
    analysis = analysis_of(game.chart)
    quick = CompiledJudge(game, analysis, CONFIGS[setting])
    slow = ReadableJudge(game, analysis, CONFIGS[setting])
    compared = 0
    for seed in range(some(3)):
        for position, me in _random_decisions(game, seed, 4)[:4]:
            expected = slow.outcomes(position, me, seed, keep_states=True)
            found = quick.outcomes(position, me, seed, keep_states=True)
            assert list(found) == list(expected) or sorted(found) == sorted(expected)
            for move, one in expected.items():
                assert found[move].value == pytest.approx(one.value), (move, position)
                assert found[move].states <= one.states  # it may leave out what cannot matter
                assert one.state is not None
                assert quick.value(one.state, me) == pytest.approx(slow.value(one.state, me))
                assert _multiset(quick.instances(one.state, me)) == _multiset(slow.instances(one.state, me))
            compared += 1
    assert compared or name == "crazy_eights_simple"


def _multiset(instances: list[Instance]) -> list[str]:
    return sorted(str((one.cards, one.count, one.scheme.weight)) for one in instances)


def test_only_a_player_who_is_asked_can_think_about_moves() -> None:
    start = asked(TRUMPS, table(TRUMPS, [["2h"], ["3h"]], {"trumps": "clubs", "leader": "0"}))
    for judge in judges(TRUMPS, USUAL):
        with pytest.raises((ValueError, CardsError), match="not asked"):
            judge.outcomes(start, 1, 0)
