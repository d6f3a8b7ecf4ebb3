"""Full runs take hours: what is done is kept, so that a run that was stopped can be taken up again.

The file of tests that are done belongs to one state of the source: the tree of the last commit and the
changes since. Another commit of the same tree, or a copy of the clone elsewhere, goes on with it; any change
of a tracked file begins a new one. A test is done when it has passed or has failed as expected (xfail).
Skipped tests are tried again: they take no time, and what they lacked may be there by then.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from tests.corpus_location import ROOT

WANTED = bool(os.environ.get("LUDORUM_RESUME"))
DONE = ROOT / ".pytest_cache" / "done-in-full-runs.txt"


def source_state(root: Path = ROOT) -> str:
    """A text that changes with the tree of the last commit, and with every change of a tracked file since."""
    git = ["git", "-C", str(root)]
    tree = subprocess.run([*git, "rev-parse", "HEAD^{tree}"], capture_output=True, check=True).stdout
    changes = subprocess.run([*git, "diff", "HEAD", "--binary"], capture_output=True, check=True).stdout
    return hashlib.sha256(tree + changes).hexdigest()


def done_tests(file: Path, state: str) -> set[str]:
    """The tests that the file names, if it belongs to this state of the source."""
    if not file.exists():
        return set()
    first, *names = file.read_text(encoding="utf-8").splitlines()
    return set(names) if first == state else set()


def is_final(report: pytest.TestReport) -> bool:
    """Whether this part of a test need not be repeated: it has passed, or has failed as expected."""
    return report.passed or (report.skipped and hasattr(report, "wasxfail"))


class Resume:
    """A plugin of every process of a run: leaves out what is done, keeps what gets done, says how much is."""

    def __init__(self, keeps: bool, file: Path = DONE, state: str | None = None) -> None:
        """``keeps``: whether this process writes the file; with workers, the one that gets their reports."""
        self.keeps = keeps
        self.file = file
        self.state = state or source_state()
        self.done = done_tests(file, self.state)
        self._all = 0
        """Tests of the run, with those that earlier runs have done; 0 until they are known."""
        self._ended = len(self.done)
        """Tests that are done, or have been tried in this run."""
        self._sound: set[str] = set()
        """Tests that are done but for their teardown."""
        self._out: IO[str] | None = None
        self._terminal: pytest.TerminalReporter | None = None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._terminal = session.config.pluginmanager.getplugin("terminalreporter") if self.keeps else None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        done = [item for item in items if item.nodeid in self.done]
        if done:
            config.hook.pytest_deselected(items=done)
            items[:] = [item for item in items if item.nodeid not in self.done]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._all = max(self._all, len(self.done) + len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._all = max(self._all, len(self.done.union(ids)))

    def pytest_report_header(self) -> str:
        return f"{len(self.done)} tests have been done before, with this state of the source"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":
            # An xfail that is not even run ends with its setup.
            if is_final(report) and (report.when == "call" or report.skipped):
                self._sound.add(report.nodeid)
        elif self.keeps:
            if report.passed and report.nodeid in self._sound:
                self._keep(report.nodeid)
            self._ended += 1
            self._tell()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.write_line(
            f"{len(self.done)} of {self._all} tests are done so far, with this state of the source"
        )

    def _tell(self) -> None:
        """A line at every whole per cent."""
        if self._terminal is None or not self._all:
            return
        now = 100 * self._ended // self._all
        if now > 100 * (self._ended - 1) // self._all:
            self._terminal.write(f"\n{now} % of the tests: {self._ended} of {self._all}\n")

    def _keep(self, name: str) -> None:
        if self._out is None:
            self.file.parent.mkdir(exist_ok=True)
            begin = "" if self.done else self.state + "\n"
            self._out = self.file.open("a" if self.done else "w", encoding="utf-8", buffering=1)
            self._out.write(begin)
        self.done.add(name)
        self._out.write(name + "\n")
