"""The keywords of GDL, and how they may be used."""

from __future__ import annotations

KEYWORD_ARITIES = {
    "role": 1, "init": 1, "true": 1, "does": 2, "next": 1, "legal": 2, "goal": 2, "terminal": 0, "sees": 2,
    "base": 1, "input": 2,
}  # fmt: skip

KEYWORDS = frozenset(KEYWORD_ARITIES)

STATE_KEYWORDS = frozenset({"true", "does", "next", "legal", "goal", "terminal", "sees"})
"""Relations whose rows depend on the position; `init`, `role`, `base` and `input` may not use them."""

GIVEN = frozenset({"true", "does"})
"""Relations that a position and a joint move give; rules only read them."""

HINTS = frozenset({"base", "input"})
"""Relations that help some players prepare; no engine here needs them."""

ANSWERS = frozenset({"role", "init", "next", "legal", "goal", "terminal", "sees", "base", "input"})
"""The relations that engines ask a game for; all other rules serve these."""
