"""Search over information sets in kernels: the trees of the plain search, and what batches may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.knowledge.worlds import worlds_for
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.search import ismcts
from ludorum.search.budget import Budget
from ludorum.search.compiled_ismcts import CompiledIsmcts
from ludorum.search.decision import Choice, Decision, NoWorldError
from ludorum.search.ismcts import Ismcts, IsmctsConfig
from ludorum.search.world_votes import SampledWorld
from tests.engine.kernel_games import compile_here
from tests.library_games import compiled_game
from tests.search.test_world_searches import LOOK, NAME_IT, World, tossed

Observers = Literal["one", "all"]
OBSERVERS: tuple[Observers, ...] = ("one", "all")
PENNIES = """
    (role random) (role odd) (role even) (side heads) (side tails) (init (left 3)) (init (score 0))
    (succ 3 2) (succ 2 1) (succ 1 0) (more 0 1) (more 1 2) (more 2 3)
    (<= (legal random ?side) (side ?side))
    (<= (legal odd ?side) (side ?side))
    (<= (legal even ?side) (side ?side))
    (<= (next (left ?less)) (true (left ?now)) (succ ?now ?less))
    (<= same (does odd ?side) (does even ?side))
    (<= (next (score ?more)) (true (score ?now)) same (more ?now ?more))
    (<= (next (score ?now)) (true (score ?now)) (not same))
    (<= (next (told ?side)) (does random ?side))
    (<= (sees odd (was ?side)) (does even ?side) (does random heads))
    (<= (sees even hint) (true (told heads)))
    (<= (sees even matched) same)
    (<= terminal (true (left 0)))
    (<= (goal even 100) (true (score 3))) (<= (goal odd 0) (true (score 3)))
    (<= (goal even 70) (true (score 2))) (<= (goal odd 30) (true (score 2)))
    (<= (goal even 30) (true (score 1))) (<= (goal odd 70) (true (score 1)))
    (<= (goal even 0) (true (score 0))) (<= (goal odd 100) (true (score 0)))
    (goal random 0)
"""
"""Two choose at once, and nature with them; percepts depend on others and on earlier steps."""
STUCK = """
    (role a) (role b) (init (p 0)) (succ 0 1) (succ 1 2) (mine 0) (mine 1)
    (<= (legal a go) (true (p ?n)) (mine ?n))
    (<= (legal a stay) (true (p ?n)) (mine ?n))
    (legal b noop)
    (<= (next (p ?m)) (does a go) (true (p ?n)) (succ ?n ?m))
    (<= (next (p ?n)) (does a stay) (true (p ?n)))
    (<= terminal (true (p 3)))
    (<= (goal a 100) (true (p 2))) (<= (goal a 0) (not (true (p 2)))) (goal b 50)
"""
"""Whoever goes twice has no move, though the game is not over."""


@cache
def sheet(text: str) -> CompiledGame:
    return compile_here(parse_kif(text))


def followed(game: CompiledGame, role: Term, steps: int, count: int = 50) -> list[SampledWorld]:
    """Worlds of a random match after some steps, with what every role has seen."""
    sampler = worlds_for(game, role, 1, keep_views=True)
    seat = game.roles.index(role)
    for state in list(game.playout(3))[1 : steps + 1]:
        assert state.joint is not None
        sampler.update(state.joint[seat], state.percepts(role))
    return list(sampler.sample(count, 3))


SITUATIONS = [
    ("kuhn_poker", 1),
    ("monty_hall", 1),
    ("monty_hall_random", 2),
    ("liars_dice", 1),
    ("krieg_tictactoe", 3),
    ("meier", 2),
]


class Kept(Ismcts):
    """A plain search whose trees can be looked at."""

    def trees(
        self, game: CompiledGame, worlds: list[SampledWorld], role: Term, budget: Budget
    ) -> tuple[Decision, dict[tuple[int, int], ismcts._Node]]:
        roots: dict[tuple[int, int], ismcts._Node] = {}
        usual = self._roots

        def noted(*given: object) -> list[ismcts._Node]:
            found = usual(*given)  # type: ignore[arg-type]
            views = given[4]
            assert isinstance(views, tuple)
            for seat, node in enumerate(found):
                own = game.roles[seat] is role or self.config.observers == "one"
                roots[seat, 0 if own or not views else views[seat]] = node
            return found

        self._roots = noted  # type: ignore[method-assign, assignment]
        return self.search_worlds(worlds, role, budget), roots


Stats = dict[int, tuple[int, int, float]]


def plain_nodes(
    game: CompiledGame, seat: int, observer: int, root: ismcts._Node
) -> Iterator[tuple[list[tuple[int, list[int]]], Stats]]:
    """Every node of a plain tree: what its observer has moved and seen, and a role's statistics there."""
    numbers = {(whose, percept): at for at, (whose, percept, _) in enumerate(game.circuit.sees)}
    open_nodes: list[tuple[list[tuple[int, list[int]]], ismcts._Node]] = [([], root)]
    while open_nodes:
        past, node = open_nodes.pop()
        stats = node.moves.get(game.roles[seat], {})
        yield (
            past,
            {
                game.circuit.move_number(seat, move): (one.visits, one.available, one.total)
                for move, one in stats.items()
            },
        )
        for key, child in node.children.items():
            assert isinstance(key, tuple)
            move, percepts = key
            step = (
                game.circuit.move_number(observer, move),
                [numbers[observer, percept] for percept in percepts],
            )
            open_nodes.append(([*past, step], child))


