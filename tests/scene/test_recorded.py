"""States of recorded matches: those of their rules, or the record's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludorum.arena.match.record import MatchRecord
from ludorum.engine.errors import GameError, IllegalMoveError
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.scene import StepLines, Watcher, scene_of
from ludorum.scene.recorded import follows_rules, recorded_states
from tests.cli.random_matches import played


def test_a_record_that_follows_its_rules_has_their_states() -> None:
    game, record = load_game("krieg_tictactoe"), played("krieg_tictactoe").record
    states = recorded_states(record, game)
    assert follows_rules(states)
    assert [state.facts() for state in states] == list(record.states)
    assert all(state.game is game for state in states)
    assert len(states[0].legal("xplayer")) == 25


def test_states_that_were_left_out_are_filled_in_by_the_rules() -> None:
    game, record = load_game("tictactoe"), played("tictactoe").record
    bare = replace(record, states=(None,) * len(record.states))
    assert recorded_states(bare, game) == recorded_states(record, game)
    with pytest.raises(ValueError, match="name its rules with --game"):
        recorded_states(bare, None)


@pytest.mark.parametrize("changed", ["states", "moves"])
def test_a_record_that_breaks_its_rules_keeps_its_own_states(changed: str) -> None:
    game, record = load_game("tictactoe"), played("tictactoe").record
    rows = list(getattr(record, changed))
    rows[2] = rows[0]
    broken = replace(record, **{changed: tuple(rows)})  # type: ignore[arg-type]
    states = recorded_states(broken, game)
    assert not follows_rules(states)
    assert [state.facts() for state in states] == list(broken.states)


def test_a_record_without_rules_answers_as_a_game_does() -> None:
    record = played("kuhn_poker").record
    first, *rest = recorded_states(record, None)
    alice = parse_term("alice")
    assert [state.joint for state in rest] == list(record.moves)
    assert (first.joint, first.percepts("alice")) == (None, ())
    assert first.play(record.moves[0]) is rest[0]
    with pytest.raises(IllegalMoveError):
        first.play(record.moves[2])
    assert rest[0].legal(alice) == (record.moves[1][0],)
    assert rest[-1].legal(alice) == ()
    assert [state.is_terminal for state in rest] == [False, False, False, True]
    assert rest[-1].goal("alice") == 75
    assert set(rest[2].percepts("bob")) == record.percepts[2][1]  # type: ignore[index]
    assert list(first.game.playout(seed=7)) == [first, *rest]
    with pytest.raises(GameError, match="no rules for other states"):
        first.game.state([])


def test_a_board_is_found_in_the_states_of_a_record() -> None:
    record = played("connect_four").record
    game = recorded_states(record, None)[0].game
    states = recorded_states(record, None)
    scene = scene_of(states[0].game, Watcher(states[0].game, None).sight(states, is_over=True))
    assert scene.board is not None
    assert (len(scene.board.columns), len(scene.board.cells)) == (7, len(record.moves))
    lines = StepLines(game, None).lines(recorded_states(record, None), is_open=True)
    assert [line.step for line in lines] == list(range(1, len(record.moves) + 1))
    assert all(line.words.startswith(("red drop ", "yellow drop ")) for line in lines)


def test_roles_that_are_not_named_are_numbered() -> None:
    record = MatchRecord("g", None, ((parse_term("a"), parse_term("b")),), (frozenset(), frozenset()))
    assert [str(role) for role in recorded_states(record, None)[0].game.roles] == ["role_1", "role_2"]
