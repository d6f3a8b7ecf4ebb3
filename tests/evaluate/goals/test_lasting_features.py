"""Features of fluents that last, their numbers, and the order in which they are found."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from math import inf

import pytest

from ludorum.asp.ground import ground_rules
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.feature_values import TruthValues, soft_minimum
from ludorum.evaluate.goals.fluent_graph import DistanceTable, FluentGraph, Ways
from ludorum.evaluate.goals.lasting_features import (
    Excluded,
    FluentDistance,
    LevelDistance,
    StaysFalse,
    StaysTrue,
    lasting_truth,
)
from ludorum.evaluate.goals.lazy_features import (
    graph_distances,
    lasting_features,
    lazy_features,
    level_distances,
)
from ludorum.evaluate.goals.leaf import PLAIN, LeafFeature, LeafFeatures, LeafQuery, Row
from ludorum.evaluate.goals.persistence import LastingFluents
from ludorum.evaluate.goals.step_rules import StepRules
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term

VALUES = TruthValues(never=-1.0, false=-0.4, near=0.6, true=0.6, ever=1.0)


@dataclass(frozen=True)
class Facts:
    facts: frozenset[Term]

    def holds(self, leaf: Hashable) -> bool:
        return leaf in self.facts

    def rows(self, query: LeafQuery) -> list[Row]:
        raise NotImplementedError

    def count(self, query: LeafQuery) -> int:
        raise NotImplementedError


def at(*facts: str) -> Facts:
    return Facts(frozenset(map(parse_term, facts)))


WALK = """
(role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(legal r stay) (legal r step) (<= (legal r take) (true (at 3)))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r step))
(<= (next (at ?x)) (true (at ?x)) (not (does r step)))
(<= (next (has)) (does r take))
(<= (next (has)) (true (has)))
(<= (next (rich)) (true (has)) (true (at 5)))
(<= terminal (true (rich)))
(<= (goal r 100) (true (rich))) (<= (goal r 0) (not (true (rich))))
"""


def walk() -> StepRules:
    return StepRules(ground_rules(parse_kif(WALK), in_process=True))


@pytest.mark.spec("evaluation-functions", 40)
def test_distances_are_looked_up_and_no_graph_is_searched_in_play(monkeypatch: pytest.MonkeyPatch) -> None:
    find = graph_distances(walk())
    feature = find(parse_term("(at 5)"))
    assert isinstance(feature, FluentDistance)

    def refuse(*_: object) -> None:
        raise AssertionError("a search")

    for owner, name in ((FluentGraph, "before"), (FluentGraph, "table"), (Ways, "masks"), (Ways, "_of")):
        monkeypatch.setattr(owner, name, refuse)
    for place, steps in ((1, 4), (2, 3), (3, 2), (4, 1)):
        assert feature.value(at(f"(at {place})"), VALUES) == pytest.approx(0.6 - steps / 4)
        assert not feature.lasts(at(f"(at {place})"))
    assert feature.value(at("has"), VALUES) == -1
    assert feature.lasts(at("has"))


def test_several_sources_are_nearer_than_one() -> None:
    table = DistanceTable(Term("end"), {Term("end"): 0, Term("a"): 1, Term("b"): 2, Term("c"): 4})
    feature = FluentDistance(table)
    assert feature.value(at("b"), VALUES) == pytest.approx(0.6 - 0.5)
    assert feature.value(at("a", "b"), VALUES) == pytest.approx(0.6 - soft_minimum([0.25, 0.5]))
    always = FluentDistance(DistanceTable(Term("end"), {Term("end"): 0, None: 2, Term("a"): 1}))
    assert always.value(at("x"), VALUES) == pytest.approx(0.6 - 1.0)
    assert not always.lasts(at("x"))


@pytest.mark.spec("evaluation-functions", 50)
def test_levels_count_all_that_is_needed() -> None:
    rules = walk()
    rich = parse_term("rich")
    by_graph, by_levels = graph_distances(rules)(rich), level_distances(rules, [rich])(rich)
    assert isinstance(by_graph, FluentDistance)
    assert isinstance(by_levels, LevelDistance)
    # The rules need `has` and `(at 5)`; which of them the graph keeps is open, levels count the farther.
    assert by_levels.levels.distance(at("has", "(at 1)").facts, rich) == 5
    assert by_graph.table.distance(at("has", "(at 1)").facts) in (1, 5)
    assert by_levels.levels.distance(at("(at 4)").facts, rich) == inf  # where nothing can be taken any more
    assert by_levels.longest == 5
    assert by_levels.value(at("has", "(at 4)"), VALUES) == pytest.approx(0.6 - 2 / 5)
    assert by_levels.value(at("(at 4)"), VALUES) == -1
    assert by_levels.lasts(at("(at 4)"))
    assert not by_levels.lasts(at("(at 3)"))


def test_what_lasts_counts_for_the_ends_of_the_scale() -> None:
    x, o, b = (parse_term(f"(cell 1 1 {mark})") for mark in "xob")
    known = LastingFluents(frozenset([x, o]), frozenset([b]), {x: frozenset([o]), o: frozenset([x])})
    distance = FluentDistance(DistanceTable(x, {x: 0, b: 1}))
    features = lasting_features(x, distance, known)
    assert features == LeafFeatures(StaysTrue(x), Excluded(x, frozenset([o]), distance))
    held, open_, lost, odd = at(str(x)), at(str(b)), at(str(o)), at()
    values = [features.value(position, x, VALUES) for position in (held, open_, lost, odd)]
    assert values == [1, pytest.approx(-0.4), -1, -1]
    truths = [lasting_truth(features, position, x) for position in (held, open_, lost, odd)]
    assert truths == [True, None, False, False]
    assert lasting_features(b, distance, known) == LeafFeatures(None, StaysFalse(b))
    assert lasting_truth(lasting_features(b, None, known), held, b) is False
    assert lasting_truth(lasting_features(b, None, known), open_, b) is None
    assert Excluded(x, frozenset([o])).value(open_, VALUES) == VALUES.false
    assert lasting_features(parse_term("other"), None, known) is PLAIN


@dataclass(frozen=True)
class Told:
    name: str
    kind: str = "told"

    def value(self, position: object, values: TruthValues) -> float:
        return 0.0


def test_features_come_in_the_order_of_their_cost_and_stay_usable() -> None:
    far, mark, gone, free = fluents = [Term(name) for name in ("far", "mark", "gone", "free")]
    asked: list[str] = []

    def distance(fluent: Term) -> LeafFeature | None:
        asked.append(f"distance of {fluent}")
        return Told("far") if fluent is far else None

    def proofs() -> Iterator[LastingFluents]:
        asked.append("read")
        yield LastingFluents(once_true=frozenset([mark]))
        asked.append("prove")
        yield LastingFluents(frozenset([mark, far]), frozenset([gone]), {far: frozenset([mark])})

    def admissible(fluent: Term) -> LeafFeature | None:
        asked.append(f"admissible distance of {fluent}")
        return Told("near") if fluent is mark else None

    steps = lazy_features(fluents, distance, proofs(), admissible)
    assert next(steps) == (far, LeafFeatures(None, Told("far")))
    assert asked == ["distance of far"]
    assert next(steps) == (mark, LeafFeatures(StaysTrue(mark)))
    assert asked[-1] == "read"
    assert next(steps) == (far, LeafFeatures(StaysTrue(far), Excluded(far, frozenset([mark]), Told("far"))))
    assert asked[-1] == "prove"
    assert next(steps) == (gone, LeafFeatures(None, StaysFalse(gone)))
    assert asked[-1] == "prove"
    assert list(steps) == [(mark, LeafFeatures(StaysTrue(mark), Told("near")))]
    # Neither what has a distance nor what never comes back is asked for another one.
    assert asked[-2:] == [f"admissible distance of {mark}", f"admissible distance of {free}"]


def test_texts_are_plain() -> None:
    x, o = Term("x"), Term("o")
    table = DistanceTable(x, {x: 0})
    assert StaysTrue(x).text == "x stays true once it is"
    assert StaysFalse(x).text == "x stays false once it is"
    assert Excluded(x, frozenset([o, Term("b")])).text == "x stays false once b or o is true"
    assert FluentDistance(table).text == "at least how many steps it is to x"


def test_what_can_come_about_in_any_state_has_no_distance() -> None:
    rules = load_game("lights_out").rules
    assert rules is not None
    step = StepRules(ground_rules(rules, in_process=True))
    find = graph_distances(step)
    found = {fluent.name: find(fluent) for fluent in step.fluents.values()}
    assert found["step"] is not None
    assert found["lit"] is None
