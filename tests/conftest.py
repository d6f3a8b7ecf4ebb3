"""What every test may use: the corpus fixture, the Hypothesis profiles and the account of corpus checks.

A machine without the corpus skips the tests that need it. A machine with the corpus must run them: there,
a skipped corpus test fails the whole run, and with `LUDORUM_REQUIRE_CORPUS` set so does a run without any.
"""

import functools
import gc
import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

from ludorum.pages import NOT_BUILT, is_built
from tests import resume
from tests.alone import AGAIN, last_of_all, turn_of
from tests.corpus_location import corpus_folder
from tests.how_much import some

# A loaded machine draws examples slowly; that is no fault of the code.
SLOW_IS_FINE = [HealthCheck.too_slow]
# Half of what Hypothesis tries by default; the full runs (`make test-full`) try as many as that.
EXAMPLES = some(100, 2)
settings.register_profile("dev", deadline=None, suppress_health_check=SLOW_IS_FINE, max_examples=EXAMPLES)
settings.register_profile(
    "ci",
    deadline=None,
    suppress_health_check=SLOW_IS_FINE,
    max_examples=EXAMPLES,
    derandomize=True,
    print_blob=True,
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# A command of a test would build the whole line of verbs anew, fifty times as long as many of them take.
typer.testing._get_command = functools.cache(typer.testing._get_command)  # type: ignore[attr-defined]

NO_CORPUS = "no corpus on this machine: set LUDORUM_CORPUS, or put it at shared/corpus beside the clone"

# Travels with a test's report from a worker process to the one that keeps the account.
CORPUS_CHECK = ("needs", "corpus")

# Properties a corpus test may add for the summary: numbers to be summed, and what it had to leave undone.
CORPUS_COUNTS = "corpus-counts"
CORPUS_NOTE = "corpus-note"


@pytest.fixture(scope="session")
def built_pages() -> None:
    """Needs the components that draw matches in pages; a run that must have a browser must have them, too."""
    if is_built():
        return
    if os.environ.get("LUDORUM_REQUIRE_BROWSER"):
        pytest.fail(NOT_BUILT)
    pytest.skip(NOT_BUILT)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the outside corpus; asking for it marks the test as a corpus test."""
    folder = corpus_folder()
    if folder is None:
        pytest.skip(NO_CORPUS)
    return folder


class CorpusAccount:
    """Counts the corpus checks that ran and remembers those that were skipped."""

    def __init__(self) -> None:
        self.present = corpus_folder() is not None
        self.required = bool(os.environ.get("LUDORUM_REQUIRE_CORPUS"))
        self.ran = 0
        self.skipped: list[str] = []
        self.counts: Counter[str] = Counter()
        self.notes: list[str] = []

    def fault(self) -> str | None:
        """Why a run that is otherwise green must fail, if it must."""
        if self.present and self.skipped:
            return f"the corpus is here, but {len(self.skipped)} corpus checks were skipped"
        if self.required and not self.ran:
            return "the corpus is required, but no corpus check ran"
        return None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if CORPUS_CHECK not in map(tuple, report.user_properties):
            return
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped.append(report.nodeid)
        elif report.when == "call" and report.outcome != AGAIN:
            self.ran += 1
            for key, value in report.user_properties:
                if key == CORPUS_COUNTS and isinstance(value, dict):
                    self.counts.update(value)
                elif key == CORPUS_NOTE:
                    self.notes.append(str(value))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        # A module that skips itself has no marked tests to go by; its name must do.
        if report.skipped and "corpus" in report.nodeid:
            self.skipped.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and self.fault():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        where = "present" if self.present else "absent"
        terminalreporter.write_line(
            f"corpus {where}: {self.ran} corpus checks ran, {len(self.skipped)} skipped"
        )
        if self.counts:
            counted = ", ".join(f"{number} {what}" for what, number in self.counts.items())
            terminalreporter.write_line(
                f"corpus answers compared: {counted}; in part only: {len(self.notes)}"
            )
        for note in sorted(self.notes):
            terminalreporter.write_line(f"  {note}")
        if fault := self.fault():
            terminalreporter.write_line(f"FAILED: {fault}", red=True)
            for nodeid in self.skipped[:20]:
                terminalreporter.write_line(f"  skipped: {nodeid}")


def pytest_configure(config: pytest.Config) -> None:
    sees_all = not hasattr(config, "workerinput")  # only the process that gets all reports can count them
    if sees_all:
        config.pluginmanager.register(CorpusAccount(), "corpus-account")
    if resume.WANTED:
        config.pluginmanager.register(resume.Resume(keeps=sees_all), "resume")


@pytest.hookimpl(tryfirst=True)  # before -m selects, so that `-m corpus` sees every corpus test, and so on
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    absent = corpus_folder() is None
    for item in items:
        if "corpus" in getattr(item, "fixturenames", ()):
            item.add_marker("corpus")
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if item.get_closest_marker("corpus"):
            item.user_properties.append(CORPUS_CHECK)
            if absent:
                item.add_marker(pytest.mark.skip(reason=NO_CORPUS))
    last_of_all(items)


def pytest_collection_finish() -> None:
    """Keep what has been collected out of the garbage collector: it took 40% of the collector's time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    with turn_of(item):
        return (yield)
