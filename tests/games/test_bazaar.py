"""The bazaar: goods are swapped and never lost, and a whisper is heard by one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.rules.wdl.views import seen_move
from tests.games.wdl_play import facts, goals_of, master_of, random_match
from tests.how_much import FULL

MASTER = master_of("bazaar")
GOODS = ("silk", "spice", "salt")
POINTS = (0, 15, 30, 50, 70, 85, 100)


@pytest.mark.parametrize("seed", range(1000 if FULL else 6))
def test_goods_change_hands_one_for_one(seed: int) -> None:
    steps = random_match(MASTER, Random(seed))
    goods = {(str(role), good): 2 for role in MASTER.roles for good in GOODS}
    for (before, _), (state, moves) in pairwise(steps):
        if any(move.name == "accept" for move in moves.values()):
            ((giver, taker, given, taken),) = facts(before, "offered")
            for player, good, change in (
                (giver, given, -1), (giver, taken, 1), (taker, taken, -1), (taker, given, 1)
            ):  # fmt: skip
                goods[player, good] += change
        assert {(player, good): int(count) for player, good, count in facts(state, "has")} == goods
        assert min(goods.values()) >= 0
    last = steps[-1][0]
    wanted = [(player, good) for player, good in facts(last, "wants")]
    assert goals_of(MASTER, last) == {player: POINTS[goods[player, good]] for player, good in wanted}


@pytest.mark.spec("wdl", 22)
def test_a_whisper_is_heard_by_one_of_two_others() -> None:
    whisper = parse_term("(tell bob (visible bob (likes silk)))")
    start = MASTER.initial()
    dreams = {}
    for role in MASTER.roles:
        (dream,) = MASTER.legal(start, role)
        dreams[role], _ = MASTER.resolve(start, dream, Random(1))
    talk = MASTER.after(start, dreams)
    assert whisper in MASTER.legal(talk, Term("ann"))
    heard = {name: str(seen_move(whisper, Term(name))) for name in ("ann", "bob", "cid")}
    assert heard == {"ann": "(tell bob)", "bob": "(tell bob (likes silk))", "cid": "(tell bob)"}
    silence = Term("silence")
    after = MASTER.after(talk, {Term("ann"): whisper, Term("bob"): silence, Term("cid"): silence})
    assert facts(after, "heard") == [("bob", "ann", "silk")]


def test_each_gives_turn_and_offers_what_there_is() -> None:
    turns = Counter[str]()
    for state, _ in random_match(MASTER, Random(3)):
        for player, other, given, _taken in facts(state, "offered"):
            turns[player] += 1
            assert player != other
            assert (player, given, "0") not in facts(state, "has")
    assert set(turns) <= {"ann", "bob", "cid"}
