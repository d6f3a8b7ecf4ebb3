"""Weighted chance: every engine draws by whole numbers, and all that reckons with it uses the same odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum._core import Lanes, SplitMix64
from ludorum.engine.chances import Chances, draw_place, probabilities
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.unread_places import UnreadPlaces
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from ludorum.rules.wdl.to_gdl2 import to_gdl2
from ludorum.search.exact import find_values
from tests.engine.kernel_games import compile_here
from tests.rules.wdl.sheets import sheet_of

HIGHEST = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52, 6: 22.46, 7: 24.32, 8: 26.12}
"""What chi-square exceeds once in a thousand times, by degrees of freedom."""


def rolls(*tables: tuple[int, ...]) -> str:
    """A sheet in which ann rolls dice with these weights at once, and gets as many points as they show."""
    dice = [f"die{at}" for at in range(len(tables))]
    facts = [
        f"(random {die} {weight} {event})"
        for die, table in zip(dice, tables, strict=True)
        for event, weight in enumerate(table)
    ]
    points = [
        f"(<= (goal ann {sum(events)}) (true (shows {' '.join(map(str, events))})))"
        for events in product(*(range(len(table)) for table in tables))
    ]
    names = " ".join(f"?{die}" for die in dice)
    return f"""(role ann) (init start) {" ".join(facts)} {" ".join(points)}
    (<= (legal ann (roll {" ".join(dice)})) (true start))
    (<= (next (shows {names})) (does ann (roll {names})))
    (<= terminal (true (shows {names})))"""


def rules_of(text: str) -> Ruleset:
    return to_gdl2(sheet_of(text)).rules


def exact(*tables: tuple[int, ...]) -> dict[int, Fraction]:
    """The points of a roll by their probabilities."""
    found: dict[int, Fraction] = {}
    for events in product(*(range(len(table)) for table in tables)):
        chance = prod(
            (Fraction(t[e], sum(t)) for t, e in zip(tables, events, strict=True)), start=Fraction(1)
        )
        found[sum(events)] = found.get(sum(events), Fraction(0)) + chance
    return {points: chance for points, chance in found.items() if chance}


def check_frequencies(points: list[int], odds: dict[int, Fraction]) -> None:
    """Chi-square, with points that are rare put together with the next."""
    counts = Counter(points)
    assert set(counts) <= set(odds)
    cells: list[tuple[float, int]] = []
    expected, seen = 0.0, 0
    for value, chance in sorted(odds.items(), key=lambda one: one[1]):
        expected, seen = expected + float(chance) * len(points), seen + counts[value]
        if expected >= 5:
            cells.append((expected, seen))
            expected, seen = 0.0, 0
    if expected:
        last, count = cells.pop()
        cells.append((last + expected, count + seen))
    chi_square = sum((seen - expected) ** 2 / expected for expected, seen in cells)
    assert len(cells) == 1 or chi_square < HIGHEST[len(cells) - 1]


TABLES = {
    "small": ((1, 2, 3),),
    "divided": ((10, 20, 70),),
    "impossible": ((1, 0, 4),),
    "heavy": ((7, 993),),
    "rare": ((1, 999_999),),
    "heaviest": ((2**31 - 1, 2**31 - 1, 2**30),),
    "two dice": ((1, 3), (2, 2, 1)),
    "small and heavy": ((1, 3), (1000, 2000, 7001)),
    "many": (tuple(range(1, 9)),),
}


@pytest.mark.spec("wdl", 12)
@pytest.mark.parametrize("tables", TABLES.values(), ids=TABLES)
def test_random_play_draws_by_the_weights(tables: tuple[tuple[int, ...], ...]) -> None:
    rules = rules_of(rolls(*tables))
    compiled, lifted, odds = compile_here(rules), LiftedGame(rules), exact(*tables)
    for seed in (1, 2):
        check_frequencies(compiled.playouts(20_000, seed=seed).goals[:, 0].tolist(), odds)
        check_frequencies(lifted.playouts(2_000, seed=seed).goals[:, 0].tolist(), odds)
    counts = compiled.single.playouts(20_000, seed=3)["goal_counts"]
    values = [value for role, value, _ in compiled.circuit.goals if compiled.roles[role] == Term("ann")]
    check_frequencies([v for v, n in zip(values, counts, strict=True) for _ in range(n)], odds)  # type: ignore[misc]


@pytest.mark.parametrize("tables", TABLES.values(), ids=TABLES)
def test_lanes_play_the_same_with_and_without_machine_code(tables: tuple[tuple[int, ...], ...]) -> None:
    game = compile_here(rules_of(rolls(*tables)))
    fast, plain = Lanes(game.network, native=True), Lanes(game.network, native=False)
    found = [lanes.playouts(5_000, seed=9, each=True) for lanes in (fast, plain)]
    assert found[0]["goals"].tolist() == found[1]["goals"].tolist()


@pytest.mark.parametrize(
    "make", [LiftedGame, compile_here, pytest.param(ReferenceGame, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("tables", TABLES.values(), ids=TABLES)
def test_all_engines_tell_the_odds_of_the_language(make: type, tables: tuple[tuple[int, ...], ...]) -> None:
    text = rolls(*tables)
    game: Game = make(rules_of(text))
    master = WdlMaster(sheet_of(text))
    start = game.initial()
    found: dict[frozenset[Term], Fraction] = {}
    own = start.legal("ann")[0]
    drawn = [probabilities(start.odds(role)).items() for role in game.info.chance_roles]
    for choice in product(*drawn):
        after = start.play([own, *(move for move, _ in choice)])
        found[after.facts()] = prod((chance for _, chance in choice), start=Fraction(1))
    outcomes = master.outcomes(master.initial(), {Term("ann"): own})
    assert found == {state.facts: chance for state, chance in outcomes.items()}


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=8).filter(any))
def test_places_are_drawn_by_whole_numbers(weights: list[int]) -> None:
    place = draw_place(weights, SplitMix64(sum(weights)))
    assert weights[place] > 0
    rank = SplitMix64(sum(weights)).below(sum(weights))
    assert sum(weights[:place]) <= rank < sum(weights[: place + 1])


@pytest.mark.long
@given(st.lists(st.integers(0, 60), min_size=2, max_size=5).filter(lambda table: sum(table) > 0))
def test_exact_values_are_means_by_the_weights(table: list[int]) -> None:
    rules = rules_of(rolls(tuple(table)))
    mean = sum(points * chance for points, chance in exact(tuple(table)).items())
    for game in (LiftedGame(rules), compile_here(rules)):
        assert find_values(game).value(game.initial(), "ann") == pytest.approx(float(mean), abs=1e-8)


TURNS = """
(role ann) (role bob) (init (turn ann 0)) (init (sum 0))
(random die LOW 1) (random die HIGH 2)
(after ann bob) (after bob ann)
(<= (legal ?p (roll die)) (true (turn ?p ?n))) (<= (legal ?q wait) (true (turn ?p ?n)) (after ?p ?q))
(<= (next (turn ?q ?m)) (true (turn ?p ?n)) (after ?p ?q) (more ?n 1 ?m))
(<= (next (sum ?m)) (true (sum ?n)) (does ?p (roll ?k)) (more ?n ?k ?m))
(<= terminal (true (turn ?p 4)))
(<= (goal ?p ?n) (role ?p) (true (sum ?n)))
""" + "".join(f"(more {n} {k} {n + k})" for n in range(9) for k in (1, 2))
"""They roll a loaded die in turn, four times in all."""


@pytest.mark.parametrize("plan", ["", "cycle", "turns", "timetable"])
@pytest.mark.parametrize(("low", "high"), [(1, 3), (300, 700)])
def test_every_step_of_a_game_is_drawn_by_the_weights(plan: str, low: int, high: int) -> None:
    game = compile_here(rules_of(TURNS.replace("LOW", str(low)).replace("HIGH", str(high))))
    share = Fraction(high, low + high)
    odds = {4 + k: comb(4, k) * share**k * (1 - share) ** (4 - k) for k in range(5)}
    for native in (True, False):
        found = Lanes(game.network, 512, plan=plan, native=native).playouts(20_000, seed=5, each=True)
        check_frequencies(found["goals"][:, 0].tolist(), odds)


@pytest.mark.parametrize("tables", [((1, 3),), ((3, 997),)], ids=["small", "heavy"])
def test_weights_that_are_given_leave_the_odds_of_nature(tables: tuple[tuple[int, ...], ...]) -> None:
    game, odds = compile_here(rules_of(rolls(*tables))), exact(*tables)
    even = np.ones(len(game.circuit.moves), np.float32)
    goals = Lanes(game.network).playouts(20_000, seed=4, weights=even, each=True)["goals"]
    check_frequencies(goals[:, 0].tolist(), odds)
    evenly = lambda rows, legal: legal.astype(np.float32)  # noqa: E731
    by_policy, _ = game.simulator().playouts_by(evenly, count=4_000, seed=4)
    check_frequencies(by_policy[:, 0].tolist(), odds)


# -- copies ------------------------------------------------------------------------------------------------

COPIES = """
(role ann) (role random) (init start)
(<= (legal random (draw six ?k)) (true start) (copy ?k)) (copy 1) (copy 2) (copy 3)
(<= (legal random (draw one 1)) (true start))
(<= (legal ann wait) (true start))
(<= (next (drawn ?n)) (does random (draw ?n ?k)))
(<= (sees ann ?n) (does random (draw ?n ?k)))
(<= terminal (true (drawn ?n)))
(<= (goal ann 100) (true (drawn six))) (<= (goal ann 0) (true (drawn one)))
"""


def odds_of(text: str) -> dict[str, int]:
    game = LiftedGame(parse_kif(text))
    return {str(move): weight for move, weight in game.initial().odds("random").items()}


def test_copies_of_a_move_of_nature_are_one_move() -> None:
    assert odds_of(COPIES) == {"(draw six 1)": 3, "(draw one 1)": 1}


@pytest.mark.parametrize(
    "reader",
    [
        "(<= (next (copied ?k)) (does random (draw ?n ?k)))",
        "(<= (sees ann ?m) (does random ?m))",
        "(<= (next first) (does random (draw six 1)))",
        "(<= (next (said ?r ?m)) (does ?r ?m))",
        "(<= (next same) (does random (draw ?k ?k)))",
        "(<= (next low) (does random (draw ?n ?k)) (distinct ?k 3))",
    ],
)
def test_what_a_rule_reads_tells_copies_apart(reader: str) -> None:
    assert odds_of(COPIES + reader) == {f"(draw six {k})": 1 for k in (1, 2, 3)} | {"(draw one 1)": 1}


def test_moves_of_players_are_no_copies() -> None:
    rules = parse_kif(COPIES + "(<= (legal ann (say ?k)) (true start) (copy ?k))")
    unread = UnreadPlaces(rules)
    assert (unread.of(("draw", 2)), unread.of(("say", 1))) == (frozenset({1}), frozenset({0}))
    start = LiftedGame(rules).initial()
    assert len(start.legal("ann")) == 4


def test_a_shorter_move_is_no_copy_of_a_longer_one() -> None:
    chances = Chances(parse_kif(COPIES + "(<= (legal random (draw six)) (true start))"))
    moves = [parse_term(text) for text in ("(draw six)", "(draw six 1)", "(draw six 2)")]
    assert list(chances.of(moves).values()) == [1, 2]
