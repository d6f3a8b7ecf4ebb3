"""Which features are looked for, in which order, and which go together."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.evaluate.goals.detection import DETECTED, Detect
from ludorum.evaluate.goals.feature_pairs import joined
from ludorum.evaluate.goals.feature_values import TruthValues
from ludorum.evaluate.goals.leaf import PLAIN, LeafFeatures, LeafPosition
from tests.evaluate.goals.expanded import expanded, features

EVERYTHING = """
(role a) (role b) (legal a go) (legal b go) (number 1) (number 2) (number 3)
(succ 1 2) (succ 2 3) (greater 2 1) (greater 3 2) (greater 3 1)
(init (score a 1)) (init (score b 1)) (init (at a 1)) (init (at b 3)) (init (owns a 1)) (init (owns b 2))
(<= (next (score ?p ?n)) (does ?p go) (true (score ?p ?m)) (succ ?m ?n))
(<= (next (at ?p ?n)) (does ?p go) (true (at ?p ?m)) (succ ?m ?n))
(<= (next (owns ?p ?n)) (true (owns ?p ?n)))
(<= ahead (true (score a ?m)) (true (score b ?n)) (greater ?m ?n))
(<= meet (true (at a ?n)) (true (at b ?n)))
(<= both (true (owns a ?n)) (true (owns b ?n)))
(<= far (true (at a 3)))
(<= some (true (owns a ?any)))
(<= (goal a 100) ahead) (<= (goal a 90) meet) (<= (goal a 80) both) (<= (goal a 70) far) (<= (goal a 60) some)
(<= terminal meet)
"""
AHEAD = "(true (score a ?v1)) (true (score b ?v2)) (greater ?v1 ?v2)"
MEET = "(true (at a ?v1)) (true (at b ?v1))"
BOTH = "(true (owns a ?v1)) (true (owns b ?v1))"
FAR, SOME = "(at a 3)", "(true (owns a ?v1))"


@pytest.mark.spec("evaluation-functions", 38)
def test_features_are_found_in_their_order() -> None:
    found = features(expanded(EVERYTHING, most_instances=1))
    assert found == {
        AHEAD: ("order", "order"),
        MEET: ("solutions", "variable distance"),
        BOTH: ("solutions", "partial solutions"),
        FAR: (None, "fixed distance"),
        SOME: ("solutions", None),
    }
    instantiated = features(expanded(EVERYTHING))
    assert instantiated == {leaf: kinds for leaf, kinds in found.items() if leaf != BOTH}


@pytest.mark.spec("evaluation-functions", 37)
@pytest.mark.parametrize(
    ("detect", "leaf", "kinds"),
    [
        (Detect.ALL, AHEAD, ("order", "order")),
        (Detect.ALL & ~Detect.ORDER, AHEAD, ("solutions", "partial solutions")),
        (Detect.PARTIAL_SOLUTIONS, AHEAD, (None, "partial solutions")),
        (Detect.SOLUTIONS, AHEAD, ("solutions", None)),
        (Detect.VARIABLE_DISTANCE, MEET, (None, "variable distance")),
        (Detect.VARIABLE_DISTANCE | Detect.COUNTS, MEET, ("solutions", "variable distance")),
        (Detect.COUNTS, MEET, ("solutions", "partial solutions")),
        (Detect.COUNTS, SOME, ("solutions", None)),
    ],
)
def test_kinds_that_are_looked_for_go_together(
    detect: Detect, leaf: str, kinds: tuple[str | None, str | None]
) -> None:
    assert features(expanded(EVERYTHING, detect, most_instances=1))[leaf] == kinds


def test_versions_look_for_what_they_are_made_of() -> None:
    found = {
        version: {
            kind
            for kinds in features(expanded(EVERYTHING, detect, most_instances=1)).values()
            for kind in kinds
        }
        - {None}
        for version, detect in DETECTED.items()
    }
    distances = {"order", "variable distance", "fixed distance"}
    counts = {"solutions", "partial solutions"}
    assert found == {
        "v1.0": set(),
        "v1.1": set(),
        "v1.1s": counts,
        "v1.1p": set(),
        "v1.1d": distances,
        "v1.1n": {"fixed distance"},
        "v1.1a": set(),
        "final": distances | counts,
    }


@dataclass(frozen=True)
class Kind:
    """A feature that is nothing but its kind."""

    kind: str

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        raise NotImplementedError


ORDER, COUNT, PARTIAL = Kind("order"), Kind("solutions"), Kind("partial solutions")
MEETING, DISTANCE, STAYS = Kind("variable distance"), Kind("fixed distance"), Kind("persistence")


@pytest.mark.spec("evaluation-functions", 37)
@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (LeafFeatures(COUNT), LeafFeatures(None, PARTIAL), LeafFeatures(COUNT, PARTIAL)),
        (LeafFeatures(None, MEETING), LeafFeatures(COUNT), LeafFeatures(COUNT, MEETING)),
        (LeafFeatures(None, DISTANCE), LeafFeatures(STAYS), LeafFeatures(STAYS, DISTANCE)),
        (LeafFeatures(None, DISTANCE), LeafFeatures(None, STAYS), LeafFeatures(None, DISTANCE)),
        (PLAIN, LeafFeatures(STAYS, STAYS), LeafFeatures(STAYS, STAYS)),
        (LeafFeatures(STAYS), LeafFeatures(None, STAYS), LeafFeatures(STAYS)),
        (LeafFeatures(COUNT, MEETING), LeafFeatures(COUNT, PARTIAL), LeafFeatures(COUNT, MEETING)),
        (LeafFeatures(ORDER, ORDER), LeafFeatures(COUNT, PARTIAL), LeafFeatures(ORDER, ORDER)),
        (LeafFeatures(COUNT), LeafFeatures(ORDER, ORDER), LeafFeatures(ORDER, ORDER)),
    ],
)
def test_features_of_one_leaf_are_joined(
    first: LeafFeatures, second: LeafFeatures, both: LeafFeatures
) -> None:
    assert joined(first, second) == both


SOME_KIND = st.sampled_from([None, ORDER, COUNT, PARTIAL, MEETING, DISTANCE, STAYS])
SOME_FEATURES = st.builds(LeafFeatures, SOME_KIND, SOME_KIND)


@given(SOME_FEATURES, SOME_FEATURES)
def test_joining_adds_nothing_and_keeps_what_came_first(first: LeafFeatures, second: LeafFeatures) -> None:
    both = joined(first, second)
    for own, one, other in (
        (both.when_true, first.when_true, second.when_true),
        (both.when_false, first.when_false, second.when_false),
    ):
        assert own in (one, other, None)
    assert joined(first, PLAIN) == joined(PLAIN, first) == first
