"""Rules with time stamps: what all programs over many states of a game have in common.

A static relation has no stamp; a relation of states has that of the state; moves, and what depends on them,
have that of the moves. The caller decides what a stamp is (a number of steps, a node of a tree). No frame
axioms are added: only what the rules keep persists (asp-player, section 9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..rules.classes import Class, classify_relations
from ..rules.dependencies import Dependencies
from ..rules.normalise import literal_bodies
from ..rules.ruleset import Rule, Ruleset, signed_atoms
from ..rules.terms import Signature, Term, Variable
from .names import asp_relation, asp_term
from .translate import asp_literal

NEXT: Signature = ("next", 1)
SEES: Signature = ("sees", 2)
OF_MOVES = (NEXT, SEES)
"""Relations that are asked of moves, even where their rules do not depend on them."""
ROOTS: tuple[Signature, ...] = (
    ("role", 1),
    ("init", 1),
    ("legal", 2),
    NEXT,
    ("terminal", 0),
    ("goal", 2),
)
"""The relations of a game that plans need; others (``base``, ``input``) are left out."""
ALL_ROOTS: tuple[Signature, ...] = (*ROOTS, SEES)
"""Those, and what roles perceive."""


@dataclass(frozen=True)
class Stamps:
    """How a program writes stamps, and the conditions on them in rules."""

    state: str
    """A state, in rules about states."""
    before: str
    """The state in which moves are made, in rules about moves."""
    moves: str
    """The moves themselves."""
    after: str
    """The state they lead to."""
    state_guard: str = ""
    """A condition of rules about states, and of rules about moves."""
    moves_guard: str = ""


class StampedRules:
    """The rules of a game as clingo rules, by class: static, of states, or of moves."""

    def __init__(self, rules: Ruleset, stamps: Stamps, roots: tuple[Signature, ...] = ROOTS) -> None:
        self.rules = rules
        self.stamps = stamps
        graph = Dependencies(rules)
        self.classes = classify_relations(rules, graph)
        self.classes.update(dict.fromkeys([*OF_MOVES, *graph.users_of(OF_MOVES)], Class.ACTION))
        self.parts: dict[Class, list[str]] = {each: [] for each in Class}
        self._defined: dict[Signature, None] = {}
        for relation in roots:
            self._define(relation)
        for rule in graph.slice(roots):
            self._add(rule)

    def text(self, kind: Class) -> str:
        """The rules of one class."""
        return "".join(f"{rule}\n" for rule in self.parts[kind])

    def declarations(self, others: Iterable[Signature] = ()) -> str:
        """Declarations of relations that rules use and may never derive, so that clingo gives no message."""
        names = {**self._defined, **dict.fromkeys(others)}
        return "".join(f"#defined {name}/{arity}.\n" for name, arity in names)

    def _add(self, rule: Rule) -> None:
        kind = self.classes[rule.signature]
        guard = {Class.STATE: self.stamps.state_guard, Class.ACTION: self.stamps.moves_guard}.get(kind, "")
        write = self._atom(kind)
        for body in literal_bodies(rule, self.rules.source):
            variables: dict[Variable, str] = {}
            head = write(rule.head, variables)
            literals = [asp_literal(literal, variables, write) for literal in body]
            literals += [guard] if guard else []
            self.parts[kind].append(f"{head} :- {', '.join(literals)}." if literals else f"{head}.")
        for atom, _ in signed_atoms(rule.body):
            self._define(atom.term.signature)

    def _define(self, relation: Signature) -> None:
        name, arity = relation if relation != NEXT else ("true", 1)  # as ``_atom`` writes it
        stamped = self._class(relation) is not Class.STATIC
        self._defined[asp_relation(name, arity), arity + stamped] = None

    def _class(self, relation: Signature) -> Class:
        return self.classes.get(relation, Class.STATIC)

    def _atom(self, kind: Class) -> Callable[[Term, dict[Variable, str]], str]:
        """The writer of atoms in rules of that class."""
        state = self.stamps.state if kind is Class.STATE else self.stamps.before
        stamp_of = {Class.STATIC: (), Class.STATE: (state,), Class.ACTION: (self.stamps.moves,)}

        def write(term: Term, variables: dict[Variable, str]) -> str:
            args = [asp_term(arg, variables) for arg in term.args]
            if term.signature == NEXT:  # what holds next is what is true after the moves
                return f"p_true_1({args[0]},{self.stamps.after})"
            args.extend(stamp_of[self._class(term.signature)])
            predicate = asp_relation(*term.signature)
            return f"{predicate}({','.join(args)})" if args else predicate

        return write
