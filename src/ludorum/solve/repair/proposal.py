"""What may be changed in a sheet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...rules.source import Source, Span


@dataclass(frozen=True)
class Edit:
    """Other text for a range of a sheet; an empty range is a place where something is put in."""

    span: Span
    text: str


@dataclass(frozen=True)
class Proposal:
    """Edits that belong together, with what they suppose the author meant."""

    reason: str
    """For people, without the place."""
    edits: tuple[Edit, ...]
    cost: int
    """How unlikely the slip is that they undo; see ``costs``."""
    kind: str = ""
    """The kind of slip: the name of the generator."""

    def __post_init__(self) -> None:
        if not self.edits:
            raise ValueError("a proposal changes something")

    @property
    def start(self) -> int:
        """Where the first edit begins."""
        return min(edit.span.start for edit in self.edits)


def apply_edits(source: Source, edits: Iterable[Edit]) -> Source:
    """The text after the edits, from the last to the first so that places stay where they are."""
    return Source(source.name, edited(source.text, edits))


def edited(text: str, edits: Iterable[Edit], begin: int = 0) -> str:
    """A text after edits whose places count from ``begin``."""
    for edit in sorted(set(edits), key=lambda each: (each.span.start, each.span.end), reverse=True):
        text = text[: edit.span.start - begin] + edit.text + text[edit.span.end - begin :]
    return text


def overlap(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals change the same range in different ways."""
    return any(
        (a.span.start < b.span.end and b.span.start < a.span.end) or a.span == b.span
        for a in one.edits
        for b in other.edits
        if a != b
    )


def insert(offset: int, text: str) -> Edit:
    """Text put in at a place."""
    return Edit(Span(offset, offset), text)


def added(source: Source, rules: str) -> Edit:
    """Rules at the end of a sheet."""
    gap = "" if source.text.endswith("\n") else "\n"
    return insert(len(source.text), f"{gap}\n{rules}\n")
