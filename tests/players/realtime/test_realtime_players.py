"""Players of realtime games: legal moves only, at times that pay, and better than chance."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.engine.wdl_packed import PackedMaster
from ludorum.players.realtime import (
    RandomActor,
    ReadyActor,
    RealtimeSearcher,
    make_realtime_player,
    realtime_names,
)
from ludorum.rules.library import find_sheet
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.terms import Term
from tests.arena.world.test_realtime_match import CHESS_CLOCK, GRAB
from tests.how_much import FULL
from tests.players.realtime.counted_match import goals_of, play_counted
from tests.rules.wdl.sheets import sheet_of

QUICK_DRAW = """
(set realtime) (role ann) (role bob) (other ann bob) (other bob ann)
(init dark)
(<= (legal ?p shoot) (role ?p))
(<= shot (does ?_p shoot))
(<= (next dark) (true dark) (not (clock 60)))
(<= (next (loser ?p)) (does ?p shoot) (true dark))
(<= (next (loser ?q)) (does ?p shoot) (not (true dark)) (other ?p ?q))
(<= (next (loser ?p)) (true (loser ?p)) (not shot))
(<= terminal (true (loser ?_p))) (<= terminal (clock 200))
(<= (goal ?p 0) (true (loser ?p)))
(<= (goal ?q 100) (true (loser ?p)) (other ?p ?q))
(<= (goal ?p 50) (role ?p) (not over)) (<= over (true (loser ?_p)))
"""
"""Who shoots before the light comes on at tick 60 loses, and after that who does not shoot."""

INERT = """
(set realtime) (set tick-inertia) (role ann)
(init (lamp off)) (init (count 0)) (random coin 1 on) (random coin 2 off)
(<= (legal ann (throw coin)) (role ann))
(<= (next (lamp ?x)) (does ann (throw ?x)))
(<= (next (lamp off)) (clock 7))
(<= (next (count ?m)) (true (count ?n)) (clock ?c) (even ?c) (succ ?n ?m))
(<= (next (count ?n)) (true (count ?n)) (clock ?c) (not (even ?c)))
(<= terminal (clock 30)) (goal ann 50)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 9)
(even 2) (even 4) (even 6) (even 8)
"""
"""A lamp that the clock leaves alone most of the time, and a count that it does not."""


@pytest.mark.parametrize("text", [GRAB, CHESS_CLOCK, QUICK_DRAW, INERT])
def test_packed_states_are_those_of_the_master(text: str) -> None:
    master = WdlMaster(sheet_of(text))
    packed = PackedMaster(master)
    for seed in range(5):
        choose = Random(seed)
        state = master.initial()
        for _ in range(40):
            here = packed.pack(state)
            assert packed.unpack(here) == state
            assert packed.is_terminal(here) == master.is_terminal(state)
            for role in master.roles:
                assert packed.legal(here, role) == master.legal(state, role)
                values = [str(one) for one in master.goals(state)[role]]
                assert packed.goal(here, role) == (int(values[0]) if len(values) == 1 else None)
            if master.is_terminal(state):
                break
            assert packed.unpack(packed.tick(here)) == master.tick(state)
            state = _gone_on(master, packed, state, choose)


def _gone_on(master: WdlMaster, packed: PackedMaster, state: MasterState, choose: Random) -> MasterState:
    """The state after a tick, or after a move that both make with the same draws."""
    role = choose.choice(master.roles)
    legal = master.legal(state, role)
    if not legal or choose.random() < 0.6:
        return master.tick(state)
    move, seed = choose.choice(legal), choose.random()
    made, _ = master.resolve(state, move, Random(seed))
    after = master.after(state, {role: made})
    assert packed.unpack(packed.act(packed.pack(state), role, move, Random(seed))) == after
    return after


def test_who_waits_for_the_light_shoots_first() -> None:
    master = WdlMaster(sheet_of(QUICK_DRAW))
    for seed in range(4):
        players = [RealtimeSearcher(seed, playouts=20), RandomActor(seed)]
        assert goals_of(play_counted(master, players, seed)) == [100, 0]


def test_the_same_seed_plays_the_same() -> None:
    master = WdlMaster(sheet_of(QUICK_DRAW))

    def played() -> list[str]:
        players = [RealtimeSearcher(5, playouts=10), RandomActor(6)]
        return list(play_counted(master, players, 1).record.lines())

    assert played() == played()


@pytest.mark.long
@pytest.mark.parametrize("game", ["tictactoe_clock", "pursuit"] if FULL else ["tictactoe_clock"])
def test_the_searcher_beats_chance_in_realtime(game: str) -> None:
    master = WdlMaster(read_wdl_sheet(find_sheet(game))[0])
    count = 100 if FULL else 24
    shares = []
    for seed in range(count):
        players = [RealtimeSearcher(seed, playouts=15), RandomActor(seed + 1000)]
        own = seed % 2
        match = play_counted(master, players[::-1] if own else players, seed)
        shares.append(goals_of(match)[own] / 100)
    mean = sum(shares) / count
    deviation = sqrt(sum((one - mean) ** 2 for one in shares) / (count - 1))
    assert mean - 1.96 * deviation / sqrt(count) > 0.5


@pytest.mark.parametrize("name", ["random", "legal"])
def test_players_that_do_not_think_act_now_and_then(name: str) -> None:
    master = WdlMaster(sheet_of(INERT))
    match = play_counted(master, [make_realtime_player(name, 3)], 1, every=1)
    acts = [one for one in match.record.events if type(one).__name__ == "MadeMoves"]
    assert len(acts) == (30 if name == "legal" else 2)


def test_a_player_that_cannot_act_in_realtime_is_named_with_those_that_can() -> None:
    with pytest.raises(ValueError, match="no player 'mcts' acts in realtime; there are champion"):
        make_realtime_player("mcts")
    assert realtime_names()[0] == "champion"
    assert isinstance(make_realtime_player("champion"), RealtimeSearcher)


def test_a_player_waits_where_acting_only_harms() -> None:
    master = WdlMaster(sheet_of(QUICK_DRAW))
    player = RealtimeSearcher(1, playouts=30)
    player.start(master, Term("ann"))
    state = master.initial()
    for _ in range(50):
        assert player.think(state, master.legal(state, Term("ann")), 0.0) is None
        state = master.tick(state)


def test_the_ready_player_acts_once_in_each_tick() -> None:
    master = WdlMaster(sheet_of(QUICK_DRAW))
    state, player = master.initial(), ReadyActor()
    legal = master.legal(state, Term("ann"))
    assert player.think(state, legal, 0.0) == Term("shoot")
    assert player.think(state, legal, 0.0) is None
    assert player.think(master.tick(state), legal, 0.0) == Term("shoot")
