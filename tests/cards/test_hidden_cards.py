"""No message tells of another hand or of the order of the pack."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice

import pytest

from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.terms import PASS, Term, as_integer, format_term, is_card, subterms
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardState
from ludorum.cards.machine.host import Host
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import CardPosition
from ludorum.cards.machine.reasons import NeedMove, NeedRandom
from ludorum.cards.show.picture import picture, seen_by
from ludorum.rules.library import chart_sheets
from tests.cards.seen_cards import SPECTATOR, Onlooker, named_in
from tests.cards.small_charts import finish, machine
from tests.how_much import sample

NAMES = [str(sheet.name) for sheet in chart_sheets()]
ALL_DEALT = {
    "beggar_my_neighbour",
    "cheat",
    "hearts",
    "old_maid",
    "president",
    "sevens",
    "spades",
    "war",
    "whist",
}
"""Charts whose pack is empty after the deal."""
NODES = 60
"""How far games are followed after the pack is shuffled."""


@pytest.mark.spec("card-games-fcdl", 32)
@pytest.mark.parametrize("name", sample(NAMES, 5))
def test_percepts_name_only_cards_that_a_player_has_seen(name: str) -> None:
    """Own cards, and cards that lie open or did on the way; who sees what is worked out by the test."""
    game = load_card_game(name)
    onlooker = Onlooker(game.machine)
    hidden = 0
    asked: CardState | None = None
    for state in islice(game.playout(1), 120):
        assert isinstance(state, CardState)
        if asked is not None and state.joint is not None:
            move = state.joint[game.roles.index(asked.asked)]
            said = move.args[0] if move.args else PASS
            assert isinstance(said, Term)
            onlooker.answer(as_integer(said) if isinstance(asked.reason, NeedRandom) else said)
        for position in onlooker.to_the_next_question():
            assert position.node in game.chart.nodes
        assert onlooker.position.variables == state.position.variables
        for index, role in enumerate(game.players):
            unseen = onlooker.hidden_from(index)
            hidden += len(unseen)
            for percept in state.percepts(role):
                assert not named_in(str(percept), unseen)
        asked = state
    assert hidden


def messages(
    walker: Machine, answers: Sequence[object], nodes: int
) -> tuple[dict[int, list[str]], list[str]]:
    """For every seat all it is shown in the first nodes of a game, and what is public: way and variables.

    Shown are percepts, the table as text and as JSON, and the choices of the seat that is asked.
    """
    found: dict[int, list[str]] = {seat: [] for seat in (SPECTATOR, *range(walker.rules.players))}
    public: list[str] = []
    onlooker, left = Onlooker(walker), list(answers)
    for _ in range(nodes):
        onlooker.forget_events()
        while (reason := onlooker.node()) is not None:
            if isinstance(reason, NeedMove):
                found[reason.player].append(" ".join(map(format_term, reason.options)))
            if not left:
                return found, public
            onlooker.answer(left.pop(0))
        position = onlooker.position
        public.append(f"{position.node} {sorted(map(str, position.variables.items()))}")
        for seat, shown in found.items():
            told = [event.as_seen_by(seat) for event in position.events]
            message = [" ".join(format_term(one) for one in told if one is not None)]
            message += [*picture(position, seat), json.dumps(seen_by(position, seat))]
            shown.append("\n".join(message))
            assert not named_in(shown[-1], onlooker.hidden_from(seat)), seat
        if position.is_finished:
            break
    return found, public


def dealt(walker: Machine, seed: int) -> tuple[list[object], CardPosition, int]:
    """What a host answers for some nodes after the shuffle; where the game is then, and nodes in all."""
    host, onlooker, left, nodes = Host(walker, seed), Onlooker(walker), NODES, 0
    while left and not onlooker.position.is_finished:
        while (reason := onlooker.node()) is not None:
            onlooker.answer(host.answer(reason, onlooker.position))
        left -= bool(onlooker.position.order)
        nodes += 1
    return host.answers, onlooker.position, nodes


def exchanged(order: tuple[Term, ...], one: Term, other: Term) -> tuple[Term, ...]:
    names = {one: other, other: one}
    return tuple(names.get(card, card) for card in order)


@pytest.mark.spec("card-games-fcdl", 32)
@pytest.mark.parametrize("name", sample(NAMES, 5))
def test_cards_that_nobody_has_drawn_change_no_message(name: str) -> None:
    """The rest of the pack in another order: all seats are shown the same, letter by letter."""
    walker = load_card_game(name).machine
    answers, position, nodes = dealt(walker, 3)
    rest = [one for one in position.order[position.index :] if one is not None]
    if name in ALL_DEALT:
        assert len(set(rest)) < 2
        return
    assert answers.count(position.order) == 1
    turned = (*position.order[: position.index], *reversed(rest))
    assert turned != position.order
    others = [turned if one == position.order else one for one in answers]
    assert messages(walker, others, nodes) == messages(walker, answers, nodes)


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 32)
@pytest.mark.parametrize(
    "name",
    sample(["cheat", "trumps", "crazy_eights_simple", "hearts", "gin_rummy", "go_fish", "old_maid"], 7),
)
def test_cards_in_other_hands_change_no_message(name: str) -> None:
    """Two cards that a seat has not seen exchange their places, and the game goes the same way."""
    walker = load_card_game(name).machine
    answers, _, nodes = dealt(walker, 1)
    at = max(at for at, one in enumerate(answers) if isinstance(one, tuple))
    order = answers[at]
    assert isinstance(order, tuple)
    shown, public = messages(walker, answers, nodes)
    for seat in range(walker.rules.players):
        unseen = [one for one in order if one in _unseen_at_the_end(walker, answers, seat, nodes)]
        assert _same_way_otherwise(walker, answers, at, unseen, public, shown[seat], seat, nodes)


def _same_way_otherwise(
    walker: Machine,
    answers: Sequence[object],
    at: int,
    unseen: Sequence[Term],
    public: list[str],
    shown: list[str],
    seat: int,
    nodes: int,
) -> bool:
    """Compares with the first exchange that all players could have played with; whether there is one."""
    order = answers[at]
    assert isinstance(order, tuple)
    for one, other in zip(unseen[:8], unseen[::-1][:8], strict=True):
        others = [*answers[:at], exchanged(order, one, other), *answers[at + 1 :]]
        try:
            again, way = messages(walker, others, nodes)
        except CardsError:
            continue  # somebody could not have played so
        if one is not other and way == public:
            assert again[seat] == shown
            return True
    return False


def _unseen_at_the_end(walker: Machine, answers: Sequence[object], seat: int, nodes: int) -> set[Term]:
    onlooker, left = Onlooker(walker), list(answers)
    for _ in range(nodes):
        while onlooker.node() is not None:
            if not left:
                return onlooker.hidden_from(seat)
            onlooker.answer(left.pop(0))
        if onlooker.position.is_finished:
            break
    return onlooker.hidden_from(seat)


def test_a_new_pack_of_played_cards_tells_nobody_its_order() -> None:
    """All have seen those cards: that they are named is no fault, that their order is told would be one."""
    lines = ["Pack.use(card(any,hearts))", "Shuffle", "Deal(5)"]
    lines += [f"playCard(player({who}),card(any,any))" for who in (0, 1, 0, 1, 0, 1)]
    lines += ["pickUp(player(0),3)", "pickUp(player(1),2)", "playCardOrPass(player(1),card(any,any))"]
    walker = machine("\n".join(lines))
    answers, position, _ = dealt(walker, 1)
    packs = [at for at, one in enumerate(answers) if isinstance(one, tuple)]
    assert len(packs) == 2
    assert position.count(Term("pack")) == 2
    order = answers[packs[1]]
    assert isinstance(order, tuple)
    others = list(answers)
    others[packs[1]] = order[:2] + order[:1:-1]
    assert others != answers
    assert messages(walker, others, 12)[0] == messages(walker, answers, 12)[0]


@pytest.mark.spec("card-games-fcdl", 32)
def test_what_others_draw_is_told_without_the_card() -> None:
    chart = machine("Shuffle\nDeal(2)\npickUp(player(0),1)")
    end = finish(chart)
    drew = [event for event in end.events if event.seen.name == "drew"]
    assert len(drew) == 5
    for event in drew:
        owner = int(str(event.seen.args[0].args[0]))  # type: ignore[union-attr]
        assert any(is_card(one) for one in subterms(event.as_seen_by(owner) or Term("x")))
        for other in (1 - owner, SPECTATOR):
            told = event.as_seen_by(other)
            assert told is not None
            assert str(told) == f"(drew (player {owner}))"
