"""The command line: one file a verb. Every verb prints for people or, with ``--json``, for programs.

Exit codes: 0 done, 1 the answer is "no" (rules faulty, a check lost), 2 misuse or unreadable input, 130
stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import sys

WITHOUT_SUPERVISION = frozenset({"arena", "bench", "host", "player", "serve"})
"""Verbs that run until they are stopped, and use a process of their own for work that may explode."""


def main() -> None:
    """Entry point of the ``ludorum`` command."""
    verb = next((word for word in sys.argv[1:] if not word.startswith("-")), None)
    supervised = verb is not None and verb not in WITHOUT_SUPERVISION
    try:
        if supervised:
            from .supervise import supervise

            supervise()
        from .app import app

        app()
    except KeyboardInterrupt:  # verbs handle it themselves; this one has not begun yet
        print("stopped", file=sys.stderr)
        sys.exit(130)
    except SystemExit as end:
        if supervised and end.code == 130:  # perhaps before the verb could report it
            from .common import say_stopped

            say_stopped()
        if supervised:
            from .supervise import answered

            sys.stdout.flush()
            answered(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
        _end_under_players(end.code)
        raise


def _end_under_players(code: str | int | None) -> None:
    """End the program at once if a player's thread still thinks: its answer is not wanted any more.

    Python cannot end while a thread is inside a kernel: the program would abort.
    """
    guard = sys.modules.get("ludorum.players.guard")
    if guard is not None and not guard.wait_for_guarded(0.1):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)
