"""Chess: published move counts, positions worked out by hand, and whole games beside python-chess.

Positions come as FEN, moves as in UCI (``e2e4``, ``e1g1`` for castling, ``a7b8q``).
"""

import random

import chess
import pytest

from ludorum.engine.game import State, parse_facts
from ludorum.engine.load import load_game
from ludorum.engine.perft import joint_move_count, perft
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term

GAME = load_game("chess")
WHITE, BLACK = GAME.roles
NOOP = parse_term("noop")
KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
WINGS = {
    "K": "white kingside",
    "Q": "white queenside",
    "k": "black kingside",
    "q": "black queenside",
}
CASTLINGS = {
    f"e{rank}{file}{rank}": f"(castle {wing})"
    for rank in "18"
    for file, wing in [("g", "kingside"), ("c", "queenside")]
}

# Positions of the perft page of the Chess Programming Wiki, with their published counts by depth.
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ROOK_ENDING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
PAWN_ON_D7 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
PUBLISHED = {
    KIWIPETE: [48, 2039, 97862],
    ROOK_ENDING: [14, 191, 2812],
    PROMOTIONS: [6, 264, 9467],
    PAWN_ON_D7: [44, 1486, 62379],
}


def facts_of(fen: str) -> frozenset[Term]:
    """The facts of a FEN; the fields after the castling rights may be missing."""
    rows, side, rights, passing, quiet, number = [*fen.split(), "-", "0", "1"][:6]
    facts = [f"(control {'white' if side == 'w' else 'black'})", f"(quiet {quiet})"]
    facts.append(f"(ply {2 * int(number) - (side == 'w')})")
    facts += [f"(may_castle {WINGS[right]})" for right in rights if right != "-"]
    facts += [f"(en_passant {passing[0]})"] * (passing != "-")
    for rank, row in zip("87654321", rows.split("/"), strict=True):
        files = iter("abcdefgh")
        for letter in row:
            if letter.isdigit():
                for _ in range(int(letter)):
                    next(files)
            else:
                side = "white" if letter.isupper() else "black"
                facts.append(f"(cell {next(files)} {rank} {side}_{KINDS[letter.lower()]})")
    return parse_facts(f"({' '.join(facts)})")


def position(fen: str) -> State:
    return GAME.state(facts_of(fen))


def kind_at(state: State, square: str) -> str:
    for fact in state.facts():
        if fact.name == "cell" and "".join(map(str, fact.args[:2])) == square:
            return str(fact.args[2]).split("_")[1]
    raise AssertionError(f"nothing on {square}")


def as_move(state: State, uci: str) -> Term:
    """The move a UCI text means in a state."""
    kind = kind_at(state, uci[:2])
    if kind == "king" and uci in CASTLINGS:
        return parse_term(CASTLINGS[uci])
    squares = " ".join(uci[:4])
    if len(uci) == 5:
        return parse_term(f"(promote {squares} {KINDS[uci[4]]})")
    return parse_term(f"(move {squares})")


def on_turn(state: State) -> Term:
    return WHITE if parse_term("(control white)") in state.facts() else BLACK


def moves(state: State) -> set[Term]:
    """The moves of the side on turn; the other side must have `noop` and nothing else."""
    waiting = BLACK if on_turn(state) is WHITE else WHITE
    assert state.legal(waiting) == (NOOP,)
    return set(state.legal(on_turn(state)))


def moves_from(state: State, square: str) -> set[str]:
    """Where the man on a square may go: ``{"e3", "e4"}``."""
    found = set()
    for move in moves(state):
        words = [str(arg) for arg in move.args]
        if move.name == "move" and "".join(words[:2]) == square:
            found.add("".join(words[2:]))
    return found


def castlings(state: State) -> set[str]:
    return {str(move.args[0]) for move in moves(state) if move.name == "castle"}


