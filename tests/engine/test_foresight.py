"""Playouts that look two moves ahead, against looking two moves ahead."""

import numpy as np
import pytest

from ludorum._core import SplitMix64, foresee_gates
from ludorum.engine.circuit import Circuit, Values, evaluate
from ludorum.engine.compile_circuit import plain_circuit
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.engine.foresight import foresee, look_ahead
from ludorum.engine.game import State
from ludorum.engine.network import make_network
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from tests.how_much import sample, some
from tests.library_games import compiled_game


def walk(game: CompiledGame, games: int, seed: int = 1) -> list[CompiledState]:
    """States of random games, without the ends."""
    chance, states = SplitMix64(seed), []
    for _ in range(games):
        state = game.initial()
        for _ in range(60):
            if state.is_terminal:
                break
            states.append(state)
            legal = [state.legal(role) for role in game.roles]
            state = state.play([own[chance.below(len(own))] for own in legal])
    return states


def said(circuit: Circuit, state: CompiledState, moves: tuple[int, ...] = ()) -> Values:
    bits = np.unpackbits(np.frombuffer(state.bits, np.uint8), bitorder="little")
    return evaluate(circuit, np.flatnonzero(bits).tolist(), moves)


def with_move(state: State, role: Term, move: Term) -> State:
    """The others have one move only."""
    return state.play([move if other is role else state.legal(other)[0] for other in state.game.roles])


def winning(state: State, role: Term) -> list[Term]:
    after = {move: with_move(state, role, move) for move in state.legal(role)}
    return [move for move, end in after.items() if end.is_terminal and end.goal(role) == 100]


def worth_playing(state: State, role: Term) -> set[Term]:
    """What the circuit must say, move by move."""
    legal = state.legal(role)
    others = [other for other in state.game.roles if other is not role]

    def is_safe(move: Term) -> bool:
        after = with_move(state, role, move)
        return after.is_terminal or not any(winning(after, other) for other in others)

    return set(winning(state, role) or [move for move in legal if is_safe(move)] or legal)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "games"),
    [("tictactoe", 60), ("connect_four", some(30, 4)), ("breakthrough", 4)],
)
def test_what_is_worth_playing_is_what_looking_ahead_finds(name: str, games: int) -> None:
    game = compiled_game(name)
    circuit = foresee(game.circuit)
    assert circuit is not None
    narrowed = 0
    for state in walk(game, games):
        mover = next(role for role in game.roles if len(state.legal(role)) > 1 or state.legal(role)[0].args)
        seat = game.roles.index(mover)
        moves = [circuit.moves[number] for number in said(circuit, state).legal]
        found = {move for role, move in moves if role == seat}
        assert found == worth_playing(state, mover)
        narrowed += len(found) < len(state.legal(mover))
    assert narrowed > 20


FORESEEN = ("blocks", "breakthrough", "connect_four", "eight_puzzle", "nim", "peg_solitaire", "tictactoe")


@pytest.mark.parametrize("name", sample([*FORESEEN, "goofspiel", "minesweeper", "monty_hall", "sokoban"], 3))
def test_nothing_else_changes(name: str) -> None:
    """Fewer moves, but never none, and the same game."""
    game = compiled_game(name)
    circuit = foresee(game.circuit)
    assert circuit is not None
    chance = SplitMix64(7)
    for state in walk(game, 3, seed=5):
        numbers = tuple(
            own[chance.below(len(own))]
            for own in (state.legal_numbers(seat) for seat in range(len(game.roles)))
        )
        before, after = said(game.circuit, state, numbers), said(circuit, state, numbers)
        assert after.legal <= before.legal
        for own in circuit.role_moves:
            assert bool(after.legal & set(own)) == bool(before.legal & set(own))
        assert (after.terminal, after.goals, after.next, after.sees) == (
            before.terminal,
            before.goals,
            before.next,
            before.sees,
        )


@pytest.mark.long
def test_games_in_which_something_is_foreseen_and_others() -> None:
    sizes = {}
    for name in ("tictactoe", "connect_four", "breakthrough", "hex", "othello", "chess", "pacman"):
        circuit = compiled_game(name).circuit
        found = foresee(circuit)
        sizes[name] = None if found is None else len(found.gate_literals) / len(circuit.gate_literals)
    assert sizes["hex"] is None  # the connection is a loop
    assert sizes["othello"] is None  # too many discs turn
    assert sizes["chess"] is None
    assert sizes["pacman"] is None  # too many values besides the highest, none of which may hold
    for name in ("tictactoe", "connect_four", "breakthrough"):
        assert 1 < (sizes[name] or 0) < 8


SIMULTANEOUS = """
(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2)
(<= (legal ?r (say yes)) (role ?r)) (<= (legal ?r (say no)) (role ?r))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= (next (agreed)) (does a (say ?w)) (does b (say ?w)))
(<= terminal (true (at 2)))
(<= (goal ?r 100) (role ?r) (true (agreed))) (<= (goal ?r 0) (role ?r) (not (true (agreed))))
"""


