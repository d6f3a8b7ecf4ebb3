"""No call of the kernels ends the process, whatever it is given, and all that take long hear an interrupt."""

from __future__ import annotations

import subprocess

import pytest

from tests.corpus_location import ROOT
from tests.how_much import sample
from tests.own_process import PYTHON

FOUND: tuple[int, ...] = ()
"""Seeds that have found faults."""


def fuzz(seed: int, calls: int, seconds: float) -> None:
    command = [*PYTHON, "-m", "tests.core.fuzz", str(seed), str(calls)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False)
    last = done.stdout.strip().splitlines()[-1:] or ["nothing"]
    assert done.returncode == 0, f"seed {seed}: status {done.returncode} in {last[0]}\n{done.stderr[-4000:]}"


@pytest.mark.parametrize("seed", sample([1, 2], 2))
def test_a_few_calls(seed: int) -> None:
    fuzz(seed, 250, 300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(100, 112), *FOUND])
def test_many_calls(seed: int) -> None:
    fuzz(seed, 4000, 1800)
