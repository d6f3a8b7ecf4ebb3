"""Best-first search: plans that replay, A* as short as breadth-first, and its parts against plain ones."""

import heapq
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget, best_first
from ludorum.search.best_first import BestFirst, OpenList
from ludorum.search.breadth_first import breadth_first
from ludorum.search.novelty import Novelty
from ludorum.search.plan import play_plan
from ludorum.search.single_player import SinglePlayer
from tests.library_games import compiled_game
from tests.search.test_distances import CORRIDOR

ENOUGH = Budget(nodes=200_000)


@pytest.mark.parametrize(
    ("name", "moves"), {"buttons": 6, "blocks": 3, "maze": 6, "eight_puzzle": 18, "sokoban": 27}.items()
)
def test_a_star_finds_shortest_plans(name: str, moves: int) -> None:
    game = compiled_game(name)
    plan = BestFirst(game).shortest(budget=ENOUGH)
    assert plan is not None
    assert (plan.goal, len(plan.moves), plan.optimal, plan.shortest) == (100, moves, True, True)
    assert play_plan(load_game(name, "reference").initial(), plan.moves).goals() == (100,)
    blind = breadth_first(game, budget=ENOUGH, ignore_steps=name != "maze")
    assert blind is None or plan.nodes <= blind.nodes


@pytest.mark.parametrize("name", ["buttons", "blocks", "maze", "eight_puzzle", "sokoban", "lights_out"])
def test_greedy_plans_replay(name: str) -> None:
    plan = BestFirst(compiled_game(name)).greedy(budget=ENOUGH)
    assert plan is not None
    assert (plan.goal, plan.optimal, plan.shortest, plan.method) == (100, True, False, "greedy by distances")
    end = play_plan(load_game(name, "reference").initial(), plan.moves)
    assert end.is_terminal
    assert end.goals() == (100,)


def switches(goals: str) -> CompiledGame:
    """24 switches that are off, with 16 million positions; ``dark`` says that one is."""
    switches = " ".join(f"(switch {number}) (init (off {number}))" for number in range(24))
    text = f"""
    (role you) {switches}
    (<= (legal you (flip ?s)) (switch ?s))
    (<= (next (off ?s)) (true (off ?s)) (not (does you (flip ?s))))
    (<= (next (off ?s)) (does you (flip ?s)) (switch ?s) (not (true (off ?s))))
    (<= dark (true (off ?s)))
    (<= (next odd) (not (true odd)))
    (<= terminal (not dark))
    {goals}
    """
    return CompiledGame(parse_kif(text), "switches")


def test_the_sum_of_distances_leads_to_a_plan_that_breadth_cannot_see() -> None:
    """Each switch that is on is nearer to the goal."""
    game = switches("(<= (goal you 100) (not dark)) (<= (goal you 0) dark)")
    plan = BestFirst(game).greedy(budget=Budget(nodes=20_000))
    assert plan is not None
    assert (plan.goal, len(plan.moves)) == (100, 24)
    assert breadth_first(game, budget=Budget(nodes=20_000)) is None


