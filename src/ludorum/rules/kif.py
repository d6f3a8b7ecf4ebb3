"""KIF, the bracket language of GDL: ``(<= (legal ?p (mark ?x)) (true (blank ?x)) (role ?p))``.

The reader never recurses, keeps exact spans, goes on after a fault, and says where a bracket is really
missing rather than where the text ends. Case does not matter except between bars: ``|Foo Bar|``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .build import build_rules, build_term
from .ruleset import Ruleset
from .source import Diagnostic, RulesError, Severity, Source, Span
from .syntax import MAX_DEPTH, MAX_READ_ERRORS, Node, NodeKind, first_offset
from .terms import Pattern, Term

TOKEN = re.compile(r"""
    (?P<comment>;[^\r\n]*)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<quoted>\|(?:[^|\\\n]|\\[^\n])*\|)
  | (?P<symbol>[^\s();]+)
""", re.VERBOSE)  # fmt: skip


def parse_kif(text: str, name: str = "<text>") -> Ruleset:
    """The rules of a KIF text; raises RulesError with every fault of form."""
    ruleset, faults = read_kif(Source(name, text))
    if faults:
        raise RulesError(faults)
    return ruleset


def read_kif(source: Source) -> tuple[Ruleset, list[Diagnostic]]:
    """The rules that could be read, and the faults of those that could not."""
    nodes, faults = read_nodes(source)
    rules, more = build_rules(nodes, source)
    return Ruleset(tuple(rules), source), sorted(faults + more, key=lambda fault: fault.span)


def parse_term(text: str) -> Term:
    """The ground term a text writes, e.g. a move: ``parse_term("(mark 1 2)")``."""
    term = parse_pattern(text)
    if not isinstance(term, Term) or not term.is_ground:
        span = Span(0, len(text))
        fault = Diagnostic("variable", Severity.ERROR, span, "a variable where a ground term is needed",
                           "write a constant", Source("<term>", text))  # fmt: skip
        raise RulesError([fault])
    return term


def parse_pattern(text: str) -> Pattern:
    """The term or variable a text writes; there must be exactly one."""
    source = Source("<term>", text)
    nodes, faults = read_nodes(source)
    if not faults and len(nodes) != 1:
        fault = Diagnostic("syntax", Severity.ERROR, Span(0, len(text)),
                           f"{len(nodes)} terms where one is needed",
                           "write one symbol or one bracketed term", source)  # fmt: skip
        raise RulesError([fault])
    pattern = build_term(nodes[0], source, faults) if nodes else None
    if pattern is None or faults:
        raise RulesError(faults)
    return pattern


# -- printing ---------------------------------------------------------------------------------------------


# -- reading ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A bracket not yet closed and what stands in it so far."""

    start: int
    line_start: int
    items: list[Node] = field(default_factory=list)
    suspect: int | None = None
    """Start of an inner bracket that, judging by the indentation, was meant to be closed."""

    @property
    def column(self) -> int:
        return self.start - self.line_start


def read_nodes(source: Source) -> tuple[list[Node], list[Diagnostic]]:
    """The top-level expressions of a KIF text with every bracket fault.

    Layout is used only where the brackets do not match: good sheets come in every layout.
    """
    nodes, faults = _Reader(source, recover=False).read()
    return (nodes, faults) if not faults else _Reader(source, recover=True).read()


# What top-level expressions begin with; at the beginning of a line it shows that the one before should
# have ended.
_TOP_LEVEL = re.compile(r"\(\s*(<=|role|init|base|input)\s", re.IGNORECASE)


