"""The compiled engine against the reference, known counts and exact probabilities."""

import pickle
import sys
import tracemalloc
from functools import cache
from itertools import islice

import numpy as np
import pytest

from ludorum._core import RowIndex, Single
from ludorum.arena import verify_random
from ludorum.engine.check_game import check_game
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.engine.count_packed import has_more_states, is_small
from ludorum.engine.errors import GameError, IllegalMoveError
from ludorum.engine.game import Game, State, parse_facts
from ludorum.engine.load import load_game
from ludorum.engine.perft import explore, perft
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import library_names
from tests.how_much import sample
from tests.library_games import compiled_game
from tests.small_games import CIRCLE, COIN, DOOR

SMALL = {"door": DOOR, "coin": COIN, "circle": CIRCLE}
QUICK = ("tictactoe", "connect_four", "nim", "buttons", "kuhn_poker", "krieg_tictactoe",
         "rock_paper_scissors",
         "monty_hall", "lights_out", "hex", "sokoban", "blackjack")  # fmt: skip


@cache
def compiled(name: str) -> CompiledGame:
    if name in SMALL:
        return CompiledGame(parse_kif(SMALL[name]), name)
    game = compiled_game(name)
    assert isinstance(game, CompiledGame)
    return game


def reference(name: str) -> Game:
    return ReferenceGame(parse_kif(SMALL[name]), name) if name in SMALL else load_game(name, "reference")


@pytest.mark.parametrize("name", sample([*SMALL, *QUICK], 3))
def test_agrees_with_the_reference(name: str) -> None:
    report = verify_random(compiled(name), reference(name), 12, seed=3)
    assert report.agrees, report.disagreements


@pytest.mark.slow
@pytest.mark.parametrize("name", library_names())
def test_agrees_with_the_reference_on_every_library_game(name: str) -> None:
    report = verify_random(compiled(name), reference(name), 60, seed=4, seconds=120)
    assert report.agrees, report.disagreements


@pytest.mark.parametrize("name", [*SMALL, "connect_four", "kuhn_poker"])
def test_keeps_the_promises_of_the_constitution(name: str) -> None:
    faults = [str(fault) for fault in check_game(compiled(name), plays=2)]
    assert faults == []


def test_states_are_those_of_other_engines() -> None:
    ours, theirs = compiled("door").initial(), reference("door").initial()
    joint = [parse_term("push"), parse_term("wait")]
    assert ours.play(joint) == theirs.play(joint)
    assert theirs.play(joint) == ours.play(joint)
    assert hash(ours.play(joint)) == hash(theirs.play(joint))
    assert len({ours, theirs}) == 1
    assert ours != compiled("coin").initial()


def test_facts_that_cannot_be_true_are_refused() -> None:
    with pytest.raises(GameError, match=r"\(step 9\) can never be true in door"):
        compiled("door").parse_state("((step 9) closed)")


def test_illegal_moves_are_refused() -> None:
    with pytest.raises(IllegalMoveError, match="kick is not legal for right"):
        compiled("door").initial().play([parse_term("push"), parse_term("kick")])


def test_a_pickled_state_finds_its_game_again() -> None:
    state = compiled("connect_four").initial()
    assert pickle.loads(pickle.dumps(state)).game is state.game


def test_a_million_connect_four_states_fit_in_a_hundred_megabytes() -> None:
    game = compiled("connect_four")
    state = game.initial()
    joint = next(state.joint_moves())
    state.play(joint)  # what is made once does not count
    count = 5_000
    tracemalloc.start()
    held = [state.play(joint) for _ in range(count)]
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(held) == count
    assert size / count < 105  # with the list they are in: the states themselves have 96
    assert sys.getsizeof(held[0]) <= 48
    assert game.simulator().bytes_per_state * 1_000_000 < 20_000_000


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        ("tictactoe", 9, 127872),
        ("connect_four", 8, 5673234),
        ("othello", 7, 55092),
        ("english_draughts", 6, 36768),
        ("door", 2, 12),
    ],
)
def test_perft(name: str, depth: int, count: int) -> None:
    assert perft(compiled(name), depth)[-1] == count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("chess", [20, 400, 8902, 197281, 4865609]),
        ("othello", [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]),
        # Published: 179740 at depth 7, where a series of jumps is one move; here each jump is.
        ("english_draughts", [7, 49, 302, 1469, 7361, 36768, 179255]),
    ],
)
def test_perft_of_large_games(name: str, counts: list[int]) -> None:
    assert perft(compiled(name), len(counts)) == counts


