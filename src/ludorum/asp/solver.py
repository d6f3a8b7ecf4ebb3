"""One call of clingo: a program in, the one set of derived atoms out."""

from __future__ import annotations

from collections.abc import Iterable

from ..rules.terms import Signature, Term
from .control import RemarkError, ground, make_control
from .names import asp_relation, read_symbol


class SolverError(Exception):
    """clingo refused the program, or the program does not have exactly one stable model."""


def derive(program: str, wanted: Iterable[Signature]) -> dict[Signature, list[tuple[Term, ...]]]:
    """The rows of the wanted relations in the program's only stable model.

    Stratified rules have exactly one; rules with negation in a cycle may have none or several, which is an
    error, since the game then has no definite meaning. So is every message of clingo.
    """
    # Two models are asked for so that a second one is noticed; stratified rules need no search.
    control, remarks = make_control("2")
    rows: dict[Signature, list[tuple[Term, ...]]] = {signature: [] for signature in wanted}
    shown = {asp_relation(name, arity): (name, arity) for name, arity in rows}
    show = "".join(
        f"#show {predicate}/{arity}.\n#defined {predicate}/{arity}.\n"
        for predicate, (_, arity) in shown.items()
    )
    models = 0
    try:
        ground(control, remarks, ["#show.\n", show, program])
        with control.solve(yield_=True) as handle:
            for model in handle:
                models += 1
                if models == 1:
                    for symbol in model.symbols(shown=True):
                        rows[shown[symbol.name]].append(tuple(map(read_symbol, symbol.arguments)))
        remarks.refuse()
    except RemarkError as error:
        raise SolverError(str(error)) from error
    if models != 1:
        which = "no" if models == 0 else "more than one"
        raise SolverError(f"the rules have {which} stable model: negation runs in a circle")
    return rows
