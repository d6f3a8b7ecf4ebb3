"""A forgotten or misspelt `<=`: alone, with the brackets of its head, or with those of the whole rule.

A sentence that has taken conditions for arguments inside a rule is of the same kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...rules.build import CONNECTIVES
from ...rules.keywords import KEYWORD_ARITIES
from ...rules.source import Span
from ...rules.syntax import Node, NodeKind
from . import costs
from .focus import Focus
from .proposal import Edit, Proposal, insert
from .sheet import TextUnderRepair

MOST_CONDITIONS = 12
"""Conditions of the longest rule that is put together again."""
ASKED = CONNECTIVES | {"true", "does"}
"""Words that no rule or fact begins with."""

MAKERS = frozenset({"init", "next", "base", "input"})
"""Words that no condition begins with."""


def propose_arrows(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Rules without their `<=`, where one of their parts has a symptom."""
    for number, form in enumerate(sheet.forms):
        if number in focus.forms:
            yield from _bare(form.node)
            yield from _misspelt(sheet, form.node)
            yield from _run_together(sheet, form.node)
            yield from _closed_late(sheet, form.node)
        if focus.forms.intersection((number, number + 1)):
            yield from _fallen_apart(sheet, number)


def _bare(node: Node) -> Iterator[Proposal]:
    """``((next (p ?x)) (true (q ?x)))``: nothing but the word is missing."""
    if node.items and node.items[0].kind is NodeKind.LIST:
        yield Proposal("`<=` is missing", (insert(node.items[0].span.start, "<= "),), costs.SLIP)


def _misspelt(sheet: TextUnderRepair, node: Node) -> Iterator[Proposal]:
    """``(<- (next (p ?x)) (true (q ?x)))``, or any other word of signs alone, or `if`."""
    word = node.items[0] if len(node.items) > 1 else None
    if word is None or word.kind is not NodeKind.SYMBOL or word.name == "<=":
        return
    is_word = any(sign.isalnum() for sign in word.name) and (word.name != "if" or sheet.counts["if"] > 1)
    if not is_word and _is_sentence(node.items[1]):
        reason = f"`{sheet.text_of(word)}` stands where `<=` should"
        yield Proposal(reason, (Edit(word.span, "<="),), costs.SLIP)


def _is_sentence(node: Node) -> bool:
    return bool(node.head) if node.kind is NodeKind.LIST else node.kind is NodeKind.SYMBOL


def _run_together(sheet: TextUnderRepair, node: Node) -> Iterator[Proposal]:
    """``(next (p ?x) (true (q ?x)))``: the head has taken its conditions for arguments."""
    for last, text, cost in _parted(sheet, node):
        opened, closed = ("<= (", ")") if last is not node.items[0] else ("<= ", "")
        edits = (insert(node.items[0].span.start, opened), insert(last.span.end, closed))
        reason = f"`<=` is missing: what stands after {text} are its conditions"
        yield Proposal(reason, edits if closed else edits[:1], costs.SLIP + cost)


def _closed_late(sheet: TextUnderRepair, node: Node) -> Iterator[Proposal]:
    """``(<= (next (p ?x) (true (q ?x))))``: a bracket that should close before the conditions."""
    if node.head != "<=":
        return
    for part in node.items[1:]:
        for last, text, cost in _parted(sheet, part):
            if last is part.items[0]:
                continue
            edits = (insert(last.span.end, ")"), Edit(Span(part.span.end - 1, part.span.end), ""))
            yield Proposal(f"the bracket of {text} closes too late", edits, costs.SLIP + cost)


def _parted(sheet: TextUnderRepair, node: Node) -> Iterator[tuple[Node, str, int]]:
    """Where a sentence may end and conditions begin: its last part, its text, and the extra cost."""
    if node.kind is not NodeKind.LIST or not node.head or node.head in ("<=", *CONNECTIVES):
        return
    items = node.items
    for arity in range(len(items) - 1):
        if not all(_asks(sheet, item) for item in items[arity + 1 :]):
            continue
        known = KEYWORD_ARITIES.get(node.head)
        fits = arity == known if known is not None else sheet.relations[node.head, arity] > 0
        text = sheet.source.text[items[0].span.start : items[arity].span.end]
        yield items[arity], f"({text})" if arity else text, costs.OTHER_KIND * (not fits)


def _asks(sheet: TextUnderRepair, node: Node) -> bool:
    """Whether something reads as a condition: by its first word, or as a relation of the sheet."""
    if node.kind is NodeKind.VARIABLE or not node.head:
        return False
    arity = max(len(node.items) - 1, 0)
    return node.head in ASKED or (node.head, arity) in sheet.relations


def _fallen_apart(sheet: TextUnderRepair, number: int) -> Iterator[Proposal]:
    """``(next (p ?x)) (true (q ?x))``: without its brackets either, each part of the rule stands alone."""
    head = sheet.forms[number].node
    if not _may_be_head(head):
        return
    parts = [form.node for form in sheet.forms[number + 1 : number + 1 + MOST_CONDITIONS]]
    for count, last in enumerate(parts, 1):
        if not _may_be_condition(sheet, last, head):
            return
        after = parts[count] if count < len(parts) else None
        edits = (insert(head.span.start, "(<= "), insert(last.span.end, ")"))
        cost = costs.SLIP + _oddity(sheet, head, parts[:count], after)
        reason = f"`<=` and its brackets are missing around {sheet.text_of(head)} and what follows"
        yield Proposal(reason, edits, cost)


def _may_be_head(node: Node) -> bool:
    return _is_sentence(node) and node.head not in ("<=", *ASKED)


def _may_be_condition(sheet: TextUnderRepair, node: Node, head: Node) -> bool:
    """Whether a form by itself may be part of a rule: it is no fact, or stands farther in than the head."""
    if not _is_sentence(node) or node.head in ("<=", *MAKERS):
        return False
    is_fact = node.kind is NodeKind.LIST and all(each.kind is not NodeKind.VARIABLE for each in node.walk())
    inside = sheet.begins_line(node) and sheet.column(node) > sheet.column(head)
    return not is_fact or node.head in ASKED or inside


def _oddity(sheet: TextUnderRepair, head: Node, parts: Sequence[Node], after: Node | None) -> int:
    """The cost of a rule of these parts by its layout: a rule begins farther left than its conditions."""
    begins = sheet.column(head)
    odd = sum(sheet.column(part) <= begins for part in parts if sheet.begins_line(part))
    if after is not None:
        odd += sheet.begins_line(after) and sheet.column(after) > begins
        odd += after.head in ASKED
    return costs.ODD_LAYOUT * odd
