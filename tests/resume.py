"""Full runs take hours: what has passed is kept, so that a run that was stopped can be taken up again.

The file of passed tests belongs to one state of the source. Any change of a tracked file begins a new one.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path
from typing import IO

import pytest

from tests.corpus_location import ROOT

WANTED = bool(os.environ.get("LUDORUM_RESUME"))
PASSED = ROOT / ".pytest_cache" / "passed-in-full-runs.txt"


def source_state(root: Path = ROOT) -> str:
    """A text that changes with the commit, and with every change of a tracked file since."""
    git = ["git", "-C", str(root)]
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, check=True).stdout
    changes = subprocess.run([*git, "diff", "HEAD", "--binary"], capture_output=True, check=True).stdout
    return hashlib.sha256(commit + changes).hexdigest()


def passed_tests(file: Path, state: str) -> set[str]:
    """The tests that the file names, if it belongs to this state of the source."""
    if not file.exists():
        return set()
    first, *names = file.read_text(encoding="utf-8").splitlines()
    return set(names) if first == state else set()


class Resume:
    """A plugin of every process of a run: leaves out what has passed, and keeps what passes."""

    def __init__(self, keeps: bool, file: Path = PASSED, state: str | None = None) -> None:
        """``keeps``: whether this process writes the file; with workers, the one that gets their reports."""
        self.keeps = keeps
        self.file = file
        self.state = state or source_state()
        self.passed = passed_tests(file, self.state)
        self._sound: set[str] = set()
        """Tests that have passed and have yet to be torn down."""
        self._out: IO[str] | None = None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        done = [item for item in items if item.nodeid in self.passed]
        if done:
            config.hook.pytest_deselected(items=done)
            items[:] = [item for item in items if item.nodeid not in self.passed]

    def pytest_report_header(self) -> str:
        return f"{len(self.passed)} tests have passed before, with this state of the source"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._sound.add(report.nodeid)
        elif report.when == "teardown" and report.passed and report.nodeid in self._sound and self.keeps:
            self._keep(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.write_line(
            f"{len(self.passed)} tests have passed so far, with this state of the source"
        )

    def _keep(self, name: str) -> None:
        if self._out is None:
            self.file.parent.mkdir(exist_ok=True)
            begin = "" if self.passed else self.state + "\n"
            self._out = self.file.open("a" if self.passed else "w", encoding="utf-8", buffering=1)
            self._out.write(begin)
        self.passed.add(name)
        self._out.write(name + "\n")
