"""No call of the kernels ends the process, whatever it is given, and all that take long hear an interrupt."""

from __future__ import annotations

import subprocess

import pytest

from tests.core.fuzz import SANITIZED
from tests.corpus_location import ROOT
from tests.how_much import sample
from tests.own_process import PYTHON

SEEDS = range(100, 112)
"""104 has found a tree that grew where nobody could choose."""


def fuzz(seed: int, calls: int, seconds: float) -> None:
    command = [*PYTHON, "-m", "tests.core.fuzz", str(seed), str(calls)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False)
    last = done.stdout.strip().splitlines()[-1:] or ["nothing"]
    assert done.returncode == 0, f"seed {seed}: status {done.returncode} in {last[0]}\n{done.stderr[-4000:]}"


@pytest.mark.parametrize("seed", sample([1, 2], 2))
def test_a_few_calls(seed: int) -> None:
    fuzz(seed, 250, 300)


# A thing of minutes under a sanitizer, and the place where faults are found that no crash shows.
@pytest.mark.parametrize(
    "seed", SEEDS if SANITIZED else [pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS]
)
def test_many_calls(seed: int) -> None:
    fuzz(seed, 4000, 1800)
