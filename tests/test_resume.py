"""A run that was stopped goes on with what has not passed, as long as the source is the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus_location import ROOT
from tests.resume import source_state

CONFTEST = """
from pathlib import Path
from tests.resume import Resume

def pytest_configure(config):
    keeps = not hasattr(config, "workerinput")
    config.pluginmanager.register(Resume(keeps, Path("passed.txt"), Path("state.txt").read_text()), "resume")
"""
TESTS = """
from pathlib import Path
import pytest

def test_right():
    pass

def test_mended_later():
    assert Path("mended").exists()

@pytest.fixture
def fragile():
    yield
    assert Path("mended").exists()

def test_torn_down(fragile):
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "state.txt").write_text("first")
    return tmp_path


def run(suite: Path, *options: str) -> tuple[str, str]:
    """How far the run says it has come at its end, and its last line without the time."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command, cwd=suite, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    said = [line for line in done.stdout.splitlines() if "tests have passed so far" in line]
    return said[0].split(",")[0], done.stdout.splitlines()[-1].partition(" in ")[0]


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_what_has_passed_is_left_out(suite: Path, options: tuple[str, ...]) -> None:
    assert run(suite, *options) == ("1 tests have passed so far", "1 failed, 2 passed, 1 error")
    (suite / "mended").touch()
    so_far, result = run(suite, *options)
    assert so_far == "3 tests have passed so far"
    assert result.startswith("2 passed")
    assert sorted((suite / "passed.txt").read_text().split()) == [
        "first",
        "test_some.py::test_mended_later",
        "test_some.py::test_right",
        "test_some.py::test_torn_down",
    ]


def test_another_source_begins_anew(suite: Path) -> None:
    (suite / "mended").touch()
    assert run(suite)[1] == "3 passed"
    assert run(suite)[1] == "3 deselected"
    (suite / "state.txt").write_text("second")
    assert run(suite) == ("3 tests have passed so far", "3 passed")


def test_every_change_of_a_tracked_file_is_another_source(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(tmp_path), *identity, *words], check=True, capture_output=True)

    git("init")
    tracked = tmp_path / "tracked"
    tracked.write_text("one")
    git("add", ".")
    git("commit", "-m", "Begin")
    first = source_state(tmp_path)
    (tmp_path / "untracked").write_text("two")
    assert source_state(tmp_path) == first
    tracked.write_text("two")
    changed = source_state(tmp_path)
    assert changed != first
    git("commit", "-am", "Change")
    assert source_state(tmp_path) not in (first, changed)
