"""Names that people may take."""

from __future__ import annotations

import re
import unicodedata

SHORTEST, LONGEST = 2, 30
_REMOTE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,28}[A-Za-z0-9]")
_NAME = re.compile(r"[^\W_](?:[\w .-]*[^\W_])?")


def checked_name(text: str) -> str:
    """A name in its one form; ValueError with the reason where it may not be taken."""
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValueError(f"a name has {SHORTEST} to {LONGEST} characters")
    if not _NAME.fullmatch(name):
        raise ValueError("a name has letters and digits, with spaces, dots, - and _ between them")
    if name.casefold().startswith("guest"):
        raise ValueError("names that begin with guest are those of guests")
    return name


def is_remote_name(text: str) -> bool:
    """Whether a player elsewhere may have this name: other programs read it."""
    return _REMOTE_NAME.fullmatch(text) is not None
