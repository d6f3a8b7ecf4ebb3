"""Charts nobody would draw: whatever is put together, the machine ends, or says where it cannot."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.cards.check import check_rules
from ludorum.cards.language.captions import parse_condition, parse_statement
from ludorum.cards.language.config import MachineConfig
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.rules import ChoiceNode, EndTerminal, Node, Rules, StartTerminal, Statement
from ludorum.cards.machine.game import CardGame
from ludorum.cards.machine.host import Host
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.outcome import goals

ACTIONS = [
    "Shuffle", "Deal(2)", "Deal(30)", "Deal(i)", "Stack.empty", "i=i+1", "i=0", "i=random(3)", "i=random(i)",
    "p=player(i)", "p=player(random(2))", "p=nextPlayer(p)", "score(p)=score(p)+i", "score(player(0))=king",
    "playCard(p,card(any,any))", "playCardOrPass(p,card(any,hearts))", "playCard(player(0),t)",
    "pickUp(p,i)", "pickUp(player(1),60)", "t=card(any,s)", "t=union(t,card(i,any))", "s=suit(middle(p))",
    "s=suit(i)", "r=rank(middle(p))", "i=rankValue(middle(player(0)))", "move(pack,stack,3)",
    "move(stack,pack,2)", "moveAll(discard,pack)", "moveAll(hand(p),pile(a))",
    "moveAll(pile(a),hand(player(1)))", "moveAll(pack,pile(a))",
    "chooseCard(p,hand(p),pile(a,p),card(any,any))", "chooseCard(p,pile(a),hand(p),t)",
    "chooseCardOrPass(p,stack,hand(p),t)", "choose(p,s,clubs,hearts)", "choose(p,i,range(0,i))",
    "choose(p,i,range(3,0))", "Pile.closed(a)", "Pile.private(a)", "Pack.use(card(any,hearts),2)",
    "Pack.add(card(joker,joker),2)", "Pack.remove(t)", "i=total(hand(p))", "i=deadwood(hand(player(0)))",
    "i=runLength(stack)+sameRank(stack)", "c=top(stack)", "i=pointValue(c)", "team(p)=i", "recycle=false",
    "rankValue(king)=i", 'publish("#{i} #{middle(p)} #{nobody(3)}")', 'publish("#{s}~#{")', "i=i/s", "i=1/0",
    "p=3", "t=3", "unknown(3)", "i=cards(pack)+count(hand(p),t)", "team(player(0))=p",
]  # fmt: skip
CONDITIONS = [
    "i<3", "i>i", "playerHas(p,t)", "cardsRemaining(player(0))>0", "passed(p)", "s==hearts", "has(stack,t)",
    "random(2)==0", "i", "p<3", "cards(pack)>10", "top(stack)==empty|rank(top(stack))==king",
]  # fmt: skip
TARGETS = st.integers(1, 12)
NODES = st.one_of(
    st.builds(Statement, TARGETS, st.sampled_from(ACTIONS).map(parse_statement)),
    st.builds(Statement, TARGETS, st.sampled_from(ACTIONS).map(parse_statement)),
    st.builds(ChoiceNode, TARGETS, TARGETS, st.sampled_from(CONDITIONS).map(parse_condition)),
)
CHARTS = st.lists(NODES, min_size=11, max_size=11)
SOON = MachineConfig(most_decisions=12, most_steps_alone=60)


def rules_of(nodes: list[Node], players: int) -> Rules:
    first: dict[int, Node] = {0: StartTerminal(1)}
    return Rules(first | dict(enumerate(nodes, start=1)) | {12: EndTerminal()}, players)


@settings(max_examples=100)
@given(CHARTS, st.integers(1, 4), st.integers(0, 99))
@pytest.mark.long
def test_the_machine_ends_or_says_where_it_cannot_go_on(nodes: list[Node], players: int, seed: int) -> None:
    rules = rules_of(nodes, players)
    check_rules(rules)
    end, failed = None, None
    try:
        *_, (end, _) = Host(Machine(rules, SOON), seed).play()
    except CardsError as error:
        failed = error.node
    if end is None:
        assert failed in rules.nodes
        return
    assert end.is_finished
    assert all(0 <= goal <= 100 for goal in goals(end))
    lying = sum(len(cards) for cards in end.places.values()) + len(end.order) - end.index
    assert lying <= 256


@settings(max_examples=40)
@given(CHARTS, st.integers(0, 99))
def test_as_a_game_it_does_the_same(nodes: list[Node], seed: int) -> None:
    """Nature draws cards when they are needed; nothing else may go wrong there than in the machine."""
    with contextlib.suppress(CardsError):
        game = CardGame(rules_of(nodes, 2), "any", SOON)
        for at, state in enumerate(game.playout(seed)):
            facts = state.facts()
            assert game.state(facts).facts() == facts
            if at > 12:
                break
