"""Independent sub-games: parts of a game that share nothing but a clock, the end, and turns.

A move is connected to the fluents it can change and to those its legality depends on; a fluent to those its
next value depends on. A part is a connected component. Fluents whose change no move affects are a clock and
connect nothing; neither do ``terminal`` and ``goal`` (asp-player, checklist 53). Each part is also given as
rules of its own: the game in which only its fluents exist and only its moves are made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...asp.ground import GroundProgram
from ...engine.errors import GameError
from ...rules.dependencies import Dependencies
from ...rules.ruleset import Atom, Not, Rule, Ruleset, signed_atoms
from ...rules.terms import Term, Variable
from ...rules.unused_name import unused_name
from ...search.budget import Budget, Stopwatch
from .proof import Proof, seen_in
from .subject import ProofLimits, Subject
from .transitions import Transitions

REST = "rest_of_part"
"""The move of a role without a choice in a part; another name where the sheet uses this one."""


@dataclass(frozen=True)
class Subgame:
    """A part of a game: connected fluents and moves."""

    rules: Ruleset
    """The rules of the whole game."""
    fluents: frozenset[Term]
    moves: frozenset[tuple[Term, Term]]
    """Role and move."""
    clock: frozenset[Term]
    """Fluents of the common clock."""

    @property
    def roles(self) -> tuple[Term, ...]:
        """The roles that have moves in this part."""
        return tuple(role for role in self.rules.roles if any(owner is role for owner, _ in self.moves))

    @cached_property
    def game(self) -> Ruleset:
        """The part as a game of its own, under the whole game's ``terminal`` and ``goal``.

        A role without a move in the part rests. Conditions on other parts are never true here.
        """
        return part_rules(self.rules, self.fluents | self.clock, self.moves)


def find_parts(rules: Ruleset, budget: Budget, *, seed: int = 0) -> list[Subgame]:
    """The independent parts of a game, largest first; one part where it cannot be split.

    OutOfTime where the budget does not suffice; GameError where the rules cannot be ground.
    """
    subject = Subject(rules, "game", Stopwatch(budget), ProofLimits(plays=200), seed)
    if subject.program is None:
        raise GameError("; ".join(subject.trouble))
    proof = Proof(subject.program, seen_in(subject.plays, subject.fluents), subject.watch)
    clock, parts = split(proof)
    return [Subgame(rules, fluents, moves, clock) for fluents, moves in parts]


def may_split(rules: Ruleset) -> bool:
    """Whether the names of fluents fall into parts, none a clock: quick, but blind to parts of one name."""
    graph = Dependencies(rules)
    groups = _Groups()
    moved: set[str] = set()
    for rule in (*rules.by_signature.get(("next", 1), ()), *rules.by_signature.get(("legal", 2), ())):
        used = graph.reachable([atom.term.signature for atom, _ in signed_atoms(rule.body)])
        read = {name for each in (rule, *graph.slice(used)) for name in _fluent_names(each)}
        changed = rule.head.args[0] if rule.head.name == "next" else None
        if isinstance(changed, Term):
            read.add(changed.name)
            moved |= {changed.name} if ("does", 2) in used else set()
        for name in read:
            groups.join(("fluent", Term(min(read))), ("fluent", Term(name)))
    parts = groups.all()
    return len(parts) > 1 and all(any(term.name in moved for _, term in part) for part in parts)


def _fluent_names(rule: Rule) -> set[str]:
    facts = [atom.term.args[0] for atom, _ in signed_atoms(rule.body) if atom.term.signature == ("true", 1)]
    return {fact.name for fact in facts if isinstance(fact, Term)}


Group = tuple[frozenset[Term], frozenset[tuple[Term, Term]]]
"""Fluents, and roles with their moves."""


def split(proof: Proof) -> tuple[frozenset[Term], list[Group]]:
    """The clock, and the fluents and moves of each part, largest first."""
    proof.prepare()
    program = proof.program
    ground = _GroundGraph(program)
    clock = ground.clock()
    groups = ground.groups(clock)
    for role, moves in enumerate(proof.transitions.moves):
        for number, move in enumerate(moves):
            owner = program.roles[role]
            for fluent in touched(proof.transitions, role, number) - clock:
                # Another role may have changed it in the same step: then its rules do not need this move.
                if owner in ground.movers(fluent):
                    groups.join(("move", Term("does", (owner, move))), ("fluent", fluent))
    found: list[Group] = []
    for group in groups.all():
        fluents = frozenset(term for kind, term in group if kind == "fluent")
        moves_of = frozenset(_pair(term) for kind, term in group if kind == "move")
        # A move that changes nothing belongs to no part: every role may make it.
        if fluents and moves_of:
            found.append((fluents, moves_of))
    found.sort(key=lambda part: (-len(part[0]), min(map(str, part[0]))))
    return frozenset(clock), found


def plays_with_others(program: GroundProgram) -> bool:
    """Whether the rules alone show that no role owns all the parts its goals depend on.

    Quick, since the solver is not asked what moves can change, which could only join more parts.
    """
    ground = _GroundGraph(program)
    clock = ground.clock()
    owners: dict[Term, set[Term]] = {}
    for group in ground.groups(clock).all():
        roles = {_pair(term)[0] for kind, term in group if kind == "move"}
        owners |= {term: roles for kind, term in group if kind == "fluent"}
    return any(
        owners.get(fluent, set()) - {atom.args[0]}
        for atom in program.numbers
        if atom.signature == ("goal", 2)
        for fluent in ground.depends(atom.name, *(arg for arg in atom.args if isinstance(arg, Term))) - clock
    )


def facts_behind(program: GroundProgram, atom: Term) -> set[Term]:
    """The fluents that an atom depends on."""
    return _GroundGraph(program).depends(atom.name, *(arg for arg in atom.args if isinstance(arg, Term)))


def touched(transitions: Transitions, role: int, move: int) -> set[Term]:
    """The fluents that a move can change, in some state that satisfies the invariants."""
    fluents = transitions.fluents
    changed = [
        transitions.once(("changed", at), 0, lambda at=at: _changes(transitions, at))  # type: ignore[misc]
        for at in range(len(fluents))
    ]
    found: set[int] = set()
    question = [transitions.moves_from(0), transitions.does(role, move, 0)]
    while True:
        before = len(found)
        some = transitions.any_of(changed[at] for at in range(len(fluents)) if at not in found)
        transitions.ask(
            [*question, some],
            lambda holds: found.update(at for at in range(len(fluents)) if holds(changed[at])),
        )
        if len(found) == before:
            return {fluents[at] for at in found}


def _changes(transitions: Transitions, at: int) -> int:
    before, after = transitions.true(at, 0), transitions.true(at, 1)
    return transitions.any_of([transitions.all_of((before, -after)), transitions.all_of((-before, after))])


class _GroundGraph:
    """The fluents and moves that the ground rules of an atom depend on."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self.numbers = program.numbers
        self.fluents = {_only(program, at) for at in program.true_atoms.tolist()}
        self._uses: dict[int, set[int]] = {}
        body, offsets = program.body.tolist(), program.body_offsets.tolist()
        for at, head in enumerate(program.heads.tolist()):
            below = self._uses.setdefault(head, set())
            below.update(literal >> 1 for literal in body[offsets[at] : offsets[at + 1]])
        self._inputs = set(program.true_atoms.tolist())
        self._does = set(program.does_atoms.tolist())
        self._known: dict[int, tuple[frozenset[Term], frozenset[Term]]] = {}

    def depends(self, relation: str, *args: Term) -> set[Term]:
        """The fluents an atom depends on."""
        number = self.numbers.get(Term(relation, args))
        return set() if number is None else set(self._reach(number)[0])

    def movers(self, fluent: Term) -> frozenset[Term]:
        """The roles whose moves the next value of a fluent depends on."""
        number = self.numbers.get(Term("next", (fluent,)))
        return frozenset() if number is None else self._reach(number)[1]

    def clock(self) -> set[Term]:
        """Fluents whose next value depends on such fluents only, and on no move."""
        free = {fluent for fluent in self.fluents if not self.movers(fluent)}
        while True:
            kept = {fluent for fluent in free if self.depends("next", fluent) <= free}
            if kept == free:
                return free
            free = kept

    def groups(self, clock: set[Term]) -> _Groups:
        """The components by the rules alone: facts with those they depend on, moves with what allows them."""
        groups = _Groups()
        for fluent in self.fluents - clock:
            for other in self.depends("next", fluent) - clock:
                groups.join(("fluent", fluent), ("fluent", other))
        for atom in self.numbers:
            if atom.signature == ("legal", 2):
                role, move = _pair(atom)
                me = ("move", Term("does", (role, move)))
                groups.add(me)
                for fluent in self.depends("legal", role, move) - clock:
                    groups.join(me, ("fluent", fluent))
        return groups

    def _reach(self, start: int) -> tuple[frozenset[Term], frozenset[Term]]:
        """Fluents and roles."""
        if start not in self._known:
            seen, todo = {start}, [start]
            while todo:
                for below in self._uses.get(todo.pop(), ()):
                    if below not in seen:
                        seen.add(below)
                        todo.append(below)
            facts = frozenset(_only(self.program, at) for at in seen & self._inputs)
            roles = frozenset(_only(self.program, at) for at in seen & self._does)
            self._known[start] = facts, roles
        return self._known[start]


