"""Rules as a clingo program, one clingo rule for each alternative of a GDL rule and nothing added."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..rules.normalise import literal_bodies
from ..rules.normalise.expand_connectives import Literal
from ..rules.ruleset import Atom, Distinct, Not, Rule, signed_atoms
from ..rules.source import Source
from ..rules.terms import Signature, Term, Variable
from .names import asp_relation, asp_term


def asp_facts(relation: str, rows: Iterable[tuple[Term, ...]], stamp: str = "") -> str:
    """Ground facts of one relation, e.g. ``p_true_1(c_cell(1,1,c_b)).``; a stamp may come last."""
    last = [stamp] if stamp else []
    return "\n".join(
        f"{asp_relation(relation, len(row))}({','.join([*map(asp_term, row), *last])})." for row in rows
    )


def asp_program(rules: Iterable[Rule], source: Source | None = None) -> str:
    """The clingo program of some rules. Relations without rules are declared, so clingo gives no message."""
    rules = list(rules)
    lines = [text for rule in rules for text in _asp_rule(rule, source)]
    used: dict[Signature, None] = {}
    for rule in rules:
        used.update((atom.term.signature, None) for atom, _ in signed_atoms(rule.body))
    lines += [f"#defined {asp_relation(name, arity)}/{arity}." for name, arity in used]
    return "\n".join(lines) + "\n"


def _asp_rule(rule: Rule, source: Source | None) -> list[str]:
    texts = []
    for body in literal_bodies(rule, source):
        variables: dict[Variable, str] = {}
        head = _asp_atom(rule.head, variables)
        literals = ", ".join(asp_literal(literal, variables) for literal in body)
        texts.append(f"{head} :- {literals}." if literals else f"{head}.")
    return texts


def _asp_atom(term: Term, variables: dict[Variable, str]) -> str:
    predicate = asp_relation(*term.signature)
    return (
        f"{predicate}({','.join(asp_term(arg, variables) for arg in term.args)})" if term.args else predicate
    )


def asp_literal(
    literal: Literal,
    variables: dict[Variable, str],
    write_atom: Callable[[Term, dict[Variable, str]], str] = _asp_atom,
) -> str:
    """The clingo text of a plain literal; ``write_atom`` may stamp its relation."""
    match literal:
        case Atom(term):
            return write_atom(term, variables)
        case Not(Atom(term)):
            return f"not {write_atom(term, variables)}"
        case Distinct(left, right):
            return f"{asp_term(left, variables)} != {asp_term(right, variables)}"
        case Not(Distinct(left, right)):
            return f"{asp_term(left, variables)} = {asp_term(right, variables)}"
    raise TypeError(f"not a plain literal: {literal}")