# -- the twins -----------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("observers", OBSERVERS)
@pytest.mark.parametrize(("name", "steps"), SITUATIONS)
def test_one_descent_at_a_time_answers_as_the_plain_search_does(
    name: str, steps: int, observers: Observers
) -> None:
    game = compiled_game(name)
    role = game.info.players[-1]
    worlds = followed(game, role, steps)
    config = IsmctsConfig(seed=5, observers=observers, games_a_leaf=2, random_others=0.1)
    budget = Budget(playouts=300)
    plain = Ismcts(config).search_worlds(worlds, role, budget)
    fast = CompiledIsmcts(game, config, batch=1).search_worlds(worlds, role, budget)
    assert fast.choices == plain.choices
    assert (fast.move, fast.nodes, fast.playouts) == (plain.move, plain.nodes, plain.playouts)


@pytest.mark.parametrize("observers", OBSERVERS)
@pytest.mark.parametrize("seed", range(3))
def test_both_searches_grow_the_same_trees_node_by_node(observers: Observers, seed: int) -> None:
    game = sheet(PENNIES)
    role = game.info.players[1]
    worlds = followed(game, role, 1)
    assert len({world.views for world in worlds}) == 2
    config = IsmctsConfig(seed=seed, observers=observers)
    budget = Budget(playouts=400)
    _, roots = Kept(config).trees(game, worlds, role, budget)
    fast = CompiledIsmcts(game, config, batch=1)
    fast.search_worlds(worlds, role, budget)
    own = game.roles.index(role)
    compared = 0
    for (seat, view), root in roots.items():
        if seat == game.roles.index(Term("random")):
            continue
        observer = seat if observers == "all" else own
        for past, stats in plain_nodes(game, seat, observer, root):
            found = fast.kernel.look(seat, view, past)
            assert found is not None
            assert {move: tuple(rest) for move, *rest in found} == stats
            compared += 1
    assert compared > 30


def test_a_head_start_counts_the_same_in_both() -> None:
    game = sheet(LOOK)
    role = Term("player")
    worlds = list(tossed(game))
    before = Decision(
        role, Term("wait"), (Choice(Term("wait"), 9, 77.7), Choice(Term("look"), 3, 12.3)), 0, 0, 0.0
    )
    config = IsmctsConfig(seed=2, observers="all")
    plain = Ismcts(config).search_worlds(worlds, role, Budget(playouts=40), before, 7)
    fast = CompiledIsmcts(game, config, batch=1).search_worlds(worlds, role, Budget(playouts=40), before, 7)
    assert fast.choices == plain.choices
    assert sum(choice.visits for choice in fast.choices) == 40 + 2 * 7


