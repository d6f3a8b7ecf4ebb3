"""The command line: one file a verb. Every verb prints for people or, with ``--json``, for programs.

Exit codes: 0 done, 1 the answer is "no" (rules faulty, a check lost), 2 misuse or unreadable input.
"""

from __future__ import annotations


def main() -> None:
    """Entry point of the ``ludorum`` command."""
    from .app import app

    app()
