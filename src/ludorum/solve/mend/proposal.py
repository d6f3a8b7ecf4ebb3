"""What may be changed in a sheet, and what that would mend."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...rules.source import Source, Span


@dataclass(frozen=True)
class Fault:
    """Something that keeps a sheet from being played."""

    kind: str
    where: str
    """Tells faults of a kind apart: a place in the text, or a role."""
    text: str
    """For people."""


@dataclass(frozen=True)
class Edit:
    """Other text for a stretch of a sheet; an empty stretch at the end is something added."""

    span: Span
    text: str


@dataclass(frozen=True)
class Proposal:
    """Edits that belong together and mend some faults."""

    reason: str
    edits: tuple[Edit, ...]
    mends: frozenset[Fault]
    cost: int = 1
    """How much it may change what was meant: of proposals that mend the same the cheapest is made."""

    def __post_init__(self) -> None:
        if not self.edits:
            raise ValueError("a proposal changes something")


@dataclass(frozen=True)
class Survey:
    """The faults of a sheet and what could be done about them."""

    faults: list[Fault] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)

    def add(self, fault: Fault, proposals: Iterable[Proposal]) -> None:
        self.faults.append(fault)
        self.proposals.extend(proposals)


def apply_edits(source: Source, edits: Iterable[Edit]) -> Source:
    """The text after the edits, from the last to the first so that places stay where they are."""
    text = source.text
    for edit in sorted(set(edits), key=lambda each: (each.span.start, each.span.end), reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return Source(source.name, text)


def overlap(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals change the same stretch in different ways."""
    return any(
        a.span.start < b.span.end and b.span.start < a.span.end and a != b
        for a in one.edits
        for b in other.edits
    )


def added(source: Source, rules: str) -> Edit:
    """Rules at the end of a sheet."""
    end = len(source.text)
    gap = "" if source.text.endswith("\n") else "\n"
    return Edit(Span(end, end), f"{gap}\n{rules}\n")
