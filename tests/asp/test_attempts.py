"""Which passes a sheet is compiled with: the usual ones, or at once those for the worst."""

from collections.abc import Sequence

import pytest

from ludorum.asp.attempts import FIRST, INSTEAD, InVainError, attempt, refuse_in_vain
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset

SMALL = parse_kif("(role r) (init a) (<= (legal r go) (true a)) (<= (goal r 1) (true a))")
NUMBERS = "".join(f"(n {i})" for i in range(100))
HOPELESS = parse_kif(f"{NUMBERS} (<= (h ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))")


def passes_used(ruleset: Ruleset, passes: Sequence[str]) -> Sequence[str]:
    refuse_in_vain(ruleset, passes)
    return passes


def test_most_sheets_get_the_usual_passes() -> None:
    assert attempt(passes_used, SMALL, 10.0, 1000.0) == FIRST


def test_nobody_waits_for_what_cannot_end() -> None:
    assert attempt(passes_used, HOPELESS, 10.0, 1000.0) == INSTEAD


def test_only_the_first_attempt_is_refused() -> None:
    refuse_in_vain(HOPELESS, INSTEAD)
    refuse_in_vain(HOPELESS, None)
    with pytest.raises(InVainError):
        refuse_in_vain(HOPELESS, FIRST)