class _Groups:
    """Connected components (union-find)."""

    def __init__(self) -> None:
        self._parent: dict[tuple[str, Term], tuple[str, Term]] = {}

    def add(self, one: tuple[str, Term]) -> tuple[str, Term]:
        root = self._parent.setdefault(one, one)
        while root != self._parent[root]:
            root = self._parent[root]
        self._parent[one] = root
        return root

    def join(self, one: tuple[str, Term], other: tuple[str, Term]) -> None:
        self._parent[self.add(one)] = self.add(other)

    def all(self) -> list[list[tuple[str, Term]]]:
        found: dict[tuple[str, Term], list[tuple[str, Term]]] = {}
        for one in list(self._parent):
            found.setdefault(self.add(one), []).append(one)
        return list(found.values())


def part_rules(rules: Ruleset, fluents: Iterable[Term], moves: Iterable[tuple[Term, Term]]) -> Ruleset:
    """The game in which only these facts can be true and only these moves be made."""
    fact, role, move = Variable("fact"), Variable("role"), Variable("move")
    names = {name: unused_name(rules, f"{name}_of_whole") for name in ("legal", "next", "init")}
    kept = [_renamed(rule, names) for rule in _needed(rules)]
    of_part, may, busy = (unused_name(rules, name) for name in ("of_part", "move_of_part", "busy_in_part"))
    kept += [Rule(Term(of_part, (fluent,))) for fluent in sorted(fluents, key=str)]
    kept += [Rule(Term(may, pair)) for pair in sorted(moves, key=str)]
    for relation in ("init", "next"):
        body = (Atom(Term(names[relation], (fact,))), Atom(Term(of_part, (fact,))))
        kept.append(Rule(Term(relation, (fact,)), body))
    legal = (Atom(Term(names["legal"], (role, move))), Atom(Term(may, (role, move))))
    kept.append(Rule(Term("legal", (role, move)), legal))
    kept.append(Rule(Term(busy, (role,)), legal))
    idle = (Atom(Term("role", (role,))), Not(Atom(Term(busy, (role,)))))
    kept.append(Rule(Term("legal", (role, Term(unused_name(rules, REST)))), idle))
    return rules.with_rules(kept)


def _needed(rules: Ruleset) -> list[Rule]:
    """The rules without ``base`` and ``input``, which describe the whole game."""
    roots = [("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("sees", 2)]
    return Dependencies(rules).slice(roots)


def _renamed(rule: Rule, names: dict[str, str]) -> Rule:
    from ..rename import rename_relations

    return rename_relations(rule, names)


def _only(program: GroundProgram, at: int) -> Term:
    atom = program.atoms[at]
    assert atom is not None
    argument = atom.args[0]
    assert isinstance(argument, Term)
    return argument


def _pair(atom: Term) -> tuple[Term, Term]:
    """The role and the move of ``does`` or ``legal``."""
    role, move = atom.args
    assert isinstance(role, Term)
    assert isinstance(move, Term)
    return role, move
