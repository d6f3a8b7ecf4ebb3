"""Exact solving: known values, agreement with alpha-beta, several players, chance, circles and limits."""

from fractions import Fraction
from functools import reduce
from operator import xor

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.perft import explore
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.search import AlphaBeta, AlphaBetaConfig, Budget, Solved, solve, state_graph
from tests.search.small_boards import breakthrough, connect_four, dots_and_boxes_2
from tests.small_games import CIRCLE, DOOR

PLENTY = Budget(seconds=120)


def solved(game: Game, state: State | None = None) -> Solved:
    found = solve(game, state, PLENTY)
    assert found is not None
    return found


@pytest.mark.parametrize("engine", ["compiled", "lifted"])
def test_tictactoe(engine: str) -> None:
    game = load_game("tictactoe", engine)
    found = solved(game)
    assert found.values == dict.fromkeys(game.roles, 50)
    assert found.nodes == 5478
    assert found.mover is game.roles[0]
    assert len(found.best) == 9
    assert found.steps_to_end[0] == 9


def test_every_position_of_nim() -> None:
    game = load_game("nim", "compiled")
    found = solved(game)
    left, right = game.roles
    states = explore(game).states
    assert found.nodes == states
    waiting, seen = [game.initial()], {game.initial()}
    while waiting:
        state = waiting.pop()
        facts = [fact.args for fact in state.facts() if fact.name == "heap"]
        total = reduce(xor, (int(str(size)) for _, size in facts))
        mover = left if "(control left)" in str(state) else right
        assert found.value(state, mover) == (100 if total else 0)
        after = {state.play(joint) for joint in state.joint_moves()}
        waiting.extend(after - seen)
        seen |= after
    assert len(seen) == states


@pytest.mark.long
def test_it_agrees_with_alphabeta() -> None:
    for game in (connect_four(4, 4), dots_and_boxes_2(), breakthrough(3, 4)):
        found = solved(game)
        for role in game.roles:
            config = AlphaBetaConfig(first_depth=40)
            proven = AlphaBeta(game, None, config).search(game.initial(), role, PLENTY)
            assert proven.proven
            assert found.values[role] == proven.value
    assert solved(connect_four(4, 4)).nodes == 161_029, "as counted by John Tromp"


def test_the_best_moves_are_played_to_the_end() -> None:
    """Nim from the losing side of a won position: the winner's moves win against all replies that last."""
    game = load_game("nim", "compiled")
    state: State = game.parse_state("((heap a 1) (heap b 3) (heap c 5) (heap d 6) (control left))")
    found = solved(game, state)
    assert found.values[game.roles[0]] == 100
    length = int(found.steps_to_end[0])
    while not state.is_terminal:
        state = state.play([found.decide(state, role).move for role in game.roles])
        length -= 1
    assert state.goals() == (100, 0)
    assert length == 0


THREE = """
; Three players in turn take the sweets they like; each choice is worth different things to each.
(role a) (role b) (role c)
(init (turn a))
(after a b) (after b c) (after c done)
(<= (legal ?r left) (true (turn ?r)) (role ?r))
(<= (legal ?r right) (true (turn ?r)) (role ?r))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))
(<= (next (took ?r ?m)) (does ?r ?m) (distinct ?m noop))
(<= (next (took ?r ?m)) (true (took ?r ?m)))
(<= terminal (true (turn done)))
(worth left left left 10 20 30) (worth left left right 40 50 60)
(worth left right left 70 10 5) (worth left right right 5 60 0)
(worth right left left 20 20 20) (worth right left right 30 0 10)
(worth right right left 0 90 40) (worth right right right 45 30 50)
(<= (result ?x ?y ?z) (true (took a ?l)) (true (took b ?m)) (true (took c ?n)) (worth ?l ?m ?n ?x ?y ?z))
(<= (goal a ?x) (result ?x ?y ?z))
(<= (goal b ?y) (result ?x ?y ?z))
(<= (goal c ?z) (result ?x ?y ?z))
"""


