"""English draughts: steps, compulsory jumps, chains, crowning, the ends, and published counts.

In diagrams black (b, kings B) moves up and white (w, kings W) down; the lower left square is (1 1).
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import drawn, moves, on_turn, play

PIECES = {"b": "black man", "B": "black king", "w": "white man", "W": "white king"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("english_draughts")


def position(game: Game, diagram: str, mover: str = "black", quiet: int = 0) -> State:
    return drawn(game, diagram, PIECES, f"(control {mover}) (quiet {quiet})")


def facts(state: State) -> set[str]:
    return {str(fact) for fact in state.facts()}


def test_perft(game: Game) -> None:
    assert perft(game, 4) == [7, 49, 302, 1469]


@pytest.mark.slow
def test_perft_by_whole_moves(game: Game) -> None:
    """The published counts take a chain of jumps as one move."""

    def whole_moves(state: State) -> Iterator[State]:
        for move in moves(state):
            after = play(state, move)
            yield from whole_moves(after) if on_turn(after) is on_turn(state) else [after]

    layer: Counter[State] = Counter({game.initial(): 1})
    counts = []
    for _ in range(6):
        following: Counter[State] = Counter()
        for state, ways in layer.items():
            for after in whole_moves(state):
                following[after] += ways
        layer = following
        counts.append(layer.total())
    assert counts == [7, 49, 302, 1469, 7361, 36768]


def test_start(game: Game) -> None:
    state = game.initial()
    assert sum(fact.name == "cell" for fact in state.facts()) == 24
    assert moves(state) == [
        "(step 1 3 2 4)",
        "(step 3 3 2 4)",
        "(step 3 3 4 4)",
        "(step 5 3 4 4)",
        "(step 5 3 6 4)",
        "(step 7 3 6 4)",
        "(step 7 3 8 4)",
    ]


def test_a_jump_is_compulsory_and_takes_the_piece(game: Game) -> None:
    state = position(game, "...w.... ........ ........ ........ ...w.... ..b..... ........ ......b.")
    assert moves(state) == ["(jump 3 3 5 5)"]
    after = play(state, "(jump 3 3 5 5)")
    assert facts(after) == {
        "(cell 4 8 white man)",
        "(cell 5 5 black man)",
        "(cell 7 1 black man)",
        "(control white)",
        "(quiet 0)",
    }


def test_a_jump_needs_a_free_square_behind(game: Game) -> None:
    state = position(game, "........ ........ ........ ....w... ...w.... ..b..... ........ ........")
    assert moves(state) == ["(step 3 3 2 4)"]


def test_the_same_piece_must_jump_on(game: Game) -> None:
    state = position(game, ".......w ........ ........ ........ ...w.... ........ .w...w.. b...b...")
    assert moves(state) == ["(jump 1 1 3 3)", "(jump 5 1 7 3)"]
    first = play(state, "(jump 1 1 3 3)")
    assert "(jumping 3 3)" in facts(first)
    assert moves(first) == ["(jump 3 3 5 5)"], "the other piece must wait"
    second = play(first, "(jump 3 3 5 5)")
    assert facts(second) == {
        "(cell 8 8 white man)",
        "(cell 6 2 white man)",
        "(cell 5 1 black man)",
        "(cell 5 5 black man)",
        "(control white)",
        "(quiet 0)",
    }


def test_a_chain_may_branch(game: Game) -> None:
    state = position(game, ".......w ........ ........ ........ .w.w.... ........ .w...... b.......")
    assert moves(play(state, "(jump 1 1 3 3)")) == ["(jump 3 3 1 5)", "(jump 3 3 5 5)"]


def test_men_go_and_jump_forward_only(game: Game) -> None:
    black = position(game, "........ ........ ........ ........ ...b.... ....w... ........ ........")
    assert moves(black) == ["(step 4 4 3 5)", "(step 4 4 5 5)"]
    white = position(game, "........ ........ ........ ........ ...b.... ....w... ........ ........", "white")
    assert moves(white) == ["(step 5 3 4 2)", "(step 5 3 6 2)"]


def test_kings_go_and_jump_backward_one_step(game: Game) -> None:
    free = position(game, "w....... ........ ........ ........ ...B.... ........ ........ ........")
    assert moves(free) == ["(step 4 4 3 3)", "(step 4 4 3 5)", "(step 4 4 5 3)", "(step 4 4 5 5)"]
    jump = position(game, "........ ........ ........ ........ ...B.... ....w... ........ ........")
    assert moves(jump) == ["(jump 4 4 6 2)"]


def test_crowning_ends_the_move(game: Game) -> None:
    state = position(game, "........ ..w.w... .b...... ........ ........ ........ ........ ........")
    after = play(state, "(jump 2 6 4 8)")
    # As a king it could take the man on (5 7) next, but the move is over.
    assert facts(after) == {"(cell 4 8 black king)", "(cell 5 7 white man)", "(control white)", "(quiet 0)"}


def test_a_man_is_crowned_by_a_step_too(game: Game) -> None:
    state = position(game, "........ ........ ........ ........ .......b ........ .w...... ........", "white")
    after = play(state, "(step 2 2 3 1)")
    assert facts(after) == {"(cell 8 4 black man)", "(cell 3 1 white king)", "(control black)", "(quiet 0)"}


def test_a_king_can_jump_round_to_where_it_began(game: Game) -> None:
    state = position(game, "........ ........ ........ ........ .w.w.... ........ .w.w.... ..B.....")
    chain = ["(jump 3 1 5 3)", "(jump 5 3 3 5)", "(jump 3 5 1 3)", "(jump 1 3 3 1)"]
    state = play(state, chain[0])
    for move in chain[1:]:
        assert moves(state) == [move]
        state = play(state, move)
    assert facts(state) == {"(cell 3 1 black king)", "(control white)", "(quiet 0)"}
    assert state.is_terminal, "white has no piece left"
    assert state.goals() == (100, 0)


def test_who_is_blocked_loses(game: Game) -> None:
    state = position(game, "........ ........ ........ ........ ........ w....... .b...... ..b.....", "white")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_eighty_quiet_moves_are_a_draw(game: Game) -> None:
    before = position(
        game, ".......W ........ ........ ........ ........ ....b... ........ B.......", quiet=79
    )
    assert not before.is_terminal
    after = play(before, "(step 1 1 2 2)")
    assert "(quiet 80)" in facts(after)
    assert after.is_terminal
    assert after.goals() == (50, 50)
    assert "(quiet 0)" in facts(play(before, "(step 5 3 4 4)")), "a move of a man starts the count again"


def test_a_block_on_the_eightieth_quiet_move_still_wins(game: Game) -> None:
    before = position(
        game, "........ ........ ........ ........ ........ w.B..... ........ ..b.....", quiet=79
    )
    after = play(before, "(step 3 3 2 2)")
    assert after.is_terminal
    assert after.goals() == (100, 0)
