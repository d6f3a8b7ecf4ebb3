"""Players that search play cards from what they see alone, and better than chance."""

from __future__ import annotations

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardState
from ludorum.cards.mind.mind import CardMind
from ludorum.cards.worlds import sample_worlds
from ludorum.engine.game import RANDOM
from ludorum.engine.sight import position_of
from ludorum.players import make_player
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget


def _play(game_name: str, names: tuple[str, str], seed: int) -> tuple[int, ...]:
    """The goals of one match between two players who are told what the rules tell; nature by the seed."""
    game = load_card_game(game_name)
    nature = SplitMix64(seed)
    players = {role: make_player(name, seed) for role, name in zip(game.players, names, strict=True)}
    for role, player in players.items():
        player.start(game, role, 5.0)
    state: CardState = game.initial()
    while not state.is_terminal:
        joint = []
        for role in game.roles:
            legal = state.legal(role)
            if role is RANDOM:
                joint.append(legal[nature.below(len(legal))])
            else:
                move = players[role].choose(position_of(state, role), 10.0)
                assert move in legal
                joint.append(move)
        state = state.play(joint)
    return tuple(state.goal(role) or 0 for role in game.players)


@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "crazy_eights_simple"])
def test_champion_plays_a_match_of_cards(name: str) -> None:
    assert sum(_play(name, ("champion:playouts=100", "random"), 1)) == 100


def test_a_search_is_repeatable_by_its_seed() -> None:
    names = ("mcts:playouts=60", "random")
    assert _play("trumps", names, 5) == _play("trumps", names, 5)


def test_worlds_agree_with_the_own_hand() -> None:
    game = load_card_game("trumps")
    mind = CardMind(game, game.players[0], seed=3)
    random = SplitMix64(2)
    state = game.initial()
    while state.asked is not game.players[0]:
        legal = [state.legal(role) for role in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
        mind.observe(state.percepts(game.players[0]))
    found = mind.decide(Budget(playouts=200))
    assert found.move in state.legal(game.players[0])
    assert {choice.move for choice in found.choices} == set(state.legal(game.players[0]))
    # Moves are tried in whole rounds, all in the same worlds: what is left of the budget may not be enough.
    assert 200 - 2 * len(found.choices) < sum(choice.visits for choice in found.choices) <= 200
    own = Term("hand", (Term("player", (Term("0"),)),))
    other = Term("hand", (Term("player", (Term("1"),)),))
    worlds = sample_worlds(mind.knowledge, 64, 1)
    assert {world.position.cards(own) for world in worlds} == {state.position.cards(own)}
    assert len({world.position.cards(other) for world in worlds}) > 50


@pytest.mark.slow
def test_champion_wins_at_trumps_against_random() -> None:
    won = sum(_play("trumps", ("champion:playouts=2000", "random"), seed)[0] for seed in range(100))
    assert won / 100 > 58  # 70 expected; a deviation is 4.6
