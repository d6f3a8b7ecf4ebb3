"""Every verb keeps its time and its memory, and hears Ctrl-C, whatever the rules make of it."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli import supervise
from ludorum.cli.app import app
from ludorum.processes.descendants import descendants, tree_seconds
from tests.exploding_sheets import (
    GROWING_TERMS,
    HUGE_GROUNDING,
    long_chain,
    many_joint_moves,
    many_moves,
)
from tests.how_much import sample

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="verbs are supervised on Linux")

IMPATIENT = (  # the usual patience would make these tests longer, and nothing else
    "import ludorum.cli.supervise as limits; limits.GRACE_SECONDS = 0.5; limits.DEAF_SECONDS = 0.5; "
    "import ludorum.cli.simulate as simulate; simulate.BUILD_SECONDS = 0.5; "
    "from ludorum.cli import main; main()"
)
PATIENT = [sys.executable, "-c", "from ludorum.cli import main; main()"]
COMMAND = [sys.executable, "-c", IMPATIENT]
SECONDS = 0.5
SPARE_SECONDS = 10.0
"""Of a processor, beyond the limit: to start Python, to read the rules, and to end."""
TIMED = {"solve": 1, "plan": 1, "prove": 3, "explain": 1, "simulate": 1, "verify": 1}
"""Verbs with a limit of time, and their exit code where it is over."""
SHEETS = {
    "huge grounding": HUGE_GROUNDING,
    "growing terms": GROWING_TERMS,
    "many joint moves": many_joint_moves(),
    "many moves": many_moves(),
    "deep recursion": long_chain(),
}


def write(folder: Path, rules: str) -> str:
    path = folder / "explodes.kif"
    path.write_text(rules)
    return str(path)


def run(
    *words: str, megabytes: int = 0, command: Sequence[str] = COMMAND
) -> tuple[subprocess.CompletedProcess[str], float]:
    """What came of a command, and the processor seconds of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, **({"LUDORUM_MEGABYTES": str(megabytes)} if megabytes else {})}
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.long
@pytest.mark.parametrize("verb", sample(TIMED, 3))
def test_a_verb_that_cannot_end_by_itself_is_ended_and_says_so(verb: str, tmp_path: Path) -> None:
    path = write(tmp_path, HUGE_GROUNDING)
    done, spent = run(verb, path, "--seconds", str(SECONDS), "--json", megabytes=4000)
    assert done.returncode == TIMED[verb]
    assert json.loads(done.stdout)["error"] == "no answer within 0.5 s; more --seconds may do"
    assert done.stderr == ""
    assert spent < SECONDS + SPARE_SECONDS


@pytest.mark.long
@pytest.mark.parametrize("verb", ["solve", "explain"])
def test_grounding_ends_by_itself(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the verb's own process, where nobody supervises it."""
    monkeypatch.setattr("ludorum.cli.circuit_game.START_SECONDS", 0.2)
    words = [verb, write(tmp_path, HUGE_GROUNDING), "--seconds", "0.1"]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "error: no answer within 0.1 s; more --seconds may do\n"
    said = CliRunner().invoke(app, [*words, "--json"])
    assert json.loads(said.stdout) == {"error": "no answer within 0.1 s; more --seconds may do"}


SLOW_TO_END = """
import time
from ludorum.cli.supervise import answered, limit_seconds, supervise
supervise()
limit_seconds(0.1)
print("the answer", flush=True)
answered(3)
time.sleep(600)
"""


@pytest.mark.long
def test_what_ends_after_its_answer_adds_no_message() -> None:
    """Giving much memory back can take longer than the time that is left."""
    done = subprocess.run(
        [sys.executable, "-c", SLOW_TO_END], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "the answer\n", "")


OVERRUN_SECONDS = 2.0
"""Beyond its time, what a whole command may take: the start of Python, a last word, the end of processes.
Somewhat more than on an idle machine, where it is about one and a quarter."""


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize(
    ("verb", "sheet"),  # in the quick tests each with another
    sample([(verb, sheet) for sheet in ("huge grounding", "many moves") for verb in ("solve", "prove")], 3),
)
def test_a_command_keeps_its_time_with_its_start_and_its_end(verb: str, sheet: str, tmp_path: Path) -> None:
    """It took three seconds more, and six where it was ended by force."""
    path = write(tmp_path, SHEETS[sheet])
    begin = time.monotonic()
    _, spent = run(verb, path, "--seconds", "2", command=PATIENT)
    assert min(spent, time.monotonic() - begin) < 2 + OVERRUN_SECONDS  # of a processor where others have it


@pytest.mark.parametrize(
    ("waited", "spent", "is_late"),
    [
        (10.0, 10.0, False),
        (10.7, 10.7, False),  # its grace
        (10.71, 10.71, True),
        (10.8, 20.0, True),  # several processes
        (10.8, 5.0, False),  # on a machine that has given it less than half
        (42.81, 5.0, True),
    ],
)
def test_a_verb_is_late_after_its_time_and_its_grace(
    waited: float, spent: float, is_late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = supervise._Watch(1000.0)
    watch.seconds = 10.0
    monkeypatch.setattr(supervise, "tree_seconds", lambda child: spent * min(1.0, 10.01 / waited))
    assert not watch._is_late(1, min(10.01, waited))
    monkeypatch.setattr(supervise, "tree_seconds", lambda child: spent)
    assert watch._is_late(1, waited) == is_late


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("verb", TIMED)
def test_every_verb_ends_on_every_sheet(verb: str, sheet: str, tmp_path: Path) -> None:
    done, spent = run(verb, write(tmp_path, SHEETS[sheet]), "--seconds", "1", megabytes=4000)
    assert done.returncode in (0, 1, 3)
    assert done.stdout + done.stderr != ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr) < 2000
    assert spent < 1 + SPARE_SECONDS


@pytest.mark.long
def test_a_verb_that_needs_too_much_memory_is_ended_and_says_so(tmp_path: Path) -> None:
    done, _ = run("explore", write(tmp_path, HUGE_GROUNDING), megabytes=250)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "error: this needs more than 250 MB of memory; "
        "the environment variable LUDORUM_MEGABYTES allows more\n"
    )