@pytest.mark.parametrize("make", [CompiledGame, ReferenceGame])
def test_three_players_each_for_itself(make: type[CompiledGame] | type[ReferenceGame]) -> None:
    """By hand: after left, left c takes right: 40 50 60; after left, right it takes left: 70 10 5, so b goes
    left: 40 50 60. After right, left c takes left: 20 20 20; after right, right it takes right: 45 30 50, so
    b goes right: 45 30 50. So a goes right."""
    game = make(parse_kif(THREE), "three")
    found = solved(game)
    assert [found.values[role] for role in game.roles] == [45, 30, 50]
    assert [str(move) for move in found.best] == ["right"]
    assert found.nodes == 15


DICE = """
; Throw a die of three sides or keep what you have.
(role random) (role player)
(init (phase choose))
(side 10) (side 40) (side 90)
(<= (legal player throw) (true (phase choose)))
(<= (legal player keep) (true (phase choose)))
(<= (legal player noop) (not (true (phase choose))))
(<= (legal random noop) (not (true (phase throw))))
(<= (legal random (roll ?s)) (true (phase throw)) (side ?s))
(<= (next (phase throw)) (does player throw))
(<= (next (phase over)) (does player keep))
(<= (next (phase over)) (true (phase throw)))
(<= (next (rolled ?s)) (does random (roll ?s)))
(<= something (true (rolled ?s)))
(<= terminal (true (phase over)))
(<= (goal player ?s) (true (rolled ?s)))
(<= (goal player 45) (not something))
(<= (goal random 0))
"""


def test_nature_draws_evenly() -> None:
    game = CompiledGame(parse_kif(DICE), "dice")
    found = solved(game)
    assert found.values[game.roles[1]] == pytest.approx(float(Fraction(140, 3)))
    assert [str(move) for move in found.best] == ["throw"]


CORRIDOR = """
; Two players may walk to and fro; who steps through the door wins, and only the first stands near it.
(role first) (role second)
(init (at 1)) (init (turn first))
(step 1 2) (step 2 1) (step 2 3)
(<= (legal first (go ?y)) (true (turn first)) (true (at ?x)) (step ?x ?y))
(<= (legal first (stay ?x)) (true (turn first)) (true (at ?x)))
(<= (legal first noop) (true (turn second)))
(<= (legal second nod) (true (turn second)))
(<= (legal second shrug) (true (turn second)))
(<= (legal second noop) (true (turn first)))
(<= (next (at ?y)) (does first (go ?y)))
(<= (next (at ?x)) (does first (stay ?x)))
(<= (next (at ?x)) (true (at ?x)) (true (turn second)))
(<= (next (turn second)) (true (turn first)))
(<= (next (turn first)) (true (turn second)))
(<= terminal (true (at 3)))
(<= (goal first 100) (true (at 3)))
(<= (goal first 0) (not (true (at 3))))
(<= (goal second 0) (true (at 3)))
(<= (goal second 100) (not (true (at 3))))
"""


def test_a_win_is_known_although_play_may_go_in_circles() -> None:
    game = CompiledGame(parse_kif(CORRIDOR), "corridor")
    found = solved(game)
    assert found.values == {game.roles[0]: 100, game.roles[1]: 0}
    assert found.steps_to_end[0] == 3


@pytest.mark.long
def test_what_cannot_be_solved_is_not() -> None:
    assert solve(CompiledGame(parse_kif(CIRCLE), "circle")) is None, "it goes in circles"
    assert solve(CompiledGame(parse_kif(DOOR), "door")) is None, "both move at once"
    assert solve(load_game("connect_four", "compiled"), budget=Budget(nodes=1000)) is None
    assert solve(load_game("connect_four", "compiled"), limit=1000) is None
    assert solve(load_game("connect_four"), limit=100) is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_graph, "MEMORY_BYTES", 1 << 20)
    monkeypatch.setattr(state_graph, "CHUNK_BYTES", 1 << 14)
    assert solve(load_game("connect_four", "compiled"), budget=Budget(seconds=60)) is None
    assert solve(load_game("buttons", "compiled"), budget=Budget(seconds=60)) is not None
