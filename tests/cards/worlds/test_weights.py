"""Worlds are weighted by what players chose in them."""

from __future__ import annotations

from math import isclose

import pytest

from ludorum.cards.language.terms import PASS, Term
from ludorum.cards.machine.game import CardState
from ludorum.cards.machine.position import hand
from ludorum.cards.worlds import Sampler, equally_likely, sample_worlds, with_mistakes
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.cards.worlds.weights import choices, past_state, weights_of

from .brute_force import table_game
from .random_charts import random_history

CHART = """
0 start
1 Pack.use(card(2,hearts))
2 Pack.add(card(3,hearts))
3 Pack.add(card(2,spades))
4 Pack.add(card(3,spades))
5 Shuffle
6 Deal(2)
7 playCardOrPass(player(1),card(any,hearts))
8 playCard(player(0),card(any,any))
9 end
"""


def passed_in_first_turn() -> list[CardState]:
    """Player 0 has the two of hearts and the two of spades, the other passes."""
    wanted = ["2 hearts", "3 hearts", "2 spades", "3 spades"]
    state = table_game(CHART).initial()
    states = [state]
    while len(states) < 6:
        moves = list(state.joint_moves())
        text = f"(draw (card {wanted[len(states) - 1]}))" if len(states) < 5 else "pass"
        state = state.play(next(joint for joint in moves if text in map(str, joint)))
        states.append(state)
    return states


@pytest.mark.spec("card-games-fcdl", 55)
def test_inverse_choices_by_hand() -> None:
    """The other holds both threes, for sure: hearts or pass are two choices in the only world."""
    states = passed_in_first_turn()
    knowledge = Knowledge.after(states, 0)
    (world,) = sample_worlds(knowledge, 10, 1, "inverse_choices")
    assert world.weight == 1
    assert choices(next(Sampler(knowledge).every())) == [2]


@pytest.mark.spec("card-games-fcdl", 55)
def test_inverse_choices_follow_the_formula() -> None:
    """P(hg) = (1/C_hg) / sum over g of (1/C_g), on three hands of which one offers no heart.

    The other has two cards of 3h, 2s, 3s, 4s unseen and passed where hearts were asked for. With the heart
    there were two choices (C = 2), without it one (C = 1): 3 worlds with weight 1/2, 3 with weight 1.
    """
    chart = CHART.replace(
        "4 Pack.add(card(3,spades))", "4 Pack.add(card(3,spades))\n40 Pack.add(card(4,spades))"
    )
    chart = chart.replace("40 Pack", "41 Pack").replace("5 Shuffle", "42 Pack.add(card(5,spades))\n5 Shuffle")
    game = table_game(chart)
    state, states = game.initial(), []
    wanted = iter(["2 hearts", "3 hearts", "5 spades", "2 spades"])
    states.append(state)
    while len(states) < 6:
        text = f"(draw (card {next(wanted)}))" if len(states) < 5 else "pass"
        state = state.play(next(joint for joint in state.joint_moves() if text in map(str, joint)))
        states.append(state)
    knowledge = Knowledge.after(states, 0)
    worlds = sample_worlds(knowledge, 100, 1, "inverse_choices")
    assert len(worlds) == 6
    for world in worlds:
        has_heart = any(str(card.args[1]) == "hearts" for card in world.position.cards(hand(1)))
        assert isclose(world.weight, (1 / 2 if has_heart else 1) / (3 / 2 + 3))


@pytest.mark.parametrize("seed", range(12))
def test_a_player_who_does_anything_is_weighted_by_inverse_choices(seed: int) -> None:
    _, states = random_history(seed)
    histories = list(Sampler(Knowledge.after(states, 0)).every())
    expected = weights_of(histories, "inverse_choices")
    for one, other in zip(weights_of(histories, equally_likely), expected, strict=True):
        assert isclose(one, other, rel_tol=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_the_states_in_which_players_decided_were_asked_there(seed: int) -> None:
    """A past state of the true world has the legal moves that the true state had."""
    _, states = random_history(seed)
    for history in Sampler(Knowledge.after(states, 0)).every():
        for decided in history.unknowns.decisions:
            past = past_state(history, decided)
            position, reason = past.game.machine.advance(past.position)
            assert CardState(past.game, position, reason, None, ()).legal(past.asked) == past.legal(
                past.asked
            )


def test_a_modelled_opponent_tells_worlds_apart() -> None:
    """One who always plays a heart where there is one has none after passing, mistakes apart."""

    def plays_hearts(state: CardState) -> Term:
        moves = [move for move in state.legal(state.asked) if move is not PASS]
        return moves[0] if moves else PASS

    chart = CHART.replace("5 Shuffle", "42 Pack.add(card(4,spades))\n5 Shuffle")
    game = table_game(chart)
    states = [game.initial()]
    wanted = iter(["2 hearts", "3 hearts", "2 spades", "3 spades"])
    while len(states) < 6:
        text = f"(draw (card {next(wanted)}))" if len(states) < 5 else "pass"
        moves = states[-1].joint_moves()
        states.append(states[-1].play(next(joint for joint in moves if text in map(str, joint))))
    knowledge = Knowledge.after(states, 0)
    worlds = sample_worlds(knowledge, 50, 1, with_mistakes(plays_hearts, 0.1))
    assert isclose(sum(world.weight for world in worlds), 1)
    hearts = [
        world.weight
        for world in worlds
        if any(str(card.args[1]) == "hearts" for card in world.position.cards(hand(1)))
    ]
    without = [world.weight for world in worlds if world.weight not in hearts]
    assert hearts
    assert without
    assert isclose(max(hearts) / max(without), 0.05, rel_tol=1e-9)


def test_weightings_that_do_not_exist_are_refused_in_words() -> None:
    knowledge = Knowledge.after(passed_in_first_turn(), 0)
    with pytest.raises(ValueError, match="inverse_choices"):
        sample_worlds(knowledge, 5, 1, "likely")
