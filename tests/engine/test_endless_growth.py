"""Rules that wrap terms for ever have no circuit, and that is said at once."""

from __future__ import annotations

import pytest

from ludorum.asp.ground import GroundingError, ground_rules
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.endless_growth import endless_growth
from ludorum.engine.errors import GameError
from ludorum.rules.kif import parse_kif
from tests.exploding_sheets import GROWING_TERMS

GROWTH = (
    "(<= (next (s (f ?x))) (true (s ?x))) in line 3 wraps terms in terms again and again, "
    "and nothing bounds them"
)
ENDS_EARLY = GROWING_TERMS.replace("(true (s done))", "(true (s (f (f z))))")


def test_growth_that_play_shows_is_told() -> None:
    assert (
        endless_growth(parse_kif(GROWING_TERMS)) == f"play came to terms nested more than 300 deep: {GROWTH}"
    )


def test_growth_that_the_end_of_the_game_bounds_is_none() -> None:
    assert endless_growth(parse_kif(ENDS_EARLY)) == ""


def test_no_circuit_is_tried_where_terms_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludorum.engine.compiled.compile_circuit", None)
    with pytest.raises(GameError) as error:
        CompiledGame(parse_kif(GROWING_TERMS), "grows")
    assert str(error.value) == (
        f"grows cannot be compiled: play came to terms nested more than 300 deep: {GROWTH}"
    )


def test_grounding_that_cannot_end_is_given_up_after_counted_work_and_says_why() -> None:
    with pytest.raises(GroundingError) as error:
        ground_rules(parse_kif(GROWING_TERMS), 1000.0)
    assert str(error.value) == f"grounding made more than 100000 rules; {GROWTH}"
