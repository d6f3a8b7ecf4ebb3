"""Where GNU Backgammon is installed: our backgammon has its legal moves, and it can be played against."""

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.game import State
from tests.corpus_location import ROOT
from tests.how_much import FULL
from tests.library_games import compiled_game

SCRIPTS = ("gnubg_line", "backgammon")
SAMPLE = 1 if FULL else 9
"""Of so many positions one is compared."""


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, ModuleType]]:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    yield importlib.import_module("gnubg_line"), importlib.import_module("backgammon")
    for name in SCRIPTS:
        sys.modules.pop(name, None)


@pytest.fixture
def program(scripts: tuple[ModuleType, ModuleType]) -> str:
    found = scripts[0].find_gnubg()
    if found is None:
        pytest.skip("GNU Backgammon is not installed: apt-get install gnubg")
    return str(found)


def turns(line: ModuleType, seed: int) -> Iterator[State]:
    """The positions of a random game in which a turn begins, the dice on the table."""
    chance, before = SplitMix64(seed), None
    state = compiled_game("backgammon").initial()
    while not state.is_terminal:
        mover = line.mover_of(state)
        if mover is not None and before is None:
            yield state
        before = mover
        state = state.play([moves[chance.below(len(moves))] for moves in map(state.legal, state.game.roles)])


@pytest.mark.long
@pytest.mark.spec("wdl", 45)
def test_the_positions_after_a_turn_are_those_of_gnu_backgammon(
    scripts: tuple[ModuleType, ModuleType], program: str
) -> None:
    line, _ = scripts
    compared = 0
    with line.Gnubg(program) as gnubg:
        for number, state in enumerate(turns(line, seed=1)):
            if number % SAMPLE:
                continue
            mover, men, dice = line.mover_of(state), line.men_of(state), line.dice_left(state)[:2]
            (other,) = (role for role in men if role is not mover)
            ours = set(line.ways(state, mover))
            moves = gnubg.moves(men[mover], men[other], dice)
            theirs = {line.after_hops(men[mover], men[other], hops) for hops in moves}
            assert ours == (theirs or {(men[mover], men[other])}), (men, dice)
            best = gnubg.best(men[mover], men[other], dice)
            assert line.after_hops(men[mover], men[other], best) in ours
            compared += 1
    assert compared > 5


@pytest.mark.long
def test_a_pair_with_the_same_dice_is_lost_by_random_moves(
    scripts: tuple[ModuleType, ModuleType], program: str
) -> None:
    line, match = scripts
    asked = match.parse(["gnubg", "--games", "2", "--player", "random"])
    with line.Gnubg(program) as gnubg:
        row = match.compare(compiled_game("backgammon"), "gnubg", asked, gnubg)
    assert row["games"] == 2
    assert row["won"][0] == 0
    assert row["points"][0] < 0


@pytest.mark.long
def test_the_race_runs_ahead_of_random_moves(scripts: tuple[ModuleType, ModuleType]) -> None:
    _, match = scripts
    race, chance = match.Race(SplitMix64(1)), match.Random(SplitMix64(2))
    game = compiled_game("backgammon")
    results = [match.play(game, (race, chance), SplitMix64(seed)) for seed in range(2)]
    assert [winner for winner, _ in results] == [0, 0]
