"""Which passes a sheet is compiled with: the usual ones, or at once those for the worst."""

import time
from collections.abc import Sequence

import pytest

from ludorum.asp import attempts
from ludorum.asp.attempts import FIRST, INSTEAD, InVainError, attempt, refuse_in_vain
from ludorum.processes.session import ChildLimitError, Limit
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


def test_a_late_first_attempt_names_the_time_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine it may be ended long after its share, with no time left for a second one."""

    def late(*args: object, first_seconds: float, **named: object) -> None:
        time.sleep(0.3)
        raise ChildLimitError(Limit.TIME, f"took more than {first_seconds:g} s")

    monkeypatch.setattr(attempts, "run_limited", late)
    with pytest.raises(ChildLimitError, match=r"^took more than 0\.3 s$"):
        attempt(passes_used, SMALL, 0.3, 1000.0)
