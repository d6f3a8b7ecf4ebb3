"""The engine that chooses itself: lifted first, then the circuit, and nobody notices."""

import pickle
import threading

import pytest

from ludorum.arena import verify_random
from ludorum.engine import check_game
from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.load import load_game, load_rules
from ludorum.engine.perft import explore, perft
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.ruleset import Ruleset
from tests.small_games import COIN, DOOR

PUSH, WAIT = parse_term("push"), parse_term("wait")


def test_the_circuit_takes_over_in_the_middle_of_a_match() -> None:
    may_build = threading.Event()

    def build(rules: Ruleset, name: str, stop: threading.Event) -> Game:
        assert may_build.wait(30)
        return CompiledGame(rules, name)

    game = AutoGame(parse_kif(DOOR), "door", build)
    start = game.initial()
    assert not game.is_compiled
    assert start.legal(game.roles[0]) == (PUSH, WAIT)
    after = start.play([WAIT, WAIT])
    may_build.set()
    assert game.wait(30)
    assert after.legal(game.roles[0]) == (PUSH, WAIT)
    end = after.play([PUSH, PUSH])
    assert end.is_terminal
    assert end.goals() == (100, 100)
    assert end.joint == (PUSH, PUSH)
    assert end == ReferenceGame(parse_kif(DOOR), "door").parse_state("((step 2) open)")


def test_without_a_circuit_the_lifted_engine_goes_on_and_the_reason_is_told() -> None:
    def build(rules: Ruleset, name: str, stop: threading.Event) -> Game:
        raise GameError("too large")

    game = AutoGame(parse_kif(DOOR), "door", build)
    assert not game.wait(30)
    assert game.failure == "GameError: too large"
    assert check_game(game) == []


@pytest.mark.parametrize("text", [DOOR, COIN])
def test_promises_are_kept_after_the_change(text: str) -> None:
    game = AutoGame(parse_kif(text), "small")
    assert game.wait(60)
    assert check_game(game) == []
    assert verify_random(game, ReferenceGame(parse_kif(text), "small"), 20, seed=1).agrees


def test_facts_no_play_can_reach_stay_with_the_lifted_engine() -> None:
    game = AutoGame(parse_kif(DOOR), "door")
    assert game.wait(60)
    state = game.parse_state("((step 1) closed painted)")
    assert state.legal(game.roles[0]) == (PUSH, WAIT)
    assert [str(fact) for fact in sorted(state.play([WAIT, WAIT]).facts())] == ["closed", "(step 2)"]


def test_states_travel_between_processes() -> None:
    game = AutoGame(parse_kif(COIN), "coin")
    after = game.initial().play([parse_term("(toss heads)"), parse_term("noop")])
    again = pickle.loads(pickle.dumps(after))
    assert again == after
    assert again.joint == after.joint
    assert [str(percept) for percept in again.percepts(game.roles[1])] == ["tossed"]


def test_a_library_game_is_played_on_both_engines_alike() -> None:
    game = load_game("connect_four", "auto")
    assert isinstance(game, AutoGame)
    first = verify_random(
        game, ReferenceGame(load_rules(find_sheet("connect_four")), "connect_four"), 10, seed=2
    )
    assert game.wait(60)
    second = verify_random(
        game, ReferenceGame(load_rules(find_sheet("connect_four")), "connect_four"), 10, seed=2
    )
    assert first.agrees
    assert second.agrees


def test_counts_begin_at_once_and_end_on_the_circuit() -> None:
    sheet = find_sheet("tictactoe")
    may_build = threading.Event()

    def build(rules: Ruleset, name: str, stop: threading.Event) -> Game:
        assert may_build.wait(30)
        return CompiledGame(rules, name)

    with AutoGame(load_rules(sheet), "tictactoe", build) as game:
        reported: list[int] = []

        def report(seen: int) -> None:
            reported.append(seen)
            may_build.set()
            game.wait(30)

        assert perft(game, 5, report) == [9, 72, 504, 3024, 15120]
        assert reported[0] == 100
        assert game.is_compiled
        assert explore(game).states == 5478
        assert game.simulator().playouts(100, seed=1).playouts == 100


def test_without_a_circuit_counts_are_the_same_and_lanes_are_refused() -> None:
    def build(rules: Ruleset, name: str, stop: threading.Event) -> Game:
        raise GameError("too large")

    with AutoGame(parse_kif(DOOR), "door", build) as game:
        assert perft(game, 4) == [4, 12, 0, 0]
        with pytest.raises(GameError, match="door has no lanes: GameError: too large"):
            game.simulator()
