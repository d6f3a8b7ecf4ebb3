"""Which features are looked for, in which order, and which go together."""

from __future__ import annotations

import pytest

from ludorum.evaluate.goals.detection import DETECTED, Detect, changes_of
from ludorum.evaluate.goals.lazy_features import lasting_features, lazy_features
from ludorum.evaluate.goals.leaf import LeafFeatures
from ludorum.evaluate.goals.persistence import LastingFluents
from ludorum.rules.kif import parse_kif, parse_term
from tests.evaluate.goals.expanded import expanded, features, kind

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


@pytest.mark.spec("evaluation-functions", 37)
def test_what_lasts_goes_together_with_distances_but_not_for_the_same_truth() -> None:
    found = expanded(EVERYTHING)
    far = parse_term(FAR)
    assert far in found.fluents
    distance = found.distance(far)
    assert kind(distance) == "fixed distance"
    stays_true, stays_false = (
        LastingFluents(once_true=frozenset({far})),
        LastingFluents(once_false=frozenset({far})),
    )
    assert kinds(lasting_features(far, distance, stays_true)) == ("persistence", "fixed distance")
    assert kinds(lasting_features(far, distance, stays_false)) == (None, "persistence")
    assert kinds(lasting_features(far, distance, LastingFluents())) == (None, "fixed distance")
    assert kinds(lasting_features(far, None, stays_true)) == ("persistence", None)


def kinds(own: LeafFeatures) -> tuple[str | None, str | None]:
    return kind(own.when_true), kind(own.when_false)


def test_fluents_of_which_more_can_be_found_out_are_told_with_their_distances() -> None:
    found = expanded(EVERYTHING)
    asked = list(
        lazy_features(
            found.fluents,
            found.distance,
            [LastingFluents(once_true=frozenset(found.fluents))],
            lambda _: None,
        )
    )
    assert [(fluent, kinds(own)) for fluent, own in asked] == [
        *((fluent, (None, "fixed distance")) for fluent in found.fluents if found.distance(fluent)),
        *((fluent, ("persistence", kind(found.distance(fluent)))) for fluent in found.fluents),
    ]


def test_what_moves_change_is_kept_once_however_many_rules_say_it() -> None:
    """A hundred rules that differ in a condition, and one that goes another way."""
    conditions = " ".join(
        f"(<= (next (at ?y)) (does ?r go) (true (at ?x)) (true (c {n})) (step ?x ?y))" for n in range(100)
    )
    rules = parse_kif(
        f"(role r) (step 1 2) (step 2 3) {conditions} (<= (next (at 1)) (does r back) (true (at ?x)))"
    )
    found = changes_of(rules)
    assert found.keys() == {("at", 1)}
    assert [tuple(map(str, change.args)) for change in found["at", 1]] == [
        ("(at ?own 0)", "(at ?own 1)", "?own 2"),
        ("(at 1)", "(at ?own 0)", "r"),
    ]
