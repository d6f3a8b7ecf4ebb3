"""Samplers of worlds: exactly the states that agree with a role's view, as likely as their histories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.knowledge.knower import ImpossiblePerceptsError
from ludorum.knowledge.worlds import (
    PackedWorlds,
    PlainWorlds,
    PossibleState,
    ToldStep,
    WorldSampler,
    worlds_for,
)
from ludorum.knowledge.worlds.cloud import Cloud
from ludorum.knowledge.worlds.sampler import CallerClock
from ludorum.rules.kif import parse_term
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from tests.engine.test_lanes import chi_square_is_fine
from tests.how_much import sample, some
from tests.knowledge.brute_force import Posterior, posterior, row_of_eight, row_of_five, told_to
from tests.library_games import compiled_game

HIDDEN = sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")
MANY = 10**6


def compiled(name: str) -> CompiledGame:
    game = row_of_five() if name == "row_of_five" else compiled_game(name)
    assert isinstance(game, CompiledGame)
    return game


def followed(sampler: WorldSampler, steps: Sequence[ToldStep]) -> WorldSampler:
    for step in steps:
        sampler.update(step.move, step.percepts)
    return sampler


def shares(worlds: Sequence[PossibleState]) -> Posterior:
    found: Posterior = {}
    for one in worlds:
        found[one.state.facts()] = found.get(one.state.facts(), 0.0) + one.weight
    return found


def packed(game: Game, role: Term) -> WorldSampler:
    assert isinstance(game, CompiledGame)
    return PackedWorlds(game, role)


MAKERS: list[Callable[[Game, Term], WorldSampler]] = [packed, PlainWorlds]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "name", ["monty_hall", "monty_hall_random", "kuhn_poker", "row_of_five", "liars_dice"]
)
def test_probabilities_are_those_of_all_histories(
    name: str, make: Callable[[Game, Term], WorldSampler]
) -> None:
    game = compiled(name)
    for seed in range(some(9)):
        states = list(game.playout(seed))
        for role in game.info.players:
            steps = told_to(states, role)[: 3 if name == "row_of_five" else 4]
            sampler = make(game, role)
            for at, step in enumerate(steps):
                sampler.update(step.move, step.percepts)
                expected = posterior(game, role, steps[: at + 1])
                if not expected:
                    with pytest.raises(ImpossiblePerceptsError, match="is over"):
                        sampler.sample(MANY, 1)
                    continue
                assert sampler.is_exact
                assert shares(sampler.sample(MANY, 1)) == pytest.approx(expected)


def test_after_the_door_was_opened_the_car_is_behind_the_other_one_twice_as_often() -> None:
    game = compiled("monty_hall_random")
    candidate = game.role("candidate")
    sampler = packed(game, candidate)
    sampler.update(parse_term("(choose 1)"), ())
    sampler.update(parse_term("noop"), [Term("3")])
    found = {
        next(str(fact) for fact in one.state.facts() if fact.name == "car"): one.weight
        for one in sampler.sample(10, 1)
    }
    assert found == pytest.approx({"(car 1)": 1 / 3, "(car 2)": 2 / 3})


def stubborn(state: State, role: Term, moves: Sequence[Term]) -> list[float]:
    """A model: the first legal move three times as often as any other, the last one never."""
    return [3.0] + [1.0] * (len(moves) - 2) + [0.0] * (len(moves) > 1)


@pytest.mark.parametrize("name", ["kuhn_poker", "row_of_five"])
def test_a_model_of_the_others_weighs_their_histories(name: str) -> None:
    game = compiled(name)
    role = game.info.players[1]
    checked = 0
    for seed in range(12):
        steps = told_to(list(game.playout(seed)), role)[:3]
        expected = posterior(game, role, steps, stubborn) if _agrees(game, role, steps) else {}
        if not expected:
            continue
        for sampler in (
            PackedWorlds(game, role, model=stubborn),
            PlainWorlds(game, role, model=stubborn),
        ):
            assert shares(followed(sampler, steps).sample(MANY, 1)) == pytest.approx(expected)
        checked += 1
    assert checked > 2


def _agrees(game: CompiledGame, role: Term, steps: Sequence[ToldStep]) -> bool:
    """Whether the model allows what was told, and the match goes on."""
    try:
        return bool(followed(PlainWorlds(game, role, model=stubborn), steps).sample(1, 0))
    except ImpossiblePerceptsError:
        return False


def is_like(draws: Counter[frozenset[Term]], expected: Posterior) -> bool:
    """Chi-square of draws against probabilities; rare states count together."""
    count = draws.total()
    common = [facts for facts, chance in expected.items() if chance * count >= 8]
    rare = set(expected) - set(common)
    counts = [draws[facts] for facts in common] + [sum(draws[facts] for facts in rare)]
    wanted = [expected[facts] * count for facts in common] + [sum(expected[facts] for facts in rare) * count]
    kept = [at for at, one in enumerate(wanted) if one > 0]
    assert set(draws) <= set(expected)
    return chi_square_is_fine(np.array(counts, float)[kept], np.array(wanted)[kept])


@pytest.mark.parametrize("name", ["row_of_five", "meier", "liars_dice"])
def test_draws_have_the_exact_distribution(name: str) -> None:
    game = compiled(name)
    role = game.info.players[1]
    steps = told_to(list(game.playout(4)), role)[:2]
    sampler = followed(packed(game, role), steps)
    expected = shares(sampler.sample(MANY, 0))
    assert len(expected) > 4
    few = len(expected) - 1
    draws = Counter(one.state.facts() for seed in range(-(-4000 // few)) for one in sampler.sample(few, seed))
    assert is_like(draws, expected)


def packed_fewer(game: CompiledGame, role: Term, seed: int) -> WorldSampler:
    return PackedWorlds(game, role, seed, most=20)


def packed_drawn(game: CompiledGame, role: Term, seed: int) -> WorldSampler:
    return PackedWorlds(game, role, seed, most=20, most_joints=60)


def plain_fewer(game: CompiledGame, role: Term, seed: int) -> WorldSampler:
    return PlainWorlds(game, role, seed, most=20)


def plain_drawn(game: CompiledGame, role: Term, seed: int) -> WorldSampler:
    return PlainWorlds(game, role, seed, most=20, most_plays=60)


@pytest.mark.long
@pytest.mark.parametrize("make", [packed_fewer, packed_drawn, plain_fewer, plain_drawn])
def test_a_filter_that_drops_worlds_still_draws_them_by_their_histories(
    make: Callable[[CompiledGame, Term, int], WorldSampler],
) -> None:
    game = row_of_eight()
    role = game.roles[0]
    steps = told_to(list(game.playout(2)), role)[:3]
    expected = posterior(game, role, steps)
    assert len(expected) > 25
    draws: Counter[frozenset[Term]] = Counter()
    for seed in range(some(600)):
        sampler = followed(make(game, role, seed), steps)
        assert not sampler.is_exact
        draws.update(one.state.facts() for one in sampler.sample(1, seed))
    assert is_like(draws, expected)


@pytest.mark.parametrize("name", sample(HIDDEN, 3))
def test_the_true_state_is_a_world_while_all_are_kept(name: str) -> None:
    game = compiled(name)
    for role in game.info.players:
        sampler: PackedWorlds = PackedWorlds(game, role, 1, keep_views=True)
        states = list(game.playout(3))
        for state, step in zip(states[1:], told_to(states, role), strict=True):
            sampler.update(step.move, step.percepts)
            if sampler.is_exact and not state.is_terminal:
                assert state.facts() in shares(sampler.sample(MANY, 1))


def test_worlds_with_views_keep_apart_what_another_role_can_tell_apart() -> None:
    game = compiled("row_of_five")
    x = game.roles[0]
    steps = told_to(list(game.playout(2)), x)[:3]
    merged = followed(PackedWorlds(game, x), steps)
    apart = followed(PackedWorlds(game, x, keep_views=True), steps)
    plain = followed(PlainWorlds(game, x, keep_views=True), steps)
    assert merged.size < apart.size == plain.size  # o may have come to a state in several orders
    assert shares(apart.sample(MANY, 0)) == pytest.approx(shares(merged.sample(MANY, 0)))
    worlds = apart.sample(MANY, 0)
    assert len({one.views[0] for one in worlds}) == 1  # x has seen one thing
    assert len({one.views[1] for one in worlds}) == len({one.views[1] for one in plain.sample(MANY, 0)}) > 1


def test_percepts_that_no_history_explains_are_refused_and_change_nothing() -> None:
    game = compiled("monty_hall_random")
    candidate = game.role("candidate")
    for make in MAKERS:
        sampler = make(game, candidate)
        sampler.update(parse_term("(choose 1)"), ())
        before = shares(sampler.sample(MANY, 0))
        for move, percepts in [("noop", ["heaven"]), ("(choose 1)", []), ("fly", [])]:
            with pytest.raises(ImpossiblePerceptsError, match="in step 2"):
                sampler.update(parse_term(move), map(parse_term, percepts))
        assert shares(sampler.sample(MANY, 0)) == before
        assert sampler.is_exact


def test_a_lost_message_leaves_all_that_may_have_happened() -> None:
    game = row_of_five()
    x = game.roles[0]
    told = told_to(list(game.playout(2)), x)[:2]
    for make in MAKERS:
        whole, lost = make(game, x), make(game, x)
        followed(whole, told)
        lost.update(None, None)
        lost.update(told[1].move, told[1].percepts)
        assert set(shares(whole.sample(MANY, 0))) < set(shares(lost.sample(MANY, 0)))


def test_worlds_that_are_over_are_left_out() -> None:
    game = row_of_five()
    x = game.roles[0]
    sampler = packed(game, x)
    got = frozenset({Term("got")})
    sampler.update(parse_term("(mark a)"), got)
    sampler.update(parse_term("(mark b)"), got)
    with pytest.raises(ImpossiblePerceptsError, match="is over"):
        sampler.sample(5, 1)


def rare_match() -> tuple[CompiledGame, Term, list[ToldStep]]:
    """A match in which pieces are taken, which few worlds explain."""
    game = compiled("blind_breakthrough")
    role = game.roles[0]
    return game, role, told_to(list(game.playout(5)), role)


@pytest.mark.parametrize("seed", range(3))
def test_a_filter_that_dies_out_finds_worlds_again(seed: int) -> None:
    game, role, steps = rare_match()
    for sampler in (
        PackedWorlds(game, role, seed, most=2, most_joints=4),
        PlainWorlds(game, role, seed, most=2, most_plays=4),
    ):
        followed(sampler, steps[:-1])
        for one in sampler.sample(2, seed):
            assert one.state.legal(role)


def test_a_complete_engine_helps_a_filter_that_died_out() -> None:
    game, role, steps = rare_match()
    truth = list(game.playout(5))
    asked: list[int] = []

    def witness(told: Sequence[ToldStep], count: int, clock: CallerClock) -> list[list[tuple[Term, ...]]]:
        asked.append(len(told))
        return [[one.joint for one in truth[1 : len(told) + 1] if one.joint is not None]]

    sampler = PlainWorlds(game, role, 0, most=1, most_plays=1, reinvent=witness)
    for at, step in enumerate(steps[:-1], start=1):
        sampler.update(step.move, step.percepts)
        if asked and asked[-1] == at:
            assert [one.state for one in sampler.sample(1, 0)] == [truth[at]]
    assert asked


def test_the_same_seed_gives_the_same_worlds() -> None:
    game = compiled("krieg_tictactoe")
    role = game.roles[0]
    steps = told_to(list(game.playout(1)), role)[:6]
    one, other = (followed(PackedWorlds(game, role, 7), steps) for _ in range(2))
    assert [(w.state, w.weight) for w in one.sample(50, 3)] == [
        (w.state, w.weight) for w in other.sample(50, 3)
    ]


def test_the_sampler_of_a_game_without_a_circuit_is_the_plain_one() -> None:
    game = load_game("kuhn_poker")
    sampler = worlds_for(game, game.info.players[0])
    assert isinstance(sampler, PlainWorlds)
    fast = worlds_for(compiled("kuhn_poker"), game.info.players[0])
    for step in told_to(list(game.playout(1)), game.info.players[0])[:2]:
        sampler.update(step.move, step.percepts)
        fast.update(step.move, step.percepts)
        assert shares(sampler.sample(9, 1)) == pytest.approx(shares(fast.sample(9, 1)))


def test_rows_of_one_key_that_differ_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ludorum.knowledge.worlds.cloud.row_keys", lambda rows: np.zeros(len(rows), np.uint64)
    )
    rows = np.array([[1], [2], [1]], np.uint8)
    cloud = Cloud(rows, np.array([0.2, 0.5, 0.3]), np.zeros((3, 1), np.uint64)).merged()
    assert dict(zip(cloud.rows[:, 0].tolist(), cloud.weights.tolist(), strict=True)) == {1: 0.5, 2: 0.5}
