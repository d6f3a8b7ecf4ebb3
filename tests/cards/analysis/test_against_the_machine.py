"""Pseudo-heuristics tell the truth: in played games exactly one of them fits what happened in a pass.

The machine plays at random; at every start of the main loop the conditions are looked at with the cards that
were then played, and the weight is compared with what has become of the properties.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from ludorum.cards.analysis import ChartAnalysis, PseudoHeuristic, analyse, by_number, card_symbol
from ludorum.cards.language.rules import Rules
from ludorum.cards.language.terms import PASS, Term, player, truth
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.evaluate import evaluate, integer
from ludorum.cards.machine.host import Host
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import CardPosition
from ludorum.cards.machine.reasons import Finished, MaxStep, NeedMove

from . import charts


@dataclass
class Pass:
    """One pass of the main loop as it was played: cards by player, PASS among them."""

    start: CardPosition
    played: dict[int, list[Term]] = field(default_factory=dict)
    end: CardPosition | None = None


def passes(rules: Rules, header: int, seed: int, most: int = 60) -> Iterator[Pass]:
    """All passes of a random game."""
    machine = Machine(rules)
    host = Host(machine, seed)
    position = machine.start()
    current: Pass | None = None
    for _ in range(3000):
        if position.node == header:
            if current is not None and current.played:  # else the way led through another round
                current.end = position
                yield current
                most -= 1
                if most == 0:
                    return
            current = Pass(position)
        position, reason = machine.advance(position, 1)
        if isinstance(reason, Finished):
            if current is not None and current.played:
                current.end = position
                yield current
            return
        if isinstance(reason, MaxStep):
            continue
        answer = host.answer(reason, position)
        if isinstance(reason, NeedMove) and reason.template is not None and current is not None:
            assert isinstance(answer, Term)
            current.played.setdefault(reason.player, []).append(answer)
        position = machine.supply(position, answer)


def bound(term: Term, me: int, players: int, one: Pass) -> Term:
    """A condition about the cards that were played: decisions to pass are known by now."""
    cards = {
        card_symbol((who - me) % players, count, players): card
        for who, played in one.played.items()
        for count, card in enumerate(played, start=1)
    }

    def replaced(inner: Term) -> Term:
        if inner in cards:
            return cards[inner]
        if inner.name == "passed":
            who = by_number(inner.args[0], me, players)
            played = one.played.get(int(str(who.args[0])), [])
            return truth(bool(played) and played[0] is PASS)
        return Term(inner.name, tuple(replaced(arg) for arg in inner.args if isinstance(arg, Term)))

    return by_number(replaced(term), me, players)


def fits(heuristic: PseudoHeuristic, me: int, players: int, one: Pass) -> bool:
    """Whether all conditions held, of the cards that were played."""
    asked: dict[int, int] = {}
    for card in heuristic.cards:
        who = (me + card.seat) % players
        asked[who] = asked.get(who, 0) + 1
        cards = one.played.get(who, [])
        if len(cards) < card.number or (cards[card.number - 1] is PASS) != card.passes:
            return False
    if asked != {who: len(cards) for who, cards in one.played.items()}:
        return False
    for condition in heuristic.conditions:
        term = bound(condition, me, players, one)
        if any(part is PASS for part in term.args):
            continue  # the card of somebody who passed: nobody knows it
        if evaluate(term, one.start).name != "true":
            return False
    return True


def worth(analysis: ChartAnalysis, position: CardPosition, me: int) -> int:
    """The sum of all properties, as the machine has them."""
    total = 0
    for one in analysis.properties:
        value = integer(by_number(one.term, me, position.players), position)
        total += value if one.direction == "max" else -value
    return total


def agree(rules: Rules, games: int, least: int = 20) -> None:
    analysis = analyse(rules)
    seen = 0
    for seed in range(games):
        for one in passes(rules, analysis.main_loop.header, seed):
            assert one.end is not None
            for me in range(rules.players):
                found = [h for h in analysis.instances if fits(h, me, rules.players, one)]
                assert len(found) == 1, (seed, one.played, [h.path for h in found])
                assert found[0].weight == worth(analysis, one.end, me) - worth(analysis, one.start, me)
                seen += 1
    assert seen >= least


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 42, 44)
@pytest.mark.parametrize(
    "name",
    ["trumps", "kings_and_jacks", "higher_card", "crazy_eights_simple", "hearts_two", "knockout_whist"],
)
def test_one_instance_fits_each_pass_and_says_what_it_changes(name: str) -> None:
    agree(load_card_game(name).chart, games=4)


@pytest.mark.long
def test_what_cards_count_is_told_apart() -> None:
    rules = load_card_game("briscola").chart
    values = {one.weight for one in analyse(rules).heuristics}
    assert max(values) == 22  # two aces
    agree(rules, games=1)


OF_PILES = """
40 k=0
41 k<2 ? 42 : 99
42 score(player(k))=score(player(k))+cards(pile(won,player(k)))
43 k=k+1 -> 41
"""

CASES = {
    "do while": charts.DO_WHILE,
    "several exits": charts.SEVERAL_EXITS,
    "several entries": charts.SEVERAL_ENTRIES,
    "two cards": charts.TWO_CARDS,
    "counter": charts.COUNTER,
    "three": charts.tricks(3),
    "four": charts.tricks(4, cards=3),
    "partners": charts.tricks(4, cards=3, setup=charts.PARTNERS),
    "hearts": charts.tricks(3, scoring="score(winner)=score(winner)-count(stack,card(any,hearts))"),
    "piles": charts.tricks(2, scoring="moveAll(stack,pile(won,winner))", after=OF_PILES),
    "rounds": charts.ROUNDS,
    "shedding": charts.SHEDDING,
}


@pytest.mark.spec("card-games-fcdl", 87, 88)
@pytest.mark.parametrize("name", CASES)
def test_the_same_of_charts_the_thesis_could_not_read(name: str) -> None:
    agree(CASES[name], games=2, least=8)


def test_seats_that_differ_are_told_apart() -> None:
    rules = charts.tricks(2, setup="4 leader=0", scoring="score(player(0))=score(player(0))+1")
    agree(rules, games=2)
    assert Term("equal", (player(1), Term("me"))) in {
        condition for one in analyse(rules).instances for condition in one.conditions
    }
