"""Counts worked out by hand on tiny games; published counts of real games are in tests/games."""

from ludorum.engine.perft import explore, joint_move_count, perft
from tests.small_games import circle, coin, door


def test_perft_counts_joint_moves() -> None:
    # Both push or wait: 4 joint moves; 3 leave the door closed and 4 follow each; then the game is over.
    assert perft(door(), 4) == [4, 12, 0, 0]


def test_perft_counts_nature_like_a_role() -> None:
    assert perft(coin(), 3) == [2, 4, 0]


def test_perft_counts_paths_not_states() -> None:
    assert perft(circle(), 5) == [1, 1, 1, 1, 1]


def test_joint_move_count_is_zero_where_the_game_is_over() -> None:
    game = door()
    assert joint_move_count(game.initial()) == 4
    assert joint_move_count(game.parse_state("((step 1) open)")) == 0


def test_explore_finds_every_state_once() -> None:
    # closed at step 0, 1, 2 and open at step 1, 2; open states and step 2 end the game.
    found = explore(door())
    assert (found.states, found.terminal, found.stuck, found.longest, found.complete) == (5, 3, 0, 2, True)
    # One play opens the door at once; of the three others each has four ways on.
    assert found.games == 1 + 3 * 4


def test_explore_tells_endless_play() -> None:
    found = explore(circle())
    assert (found.states, found.terminal, found.longest, found.games) == (3, 0, None, None)


def test_explore_stops_at_its_limit_and_says_so() -> None:
    found = explore(door(), limit=2)
    assert found.states == 2
    assert not found.complete
    assert found.longest is None


def test_progress_is_reported() -> None:
    seen: list[int] = []
    perft(door(), 3, seen.append)
    assert seen == []  # fewer than a hundred states: nothing worth telling
