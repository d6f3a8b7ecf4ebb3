"""What the kernels say about the machine and about how they were built."""

import os
import subprocess
from functools import cache

import pytest

from ludorum._core import build_info, vector_width
from tests.engine.test_lanes import WIDTHS, urn
from tests.own_process import PYTHON

KERNELS = "from tests.core.test_machine import describe_kernels; print(describe_kernels())"


def describe_kernels() -> str:
    """The width of vectors, the default kernels, and whether any width has machine code."""
    from ludorum._core import Lanes

    coded = any(Lanes(urn(2), width).native for width in WIDTHS)
    return f"{vector_width()} {Lanes(urn(2)).instruction_set} {coded}"


@cache
def kernels_with(**variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LUDORUM_VECTORS": "", "LUDORUM_MACHINE_CODE": "", **variables}
    return subprocess.run(
        [*PYTHON, "-c", KERNELS], env=environment, capture_output=True, text=True, check=False
    )


def test_vector_width_is_one_of_the_widths_kernels_are_written_for() -> None:
    assert vector_width() in {128, 256, 512}


@pytest.mark.long
@pytest.mark.parametrize("bits", [512, 256, 128])
def test_narrower_kernels_can_be_forced(bits: int) -> None:
    widest = int(kernels_with().stdout.split()[0])
    width, name, coded = kernels_with(LUDORUM_VECTORS=str(bits)).stdout.split()
    assert int(width) == min(bits, widest)
    assert name == {512: "avx512", 256: "avx2", 128: "baseline"}[int(width)]
    if int(width) > 128:
        assert coded == "True"


@pytest.mark.long
@pytest.mark.parametrize("bits", [512, 256, 128])
def test_machine_code_can_be_turned_off(bits: int) -> None:
    assert kernels_with(LUDORUM_VECTORS=str(bits), LUDORUM_MACHINE_CODE="0").stdout.split()[2] == "False"


@pytest.mark.long
@pytest.mark.parametrize("variable", ["LUDORUM_VECTORS", "LUDORUM_MACHINE_CODE"])
def test_a_variable_with_another_value_is_named(variable: str) -> None:
    assert f"ValueError: {variable} is 77; it must be one of" in kernels_with(**{variable: "77"}).stderr


def test_kernels_are_built_as_cpp20() -> None:
    info = build_info()
    assert info["cpp_standard"] >= 202002
    assert info["pointer_bits"] in {32, 64}
    assert info["compiler"]
