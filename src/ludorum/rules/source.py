"""Where a rule stands in its text, and what is wrong with it there."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

from .plain_value import PlainValue


@dataclass(frozen=True, slots=True, order=True)
class Span(PlainValue):
    """A range of a source text, as offsets of its first character and the one after its last."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True)
class Source:
    """A rule text and its name (a path, a library name, or ``-``)."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect.bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line (counted from 1) without its line end."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] - 1 if line < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


class Severity(IntEnum):
    """How bad a diagnostic is. Only errors make a sheet unplayable."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Diagnostic:
    """One fault of a rule sheet: what, where, and how to mend it."""

    code: str
    severity: Severity
    span: Span
    message: str
    hint: str = ""
    source: Source = field(default_factory=lambda: Source("", ""), repr=False, compare=False)

    @property
    def line(self) -> int:
        return self.source.position(self.span.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.span.start)[1]

    def as_json(self) -> dict[str, object]:
        return {
            "file": self.source.name,
            "code": self.code,
            "severity": str(self.severity),
            "line": self.line,
            "column": self.column,
            "message": self.message,
            "hint": self.hint,
        }

    def __str__(self) -> str:
        text = f"{self.source.name}:{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}"
        return f"{text}\n    hint: {self.hint}" if self.hint else text


class RulesError(Exception):
    """A rule text that cannot be used; carries every fault found, not just the first."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[Diagnostic, ...]]]:
        return (type(self), (self.diagnostics,))  # so that it comes back whole from another process
