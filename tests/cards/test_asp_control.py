"""The chart run by clingo takes the same way as the machine, asks the same, and has the same variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.cards.asp.control import Control
from ludorum.cards.language.config import MachineConfig
from ludorum.cards.language.deck import sorted_cards
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.rules import Rules, parse_table
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.host import Host, format_trace
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.reasons import (
    Finished,
    MaxStep,
    NeedMove,
    NeedRandom,
    NeedShuffle,
    Publish,
    Reason,
)
from ludorum.rules.library import chart_sheets
from tests.how_much import sample, some

from .worlds.random_charts import random_chart

LONG = ("old_maid", "four_colours", "sevens")
"""They make their packs card by card, which the program does a step at a time."""
THESIS = ("trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card")


def answers_of_random_game(machine: Machine, seed: int, most: int = 0) -> list[object]:
    """What a host answers in a random game, or in its beginning."""
    host = Host(machine, seed)
    for _ in host.play():
        if most and len(host.answers) >= most:
            break
    return host.answers


def by_machine(machine: Machine, answers: Sequence[object]) -> tuple[list[str], list[Reason]]:
    """A line for every step that is over, and what was asked."""
    lines: list[str] = []
    asked: list[Reason] = []
    left = list(answers)
    position = before = machine.start()
    while True:
        if position.step != before.step:  # a step may be half done where a new pack is asked for
            before = position
        position, reason = machine.advance(position, 1)
        if isinstance(reason, (MaxStep, Finished)):
            lines.append(format_trace(before))
        if not isinstance(reason, MaxStep):
            asked.append(_in_order(reason))
            if isinstance(reason, Finished) or not left:
                return lines, asked
            position = machine.supply(position, left.pop(0))


def by_program(control: Control, answers: Sequence[object], steps: int = 0) -> tuple[list[str], list[Reason]]:
    lines: list[str] = []
    asked: list[Reason] = []
    left = list(answers)
    state = control.start()
    while True:
        state, reason, passed = control.advance(state, steps)
        lines += map(str, passed)
        if not isinstance(reason, MaxStep):
            asked.append(_in_order(reason))
            if isinstance(reason, Finished) or not left:
                return lines, asked
            state = control.supply(state, left.pop(0))


def _in_order(reason: Reason) -> Reason:
    """Cards to be shuffled have no order yet."""
    return replace(reason, cards=sorted_cards(reason.cards)) if isinstance(reason, NeedShuffle) else reason


def check(rules: Rules, seed: int, most: int = 0, config: MachineConfig | None = None) -> list[Reason]:
    config = config or MachineConfig()
    machine = Machine(rules, config)
    answers = answers_of_random_game(machine, seed, most)
    expected = by_machine(machine, answers)
    found = by_program(Control(rules, config), answers)
    assert found == expected
    return found[1]


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 31)
@pytest.mark.parametrize("name", sample(THESIS, 4))
def test_program_and_machine_agree_on_the_beginning_of_random_games(name: str) -> None:
    asked = check(load_card_game(name).chart, 1, 8)
    assert {NeedShuffle, NeedRandom, NeedMove} <= set(map(type, asked))


@pytest.mark.slow
@pytest.mark.spec("card-games-fcdl", 31)
@pytest.mark.parametrize("name", THESIS)
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_program_and_machine_agree_on_whole_random_games(name: str, seed: int) -> None:
    asked = check(load_card_game(name).chart, seed, 0, MachineConfig(most_decisions=60))
    assert isinstance(asked[-1], Finished)


@pytest.mark.long
@pytest.mark.parametrize("seed", sample([9, 24, 43], 3))
def test_program_and_machine_agree_on_pick_ups_and_recycled_packs(seed: int) -> None:
    asked = check(parse_table(random_chart(Random(seed), general=True)), seed)
    assert isinstance(asked[-1], Finished)


@pytest.mark.long
@pytest.mark.parametrize("turned", [0, 2])
def test_program_and_machine_agree_on_what_stays_on_the_stack(turned: int) -> None:
    """Cards of two players and cards that were turned up, one above the other, when the pack is used up."""
    lines = ["start", "Pack.use(card(any,hearts))", "Shuffle", "Deal(4)", f"move(pack,stack,{turned})"]
    lines += [f"playCard(player({who}),card(any,any))" for who in (1, 0, 1, 0)]
    lines += ["before=top(stack)", "pickUp(player(1),6)", "after=top(stack)", "end"]
    lines[4] = "r=0" if not turned else "move(pack,stack,1)"
    lines[5:5] = ["move(pack,stack,1)"] * (turned > 1)
    asked = check(parse_table("\n".join(f"{at} {line}" for at, line in enumerate(lines))), 3)
    assert isinstance(asked[-1], Finished)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_program_and_machine_agree_on_sixty_random_charts(seed: int) -> None:
    check(parse_table(random_chart(Random(seed), general=True)), seed)


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 31)
@pytest.mark.parametrize(
    "name", sample([sheet.name for sheet in chart_sheets() if sheet.name not in {*THESIS, *LONG}], 12)
)
def test_program_and_machine_agree_on_the_beginning_of_every_chart(name: str) -> None:
    # Closed piles, moves out of the pack, melds and bids come a little later than cards that are dealt.
    more = name in ("cheat", "crazy_eights", "gin_rummy", "oh_hell")
    check(load_card_game(name).chart, 5, 6 if more else 4)


@pytest.mark.slow
@pytest.mark.spec("card-games-fcdl", 31)
@pytest.mark.parametrize("sheet", list(chart_sheets()), ids=lambda sheet: str(sheet.name))
def test_program_and_machine_agree_on_every_chart(sheet: object) -> None:
    check(load_card_game(str(sheet.name)).chart, 5, 60)  # type: ignore[attr-defined]


@pytest.mark.long
def test_how_far_a_call_goes_changes_nothing() -> None:
    rules = load_card_game("higher_card").chart
    answers = answers_of_random_game(Machine(rules), 2, 4)
    control = Control(rules)
    assert (
        by_program(control, answers, 1) == by_program(control, answers, 0) == by_program(control, answers, 3)
    )


WORDS = """
0 start
1 x=0-7
2 y=x%3+x/2*2
3 z=max(min(y,4),abs(x))
4 !(z<7)|x==1 ? 5 : 12
5 team(player(1))=0
6 w=team(player(1))+team(player(0))+playerNumber(nextPlayer(player(1)))
7 rankValue(ace)=1
8 v=rankValue(card(ace,hearts))+rankValue(king)
9 choose(player(1),bid(player(1)),range(1,3),none)
10 publish("#{bid(player(1))} is the bid")
11 cardInstanceOf(card(3,hearts),union(card(2,any),card(any,hearts))) ? 12 : 0
12 end
"""


def test_program_and_machine_agree_on_arithmetic_teams_and_bids() -> None:
    asked = check(parse_table(WORDS), 4)
    assert list(map(type, asked)) == [NeedMove, Publish, Finished]


CARDS_THAT_LIE_TOGETHER = """
0 start
1 Pack.use(union(card(any,hearts),card(any,clubs)),2)
2 Pack.remove(card(7,any))
3 Pack.add(card(fool,stars),3)
4 pointValue(ace)=11
5 pointValue(clubs)=2
6 pointValue(card(3,clubs))=40
7 Pile.closed(heap)
8 Shuffle
9 Deal(9)
10 dead=deadwood(hand(player(0)))
11 worth=total(hand(player(0)))+pointValue(king)+pointValue(top(hand(player(1))))
12 move(pack,pile(heap),4)
13 moveAll(hand(player(0)),pile(heap),card(any,hearts))
14 run=runLength(pile(heap))
15 like=sameRank(hand(player(1)))
16 high=top(pile(heap))
17 move(pile(heap),pile(open,player(1)),3)
18 chooseCardOrPass(player(1),pile(open,player(1)),stack,card(any,any))
19 low=top(stack)
20 n=cards(hand(player(0)))*100+count(pile(open,player(1)),card(any,clubs))*10+cards(pack)
21 moveAll(pile(heap),pack)
22 moveAll(pack,hand(player(0)))
23 rest=cardsRemaining(player(0))
24 end
"""


@pytest.mark.long
@pytest.mark.parametrize("seed", sample(range(3), 3))
def test_program_and_machine_agree_on_places_points_and_melds(seed: int) -> None:
    check(parse_table(CARDS_THAT_LIE_TOGETHER), seed)


MELDS = """
0 start
1 Pack.use(union(card(2,any),union(card(3,any),union(card(4,any),card(5,any)))))
2 Shuffle
3 move(pack,pile(a),{count})
4 run=runLength(pile(a))
5 like=sameRank(pile(a))
6 dead=deadwood(pile(a))
7 end
"""


@pytest.mark.long
@given(count=st.integers(0, 11), seed=st.integers(0, 1000))
@settings(max_examples=some(12, 6), deadline=None)
def test_program_and_machine_agree_on_runs_sets_and_what_is_left(count: int, seed: int) -> None:
    check(parse_table(MELDS.format(count=count)), seed)


def test_what_the_program_has_no_rules_for_is_named() -> None:
    with pytest.raises(CardsError, match="several cards from the pack"):
        Control(parse_table("0 start\n1 Shuffle\n2 move(pack,stack,2)\n3 end\n"))


def test_what_has_no_value_is_told() -> None:
    control = Control(parse_table("0 start\n1 x=suit(empty)\n2 end\n"))
    with pytest.raises(CardsError, match="no value"):
        control.advance(control.start())


def test_a_move_that_is_not_allowed_is_refused() -> None:
    control = Control(parse_table("0 start\n1 choose(player(0),x,1,2)\n2 end\n"))
    state, reason, _ = control.advance(control.start())
    assert isinstance(reason, NeedMove)
    with pytest.raises(CardsError, match="not allowed"):
        control.supply(state, 3)
