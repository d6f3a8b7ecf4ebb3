"""From Prolog text to syntax: an operator reader with an explicit stack of frames.

A clause ends with a period; where one is missing the layout tells where, as in KIF.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from .prolog_frame import PrologFrame
from .prolog_tokens import JOINTS, OPERANDS, Token, prolog_tokens
from .quoting import quoted
from .source import Diagnostic, Severity, Source, Span
from .syntax import MAX_DEPTH, MAX_READ_ERRORS, Node, NodeKind


class _Step(Enum):
    """What a token did to the clause being read."""

    GO_ON = 1
    SKIP = 2
    """The clause is lost: look for the next."""
    NEXT = 3
    """The clause is over although nothing ended it; the next begins at the current token."""


def names_apart(names: Sequence[str]) -> list[str]:
    """The names in lower case; where several are the same, all but the first get a number after them."""
    plain = {name.lower() for name in names}
    used: set[str] = set()
    numbers: dict[str, int] = {}
    found = []
    for folded in map(str.lower, names):
        name = folded
        while name in used or (name is not folded and name in plain):
            numbers[folded] = numbers.get(folded, 1) + 1
            name = f"{folded}_{numbers[folded]}"
        used.add(name)
        found.append(name)
    return found


def read_prolog_nodes(source: Source) -> tuple[list[Node], list[Diagnostic]]:
    """The clauses of a text in Prolog syntax, as KIF would have them, with every fault of form."""
    return _Reader(source).read()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.nodes: list[Node] = []
        self.faults: list[Diagnostic] = []
        self.tokens, unclosed = prolog_tokens(source.text)
        if unclosed is not None:
            self._fault("comment", unclosed, "this comment is never closed", "close it with */")
        self.at = 0
        self.first = 0
        self.stack: list[PrologFrame] = []
        self.head: Node | None = None
        self.arrow: Span | None = None
        self.names: dict[str, str] = {}
        self.anonymous = 0
        self.used: set[str] = set()

    def read(self) -> tuple[list[Node], list[Diagnostic]]:
        while self.at < len(self.tokens) and len(self.faults) < MAX_READ_ERRORS:
            self._clause()
        return self.nodes, self.faults

    def _clause(self) -> None:
        """Read one clause; leaves ``at`` where the next begins."""
        self.first = self.at
        self.stack = [PrologFrame(self.tokens[self.at].start)]
        self.head = self.arrow = None
        self._name_variables()
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.kind == "end":
                self._end(token)
                self.at += 1
                return
            step = self._take(token)
            if step is _Step.NEXT:
                return
            if step is _Step.SKIP:
                self._skip()
                return
            self.at += 1
        last = self.tokens[-1]
        if self._is_complete():
            self._missing_period(last)
        self._end(last)

    def _take(self, token: Token) -> _Step:
        frame = self.stack[-1]
        if frame.value is not None and token.kind in OPERANDS:
            return self._two_operands(token)
        match token.kind:
            case "word" | "quoted" | "sign":
                return self._operand(token)
            case "negation":
                return self._negation(token)
            case "open":
                frame.began = self.at if frame.began < 0 else frame.began
                return self._push(PrologFrame(token.start), token)
            case "close":
                return self._close(token)
            case "other":
                return self._not_gdl(token)
        if frame.value is None:
            if token.kind == "arrow" and self.at == self.first:
                return self._lost("syntax", token, "`:-` without a head before it",
                                  "a clause is `head :- body.`; directives are no rules")  # fmt: skip
            return self._lost("syntax", token, f"nothing stands before `{quoted(token.text)}`",
                              "remove it, or write what is missing")  # fmt: skip
        match token.kind:
            case "arrow":
                return self._arrow(token)
            case "unequal":
                if frame.left is not None:
                    return self._lost(
                        "syntax", token, f"two `{quoted(token.text)}` in one literal", "compare two terms"
                    )
                frame.left, frame.value, frame.unequal = frame.value, None, token.span
            case "comma" if frame.functor is not None:
                frame.arguments.append(frame.close_expression())
            case "comma":
                frame.close_literal()
                frame.comma = frame.comma or token.span
            case "semicolon":
                frame.close_alternative()
                frame.semicolon = frame.semicolon or token.span
        return _Step.GO_ON

    # -- operands and brackets ----------------------------------------------------------------------------

    def _operand(self, token: Token) -> _Step:
        frame = self.stack[-1]
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        applied = following is not None and following.kind == "open" and following.start == token.end
        if (
            token.text.lower() == "not"
            and following is not None
            and not applied
            and following.kind in OPERANDS
        ):
            return self._negation(token)
        frame.began = self.at if frame.began < 0 else frame.began
        node = self._node(token)
        if following is not None and applied:
            self.at += 1
            return self._push(PrologFrame(following.start, node), following)
        frame.value = node
        return _Step.GO_ON

    def _negation(self, token: Token) -> _Step:
        frame = self.stack[-1]
        if frame.left is not None:
            return self._lost(
                "syntax", token, f"`{quoted(token.text)}` inside a comparison", "negate the comparison"
            )
        frame.began = self.at if frame.began < 0 else frame.began
        frame.negations.append(token.span)
        if len(frame.negations) > MAX_DEPTH:
            return self._too_deep(token.span)
        return _Step.GO_ON

    def _push(self, frame: PrologFrame, token: Token) -> _Step:
        if len(self.stack) > MAX_DEPTH:
            return self._too_deep(token.span)
        self.stack.append(frame)
        return _Step.GO_ON

    def _close(self, token: Token) -> _Step:
        if len(self.stack) == 1:
            return self._lost("bracket", token, "a closing bracket without its opening bracket",
                              "remove it, or add the opening bracket it belongs to")  # fmt: skip
        frame = self.stack[-1]
        if frame.value is None and not (frame.functor is not None and frame.is_empty):
            return self._lost("syntax", token, "nothing stands before this bracket",
                              "remove the comma, or write what is missing")  # fmt: skip
        self.stack.pop()
        whole = Span(frame.start, token.end)
        if frame.functor is None:
            node = frame.close_expression(whole)
        else:
            last = [] if frame.value is None else [frame.close_expression()]
            whole = Span(frame.functor.span.start, token.end)
            node = Node(NodeKind.LIST, whole, "", (frame.functor, *frame.arguments, *last))
        self.stack[-1].value = node
        return _Step.GO_ON

    def _node(self, token: Token) -> Node:
        text = token.text
        if token.kind == "quoted":
            return Node(NodeKind.SYMBOL, token.span, _unquoted(text))
        if text == "_":
            return Node(NodeKind.VARIABLE, token.span, self._anonymous_name())
        if text in self.names:
            return Node(NodeKind.VARIABLE, token.span, self.names[text])
        return Node(NodeKind.SYMBOL, token.span, text.lower())

    def _name_variables(self) -> None:
        """Fold the variables of the clause to lower case, and keep apart those that would fold together."""
        spelt: dict[str, None] = {}
        for index in range(self.at, len(self.tokens)):
            kind, text, _, _ = self.tokens[index]
            if kind == "end":
                break
            if kind == "word" and text != "_" and (text[0] == "_" or text[0].isupper()):
                spelt[text] = None
        self.names = dict(zip(spelt, names_apart(list(spelt)), strict=True))
        self.used = set(self.names.values())
        self.anonymous = 0

    def _anonymous_name(self) -> str:
        self.anonymous += 1
        while f"_{self.anonymous}" in self.used:
            self.anonymous += 1
        return f"_{self.anonymous}"

    # -- the end of a clause ------------------------------------------------------------------------------

    def _arrow(self, token: Token) -> _Step:
        frame = self.stack[-1]
        if len(self.stack) > 1:
            self._unclosed()
            return _Step.SKIP
        if self.head is None and not frame.literals and not frame.alternatives:
            self.head = frame.close_expression()
            self.arrow = token.span
            return _Step.GO_ON
        # A second arrow, or a second head: the clause before should have ended where the last literal begins.
        joint = self.tokens[frame.began - 1]
        self._fault("period", joint.span, f"`{quoted(joint.text)}` before the head of another clause",
                    "end the clause before it with a period")  # fmt: skip
        self.at = frame.began
        frame.negations = []
        frame.left = frame.unequal = None
        frame.value = (frame.literals or frame.alternatives).pop()
        if not frame.alternatives:
            frame.semicolon = None
        self._finish()
        return _Step.NEXT

    def _two_operands(self, token: Token) -> _Step:
        """An operand straight after another: an operator GDL lacks, or a comma or period is missing."""
        if token.kind == "sign" or token.text == "is":
            return self._not_gdl(token)
        before = self.tokens[self.at - 1]
        is_fact = len(self.stack) == 1 and self.head is None and token.kind != "open"
        if self._begins_clause(self.at) or is_fact:
            if len(self.stack) > 1:
                self._unclosed()
            self._missing_period(before)
            if len(self.stack) == 1:
                self._finish()
            return _Step.NEXT
        hint = "a comma joins literals and arguments, a period ends a clause"
        if token.kind == "open":
            hint += "; a bracket with arguments stands right after the name"
        point = Span(before.end, before.end)
        self._fault(
            "syntax",
            point,
            f"something is missing between `{quoted(before.text)}` and `{quoted(token.text)}`",
            hint,
        )
        return _Step.SKIP

    def _is_complete(self) -> bool:
        return len(self.stack) == 1 and self.stack[0].value is not None

    def _end(self, token: Token) -> None:
        frame = self.stack[-1]
        if len(self.stack) > 1:
            self._unclosed()
        elif frame.value is None:
            before = self.tokens[self.at - 1] if self.at > self.first else None
            what = (
                "a period without a clause"
                if before is None
                else f"the clause ends after `{quoted(before.text)}`"
            )
            at = token.span if before is None else before.span
            self._fault("syntax", at, what, "remove it, or write what is missing")
        else:
            self._finish()

    def _finish(self) -> None:
        """Add the clause that has been read."""
        frame = self.stack[0]
        if self.head is None:
            if frame.literals or frame.alternatives:
                self._fault(
                    "syntax",
                    frame.semicolon or frame.comma or frame.literals[0].span,
                    "a fact is one relation",
                    "end it with a period",
                )
                return
            node = frame.close_expression()
        else:
            if frame.semicolon is not None:
                body = [frame.close_expression()]
            else:
                frame.close_literal()
                body = frame.literals
            span = Span(self.head.span.start, body[-1].span.end)
            node = Node(
                NodeKind.LIST, span, "", (Node(NodeKind.SYMBOL, self.arrow or span, "<="), self.head, *body)
            )
        if _depth(node) > MAX_DEPTH:
            self._too_deep(node.span)
        else:
            self.nodes.append(node)

    def _skip(self) -> None:
        """Go to where the next clause begins: after a period, or at a line that looks like one."""
        self.at += 1
        while self.at < len(self.tokens):
            if self.tokens[self.at - 1].kind == "end" or self._begins_clause(self.at):
                return
            self.at += 1

    def _begins_clause(self, index: int) -> bool:
        """Whether a token begins a line no deeper than the clause did, and nothing before asks for more."""
        token, before = self.tokens[index], self.tokens[index - 1]
        if token.kind not in ("word", "quoted") or before.kind in JOINTS or index <= self.first:
            return False
        line, column = self.source.position(token.start)
        first_column = self.source.position(self.tokens[self.first].start)[1]
        return column <= first_column and line > self.source.position(before.start)[0]

    # -- faults -------------------------------------------------------------------------------------------

    def _missing_period(self, before: Token) -> None:
        point = Span(before.end, before.end)
        self._fault(
            "period",
            point,
            f"a period is missing after `{quoted(before.text)}`",
            "a clause ends with a period",
        )

    def _unclosed(self) -> None:
        start = self.stack[-1].start
        count = len(self.stack) - 1
        more = "" if count == 1 else f"; {count} brackets are missing in this clause"
        self._fault("bracket", Span(start, start + 1), f"this opening bracket is never closed{more}",
                    "close it with ) before the clause goes on")  # fmt: skip

    def _not_gdl(self, token: Token) -> _Step:
        if token.text == "'":
            return self._lost(
                "quote", token, "a quote ' without its closing quote", "write 'name' on one line"
            )
        if token.text in ("=", "=="):
            hint = "write one variable in both places; for the opposite there is distinct(X, Y)"
        elif token.text in ("<=", "-->", "=>", "<=="):
            hint = "rules are written `head :- body.`"
        else:
            hint = "GDL has relations, functions and constants only; odd names stand between quotes"
        return self._lost("not-gdl", token, f"`{quoted(token.text)}` is not part of GDL", hint)

    def _too_deep(self, span: Span) -> _Step:
        self._fault("nesting", span, f"brackets nested deeper than {MAX_DEPTH}",
                    "no rule needs this; is the text damaged?")  # fmt: skip
        return _Step.SKIP

    def _lost(self, code: str, token: Token, message: str, hint: str) -> _Step:
        self._fault(code, token.span, message, hint)
        return _Step.SKIP

    def _fault(self, code: str, span: Span, message: str, hint: str) -> None:
        self.faults.append(Diagnostic(code, Severity.ERROR, span, message, hint, self.source))


def _unquoted(text: str) -> str:
    return re.sub(r"''|\\(.)", lambda found: "\n" if found[1] == "n" else found[1] or "'", text[1:-1])


def _depth(node: Node) -> int:
    """How deep brackets would nest if the node were written in KIF."""
    deepest, level = 0, [node]
    while level:
        deepest += any(inner.kind is NodeKind.LIST for inner in level)
        level = [item for inner in level for item in inner.items]
    return deepest
