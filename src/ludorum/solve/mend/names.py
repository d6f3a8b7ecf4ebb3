"""Fluents without ``true`` and relations within it."""

from __future__ import annotations

from ...rules.repair.unwrap_relations import unwrap_relations
from ...rules.repair.wrap_fluents import wrap_fluents
from ...rules.ruleset import Ruleset
from ...rules.source import Diagnostic, Source
from .proposal import Edit, Fault, Proposal, Survey


def survey_names(source: Source, rules: Ruleset, survey: Survey) -> None:
    """What lenient reading would mend silently is mended in the text."""
    for note in wrap_fluents(rules)[1]:
        _propose(source, note, f"(true {_text(source, note)})", survey)
    for note in unwrap_relations(rules)[1]:
        _propose(source, note, _inside(_text(source, note)), survey)


def _propose(source: Source, note: Diagnostic, text: str, survey: Survey) -> None:
    fault = Fault("name", str(note.span.start), f"line {note.line}: {note.message}")
    reason = f"line {note.line}: {_text(source, note)} can never hold; {text} was meant"
    survey.add(fault, [Proposal(reason, (Edit(note.span, text),), frozenset({fault}))])


def _text(source: Source, note: Diagnostic) -> str:
    return source.text[note.span.start : note.span.end]


def _inside(wrapped: str) -> str:
    """What stands in ``(true ...)``."""
    return wrapped.strip()[1:-1].strip()[len("true") :].strip()
