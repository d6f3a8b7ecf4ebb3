"""What leaves of goals ask beside fluents, as atoms over the fluents of a compiled game.

Queries are ground once, over all fluents that play can make true: each of their solutions is an atom. What is
looked at is bounded by the number of ground rules, so every machine decides alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...asp.ground import GroundingError, GroundProgram, clock_of, ground_rules
from ...rules.dependencies import Dependencies
from ...rules.ruleset import Rule, Ruleset
from ...rules.terms import Term
from ..ground_bodies import MEGABYTES, bodies_of, fluents_of
from .atom_circuit import AtomCircuit
from .goal_theory import DerivedAtom, GoalTheory
from .leaf import LeafQuery, Row

MOST_RULES = 200_000
"""The most ground rules of queries: their atoms are brought up to date in each state."""


class NoCompiledFormError(Exception):
    """Something of an evaluation has no compiled form; the message says what."""


Solutions = Mapping[Row, int]
"""The atom of each solution of a query."""


def solutions_of(
    queries: Iterable[LeafQuery],
    rules: Ruleset,
    fluents: Sequence[Term],
    circuit: AtomCircuit,
    seconds: float | None = None,
) -> dict[LeafQuery, Solutions]:
    """The solutions that queries can have in states of these fluents."""
    wanted = list(dict.fromkeys(queries))
    if not wanted:
        return {}
    if ("true", 1) in rules.by_signature:
        raise NoCompiledFormError("rules say of some facts that they hold")
    role = rules.roles[0]
    heads = [Term("sees", (role, Term(_name(at), query.variables))) for at, query in enumerate(wanted)]
    asked = [Rule(head, query.body) for head, query in zip(heads, wanted, strict=True)]
    sheet = rules.with_rules([*_without_play(rules), *map(_may_hold, fluents), *asked])
    needed = Dependencies(sheet).slice([("sees", 2), ("role", 1), ("init", 1)])
    try:
        program = ground_rules(sheet.with_rules(needed), clock_of(seconds), MEGABYTES, most_rules=MOST_RULES)
    except GroundingError as error:
        raise NoCompiledFormError(f"what leaves ask is too much: {error}") from error
    places = {_name(at): query for at, query in enumerate(wanted)}
    numbers: dict[LeafQuery, dict[Row, int]] = {query: {} for query in wanted}
    for atom, number in program.numbers.items():
        if atom.name == "sees":
            row = atom.args[1]
            assert isinstance(row, Term)
            numbers[places[row.name]][row.args] = number  # type: ignore[index]
    all_numbers = [number for own in numbers.values() for number in own.values()]
    atoms = atoms_of(program, all_numbers, circuit)
    return {query: {row: atoms[number] for row, number in own.items()} for query, own in numbers.items()}


def _name(number: int) -> str:
    """No sheet can write a name with a space and a colon."""
    return f"{number} : solution"


def _without_play(rules: Ruleset) -> list[Rule]:
    """The rules without those that say what comes next, or where play begins."""
    left = {("init", 1), ("next", 1), ("sees", 2), ("base", 1), ("input", 2)}
    return [rule for rule in rules.rules if rule.signature not in left]


def _may_hold(fluent: Term) -> Rule:
    """What is initial is ground as a fact that may be true or false."""
    return Rule(Term("init", (fluent,)), ())


def derived_atoms(goals: GoalTheory, leaves: Iterable[DerivedAtom], circuit: AtomCircuit) -> dict[int, int]:
    """The atoms of leaves that are atoms of the ground program."""
    return atoms_of(goals.program, [leaf.number for leaf in leaves], circuit)


def atoms_of(program: GroundProgram, wanted: Iterable[int], circuit: AtomCircuit) -> dict[int, int]:
    """Some atoms of a ground program, with all rules below them, in a circuit."""
    bodies = bodies_of(program)
    found = {number: circuit.fluent(fluent) for number, fluent in fluents_of(program).items()}
    found.update(dict.fromkeys(program.facts.tolist(), circuit.always))
    waiting = [number for number in wanted if number not in found]
    inner: dict[int, None] = {}
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        found[number] = circuit.new_atom() if number in bodies else circuit.never
        inner[number] = None
        waiting += [other for body in bodies.get(number, ()) for other, _ in body if other not in found]
    for number in inner:
        for body in bodies.get(number, ()):
            circuit.add_rule(found[number], [(found[other], negated) for other, negated in body])
        if circuit.rules > MOST_RULES:
            raise NoCompiledFormError(f"its leaves follow from more than {MOST_RULES} ground rules")
    return found
