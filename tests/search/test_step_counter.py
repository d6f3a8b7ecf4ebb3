"""Step counters: what may be ignored, and what a search that ignores them may claim."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.compiled import CompiledGame
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget
from ludorum.search.breadth_first import breadth_first
from ludorum.search.step_counter import step_counter
from tests.how_much import FULL

TIME = Budget(seconds=60)
PLACES = "abcdef"


@dataclass(frozen=True)
class Walk:
    """A walk between places, over when somewhere in particular or when the count says so."""

    ways: frozenset[tuple[str, str]]
    worth: tuple[int, ...]
    ends: frozenset[str]
    limit: int
    more: str = ""
    """Rules that give the count something else to do."""

    def compiled(self) -> CompiledGame:
        # One goal at a time: where the count is worth something, the place is not.
        only = "(not (true (step 4)))" if "goal" in self.more else ""
        worth = "".join(
            f"(<= (goal you {value}) (true (at {place})) {only})"
            for place, value in zip(PLACES, self.worth, strict=True)
        )
        lines = [
            "(role you) (init (at a)) (init (step 0))",
            *(f"(way {here} {there})" for here, there in sorted(self.ways)),
            *(f"(succ {step} {step + 1})" for step in range(self.limit)),
            "(<= (legal you (go ?y)) (true (at ?x)) (way ?x ?y))",
            "(<= (next (at ?y)) (does you (go ?y)))",
            "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))",
            *(f"(<= terminal (true (at {place})))" for place in sorted(self.ends)),
            f"(<= terminal (true (step {self.limit})))",
            worth,
            self.more,
        ]
        return CompiledGame(parse_kif("\n".join(lines)), "walk")


ways = st.frozensets(st.tuples(st.sampled_from(PLACES), st.sampled_from(PLACES)), min_size=6, max_size=16)
circle = frozenset(zip(PLACES, PLACES[1:] + PLACES[:1], strict=True))
resting = circle | {("a", "a")}
"""Without a place to rest, the places themselves would count steps."""
walks = st.builds(
    Walk,
    ways.map(lambda some: some | circle),
    st.tuples(*[st.sampled_from([0, 30, 60, 90])] * len(PLACES)),
    st.frozensets(st.sampled_from(PLACES[1:]), max_size=2),
    st.integers(2, 8),
    st.sampled_from(
        [
            "",
            "(<= (legal you (go f)) (true (step 3)))",
            "(<= terminal (true (step 2)) (true (at c)))",
            "(<= (goal you 100) (true (step 4)))",
        ]
    ),
)


@pytest.mark.long
@settings(max_examples=40 if FULL else 10, deadline=None)
@given(walks)
def test_what_is_claimed_without_the_counter_is_true_with_it(walk: Walk) -> None:
    game = walk.compiled()
    exact = breadth_first(game, budget=TIME)
    quick = breadth_first(game, budget=TIME, ignore_steps=True)
    assert exact is not None
    assert exact.optimal
    if quick is None:
        return
    assert quick.goal <= exact.goal
    if quick.optimal:
        assert quick.goal == exact.goal
    if quick.shortest and quick.goal == exact.goal:
        assert len(quick.moves) == len(exact.moves)


def test_a_count_that_only_ends_the_game_is_known() -> None:
    walk = Walk(resting, (0, 30, 60, 90, 0, 0), frozenset("f"), 8)
    game = walk.compiled()
    counter = step_counter(game, game.initial())
    assert counter is not None
    assert counter.only_limits
    plan = breadth_first(game, budget=TIME, ignore_steps=True)
    assert plan is not None
    # f, after five moves, is worth nothing; d, worth 90, is no end, but the eighth step might be there.
    assert (plan.goal, plan.optimal, plan.shortest) == (0, False, True)


@pytest.mark.parametrize(
    "more",
    [
        "(<= (legal you (go f)) (true (step 3)))",
        "(<= (next (at f)) (true (step 3)))",
        "(<= terminal (true (step 2)) (true (at c)))",
        "(<= (goal you 100) (true (step 4)))",
    ],
)
def test_a_count_that_does_more_is_not_taken_for_one(more: str) -> None:
    game = Walk(resting, (0, 30, 60, 90, 0, 0), frozenset("e"), 8, more).compiled()
    counter = step_counter(game, game.initial())
    assert counter is None or not counter.only_limits
