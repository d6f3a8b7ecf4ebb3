"""What the README says of installing: `pip install .` in a fresh clone, in an environment of one's own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus_location import ROOT


@pytest.mark.slow
def test_pip_installs_a_clone_and_the_command_counts(tmp_path: Path) -> None:
    clone, home = tmp_path / "clone", tmp_path / "home"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    subprocess.run(
        [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "."], cwd=clone, check=True
    )
    asked = [str(home / "bin" / "ludorum"), "perft", "tictactoe", "5", "--json"]
    told = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert json.loads(told)["paths"] == [9, 72, 504, 3024, 15120]
