"""Every public method of ``Game`` and ``State`` answers in every engine, and in games of charts."""

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.auto import AutoGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game, State
from ludorum.engine.load import ENGINES, load_game
from ludorum.engine.simulator import Packed, Simulator

FIRST_JOINTS = 3


def first_joint(state: State) -> tuple[object, ...]:
    return tuple(state.legal(role)[0] for role in state.game.roles)


def successor_of_the_start(game: Game) -> object:
    start = game.initial()
    moves = [(role, start.legal(role)[0]) for role in game.roles]
    return game.successor(start.facts(), moves)


OF_GAME: dict[str, Callable[[Game], object]] = {
    "initial": lambda game: game.initial().facts(),
    "state": lambda game: game.state(game.initial().facts()) == game.initial(),
    "successor": successor_of_the_start,
    "one_move_each": lambda game: game.one_move_each(
        [(role, game.initial().legal(role)[0]) for role in game.roles]
    ),
    "parse_state": lambda game: game.parse_state(str(game.initial())) == game.initial(),
    "playouts": lambda game: game.playouts(5, seed=1, max_steps=3).lengths.shape,
    "playout": lambda game: [state.facts() for state in islice(game.playout(seed=1), 4)],
    "role": lambda game: game.role(str(game.roles[0])),
    "simulator": lambda game: lanes_of(game).shape[0],
    "tells_joint_moves": lambda game: game.tells_joint_moves in (False, True),
    "random_joint": lambda game: game.random_joint(
        [game.initial().legal(role) for role in game.roles], SplitMix64(1)
    ),
}

OF_STATE: dict[str, Callable[[State], object]] = {
    "facts": lambda state: state.facts(),
    "odds": lambda state: [state.odds(role) for role in state.game.roles],
    "legal": lambda state: [state.legal(role) for role in state.game.roles],
    "play": lambda state: state.is_terminal or state.play(first_joint(state)).facts(),  # type: ignore[arg-type]
    "is_terminal": lambda state: state.is_terminal,
    "goal_terms": lambda state: [state.goal_terms(role) for role in state.game.roles],
    "is_decision": lambda state: state.is_decision,
    "joint": lambda state: state.joint,
    "percepts": lambda state: [state.percepts(role) for role in state.game.roles],
    "goal": lambda state: [state.goal(role) for role in state.game.roles],
    "goals": lambda state: state.goals(),
    "playouts": lambda state: len(state.playouts(2, seed=3, max_steps=5)),
    "joint_move": lambda state: state.joint_move(first_joint(state)) if not state.is_terminal else None,  # type: ignore[arg-type]
    "legal_joint": lambda state: None if state.is_terminal else state.legal_joint(first_joint(state)),  # type: ignore[arg-type]
    "drawing": lambda state: state.drawing().tag,
    "ascii": lambda state: state.ascii(),
    "svg": lambda state: state.svg(),
    "joint_moves": lambda state: list(islice(state.joint_moves(), FIRST_JOINTS)),
    "view": lambda state: [state.view(role) for role in state.game.roles],
}


def lanes_of(game: Game) -> Packed:
    """Some states of a game, packed by its own simulator and read back."""
    simulator: Simulator[State] = game.simulator()
    states = list(islice(game.playout(seed=1), 4))
    rows = simulator.pack(states)
    assert [state.facts() for state in simulator.unpack(rows)] == [state.facts() for state in states]
    return rows


def public(kind: type) -> set[str]:
    return {name for name, value in vars(kind).items() if callable(value) or isinstance(value, property)}


def methods_of(kind: type) -> set[str]:
    return {name for name in public(kind) if not name.startswith("_")}


def test_no_method_is_left_out_here() -> None:
    assert methods_of(Game) == set(OF_GAME)
    assert methods_of(State) == set(OF_STATE)


@pytest.fixture(scope="module", params=ENGINES)
def game(request: pytest.FixtureRequest) -> Iterator[Game]:
    found = load_game("tictactoe", request.param)
    if isinstance(found, AutoGame):
        assert found.wait(300)
    yield found
    if isinstance(found, AutoGame):
        found.close()


@pytest.fixture(scope="module")
def plain() -> Game:
    return load_game("tictactoe", "reference")


@pytest.mark.parametrize("name", sorted(set(OF_GAME) - {"simulator"}))
def test_games_of_all_engines_answer_alike(game: Game, plain: Game, name: str) -> None:
    assert OF_GAME[name](game) == OF_GAME[name](plain)


@pytest.mark.parametrize("name", sorted(OF_STATE))
def test_states_of_all_engines_answer_alike(game: Game, plain: Game, name: str) -> None:
    for mine, its in zip(islice(game.playout(1), 4), islice(plain.playout(1), 4), strict=True):
        assert OF_STATE[name](mine) == OF_STATE[name](its)


def test_games_with_a_circuit_have_lanes_and_others_say_where_there_are_some(game: Game) -> None:
    if type(game).__name__ in ("CompiledGame", "AutoGame"):
        assert OF_GAME["simulator"](game) == 4
    else:
        with pytest.raises(GameError, match="'compiled' has lanes"):
            game.simulator()


def test_lanes_take_states_of_any_engine() -> None:
    simulator = load_game("tictactoe", "compiled").simulator()
    start = load_game("tictactoe", "lifted").initial()
    assert simulator.unpack(simulator.pack([start]))[0].facts() == start.facts()


@pytest.fixture(scope="module", params=["higher_card", "crazy_eights"])
def chart(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param, "compiled")


@pytest.mark.parametrize("name", sorted(set(OF_GAME) - {"simulator"}))
def test_charts_answer_every_question_of_games(chart: Game, name: str) -> None:
    assert OF_GAME[name](chart)


@pytest.mark.parametrize("name", sorted(OF_STATE))
def test_charts_answer_every_question_of_states(chart: Game, name: str) -> None:
    for state in islice(chart.playout(1), 0, 60, 13):
        OF_STATE[name](state)


def test_charts_say_what_plays_many_of_their_games(chart: Game) -> None:
    with pytest.raises(GameError, match=r"is a flow chart and has no lanes: .*CompiledCards"):
        chart.simulator()