def test_a_limit_of_memory_that_is_none_is_refused() -> None:
    done = subprocess.run(
        [*COMMAND, "games"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LUDORUM_MEGABYTES": "lots"},
    )
    assert done.returncode == 2
    assert done.stderr == "error: LUDORUM_MEGABYTES is 'lots', and should be a number of megabytes\n"


@pytest.mark.long
@pytest.mark.parametrize(
    ("verb", "spent"),
    [("solve", 0.0), ("solve", 1.0), *sample([(verb, 2.5) for verb in ("play", *TIMED, "explore")], 8)],
)
def test_ctrl_c_ends_a_verb_and_all_it_has_started(verb: str, spent: float, tmp_path: Path) -> None:
    """At once, while it is imported, and in the midst of work that has no end."""
    words = ["--seconds", "600"] if verb in TIMED else ["--watch"] if verb == "play" else []
    command = [*PATIENT, verb, write(tmp_path, HUGE_GROUNDING), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not (started := descendants(process.pid)) or tree_seconds(process.pid) < spent:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in out
    assert err.splitlines()[-1] == "stopped"
    assert "Traceback" not in err
    assert not [pid for pid in started if _is_alive(pid)]


def test_ctrl_c_ends_a_verb_that_does_not_hear_it(tmp_path: Path) -> None:
    """As a kernel that does not look for signals would: the child of this verb ignores them."""
    program = (
        "import ludorum.cli.supervise as limits; limits.DEAF_SECONDS = 0.2; limits.supervise(); "
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', flush=True)\n"
        "while True: pass"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "deaf\n"
        (child,) = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "stopped\n")
    assert not _is_alive(child)


def test_an_interrupt_within_a_callback_is_not_lost() -> None:
    """Python lets no exception out of a finalizer: it told of one that it ignored, and went on."""
    program = (
        "import os, signal, time, ludorum.cli.supervise as limits; limits.supervise()\n"
        "class Last:\n"
        "    def __del__(self): os.kill(os.getpid(), signal.SIGINT); time.sleep(0)\n"
        "last = Last(); del last\n"
        "try: time.sleep(60)\n"
        "except KeyboardInterrupt: print('heard', flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr) == ("heard\n", "")


def test_a_verb_that_crashes_says_by_what() -> None:
    program = (
        "import os, signal, ludorum.cli.supervise as limits; limits.supervise(); "
        "os.kill(os.getpid(), signal.SIGSEGV)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (139, "error: the command was ended by SIGSEGV\n")


def test_what_a_verb_leaves_behind_ends_with_it() -> None:
    """Also where the process that started it has ended before."""
    program = (
        "import os, subprocess, sys, ludorum.cli.supervise as limits; limits.supervise(); "
        "sleeper = [sys.executable, '-c', 'import time; time.sleep(600)']; "
        # The sleeper must not hold the pipe: the answer of its starter would have no end.
        "starter = f'import subprocess as s; "
        "print(s.Popen({sleeper}, start_new_session=True, stdout=2).pid)'; "
        "print(subprocess.check_output([sys.executable, '-c', starter], text=True)); "
        "sys.stdout.flush(); os._exit(7)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    assert done.returncode == 7
    assert not _is_alive(int(done.stdout))


def _is_alive(pid: int) -> bool:
    """Whether a process still runs; one that was killed may take a moment to go."""
    for _ in range(1000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state in "ZX":
            return False
        time.sleep(0.01)
    return True
