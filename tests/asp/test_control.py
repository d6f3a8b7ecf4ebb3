"""Nothing clingo has to say is overheard."""

import pytest

from ludorum.asp.control import RemarkError, ground, make_control
from ludorum.asp.solver import SolverError, derive

REMARKS = {
    "p_a :- p_b.": "atom does not occur in any rule head",
    "p_a(1+x).": "operation undefined",
    "p_a :- p_b": "syntax error",
    "p_a(X) :- not p_a(X).": "unsafe",
}


@pytest.mark.parametrize(("program", "message"), REMARKS.items())
def test_every_remark_is_an_error(program: str, message: str) -> None:
    with pytest.raises(RemarkError, match=message):
        ground(*make_control(), [program])
    with pytest.raises(SolverError, match=message):
        derive(program, [("a", 0)])


def test_a_program_without_faults_passes_in_silence() -> None:
    control, remarks = make_control()
    ground(control, remarks, ["p_a :- p_b. ", "p_b."])
    remarks.refuse()
    assert derive("p_a_0 :- p_b. p_b.", [("a", 0)]) == {("a", 0): [()]}


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**64 - 1])
def test_every_seed_of_a_match_will_do(seed: int) -> None:
    control, remarks = make_control("0", seed=seed)
    ground(control, remarks, ["{ a; b }."])
    with control.solve(yield_=True) as models:
        assert len(list(models)) == 4
