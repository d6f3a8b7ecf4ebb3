"""What is found out late about goals: what is beside them, what lasts, and admissible distances.

The evaluation function is in use before that, and after each step of it: where time is up, the rest is left
out. What is beside goals comes first, since it takes a moment only.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

from ..asp.ground import GroundProgram, clock_of, ground_rules
from ..engine.game import Game
from ..evaluate.goals.evaluation import GoalEvaluation
from ..evaluate.goals.goal_theory import MOST_RULES, GoalTheory
from ..evaluate.goals.lazy_features import graph_distances, lazy_features, query_distances
from ..evaluate.goals.leaf import PLAIN, LeafFeature, LeafFeatures, LeafQuery
from ..evaluate.goals.refinement import find_refinement
from ..evaluate.goals.step_rules import StepRules
from ..evaluate.goals.versions import Version
from ..evaluate.ground_bodies import MEGABYTES
from ..rules.terms import Term
from ..search.budget import Stopwatch

if TYPE_CHECKING:
    from ..evaluate.goals.persistence import LastingFluents


def find_more(game: Game, evaluation: GoalEvaluation, version: Version, watch: Stopwatch) -> None:
    """Teach an evaluation what its version asks for, as long as the watch allows.

    GroundingError where the rules cannot be ground in that time.
    """
    if version.refined:
        evaluation.learn({}, find_refinement(game))
    if watch.is_up() or not (version.lasting or version.admissible):
        return
    found: dict[Hashable, LeafFeatures] = {}
    for fluent, features in late_features(game, evaluation, version, watch):
        found[fluent] = features
        if watch.is_up():
            break
    if found:
        evaluation.learn(found)


def late_features(
    game: Game, evaluation: GoalEvaluation, version: Version, watch: Stopwatch
) -> Iterator[tuple[Hashable, LeafFeatures]]:
    """Leaves of goals with all features that they have so far, as often as there is a new one."""
    program = _program(game, evaluation, watch)
    leaves, features = evaluation.goals.theory.leaves.values(), evaluation.features
    fluents = [leaf for leaf in leaves if isinstance(leaf, Term)]
    admissible = graph_distances(StepRules(program)) if version.admissible else _no_distance
    yield from lazy_features(
        fluents,
        lambda fluent: features.get(fluent, PLAIN).when_false,
        _lasting(game, program, fluents, watch) if version.lasting else (),
        admissible,
    )
    queries = {leaf: features.get(leaf, PLAIN) for leaf in leaves if isinstance(leaf, LeafQuery)}
    yield from query_distances(queries, admissible)


def _program(game: Game, evaluation: GoalEvaluation, watch: Stopwatch) -> GroundProgram:
    if isinstance(evaluation.goals, GoalTheory):
        return evaluation.goals.program
    assert game.rules is not None
    return ground_rules(game.rules, clock_of(watch.seconds_left), MEGABYTES, most_rules=MOST_RULES)


def _lasting(
    game: Game, program: GroundProgram, fluents: list[Term], watch: Stopwatch
) -> Iterator[LastingFluents]:
    from ..solve.prove.goal_persistence import PersistenceLimits, persistence_by_steps

    yield from persistence_by_steps(game, program, fluents, PersistenceLimits(seconds=watch.seconds_left))


def _no_distance(_fluent: Term) -> LeafFeature | None:
    return None