def test_a_role_without_a_move_ends_a_descent_in_both() -> None:
    game = sheet(STUCK)
    role = Term("a")
    worlds: list[SampledWorld] = [World(game.initial(), 1.0)]
    config = IsmctsConfig(seed=3, max_steps=30)
    plain = Ismcts(config).search_worlds(worlds, role, Budget(playouts=200))
    fast = CompiledIsmcts(game, config, batch=1).search_worlds(worlds, role, Budget(playouts=200))
    many = CompiledIsmcts(game, config).search_worlds(worlds, role, Budget(playouts=200))
    assert fast.choices == plain.choices
    assert str(plain.move) == str(many.move) == "go"
    stuck = [World(game.parse_state("((p 2))"), 1.0)]
    for search in (Ismcts(config), CompiledIsmcts(game, config, batch=1), CompiledIsmcts(game, config)):
        with pytest.raises(NoWorldError, match="a cannot move in any of the worlds"):
            search.search_worlds(stuck, role, Budget(playouts=5))


# -- batches -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("observers", OBSERVERS)
@pytest.mark.parametrize("batch", [1, 2, 64, 0])
def test_every_descent_is_counted_once(observers: Observers, batch: int) -> None:
    """Visits of the moves of a node are those of its parent's move, but for its first."""
    game = sheet(PENNIES)
    role = Term("even")
    config = IsmctsConfig(seed=4, observers=observers, games_a_leaf=2)
    search = CompiledIsmcts(game, config, batch=batch)
    found = search.search_worlds([World(game.initial(), 1.0)], role, Budget(playouts=3000))
    assert found.playouts == sum(choice.visits for choice in found.choices) == 3000
    root = search.kernel.look()
    assert root is not None
    assert [available for _, _, available, _ in root] == [3000, 3000]
    percepts = [at for at, (seat, _, _) in enumerate(game.circuit.sees) if game.roles[seat] is role]
    sets: list[list[int]] = [[], *([one] for one in percepts), percepts]
    for move, visits, _, _ in root:
        later = [search.kernel.look(None, 0, [(move, some)]) for some in sets]
        deeper = sum(sum(edge[1] for edge in own) for own in later if own is not None)
        assert visits - 60 <= deeper < visits


@pytest.mark.parametrize(("name", "steps"), [("kuhn_poker", 1), ("monty_hall_random", 2), ("liars_dice", 1)])
def test_batches_find_the_values_of_single_descents(name: str, steps: int) -> None:
    game = compiled_game(name)
    role = game.info.players[0]
    worlds = followed(game, role, steps)
    config = IsmctsConfig(observers="all", games_a_leaf=4)
    one, many = (
        [
            CompiledIsmcts(game, replace(config, seed=seed), batch=batch).search_worlds(
                worlds, role, Budget(playouts=10_000)
            )
            for seed in range(3)
        ]
        for batch in (1, 0)
    )
    best = one[0].move
    assert {found.move for found in (*one, *many)} == {best}
    means = [np.mean([found.value for found in side]) for side in (one, many)]
    assert means[0] == pytest.approx(means[1], abs=1.5)


def test_the_candidate_wins_two_times_out_of_three_by_switching() -> None:
    game = compiled_game("monty_hall_random")
    role = Term("candidate")
    worlds = followed(game, role, 2)
    found = CompiledIsmcts(game, IsmctsConfig(seed=1, observers="all")).search_worlds(
        worlds, role, Budget(playouts=50_000)
    )
    assert str(found.move) == "switch"
    # The binomial distribution of 50,000 games: five standard deviations.
    assert found.value == pytest.approx(200 / 3, abs=1.1)


@pytest.mark.parametrize("batch", [1, 0])
def test_worlds_are_drawn_by_their_weights(batch: int) -> None:
    game = sheet(LOOK)
    worlds = [
        World(world.state.play((Term("noop"), Term("wait"))), weight, world.views)
        for world, weight in zip(tossed(game), (0.2, 0.6), strict=True)
    ]
    found = CompiledIsmcts(game, IsmctsConfig(seed=1), batch=batch).search_worlds(
        worlds, Term("player"), Budget(playouts=20_000)
    )
    values = {str(choice.move): (choice.value, choice.visits) for choice in found.choices}
    for move, share in (("(guess heads)", 25), ("(guess tails)", 75)):
        value, visits = values[move]
        assert value == pytest.approx(share, abs=5 * 43.4 / visits**0.5)


