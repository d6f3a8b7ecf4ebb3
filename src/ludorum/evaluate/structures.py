"""Structures of a rule sheet: orders, counters, boards, markers, quantities, and whose turn it is.

They are read off the rules and the first state, never off names: a sheet whose names are scrambled has the
same structures with the same keys (asp-player, section 15.1). Successor relations are found first; the others
are built on their orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from hashlib import blake2b
from itertools import product
from math import prod

from ..rules.argument_domains import argument_domains
from ..rules.dependencies import Dependencies
from ..rules.identity import symbol_shapes
from ..rules.keywords import KEYWORDS
from ..rules.normalise.evaluate_static import evaluate_static
from ..rules.ruleset import Rule, Ruleset, signed_atoms
from ..rules.terms import Signature, Term, Variable
from .chains import Chains, find_chains

MOST_MARKERS = 24
"""The most markers of a board; an argument with more values holds no pieces."""
MOST_ROWS = 500
"""The most rows that are derived of a relation that never changes, to find orders and owners in them."""
FEWEST_CELLS = 4
"""The least facts of the first state that make a board where no successor relation orders its cells."""


class StructureKind(Enum):
    """The kind of a structure."""

    SUCCESSOR = "successor"
    """A relation that never changes and puts things into an order, ``(succ 1 2)``."""
    COUNTER = "counter"
    """A fluent that advances along an order at every step, whatever is done."""
    BOARD = "board"
    """A fluent with a value for each cell, or with cells that are ordered."""
    MARKER = "marker"
    """A value that the cells of a board can have: a piece."""
    QUANTITY = "quantity"
    """An argument that moves along an order, depending on the moves made."""
    TURN = "turn"
    """A fluent that says which role may move."""


@dataclass(frozen=True)
class Structure:
    """One structure. ``key`` is the same in every sheet of this shape, whatever its names."""

    kind: StructureKind
    key: str
    name: Signature
    """The relation or fluent."""
    places: tuple[int, ...] = ()
    """Arguments: the cells of a board, the argument that counts, the role whose turn it is."""
    contents: int | None = None
    """The argument of a board that says what stands there."""
    value: Term | None = None
    """The marker."""
    owner: Term | None = None
    """The role that has it: whose moves put the marker down, whose turn, whose quantity."""
    fixed: tuple[tuple[int, Term], ...] = ()
    """Arguments that have one value in all facts of this structure."""
    order: Chains | None = field(default=None, compare=False)
    axes: tuple[tuple[int, Chains], ...] = field(default=(), compare=False)
    """The arguments of a board that are ordered, each with its order."""
    size: int = 1
    """The most facts of it that can hold, as far as is known: cells of a board."""
    line: int = 0
    """Where it first occurs in the sheet."""

    @property
    def pattern(self) -> str:
        """The fluent with question marks for what varies: ``(cell ? ? x)``."""
        name, arity = self.name
        shown = ["?"] * arity
        if self.value is not None and self.contents is not None:
            shown[self.contents] = str(self.value)
        for place, value in self.fixed:
            shown[place] = str(value)
        return f"({' '.join([name, *shown])})" if arity else name

    def as_json(self) -> dict[str, object]:
        return {
            "kind": self.kind.value,
            "key": self.key,
            "pattern": self.pattern,
            "places": [place + 1 for place in self.places],
            "contents": None if self.contents is None else self.contents + 1,
            "owner": None if self.owner is None else str(self.owner),
            "order": None if self.order is None else len(self.order.ranks),
            "ordered": [place + 1 for place, _ in self.axes],
            "size": self.size,
            "line": self.line,
        }


def find_structures(rules: Ruleset, initial: Iterable[Term]) -> list[Structure]:
    """The structures of a sheet, in an order that does not depend on names.

    Where a symmetry of the rules exchanges two of them, their keys are numbered as their names come.
    """
    found = sorted(
        _Finder(rules, frozenset(initial)).all(), key=lambda each: (each.kind.value, each.key, each.pattern)
    )
    same: Counter[str] = Counter()
    numbered = []
    for each in found:
        same[each.key] += 1
        numbered.append(each if same[each.key] == 1 else replace(each, key=f"{each.key}.{same[each.key]}"))
    return numbered


class _Finder:
    def __init__(self, rules: Ruleset, initial: frozenset[Term]) -> None:
        self.rules = rules
        self.initial = initial
        self.shapes = symbol_shapes(rules)
        self.domains = argument_domains(rules)
        self.graph = Dependencies(rules)
        self.static = evaluate_static(rules, MOST_ROWS)
        self.roles = {role.name for role in rules.roles}
        self.fluents = self._fluents()
        self.chains = find_chains(self.static, self.shapes)

    def all(self) -> Iterator[Structure]:
        for chains in self.chains.values():
            yield self._made(StructureKind.SUCCESSOR, chains.relation, order=chains, size=len(chains.ranks))
        for fluent in self.fluents:
            yield from self._of_fluent(fluent)

    def _of_fluent(self, fluent: Signature) -> Iterator[Structure]:
        counting = {place: order for place in range(fluent[1]) if (order := self._goes_along(fluent, place))}
        if len(counting) == fluent[1] == 1 and not self._depends_on_moves(fluent):
            yield self._made(StructureKind.COUNTER, fluent, places=(0,), order=counting[0])
            return
        board = self._board(fluent, set(counting))
        if board is not None:
            yield board
            yield from self._markers(board)
            if board.contents is not None and board.contents not in counting:
                order = self._order(fluent, board.contents)
                if order is not None:
                    counting[board.contents] = order
        for place, order in counting.items():
            yield from self._quantities(fluent, place, order)
        yield from self._turns(fluent)

    # -- orders ------------------------------------------------------------------------------------------

    def _order(self, fluent: Signature, place: int) -> Chains | None:
        """The shortest order that contains all values of an argument."""
        names = self._domain(fluent, place)
        fitting = [chains for chains in self.chains.values() if len(names) > 1 and names <= chains.names]
        return min(fitting, key=lambda each: (len(each.ranks), each.shape), default=None)

    def _goes_along(self, fluent: Signature, place: int) -> Chains | None:
        """The order along which some rule advances the argument from one step to the next."""
        for rule in self._next_rules(fluent):
            (head,) = rule.head.args
            assert isinstance(head, Term)
            after = head.args[place]
            if isinstance(after, Variable):
                found = self._steps_to(rule, fluent, place, after)
                if found is not None:
                    return found
        return None

    def _steps_to(self, rule: Rule, fluent: Signature, place: int, after: Variable) -> Chains | None:
        atoms = [atom.term for atom, positive in signed_atoms(rule.body) if positive]
        before = {
            fact.args[place]
            for atom in atoms
            if atom.signature == ("true", 1)
            for fact in atom.args
            if isinstance(fact, Term) and fact.signature == fluent
        } - {after}
        for atom in atoms:
            chains = self.chains.get(atom.signature)
            if chains is not None and after in atom.args and any(arg in before for arg in atom.args):
                return chains
        return None

    # -- boards ------------------------------------------------------------------------------------------

    def _board(self, fluent: Signature, counting: set[int]) -> Structure | None:
        arity = fluent[1]
        if arity < 2:
            return None
        rows = [fact for fact in self.initial if fact.signature == fluent]
        contents = self._covering(fluent, rows)
        ordered = {
            place: order
            for place in range(arity)
            if place not in counting and (order := self._order(fluent, place)) is not None
        }
        if contents is None:
            others = [place for place in range(arity) if place not in ordered]
            if not ordered or len(others) > 1 or len(ordered) + len(others) < 2 or counting:
                return None
            contents = others[0] if others else None
        cells = tuple(place for place in range(arity) if place != contents)
        axes = tuple((place, ordered[place]) for place in cells if place in ordered)
        if not axes and len(rows) < FEWEST_CELLS:
            return None
        size = prod(max(1, len(self._domain(fluent, place))) for place in cells)
        return self._made(StructureKind.BOARD, fluent, places=cells, contents=contents, axes=axes, size=size)

    def _covering(self, fluent: Signature, rows: list[Term]) -> int | None:
        """The argument that has one value for each combination of all others in the first state.

        The combinations must be all that can ever occur: cells are fixed, only what is on them changes.
        """
        for place in reversed(range(fluent[1])):
            cells = [other for other in range(fluent[1]) if other != place]
            seen = {tuple(row.args[other] for other in cells) for row in rows}
            product, complete = 1, len(rows) > 1
            for other in cells:
                values = {row.args[other] for row in rows}
                product *= len(values)
                complete &= {each.name for each in values} == self._domain(fluent, other)
            if complete and len(seen) == len(rows) == product and len(self._domain(fluent, place)) > 1:
                return place
        return None

    def _markers(self, board: Structure) -> Iterator[Structure]:
        if board.contents is None:
            yield self._made(StructureKind.MARKER, board.name, board.places, axes=board.axes, size=board.size)
            return
        values = self._domain(board.name, board.contents)
        if len(values) > MOST_MARKERS or self._order(board.name, board.contents) is not None:
            return
        for name in values:
            value = Term(name)
            yield self._made(
                StructureKind.MARKER,
                board.name,
                board.places,
                contents=board.contents,
                value=value,
                owner=self._owner(board.name, board.contents, value),
                axes=board.axes,
                size=board.size,
            )

    def _owner(self, fluent: Signature, contents: int, marker: Term) -> Term | None:
        """The only role whose moves put the marker on the board."""
        if marker.name in self.roles:
            return marker
        owners = set()
        for rule in self._next_rules(fluent):
            (head,) = rule.head.args
            assert isinstance(head, Term)
            owners |= set(self._movers(rule, head.args[contents], marker))
        return owners.pop() if len(owners) == 1 else None

    def _movers(self, rule: Rule, shown: object, marker: Term) -> Iterator[Term]:
        """The roles that make the move of a rule which puts the marker down."""
        atoms = [atom.term for atom, positive in signed_atoms(rule.body) if positive]
        for done in (atom for atom in atoms if atom.signature == ("does", 2)):
            who = done.args[0]
            if isinstance(who, Term) and shown is marker:
                yield who
            elif isinstance(who, Variable) and isinstance(shown, Variable):
                for atom in atoms:  # a table of roles and their markers, whichever comes first
                    if {who, shown} <= set(atom.args) and atom.signature in self.static.by_signature:
                        yield from self._listed(atom, who, shown, marker)

    def _listed(self, atom: Term, who: Variable, shown: Variable, marker: Term) -> Iterator[Term]:
        at, of = atom.args.index(who), atom.args.index(shown)
        for row in self.static.by_signature[atom.signature]:
            owner = row.head.args[at]
            if not row.body and row.head.args[of] is marker and isinstance(owner, Term):
                yield owner

    # -- quantities and turns ----------------------------------------------------------------------------

    def _quantities(self, fluent: Signature, place: int, order: Chains) -> Iterator[Structure]:
        """One for each combination of the other arguments; where these are many, for each role or for all."""
        others = [other for other in range(fluent[1]) if other != place]
        if prod(len(self._domain(fluent, other)) for other in others) > MOST_MARKERS:
            others = [other for other in others if self._names_roles(fluent, other)][:1]
        for names in product(*(sorted(self._domain(fluent, other)) for other in others)):
            fixed = tuple((other, Term(name)) for other, name in zip(others, names, strict=True))
            owners = [value for other, value in fixed if self._names_roles(fluent, other)]
            rows = [fact for fact in self.initial if fact.signature == fluent]
            size = sum(1 for fact in rows if all(fact.args[other] is value for other, value in fixed))
            yield self._made(
                StructureKind.QUANTITY,
                fluent,
                (place,),
                order=order,
                owner=owners[0] if owners else None,
                fixed=fixed,
                size=max(1, size),
            )

    def _turns(self, fluent: Signature) -> Iterator[Structure]:
        """A fluent with one role as argument, one of which holds initially, and on which `legal` depends."""
        if fluent[1] != 1 or not self._names_roles(fluent, 0):
            return
        if sum(1 for fact in self.initial if fact.signature == fluent) != 1:
            return
        if fluent not in self._asked_by_legal:
            return
        for role in self.rules.roles:
            if role.name in self._domain(fluent, 0):
                yield self._made(StructureKind.TURN, fluent, (0,), owner=role, fixed=((0, role),))

    def _names_roles(self, fluent: Signature, place: int) -> bool:
        names = self._domain(fluent, place)
        return bool(names) and names <= self.roles

    @cached_property
    def _asked_by_legal(self) -> set[Signature]:
        """Fluents that the rules of `legal` depend on."""
        return {
            fact.signature
            for rule in self.graph.slice([("legal", 2)])
            for atom, _ in signed_atoms(rule.body)
            if atom.term.signature == ("true", 1)
            for fact in atom.term.args
            if isinstance(fact, Term)
        }

    # -- the sheet ---------------------------------------------------------------------------------------

    def _fluents(self) -> list[Signature]:
        found = {fact.signature for fact in self.initial}
        for rule in self.rules.by_signature.get(("next", 1), ()):
            (fact,) = rule.head.args
            if isinstance(fact, Term):
                found.add(fact.signature)
        return sorted(found)

    def _next_rules(self, fluent: Signature) -> Iterator[Rule]:
        for rule in self.rules.by_signature.get(("next", 1), ()):
            (fact,) = rule.head.args
            if isinstance(fact, Term) and fact.signature == fluent:
                yield rule

    def _depends_on_moves(self, fluent: Signature) -> bool:
        used = {
            atom.term.signature for rule in self._next_rules(fluent) for atom, _ in signed_atoms(rule.body)
        }
        return ("does", 2) in self.graph.reachable(used)

    def _domain(self, fluent: Signature, place: int) -> frozenset[str]:
        columns = self.domains.get(fluent)
        return frozenset() if columns is None else columns[place]

    def _made(
        self,
        kind: StructureKind,
        name: Signature,
        places: tuple[int, ...] = (),
        *,
        contents: int | None = None,
        value: Term | None = None,
        owner: Term | None = None,
        fixed: tuple[tuple[int, Term], ...] = (),
        order: Chains | None = None,
        axes: tuple[tuple[int, Chains], ...] = (),
        size: int = 1,
    ) -> Structure:
        parts = (
            kind.value,
            self._shape(name),
            places,
            contents,
            "" if value is None else self._shape(value.signature),
            "" if owner is None else self._shape(owner.signature),
            [(place, self._shape(each.signature)) for place, each in fixed],
            "" if order is None else order.shape,
        )
        key = f"{kind.value}-{blake2b(repr(parts).encode(), digest_size=8).hexdigest()}"
        return Structure(
            kind, key, name, places, contents, value, owner, fixed, order, axes, size, self._line(name)
        )

    def _shape(self, name: Signature) -> str:
        return self.shapes.get(name, "")

    def _line(self, name: Signature) -> int:
        for rule in self.rules.rules:
            head = rule.head.args[0] if rule.head.name in KEYWORDS and rule.head.args else rule.head
            if isinstance(head, Term) and head.signature == name and rule.node.span.end:
                return self.rules.source.position(rule.node.span.start)[0]
        return 0
