"""The Prolog syntax of GDL, as papers print it: ``legal(P, mark(X)) :- true(blank(X)), role(P).``

Read into the same syntax tree as KIF, so both notations of a game are one ``Ruleset``. Variables begin with
a capital or an underscore, ``_`` alone is a new variable each time; ``X \\= Y`` is ``distinct(X, Y)``;
``not``, ``\\+`` and ``~`` negate. Case does not matter except between quotes. The reader never recurses,
keeps exact spans and goes on after a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .build import build_rules
from .prolog_reader import names_apart, read_prolog_nodes
from .ruleset import And, Atom, Distinct, Formula, Not, Or, Rule, Ruleset, formula_variables
from .source import Diagnostic, RulesError, Source
from .terms import Pattern, Variable, as_integer, variables_of

_PLAIN = re.compile(r"[a-z][a-z0-9_]*")

Names = dict[Variable, str]


def parse_prolog(text: str, name: str = "<text>") -> Ruleset:
    """The rules of a text in Prolog syntax; raises RulesError with every fault of form."""
    ruleset, faults = read_prolog(Source(name, text))
    if faults:
        raise RulesError(faults)
    return ruleset


def read_prolog(source: Source) -> tuple[Ruleset, list[Diagnostic]]:
    """The rules that could be read, and the faults of those that could not."""
    nodes, faults = read_prolog_nodes(source)
    rules, more = build_rules(nodes, source)
    return Ruleset(tuple(rules), source), sorted(faults + more, key=lambda fault: fault.span)


def format_prolog(ruleset: Ruleset) -> str:
    """The rules in Prolog syntax without comments (``format_as`` keeps them)."""
    return "".join(format_prolog_rule(rule) + "\n" for rule in ruleset.rules)


def format_prolog_rule(rule: Rule) -> str:
    """A clause over several lines, one body literal a line; a fact on one."""
    names = variable_names(rule)
    head = format_prolog_term(rule.head, names)
    if not rule.body:
        return f"{head}."
    body = ",\n    ".join(_conjunct(formula, names) for formula in rule.body)
    return f"{head} :-\n    {body}."


def format_prolog_term(pattern: Pattern, names: Names | None = None) -> str:
    """A term in Prolog syntax; ``names`` says how its variables are written."""
    if isinstance(pattern, Variable):
        return (names or {}).get(pattern) or _capitalised(pattern.name)
    functor = format_atom(pattern.name)
    if not pattern.args:
        return functor if as_integer(pattern) is None else pattern.name
    return f"{functor}({', '.join(format_prolog_term(arg, names) for arg in pattern.args)})"


def format_atom(name: str) -> str:
    """A symbol as a Prolog atom, between quotes where it would otherwise be read as something else."""
    if _PLAIN.fullmatch(name) and name != "not":
        return name
    return "'" + re.sub(r"(['\\])", r"\\\1", name).replace("\n", "\\n") + "'"


def variable_names(rule: Rule) -> Names:
    """A Prolog name for each variable of a rule, all different even where case does not count."""
    spelt = {variable: _capitalised(variable.name) for variable in _variables(rule)}
    apart = names_apart(list(spelt.values()))
    return {
        variable: name + numbered[len(name) :]
        for (variable, name), numbered in zip(spelt.items(), apart, strict=True)
    }


def _variables(rule: Rule) -> Iterable[Variable]:
    yield from variables_of(rule.head)
    for formula in rule.body:
        yield from formula_variables(formula)


def _capitalised(name: str) -> str:
    word = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if word[:1].isalpha():
        return word[0].upper() + word[1:]
    return word if word.startswith("_") and word != "_" else f"_{word}_"


def _conjunct(formula: Formula, names: Names) -> str:
    """A formula where a comma or ``not`` stands beside it."""
    text = _formula(formula, names)
    return f"({text})" if isinstance(formula, (And, Or)) and len(formula.parts) > 1 else text


def _formula(formula: Formula, names: Names) -> str:
    match formula:
        case Atom(term):
            return format_prolog_term(term, names)
        case Distinct(left, right):
            return f"distinct({format_prolog_term(left, names)}, {format_prolog_term(right, names)})"
        case Not(body):
            return f"not {_conjunct(body, names)}"
        case And((only,)):
            return f"and({_conjunct(only, names)})"
        case Or((only,)):
            return f"or({_conjunct(only, names)})"
        case And(parts):
            return ", ".join(_conjunct(part, names) for part in parts)
        case Or(parts):
            return " ; ".join(
                _conjunct(part, names) if isinstance(part, Or) else _formula(part, names) for part in parts
            )
