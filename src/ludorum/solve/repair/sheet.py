"""A sheet under repair: its text, its forms one by one, and how its names are used.

A form is an expression at the top of the text: a rule or a fact. Trying a change rereads only the forms it
touches, since hundreds of changes are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ...rules.build import build_rules
from ...rules.kif import read_nodes
from ...rules.lenient.argument_classes import Place
from ...rules.ruleset import Rule, Ruleset
from ...rules.source import Diagnostic, Source
from ...rules.syntax import Node, NodeKind
from .proposal import Edit, apply_edits, edited
from .spots import NameSpot, spots_of


@dataclass(frozen=True)
class Form:
    """A top-level expression of a text, and the rule it states, if any."""

    node: Node
    rule: Rule | None
    faults: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Reading:
    """The rules of a text and the faults of reading it, in which symptoms are looked for."""

    rules: Ruleset
    unread: tuple[Diagnostic, ...]


class TextUnderRepair:
    """A text under repair."""

    def __init__(self, source: Source) -> None:
        self.source = source
        nodes, faults = read_nodes(source)
        self.bracket_faults = tuple(faults)
        """Faults of brackets: where there are any, the forms are a guess."""
        self.forms = tuple(_build(nodes, source))

    @cached_property
    def reading(self) -> Reading:
        return _reading(self.source, self.forms, self.bracket_faults)

    @property
    def rules(self) -> Ruleset:
        return self.reading.rules

    def after(self, edits: Iterable[Edit]) -> Reading:
        """The reading of the text after some edits."""
        edits = tuple(edits)
        if self.bracket_faults:
            return TextUnderRepair(apply_edits(self.source, edits)).reading
        forms: list[Form] = []
        left = set(edits)
        for form in self.forms:
            span = form.node.span
            own = [edit for edit in left if span.start <= edit.span.start and edit.span.end <= span.end]
            if not own:
                forms.append(form)
                continue
            left.difference_update(own)
            text = edited(self.source.text[span.start : span.end], own, span.start)
            within = TextUnderRepair(Source(self.source.name, text))
            if within.bracket_faults and len(self.forms) > 1:
                # A bracket of one form may pair with one of another: only the whole text tells.
                return TextUnderRepair(apply_edits(self.source, edits)).reading
            forms += within._checked_forms()
        for edit in sorted(left, key=lambda each: each.span.start):
            forms += TextUnderRepair(Source(self.source.name, edit.text))._checked_forms()
        return _reading(self.source, forms, ())

    def _checked_forms(self) -> tuple[Form, ...]:
        """The forms; a bracket fault makes one that cannot be read."""
        if not self.bracket_faults:
            return self.forms
        return (
            *self.forms,
            Form(Node(NodeKind.LIST, self.bracket_faults[0].span), None, self.bracket_faults),
        )

    @cached_property
    def spots(self) -> tuple[tuple[NameSpot, ...], ...]:
        """The names and variables of each form, with the places they stand in."""
        return tuple(tuple(spots_of(form.node)) for form in self.forms)

    def all_spots(self) -> Iterator[NameSpot]:
        for spots in self.spots:
            yield from spots

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each name occurs in the text; variables with their question mark."""
        return Counter(spot.text for spot in self.all_spots())

    @cached_property
    def held(self) -> dict[Place, Counter[str]]:
        """The fillers of each argument place: variables by name, functions by name and arity."""
        found: dict[Place, Counter[str]] = {}
        for spot in self.all_spots():
            if spot.place is not None:
                found.setdefault(spot.place, Counter())[spot.filler] += 1
        return found

    @cached_property
    def rows(self) -> dict[tuple[str, str, int], list[tuple[str, ...]]]:
        """The tables that facts make: rows of constants by kind of name, name and arity."""
        found: dict[tuple[str, str, int], list[tuple[str, ...]]] = {}
        for form, spots in zip(self.forms, self.spots, strict=True):
            if form.node.head == "<=":
                continue
            for spot in spots:
                items = spot.whole.items[1:]
                if spot.role in ("relation", "function") and all(
                    each.kind is NodeKind.SYMBOL for each in items
                ):
                    kind = "r" if spot.role == "relation" else "f"
                    row = tuple(each.name for each in items)
                    found.setdefault((kind, spot.text, len(row)), []).append(row)
        return found

    @cached_property
    def relations(self) -> Counter[tuple[str, int]]:
        """How often each relation occurs in the text, by name and arity."""
        return Counter((spot.text, spot.arity) for spot in self.all_spots() if spot.role == "relation")

    @cached_property
    def rule_names(self) -> frozenset[str]:
        """The names that heads define."""
        return frozenset(spot.text for spot in self.all_spots() if spot.role == "relation" and spot.in_head)

    def text_of(self, node: Node) -> str:
        return self.source.text[node.span.start : node.span.end]

    def line(self, offset: int) -> int:
        return self.source.position(offset)[0]

    def column(self, node: Node) -> int:
        return self.source.position(node.span.start)[1]

    def begins_line(self, node: Node) -> bool:
        return begins_line(node, self.source)


def begins_line(node: Node, source: Source) -> bool:
    """Whether only space precedes it in its line."""
    line = source.text.rfind("\n", 0, node.span.start) + 1
    return not source.text[line : node.span.start].strip()


def _build(nodes: Iterable[Node], source: Source) -> Iterator[Form]:
    for node in nodes:
        rules, faults = build_rules([node], source)
        yield Form(node, rules[0] if rules and not faults else None, tuple(faults))


def _reading(source: Source, forms: Iterable[Form], bracket_faults: tuple[Diagnostic, ...]) -> Reading:
    forms = tuple(forms)
    faults = [*bracket_faults, *(fault for form in forms for fault in form.faults)]
    rules = tuple(form.rule for form in forms if form.rule is not None)
    return Reading(Ruleset(rules, source), tuple(faults))
