"""Sheets of a folder of public ones, by their names."""

from __future__ import annotations

from pathlib import Path


def sheet_in(corpus: Path, name: str) -> Path | None:
    """The sheet of that name; None where the folder has none."""
    if not corpus.is_dir():
        raise NotADirectoryError(f"no folder of sheets: {corpus}")
    # A sheet may lie in several folders of a corpus; the first is the plain one.
    return next(iter(sorted(corpus.rglob(f"{name}.kif"))), None)
