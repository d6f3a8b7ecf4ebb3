"""The compiled machine against the readable one: the same options, the same positions, the same chances."""

from __future__ import annotations

import os
import time

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.compiled import CompiledCards, NotCompiled
from ludorum.cards.compiled.program import BOTTOM
from ludorum.cards.language.config import MachineConfig
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.rules import parse_table
from ludorum.cards.language.terms import Term
from ludorum.cards.load import checked_rules, load_card_game
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.outcome import goals
from ludorum.cards.machine.position import PACK, CardPosition
from ludorum.cards.machine.reasons import Finished, NeedCard, NeedMove, NeedRandom
from ludorum.rules.library import chart_sheets
from ludorum.rules.source import Source
from tests.cards.valid_charts import valid_chart
from tests.how_much import sample

NAMES = [sheet.name for sheet in chart_sheets()]
FINISHED = 3


def _compiled(name: str) -> CompiledCards:
    try:
        return CompiledCards(load_card_game(name).chart)
    except NotCompiled as error:
        pytest.skip(f"{name} has no bytecode: {error}")


def _same(compiled: CompiledCards, table: bytes, position: CardPosition) -> None:
    """All variables and all places; of the pack only how many cards it has where some are not drawn yet."""
    found = compiled.position_of(table)
    variables, places = found["variables"], found["places"]
    assert isinstance(variables, dict)
    assert isinstance(places, dict)
    shared = {name: value for name, value in variables.items() if name.name != "team"}  # a default there
    assert shared == {name: value for name, value in position.variables.items() if name in shared}
    below = places.pop(BOTTOM, ())
    for place, cards in places.items():
        if place is PACK:
            assert len(cards) + len(below) == position.count(PACK)
            assert below == position.order[len(position.order) - len(below) :]
        else:
            assert sorted(cards) == sorted(position.cards(place)), place
    if found["status"] == FINISHED:
        assert position.is_finished
        assert tuple(found["goals"]) == goals(position)  # type: ignore[arg-type]
    else:
        assert found["node"] == position.node


@pytest.mark.parametrize("name", sample(NAMES, 3))
def test_both_machines_go_the_same_way(name: str) -> None:
    compiled = _compiled(name)
    assert _compare(compiled, Machine(load_card_game(name).chart)) > 5


TEAMS_AND_PACKS = """
; players: 4
0  start
1  team(player(0))=0
2  team(player(1))=1
3  team(player(2))=0
4  team(player(3))=1
5  Pack.use(union(card(any,hearts),card(any,spades)))
6  Shuffle
7  Deal(4)
8  {setup}
9  turn=0
10 turn<40 ? 11 : 30
11 who=player(turn%4)
12 playCardOrPass(who,card(any,any))
13 cards(stack)>2 ? 14 : 15
14 moveAll(stack,{target})
15 pickUp(who,1)
16 turn%8==7 ? 17 : 19
17 chooseCardOrPass(who,hand(who),pack,card(any,hearts))
18 move(pile(won,team(player(0))),pack,2)
19 turn=turn+1 -> 10
30 score(player(0))=total(pile(won,0))
31 score(player(1))=cards(pile(won,team(nextPlayer(player(0)))))
32 end
"""


@pytest.mark.parametrize("target", ["pile(won,team(who))", "discard", "pack", "pile(won,turn%2)"])
@pytest.mark.parametrize("setup", ["r=0", "recycle=false", "recycle=true"])
def test_both_machines_agree_on_piles_of_teams_and_cards_that_go_back(target: str, setup: str) -> None:
    rules = parse_table(TEAMS_AND_PACKS.format(target=target, setup=setup))
    compiled = CompiledCards(rules)
    assert _compare(compiled, Machine(rules)) > 25
    assert compiled.random_games(200, 1).games == 200


def test_random_games_with_piles_of_teams_take_no_time() -> None:
    rules = parse_table(TEAMS_AND_PACKS.format(target="pile(won,team(who))", setup="r=0"))
    begin = time.process_time()
    assert CompiledCards(rules).random_games(1000, 1).games == 1000
    assert time.process_time() - begin < 5


def _random_chart_seeds() -> list[int]:
    return [seed for seed in range(40) if "random(3)==0" not in valid_chart(seed)]


@pytest.mark.parametrize("seed", _random_chart_seeds()[:20])
def test_both_machines_agree_on_random_charts(seed: int) -> None:
    rules = checked_rules(Source("chart", valid_chart(seed)), "chart")
    _compare(CompiledCards(rules), Machine(rules))


