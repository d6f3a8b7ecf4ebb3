"""Forecast in WDL against a short program."""

from __future__ import annotations

from random import Random

import pytest

from ludorum.rules.terms import Term
from ludorum.rules.wdl.views import seen_move
from tests.games.plain_forecast import AFTER, PlainForecast
from tests.games.wdl_play import facts, goals_of, master_of
from tests.how_much import FULL

MASTER = master_of("forecast")
MODULE = "cards:carddeck:"


def test_a_dealt_card_is_seen_by_its_receiver_alone() -> None:
    state = MASTER.initial()
    (move,) = MASTER.legal(state, Term("ann"))
    made, draws = MASTER.resolve(state, move, Random(1))
    seen = {player: str(seen_move(made, Term(player))) for player in AFTER}
    assert seen == {"ann": "(deal bob)", "bob": f"(deal bob {draws[0].event})", "cid": "(deal bob)"}
    assert len(MASTER.resolutions(state, move)) == 20


@pytest.mark.parametrize("seed", range(1000 if FULL else 6))
def test_tricks_and_points_are_those_of_the_short_program(seed: int) -> None:
    rng, plain, state = Random(seed), PlainForecast(), MASTER.initial()
    while not MASTER.is_terminal(state):
        choices = {role: MASTER.legal(state, role) for role in MASTER.roles}
        if plain.said:
            turn = plain.turn
            assert {str(move) for move in choices[Term(turn)]} == {
                f"(play {MODULE}{card})" for card in plain.legal()
            }
            assert all(str(*choices[Term(other)]) == "wait" for other in AFTER if other != turn)
        made = {role: MASTER.resolve(state, rng.choice(moves), rng)[0] for role, moves in choices.items()}
        state = MASTER.after(state, made)
        if not plain.is_dealt and not plain.said:
            _, shown = made[Term("ann")].args
            assert isinstance(shown, Term)
            plain.deal(str(shown.args[1]).removeprefix(MODULE))
        elif not plain.said:
            plain.said = {str(role): int(str(move.args[0])) for role, move in made.items()}
        else:
            plain.play(str(made[Term(turn)].args[0]).removeprefix(MODULE))
        held = sorted((player, MODULE + card) for player, cards in plain.hands.items() for card in cards)
        assert facts(state, "hand") == held
        assert facts(state, "tricks") == sorted(
            (player, str(count)) for player, count in plain.tricks.items()
        )
        lying = sorted((player, MODULE + card) for player, card in plain.table.items())
        assert facts(state, "table") == lying
    assert plain.is_over
    assert goals_of(MASTER, state) == plain.goals()
