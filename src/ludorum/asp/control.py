"""clingo controls whose messages are errors.

A message of the kind *info* (an atom no rule derives, arithmetic on names) would mean a fault in the
translation, which gives clingo no reason for one. So every message is an error here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import clingo


class RemarkError(Exception):
    """clingo refused a program or gave a message about it; the text is clingo's."""


class Remarks:
    """The messages of one control."""

    def __init__(self) -> None:
        self._messages: list[str] = []

    def note(self, _code: clingo.MessageCode, message: str) -> None:
        """Called by a control with each message."""
        self._messages.append(message)

    def refuse(self, error: RuntimeError | None = None) -> None:
        """RemarkError if there were messages; with an error, in any case."""
        if self._messages or error is not None:
            raise RemarkError("\n".join(self._messages) or str(error)) from error


MOST_SEED = 2**32
"""clingo refuses seeds from here on; those of matches have 64 bits."""


def make_control(*options: str, seed: int | None = None) -> tuple[clingo.Control, Remarks]:
    """A control with every warning on, and the collector of its messages."""
    remarks = Remarks()
    chosen = () if seed is None else (f"--seed={seed % MOST_SEED}",)
    return clingo.Control(["--warn=all", *chosen, *options], logger=remarks.note), remarks


def make_growing_control(*options: str, seed: int | None = None) -> tuple[clingo.Control, Remarks]:
    """A control for programs that are grounded part by part, with questions in between.

    clingo would simplify a part by what it has learned from those before. A small gain with a risk: with
    constraints added between parts, wrong answers of 5.8 were seen.
    """
    control, remarks = make_control(*options, seed=seed)
    control.enable_cleanup = False
    return control, remarks


def ground(control: clingo.Control, remarks: Remarks, parts: Sequence[str]) -> None:
    """Grounds a program given in parts; RemarkError with all messages of clingo."""
    try:
        control.add("base", [], "".join(parts))
        control.ground([("base", [])])
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            raise MemoryError from error
        remarks.refuse(error)
    remarks.refuse()


@contextmanager
def limited(control: clingo.Control, conflicts: int | None) -> Iterator[None]:
    """Limits calls of the solver to so many conflicts, if a number is given."""
    limits = control.configuration.solve
    limits.solve_limit = f"{'umax' if conflicts is None else conflicts},umax"  # type: ignore[union-attr]
    try:
        yield
    finally:
        limits.solve_limit = "umax,umax"  # type: ignore[union-attr]
