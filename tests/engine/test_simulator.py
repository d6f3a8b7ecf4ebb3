"""Simulators: arrays in and out, policies, memory, threads."""

import tracemalloc

import numpy as np
import pytest

from ludorum.engine.simulator import Packed
from tests.library_games import compiled_game


def evenly(states: Packed, legal: np.ndarray) -> np.ndarray:
    return np.ones(legal.shape)


def test_memory_is_reported() -> None:
    memory = compiled_game("connect_four").memory
    assert memory.state == compiled_game("connect_four").state_bytes == 11
    assert memory.state_object <= 96
    assert memory.lane == pytest.approx(memory.block / compiled_game("connect_four").simulator().lanes)
    assert memory.as_json()["state"] == 11


@pytest.mark.long
def test_a_million_states_in_a_batch_take_eleven_megabytes() -> None:
    simulator = compiled_game("connect_four").simulator()
    rows = simulator.pack([compiled_game("connect_four").initial()])
    tracemalloc.start()
    while len(rows) < 1_000_000:
        rows = np.concatenate(
            [simulator.successors(part)[0] for part in np.array_split(rows, 1 + len(rows) // 20_000)]
        )
    held = rows[:1_000_000].copy()
    del rows
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held.nbytes == 11_000_000
    assert size < 12_000_000
    _, terminal, _ = simulator.expand(held)
    assert len(terminal) == 1_000_000


def test_batches_are_not_copied() -> None:
    simulator = compiled_game("connect_four").simulator()
    rows = np.repeat(simulator.pack([compiled_game("connect_four").initial()]), 100_000, axis=0)
    tracemalloc.start()
    legal, terminal, goals = simulator.expand(rows)
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The results belong to the kernel; Python sees them through views and makes nothing of its own.
    assert size < 100_000
    assert not legal.flags.owndata
    assert not terminal.flags.owndata
    assert not goals.flags.owndata


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "othello", "rock_paper_scissors"])
def test_threads_change_nothing_but_the_time(name: str) -> None:
    simulator = compiled_game(name).simulator()
    one, two, three = (simulator.playouts(20_000, seed=5, threads=threads) for threads in (1, 2, 3))
    assert (one.steps, one.histogram) == (two.steps, two.histogram) == (three.steps, three.histogram)
    rows = np.repeat(simulator.pack([compiled_game(name).initial()]), 700, axis=0)
    alone, shared = (simulator.playouts_from(rows, 3, seed=5, threads=threads) for threads in (1, 2))
    assert np.array_equal(alone, shared)
    for one_array, other in zip(simulator.expand(rows), simulator.expand(rows, 2), strict=True):
        assert np.array_equal(np.asarray(one_array), np.asarray(other))


def test_an_even_policy_plays_like_random() -> None:
    game = compiled_game("tictactoe")
    goals, lengths = game.simulator().playouts_by(evenly, count=20_000, seed=1)
    assert goals.mean(axis=0) == pytest.approx([64.84, 35.16], abs=1.5)
    assert lengths.min() == 5
    assert lengths.max() == 9


def test_a_policy_decides() -> None:
    game = compiled_game("tictactoe")
    first = game.circuit.role_moves[0]

    def lowest_for_x(states: Packed, legal: np.ndarray) -> np.ndarray:
        weights = np.ones(legal.shape)
        weights[:, first.start : first.stop] = 0
        weights[np.arange(len(legal)), legal[:, first.start : first.stop].argmax(axis=1)] = 1
        return weights

    goals, _ = game.simulator().playouts_by(lowest_for_x, count=5_000, seed=2)
    again, _ = game.simulator().playouts_by(lowest_for_x, count=5_000, seed=2, threads=2)
    assert np.array_equal(goals, again)
    assert goals[:, 0].mean() > 70  # corner, then along the row: better than chance


def test_a_policy_begins_where_it_is_told_and_stops_when_it_is_told() -> None:
    game = compiled_game("tictactoe")
    simulator = game.simulator()
    rows = simulator.pack(list(game.playout(seed=3)))
    goals, lengths = simulator.playouts_by(evenly, rows, seed=0)
    assert lengths[-1] == 0
    assert (goals >= 0).all()
    _, cut = simulator.playouts_by(evenly, rows, seed=0, max_steps=2)
    assert np.array_equal(cut, np.minimum(lengths, 2)) or cut.max() == 2


def test_where_a_policy_gives_no_weight_all_moves_are_as_likely() -> None:
    game = compiled_game("tictactoe")
    goals, _ = game.simulator().playouts_by(lambda states, legal: np.zeros(legal.shape), count=10_000)
    assert goals.mean(axis=0) == pytest.approx([64.84, 35.16], abs=1.5)
