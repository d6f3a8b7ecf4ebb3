"""The syntax tree both rule languages are read into, and limits that keep reading bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from .plain_value import PlainValue
from .source import NOWHERE, Diagnostic, RulesError, Severity, Source, Span

MAX_BYTES = 2 * 1024 * 1024
"""Largest rule text read; the largest public sheet has 0.4 MB."""

MAX_DEPTH = 200
"""Deepest nesting of brackets read, so that plain recursion over terms is safe everywhere."""

MAX_READ_ERRORS = 100
"""The most faults of a text: reading stops after this many."""


_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class NodeKind(Enum):
    SYMBOL = "symbol"
    VARIABLE = "variable"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Node(PlainValue):
    """A symbol, a variable (its name without ``?``), or a list whose first item is its head."""

    kind: NodeKind
    span: Span
    name: str = ""
    items: tuple[Node, ...] = ()

    @property
    def head(self) -> str:
        """The symbol a list begins with, or the symbol itself; empty if it begins otherwise."""
        if self.kind is NodeKind.LIST:
            return self.items[0].name if self.items and self.items[0].kind is NodeKind.SYMBOL else ""
        return self.name if self.kind is NodeKind.SYMBOL else ""

    def walk(self) -> Iterator[Node]:
        """This node and all below it, from left to right."""
        yield self
        for item in self.items:
            yield from item.walk()


NO_NODE = Node(NodeKind.LIST, NOWHERE)
"""The syntax node of rules that were made, not read."""


def first_offset(text: str) -> int:
    """Where reading begins: after the byte order mark, if some editor left one."""
    return 1 if text.startswith("\ufeff") else 0


def load_source(path: Path, name: str | None = None) -> Source:
    """Read a rule file, refusing what is no text or too large with a readable error."""
    name = name or str(path)
    try:
        size = path.stat().st_size
        if size <= MAX_BYTES:
            return decode_source(path.read_bytes(), name)
    except OSError as error:
        reason = error.strerror or str(error)
        fault = Diagnostic(
            "unreadable",
            Severity.ERROR,
            NOWHERE,
            f"cannot read the file: {reason}",
            "check the path and its permissions",
            Source(name, ""),
        )
        raise RulesError([fault]) from error
    raise RulesError([_too_large(size, name)])


def decode_source(data: bytes, name: str) -> Source:
    """The text of a rule file's bytes: UTF-8 without control characters, of bounded size."""
    if len(data) > MAX_BYTES:
        raise RulesError([_too_large(len(data), name)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = Source(name, data[: error.start].decode("utf-8-sig", errors="replace"))
        at = len(good.text)
        raise RulesError([_not_text(good, at, f"byte {error.start} is not UTF-8 text")]) from error
    source = Source(name, text)
    control = _CONTROL.search(text)
    if control:
        raise RulesError([_not_text(source, control.start(), f"control character {ord(control[0])}")])
    return source


def _too_large(size: int, name: str) -> Diagnostic:
    return Diagnostic(
        "too-large", Severity.ERROR, NOWHERE,
        f"the file has {size / 1e6:.1f} MB; rule sheets are read up to {MAX_BYTES / 1e6:.1f} MB",
        "is this really a rule sheet?", Source(name, ""),
    )  # fmt: skip


def _not_text(source: Source, at: int, what: str) -> Diagnostic:
    return Diagnostic("not-text", Severity.ERROR, Span(at, at + 1), f"{what}; this is not a rule text",
                      "rule sheets are plain UTF-8 text", source)  # fmt: skip
