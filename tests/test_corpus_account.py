"""The account of corpus checks: absent corpus, tests skip; present corpus, a skip fails the run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus_location import ROOT

RUNS = "def test_reads_a_sheet(corpus):\n    assert corpus.is_dir()\n"
SKIPS = "import pytest\n\ndef test_gives_up(corpus):\n    pytest.skip('not today')\n"
SKIPS_WHOLE = "import pytest\n\npytest.skip('not today', allow_module_level=True)\n"


# The others would take half of the time that a run takes to start.
PLUGINS = ("-p", "xdist", "-p", "pytest_rerunfailures")

FAILS_ONCE = """
import pytest

TRIES = []

@pytest.mark.alone
def test_is_late_once(corpus):
    TRIES.append(1)
    assert len(TRIES) > 1
"""


def run_pytest(folder: Path, module: str, corpus: bool, *options: str, **environment: str) -> tuple[int, str]:
    """Runs `module` under our conftest in a folder of its own; the exit status and what was printed."""
    tests = folder / "clone" / "tests"
    tests.mkdir(parents=True)
    for name in ("alone.py", "conftest.py", "corpus_location.py", "how_much.py", "resume.py"):
        shutil.copy(ROOT / "tests" / name, tests)
    shutil.copy(ROOT / "pyproject.toml", tests.parent)
    (tests / "test_corpus_example.py").write_text(module)
    if corpus:
        (folder / "shared" / "corpus").mkdir(parents=True)
    ours = ("LUDORUM_CORPUS", "LUDORUM_REQUIRE_CORPUS", "LUDORUM_FULL", "LUDORUM_RESUME")
    inherited = {key: value for key, value in os.environ.items() if key not in ours and "PYTEST" not in key}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS, *options],
        cwd=tests.parent,
        env=inherited | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


# As `make test` runs, and in one process; every run starts interpreters, which takes long.
WORKERS = [("-n", "1"), pytest.param((), marks=pytest.mark.slow)]


@pytest.mark.long
@pytest.mark.parametrize("workers", WORKERS)
def test_a_corpus_check_that_ran_is_counted(tmp_path: Path, workers: tuple[str, ...]) -> None:
    status, printed = run_pytest(tmp_path, RUNS, True, *workers, LUDORUM_REQUIRE_CORPUS="1")
    assert status == 0, printed
    assert "corpus present: 1 corpus checks ran, 0 skipped" in printed


@pytest.mark.long
@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("module", [SKIPS, SKIPS_WHOLE])
def test_a_skip_with_the_corpus_present_fails_the_run(
    tmp_path: Path, module: str, workers: tuple[str, ...]
) -> None:
    status, printed = run_pytest(tmp_path, module, True, *workers)
    assert status == 1, printed
    assert "1 corpus checks were skipped" in printed


@pytest.mark.long
@pytest.mark.parametrize("workers", WORKERS)
def test_what_looks_at_the_clock_has_another_try_and_is_counted_once(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    status, printed = run_pytest(tmp_path, FAILS_ONCE, True, *workers)
    assert status == 0, printed
    assert "1 passed, 1 rerun" in printed
    assert "corpus present: 1 corpus checks ran, 0 skipped" in printed


def test_what_fails_every_time_fails(tmp_path: Path) -> None:
    status, printed = run_pytest(tmp_path, FAILS_ONCE.replace("> 1", "> 3"), True)
    assert status == 1, printed
    assert "1 failed, 2 rerun" in printed


def test_without_the_corpus_its_tests_are_skipped(tmp_path: Path) -> None:
    status, printed = run_pytest(tmp_path, RUNS, False)
    assert status == 0, printed
    assert "corpus absent: 0 corpus checks ran, 1 skipped" in printed


def test_a_required_corpus_must_be_looked_into(tmp_path: Path) -> None:
    status, printed = run_pytest(tmp_path, "def test_nothing(): pass\n", True, LUDORUM_REQUIRE_CORPUS="1")
    assert status == 1, printed
    assert "no corpus check ran" in printed


def test_a_variable_that_names_no_folder_is_an_error(tmp_path: Path) -> None:
    status, printed = run_pytest(tmp_path, RUNS, False, LUDORUM_CORPUS=str(tmp_path / "nowhere"))
    assert status not in (0, 1), printed
    assert "LUDORUM_CORPUS names no folder" in printed


def test_asking_for_the_fixture_marks_the_test(tmp_path: Path) -> None:
    status, printed = run_pytest(tmp_path, RUNS, True, "-m", "corpus")
    assert status == 0, printed
    assert "1 passed" in printed