@pytest.mark.long
@pytest.mark.parametrize("name", [*SMALL, "nim"])
def test_exploration_in_batches_finds_what_plain_exploration_finds(name: str) -> None:
    assert explore(compiled(name)) == explore(
        load_game(name, "lifted") if name not in SMALL else reference(name)
    )


@pytest.mark.spec("evaluation-functions", 2)
def test_exploration_of_tictactoe() -> None:
    found = explore(compiled("tictactoe"))
    assert (found.states, found.terminal, found.longest, found.games) == (5478, 958, 9, 255168)


def test_states_are_counted_as_far_as_a_limit() -> None:
    game = compiled("tictactoe")
    first = game.initial()
    assert has_more_states(game, first, 5477)
    assert not has_more_states(game, first, 5478)
    after = first.play(next(iter(first.joint_moves())))
    assert not has_more_states(game, after, 5477)


def test_a_game_is_small_within_bounds_of_states_and_joint_moves() -> None:
    game = compiled("tictactoe")
    first = game.initial()
    edges = 16167  # moves in the 4,520 states that are no end
    assert is_small(game, first, 5478, edges)
    assert not is_small(game, first, 5477, edges)
    assert not is_small(game, first, 5478, edges - 1)


def test_exploration_stops_at_its_limit() -> None:
    found = explore(compiled("tictactoe"), limit=100)
    assert (found.states, found.complete) == (100, False)


def test_random_play_of_tictactoe_has_the_exact_statistics() -> None:
    # Exact enumeration: 737, 160 and 363 of 1260.
    count = 1_000_000
    found = compiled("tictactoe").simulator().playouts(count, seed=2)
    first = found.histogram[compiled("tictactoe").roles[0]]
    expected = {100: 737 / 1260, 50: 160 / 1260, 0: 363 / 1260}
    chi = sum((first[value] - count * p) ** 2 / (count * p) for value, p in expected.items())
    assert chi < 14  # one in a thousand
    shares = [first[value] / count for value in (100, 0, 50)]
    assert shares == pytest.approx([0.585, 0.288, 0.127], abs=0.0015)


def test_random_play_of_connect_four_has_the_known_means() -> None:
    game = compiled("connect_four")
    found = game.simulator().playouts(400_000, seed=1)
    shares = {value: count / 400_000 for value, count in found.histogram[game.roles[0]].items()}
    assert shares[100] == pytest.approx(0.5558, abs=0.004)
    assert shares[0] == pytest.approx(0.4416, abs=0.004)
    assert shares[50] == pytest.approx(0.0025, abs=0.0005)


@pytest.mark.parametrize("name", ["connect_four", "coin", "rock_paper_scissors", "kuhn_poker"])
def test_lanes_and_single_play_the_same_game(name: str) -> None:
    game = compiled(name)
    many = game.simulator().playouts(40_000, seed=5)
    ones = game.single.playouts(20_000, seed=5)
    for role, total in zip(game.roles, ones["goal_sums"], strict=True):
        mean = many.goals[role]
        assert mean is not None
        assert mean == pytest.approx(total / 20_000, abs=2.0)
    assert many.steps / many.playouts == pytest.approx(ones["steps"] / 20_000, rel=0.02)


@pytest.mark.parametrize("name", [*SMALL, *QUICK, "breakthrough", "english_draughts", "othello"])
def test_single_states_are_played_the_same_in_full_and_by_changes(name: str) -> None:
    found = [Single(compiled(name).network, mode).playouts(20, seed=5, max_steps=60)
             for mode in ("full", "incremental")]  # fmt: skip
    for counts in found:
        counts["seconds"] = 0.0
    assert found[0] == found[1]


AGAIN = """
    (role white) (role black) (other white black) (other black white)
    (pass 1) (pass 2) (pass 3) (pass 4) (pass 5) (keep 6) (keep 7) (keep 8) (keep 9)
    (<= (spot ?x) (pass ?x)) (<= (spot ?x) (keep ?x))
    (init (control white)) (init (lamp on)) (init (count 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal ?r (take ?x)) (true (control ?r)) (spot ?x) (not (true (used ?x))))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (next (used ?x)) (does ?r (take ?x)))
    (<= (next (used ?x)) (true (used ?x)))
    (<= (next (control ?o)) (does ?r (take ?x)) (pass ?x) (other ?r ?o))
    (<= (next (control ?r)) (does ?r (take ?x)) (keep ?x))
    (<= (next (control ?r)) (role ?r) (true odd))
    (<= (next odd) (true (lamp on)) (true (lamp off)) (does white (take 1)))
    (<= (next (lamp off)) (true (lamp on)) (does white (take 2)))
    (<= (next (lamp on)) (true (lamp off)) (does white (take 2)))
    (<= (next (lamp ?x)) (true (lamp ?x)) (not (does white (take 2))))
    (<= (next (count ?n)) (true (count ?m)) (succ ?m ?n))
    (<= terminal (true (count 4)))
    (<= (goal ?r 100) (true (control ?r))) (<= (goal ?r 0) (role ?r) (not (true (control ?r))))
"""


