"""Nine Men's Morris: placing, mills and takings, sliding, jumping, the ends, and counts by hand."""

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import moves, play


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("nine_mens_morris")


def position(
    game: Game,
    white: str,
    black: str,
    mover: str = "white",
    hands: tuple[int, int] = (0, 0),
    stage: str = "playing",
    quiet: int = 0,
) -> State:
    facts = [f"(control {mover})", f"(stage {stage})", f"(quiet {quiet})"]
    for player, men, hand in (("white", white.split(), hands[0]), ("black", black.split(), hands[1])):
        facts += [f"(man {point} {player})" for point in men]
        facts += [f"(hand {player} {hand})", f"(army {player} {hand + len(men)})"]
    return game.parse_state(f"({' '.join(facts)})")


def facts(state: State) -> set[str]:
    return {str(fact) for fact in state.facts()}


def test_perft(game: Game) -> None:
    """Three placings cannot make a mill."""
    assert perft(game, 3) == [24, 24 * 23, 24 * 23 * 22]


def test_placing_takes_a_man_from_the_hand(game: Game) -> None:
    state = play(game.initial(), "(place d2)", "(place a1)")
    assert facts(state) == {
        "(man d2 white)",
        "(man a1 black)",
        "(hand white 8)",
        "(hand black 8)",
        "(army white 9)",
        "(army black 9)",
        "(control white)",
        "(stage playing)",
        "(quiet 0)",
    }


def test_a_mill_lets_its_maker_take_a_man(game: Game) -> None:
    state = play(game.initial(), "(place a1)", "(place b2)", "(place a7)", "(place b4)", "(place a4)")
    assert moves(state) == ["(take b2)", "(take b4)"]
    state = play(state, "(take b4)")
    assert {"(army black 8)", "(hand black 7)", "(control black)", "(stage playing)"} <= facts(state)
    assert "(man b4 black)" not in facts(state)


def test_men_in_a_mill_are_safe_while_others_are_not(game: Game) -> None:
    state = position(game, "a1 a4 a7", "b2 b4 b6 g1", stage="taking", hands=(3, 3))
    assert moves(state) == ["(take g1)"]


def test_if_all_men_are_in_mills_any_may_be_taken(game: Game) -> None:
    state = position(game, "a1 a4 a7", "b2 b4 b6", stage="taking", hands=(3, 3))
    assert moves(state) == ["(take b2)", "(take b4)", "(take b6)"]


def test_two_mills_at_once_take_one_man(game: Game) -> None:
    state = position(game, "a1 a4 d7 g7", "b2 b4 d2 f4", hands=(3, 3))
    state = play(state, "(place a7)")
    assert "(stage taking)" in facts(state)
    state = play(state, "(take b2)")
    assert {"(stage playing)", "(control black)"} <= facts(state)


@pytest.mark.parametrize(
    ("point", "neighbours"),
    [
        ("a1", "a4 d1"),
        ("d1", "a1 d2 g1"),
        ("d2", "b2 d1 d3 f2"),
        ("d3", "c3 d2 e3"),
        ("c4", "b4 c3 c5"),
        ("b4", "a4 b2 b6 c4"),
        ("e4", "e3 e5 f4"),
        ("d5", "c5 d6 e5"),
        ("g7", "d7 g4"),
        ("f6", "d6 f4"),
    ],
)
def test_men_slide_along_lines(game: Game, point: str, neighbours: str) -> None:
    far = [
        man for man in ("a1", "g7", "c5", "e3", "g1", "a7") if man != point and man not in neighbours.split()
    ][:3]
    state = position(game, " ".join([point, *far]), "")
    assert [move for move in moves(state) if move.startswith(f"(move {point} ")] == [
        f"(move {point} {to})" for to in neighbours.split()
    ]


def test_sliding_begins_when_the_hand_is_empty(game: Game) -> None:
    state = position(game, "a1 a4 g7", "b2 b4 d2 f4", hands=(1, 1))
    assert all(move.startswith("(place ") for move in moves(state))
    assert len(moves(state)) == 24 - 7


def test_three_men_jump(game: Game) -> None:
    state = position(game, "a1 a4 g7", "b2 b4 d2 f4")
    assert len(moves(state)) == 3 * 17
    state = play(state, "(move g7 a7)")
    assert "(stage taking)" in facts(state)


def test_a_slide_within_its_line_is_no_mill(game: Game) -> None:
    state = position(game, "a1 a4 d6 f2", "b2 b4 d2 f4")
    state = play(state, "(move a4 a7)")
    assert {"(stage playing)", "(control black)", "(quiet 1)"} <= facts(state)


def test_opening_and_closing_a_mill_takes_again(game: Game) -> None:
    state = position(game, "a1 a4 a7 f2", "b2 b6 c3 e5", quiet=7)
    state = play(state, "(move a4 b4)")
    assert {"(stage playing)", "(quiet 8)"} <= facts(state)
    state = play(state, "(move e5 e4)", "(move b4 a4)")
    assert {"(stage taking)", "(control white)", "(quiet 0)"} <= facts(state)


def test_two_men_left_lose(game: Game) -> None:
    state = position(game, "a1 a4 a7 g7", "b2 b4 g1", stage="taking")
    assert not state.is_terminal
    state = play(state, "(take b2)")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_who_cannot_slide_loses(game: Game) -> None:
    state = position(game, "a4 d1 b6 d7 g4", "a1 a7 g1 g7", mover="black")
    # Every neighbour of the four black corners, a4, d1, d7 and g4, is white.
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_who_has_men_in_hand_is_not_blocked(game: Game) -> None:
    state = position(game, "a4 d1 b6 d7 g4", "a1 a7 g1 g7", mover="black", hands=(4, 5))
    assert not state.is_terminal


def test_fifty_quiet_slides_are_a_draw(game: Game) -> None:
    state = position(game, "a1 a4 d6 f2", "b2 b6 c3 e5", quiet=49)
    assert not state.is_terminal
    state = play(state, "(move f2 f4)")
    assert state.is_terminal
    assert state.goals() == (50, 50)


def test_a_mill_on_the_fiftieth_slide_goes_on(game: Game) -> None:
    state = position(game, "a1 a4 d7 f2", "b2 b6 c3 e5", quiet=49)
    state = play(state, "(move d7 a7)")
    assert not state.is_terminal
    assert moves(state) == ["(take b2)", "(take b6)", "(take c3)", "(take e5)"]
