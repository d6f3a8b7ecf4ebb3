"""Whatever people do at a table, in whatever order, it stays in order and keeps its secrets."""

import contextlib
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.arena.table.table import Phase, Table, TableError
from ludorum.engine.game import Game
from ludorum.engine.load import load_game

ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(0, 30)),
        st.tuples(st.sampled_from(["undo", "resign", "new", "drop"]), st.just(0)),
        st.tuples(st.just("sit"), st.integers(0, 3)),
    ),
    max_size=25,
)


@cache
def game_of(name: str) -> Game:
    return load_game(name, "lifted")


def act(table: Table, action: str, number: int) -> None:
    players = table.game.info.players
    if action == "move":
        legal = table.legal
        table.advance(legal[number % len(legal)] if legal else None)
    elif action == "drop":  # a move that is taken back before anybody has answered
        table.begin(table.legal[0] if table.legal else None)
        table.undo()
    elif action == "sit":
        table.sit(players[number % len(players)] if number < 3 else None)
    else:
        {"undo": table.undo, "resign": table.resign, "new": table.new}[action]()


def check(table: Table) -> None:
    match = table.match
    state = table.game.initial()
    for joint in match.moves:
        state = state.play(joint)
    assert state == match.state
    assert [step.number for step in table.steps()] == list(range(1, len(match.moves) + 1))[-100:]
    assert table.thinking is None
    assert (table.phase is Phase.OVER) == match.is_over
    if table.phase is Phase.CHOICE:
        assert len(table.legal) > 1
    assert table.role not in table.names
    assert table.result()


@settings(max_examples=30)
@given(ACTIONS)
def test_open_games(actions: list[tuple[str, int]]) -> None:
    game = game_of("tictactoe")
    table = Table(game, game.roles[0], "legal", 0.1)
    for action, number in actions:
        with contextlib.suppress(TableError):
            act(table, action, number)
        check(table)
        assert table.sight().facts == table.match.state.facts()


@settings(max_examples=30)
@given(ACTIONS)
def test_hidden_games(actions: list[tuple[str, int]]) -> None:
    game = game_of("kuhn_poker")
    table = Table(game, game.info.players[0], "random", 0.1)
    for action, number in actions:
        with contextlib.suppress(TableError):
            act(table, action, number)
        check(table)
        if table.role is not None and not table.is_finished and table.match.moves:
            assert table.sight().facts is None
            own = {role for step in table.steps() for role, _ in step.moves}
            assert own == {table.role}
