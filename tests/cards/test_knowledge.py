"""A player knows what the player has perceived, and nothing else."""

from __future__ import annotations

import pytest

from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.machine.position import hand
from ludorum.cards.machine.story import is_veiled
from ludorum.cards.worlds.knowledge import Knowledge

from .worlds.brute_force import paths_alike, table_game
from .worlds.random_charts import random_history

GAMES = ("trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card")


def played(game: CardGame, seed: int, most: int = 120) -> list[CardState]:
    states: list[CardState] = []
    for state in game.playout(seed):
        assert isinstance(state, CardState)
        states.append(state)
        if len(states) == most:
            break
    return states


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("index", [0, 1])
def test_knowledge_is_right_about_all_that_is_public(name: str, index: int) -> None:
    states = played(load_card_game(name), 5)
    knowledge = Knowledge.of(states[0].game, index)
    for state in states:
        knowledge.observe(state.percepts(state.game.players[index]))
        known, true = knowledge.position, state.position
        assert (known.node, known.step, known.decisions) == (true.node, true.step, true.decisions)
        assert known.variables == true.variables
        assert knowledge.hand == true.cards(hand(index))
        sizes = {place: len(cards) for place, cards in true.places.items()}
        assert {place: len(cards) for place, cards in known.places.items()} == sizes
        for place, cards in known.places.items():
            if true.sees(index, place):
                assert cards == true.cards(place)


def test_no_card_of_another_hand_is_known() -> None:
    states = played(load_card_game("trumps"), 1)
    knowledge = Knowledge.after(states[:17], 0)
    assert all(map(is_veiled, knowledge.position.cards(hand(1))))
    assert len(knowledge.position.cards(hand(1))) == 7


def test_knowledge_keeps_path_variables_and_own_hand_of_every_step() -> None:
    states = played(load_card_game("trumps"), 2)
    knowledge = Knowledge.after(states, 1)
    assert knowledge.path[:8] == (0, 1, 3, 5, 7, 70, 9, 11)
    assert knowledge.path[-1] == 54
    assert [moment.step for moment in knowledge.moments] == list(range(len(knowledge.moments)))
    for moment in knowledge.moments:
        if moment.node == 3:
            assert len(moment.hand) == 7
    last = knowledge.moments[-1]
    assert last.variables == states[-1].position.variables
    assert last.hand == ()


@pytest.mark.parametrize("seed", range(12))
def test_games_that_differ_in_hidden_cards_alone_give_the_same_knowledge(seed: int) -> None:
    """Non-interference: other hidden cards, the same percepts, and nothing else is known."""
    _, states = random_history(seed)
    knowledge = Knowledge.after(states, 0)
    for path in list(paths_alike(states, 0).values())[:8]:
        assert Knowledge.after(path, 0) == knowledge


def test_a_hand_that_is_open_to_nobody_else_is_veiled_in_every_view() -> None:
    game, states = random_history(3)
    for index in range(len(game.players)):
        knowledge = Knowledge.after(states, index)
        for at in range(len(game.players)):
            cards = knowledge.position.cards(hand(at))
            assert at == index or all(map(is_veiled, cards))


def test_a_text_about_hidden_cards_is_heard_by_players_that_cannot_work_it_out() -> None:
    text = 'publish("#{rankValue(top(hand(player(0))))}")'
    game = table_game(
        f"0 start\n1 Shuffle\n2 Deal(3)\n3 {text}\n4 playCard(player(1),card(any,any))\n5 end", "text"
    )
    states = [state for state in game.playout(1) if isinstance(state, CardState)]
    assert Knowledge.after(states, 1).path == Knowledge.after(states, 0).path == (0, 1, 2, 3, 4, 5)
