"""Equilibria of charts: the tree comes from percepts alone, so card games need nothing of their own."""

import numpy as np
import pytest

from ludorum.solve.equilibrium.evaluate import Passes
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.method import RegretMethod
from ludorum.solve.equilibrium.minimise import RegretMinimiser
from tests.cards.worlds.brute_force import table_game

KUHN_POKER = """
0  start
1  Pack.use(card(jack,spades))
2  Pack.add(card(queen,spades))
3  Pack.add(card(king,spades))
4  Shuffle
5  Deal(1)
6  stake=1
7  choose(player(0),bid,0,1)
8  bid==1 ? 11 : 9
9  choose(player(1),bid,0,1)
10 bid==1 ? 14 : 18
11 choose(player(1),answer,fold,call)
12 answer==call ? 17 : 13
13 winner=player(0) -> 23
14 choose(player(0),answer,fold,call)
15 answer==call ? 17 : 16
16 winner=player(1) -> 23
17 stake=2
18 moveAll(hand(player(0)),pile(shown,player(0)))
19 moveAll(hand(player(1)),pile(shown,player(1)))
20 rankValue(top(pile(shown,player(0))))>rankValue(top(pile(shown,player(1)))) ? 21 : 22
21 winner=player(0) -> 23
22 winner=player(1)
23 stake==2 ? 27 : 24
24 luck=random(4)
25 luck>0 ? 27 : 26
26 winner=nextPlayer(winner)
27 score(winner)=score(winner)+1
28 end
"""
"""The goal of a chart is to win, whatever the score: who has won a single chip wins the match in three cases
of four, and who has won two always."""
CHIP = 25.0
"""Goal points, as in the rule sheet."""


def test_kuhn_poker_as_a_chart_has_its_published_figures() -> None:
    tree = make_tree(table_game(KUHN_POKER))
    assert (len(tree.sets), tree.slots) == (12, 24)
    passes = Passes(tree)
    assert passes.nash_conv(passes.uniform) / CHIP == pytest.approx(11 / 12, abs=1e-9)
    found = RegretMinimiser(tree, RegretMethod.CFR_PLUS)
    found.run(2000)
    values, gains = found.worth(found.average())
    assert (np.array(values) - 50) / CHIP == pytest.approx([-1 / 18, 1 / 18], abs=1e-4)
    assert max(gains) / CHIP <= 1e-3
