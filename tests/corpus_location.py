"""Where the outside corpus of rule sheets lies, if it is on this machine at all."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def corpus_folder() -> Path | None:
    """The folder named by `LUDORUM_CORPUS`, else `shared/corpus` beside the clone, else nothing.

    A variable that names no folder is an error: it asks for a run that cannot happen.
    """
    named = os.environ.get("LUDORUM_CORPUS")
    if named:
        folder = Path(named)
        if not folder.is_dir():
            raise NotADirectoryError(f"LUDORUM_CORPUS names no folder: {named}")
        return folder
    beside = ROOT.parent / "shared" / "corpus"
    return beside if beside.is_dir() else None
