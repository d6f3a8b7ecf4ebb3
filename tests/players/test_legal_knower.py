"""The player that knows its legal moves by itself."""

from dataclasses import replace

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.sight import Position, position_of
from ludorum.players.legal_knower import LegalKnowerPlayer
from ludorum.players.registry import make_player
from ludorum.rules.terms import Term
from tests.how_much import sample, some
from tests.knowledge.role_matches import hidden_games

NOTHING = (Term("nobody_tells"),)
"""In the place of the legal moves: the player must not need them."""


def played(game: Game, role: Term, player: LegalKnowerPlayer, seed: int, steps: int) -> int:
    """Moves of the player in a match against chance, all of which must be legal."""
    state, moves, others = game.initial(), 0, make_player("random", seed)
    player.start(game, role, 0.0)
    while not state.is_terminal and moves < steps:
        joint = []
        for one in game.roles:
            if one is role:
                move = player.choose(blind(position_of(state, role)), 1.0)
                assert move in state.legal(role)
                moves += 1
            else:
                move = others.choose(Position(one, state.legal(one), None, state), 1.0)
            joint.append(move)
        state = state.play(joint)
    return moves


def blind(position: Position) -> Position:
    return replace(position, legal=NOTHING)


@pytest.mark.parametrize("name", sample(hidden_games(), 2))
@pytest.mark.spec("filtering-gdl2", 12)
def test_every_move_is_legal_though_nobody_tells_which_are(name: str) -> None:
    game = load_game(name)
    for seed in range(some(20, 20)):
        for role in game.info.players:
            player = LegalKnowerPlayer(seed)
            assert played(game, role, player, seed, some(100, 10)) > 0
            assert player.fallback == ""


def test_where_the_own_move_was_lost_it_says_so_and_plays_what_it_is_offered() -> None:
    game = load_game("monty_hall_random")
    role = game.role("candidate")
    player = make_player("legal_knower", 1)
    player.start(game, role, 0.0)
    state = game.initial()
    player.choose(position_of(state, role), 1.0)
    after = state.play([state.legal(one)[0] for one in game.roles])
    seen = position_of(after, role)
    assert seen.hidden_view is not None
    lost = replace(seen, hidden_view=replace(seen.hidden_view, move=None))
    assert player.choose(lost, 1.0) in after.legal(role)
    assert "own move of a step was not told" in player.fallback