def test_states_outside_of_the_modes_are_played_as_well() -> None:
    """Whose turn it is splits the game in two; no play reaches a state in which both have it."""
    game = CompiledGame(parse_kif(AGAIN), "again")
    kernels = [Single(game.network, mode) for mode in ("full", "incremental")]
    assert kernels[1].modes == 2
    odd = game.state(parse_facts("((control white) (lamp on) (count 0) odd)"))
    both = game.state(parse_facts("((control white) (control black) (lamp on) (count 0))"))
    for state in (game.initial(), odd, both):
        found = [kernel.playouts(200, seed=1, state=state.bits) for kernel in kernels]
        for counts in found:
            counts["seconds"] = 0.0
        assert found[0] == found[1]
        assert found[0]["steps"] == 800
    plain = ReferenceGame(parse_kif(AGAIN), "again").state(both.facts())
    assert [both.legal(role) for role in game.roles] == [plain.legal(role) for role in game.roles]
    assert set(both.joint_moves()) == set(plain.joint_moves())
    for joint in both.joint_moves():
        assert both.play(joint) == plain.play(joint)


@pytest.mark.parametrize("engine", ["compiled", "lifted", "reference", "auto"])
def test_playouts_from_a_state(engine: str) -> None:
    game = load_game("tictactoe", engine)
    threat = game.parse_state(
        "((cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 x)"
        " (cell 3 1 b) (cell 3 2 o) (cell 3 3 b) (control xplayer))"
    )
    count = 40 if engine == "reference" else 4000
    x, o = threat.playouts(count, seed=1)
    exact = exact_means(threat)
    deviation = 50 / count**0.5
    assert abs(x - exact[0]) < 5 * deviation
    assert abs(o - exact[1]) < 5 * deviation
    over = threat.play([threat.legal(game.roles[0])[0], threat.legal(game.roles[1])[0]])
    assert over.is_terminal
    assert over.playouts(3) == over.goals()
    assert threat.playouts(2, max_steps=1, seed=3) == threat.playouts(2, max_steps=1, seed=3)


def exact_means(state: State) -> tuple[float, ...]:
    """Mean goal values of uniform random play, by looking at all of it."""
    if state.is_terminal:
        return tuple(float(value or 0) for value in state.goals())
    means = [exact_means(state.play(joint)) for joint in state.joint_moves()]
    return tuple(sum(column) / len(means) for column in zip(*means, strict=True))


def test_states_have_the_same_hash_in_all_engines() -> None:
    games = [load_game("connect_four", engine) for engine in ("compiled", "lifted", "reference")]
    walks = [list(game.playout(seed=2)) for game in games]
    for states in zip(*walks, strict=True):
        assert len(set(states)) == 1
    assert len({hash(state) for state in walks[0]}) == len(walks[0])


def test_moves_may_be_numbers() -> None:
    state = compiled("connect_four").initial()
    numbers = [state.legal_numbers(role)[-1] for role in (0, 1)]
    joint = [state.legal(role)[-1] for role in compiled("connect_four").roles]
    after = state.play_numbers(numbers)
    assert after == state.play(joint)
    assert after.joint == tuple(joint)
    with pytest.raises(IllegalMoveError, match="not moves of the roles"):
        state.play_numbers(numbers[::-1])


def test_playouts_from_states_count_for_their_states() -> None:
    game = compiled("tictactoe")
    simulator = game.simulator()
    # Every state of some games, terminal ones among them, whosever turn it is.
    states = [state for seed in range(40) for state in game.playout(seed) if isinstance(state, CompiledState)]
    sums = simulator.playouts_from(simulator.pack(states), 8, seed=1)
    for state, row in zip(states, sums.tolist(), strict=True):
        assert sum(row) == 800
        if state.is_terminal:
            assert row == [8 * (goal or 0) for goal in state.goals()]
    start = simulator.playouts_from(simulator.pack([game.initial()]), 100_000, seed=2)[0, 0] / 100_000
    assert start == pytest.approx(100 * (737 + 80) / 1260, abs=0.5)


