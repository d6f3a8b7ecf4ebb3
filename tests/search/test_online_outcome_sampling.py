"""Online outcome sampling: it approaches an equilibrium, and targets change how fast, not what is learned."""

from __future__ import annotations

import numpy as np
import pytest

from ludorum.engine.game import Game
from ludorum.rules.terms import Term
from ludorum.search.online_outcome_sampling import (
    History,
    LearnedSet,
    OnlineOutcomeSampling,
    OosConfig,
    view_after,
)
from ludorum.solve.equilibrium.evaluate import Passes, Profile
from ludorum.solve.equilibrium.game_tree import GameTree
from ludorum.solve.equilibrium.make_tree import make_tree
from ludorum.solve.equilibrium.method import RegretMethod
from ludorum.solve.equilibrium.minimise import RegretMinimiser
from tests.how_much import some
from tests.library_games import compiled_game

ALICE, BOB = Term("alice"), Term("bob")
MIDDLE = 50


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return compiled_game("kuhn_poker")


@pytest.fixture(scope="module")
def tree(kuhn: Game) -> GameTree:
    return make_tree(kuhn)


def profile_of(search: OnlineOutcomeSampling, tree: GameTree) -> Profile:
    """The average strategies, evenly where nothing was learned."""
    profile = Passes(tree).uniform.copy()
    for one in tree.sets:
        found = search.find(one.role, one.history)
        if found is not None:
            known = dict(zip(found.moves, found.average(), strict=True))
            profile[one.first : one.first + len(one.moves)] = [known[move] for move in one.moves]
    return profile


def after_a_bet(tree: GameTree) -> History:
    """What alice has seen when she has checked a queen and bob has bet."""
    return next(
        one.history
        for one in tree.sets
        if one.role is ALICE and len(one.history) == 4 and "queen" in str(one)
    )


@pytest.mark.long
def test_the_average_strategies_approach_an_equilibrium(kuhn: Game, tree: GameTree) -> None:
    search = OnlineOutcomeSampling(kuhn, ALICE, OosConfig(seed=1))
    passes = Passes(tree)
    assert passes.exploitability(profile_of(search, tree)) == pytest.approx(25 * 11 / 24)
    search.run(500)
    early = passes.exploitability(profile_of(search, tree))
    search.run(3500)
    late = passes.exploitability(profile_of(search, tree))
    assert late < early < 6
    assert late < 2
    assert len(search.sets) == len(tree.sets)


@pytest.mark.long
def test_targeted_samples_approach_it_as_well(kuhn: Game, tree: GameTree) -> None:
    search = OnlineOutcomeSampling(kuhn, ALICE, OosConfig(seed=1))
    assert search.aim(after_a_bet(tree))
    search.run(3000)
    assert Passes(tree).exploitability(profile_of(search, tree)) < 4


def test_targets_make_the_present_choice_sure_sooner(kuhn: Game, tree: GameTree) -> None:
    """Nearly all games that are sampled come to what alice has seen: without a target one in 24 does."""
    history = after_a_bet(tree)
    counts = []
    for aimed in (False, True):
        search = OnlineOutcomeSampling(kuhn, ALICE, OosConfig(seed=2))
        if aimed:
            search.aim(history)
        view = 0
        for move, percepts in history:
            view = view_after(view, move, percepts)
        seat = kuhn.roles.index(ALICE)
        met = [(seat, view) in {one.key for one in search.sample(seat)} for _ in range(300)]
        counts.append(sum(met))
    assert counts[0] < 40
    assert counts[1] > 250


@pytest.mark.parametrize("where", ["nowhere", "after a bet", "at the start"])
def test_expected_lessons_are_the_regrets_of_the_whole_tree(kuhn: Game, tree: GameTree, where: str) -> None:
    """Whatever the target: the mean of many samples is what one iteration of CFR over the whole tree adds."""
    exact = RegretMinimiser(tree, RegretMethod.CFR, simultaneous=True)
    exact.run(1)
    search = OnlineOutcomeSampling(kuhn, ALICE, OosConfig(seed=3))
    if where != "nowhere":
        first = next(one.history for one in tree.sets if one.role is ALICE)
        search.aim(after_a_bet(tree) if where == "after a bet" else first)
    count = some(20_000, 8)
    sums, squares = sums_of_lessons(search, tree, count)
    means = sums / count
    errors = np.sqrt((squares / count - means**2) / count)
    assert (np.abs(means - exact.regrets / MIDDLE) < 4.5 * errors).all()


def sums_of_lessons(search: OnlineOutcomeSampling, tree: GameTree, count: int) -> tuple[Profile, Profile]:
    """The sums of regrets and of their squares over so many games for each player; nothing is learned."""
    slots: dict[tuple[int, int], int] = {}
    for one in tree.sets:
        view = 0
        for move, percepts in one.history:
            view = view_after(view, move, percepts)
        slots[search.game.roles.index(one.role), view] = one.first
    sums, squares = np.zeros(tree.slots), np.zeros(tree.slots)
    for _ in range(count):
        for player in (search.game.roles.index(ALICE), search.game.roles.index(BOB)):
            for lesson in search.sample(player):
                place = slice(slots[lesson.key], slots[lesson.key] + len(lesson.moves))
                sums[place] += lesson.regrets
                squares[place] += np.square(lesson.regrets)
    return sums, squares


def test_a_target_has_the_histories_that_agree_and_no_others(kuhn: Game, tree: GameTree) -> None:
    search = OnlineOutcomeSampling(kuhn, ALICE)
    assert search.aim(after_a_bet(tree))
    assert search.target is not None
    # Alice has the queen; bob may have the jack or the king, and has bet.
    assert [sum(map(len, step.values())) for step in search.target.steps] == [1, 2, 2, 2]


def test_too_many_histories_leave_samples_without_a_target() -> None:
    game = compiled_game("liars_dice")
    state = next(iter(game.playout(1)))
    moves = [state.legal(role)[0] for role in game.roles]
    after = state.play(moves)
    role = game.role("alice")
    history = [(moves[game.roles.index(role)], frozenset(after.percepts(role)))]
    search = OnlineOutcomeSampling(game, role, OosConfig(most_plays=2))
    assert not search.aim(history)
    search.run(2)
    assert search.samples == 4


def test_the_same_seed_learns_the_same(kuhn: Game) -> None:
    first, again = (OnlineOutcomeSampling(kuhn, ALICE, OosConfig(seed=5)) for _ in range(2))
    for search in (first, again):
        search.run(50)
    assert [one.regrets for one in first.sets.values()] == [one.regrets for one in again.sets.values()]


def test_strategies_follow_regrets_above_nothing() -> None:
    one = LearnedSet((ALICE, BOB))
    assert one.strategy() == [0.5, 0.5]
    one.regrets = [-3.0, 2.0]
    assert one.strategy() == [0.0, 1.0]


@pytest.mark.parametrize("settings", [{"exploration": 0.0}, {"targeting": 1.0}, {"targeting": -0.1}])
def test_settings_that_would_be_biased_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="exploration is above 0"):
        OosConfig(**settings)  # type: ignore[arg-type]
