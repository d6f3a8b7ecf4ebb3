"""Chinese checkers on the small star: counts by hand, steps, rows of jumps, and the end."""

from itertools import combinations

from ludorum._core import SplitMix64
from ludorum.engine.check_game import check_game
from ludorum.engine.game import State, parse_move
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft

GAME = load_game("chinese_checkers")
HOMES = {"red": ["3 9", "3 8", "4 8"], "green": ["9 3", "8 3", "8 4"], "blue": ["3 3", "4 3", "3 4"]}
STARTS = {"red": ["7 1", "6 2", "7 2"], "green": ["1 7", "2 7", "2 6"], "blue": ["7 7", "6 7", "7 6"]}


def position(player: str, more: str = "(ply 10)", **pieces: list[str]) -> State:
    """Pieces not named stand where they began."""
    cells = [f"(cell {hole} {who})" for who in STARTS for hole in pieces.get(who, STARTS[who])]
    return GAME.parse_state(f"({' '.join(cells)} (control {player}) {more})")


def on_turn(state: State) -> str:
    return next(str(fact.args[0]) for fact in state.facts() if fact.name == "control")


def moves(state: State) -> set[str]:
    return {str(move) for move in state.legal(GAME.role(on_turn(state)))}


def play(state: State, *line: str) -> State:
    for move in line:
        player = on_turn(state)
        state = state.play([parse_move(move if str(role) == player else "noop") for role in GAME.roles])
    return state


def holes(state: State, player: str) -> set[str]:
    found = (fact.args for fact in state.facts() if fact.name == "cell")
    return {f"{column} {row}" for column, row, who in found if str(who) == player}


def test_random_play_keeps_every_promise() -> None:
    assert check_game(GAME, plays=1, seed=1, max_steps=20) == []


def test_a_random_match_ends_with_one_goal_for_each() -> None:
    chooser = SplitMix64(2)
    state = GAME.initial()
    while not state.is_terminal:
        choice = sorted(moves(state))
        state = play(state, choice[chooser.below(len(choice))])
    assert all(goal in (0, 20, 40, 100) for goal in state.goals())


def test_counts_from_the_start() -> None:
    # Each player has four steps and two jumps of the rear piece; after a jump one may stop or jump back, and
    # after jumping back jump again either way or stop. The three players do not meet yet.
    steps, jumps = 4, 2
    assert perft(GAME, 3) == [
        steps + jumps,
        steps * 6 + jumps * 2,
        steps * (steps * 6 + jumps * 2) + jumps * (6 + 3),
    ]


def test_first_moves() -> None:
    state = GAME.initial()
    assert moves(state) == {
        "(step 6 2 6 3)",
        "(step 6 2 5 3)",
        "(step 7 2 7 3)",
        "(step 7 2 6 3)",
        "(jump 7 1 7 3)",
        "(jump 7 1 5 3)",
    }


def test_the_turn_goes_round() -> None:
    state = play(GAME.initial(), "(step 6 2 6 3)", "(step 2 7 3 7)", "(step 7 6 6 6)")
    assert on_turn(state) == "red"
    assert holes(state, "red") == {"7 1", "6 3", "7 2"}
    assert holes(state, "green") == {"1 7", "3 7", "2 6"}
    assert holes(state, "blue") == {"7 7", "6 7", "6 6"}


def test_a_row_of_jumps_is_one_turn_of_one_piece() -> None:
    # From 7,1 over the own 7,2 to 7,3, over green's 7,4 to 7,5 and over blue's 6,6 to 5,7.
    state = position("red", green=["1 7", "2 7", "7 4"], blue=["7 7", "6 7", "6 6"])
    state = play(state, "(jump 7 1 7 3)")
    assert on_turn(state) == "red"
    assert moves(state) == {"(jump 7 3 7 5)", "(jump 7 3 7 1)", "stop"}
    state = play(state, "(jump 7 3 7 5)")
    assert moves(state) == {"(jump 7 5 7 3)", "(jump 7 5 5 7)", "stop"}
    state = play(state, "(jump 7 5 5 7)")
    assert holes(state, "red") == {"5 7", "6 2", "7 2"}
    assert holes(state, "green") == {"1 7", "2 7", "7 4"}  # nothing is captured
    state = play(state, "stop")
    assert on_turn(state) == "green"
    assert not any(fact.name == "jumping" for fact in state.facts())


def test_no_jump_over_two_pieces_nor_off_the_star() -> None:
    state = position(
        "red", red=["5 5", "7 2", "7 1"], green=["6 5", "7 5", "1 7"], blue=["4 5", "3 3", "4 3"]
    )
    # 6,5 has 7,5 behind it; beyond 4,5 lies 3,5, which is free.
    jumps = {move for move in moves(state) if move.startswith("(jump 5 5")}
    assert jumps == {"(jump 5 5 3 5)"}
    edge = position("red", red=["6 5", "7 2", "7 1"], green=["7 5", "2 7", "1 7"])
    assert not {move for move in moves(edge) if move.startswith("(jump 6 5")}


def test_the_first_player_home_wins() -> None:
    before = position(
        "red", red=["3 9", "3 8", "4 7"], blue=["3 3", "4 3", "7 6"], green=["9 3", "2 7", "2 6"]
    )
    assert not before.is_terminal
    end = play(before, "(step 4 7 4 8)")
    assert end.is_terminal
    assert end.goals() == (100, 20, 40)


def test_a_jump_home_wins_at_once() -> None:
    before = position("blue", blue=["3 3", "4 3", "3 6"], green=["3 5", "2 7", "2 6"])
    end = play(before, "(jump 3 6 3 4)")
    assert end.is_terminal
    assert end.goals() == (0, 0, 100)


def test_the_game_ends_after_120_moves() -> None:
    last = position("red", "(ply 120)", red=["3 9", "7 2", "7 1"])
    assert not last.is_terminal
    end = play(last, "(step 7 2 7 3)")
    assert end.is_terminal
    assert end.goals() == (20, 0, 0)


def test_three_pieces_cannot_be_shut_in_by_six() -> None:
    ends = {1: (7, 7), 2: (6, 7), 3: (3, 9), 4: (3, 8), 5: (3, 7), 6: (2, 7), 7: (1, 7), 8: (3, 4), 9: (3, 3)}
    star = {(column, row) for row, (first, last) in ends.items() for column in range(first, last + 1)}
    assert len(star) == 37

    def blockers(own: tuple[tuple[int, int], ...]) -> set[tuple[int, int]]:
        needed = set()
        for column, row in own:
            for x, y in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]:
                if (column + x, row + y) in star:
                    needed |= {(column + x, row + y), (column + 2 * x, row + 2 * y)}
        return needed & star - set(own)

    assert min(len(blockers(own)) for own in combinations(star, 3)) == 7
