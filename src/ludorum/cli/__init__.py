"""The command line: one file a verb. Every verb prints for people or, with ``--json``, for programs.

Exit codes: 0 done, 1 the answer is "no" (rules faulty, a check lost), 2 misuse or unreadable input.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Entry point of the ``ludorum`` command."""
    from .app import app

    try:
        app()
    except SystemExit as end:
        _end_under_players(end.code)
        raise


def _end_under_players(code: str | int | None) -> None:
    """End the program at once if a player still thinks, for nobody, in a thread.

    Python cannot end under a thread that is inside a kernel: the program would abort.
    """
    thinking, guard = map(sys.modules.get, ("ludorum.arena.thinking", "ludorum.players.guard"))
    at_rest = thinking is None or thinking.wait_for_players(0.1)
    if not at_rest or (guard is not None and not guard.wait_for_guarded(0.1)):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)