@pytest.mark.long
def test_a_goal_that_cannot_be_ruled_out_does_not_keep_others_from_being_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All switches are on after an even number of moves: no search sees that 100 is out of reach."""
    monkeypatch.setattr(best_first, "ROUND", 10_000)
    game = switches(
        "(<= (goal you 100) (not dark) (true odd)) (<= (goal you 70) (not dark) (not (true odd)))"
    )
    heard: list[tuple[int, bool]] = []
    search = BestFirst(game)
    plan = search.greedy(
        budget=Budget(nodes=40_000), on_better=lambda plan: heard.append((plan.goal, plan.optimal))
    )
    assert plan is not None
    assert (plan.goal, len(plan.moves), plan.optimal) == (70, 24, False)
    assert heard == [(70, False)]


def test_what_cannot_be_reached_is_proved() -> None:
    """The lamp can be lit at the start only, so from the next place on 60 is the best."""
    game = CompiledGame(parse_kif(CORRIDOR), "corridor")
    walk = next(move for move in game.initial().legal(game.roles[0]) if str(move) != "light")
    search = BestFirst(game)
    for find in (search.greedy, search.shortest):
        first, later = find(budget=ENOUGH), find(game.initial().play((walk,)), ENOUGH)
        assert first is not None
        assert later is not None
        assert (first.goal, len(first.moves), first.optimal) == (100, 5, True)
        assert (later.goal, len(later.moves), later.optimal) == (60, 3, True)
        assert find(budget=Budget(nodes=1)) is None


def test_without_a_circuit_there_is_no_plan() -> None:
    assert BestFirst(load_game("blocks", "lifted")).greedy(budget=ENOUGH) is None


def test_the_player_of_puzzles_proves_shortest_plans_by_a_star() -> None:
    """Where breadth-first search is cut off, A* goes on with what it knows."""
    game = compiled_game("eight_puzzle")
    few = Budget(nodes=9_000)
    assert breadth_first(game, budget=few, ignore_steps=True) is None
    plan = SinglePlayer(game).plan(budget=few, shortest=True)
    assert plan is not None
    assert (len(plan.moves), plan.shortest, plan.method) == (18, True, "A* by distances")


@pytest.mark.parametrize("name", ["buttons", "blocks"])
def test_a_search_that_is_cut_off_says_nothing_false(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of positions, few of them estimated at once: a shortest plan, or none."""
    monkeypatch.setattr(best_first, "AT_ONCE", 3)
    game = compiled_game(name)
    search = BestFirst(game)
    whole = search.shortest(budget=ENOUGH)
    assert whole is not None
    lengths = set()
    for nodes in range(whole.nodes + 2):
        plan = search.shortest(budget=Budget(nodes=nodes))
        lengths.add(None if plan is None else (plan.goal, len(plan.moves)))
    assert lengths == {None, (100, len(whole.moves))}


def test_a_search_without_memory_ends() -> None:
    game = compiled_game("lights_out")
    assert BestFirst(game, memory_bytes=1000).shortest(budget=Budget(nodes=10**9)) is None


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=6), max_size=6))
@settings(deadline=None)
def test_an_open_list_gives_the_least_first(batches: list[list[tuple[int, bool]]]) -> None:
    """As a heap would, whatever is pushed between; of equal ones the latest, and none that are done."""
    found = OpenList()
    plain: list[int] = []
    heap: list[tuple[int, int]] = []
    done = np.array([is_done for batch in batches for _, is_done in batch] + [False])
    number = 0
    for batch in batches:
        keys = np.array([key for key, _ in batch], np.int64)
        found.push(keys, np.arange(number, number + len(batch)))
        for key, _ in batch:
            heapq.heappush(heap, (key, number))
            number += 1
        keys_of = {each: key for key, each in heap}
        taken = found.pop(2, done).tolist()
        heap = [(key, each) for key, each in heap if not done[each]]
        best = sorted(key for key, _ in heap)[:2]
        assert sorted(keys_of[each] for each in taken) == best
        heap = [(key, each) for key, each in heap if each not in taken]
        plain += taken
    rest = found.pop(100, done).tolist()
    assert sorted(plain + rest) == np.flatnonzero(~done[:-1]).tolist()


@given(
    st.lists(
        st.lists(st.tuples(st.frozensets(st.integers(0, 9)), st.integers(0, 1)), min_size=1, max_size=4),
        max_size=5,
    )
)
@settings(deadline=None)
def test_novelty_is_a_fact_or_a_pair_that_was_not_there(
    batches: list[list[tuple[frozenset[int], int]]],
) -> None:
    """Batches are looked at as a whole: what two positions of one have in common is new in both."""
    novelty = Novelty(10)
    seen: tuple[set[frozenset[int]], ...] = (set(), set())
    for batch in batches:
        flags = np.array([[fact in facts for fact in range(10)] for facts, _ in batch])
        rows = np.packbits(flags, axis=1, bitorder="little")
        found = novelty.rank(rows, rows, np.array([part for _, part in batch], np.int32)).tolist()
        fresh: tuple[set[frozenset[int]], ...] = (set(), set())
        for rank, (facts, part) in zip(found, batch, strict=True):
            single = {frozenset([fact]) for fact in facts}
            pairs = {frozenset(pair) for pair in combinations(facts, 2)}
            expected = 0 if single - seen[part] else 1 if pairs - seen[part] else 2
            assert rank == expected
            fresh[part].update(single | pairs)
        for part in (0, 1):
            seen[part].update(fresh[part])
