"""Players meet everything: wide and narrow games, many roles, no circuit, rules with faults. Never a hang."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.sight import position_of
from ludorum.players import Guard, make_player
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from tests.how_much import sample

MakeGame = Callable[[str], Game]
SEARCHERS = ["alphabeta", "mcts", "champion"]

ONE_MOVE = """
(role alone) (init start)
(legal alone go)
(<= (next done) (does alone go))
(<= terminal (true done))
(goal alone 70)
"""

DIGITS = " ".join(f"(digit {n})" for n in range(13))

WIDE = f"""
(role left) (role right) (init (turn left))
{DIGITS}
(<= (legal left (pick ?a ?b ?c)) (true (turn left)) (digit ?a) (digit ?b) (digit ?c))
(<= (legal right (pick ?a ?b ?c)) (true (turn right)) (digit ?a) (digit ?b) (digit ?c))
(<= (legal left noop) (true (turn right)))
(<= (legal right noop) (true (turn left)))
(<= (next (turn right)) (true (turn left)))
(<= (next (chosen ?a)) (does ?p (pick ?a ?b ?c)) (true (turn left)))
(<= (next (chosen ?a)) (true (chosen ?a)))
(<= (next (answer ?a)) (does ?p (pick ?a ?b ?c)) (true (turn right)))
(<= hit (true (chosen ?a)) (true (answer ?a)))
(<= answered (true (answer ?a)))
(<= terminal answered)
(<= (goal left 0) hit)
(<= (goal right 100) hit)
(<= (goal left 100) (not hit))
(<= (goal right 0) (not hit))
"""

SIX = """
(role a) (role b) (role c) (role d) (role e) (role f)
(init (step 1)) (succ 1 2) (succ 2 3)
(<= (legal ?p push) (role ?p))
(<= (legal ?p wait) (role ?p))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (pushed ?p)) (does ?p push))
(<= (next (pushed ?p)) (true (pushed ?p)))
(<= terminal (true (step 3)))
(<= (goal ?p 90) (role ?p) (true (pushed ?p)))
(<= (goal ?p 10) (role ?p) (not (true (pushed ?p))))
"""

ENDLESS = """
(role x) (role y) (init (turn x)) (other x y) (other y x)
(<= (legal ?p (say ?p)) (true (turn ?p)))
(<= (legal ?p hush) (true (turn ?p)))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next said) (does ?p (say ?p)))
(<= terminal (true never))
(<= (next never) (true never))
(goal x 50) (goal y 50)
"""

STUCK_LATER = """
(role p) (init start)
(<= (legal p good) (true start))
(<= (legal p bad) (true start))
(<= (next pit) (does p bad))
(<= (next done) (does p good))
(<= terminal (true done))
(<= (goal p 100) (true done))
(<= (goal p 0) (not (true done)))
"""

STUCK = """
(role p) (init start)
(<= (legal p go) (true key))
(<= (next key) (true key))
(<= terminal (true done))
(<= (next done) (does p go))
(goal p 0)
"""


def no_circuit(rules: Ruleset, name: str, stop: threading.Event) -> Game:
    raise GameError("too large")


def lifted(text: str) -> Game:
    return LiftedGame(parse_kif(text), "game")


def compiled(text: str) -> Game:
    return CompiledGame(parse_kif(text), "game")


def without_circuit(text: str) -> Game:
    return AutoGame(parse_kif(text), "game", build=no_circuit)


MEETINGS = sample([(make, name) for name in SEARCHERS for make in (lifted, compiled, without_circuit)], 4)
"""In the quick tests each with another engine, where players think until their clock ends."""
ENGINES = [lifted, compiled, pytest.param(without_circuit, marks=pytest.mark.slow)]
"""The last is the first inside of `auto`, whose own tests are quick."""


def played(game: Game, name: str, seconds: float = 0.2, limit: int = 50) -> Match:
    match = Match(game)
    players = {role: make_player(name, at) for at, role in enumerate(game.info.players)}
    play_match(match, players, seconds, start_seconds=0.5, limit=limit)
    assert [fault for fault in match.faults if "did not answer" not in fault.text] == []
    assert len(match.faults) <= 1  # a busy machine may make one answer late; the guard has played on
    return match


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("make", ENGINES)
def test_games_of_one_move(name: str, make: MakeGame) -> None:
    assert played(make(ONE_MOVE), name).state.goals() == (70,)


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("make", ENGINES)
def test_more_than_two_thousand_moves(name: str, make: MakeGame) -> None:
    game = make(WIDE)
    assert len(game.initial().legal(game.roles[0])) == 2197
    match = played(game, name, seconds=1.0)
    assert len(match.moves) == 2


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize(("make", "name"), MEETINGS)
def test_six_roles_at_once(make: MakeGame, name: str) -> None:
    # Pushing is better for everyone, whatever the others do.
    assert played(make(SIX), name, seconds=0.3).state.goals() == (90,) * 6


@pytest.mark.long
@pytest.mark.parametrize(("make", "name"), MEETINGS)
def test_games_without_an_end(make: MakeGame, name: str) -> None:
    assert len(played(make(ENDLESS), name, seconds=0.3, limit=6).moves) == 6


@pytest.mark.alone
@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("make", ENGINES)
def test_a_dead_end_is_avoided(name: str, make: MakeGame) -> None:
    assert played(make(STUCK_LATER), name).state.goals() == (100,)


@pytest.mark.parametrize("name", SEARCHERS)
def test_no_legal_move_is_told(name: str) -> None:
    game = lifted(STUCK)
    with pytest.raises(GameError, match="p has no legal move although the game is not over"):
        Guard(make_player(name)).choose(position_of(game.initial(), game.roles[0]), 0.2)


@pytest.mark.alone
@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("make", ENGINES)
def test_answers_are_in_time_on_wide_games(name: str, make: MakeGame) -> None:
    game = make(WIDE)
    guard = Guard(make_player(name))
    faults = []
    for _ in range(3):  # a busy machine may make an answer late, but not every time
        begin = time.monotonic()
        faults.append(guard.choose(position_of(game.initial(), game.roles[0]), 1.0).fault)
        assert time.monotonic() - begin < 2
        if not faults[-1]:
            break
    assert faults[-1] == ""