def test_who_wins_by_what_the_other_does_at_once_foresees_nothing() -> None:
    game = CompiledGame(parse_kif(SIMULTANEOUS), "agree")
    assert foresee(game.circuit) is None


SPOILT = """
(role a) (init (at start))
(<= (legal a ?m) (true (at start)) (way ?m))
(way x) (way y) (way v)
(<= (next (at ?m)) (does a ?m))
(<= terminal (true (at ?m)) (way ?m))
(<= (goal a 90) (true (at x))) (<= (goal a 80) (true (at x)))
(<= (goal a 10) (true (at y))) (<= (goal a 90) (true (at v)))
"""


def test_an_end_with_two_values_is_no_win() -> None:
    """It counts for nothing wherever values are read, whatever the higher of them is."""
    game = CompiledGame(parse_kif(SPOILT), "spoilt")
    circuit = foresee(game.circuit)
    assert circuit is not None
    legal = [circuit.moves[number][1] for number in said(circuit, game.initial()).legal]
    assert legal == [Term("v")]


def test_bounds_on_the_work_are_kept() -> None:
    network = make_network(compiled_game("connect_four").circuit)
    assert foresee_gates(network, 2000) is None
    made = foresee_gates(network, 100_000)
    assert made is not None
    assert 1139 < len(made[1]) <= 100_000


def wins_alone(state: State, role: Term) -> set[Term]:
    """Moves that end the game with the highest goal for one and the lowest for the other."""
    (other,) = (each for each in state.game.roles if each is not role)
    after = {move: with_move(state, role, move) for move in state.legal(role)}
    return {
        move
        for move, end in after.items()
        if end.is_terminal and end.goal(role) == 100 and end.goal(other) == 0
    }


def not_lost(state: State, role: Term) -> set[Term]:
    (other,) = (each for each in state.game.roles if each is not role)

    def is_lost(move: Term) -> bool:
        after = with_move(state, role, move)
        if after.is_terminal:
            return after.goal(role) == 0 and after.goal(other) == 100
        return bool(wins_alone(after, other))

    return {move for move in state.legal(role) if not is_lost(move)}


@pytest.mark.parametrize(
    ("name", "games"),
    sample([("tictactoe", 60), ("connect_four", 10), ("breakthrough", 3)], 3),
)
def test_the_outlook_of_proofs_is_what_two_moves_decide(name: str, games: int) -> None:
    game = compiled_game(name)
    circuit = look_ahead(plain_circuit(game.rules) or game.circuit)
    assert circuit is not None
    decided = lost = 0
    for state in walk(game, games, seed=3):
        mover = next(role for role in game.roles if len(state.legal(role)) > 1 or state.legal(role)[0].args)
        values = said(circuit, state)
        moves: list[set[Term]] = [set() for _ in game.roles]
        for owner, move in (circuit.moves[number] for number in values.legal):
            moves[owner].add(move)
        seat = game.roles.index(mover)
        own, idle = moves[seat], moves[1 - seat]
        wins = wins_alone(state, mover)
        assert values.terminal == bool(wins)
        assert own == (wins or not_lost(state, mover))
        assert len(idle) == (not wins)
        decided, lost = decided + bool(wins), lost + (not own)
    assert decided > 0
    assert name == "breakthrough" or min(decided, lost) > 5


def test_where_play_is_over_the_outlook_has_no_moves() -> None:
    game = compiled_game("tictactoe")
    circuit = look_ahead(game.circuit)
    assert circuit is not None
    for seed in range(20):
        end = list(game.playout(seed))[-1]
        assert isinstance(end, CompiledState)
        assert said(circuit, end).terminal
        assert not said(circuit, end).legal


HASTY = """
(role a) (role b) (init (calm)) (init (at 0))
(<= (legal a take) (true (at 0))) (<= (legal a leave) (true (at 0))) (<= (legal a wait) (true (at 1)))
(<= (legal b idle) (role b)) (<= (legal b jump) (not (true (calm))))
(<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1)))
(<= (next (calm)) (true (calm)))
(<= (next (won)) (does a take) (does b idle))
(<= terminal (true (won))) (<= terminal (true (at 2)))
(<= (goal a 100) (true (won))) (<= (goal a 0) (not (true (won))))
(<= (goal b 0) (true (won))) (<= (goal b 100) (not (true (won))))
"""


def test_a_win_that_another_may_spoil_is_none() -> None:
    """What surely is legal need not be the only move: where both choose, nothing is decided."""
    game = CompiledGame(parse_kif(HASTY), "hasty")
    circuit = look_ahead(game.circuit)
    if circuit is None:
        return
    restless = game.state([Term("at", (Term("0"),))])
    assert len(restless.legal(game.roles[1])) == 2
    assert said(circuit, restless).legal == said(game.circuit, restless).legal
    assert not said(circuit, restless).terminal