def test_batches_say_what_states_say() -> None:
    game = compiled("connect_four")
    simulator = game.simulator()
    states = [state for seed in range(5) for state in game.playout(seed) if isinstance(state, CompiledState)]
    legal = simulator.legal_moves(simulator.pack(states))
    _, terminal, goals = simulator.expand(simulator.pack(states))
    for at, state in enumerate(states):
        moves = {game.circuit.moves[number] for number in np.flatnonzero(legal[at]).tolist()}
        assert moves == {(role, move) for role in (0, 1) for move in state.legal(game.roles[role])}
        assert terminal[at] == state.is_terminal
        if state.is_terminal:
            assert tuple(goals[at].tolist()) == state.goals()


def test_successors_of_a_batch() -> None:
    simulator = compiled("door").simulator()
    rows, parents, _ = simulator.successors(simulator.pack([compiled("door").initial()]))
    assert parents.tolist() == [0, 0, 0, 0]
    joints = compiled("door").initial().joint_moves()
    assert simulator.unpack(rows) == [compiled("door").initial().play(joint) for joint in joints]


def test_weights_by_name() -> None:
    game = compiled("rock_paper_scissors")
    role, move = game.roles[0], game.initial().legal(game.roles[0])[0]
    simulator = game.simulator()
    weighted = simulator.playouts(1000, seed=1, weights={(role, move): 0.0})
    assert weighted.playouts == 1000
    with pytest.raises(ValueError, match="no move of"):
        simulator.playouts(1, weights={(role, parse_term("dynamite")): 1.0})


def test_long_games_are_cut_where_asked() -> None:
    found = compiled("circle").simulator().playouts(600, max_steps=7)
    assert (found.playouts, found.capped, found.steps) == (600, 600, 4200)
    assert compiled("circle").single.playouts(3, max_steps=7)["steps"] == 21


def test_endless_games_end_with_the_time() -> None:
    found = compiled("circle").simulator().playouts(seconds=0.05)
    assert found.playouts == 0
    assert found.unfinished > 0


def test_same_seed_same_playouts() -> None:
    simulator = compiled("connect_four").simulator()
    one = simulator.playouts(50_000, seed=7)
    other = compiled("connect_four").simulator().playouts(50_000, seed=7, threads=2)
    assert (one.histogram, one.steps) == (other.histogram, other.steps)
    assert one.steps != simulator.playouts(50_000, seed=8).steps


def test_a_beginner_plays_a_game() -> None:
    states = list(compiled("tictactoe").playout(seed=1))
    assert states[0] == compiled("tictactoe").initial()
    assert states[-1].is_terminal
    assert not any(state.is_terminal for state in states[:-1])
    assert states == list(reference("tictactoe").playout(seed=1))
    assert len(list(islice(reference("circle").playout(), 5))) == 5


def test_engines_without_lanes_say_so() -> None:
    with pytest.raises(GameError, match="one state at a time"):
        reference("door").simulator()


@pytest.mark.long
def test_rules_that_cannot_be_ground_are_refused_with_a_reason() -> None:
    endless = parse_kif("(role r) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))"
                        "(<= (legal r go) (true (n z)))"
                        "(goal r 0) (<= terminal (true (n done)))")  # fmt: skip
    with pytest.raises(GameError, match="cannot be compiled"):
        CompiledGame(endless, "endless", seconds=1.0, megabytes=500.0)


def test_rows_are_numbered_once() -> None:
    index = RowIndex(3)
    rows = np.array([[1, 2, 3], [4, 5, 6], [1, 2, 3]], np.uint8)
    assert index.add(rows).tolist() == [0, 1, 0]
    assert index.add(rows[1:]).tolist() == [1, 0]
    assert len(index) == 2
    assert index.rows(1).tolist() == [[4, 5, 6]]
    assert index.rows(0, 1).tolist() == [[1, 2, 3]]
    assert index.find(np.array([[4, 5, 6], [7, 8, 9]], np.uint8)).tolist() == [1, -1]
    assert len(index) == 2  # looking for a row does not add it


def test_many_rows_are_found_again() -> None:
    rows = np.arange(100_000, dtype=np.uint32).view(np.uint8).reshape(-1, 4)
    index = RowIndex(4)
    assert np.array_equal(index.add(rows), np.arange(100_000))
    assert np.array_equal(index.find(rows), np.arange(100_000))
    for first, most in ((0, 100_000), (16_000, 40_000), (99_990, 50)):
        assert np.array_equal(index.rows(first, most), rows[first : first + most])
