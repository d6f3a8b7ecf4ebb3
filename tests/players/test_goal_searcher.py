"""Players that value states by goals: they see what is near, whatever the version."""

from __future__ import annotations

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.sight import position_of
from ludorum.evaluate.goals import goal_theory, ground_atoms
from ludorum.evaluate.goals.evaluation import GoalEvaluation
from ludorum.evaluate.goals.versions import VERSIONS
from ludorum.players.goal_searcher import GoalConfig, GoalSearcher
from ludorum.players.registry import make_player
from ludorum.search.budget import Budget
from tests.library_games import compiled_game

FEW = Budget(nodes=300)


def after(game: Game, *moves: str) -> State:
    """The state after moves of those who have a choice."""
    state = game.initial()
    for move in moves:
        mover = next(role for role in game.roles if len(state.legal(role)) > 1)
        state = state.play({str(mover): move})
    return state


@pytest.mark.parametrize("version", VERSIONS)
def test_two_in_a_line_are_made_three_or_stopped(version: str) -> None:
    game = compiled_game("tictactoe")
    searcher = GoalSearcher(game, GoalConfig(version))
    threat = after(game, "(mark 1 1)", "(mark 2 2)", "(mark 1 2)")
    assert str(searcher.search(threat, "oplayer", FEW).move) == "(mark 1 3)"


@pytest.mark.long
@pytest.mark.parametrize("version", ["v1.1", "final"])
def test_compiled_code_changes_the_speed_and_not_the_choice(version: str) -> None:
    game = compiled_game("tictactoe")
    state = after(game, "(mark 1 1)", "(mark 2 2)")
    found = []
    for compiled in (True, False):
        searcher = GoalSearcher(game, GoalConfig(version, compiled=compiled))
        found.append(searcher.search(state, "xplayer", FEW))
        assert searcher.troubles == []
        assert searcher.evaluated > 0
    assert found[0].choices == found[1].choices
    assert found[0].nodes == found[1].nodes


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("cutoff", [0, 2])
def test_a_tree_with_playouts_that_are_cut_off_sees_threats_as_well(compiled: bool, cutoff: int) -> None:
    game = compiled_game("tictactoe")
    searcher = GoalSearcher(game, GoalConfig("v1.1", compiled=compiled, cutoff=cutoff))
    threat = after(game, "(mark 1 1)", "(mark 2 2)", "(mark 1 2)")
    assert str(searcher.search(threat, "oplayer", FEW).move) == "(mark 1 3)"
    evaluated = searcher.evaluated
    assert evaluated > 0
    searcher.forget()
    assert str(searcher.search(threat, "oplayer", FEW).move) == "(mark 1 3)"


def test_what_has_no_compiled_form_is_valued_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled_game("tictactoe")
    monkeypatch.setattr(ground_atoms, "MOST_RULES", 0)
    searcher = GoalSearcher(game, GoalConfig("final"))
    threat = after(game, "(mark 1 1)", "(mark 2 2)", "(mark 1 2)")
    for _ in range(2):
        assert str(searcher.search(threat, "oplayer", FEW).move) == "(mark 1 3)"
    (trouble,) = searcher.troubles
    assert trouble.startswith("states are valued without compiled code: what leaves ask is too much")


def test_an_unknown_version_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no version 'v9'; there are v1.0, v1.1, "):
        GoalConfig("v9")


def test_rules_that_are_too_large_are_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends of the match are seen without any value."""
    game = compiled_game("tictactoe")
    monkeypatch.setattr(goal_theory, "MOST_RULES", 10)
    searcher = GoalSearcher(game, GoalConfig("v1.1"))
    assert searcher.evaluation is None
    assert searcher.troubles == ["grounding made more than 10 rules"]
    threat = after(game, "(mark 1 1)", "(mark 2 2)", "(mark 1 2)")
    assert str(searcher.search(threat, "oplayer", FEW).move) == "(mark 1 3)"


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["nexplayer:nodes=40", "fluxplayer:nodes=40", "nexplayer:version=v1.0,nodes=9"]
)
def test_they_are_players_like_any_other(name: str) -> None:
    game = compiled_game("tictactoe")
    state = list(game.playout(2))[2]
    role = next(role for role in game.roles if len(state.legal(role)) > 1)
    moves = {make_player(name, seed).choose(position_of(state, role), 60) for seed in range(2)}
    assert len(moves) == 1, "nothing is drawn by lot"
    assert moves < set(state.legal(role))


@pytest.mark.spec("evaluation-functions", 23)
def test_weights_are_trained_only_where_that_is_asked_for() -> None:
    game = compiled_game("tictactoe")
    searchers = [GoalSearcher(game, GoalConfig("v1.1", train=games)) for games in (0, 10)]
    networks = []
    for searcher in searchers:
        assert isinstance(searcher.evaluation, GoalEvaluation)
        before = searcher.evaluation.network
        move = searcher.search(after(game, "(mark 1 1)", "(mark 2 2)", "(mark 1 2)"), "oplayer", FEW).move
        assert str(move) == "(mark 1 3)"
        networks.append(searcher.evaluation.network)
        assert (networks[-1] is before) == (searcher.config.train == 0)
        searcher.search(game.initial(), "xplayer", FEW)
        assert searcher.evaluation.network is networks[-1], "once in a match"
    assert networks[0].neurons.keys() == networks[1].neurons.keys()
    with pytest.raises(ValueError, match="not on -1"):
        GoalConfig(train=-1)