def after(state: State, *ucis: str) -> State:
    for uci in ucis:
        move = as_move(state, uci)
        state = state.play((move, NOOP) if on_turn(state) is WHITE else (NOOP, move))
    return state


def paths(state: State, depth: int) -> int:
    if depth == 1:
        return joint_move_count(state)
    return sum(paths(state.play(joint), depth - 1) for joint in state.joint_moves())


# ---------------------------------------------------------------------- published counts


def test_the_start_is_the_usual_one() -> None:
    assert GAME.initial().facts() == facts_of(chess.STARTING_FEN)


def test_counts_from_the_start() -> None:
    assert perft(GAME, 3) == [20, 400, 8902]


@pytest.mark.parametrize("fen", PUBLISHED)
def test_first_count_of_a_published_position(fen: str) -> None:
    assert paths(position(fen), 1) == PUBLISHED[fen][0]


@pytest.mark.parametrize("fen", [ROOK_ENDING, PROMOTIONS])
def test_second_count_of_a_published_position(fen: str) -> None:
    assert paths(position(fen), 2) == PUBLISHED[fen][1]


@pytest.mark.slow
@pytest.mark.parametrize("fen", [KIWIPETE, PAWN_ON_D7])
def test_second_count_of_a_rich_published_position(fen: str) -> None:
    assert paths(position(fen), 2) == PUBLISHED[fen][1]


@pytest.mark.slow
@pytest.mark.parametrize("fen", PUBLISHED)
def test_third_count_of_a_published_position(fen: str) -> None:
    assert paths(position(fen), 3) == PUBLISHED[fen][2]


# ---------------------------------------------------------------------- beside python-chess


def oracle_moves(board: chess.Board, state: State) -> set[Term]:
    return {as_move(state, move.uci()) for move in board.legal_moves}


def compare_random_game(fen: str, seed: int, plies: int) -> int:
    """Plays at random on both boards, comparing moves, facts and result; the number of plies played."""
    choice = random.Random(seed)
    board = chess.Board(fen)
    state = position(fen)
    for ply in range(plies):
        wanted = oracle_moves(board, state)
        assert moves(state) == wanted, board.fen()
        assert state.facts() == facts_of(board.fen(en_passant="fen"))
        drawn = board.halfmove_clock == 100 or board.ply() == 200
        assert state.is_terminal == (drawn or not wanted), board.fen()
        if board.is_checkmate():
            assert state.goals() == ((0, 100) if board.turn == chess.WHITE else (100, 0))
        else:
            assert state.goals() == (50, 50)
        if state.is_terminal:
            return ply
        move = choice.choice(sorted(board.legal_moves, key=chess.Move.uci))
        state = after(state, move.uci())
        board.push(move)
    return plies


def test_a_random_game_agrees_with_python_chess() -> None:
    assert compare_random_game(chess.STARTING_FEN, seed=1, plies=40) == 40


@pytest.mark.parametrize("fen", [KIWIPETE, PROMOTIONS])
def test_a_random_game_from_a_rich_position_agrees_with_python_chess(fen: str) -> None:
    assert compare_random_game(fen, seed=2, plies=20) == 20


@pytest.mark.slow
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, *PUBLISHED])
@pytest.mark.parametrize("seed", range(4))
def test_whole_random_games_agree_with_python_chess(fen: str, seed: int) -> None:
    assert compare_random_game(fen, seed, plies=201) > 0


