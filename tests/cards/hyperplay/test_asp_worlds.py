"""Worlds as answer sets: the same as by trying and by counting, and nearly as likely."""

from __future__ import annotations

from collections import Counter

import pytest

from ludorum.cards.asp.worlds import every_world, random_worlds
from ludorum.cards.game import CardState
from ludorum.cards.hyperplay import Sampler, WorldsError
from ludorum.cards.hyperplay.unknowns import Item
from ludorum.cards.knowledge import Knowledge
from ludorum.cards.position import hand

from .brute_force import brute_force, final_positions, table_game
from .random_charts import random_history
from .test_worlds import chi_square_per_degree, middle_of_trumps


@pytest.mark.spec("card-games-fcdl", 49)
@pytest.mark.parametrize("seed", range(60, 85))
def test_answer_sets_equal_brute_force(seed: int) -> None:
    game, states = random_history(seed, general=seed % 2 == 0)
    knowledge = Knowledge.after(states, 0)
    tried = brute_force(states, 0)
    solved = list(every_world(knowledge))
    assert len(solved) == len(tried)
    ends = [CardState(game, history.position(), states[-1].reason, None, ()) for history in solved]
    assert final_positions(ends, 0) == final_positions(list(tried.values()), 0)


@pytest.mark.parametrize("seed", range(100, 160))
def test_answer_sets_equal_the_worlds_that_are_counted(seed: int) -> None:
    """Histories and all: which card came with which draw."""
    _, states = random_history(seed, general=seed % 2 == 0)
    knowledge = Knowledge.after(states, seed % 2)
    counted = Counter(history.holdings() for history in Sampler(knowledge).every())
    assert Counter(history.holdings() for history in every_world(knowledge)) == counted


@pytest.mark.spec("card-games-fcdl", 53)
@pytest.mark.parametrize("block", [1, 10])
def test_random_answer_sets_are_nearly_uniform(block: int) -> None:
    """Chi-square per degree of freedom of the cards in a hidden hand is below 2, however worlds are drawn."""
    knowledge, _ = middle_of_trumps(4, 1)
    other = hand(1 - knowledge.player)
    worlds = random_worlds(knowledge, 20 * block, 7, block=block)
    counts: Counter[object] = Counter()
    for history in worlds:
        counts.update(history.hidden_cards(other))
    unseen = len({item.card for item in knowledge_items(knowledge)})
    assert chi_square_per_degree(counts, unseen) < 2


def knowledge_items(knowledge: Knowledge) -> list[Item]:
    sampler = Sampler(knowledge)
    return [item for item in sampler.unknowns.items if sampler.shares.pasts[0].kind_of[item] is not None]


def test_random_answer_sets_differ() -> None:
    knowledge, _ = middle_of_trumps(4, 1)
    worlds = random_worlds(knowledge, 20, 1)
    assert len({history.holdings() for history in worlds}) == 20


def test_packs_with_equal_cards_are_refused_in_words() -> None:
    chart = "0 start\n1 Pack.use(card(2,any),2)\n2 Shuffle\n3 Deal(1)\n4 end"
    states = [state for state in table_game(chart).playout(1) if isinstance(state, CardState)]
    with pytest.raises(WorldsError, match="equal cards"):
        list(every_world(Knowledge.after(states, 0)))