def _compare(compiled: CompiledCards, machine: Machine) -> int:
    """Decision by decision; where the compiled machine draws one card, the readable one is given the same.

    How many positions were compared.
    """
    compared = 0
    for seed in range(2):
        random = SplitMix64(seed)
        position, reason = machine.run(machine.start())
        for _ in range(60):
            while isinstance(reason, (NeedCard, NeedRandom)):
                position, reason = machine.run(machine.supply(position, _draw(reason, random)))
            if isinstance(reason, Finished):
                break
            assert isinstance(reason, NeedMove)
            table = compiled.kernel.run(compiled.table_of(position), seed)
            options = compiled.options(table)
            assert sorted(options) == sorted(reason.options)
            choice: Term = reason.options[random.below(len(reason.options))]
            answered = compiled.kernel.answer(table, options[choice], seed)
            drawn = _drawn(compiled, table, answered)
            position, reason = machine.run(machine.supply(position, choice))
            if len(drawn) == 1 and isinstance(reason, NeedCard):
                position, reason = machine.run(machine.supply(position, drawn[0]))
            if not isinstance(reason, (NeedCard, NeedRandom)) and len(drawn) < 2:
                _same(compiled, answered, position)
                compared += 1
    return compared


def _draw(reason: NeedCard | NeedRandom, random: SplitMix64) -> object:
    if isinstance(reason, NeedRandom):
        return random.below(reason.size)
    return reason.cards[random.below(len(reason.cards))]


def _drawn(compiled: CompiledCards, before: bytes, after: bytes) -> list[Term]:
    """The cards that have left the pack."""
    place = compiled.program.places[PACK]
    codes = compiled.program.codes
    left = set(compiled.kernel.unpack(before)["places"][place]) - set(
        compiled.kernel.unpack(after)["places"][place]
    )
    return [codes.kinds[codes.kind_of[card]] for card in left]


@pytest.mark.long
@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "higher_card"])
def test_random_games_of_both_machines_come_to_the_same(name: str) -> None:
    compiled = _compiled(name)
    game = load_card_game(name)
    rows = [list(game.playout(seed))[-1] for seed in range(60)]
    slow = sum(state.goal(game.roles[0]) or 0 for state in rows) / len(rows)
    fast = compiled.random_games(40_000, 7)
    assert fast.goals[0] == pytest.approx(50, abs=1.0)  # four deviations
    assert slow == pytest.approx(fast.goals[0], abs=27)  # a deviation of 50 over sixty games, four times
    assert sum(fast.goals) == pytest.approx(100)


def test_trumps_has_fourteen_decisions_and_seven_tricks() -> None:
    found = _compiled("trumps").random_games(1000, 3)
    assert found.decisions == 14_000
    assert sum(found.scores) == pytest.approx(7)
    assert found.broken_off == 0


@pytest.mark.alone
@pytest.mark.skipif("LUDORUM_SANITIZED" in os.environ, reason="sanitizers take their time")
def test_a_million_decisions_a_second() -> None:
    compiled = _compiled("trumps")
    rates = []
    for seed in range(5):
        begin = time.process_time()
        found = compiled.random_games(10_000, seed)
        rates.append(found.decisions / (time.process_time() - begin))
    assert max(rates) > 1e6


def test_who_may_pass_for_ever_comes_to_a_draw() -> None:
    config = MachineConfig(recycle=False, most_decisions=600)
    compiled = CompiledCards(load_card_game("crazy_eights_simple").chart, config)
    found = compiled.random_games(2000, 1)
    assert found.broken_off > 1000  # 62 % of games in the specification
    assert found.broken_off < 1500


def test_a_fault_of_the_chart_is_told_with_its_node() -> None:
    rules = parse_table("""
        0 start
        1 Shuffle
        2 Deal(3)
        3 playCard(player(0),card(any,any))
        4 x=rank(middle(player(1)))
        5 end
    """)
    with pytest.raises(CardsError, match="node 4: a card is needed"):
        CompiledCards(rules).random_games(1)


def test_a_chart_that_goes_round_in_a_circle_is_stopped() -> None:
    rules = parse_table("0 start\n1 Shuffle\n2 x=1\n3 x==1 ? 2 : 4\n4 end")
    with pytest.raises(CardsError, match="circle"):
        CompiledCards(rules).random_games(1)


def test_the_same_seed_gives_the_same_games() -> None:
    compiled = _compiled("crazy_eights_simple")
    assert compiled.random_games(50, 9) == compiled.random_games(50, 9)
    assert compiled.random_games(50, 9) != compiled.random_games(50, 10)
