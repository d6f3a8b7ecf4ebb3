"""What `make` would do in a fresh clone, without doing it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.corpus_location import ROOT


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What the Makefile looks at before anything is made."""
    for name in ("Makefile", "pyproject.toml", "CMakeLists.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "src" / "ludorum" / "_core").mkdir(parents=True)
    return tmp_path


def commands(clone: Path, target: str) -> list[str]:
    asked = ["make", "--dry-run", "--no-print-directory", target]
    # Where `make test` runs this, its own options must not reach the `make` of the test.
    outside = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    }
    done = subprocess.run(asked, cwd=clone, env=outside, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_playing_needs_no_developer_tools(clone: Path) -> None:
    told = commands(clone, "play")
    assert sum("['project']['dependencies']" in line for line in told) == 1
    assert not any("optional-dependencies" in line for line in told)
    assert told[-1] == ".venv/bin/ludorum play connect_four"


def test_developing_adds_tools_and_compiles_once(clone: Path) -> None:
    told = commands(clone, "setup")
    assert set(commands(clone, "play")[:-1]) < set(told)
    assert sum("--editable" in line for line in told) == 1
    assert sum("['optional-dependencies']['dev']" in line for line in told) == 1
