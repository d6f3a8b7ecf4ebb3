"""The forms of WDL's statements: rules, rules that only one player is told, and settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..build import build_rules, build_term
from ..quoting import quoted
from ..ruleset import Rule
from ..source import Diagnostic, Severity, Source
from ..syntax import Node, NodeKind
from ..terms import Pattern, Term, as_integer
from .arithmetic import FARTHEST
from .words import OPTIONS

VISIBLE = "visible"
MOST_SIGNALS = 100_000
"""The largest number that `(set force ...)` takes."""
UNWRAPPED = frozenset({"role", "include", "random", VISIBLE})
"""What cannot be told to one player alone."""


@dataclass(frozen=True)
class WdlStatement:
    """A fact or rule. ``owner``: the only player whose description has it; None: all have it."""

    rule: Rule
    owner: Term | None = None


@dataclass
class Settings:
    """What ``set`` has chosen."""

    realtime: bool = False
    tick_inertia: bool = False
    tick: int = 1
    """Hundredths of a second between two signals of the clock."""
    force: int | None = None
    """Signals of the clock that a player may let pass while it can move, before a random move is made."""
    range: tuple[int, int] | None = None
    """The least and the greatest number that arithmetic makes."""

    def __str__(self) -> str:
        """The statements that choose them; empty where nothing differs from what holds without them."""
        lines = ["(set realtime)"] * self.realtime + ["(set tick-inertia)"] * self.tick_inertia
        lines += [f"(set tick {self.tick})"] if self.tick != 1 else []
        return " ".join([*lines, *([f"(set force {self.force})"] if self.force is not None else [])])


@dataclass
class WdlStatements:
    """All statements of a sheet in the order of their text."""

    rules: list[WdlStatement] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    faults: list[Diagnostic] = field(default_factory=list)


def read_statements(nodes: Iterable[Node], source: Source, private_random: bool = False) -> WdlStatements:
    """The statements of expanded text. ``private_random`` lets one player alone know some odds."""
    found = WdlStatements()
    reader = _Reader(found, source, private_random)
    for node in nodes:
        reader.read(node)
    return found


def private_parts(pattern: Pattern) -> Iterator[Term]:
    """Every ``(visible player expression)`` in a term, the outer ones only."""
    if isinstance(pattern, Term):
        if pattern.signature == (VISIBLE, 2):
            yield pattern
        else:
            for arg in pattern.args:
                yield from private_parts(arg)


class _Reader:
    def __init__(self, found: WdlStatements, source: Source, private_random: bool) -> None:
        self._found = found
        self._source = source
        self._private_random = private_random

    def read(self, node: Node) -> None:
        if node.kind is not NodeKind.LIST:
            self._add(node, None)
        elif node.head == "set":
            self._set(node)
        elif node.head == VISIBLE:
            self._private(node)
        else:
            self._add(node, None)

    def _add(self, node: Node, owner: Term | None) -> None:
        rules, faults = build_rules([node], self._source)
        self._found.rules += [WdlStatement(rule, owner) for rule in rules]
        self._found.faults += faults

    def _set(self, node: Node) -> None:
        words = [item.name for item in node.items[1:] if item.kind is NodeKind.SYMBOL]
        name = words[0] if words else ""
        if name not in OPTIONS:
            self._fault("W08", node, f"nothing is known of the option {quoted(name)}",
                        f"there are {', '.join(OPTIONS)}")  # fmt: skip
        elif len(words) != 1 + len(OPTIONS[name]) or len(words) + 1 != len(node.items):
            shape = " ".join(("set", name, *OPTIONS[name]))
            self._fault("W08", node, f"`set {name}` has the wrong number of words", f"write ({shape})")
        elif name == "tick":
            self._set_tick(node, words[1])
        elif name == "force":
            self._set_force(node, words[1])
        elif name == "range":
            self._set_range(node, words[1:])
        else:
            setattr(self._found.settings, name.replace("-", "_"), True)

    def _set_tick(self, node: Node, word: str) -> None:
        if not (word.isascii() and word.isdigit() and 0 < int(word) <= 100):
            self._fault("W08", node, f"{quoted(word)} is no length of a tick",
                        "write a number of hundredths of a second from 1 to 100")  # fmt: skip
        else:
            self._found.settings.tick = int(word)

    def _set_force(self, node: Node, word: str) -> None:
        if not (word.isascii() and word.isdigit() and 0 < int(word) <= MOST_SIGNALS):
            self._fault("W08", node, f"{quoted(word)} is no number of signals of the clock",
                        f"write a number from 1 to {MOST_SIGNALS}")  # fmt: skip
        else:
            self._found.settings.force = int(word)

    def _set_range(self, node: Node, words: list[str]) -> None:
        low, high = (as_integer(Term(word)) for word in words)
        if low is None or high is None or not -FARTHEST <= low < high <= FARTHEST:
            self._fault("W08", node, f"{quoted(' '.join(words))} is no range of numbers",
                        f"write the least and the greatest, from -{FARTHEST} to {FARTHEST}")  # fmt: skip
        else:
            self._found.settings.range = low, high

    def _private(self, node: Node) -> None:
        if len(node.items) != 3:
            message = f"`visible` takes a player and a statement, here are {len(node.items) - 1}"
            self._fault(
                "W07", node, message, "write (visible player (fact ...)) or (visible player (<= ...))"
            )
            return
        owner, inner = build_term(node.items[1], self._source, self._found.faults), node.items[2]
        if owner is None:
            return
        if not isinstance(owner, Term) or not owner.is_ground:
            hint = "write one statement for each player, or `visible` in the head of a rule"
            self._fault("W07", node.items[1], "a statement is told to a player, not to a variable", hint)
            return
        head = inner.items[1].head if inner.head == "<=" and len(inner.items) > 1 else inner.head
        if head == "set":
            self._fault("W08", inner, "a setting holds for all players", "take it out of `visible`")
        elif head in UNWRAPPED and not (head == "random" and self._private_random):
            self._fault(
                "W07", inner, f"`{head}` cannot be told to one player alone", "take it out of `visible`"
            )
        else:
            self._add(inner, owner)

    def _fault(self, code: str, node: Node, message: str, hint: str) -> None:
        self._found.faults.append(Diagnostic(code, Severity.ERROR, node.span, message, hint, self._source))