class _Reader:
    def __init__(self, source: Source, recover: bool) -> None:
        self.source = source
        self.recover = recover
        self.nodes: list[Node] = []
        self.faults: list[Diagnostic] = []
        self.stack: list[_Open] = []

    def read(self) -> tuple[list[Node], list[Diagnostic]]:
        text = self.source.text
        line_start = line_end = 0
        at_line_begin = True
        for token in TOKEN.finditer(text, first_offset(text)):
            start = token.start()
            if start >= line_end:
                line_start = text.rfind("\n", 0, start) + 1
                line_end = text.find("\n", start)
                line_end = len(text) if line_end < 0 else line_end
                at_line_begin = True
            kind = token.lastgroup
            if kind == "comment":
                continue
            if at_line_begin and self.recover:
                self._look_at_indentation(start, start - line_start)
            at_line_begin = False
            if kind == "open":
                if len(self.stack) == MAX_DEPTH:
                    self._fault("nesting", Span(start, start + 1), f"brackets nested deeper than {MAX_DEPTH}",
                                "no rule needs this; is the text damaged?")  # fmt: skip
                    return self.nodes, self.faults
                self.stack.append(_Open(start, line_start))
            elif kind == "close":
                self._close(start)
            else:
                self._symbol(token.group(), Span(start, token.end()), kind == "quoted")
            if len(self.faults) >= MAX_READ_ERRORS:
                return self.nodes, self.faults
        if self.stack:
            self._unclosed(len(text))
        return self.nodes, self.faults

    def _look_at_indentation(self, start: int, column: int) -> None:
        """Note a missing bracket where a line begins no deeper than an open bracket of an earlier line."""
        if not self.stack:
            return
        if column == 0 and _TOP_LEVEL.match(self.source.text, start):
            self._unclosed(start)
            return
        inner = self.stack[-1]
        outer = self.stack[0]
        if outer.suspect is None and len(self.stack) > 1 and column <= inner.column and start > inner.start:
            before = self.source.text[inner.line_start : inner.start]
            if not before.strip() and self.source.text[start] != ")":
                outer.suspect = inner.start

    def _symbol(self, text: str, span: Span, quoted: bool) -> None:
        if quoted:
            name = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])
            node = Node(NodeKind.SYMBOL, span, name)
        elif text[0] == "?" and len(text) > 1:
            node = Node(NodeKind.VARIABLE, span, text[1:].lower())
        elif text[0] == "|":
            self._fault("quote", span, "a bar | without its closing bar", "write |name| on one line")
            node = Node(NodeKind.SYMBOL, span, text.lower())
        else:
            node = Node(NodeKind.SYMBOL, span, text.lower())
        if self.recover and not self.stack and node.name == "<=" and not quoted:
            self._fault("bracket", span, "`<=` outside brackets: an opening bracket is missing before it",
                        "write (<= head body ...)")  # fmt: skip
            # Go on as if it stood there, so that the rule is read and its closing bracket finds a partner.
            self.stack.append(_Open(span.start, self.source.text.rfind("\n", 0, span.start) + 1))
        elif (
            self.recover
            and len(self.stack) > 1
            and node.name == "<="
            and not quoted
            and not self.stack[-1].items
        ):
            # `<=` never nests, so whatever is open around it was meant to end before.
            rule = self.stack.pop()
            self._unclosed(rule.start)
            self.stack.append(rule)
        self._add(node)

    def _add(self, node: Node) -> None:
        (self.stack[-1].items if self.stack else self.nodes).append(node)

    def _close(self, start: int) -> None:
        if not self.stack:
            before = self.nodes[-1] if self.nodes else None
            hint = "remove it, or add the opening bracket it belongs to"
            if before is not None:
                line, column = self.source.position(before.span.start)
                hint += f"; the expression before it began at line {line}, column {column}"
            self._fault(
                "bracket", Span(start, start + 1), "a closing bracket without its opening bracket", hint
            )
            return
        opened = self.stack.pop()
        self._add(Node(NodeKind.LIST, Span(opened.start, start + 1), "", tuple(opened.items)))

    def _unclosed(self, end: int) -> None:
        """Report the open brackets once, close them all, and drop what they held."""
        outer = self.stack[0]
        start = outer.suspect if outer.suspect is not None else outer.start
        count = len(self.stack)
        line, _ = self.source.position(max(start, end - 1))
        brackets = "a bracket" if count == 1 else f"{count} brackets"
        self._fault("bracket", Span(start, start + 1),
                    f"this opening bracket is never closed; {brackets} missing by line {line}",
                    "close it with )")  # fmt: skip
        self.stack.clear()

    def _fault(self, code: str, span: Span, message: str, hint: str) -> None:
        self.faults.append(Diagnostic(code, Severity.ERROR, span, message, hint, self.source))
