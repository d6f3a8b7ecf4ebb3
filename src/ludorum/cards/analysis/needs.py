"""Exceptions that name what a walk through a chart must know before it can go on."""

from __future__ import annotations

from ..language.terms import Term


class NeedPlayer(Exception):
    """A term must be known as one player; ``as_number`` where it stands inside ``player(...)``."""

    def __init__(self, term: Term, as_number: bool) -> None:
        super().__init__(str(term))
        self.term, self.as_number = term, as_number


class NeedTruth(Exception):
    """Whether a condition holds must be known."""

    def __init__(self, condition: Term) -> None:
        super().__init__(str(condition))
        self.condition = condition


class NoValue(Exception):
    """An expression that has no value on this path: the machine would stop with an error."""
