"""Searches where nature draws by weights, with several roles at once: all have the odds of the sheet."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.knowledge.worlds.packed import PackedWorlds
from ludorum.knowledge.worlds.plain import PlainWorlds
from ludorum.knowledge.worlds.sampler import PossibleState
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from ludorum.search.belief_search import BeliefSearch
from ludorum.search.budget import Budget, Stopwatch
from ludorum.search.compiled_ismcts import CompiledIsmcts
from ludorum.search.compiled_mcts import CompiledTree
from ludorum.search.exact import find_values
from ludorum.search.hyperplay import HyperPlay, HyperPlayConfig
from ludorum.search.hyperplay_two import HyperPlayTwo, HyperPlayTwoConfig
from ludorum.search.ismcts import Ismcts, IsmctsConfig
from ludorum.search.maxn import MaxN
from ludorum.search.mcts_config import MctsConfig
from ludorum.search.online_outcome_sampling import OnlineOutcomeSampling, OosConfig
from ludorum.search.plain_mcts.mcts import PlainTree
from ludorum.search.world_votes import WorldSearcher
from ludorum.solve.equilibrium.evaluate import Passes
from ludorum.solve.equilibrium.plain_cfr import PlainCfr
from ludorum.solve.equilibrium.plain_tree import make_plain_tree
from ludorum.solve.equilibrium.tree_in_lanes import make_tree_in_lanes
from ludorum.solve.values.simultaneous import solve_simultaneous
from tests.engine.kernel_games import compile_here
from tests.rules.wdl.sheets import sheet_of

GAMBLE = """
(role ann) (init start)
(random coin 1 heads) (random coin 3 tails)
(random die 500 low) (random die 299 middle) (random die 201 high)
(<= (legal ann (bet coin die)) (true start))
(<= (legal ann (call coin)) (true start))
(<= (legal ann pass) (true start))
(<= (next (bet ?c ?d)) (does ann (bet ?c ?d)))
(<= (next (called ?c)) (does ann (call ?c)))
(<= (next passed) (does ann pass))
(<= over (true (bet ?c ?d))) (<= over (true (called ?c))) (<= over (true passed)) (<= terminal over)
(<= (goal ann 100) (true (bet heads high))) (<= (goal ann 60) (true (bet tails high)))
(<= (goal ann 40) (true (bet ?c middle))) (<= (goal ann 10) (true (bet ?c low)))
(<= (goal ann 80) (true (called heads))) (<= (goal ann 20) (true (called tails)))
(<= (goal ann 30) (true passed))
"""
"""To bet is worth 10 * 1/2 + 40 * 299/1000 + (100/4 + 60 * 3/4) * 201/1000, to call 80/4 + 20 * 3/4."""
BET = Fraction(10, 2) + 40 * Fraction(299, 1000) + 70 * Fraction(201, 1000)
CALL = Fraction(35)

HIDDEN = """
(role ann) (role random) (init start)
(<= (legal random (draw six ?k)) (true start) (copy ?k)) (copy 1) (copy 2) (copy 3)
(<= (legal random (draw one 1)) (true start))
(<= (legal random noop) (not (true start)))
(<= (legal ann wait) (true start))
(<= (legal ann (guess ?n)) (true (drawn ?m)) (number ?n)) (number one) (number six)
(<= (next (drawn ?n)) (does random (draw ?n ?k)))
(<= (next right) (does ann (guess ?n)) (true (drawn ?n)))
(<= (next wrong) (does ann (guess ?n)) (not (true (drawn ?n))))
(<= terminal (true right)) (<= terminal (true wrong))
(<= (sees ann nothing) (true start) (true wrong))
(<= (goal ann 100) (true right)) (<= (goal ann 0) (true wrong))
"""
"""Nature draws a six three times as often as a one, and ann guesses what she has not seen."""


def rules_of(text: str) -> Ruleset:
    return to_gdl2(sheet_of(text)).rules


@pytest.fixture(scope="module")
def gamble() -> CompiledGame:
    return compile_here(rules_of(GAMBLE))


def test_it_has_a_role_of_nature_for_each_name(gamble: CompiledGame) -> None:
    assert list(map(str, gamble.roles)) == ["ann", "(random ann coin)", "(random ann die)"]
    assert gamble.info.players == (Term("ann"),)
    assert gamble.info.chance_seats == (1, 2)


@pytest.mark.parametrize("config", [
    MctsConfig(seed=4, batch=1), MctsConfig(seed=4, batch=1, policy="mast"),
    MctsConfig(seed=4, batch=1, rave="rave"), MctsConfig(seed=4, batch=1, solver=False),
], ids=["ucb", "policy", "rave", "no proofs"])  # fmt: skip
def test_the_compiled_tree_draws_as_the_plain_one_does(gamble: CompiledGame, config: MctsConfig) -> None:
    start, found = gamble.initial(), []
    for tree in (PlainTree(gamble, config), CompiledTree(gamble, config)):
        tree.grow(start, 0, Stopwatch(Budget(playouts=300)))
        stats = tree.look(start)
        assert stats is not None
        found.append((stats.stats, stats.visits, stats.means))
    assert found[0] == found[1]


@pytest.mark.parametrize("batch", [1, 0])
def test_trees_come_to_the_value_by_the_weights(gamble: CompiledGame, batch: int) -> None:
    tree = CompiledTree(gamble, MctsConfig(seed=1, batch=batch, solver=False))
    start = gamble.initial()
    tree.grow(start, 0, Stopwatch(Budget(playouts=60_000)))
    stats = tree.look(start)
    assert stats is not None
    means = {one.move.name: one.points / max(1, one.visits) for one in stats.stats[0]}
    assert means["call"] == pytest.approx(float(CALL), abs=1.5)
    assert means["bet"] == pytest.approx(float(BET), abs=1.5)
    assert means["pass"] == 30


@pytest.mark.parametrize("make", [compile_here, LiftedGame])
def test_values_are_exact(make: type) -> None:
    game: Game = make(rules_of(GAMBLE))
    start = game.initial()
    assert solve_simultaneous(start, Stopwatch(Budget(seconds=60))).value == CALL
    choices = {c.move.name: c.value for c in MaxN(game).search(start, "ann", Budget(nodes=10_000)).choices}
    assert choices["bet"] == pytest.approx(float(BET), abs=0.5)
    assert choices["call"] == pytest.approx(float(CALL), abs=0.5)


@pytest.mark.parametrize("make", [compile_here, LiftedGame])
def test_induction_takes_draws_of_several_roles_as_one(make: type) -> None:
    game: Game = make(rules_of(ROLL))
    solved = find_values(game)
    assert (solved.value(game.initial(), "ann"), solved.denominator) == (25.0, 4)


METHODS: dict[str, Callable[[CompiledGame], WorldSearcher]] = {
    "ismcts": lambda _: Ismcts(IsmctsConfig(seed=2)),
    "compiled ismcts": lambda game: CompiledIsmcts(game, IsmctsConfig(seed=2), batch=1),
    "ismcts in lanes": lambda game: CompiledIsmcts(game, IsmctsConfig(seed=2)),
    "hyperplay": lambda game: HyperPlay(game, HyperPlayConfig(seed=2)),
    "hyperplay two": lambda game: HyperPlayTwo(game, HyperPlayTwoConfig(seed=2)),
}


@pytest.mark.parametrize("name", METHODS)
def test_searches_of_worlds_draw_by_the_weights(gamble: CompiledGame, name: str) -> None:
    worlds = [PossibleState(gamble.initial(), 1.0, (0, 0, 0))]
    budget = Budget(playouts=5_000 if name == "ismcts" else 30_000)
    found = METHODS[name](gamble).search_worlds(worlds, Term("ann"), budget)
    values = {choice.move.name: choice.value for choice in found.choices}
    assert values["call"] == pytest.approx(float(CALL), abs=2)
    assert values["bet"] == pytest.approx(float(BET), abs=2)


def test_beliefs_are_followed_by_the_weights(gamble: CompiledGame) -> None:
    row = np.frombuffer(gamble.initial().bits, np.uint8)[None, :]
    found = BeliefSearch(gamble, Term("ann")).search(row, np.ones(1), Budget(seconds=20))
    assert found.move.name == "call"
    assert found.choices[0].value == pytest.approx(float(CALL))


def test_outcome_sampling_draws_by_the_weights(gamble: CompiledGame) -> None:
    search = OnlineOutcomeSampling(gamble, Term("ann"), OosConfig(seed=1))
    search.run(4000)
    learned = search.find(Term("ann"), [])
    assert learned is not None
    assert max(zip(learned.average(), learned.moves, strict=True))[1].name == "call"


ROLL = """
(role ann) (init start) (random first 1 yes) (random first 3 no) (random second 1 yes) (random second 0 no)
(<= (legal ann (roll first second)) (true start)) (<= (next (got ?a ?b)) (does ann (roll ?a ?b)))
(<= terminal (true (got ?a ?b))) (<= (goal ann 100) (true (got yes yes))) (<= (goal ann 0) (true (got no ?b)))
"""


def test_trees_of_information_sets_have_weights() -> None:
    for text, expected in ((HIDDEN, [1, 3]), (GAMBLE, None)):
        rules = parse_kif(text) if text is HIDDEN else rules_of(text)
        game = compile_here(rules)
        plain = make_plain_tree(LiftedGame(rules), LiftedGame(rules).initial(), 1000)
        lanes = make_tree_in_lanes(game, game.initial(), 1000)
        for name in (
            "player",
            "first_edge",
            "child",
            "weight",
            "slot",
            "information_set",
            "values",
            "levels",
        ):
            assert np.array_equal(getattr(plain, name), getattr(lanes, name)), name
        if expected:
            drawn = [w for w, mover in zip(plain.weight, Passes(plain).mover, strict=True) if mover < 0]
            assert sorted(drawn) == expected


def test_an_equilibrium_knows_the_odds() -> None:
    tree = make_plain_tree(LiftedGame(parse_kif(HIDDEN)), LiftedGame(parse_kif(HIDDEN)).initial(), 1000)
    cfr = PlainCfr(tree)
    cfr.run(50)
    assert Passes(tree).values(cfr.average())[0, 0] == pytest.approx(75, abs=1)


TOSS = """
(role ann) (role bob) (random coin 1 heads) (random coin 3 tails) (init start)
(<= (legal ann (toss (visible ann coin))) (true start)) (<= (legal bob wait) (true start))
(<= (legal ?p stay) (role ?p) (not (true start)))
(<= (next (lies ?c)) (does ann (toss ?c))) (<= (next (lies ?c)) (true (lies ?c)))
(<= terminal (true never)) (goal ann 0) (goal bob 0)
"""


@pytest.mark.parametrize("written", ["weights", "copies"])
def test_worlds_are_as_likely_as_the_weights_say(written: str) -> None:
    translated = rules_of(TOSS)
    rules = translated if written == "weights" else translated.as_sent
    for game, kind in ((compile_here(rules), PackedWorlds), (LiftedGame(rules), PlainWorlds)):
        worlds = kind(game, game.role("bob"))  # type: ignore[arg-type]
        match = game.initial().play({"ann": game.initial().legal("ann")[0]} | {
            role: game.initial().legal(role)[0] for role in game.info.chance_roles})  # fmt: skip
        worlds.update(Term("wait"), match.percepts("bob"))
        found: dict[str, float] = {}
        for world in worlds.sample(100, 1):
            found[str(world.state)] = found.get(str(world.state), 0.0) + world.weight
        assert found == pytest.approx({"((lies heads))": 0.25, "((lies tails))": 0.75})