def random_positions(seed: int, count: int) -> list[chess.Board]:
    """Positions with both kings and a few other men anywhere, the side not on turn not in check."""
    choice = random.Random(seed)
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board(None)
        squares = choice.sample(range(64), 10)
        for square, letter in zip(squares, "Kk" + "".join(choice.choices("QRBNPqrbnp", k=8)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = choice.random() < 0.5
        if board.status() == chess.STATUS_VALID:
            found.append(board)
    return found


def compare_random_positions(seed: int, count: int) -> None:
    for board in random_positions(seed, count):
        state = position(board.fen())
        assert moves(state) == oracle_moves(board, state), board.fen()


def test_random_positions_agree_with_python_chess() -> None:
    compare_random_positions(seed=3, count=60)


@pytest.mark.slow
def test_many_random_positions_agree_with_python_chess() -> None:
    compare_random_positions(seed=4, count=2000)


# ---------------------------------------------------------------------- check and pin


def test_a_check_must_be_parried() -> None:
    # Rook e8 checks the king on e1: block on e2..e7, capture on e8, or step off the file.
    state = position("4r2k/8/8/8/8/2B5/1R6/4K3 w - - 0 1")
    assert moves_from(state, "b2") == {"e2"}
    assert moves_from(state, "c3") == {"e5"}
    assert moves_from(state, "e1") == {"d1", "d2", "f1", "f2"}
    assert len(moves(state)) == 6


def test_the_king_cannot_step_back_along_the_line_of_a_check() -> None:
    state = position("7k/8/8/8/r2K4/8/8/8 w - - 0 1")
    assert moves_from(state, "d4") == {"c3", "d3", "e3", "c5", "d5", "e5"}


def test_in_double_check_only_the_king_moves() -> None:
    # Rook e8 and knight f3 both check; the pawn on g2 could capture the knight, but not the rook too.
    state = position("4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1")
    assert moves(state) == {parse_term(f"(move e 1 {square})") for square in ["d 1", "f 1", "f 2"]}


def test_a_pinned_man_moves_along_the_line_only() -> None:
    state = position("4r2k/8/8/b7/8/2N5/4R3/4K3 w - - 0 1")
    assert moves_from(state, "e2") == {"e3", "e4", "e5", "e6", "e7", "e8"}
    assert moves_from(state, "c3") == set()


def test_a_protected_man_is_safe_from_the_king() -> None:
    assert moves(position("7k/8/8/8/4b3/8/6q1/7K w - - 0 1")) == set()
    assert moves(position("7k/8/8/8/8/8/6q1/7K w - - 0 1")) == {parse_term("(move h 1 g 2)")}


# ---------------------------------------------------------------------- castling


def test_both_sides_castle_on_both_wings() -> None:
    state = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert castlings(state) == {"kingside", "queenside"}
    short = after(state, "e1g1")
    assert castlings(short) == {"queenside"}  # the rook on f1 looks at f8
    assert short.facts() == facts_of("r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1")
    assert after(short, "e8c8").facts() == facts_of("2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2")
    long = after(state, "e1c1")
    assert long.facts() == facts_of("r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1")
    assert after(long, "e8g8").facts() == facts_of("r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2")


@pytest.mark.parametrize(
    ("fen", "wings"),
    [
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", set()),  # in check
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", {"queenside"}),  # f1 attacked: through check
        ("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", {"queenside"}),  # g1 attacked: into check
        ("4k3/8/8/8/7r/8/8/R3K2R w KQ - 0 1", {"kingside", "queenside"}),  # only the rook attacked
        ("4k3/8/8/8/3r4/8/8/R3K2R w KQ - 0 1", {"kingside"}),
        ("4k3/8/8/8/2r5/8/8/R3K2R w KQ - 0 1", {"kingside"}),
        ("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", {"kingside", "queenside"}),  # b1 is passed by the rook alone
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", set()),  # men between
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", {"kingside"}),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", set()),
    ],
)
def test_conditions_of_castling(fen: str, wings: set[str]) -> None:
    assert castlings(position(fen)) == wings


@pytest.mark.parametrize(
    ("uci", "rights"),
    [("e1e2", "kq"), ("h1h2", "Qkq"), ("a1a2", "Kkq"), ("h1h8", "Qq"), ("a1a8", "Kk"), ("e1g1", "kq")],
)
def test_the_right_to_castle_goes_with_king_and_rooks(uci: str, rights: str) -> None:
    state = after(position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), uci)
    left = {fact for fact in state.facts() if fact.name == "may_castle"}
    assert left == {parse_term(f"(may_castle {WINGS[right]})") for right in rights}


