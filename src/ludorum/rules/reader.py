"""Reads a rule text in whichever language it is written."""

from .kif import read_kif
from .ruleset import Ruleset
from .source import Diagnostic, Source


def read_rules(source: Source, language: str | None = None) -> tuple[Ruleset, list[Diagnostic]]:
    """The rules of a text and the faults of what could not be read."""
    return read_kif(source)
