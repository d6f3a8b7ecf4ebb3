"""The auction: coins, what others see, and who wins."""

from __future__ import annotations

from random import Random

import pytest

from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.rules.wdl.views import seen_move
from tests.games.wdl_play import facts, goals_of, master_of, random_match
from tests.how_much import FULL

MASTER = master_of("auction")
ANN, BOB = Term("ann"), Term("bob")


@pytest.mark.parametrize("seed", range(1000 if FULL else 10))
def test_all_pay_and_one_gets_what_the_lot_is_worth_to_that_one(seed: int) -> None:
    coins = dict.fromkeys(map(str, MASTER.roles), 12)
    worth: dict[str, int] = {}
    steps = random_match(MASTER, Random(seed))
    assert len(steps) == 11
    for state, moves in steps[1:]:
        if all(move.name == "look" for move in moves.values()):
            worth = {str(role): int(str(whole(move))) for role, move in moves.items()}
        else:
            bids = {str(role): int(str(move.args[0])) for role, move in moves.items()}
            assert all(0 <= bid <= coins[player] for player, bid in bids.items())
            best = [player for player, bid in bids.items() if bid == max(bids.values())]
            for player, bid in bids.items():
                coins[player] -= bid
            if len(best) == 1:
                coins[best[0]] += worth[best[0]]
            assert facts(state, "bought") == [(player,) for player in best if len(best) == 1]
        assert {player: int(count) for player, count in facts(state, "coins")} == coins
    first = [player for player, count in coins.items() if count == max(coins.values())]
    share = {1: 100, 2: 50, 3: 33}[len(first)]
    assert goals_of(MASTER, steps[-1][0]) == {player: share * (player in first) for player in coins}


def whole(look: Term) -> object:
    """The number in ``(look (visible player number))``."""
    part = look.args[0]
    assert isinstance(part, Term)
    return part.args[1]


def test_worth_is_seen_by_one_and_bids_by_all() -> None:
    state = MASTER.initial()
    (look,) = MASTER.legal(state, ANN)
    made, draws = MASTER.resolve(state, look, Random(2))
    assert str(seen_move(made, ANN)) == f"(look {draws[0].event})"
    assert str(seen_move(made, BOB)) == "look"
    assert str(seen_move(parse_term("(bid 4)"), BOB)) == "(bid 4)"


def test_nobody_bids_more_than_there_is() -> None:
    state = MASTER.initial()
    rich = [fact for fact in state.facts if fact.name not in ("coins", "phase")]
    poor = {parse_term(text) for text in ("(coins ann 2)", "(coins bob 6)", "(coins cid 12)", "(phase bid)")}
    later = type(state)(frozenset([*rich, *poor]))
    assert [len(MASTER.legal(later, role)) for role in MASTER.roles] == [3, 7, 7]