# ---------------------------------------------------------------------- pawns


def test_en_passant_at_once_or_never() -> None:
    state = after(GAME.initial(), "e2e4", "a7a6", "e4e5", "d7d5")
    assert moves_from(state, "e5") == {"e6", "d6"}
    assert after(state, "e5d6").facts() == facts_of(
        "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"
    )
    assert moves_from(after(state, "h2h3", "h7h6"), "e5") == {"e6"}


def test_en_passant_may_not_open_the_rank() -> None:
    assert moves_from(position("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 2"), "e5") == {"e6"}
    assert moves_from(position("7k/8/8/r2pP2K/8/8/8/8 w - d6 0 2"), "e5") == {"e6"}
    assert moves_from(position("7k/8/8/K1NpP2r/8/8/8/8 w - d6 0 2"), "e5") == {"e6", "d6"}


def test_en_passant_captures_the_pawn_that_gives_check() -> None:
    state = position("7k/8/8/3pP3/4K3/8/8/8 w - d6 0 2")
    assert moves_from(state, "e5") == {"d6"}


def test_en_passant_obeys_a_pin() -> None:
    assert moves_from(position("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2"), "e5") == {"e6"}
    assert moves_from(position("7k/2b5/8/3pP3/8/6K1/8/8 w - d6 0 2"), "e5") == {"d6"}


def test_a_pawn_on_the_last_rank_becomes_one_of_four_pieces() -> None:
    state = position("1n5k/P7/8/8/8/8/8/7K w - - 0 1")
    expected = {
        parse_term(f"(promote a 7 {square} {kind})")
        for square in ["a 8", "b 8"]
        for kind in ["queen", "rook", "bishop", "knight"]
    }
    assert {move for move in moves(state) if move.name != "move"} == expected
    assert moves_from(state, "a7") == set()
    assert after(state, "a7b8n").facts() == facts_of("1N5k/8/8/8/8/8/8/7K b - - 0 1")


def test_a_pawn_does_not_jump_over_a_man() -> None:
    state = position("7k/8/8/8/p7/N6n/P6P/7K w - - 0 1")
    assert moves_from(state, "a2") == set()
    assert moves_from(state, "h2") == set()
    assert moves_from(position("7k/8/8/8/n7/8/P7/7K w - - 0 1"), "a2") == {"a3"}


# ---------------------------------------------------------------------- the end


def test_the_fools_mate() -> None:
    state = after(GAME.initial(), "f2f3", "e7e5", "g2g4", "d8h4")
    assert state.is_terminal
    assert state.goals() == (0, 100)


def test_the_scholars_mate() -> None:
    before = after(GAME.initial(), "e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6")
    assert not before.is_terminal
    assert before.goals() == (50, 50)
    state = after(before, "h5f7")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_stalemate_is_a_draw() -> None:
    state = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert state.is_terminal
    assert state.goals() == (50, 50)
    assert not position("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1").is_terminal


def test_fifty_moves_without_progress_are_a_draw() -> None:
    state = position("7k/8/8/8/8/8/P7/R6K w - - 99 60")
    assert not state.is_terminal
    drawn = after(state, "a1b1")
    assert drawn.is_terminal
    assert drawn.goals() == (50, 50)
    going_on = after(state, "a2a3")
    assert not going_on.is_terminal
    assert parse_term("(quiet 0)") in going_on.facts()


def test_checkmate_comes_before_the_fifty_move_rule() -> None:
    state = after(position("7k/8/6K1/8/8/8/8/R7 w - - 99 60"), "a1a8")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_two_hundred_plies_are_a_draw() -> None:
    state = position("7k/8/8/8/8/8/P7/R6K b - - 3 100")
    assert not state.is_terminal
    drawn = after(state, "h8h7")
    assert drawn.is_terminal
    assert drawn.goals() == (50, 50)
