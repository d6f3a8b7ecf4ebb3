"""Calls every function of the kernels with valid, borderline and hostile arguments.

``python -m tests.core.fuzz SEED CALLS`` makes so many calls in this process and writes down each before it is
made, so that the last line says what ended the process. A call may answer, refuse (an exception of
``REFUSALS``), or go on until it is interrupted, which it must hear.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import sys
from random import Random
from types import FrameType

import numpy as np

from ludorum import _core
from ludorum._core import kernels
from tests.core.fuzz_calls import Call
from tests.core.fuzz_cards import CardCalls, DatalogCalls
from tests.core.fuzz_circuits import CircuitCalls
from tests.core.mutate import Mutator

REFUSALS = (
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    RuntimeError,
    MemoryError,
    OverflowError,
    ZeroDivisionError,
    kernels.LimitError,
    kernels.CircleError,
    kernels.UnsafeError,
    _core.NotTurnTakingError,
)
SANITIZED = "LUDORUM_SANITIZED" in os.environ
PATIENCE = 0.05
"""Seconds after which a call is interrupted."""
DEAF = 300 if SANITIZED else 60
"""Seconds after which a call has not heard it, and is a fault."""
MEMORY = 6 << 30
LARGEST = 1 << 27
"""Of sizes under sanitizers, which end the process where there is no more memory."""


class Subjects(CircuitCalls, CardCalls, DatalogCalls):
    """All that there is to call."""


class Interrupted(Exception):
    """What a call that takes long must hear."""


def main(seed: int, calls: int) -> None:
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, _interrupt)
    random = Random(seed)
    subjects, mutator = Subjects(random), Mutator(random)
    for number in range(calls):
        call = subjects.draw()
        for _ in range(random.choice([0, 1, 1, 1, 2, 4])):
            _mutate(call, mutator, random)
        print(f"{number}: {call.name}{_text(call)}", flush=True)
        made = _make(call)
        if made is not None and call.keep is not None:
            call.keep(made)
    print("all calls were made", flush=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise Interrupted


def _mutate(call: Call, mutator: Mutator, random: Random) -> None:
    names = [name for name, value in call.given.items() if not callable(value) and name not in call.fixed]
    if not names:
        return
    name = random.choice(names)
    call.given[name] = mutator.change(call.given[name])
    value = call.given[name]
    if SANITIZED and name in call.sizes and isinstance(value, int) and LARGEST < value < 2**63:
        call.given[name] = LARGEST


def _make(call: Call) -> object:
    """What a call answers; None where it refuses or is interrupted."""
    faulthandler.dump_traceback_later(DEAF, exit=True)
    made = None
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            made = call.function(**call.given)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except (*REFUSALS, Interrupted):
        pass
    finally:
        faulthandler.cancel_dump_traceback_later()
    return made


def _text(call: Call) -> str:
    with np.printoptions(threshold=50, linewidth=10**6):
        parts = ", ".join(f"{name}={value!r}"[:400] for name, value in call.given.items())
    return f"({parts})".replace("\n", " ")


if __name__ == "__main__":
    faulthandler.enable()
    main(int(sys.argv[1]), int(sys.argv[2]))
