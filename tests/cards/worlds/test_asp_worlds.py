"""Worlds as answer sets: the same as by trying and by counting, and nearly as likely."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import clingo
import pytest

from ludorum.cards.asp.history_facts import history_facts
from ludorum.cards.asp.worlds import PROGRAM, every_world, random_worlds
from ludorum.cards.machine.game import CardState
from ludorum.cards.machine.position import hand
from ludorum.cards.worlds import Sampler, WorldsError
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.cards.worlds.unknowns import Item
from tests.how_much import sample

from .brute_force import brute_force, final_positions, table_game
from .random_charts import SEVERAL_WORLDS, random_history
from .test_worlds import chi_square_per_degree, middle_of_trumps


@pytest.mark.spec("card-games-fcdl", 49)
@pytest.mark.parametrize("seed", sample([seed for seed in SEVERAL_WORLDS if seed % 2], 3))
def test_answer_sets_equal_brute_force(seed: int) -> None:
    """One to one, as the program gives them: nothing is sorted out afterwards."""
    game, states = random_history(seed)
    knowledge = Knowledge.after(states, 1)
    tried = brute_force(states, 1)
    assert len(tried) >= 4
    assert len(answer_sets(knowledge)) == len(tried)
    solved = list(every_world(knowledge))
    assert len(solved) == len(tried)
    ends = [CardState(game, history.position(), states[-1].reason, None, ()) for history in solved]
    assert final_positions(ends, 1) == final_positions(list(tried.values()), 1)


def answer_sets(knowledge: Knowledge) -> list[frozenset[str]]:
    """What ``hyperplay.lp`` itself says, with the facts of a story."""
    control = clingo.Control(["--models=0", "--warn=none"])
    control.add("base", [], PROGRAM.read_text(encoding="utf-8") + history_facts(knowledge).text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        return [frozenset(map(str, model.symbols(atoms=True))) for model in handle]


@pytest.mark.parametrize("seed", range(100, 130))
def test_answer_sets_equal_the_worlds_that_are_counted(seed: int) -> None:
    """Histories and all: which card came with which draw."""
    _, states = random_history(seed, general=seed % 2 == 0)
    knowledge = Knowledge.after(states, seed % 2)
    counted = Counter(history.holdings() for history in Sampler(knowledge).every())
    assert Counter(history.holdings() for history in every_world(knowledge)) == counted


@pytest.mark.spec("card-games-fcdl", 53)
@pytest.mark.parametrize(("block", "count"), [(1, 20), (10, 200), (100, 200)])
def test_random_answer_sets_are_nearly_uniform(block: int, count: int) -> None:
    """Chi-square per degree of freedom of the cards in a hidden hand is below 2, however worlds are drawn.

    Worlds that follow each other share as few cards as independent ones do: 6 * 6 of 44, 0.82. Of the usual
    enumeration it is almost all, and chi-square is 46; without any one of the options chi-square is too large
    (least so without random signs: 4.1).
    """
    knowledge, _ = middle_of_trumps(4, 1)
    other = hand(1 - knowledge.player)
    worlds = [set(history.hidden_cards(other)) for history in random_worlds(knowledge, count, 7, block=block)]
    assert [len(held) for held in worlds] == [6] * count
    unseen = len({item.card for item in knowledge_items(knowledge)})
    assert unseen == 44
    counts: Counter[object] = Counter(card for held in worlds for card in held)
    assert chi_square_per_degree(counts, unseen) < 2
    shared = sum(len(one & other) for one, other in pairwise(worlds)) / (count - 1)
    assert shared < 1.4


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
