"""A run that was stopped goes on with what is not done, as long as the source is the same."""

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
    config.pluginmanager.register(Resume(keeps, Path("done.txt"), Path("state.txt").read_text()), "resume")
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

@pytest.mark.xfail
def test_known_fault():
    with Path("tried").open("a") as tried:
        tried.write("once ")
    assert False

@pytest.mark.xfail(run=False)
def test_endless():
    assert False

@pytest.mark.skipif(not Path("mended").exists(), reason="not mended")
def test_of_what_is_not_here_yet():
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "state.txt").write_text("first")
    return tmp_path


def run(suite: Path, *options: str) -> tuple[list[str], str, str]:
    """How far the run says it is on its way, and at its end, and its last line without the time."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "xdist", *options]
    # Other plugins take half of the time that it takes to start.
    environment = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=suite, env=environment, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    way = [line for line in lines if "% of the tests" in line]
    end = next(line for line in lines if "tests are done so far" in line)
    return way, end.split(",")[0], lines[-1].partition(" in ")[0]


@pytest.mark.long
@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_what_is_done_is_left_out(suite: Path, options: tuple[str, ...]) -> None:
    way, end, result = run(suite, *options)
    assert way == [f"{100 * at // 6} % of the tests: {at} of 6" for at in range(1, 7)]
    assert end == "3 of 6 tests are done so far"
    assert result == "1 failed, 2 passed, 1 skipped, 2 xfailed, 1 error"
    (suite / "mended").touch()
    way, end, result = run(suite, *options)
    assert way == [f"{100 * at // 6} % of the tests: {at} of 6" for at in range(4, 7)]
    assert end == "6 of 6 tests are done so far"
    assert result.startswith("3 passed")
    assert (suite / "tried").read_text() == "once "
    assert sorted((suite / "done.txt").read_text().split()) == [
        "first",
        "test_some.py::test_endless",
        "test_some.py::test_known_fault",
        "test_some.py::test_mended_later",
        "test_some.py::test_of_what_is_not_here_yet",
        "test_some.py::test_right",
        "test_some.py::test_torn_down",
    ]


@pytest.mark.long
def test_another_source_begins_anew(suite: Path) -> None:
    (suite / "mended").touch()
    assert run(suite)[2] == "4 passed, 2 xfailed"
    assert run(suite)[2] == "6 deselected"
    (suite / "state.txt").write_text("second")
    assert run(suite)[1:] == ("6 of 6 tests are done so far", "4 passed, 2 xfailed")


def in_repository(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "tracked").write_text("one")
    in_repository(tmp_path, "init")
    in_repository(tmp_path, "add", ".")
    in_repository(tmp_path, "commit", "-m", "Begin")
    return tmp_path


def test_every_change_of_a_tracked_file_is_another_source(repository: Path) -> None:
    first = source_state(repository)
    (repository / "untracked").write_text("two")
    assert source_state(repository) == first
    (repository / "tracked").write_text("two")
    changed = source_state(repository)
    assert changed != first
    in_repository(repository, "commit", "-am", "Change")
    assert source_state(repository) not in (first, changed)


def test_another_commit_of_the_same_tree_is_the_same_source(repository: Path, tmp_path: Path) -> None:
    first = source_state(repository)
    in_repository(repository, "commit", "--amend", "-m", "Begin otherwise")
    assert source_state(repository) == first
    copy = tmp_path / "copy"
    in_repository(tmp_path, "clone", str(repository), str(copy))
    assert source_state(copy) == first