@pytest.mark.parametrize("batch", [1, 0])
def test_the_same_seed_gives_the_same_answer_and_another_one_another(batch: int) -> None:
    game = compiled_game("krieg_tictactoe")
    role = game.info.players[0]
    worlds = followed(game, role, 3)

    def ask(seed: int) -> tuple[Choice, ...]:
        search = CompiledIsmcts(game, IsmctsConfig(observers="all"), batch=batch).seeded(seed)
        return search.search_worlds(worlds, role, Budget(playouts=500)).choices

    assert ask(4) == ask(4) != ask(5)
    search = CompiledIsmcts(game, IsmctsConfig(observers="all"), batch=batch)
    both = [search.seeded(4).search_worlds(worlds, role, Budget(playouts=500)).choices for _ in range(2)]
    assert both == [ask(4), ask(4)]  # nothing is left of an earlier question


# -- information sets ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 0])
def test_what_a_role_has_not_seen_does_not_split_its_nodes(batch: int) -> None:
    """Nature's draw and the other's coin are hidden from even: all its worlds and steps share nodes."""
    game = sheet(PENNIES)
    role, seat = Term("even"), game.roles.index(Term("even"))
    sees = {str(percept): at for at, (whose, percept, _) in enumerate(game.circuit.sees) if whose == seat}
    search = CompiledIsmcts(game, IsmctsConfig(seed=1, observers="all"), batch=batch)
    search.search_worlds([World(game.initial(), 1.0)], role, Budget(playouts=4000))
    heads = game.circuit.move_number(seat, Term("heads"))
    root = search.kernel.look()
    assert root is not None
    visits = {move: count for move, count, _, _ in root}[heads]
    # It has seen whether the coins matched, and nothing else: two nodes, whatever nature drew.
    after = [search.kernel.look(seat, 0, [(heads, seen)]) for seen in ([], [sees["matched"]])]
    assert all(one is not None for one in after)
    counts = [sum(edge[1] for edge in one or ()) for one in after]
    assert visits - 20 <= sum(counts) < visits
    assert (
        search.kernel.look(seat, 0, [(heads, [sees["hint"]])]) is None
    )  # nothing was told before the first step


@pytest.mark.parametrize("observers", OBSERVERS)
@pytest.mark.parametrize("batch", [1, 0])
def test_worlds_that_look_alike_to_the_role_share_the_root(observers: Observers, batch: int) -> None:
    game = sheet(LOOK)
    search = CompiledIsmcts(game, IsmctsConfig(seed=1, observers=observers), batch=batch)
    search.search_worlds(list(tossed(game)), Term("player"), Budget(playouts=1000))
    seat = game.roles.index(Term("player"))
    number = {str(move): at for at, (_, move) in enumerate(game.circuit.moves)}
    seen = {str(percept): at for at, (_, percept, _) in enumerate(game.circuit.sees)}
    waited = search.kernel.look(seat, 0, [(number["wait"], [])])
    assert waited is not None  # one node for both sides of the coin: each guess is right half of the time
    assert all(abs(total / visits - 0.5) < 0.25 for _, visits, _, total in waited if visits > 20)
    for side in ("heads", "tails"):  # and a node for each side that was looked at
        looked = search.kernel.look(seat, 0, [(number["look"], [seen[side]])])
        assert looked is not None
        sure = {move: total / visits for move, visits, _, total in looked if visits}
        assert sure[number[f"(guess {side})"]] == pytest.approx(0.9)
    assert search.kernel.look(seat, 0, [(number["wait"], [seen["heads"]])]) is None


@pytest.mark.parametrize("batch", [1, 0])
def test_one_observer_bets_against_a_role_that_knows_and_all_observers_fold(batch: int) -> None:
    game = sheet(NAME_IT)
    noop = Term("noop")
    worlds = [
        World(game.initial().play((parse_term(f"(deal {card})"), noop, noop)), 0.5, (at, 1, 2 + at))
        for at, card in enumerate(("red", "black"))
    ]
    found = {
        observers: CompiledIsmcts(game, IsmctsConfig(seed=1, observers=observers), batch=batch).search_worlds(
            worlds, Term("me"), Budget(playouts=4000)
        )
        for observers in OBSERVERS
    }
    assert {observers: str(one.move) for observers, one in found.items()} == {"one": "bet", "all": "fold"}
    # Without views the other role does not know its card either, and one that sees nothing guesses.
    blind = [replace(world, views=()) for world in worlds]
    search = CompiledIsmcts(game, IsmctsConfig(seed=1, observers="all"), batch=batch)
    assert str(search.search_worlds(blind, Term("me"), Budget(playouts=4000)).move) == "bet"
