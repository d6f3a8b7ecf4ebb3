"""What is found out late about goals: what is beside them, what lasts, and admissible distances.

The evaluation function is in use before that, and after each step of it: where time is up, the rest is left
out. What is beside goals comes first, since it takes a moment only.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..asp.ground import GroundProgram, clock_of, ground_rules
from ..engine.game import Game
from ..evaluate.goals.compiled_evaluation import CompiledEvaluation
from ..evaluate.goals.evaluation import GoalEvaluation
from ..evaluate.goals.goal_theory import MOST_RULES, GoalTheory
from ..evaluate.goals.ground_atoms import NoCompiledFormError
from ..evaluate.goals.lasting_features import has_admissible_distance
from ..evaluate.goals.lazy_features import graph_distances, lazy_features, query_distances
from ..evaluate.goals.leaf import PLAIN, LeafFeature, LeafFeatures, LeafQuery
from ..evaluate.goals.order_trial import has_trial, is_clearly_better
from ..evaluate.goals.refinement import find_refinement
from ..evaluate.goals.step_rules import StepRules
from ..evaluate.goals.versions import Version
from ..evaluate.ground_bodies import MEGABYTES
from ..rules.terms import Term
from ..search.budget import Stopwatch
from ..search.compiled_state import compiled_game

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
    without: dict[Hashable, LeafFeatures] = {}
    for leaf, features in late_features(game, evaluation, version, watch):
        if has_admissible_distance(features):
            without[leaf] = found.get(leaf) or evaluation.features.get(leaf, PLAIN)
        found[leaf] = features
        if watch.is_up():
            break
    if found:
        evaluation.learn(found)
    if without and version.tried and not watch.is_up():
        _try_without(game, evaluation, without, watch)


def _try_without(
    game: Game, evaluation: GoalEvaluation, without: Mapping[Hashable, LeafFeatures], watch: Stopwatch
) -> None:
    """Take admissible distances away where a short trial shows that moves are told apart better without.

    A disc that falls comes near many cells at once, for both sides: that says little of who will win.
    """
    compiled = compiled_game(game)
    if compiled is None or not has_trial(compiled):
        return
    distances = {leaf: evaluation.features[leaf] for leaf in without}
    try:
        with_them = CompiledEvaluation(evaluation, compiled, watch.seconds_left)
        evaluation.learn(without)
        if is_clearly_better(
            compiled, CompiledEvaluation(evaluation, compiled, watch.seconds_left), with_them
        ):
            return
    except NoCompiledFormError:
        pass
    evaluation.learn(distances)


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
