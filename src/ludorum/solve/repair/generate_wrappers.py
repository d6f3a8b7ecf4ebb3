"""Forgotten and misplaced words around a literal: `true`, `does`, `next`, `init`, `distinct`, `not`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...rules.build import CONNECTIVES
from ...rules.keywords import KEYWORDS
from ...rules.lenient.argument_classes import FLUENT, MOVE, ROLE
from ...rules.syntax import Node, NodeKind
from ...rules.terms import Term
from . import costs
from .focus import Focus
from .proposal import Edit, Proposal, insert
from .sheet import TextUnderRepair
from .spots import NameSpot


def propose_wrappers(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """The words that are missing or too many in forms with symptoms."""
    fluents, moves = _fillers(sheet, FLUENT), _fillers(sheet, MOVE)
    for number in sorted(focus.forms):
        form = sheet.forms[number]
        for spot in sheet.spots[number]:
            if spot.role != "relation":
                continue
            yield from _unwrapped(sheet, spot)
            if spot.text in KEYWORDS:
                continue
            if not spot.in_head:
                if fluents[_key(spot.whole)]:
                    yield _around(sheet, spot.whole, "true")
                if moves[_key(spot.whole)]:
                    yield from _does(sheet, sheet.spots[number], spot)
                yield from _said_of_a_role(sheet, spot, moves)
            elif fluents[_key(spot.whole)]:
                yield from (_around(sheet, spot.whole, word) for word in _makers(form.node))
        yield from _headless(sheet, form.node)


def _fillers(sheet: TextUnderRepair, place: tuple[str, str, int, int]) -> Counter[str]:
    return sheet.held.get(place, Counter())


def _key(node: Node) -> str:
    return (
        f"{node.head}/{len(node.items) - 1}"
        if node.kind is NodeKind.LIST and len(node.items) > 1
        else node.head
    )


def _makers(form: Node) -> tuple[str, ...]:
    return ("next", "init") if form.head == "<=" else ("init",)


def _around(sheet: TextUnderRepair, node: Node, word: str) -> Proposal:
    text = sheet.text_of(node)
    return Proposal(
        f"`{word}` is missing around {text}",
        (insert(node.span.start, f"({word} "), insert(node.span.end, ")")),
        costs.SLIP,
    )


def _unwrapped(sheet: TextUnderRepair, spot: NameSpot) -> Iterator[Proposal]:
    """A relation inside `true`, which only fluents may be."""
    node = spot.whole
    if spot.text in ("true", "next", "init") and len(node.items) == 2:
        inner = node.items[1]
        if inner.head and inner.head in sheet.rule_names:
            reason = f"{inner.head} is no fluent: `{spot.text}` does not belong around it"
            yield Proposal(reason, (Edit(node.span, sheet.text_of(inner)),), costs.SLIP)


def _does(sheet: TextUnderRepair, spots: tuple[NameSpot, ...], spot: NameSpot) -> Iterator[Proposal]:
    """A move without `does` and its role: a role that the rule names, or the usual one of the sheet."""
    for role, cost in _roles(sheet, spots, spot).items():
        text = sheet.text_of(spot.whole)
        reason = f"`does` is missing around {text}"
        edits = (insert(spot.whole.span.start, f"(does {role} "), insert(spot.whole.span.end, ")"))
        yield Proposal(reason, edits, costs.SLIP + cost)


def _roles(sheet: TextUnderRepair, spots: tuple[NameSpot, ...], bare: NameSpot) -> dict[str, int]:
    """The terms that may fill a role's place in a rule, with their extra cost."""
    held = sheet.held.get(ROLE, Counter())
    own = dict.fromkeys(spot.text for spot in spots if spot.place == ROLE)
    named = dict.fromkeys(spot.text for spot in spots if spot.role == "variable" and held[spot.text])
    usual = [text for text, _ in held.most_common(6)]
    busy = {spot.text for spot in spots if spot.place == ROLE and spot.literal.head == "does"}
    doers = _doers(sheet, _key(bare.whole))
    by_name = sum(count for text, count in doers.items() if text.startswith("?")) < sum(doers.values()) / 2
    found: dict[str, int] = {}
    for cost, texts in enumerate((own, named, usual)):
        for text in texts:
            # A role makes one move, and the role that makes this one is mostly named in one way.
            extra = costs.MISFIT * (text in busy) + costs.OTHER_KIND * (by_name == text.startswith("?"))
            found.setdefault(text, cost + extra)
    return found


def _doers(sheet: TextUnderRepair, move: str) -> Counter[str]:
    """The terms that the sheet has for the role where it says that a move is done."""
    found: Counter[str] = Counter()
    for spot in sheet.all_spots():
        if (
            spot.role == "relation"
            and spot.text == "does"
            and spot.arity == 2
            and _key(spot.whole.items[2]) == move
        ):
            found[sheet.text_of(spot.whole.items[1])] += 1
    return found


def _said_of_a_role(sheet: TextUnderRepair, spot: NameSpot, moves: Counter[str]) -> Iterator[Proposal]:
    """``(robot (move a))`` for ``(does robot (move a))``."""
    items = spot.whole.items
    is_role = len(items) == 2 and Term(spot.text) in sheet.rules.roles
    if is_role or (len(items) == 2 and moves[_key(items[1])]):
        yield Proposal("`does` is missing", (insert(items[0].span.start, "does "),), costs.SLIP)


def _headless(sheet: TextUnderRepair, form: Node) -> Iterator[Proposal]:
    """Brackets that begin with a variable or a bracket: a word is missing, or one pair is too many."""
    for node in form.walk():
        if node.kind is not NodeKind.LIST or not node.items or node.items[0].kind is NodeKind.SYMBOL:
            continue
        at = node.items[0].span.start
        words = {1: ("not", "true"), 2: ("distinct", "does", "or", "and")}.get(len(node.items), ("or", "and"))
        for word in words if node is not form else ():  # none of them begins a rule
            yield Proposal(f"`{word}` is missing", (insert(at, f"{word} "),), costs.SLIP)
        if len(node.items) == 1 and node.items[0].kind is NodeKind.LIST:
            text = sheet.text_of(node.items[0])
            yield Proposal(
                f"the brackets around {text} are too many", (Edit(node.span, text),), costs.SLIP + 1
            )
        for word, arity in sheet.relations:
            if arity == len(node.items) and word not in CONNECTIVES and word not in KEYWORDS:
                yield Proposal(f"`{word}` is missing", (insert(at, f"{word} "),), costs.CONDITION)
