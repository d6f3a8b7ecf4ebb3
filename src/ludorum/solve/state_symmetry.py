"""Symmetries of the board: fluents and moves that can be renamed while the ground rules stay as they are.

Rules often use one set of symbols for rows and columns, so that no renaming of symbols mirrors a board; a
renaming of ground atoms does. Colour refinement over the ground rules tells atoms apart; atoms of one colour
are mapped onto each other, one choice after the other. A renaming counts only if the renamed rules are the
rules. Roles and goals are fixed, so a state and its image have the same value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..asp.ground import GroundProgram
from ..rules.terms import Term

Colours = list[int]
Renaming = tuple[int, ...]
"""The image of each atom."""

MOST_LITERALS = 30_000
MOST_CHOICES = 200
"""Choices among atoms of one colour before giving up."""
MOST_GROUP = 8
"""The most renamings, the identity included: as many as a square board has. Each costs an image a state."""
MOST_TRIED = 64
"""The most renamings from which a group is generated."""


@dataclass(frozen=True)
class StateSymmetry:
    """The images of the fluents, and of the moves of each role."""

    fluents: Mapping[Term, Term]
    moves: Mapping[tuple[Term, Term], tuple[Term, Term]]
    """Role and move."""


def find_state_symmetries(
    program: GroundProgram, *, is_up: Callable[[], bool] = lambda: False
) -> list[StateSymmetry]:
    """A group of renamings, without the identity, that leave the rules as they are; none where there are too
    many rules, and those found so far when ``is_up`` says that the time is over."""
    if len(program.body) + len(program.heads) > MOST_LITERALS:
        return []
    search = _Search(program, is_up)
    found = list(dict.fromkeys(map(search.named, _group(list(search.generators()), len(program.atoms)))))
    return [
        StateSymmetry(dict(fluents), dict(moves))
        for fluents, moves in found
        if any(one is not other for one, other in fluents) or any(one != other for one, other in moves)
    ]


def _group(generators: Sequence[Renaming], atoms: int) -> list[Renaming]:
    """The largest group of them within the limit, without the identity.

    Only in a group can each image be renamed to every other: all images of a state have the same least
    image, and the choice stored there is found from each of them.
    """
    identity = tuple(range(atoms))
    kept, group = list[Renaming](), [identity]
    for one in _products(identity, generators, MOST_TRIED):
        if one in group:
            continue
        larger = _products(identity, [*kept, one], MOST_GROUP + 1)
        if len(larger) <= MOST_GROUP:
            kept.append(one)
            group = larger
        if 2 * len(group) > MOST_GROUP:  # the next larger group has at least twice as many
            break
    return group[1:]


def _products(identity: Renaming, generators: Sequence[Renaming], most: int) -> list[Renaming]:
    """All products of renamings, up to a limit."""
    found = dict.fromkeys([identity])
    waiting = [identity]
    for one in waiting:  # grows as it goes
        for other in generators:
            product = tuple(other[image] for image in one)
            if product not in found and len(found) < most:
                found[product] = None
                waiting.append(product)
    return waiting


class _Search:
    def __init__(self, program: GroundProgram, is_up: Callable[[], bool]) -> None:
        self.is_up = is_up
        self.program = program
        offsets, body = program.body_offsets.tolist(), program.body.tolist()
        self.heads: list[int] = program.heads.tolist()
        self.bodies = [tuple(body[begin:end]) for begin, end in pairwise(offsets)]
        self.rules = Counter(zip(self.heads, map(frozenset, self.bodies), strict=True))
        self.partner = self._partners()
        self.first = [hash(kind) for kind in self._kinds()]
        self.choices = 0

    def generators(self) -> Iterator[Renaming]:
        """Renamings that move one atom, then those that fix it and move another, and so on."""
        kept: list[int] = []
        while True:
            groups = _grouped(self._refine([(atom, atom) for atom in kept], 0))
            open_ones = [group for group in groups.values() if len(group) > 1]
            if not open_ones or self._is_over():
                return
            first, *others = min(open_ones, key=len)
            for image in others:
                found = self._extend([*((atom, atom) for atom in kept), (first, image)])
                if found is not None:
                    yield found
            kept.append(first)

    def named(
        self, renaming: Renaming
    ) -> tuple[tuple[tuple[Term, Term], ...], tuple[tuple[tuple[Term, Term], tuple[Term, Term]], ...]]:
        """The renaming of the fluents and, by role, of the moves."""
        atoms = self.program.atoms

        def args(atom: int) -> tuple[Term, ...]:
            term = atoms[atom]
            assert term is not None
            return tuple(each for each in term.args if isinstance(each, Term))

        fluents = ((args(atom)[0], args(renaming[atom])[0]) for atom in self.program.true_atoms.tolist())
        moves = []
        for atom in self.program.does_atoms.tolist():
            (role, move), (other, image) = args(atom), args(renaming[atom])
            moves.append(((role, move), (other, image)))
        return tuple(fluents), tuple(moves)

    def _kinds(self) -> Iterator[object]:
        """The first colours of atoms: relation, role and goal value, and whether the atom always holds.

        Atoms that no rule mentions, such as facts of the initial state only, are fixed.
        """
        facts = set(self.program.facts.tolist())
        spoken = {*self.heads, *(literal >> 1 for body in self.bodies for literal in body)}
        for number, atom in enumerate(self.program.atoms):
            kept: object = None
            if atom is not None:
                role = atom.args[:1] if atom.name in ("does", "legal", "sees") else ()
                kept = atom.name, atom if atom.name in ("goal", "terminal") else role
            alone = number not in spoken and self.partner[number] not in spoken
            yield kept, number in facts, number if alone else None

    def _partners(self) -> list[int]:
        """The atoms that are renamed together: a fluent now and next, a move done and legal."""
        partner = [-1] * len(self.program.atoms)
        for here, there in (("true", "next"), ("does", "legal")):
            for atom, number in self.program.numbers.items():
                if atom.name == here:
                    other = self.program.numbers.get(Term(there, atom.args))
                    if other is not None:
                        partner[number], partner[other] = other, number
        return partner

    def _is_over(self) -> bool:
        return self.choices > MOST_CHOICES or self.is_up()

    def _extend(self, pairs: list[tuple[int, int]]) -> Renaming | None:
        """A renaming with these pairs in it, if one is found."""
        self.choices += 1
        if self._is_over():
            return None
        groups, images = _grouped(self._refine(pairs, 0)), _grouped(self._refine(pairs, 1))
        if {key: len(group) for key, group in groups.items()} != {
            key: len(group) for key, group in images.items()
        }:
            return None
        open_ones = [key for key, group in groups.items() if len(group) > 1]
        if not open_ones:
            renaming = [0] * len(self.first)
            for key, (atom,) in groups.items():
                renaming[atom] = images[key][0]
            return tuple(renaming) if self._holds(renaming) else None
        chosen = min(open_ones, key=lambda key: len(groups[key]))
        atom = groups[chosen][0]
        for image in images[chosen]:
            found = self._extend([*pairs, (atom, image)])
            if found is not None:
                return found
        return None

    def _refine(self, pairs: Sequence[tuple[int, int]], side: int) -> Colours:
        colours = list(self.first)
        for mark, pair in enumerate(pairs):
            colours[pair[side]] = hash((colours[pair[side]], "mark", mark))
        kinds = len(set(colours))
        while True:
            seen: list[list[int]] = [[] for _ in colours]
            for head, body in zip(self.heads, self.bodies, strict=True):
                looks = [hash((colours[literal >> 1], literal & 1)) for literal in body]
                rule = hash((colours[head], tuple(sorted(looks))))
                seen[head].append(rule)
                for literal in body:
                    seen[literal >> 1].append(hash((rule, literal & 1)))
            colours = [
                hash((colour, colours[other] if other >= 0 else 0, tuple(sorted(found))))
                for colour, other, found in zip(colours, self.partner, seen, strict=True)
            ]
            now = len(set(colours))
            if now == kinds:
                return colours
            kinds = now

    def _holds(self, renaming: Sequence[int]) -> bool:
        """Whether the renamed rules are the rules, and each image is of the same kind as its atom."""
        if any(
            self.first[atom] != self.first[image]
            or (renaming[self.partner[atom]] if self.partner[atom] >= 0 else -1) != self.partner[image]
            for atom, image in enumerate(renaming)
        ):
            return False
        renamed = Counter(
            (renaming[head], frozenset(2 * renaming[literal >> 1] + (literal & 1) for literal in body))
            for head, body in zip(self.heads, self.bodies, strict=True)
        )
        return renamed == self.rules


def _grouped(colours: Colours) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for atom, colour in enumerate(colours):
        groups.setdefault(colour, []).append(atom)
    return groups
