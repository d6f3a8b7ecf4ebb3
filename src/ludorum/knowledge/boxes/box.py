"""What holds in a box of fact sets: possible, known and certain atoms, and what observations teach.

Three methods answer a question together, and the answers are exact. Three-valued evaluation shows what cannot
be; a few hundred worlds that are evaluated at once show what can; clingo decides the rest (engine E2).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress
from operator import ne

from ..knower import ImpossiblePerceptsError
from .box_solver import BoxSolver
from .lanes import Slice
from .normal_program import Literal, NormalProgram
from .open_program import decided
from .world_patterns import WorldPatterns

FEW = 4
"""Questions that clingo answers one by one; with more, worlds near the one it finds are looked at, too."""


@dataclass(frozen=True)
class Worlds:
    """Sets of facts: all of ``known``, any of ``open``, nothing else; ``required`` literals hold in them."""

    known: frozenset[int]
    open: frozenset[int]
    required: tuple[Literal, ...] = ()
    groups: tuple[frozenset[int], ...] = ()
    """Sets of atoms of which most likely one holds: worlds are drawn accordingly."""

    def narrow(self, learned: Collection[Literal]) -> Worlds:
        """These worlds with some facts decided; ImpossiblePerceptsError where one is decided both ways."""
        true, false = decided(learned)
        return replace(self, known=self.known | true, open=self.open - true - false)


@dataclass(frozen=True)
class Answers:
    """Of the atoms asked for, those that may be true and those that are."""

    possible: frozenset[int]
    known: frozenset[int]


class BoxReasoner:
    """Answers questions about worlds of one program."""

    def __init__(
        self,
        program: NormalProgram,
        base: Iterable[int],
        largest_group: int = 0,
        quick: bool = True,
        compiled: bool = True,
    ) -> None:
        self.program = program
        self.base = frozenset(base)
        self.quick = quick
        """Whether worlds are evaluated; else clingo decides all that three-valued evaluation leaves open."""
        self.compiled = compiled
        """Whether parts of the program are compiled, which pays after some dozens of questions."""
        self.patterns = WorldPatterns(largest_group)
        self._slices: dict[frozenset[int], Slice] = {}

    @cached_property
    def solver(self) -> BoxSolver:
        return BoxSolver(self.program, self.base)

    def slice(self, roots: Iterable[int]) -> Slice:
        """The compiled part of the program for some atoms; made once."""
        wanted = frozenset(roots)
        known = self._slices.get(wanted)
        if known is None:
            known = self._slices[wanted] = Slice(self.program, self.base, wanted, self.compiled)
        return known

    def view(self, part: Slice, worlds: Worlds) -> WorldsView:
        """What holds in these worlds, as far as that part of the program says."""
        return WorldsView(self, part, worlds)


class WorldsView:
    """What is possible, known and certain in some worlds. ImpossiblePerceptsError where there are none.

    Roots of the slice are what can be asked for; required literals must be among them.
    """

    def __init__(self, reasoner: BoxReasoner, part: Slice, worlds: Worlds) -> None:
        self.reasoner = reasoner
        self.part = part
        self.worlds = worlds
        self._must_in = self._may_in = part.flags(worlds.known)
        self._exact = part.input_set.isdisjoint(worlds.open)
        """Whether nothing is open here, so that one rail is the truth."""
        if self._exact:
            self.may = self.must = part.worlds(self._must_in, 1)
        else:
            self._may_in = part.flags(worlds.open, self._must_in)
            self.may, self.must = part.rails(self._may_in, self._must_in, 1)
        if not all(map(self._is_sure, worlds.required)) and not self._valid:
            self._refuse_none()

    def ask(self, atoms: Collection[int], skeptical: bool = False) -> Answers:
        """Which of the atoms may be true, and which are: by ``certain``, or else by ``known``."""
        known, unclear = self._settled(atoms)
        if not unclear:
            all_known = frozenset(known)
            return Answers(all_known, all_known)
        if self._are_told(unclear):
            return Answers(frozenset(chain(known, unclear)), frozenset(known))
        possible = {literal >> 1 for literal in self.satisfiable([2 * atom for atom in unclear])}
        more = self.certain(possible) if skeptical else self.known(possible)
        return Answers(frozenset(possible).union(known), more.union(known))

    def _settled(self, atoms: Collection[int]) -> tuple[list[int], list[int]]:
        """Those of the atoms that are true by three-valued evaluation, and those that it leaves open."""
        if atoms is self.part.roots:
            known = list(compress(atoms, self.must))
            return known, [] if self._exact else list(compress(atoms, map(ne, self.may, self.must)))
        known, unclear = [], []
        for atom in atoms:
            at = self.part.place[atom]
            if self.must[at]:
                known.append(atom)
            elif self.may[at]:
                unclear.append(atom)
        return known, unclear

    @cached_property
    def _tells(self) -> bool:
        """Whether rails may be exact: requirements would rule worlds out."""
        return self.part.compiled and self.reasoner.quick and not self.worlds.required

    @cached_property
    def _open_bits(self) -> int:
        return self.part.bits(self.worlds.open)

    def _are_told(self, atoms: Iterable[int]) -> bool:
        """Whether atoms that rails leave open are true in one world, and false in another."""
        if not self._tells:
            return False
        mixed, place, open_bits = self.part.mixed, self.part.place, self._open_bits
        return not any(mixed[place[atom]] & open_bits for atom in atoms)

    def possible(self, atoms: Collection[int]) -> frozenset[int]:
        """Those of the atoms that are true in some world."""
        known, unclear = self._settled(atoms)
        if self._are_told(unclear):
            return frozenset(chain(known, unclear))
        found = self.satisfiable([2 * atom for atom in unclear]) if unclear else ()
        return frozenset(chain(known, (literal >> 1 for literal in found)))

    def certain(self, atoms: Iterable[int]) -> frozenset[int]:
        """Those of the atoms that are true in every world."""
        asked = list(atoms)
        false = self.satisfiable([2 * atom + 1 for atom in asked])
        return frozenset(atom for atom in asked if 2 * atom + 1 not in false)

    def known(self, atoms: Collection[int]) -> frozenset[int]:
        """Those of the atoms that follow from known facts and from what is impossible, rule by rule.

        Less than what is certain: a case distinction is never made.
        """
        known, unclear = self._settled(atoms)
        place = self.part.place
        if self._are_told(unclear):
            return frozenset(known)
        unclear = [atom for atom in unclear if not self._valid & ~self._lanes[place[atom]]]
        if unclear:
            unclear = sorted(self.certain(unclear))  # what is known is certain
        return frozenset(known).union(self._follow(unclear) if unclear else ())

    @cached_property
    def _lanes_in(self) -> Sequence[int]:
        """The drawn worlds: lanes of all inputs."""
        if self._exact or not self.reasoner.quick:
            return self._may_in
        worlds = self.worlds
        return self.reasoner.patterns.draw(self.part.inputs, worlds.known, worlds.open, worlds.groups)

    @cached_property
    def _lanes(self) -> Sequence[int]:
        """The drawn worlds: lanes of all roots."""
        if self._exact or not self.reasoner.quick:
            return self.may
        return self.part.worlds(self._lanes_in, self.reasoner.patterns.all)

    @cached_property
    def _valid(self) -> int:
        """The lanes in which all required literals hold; none where no worlds were drawn."""
        if not self._exact and not self.reasoner.quick:
            return 0
        valid = 1 if self._exact else self.reasoner.patterns.all
        for literal in self.worlds.required:
            valid &= self._of_lanes(literal)
        return valid

    def satisfiable(self, literals: Iterable[Literal]) -> set[Literal]:
        """Those of the literals that hold in some world."""
        found: set[Literal] = set()
        undecided = []
        place, may, must = self.part.place, self.may, self.must
        for literal in literals:
            at = place[literal >> 1]
            if must[at] if literal & 1 else not may[at]:
                continue
            if (
                (not may[at] if literal & 1 else must[at])
                or self._are_told((literal >> 1,))
                or self._valid & self._of_lanes(literal)
            ):
                found.add(literal)
            else:
                undecided.append(literal)
        return found | self._search(undecided)

    def _search(self, literals: list[Literal], given: Sequence[Literal] = ()) -> set[Literal]:
        """Those of the literals that hold in some world with others, by clingo; each world decides many."""
        found: set[Literal] = set()
        undecided = list(literals)
        while undecided:
            solver = self.reasoner.solver
            assumptions = [*self._assumptions, *given, undecided[-1]]
            if len(undecided) < FEW or not self.reasoner.quick:
                shown = solver.find(assumptions, undecided)
            else:
                world = solver.find(assumptions, [2 * atom for atom in self._open_inputs])
                shown = None if world is None else self._shown_nearby(world, undecided, given)
            if shown is None:
                undecided.pop()
            else:
                found |= shown
                undecided = [literal for literal in undecided if literal not in shown]
        return found

    @cached_property
    def _open_inputs(self) -> list[int]:
        return [atom for atom in self.part.inputs if atom in self.worlds.open]

    def _shown_nearby(
        self, world: set[Literal], wanted: Iterable[Literal], given: Sequence[Literal]
    ) -> set[Literal]:
        """The wanted literals that hold in a world, or in one that differs from it in one fact or group."""
        holding = {literal >> 1 for literal in world}
        full = (2 << len(self._open_inputs)) - 1  # lane 0 is the world itself
        lanes = {atom: full if atom in holding else 0 for atom in self._open_inputs}
        for lane, atom in enumerate(self._open_inputs, 1):
            lanes[atom] ^= 1 << lane
        place = {atom: lane for lane, atom in enumerate(self._open_inputs, 1)}
        for group in self.worlds.groups:
            members = group.intersection(place)
            turned_on = sum(1 << place[atom] for atom in members - holding)
            for atom in members & holding:
                lanes[atom] &= ~turned_on
        inputs = [full if atom in self.worlds.known else lanes.get(atom, 0) for atom in self.part.inputs]
        values = self.part.worlds(inputs, full)

        def of(literal: Literal) -> int:
            at = self.part.place.get(literal >> 1)
            value = inputs[self.part.input_place[literal >> 1]] if at is None else values[at]
            return ~value if literal & 1 else value

        valid = full
        for literal in (*self.worlds.required, *given):
            valid &= of(literal)
        return {literal for literal in wanted if valid & of(literal)}

    def learned(self, observations: Iterable[Literal]) -> set[Literal]:
        """The literals over open facts that some observation entails, each taken alone.

        Required literals are taken with each of them, and alone as well. ImpossiblePerceptsError where an
        observation holds in no world.
        """
        observed = list(observations)
        if self.satisfiable(observed) != set(observed):
            raise ImpossiblePerceptsError("nothing that may be true agrees with an observation")
        given: list[Literal | None] = [None] if self.worlds.required else []
        given += [literal for literal in observed if not self._is_sure(literal)]
        doubts = [(given_one, literal) for given_one in given for literal in self._doubts(given_one)]
        return set(self._entailed(doubts)) if doubts else set()

    @cached_property
    def _required_inputs(self) -> frozenset[int]:
        cones = [self.part.inputs_of(literal >> 1) for literal in self.worlds.required]
        return frozenset().union(*cones) & self.worlds.open

    def _is_sure(self, literal: Literal) -> bool:
        at = self.part.place[literal >> 1]
        return not self.may[at] if literal & 1 else bool(self.must[at])

    def _doubts(self, observation: Literal | None) -> list[Literal]:
        """Literals that no drawn world shows to be false together with an observation."""
        relevant = self._required_inputs
        agreeing = self._valid
        if observation is not None:
            relevant = relevant | (self.part.inputs_of(observation >> 1) & self.worlds.open)
            agreeing &= self._of_lanes(observation)
        found = []
        for atom in sorted(relevant):
            lanes = self._lanes_in[self.part.input_place[atom]]
            if not agreeing & ~lanes:
                found.append(2 * atom)
            if not agreeing & lanes:
                found.append(2 * atom + 1)
        return found

    def _entailed(self, doubts: list[tuple[Literal | None, Literal]]) -> Iterator[Literal]:
        """The literals among pairs of observation and literal that cannot be false with their observation."""
        possible = self._open_lanes(doubts)
        shown = self._shown_lanes(doubts) if possible and self.reasoner.quick else 0
        unclear: dict[Literal | None, list[Literal]] = {}
        for lane, (observation, literal) in enumerate(doubts):
            if not possible >> lane & 1:
                yield literal
            elif not shown >> lane & 1:
                unclear.setdefault(observation, []).append(literal ^ 1)
        for observation, opposites in unclear.items():
            found = self._search(opposites, [] if observation is None else [observation])
            yield from (opposite ^ 1 for opposite in opposites if opposite not in found)

    def _open_lanes(self, doubts: list[tuple[Literal | None, Literal]]) -> int:
        """A lane for each doubt: whether three-valued evaluation leaves it open that the literal is false."""
        full = (1 << len(doubts)) - 1
        must_in = [bit * full for bit in self._must_in]
        may_in = [bit * full for bit in self._may_in]
        for lane, (_, literal) in enumerate(doubts):
            at = self.part.input_place[literal >> 1]
            if literal & 1:
                must_in[at] |= 1 << lane
            else:
                may_in[at] &= ~(1 << lane)
        may, must = self.part.rails(may_in, must_in, full)

        def may_hold(literal: Literal) -> int:
            at = self.part.place[literal >> 1]
            return full & ~must[at] if literal & 1 else may[at]

        return self._agreeing(doubts, full, may_hold)

    def _shown_lanes(self, doubts: list[tuple[Literal | None, Literal]]) -> int:
        """A lane for each doubt: whether the literal is false in one of two worlds that are tried.

        The first has no open fact but, perhaps, the one in doubt; the second has all others.
        """
        count = len(doubts)
        full = (1 << 2 * count) - 1
        upper = full >> count << count
        lanes_in = [
            full if must else upper if may else 0
            for may, must in zip(self._may_in, self._must_in, strict=True)
        ]
        for lane, (_, literal) in enumerate(doubts):
            at = self.part.input_place[literal >> 1]
            if literal & 1:
                lanes_in[at] |= 1 << lane
            else:
                lanes_in[at] &= ~(1 << lane + count)
        values = self.part.worlds(lanes_in, full)

        def holds(literal: Literal) -> int:
            value = values[self.part.place[literal >> 1]]
            return full & ~value if literal & 1 else value

        found = self._agreeing([*doubts, *doubts], full, holds)
        return (found | found >> count) & full >> count

    def _agreeing(
        self,
        doubts: list[tuple[Literal | None, Literal]],
        full: int,
        lanes_of: Callable[[Literal], int],
    ) -> int:
        """The lanes in which required literals hold, and the observation of each lane."""
        wanted: dict[Literal, int] = {}
        for lane, (observation, _) in enumerate(doubts):
            if observation is not None:
                wanted[observation] = wanted.get(observation, 0) | 1 << lane
        found = full
        for literal in self.worlds.required:
            found &= lanes_of(literal)
        for literal, lanes in wanted.items():
            found &= ~lanes | lanes_of(literal)
        return found

    def _follow(self, atoms: list[int]) -> set[int]:
        """Those of the atoms that follow, with exact answers for all that is negated on the way."""
        program, worlds = self.reasoner.program, self.worlds
        components = program.components_of(atoms)
        inside = [atom for component in components for atom in component.atoms]
        negated = sorted({used for atom in inside for _, body in program.bodies[atom] for used in body})
        possible: set[int] = set()
        for atom in negated:
            if atom not in possible:
                shown = self.reasoner.solver.find(
                    [*self._assumptions, 2 * atom], [2 * each for each in negated]
                )
                possible.update(literal >> 1 for literal in shown or ())
        found = set(worlds.known)
        for component in components:
            grows = True
            while grows:
                new = {
                    atom
                    for atom in component.atoms
                    if atom not in found
                    and any(
                        found.issuperset(positive) and possible.isdisjoint(negative)
                        for positive, negative in program.bodies[atom]
                    )
                }
                found |= new
                grows = component.is_loop and bool(new)
        return found.intersection(atoms)

    def _of_lanes(self, literal: Literal) -> int:
        lanes = self._lanes[self.part.place[literal >> 1]]
        return ~lanes if literal & 1 else lanes

    @cached_property
    def _assumptions(self) -> list[Literal]:
        decided = [
            2 * atom + (atom not in self.worlds.known)
            for atom in self.part.inputs
            if atom not in self.worlds.open
        ]
        return [*decided, *self.worlds.required]

    def _refuse_none(self) -> None:
        if self._exact or self.reasoner.solver.find(self._assumptions) is None:
            raise ImpossiblePerceptsError("nothing that may be true agrees with what was told")
