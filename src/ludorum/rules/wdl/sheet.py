"""A WDL sheet: what its statements mean for the one who knows everything, and for each player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ..ruleset import Rule, Ruleset, with_other_terms
from ..source import Diagnostic, Severity, Source
from ..terms import Pattern, Substitution, Term
from ..unify import resolve, unify
from .modules import ModulePath, Texts, expand_includes
from .number_rows import number_rows
from .plain_form import plain_form
from .statements import Settings, WdlStatement, private_parts, read_statements
from .views import bare

RANDOM_FACT = ("random", 3)


@dataclass(frozen=True)
class WdlSheet:
    """The statements of a sheet with all its modules.

    >>> from ludorum.rules.source import Source
    >>> text = '''(role ann) (role bob) (visible ann (secret 7))
    ... (<= (next (visible bob (told ?n))) (secret ?n))'''
    >>> sheet, faults = read_wdl(Source("small", text))
    >>> [str(rule.head) for rule in sheet.description(Term("ann")).rules]
    ['(role ann)', '(role bob)', '(secret 7)']
    >>> [str(rule.head) for rule in sheet.master.rules]
    ['(role ann)', '(role bob)', '(secret 7)', '(next (told ?n))']
    """

    statements: tuple[WdlStatement, ...]
    settings: Settings
    texts: Texts
    modules: tuple[str, ...] = ()
    built_in: tuple[str, ...] = ()
    """The modules whose relations are built in."""
    numbers: tuple[Rule, ...] = ()
    """The rows of built-in relations that the sheet can ask for."""

    @property
    def source(self) -> Source:
        """The text of the sheet itself, without its modules."""
        return self.texts.main

    @cached_property
    def master(self) -> Ruleset:
        """All rules, whoever is told of them; moves keep their ``visible``, as players write them."""
        rules = (_without_audience(one.rule) for one in self.statements)
        return Ruleset((*rules, *self.numbers), self.texts.whole)

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        return self.master.roles

    @cached_property
    def names(self) -> frozenset[Term]:
        """The names of random events."""
        heads = (one.rule.head for one in self.statements)
        return frozenset(
            name
            for head in heads
            if head.signature == RANDOM_FACT and isinstance(name := head.args[0], Term) and not name.args
        )

    def description(self, role: Term) -> Ruleset:
        """What a player is told: statements for others are left out, and heads are cut to that player."""
        rules = [
            rule
            for one in self.statements
            if one.owner is None or one.owner is role
            if (rule := _specialised(one.rule, role)) is not None
        ]
        return Ruleset((*rules, *self.numbers), self.texts.whole)

    @property
    def hides(self) -> bool:
        """Whether some players are not told everything."""
        return any(map(_is_private, self.statements))

    @property
    def extends_gdl(self) -> bool:
        """Whether anything in it is not plain GDL."""
        return bool(self.names or self.settings.realtime or self.hides)


def read_wdl(
    source: Source, path: ModulePath | None = None, *, private_random: bool = False
) -> tuple[WdlSheet, list[Diagnostic]]:
    """The sheet of a text, and its faults of form; ``ludorum.rules.wdl.check`` finds all others.

    ``path``: where modules are looked for; without it only those that come with Ludorum are there.
    """
    expanded = expand_includes(source, path or ModulePath.of_library())
    whole = expanded.texts.whole
    found = read_statements(expanded.nodes, whole, private_random)
    sheet = WdlSheet(tuple(found.rules), found.settings, expanded.texts, expanded.modules, expanded.built_in)
    faults = [*expanded.faults, *map(expanded.texts.placed, found.faults)]
    if not sheet.built_in or any(fault.severity is Severity.ERROR for fault in faults):
        return sheet, faults
    plain = plain_form(sheet.master, sheet.names, sheet.settings.realtime)
    numbers, wrong = number_rows(plain, sheet.built_in, sheet.settings)
    return replace(sheet, numbers=tuple(numbers)), [*faults, *map(sheet.texts.placed, wrong)]


def _without_audience(rule: Rule) -> Rule:
    """A rule for the one who knows everything: moves keep their ``visible``, since players answer with it."""
    if rule.head.name == "legal":
        return rule
    head = bare(rule.head)
    assert isinstance(head, Term)
    return rule if head is rule.head else Rule(head, rule.body, rule.node)


def _specialised(rule: Rule, role: Term) -> Rule | None:
    """A rule as one player is told it; None where it is for others."""
    if rule.head.name == "legal":
        return rule
    values: Substitution | None = {}
    for player in audience(rule.head):
        values = unify(player, role, values)
        if values is None:
            return None
    bared = _without_audience(rule)
    if not values:
        return bared
    return with_other_terms(bared, lambda pattern: resolve(pattern, values))


def audience(head: Term) -> Iterator[Pattern]:
    """The players that a head, which is no ``legal``, is for; none where it is for all."""
    for part in private_parts(head):
        yield part.args[0]
        inner = part.args[1]
        if isinstance(inner, Term):
            yield from audience(inner)


def _is_private(one: WdlStatement) -> bool:
    return one.owner is not None or next(private_parts(one.rule.head), None) is not None
