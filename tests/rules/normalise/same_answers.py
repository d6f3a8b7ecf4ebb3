"""Whether two versions of a sheet give the same answers: the reference engine plays both side by side."""

from __future__ import annotations

import random

from ludorum.engine.reference import ReferenceGame
from ludorum.rules.ruleset import Ruleset


def assert_same_answers(before: Ruleset, after: Ruleset, steps: int = 4, seed: int = 0) -> None:
    """Compare every answer along one random play."""
    chance = random.Random(seed)
    old, new = ReferenceGame(before), ReferenceGame(after)
    assert old.roles == new.roles
    one, other = old.initial(), new.initial()
    for _ in range(steps):
        assert one.facts() == other.facts()
        assert one.is_terminal == other.is_terminal
        for role in old.roles:
            assert one.legal(role) == other.legal(role)
            assert one.goal_terms(role) == other.goal_terms(role)
            assert one.percepts(role) == other.percepts(role)
        if not all(one.legal(role) for role in old.roles):
            return
        joint = [chance.choice(one.legal(role)) for role in old.roles]
        one, other = one.play(joint), other.play(joint)
