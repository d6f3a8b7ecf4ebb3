"""Distances are never longer than play: every state of small games, and many states of larger ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from itertools import islice, product
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.asp.ground import ground_rules
from ludorum.engine.game import Game, State, random_states
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.fluent_graph import DistanceTable, FluentGraph, Ways
from ludorum.evaluate.goals.reach_levels import ReachLevels
from ludorum.evaluate.goals.step_rules import StepRules
from ludorum.rules.library import library_sheets
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.how_much import sample, some
from tests.random_games import random_games

Facts = frozenset[Term]

SMALL = ["buttons", "maze", "blocks", "monty_hall", "kuhn_poker", "hodgepodge"]
"""All states of these are looked at."""
SHEETS = sorted(
    sheet.name
    for sheet in library_sheets()
    if sheet.language in ("gdl", "gdl2") and sheet.name not in {"amazons", "amazons_8", "chess"}
)


class Distances:
    """Both distances to every fluent of a game."""

    def __init__(self, rules: Ruleset) -> None:
        step = StepRules(ground_rules(rules, in_process=True))
        graph = FluentGraph(Ways(step))
        self.fluents = list(step.fluents.values())
        self.tables: dict[Term, DistanceTable] = {fluent: graph.table(fluent) for fluent in self.fluents}
        self.levels = ReachLevels(step, self.fluents)

    def assert_at_most(self, facts: Facts, true: dict[Term, int], *, all_seen: bool) -> None:
        """Neither is longer than play, and levels are never below the graph."""
        for fluent in self.fluents:
            by_graph, by_levels = self.tables[fluent].distance(facts), self.levels.distance(facts, fluent)
            assert by_graph <= by_levels
            if fluent in true or all_seen:
                assert by_levels <= true.get(fluent, inf)


def successors(game: Game, state: State) -> list[State]:
    if state.is_terminal:
        return []
    joints = product(*(state.legal(role) for role in game.roles))
    return list({after.facts(): after for after in map(state.play, joints)}.values())


def steps_to_fluents(game: Game, start: State, most_states: int) -> tuple[dict[Term, int], bool]:
    """After how many steps each fluent can hold first, and whether all states were visited."""
    found: dict[Term, int] = dict.fromkeys(start.facts(), 0)
    seen: set[Hashable] = {start.facts()}
    waiting = deque([(start, 0)])
    while waiting:
        if len(seen) > most_states:
            return found, False
        state, steps = waiting.popleft()
        for after in successors(game, state):
            if after.facts() not in seen:
                seen.add(after.facts())
                waiting.append((after, steps + 1))
                for fact in after.facts():
                    found.setdefault(fact, steps + 1)
    return found, True


def all_steps(game: Game) -> dict[Facts, dict[Term, int]]:
    """Of every state the steps to every fluent that it can reach: the least fixpoint over all edges."""
    after: dict[Facts, list[Facts]] = {}
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if state.facts() not in after:
            following = successors(game, state)
            after[state.facts()] = [each.facts() for each in following]
            waiting += following
    steps: dict[Facts, dict[Term, int]] = {facts: dict.fromkeys(facts, 0) for facts in after}
    changed = True
    while changed:
        changed = False
        for facts, reached in after.items():
            for other in reached:
                for fluent, count in steps[other].items():
                    if count + 1 < steps[facts].get(fluent, inf):
                        steps[facts][fluent] = count + 1
                        changed = True
    return steps


@pytest.mark.spec("evaluation-functions", 49)
@pytest.mark.parametrize(
    "name", [*SMALL, *(pytest.param(name, marks=pytest.mark.long) for name in ("tictactoe", "nim"))]
)
def test_no_distance_is_longer_than_play_in_any_state(name: str) -> None:
    game = load_game(name)
    assert game.rules is not None
    distances = Distances(game.rules)
    steps = all_steps(game)
    assert len(steps) > 10
    for facts, true in steps.items():
        distances.assert_at_most(facts, true, all_seen=True)


@pytest.mark.parametrize("name", SMALL)
def test_the_distance_to_the_nearest_of_several_is_the_least_of_theirs(name: str) -> None:
    game = load_game(name)
    assert game.rules is not None
    step = StepRules(ground_rules(game.rules, in_process=True))
    graph = FluentGraph(Ways(step))
    some_fluents = sorted(step.fluents.values(), key=str)[::3]
    nearest = graph.table_to(Term("any"), some_fluents)
    tables = [graph.table(fluent) for fluent in some_fluents]
    for state in islice(random_states(game.initial(), SplitMix64(1)), 20):
        facts = state.facts()
        assert nearest.distance(facts) == min(table.distance(facts) for table in tables)


@pytest.mark.spec("evaluation-functions", 49)
@pytest.mark.parametrize("name", sample(sorted({*SHEETS} - {*SMALL}, reverse=True), 12))
def test_no_distance_is_longer_than_play_in_sampled_states(name: str) -> None:
    game = load_game(name)
    assert game.rules is not None
    distances = Distances(game.rules)
    for seed in range(2):
        states = list(islice(random_states(game.initial(), SplitMix64(seed)), 60))
        for state in Random(seed).sample(states, min(3, len(states))):
            true, whole = steps_to_fluents(game, state, 150)
            distances.assert_at_most(state.facts(), true, all_seen=whole)


@settings(max_examples=some(100, 12), deadline=None)
@given(random_games(), st.integers(0, 2**32))
def test_no_distance_of_random_sheets_is_longer_than_play(rules: Ruleset, seed: int) -> None:
    game = LiftedGame(rules, "random")
    distances = Distances(rules)
    for state in islice(random_states(game.initial(), SplitMix64(seed)), 3):
        if all(state.legal(role) for role in game.roles):
            true, whole = steps_to_fluents(game, state, 20)
            distances.assert_at_most(state.facts(), true, all_seen=whole)
