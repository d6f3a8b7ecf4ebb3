"""Fluxplayer's fuzzy values: the examples of the thesis."""

from __future__ import annotations

import pytest

from ludorum.evaluate.goals.fluxplayer import FluxplayerValue, both, either
from ludorum.evaluate.goals.theory import Formula, Theory

EXPECTED = {
    "all_of": [0.193008, 0.214529, 0.25, 0.731003],
    "any_of": [0.268997, 0.75, 0.785471, 0.806992],
}


@pytest.mark.spec("evaluation-functions", 58)
@pytest.mark.parametrize("kind", EXPECTED)
def test_the_example_of_the_thesis(kind: str) -> None:
    """T11: of three facts none to three hold; the match is not over, and cannot be."""
    theory = Theory()
    root: Formula = getattr(theory, kind)([theory.leaf(at) for at in range(3)])
    if isinstance(root, bool):
        raise TypeError
    value = FluxplayerValue(theory, {100: root}, terminal=False)
    assert [value.value(lambda leaf, held=held: leaf < held) / 100 for held in range(4)] == pytest.approx(  # type: ignore[misc]
        EXPECTED[kind], abs=1e-6
    )


def test_a_disjunction_is_never_more_than_true() -> None:
    value = 0.75
    for _ in range(74):
        value = either(value, 0.75)
    assert value == 1
    assert both(1.0, 1.0) == 1
    assert both(0.0, 1.0) == 0


def test_the_end_is_wanted_with_a_goal_and_feared_without() -> None:
    theory = Theory()
    won, over = theory.leaf("won"), theory.leaf("over")
    value = FluxplayerValue(theory, {100: won}, over)
    worth = {
        (a, b): value.value(lambda leaf, a=a, b=b: a if leaf == "won" else b)  # type: ignore[misc]
        for a in (False, True)
        for b in (False, True)
    }
    assert worth[True, True] > worth[True, False] > worth[False, False] > worth[False, True]
