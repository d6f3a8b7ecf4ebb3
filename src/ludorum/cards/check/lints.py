"""Captions that a chart's author hardly means: warnings, for such a game can be played."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.source import Severity
from ..language.faults import ChartFault, fault
from ..language.language import CONSTANTS, HIDDEN_FUNCTIONS, PLACE_FUNCTIONS, Type
from ..language.rules import Rules, Statement
from ..language.terms import Term, as_integer, format_term, is_string, subterms, text_of
from ..language.types import Types, infer_types, type_of
from ..machine.statements import parts_of_text


def lint(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """All warnings of the captions of a chart."""
    types, hidden = infer_types(rules), _hidden_piles(rules)
    for index in sorted(rules.nodes):
        node = rules.nodes[index]
        if not isinstance(node, Statement):
            continue
        found = [*_options(node.action, types), *_shown(node.action, hidden)]
        for code, message, hint in found:
            caption = rules.caption(index)
            yield fault(
                code, message, hint, node=index, caption=caption, severity=Severity.WARNING, chart=name
            )


def _options(action: Term, types: Types) -> Iterator[tuple[str, str, str]]:
    """``choose(p,answer,check,bet)`` where ``bet`` has a value: that value is offered, not the word."""
    if action.name != "choose":
        return
    words = [one for one in action.args[2:] if isinstance(one, Term) and _is_word(one)]
    assigned = [one for one in words if (one.name, 0) in types.of]
    plain = [one for one in words if one not in assigned]
    for one in assigned:
        if not plain or not _differ(one, plain, types):
            continue
        message = f"{one.name} is a variable: its value is offered beside {', '.join(map(str, plain))}"
        yield "option-value", message, "take another word, or another name for the variable"


def _is_word(term: Term) -> bool:
    return not term.args and as_integer(term) is None and not is_string(term)


def _differ(one: Term, plain: list[Term], types: Types) -> bool:
    """Whether a variable is of another type than the words beside it: a suit beside suits may be meant."""
    if any(word.name not in CONSTANTS for word in plain):
        return True
    kinds = set().union(*(type_of(word, types) for word in plain))
    own = type_of(one, types)
    return bool(own) and Type.VALUE not in own and not own & kinds


def _hidden_piles(rules: Rules) -> frozenset[str]:
    """Names of piles that not all players see."""
    return frozenset(
        str(node.action.args[0])
        for node in rules.nodes.values()
        if isinstance(node, Statement) and node.action.name in ("Pile.closed", "Pile.private")
    )


def _shown(action: Term, hidden: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """Texts or variables that tell all players of cards that not all see.

    Counts and sums of hidden cards are often meant to be known, as in scores.
    """
    if action.name == "publish" and isinstance(action.args[0], Term) and is_string(action.args[0]):
        told = [one for part in parts_of_text(text_of(action.args[0])) for one in subterms(part)]
        secret = [one for one in told if _tells(one, hidden)]
    elif action.name == "assign" and isinstance(action.args[1], Term):
        value = action.args[1]
        secret = [one for one in subterms(value) if one.name == "top" and _tells(one, hidden)]
    else:
        return
    for one in dict.fromkeys(secret):
        message = f"{format_term(one)} tells all players of cards that not all of them see"
        yield "told-to-all", message, "move the cards to an open pile first where they are to be shown"


def _tells(term: Term, hidden: frozenset[str]) -> bool:
    if term.name in HIDDEN_FUNCTIONS:
        return True
    place = term.args[0] if term.name in PLACE_FUNCTIONS and term.args else None
    if not isinstance(place, Term):
        return False
    return place.name == "hand" or (place.name == "pile" and str(place.args[0]) in hidden)
