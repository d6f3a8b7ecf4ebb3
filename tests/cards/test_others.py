"""What is learnt of other players: who takes what is best at once is told from who does anything."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.compiled import CompiledCards
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.cards.mind.others import Others
from ludorum.cards.worlds.dealing import dealing_of
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.engine.sight import position_of
from ludorum.players import make_player
from tests.how_much import sample, some


def share_after(game: CardGame, compiled: CompiledCards, rival: str, seed: int, cards_worth: float) -> float:
    """How random the other player is held to be after a game against a random one."""
    nature = SplitMix64(seed)
    me, other = game.players
    others = Others(compiled, 0.5, cards_worth)
    known, player = Knowledge.of(game, 0), make_player(rival, seed)
    player.start(game, other, 60)
    state = game.initial()
    while not state.is_terminal and state.position.decisions < 60:
        known.observe(state.percepts(me))
        if state.asked is me:
            dealing_of(known, compiled, Random(seed), others.model)
        chosen = player.choose(position_of(state, other), 60)
        legal = [state.legal(role) for role in game.roles]
        joint = [moves[nature.below(len(moves))] for moves in legal]
        joint[game.roles.index(other)] = chosen
        state = state.play(joint)
    return others.random_share


@pytest.mark.long
@pytest.mark.parametrize("name", sample(["trumps", "kings_and_jacks", "crazy_eights_simple"], 3))
def test_greedy_players_are_told_from_random_ones(name: str) -> None:
    game = load_card_game(name)
    compiled = CompiledCards(game.chart)
    worth = 1.0 if name == "crazy_eights_simple" else 0.0
    shares = {
        rival: fmean(share_after(game, compiled, rival, seed, worth) for seed in range(some(12, 2)))
        for rival in ("random", "card_greedy:n_worlds=2")
    }
    assert shares["card_greedy:n_worlds=2"] < shares["random"] - 0.05


def test_what_an_option_brings_at_once() -> None:
    """In trumps a trick is won or lost with its second card."""
    game = load_card_game("trumps")
    compiled = CompiledCards(game.chart)
    random = SplitMix64(3)
    state = game.initial()
    while state.position.decisions < 3 or state.asked not in game.players:
        legal = [state.legal(role) for role in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    table = compiled.table_of(state.position)
    options = compiled.options(compiled.kernel.run(table, 0))
    leads = compiled.kernel.leads(table, [*options.values(), -1], 0)
    assert leads[-1] != leads[-1]  # nobody may pass: not a number
    follower = state.game.players.index(state.asked)
    for move, lead in zip(options, leads, strict=False):
        joint = [
            next(one for one in state.legal(role) if not one.args or one.args[0] is move)
            for role in game.roles
        ]
        after = state.play(joint)
        scores = compiled.position_of(compiled.table_of(after.position))["variables"]
        assert isinstance(scores, dict)
        points = [int(str(value)) for key, value in sorted(scores.items()) if key.name == "score"]
        assert lead == points[follower] - points[1 - follower]
