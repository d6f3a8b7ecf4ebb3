"""Rules as values: a ``Ruleset`` is what every language is read into and every engine starts from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from .plain_value import PlainValue
from .source import Source, Span
from .syntax import NO_NODE, Node, NodeKind
from .terms import Pattern, Signature, Term, Variable, as_integer, format_term, variables_of

RANDOM = Term("random")
"""The role that moves for nature in GDL-II."""


HEAVIEST = 2**31 - 1
"""The most that a move of nature may weigh."""


def is_nature(role: Pattern) -> bool:
    """Whether a role moves for nature: ``random``, or one of several of the form ``(random …)``."""
    return isinstance(role, Term) and role.name == RANDOM.name


@dataclass(frozen=True, slots=True)
class MoveWeights:
    """Where moves of nature tell how likely they are: those of this form, at this place; others have 1."""

    form: Signature
    place: int

    def of(self, move: Term) -> int:
        """The weight of a move: its share of those of all legal moves of its role is its probability."""
        number = as_integer(move.args[self.place]) if move.signature == self.form else None
        return 1 if number is None else max(1, number)


@dataclass(frozen=True, slots=True)
class Atom(PlainValue):
    """A relation holds: ``(true (cell 1 1 b))``, ``(line x)``, ``terminal``."""

    term: Term
    node: Node = field(default=NO_NODE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Distinct(PlainValue):
    """Two terms differ in form."""

    left: Pattern
    right: Pattern
    node: Node = field(default=NO_NODE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not(PlainValue):
    body: Formula
    node: Node = field(default=NO_NODE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And(PlainValue):
    parts: tuple[Formula, ...]
    node: Node = field(default=NO_NODE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or(PlainValue):
    parts: tuple[Formula, ...]
    node: Node = field(default=NO_NODE, compare=False, repr=False)


Formula: TypeAlias = Atom | Distinct | Not | And | Or


@dataclass(frozen=True, slots=True)
class Rule(PlainValue):
    """``head`` holds if every formula of ``body`` does; a fact has no body."""

    head: Term
    body: tuple[Formula, ...] = ()
    node: Node = field(default=NO_NODE, compare=False, repr=False)

    @property
    def head_node(self) -> Node:
        """The syntax of the head: the second item of ``(<= head ...)``, or the fact itself."""
        node = self.node
        if node.kind is NodeKind.LIST and node.head == "<=" and len(node.items) > 1:
            return node.items[1]
        return node

    @property
    def signature(self) -> Signature:
        return self.head.signature

    def __str__(self) -> str:
        return format_rule(self)


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game in the order of their text. Equality compares the rules only."""

    rules: tuple[Rule, ...]
    source: Source = field(default=Source("<made>", ""), compare=False, repr=False)
    domains: frozenset[Signature] = field(default=frozenset(), compare=False)
    """Relations made by rewriting that only bind variables: where a rule has such a condition, every use of
    its head implies the condition too. Once rules are ground these conditions may be taken as true."""
    weights: MoveWeights | None = field(default=None, compare=False)
    """Where moves of nature are not all as likely."""

    @cached_property
    def by_signature(self) -> dict[Signature, tuple[Rule, ...]]:
        """The rules that define each relation, in text order."""
        groups: dict[Signature, list[Rule]] = {}
        for rule in self.rules:
            groups.setdefault(rule.signature, []).append(rule)
        return {signature: tuple(rules) for signature, rules in groups.items()}

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """The roles given as facts, in the order joint moves follow."""
        facts = (rule.head.args[0] for rule in self.by_signature.get(("role", 1), ()) if not rule.body)
        return tuple(dict.fromkeys(role for role in facts if isinstance(role, Term) and role.is_ground))

    @cached_property
    def has_hidden_information(self) -> bool:
        """Whether this is GDL-II: some rule says what a role ``sees``."""
        return ("sees", 2) in self.by_signature

    @property
    def as_sent(self) -> Ruleset:
        """The rules as programs of other people read them, to whom all moves of nature are as likely."""
        return self

    def with_rules(self, rules: Iterable[Rule]) -> Ruleset:
        """The same sheet with other rules."""
        return Ruleset(tuple(rules), self.source, self.domains, self.weights)

    def __str__(self) -> str:
        return format_kif(self)


def format_formula(formula: Formula) -> str:
    match formula:
        case Atom(term):
            return format_term(term)
        case Distinct(left, right):
            return f"(distinct {format_term(left)} {format_term(right)})"
        case Not(body):
            return f"(not {format_formula(body)})"
        case And(parts):
            return f"(and {' '.join(map(format_formula, parts))})"
        case Or(parts):
            return f"(or {' '.join(map(format_formula, parts))})"


def format_rule(rule: Rule) -> str:
    """A rule over several lines, one body literal a line; a fact on one."""
    if not rule.body:
        return format_term(rule.head)
    return "\n    ".join([f"(<= {format_term(rule.head)}", *map(format_formula, rule.body)]) + ")"


def format_kif(ruleset: Ruleset) -> str:
    """The rules as KIF text without comments (``format_text`` keeps them)."""
    return "".join(format_rule(rule) + "\n" for rule in ruleset.rules)


def subformulas(formulas: Iterable[Formula]) -> Iterator[Formula]:
    """Every formula and everything inside it, from left to right."""
    for formula in formulas:
        yield formula
        if isinstance(formula, Not):
            yield from subformulas((formula.body,))
        elif isinstance(formula, (And, Or)):
            yield from subformulas(formula.parts)


def signed_atoms(formulas: Iterable[Formula], positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """The atoms of a body, each with whether it stands under an even number of negations."""
    for formula in formulas:
        if isinstance(formula, Atom):
            yield formula, positive
        elif isinstance(formula, Not):
            yield from signed_atoms((formula.body,), not positive)
        elif isinstance(formula, (And, Or)):
            yield from signed_atoms(formula.parts, positive)


def formula_variables(formula: Formula) -> Iterator[Variable]:
    """The variables of a formula from left to right, with repetitions."""
    match formula:
        case Atom(term):
            yield from variables_of(term)
        case Distinct(left, right):
            yield from variables_of(left)
            yield from variables_of(right)
        case Not(body):
            yield from formula_variables(body)
        case And(parts) | Or(parts):
            for part in parts:
                yield from formula_variables(part)


def with_other_terms(rule: Rule, change: Callable[[Pattern], Pattern]) -> Rule:
    """The rule with its terms changed; nothing of the text it was written in is kept."""

    def sentence(term: Term) -> Term:
        changed = change(term)
        assert isinstance(changed, Term)
        return changed

    def formula(whole: Formula) -> Formula:
        match whole:
            case Atom(term):
                return Atom(sentence(term))
            case Distinct(left, right):
                return Distinct(change(left), change(right))
            case Not(body):
                return Not(formula(body))
            case And(parts):
                return And(tuple(map(formula, parts)))
            case Or(parts):
                return Or(tuple(map(formula, parts)))

    return Rule(sentence(rule.head), tuple(map(formula, rule.body)))


def variable_span(node: Node, variable: Variable) -> Span:
    """Where a variable first stands inside a piece of syntax; the piece itself if it does not."""
    for inner in node.walk():
        if inner.kind is NodeKind.VARIABLE and inner.name == variable.name:
            return inner.span
    return node.span
