"""Why something is known, possible or impossible in a box: its supports and countersupports as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...engine.errors import GameError
from ...rules.terms import Term, format_term, sort_key
from .box_knower import BoxKnower
from .normal_program import Literal
from .open_program import OpenProgram
from .supports import BUDGET, Support, SupportOverflowError, Supports

MOST_LINES = 20
"""The most supports that a text lists."""


def explain_atom(knower: BoxKnower, atom: Term, budget: int = BUDGET) -> str:
    """What an atom of the current state, such as ``(legal white noop)``, needs of the open facts.

    GameError for atoms that can never be true or that depend on moves.
    """
    sheet = knower.sheet
    numbers = {name: number for number, name in enumerate(sheet.names) if name is not None}
    if atom not in numbers:
        raise GameError(f"{format_term(atom)} is true in no state of the game")
    number = numbers[atom]
    moves = {each for own in sheet.does.values() for each in own.values()}
    if not moves.isdisjoint(sheet.program.cone([number])):
        raise GameError(f"{format_term(atom)} depends on moves; only the state can be explained")
    program = OpenProgram(sheet.program, knower.worlds.known, knower.worlds.open)
    supports = Supports(program, budget)
    try:
        holding, failing = supports.of(2 * number), supports.of(2 * number + 1)
    except SupportOverflowError as error:
        return f"{format_term(atom)}: {error}; they are not listed\n"
    return "\n".join(
        [f"{format_term(atom)} {_verdict(holding, failing)}", *_lists(sheet.names, holding, failing), ""]
    )


def _verdict(holding: frozenset[Support], failing: frozenset[Support]) -> str:
    if frozenset() in holding:
        return "is known: it follows from what is known alone"
    if not holding:
        return "is impossible: nothing that may be true is enough for it"
    return "is possible" if failing else "is true in every case, which no single derivation shows"


def _lists(
    names: Sequence[Term | None], holding: frozenset[Support], failing: frozenset[Support]
) -> list[str]:
    if frozenset() in holding or not holding:
        return []
    lines = ["it holds where", *_alternatives(names, holding)]
    return [*lines, "it does not hold where", *_alternatives(names, failing)] if failing else lines


def _alternatives(names: Sequence[Term | None], supports: Iterable[Support]) -> list[str]:
    texts = sorted((len(each), " and ".join(_sorted(names, each))) for each in supports)
    lines = [f"  {'or ' if at else ''}{text}" for at, (_, text) in enumerate(texts[:MOST_LINES])]
    left = len(texts) - MOST_LINES
    return [*lines, f"  or one of {left} other cases"] if left > 0 else lines


def _sorted(names: Sequence[Term | None], support: Support) -> list[str]:
    def name(literal: Literal) -> Term:
        found = names[literal >> 1]
        assert found is not None  # facts have names
        return found

    ordered = sorted(support, key=lambda literal: sort_key(name(literal)))
    return [f"{'not ' if literal & 1 else ''}{format_term(name(literal))}" for literal in ordered]
