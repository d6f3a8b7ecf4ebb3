"""Rules stamped with time: a clingo program in parts, which grows by one step at a time.

State 0 is where planning begins. A static relation has no stamp; a relation of states has the number of the
state; moves, and what depends on them, have the number of the state in which they are made. ``next`` becomes
``p_true`` one step later. Nothing else is added: what persists is what rules say persists (asp-player,
section 9).

Parts, with ``t`` a number: ``base``, ``root`` (the initial state), ``state(t)``, ``step(t)`` (from t-1 to t),
``check(t)`` (questions about plays that end at t) and ``want(r,v,t)`` (that role r has at least v there).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..rules.classes import Class, classify_relations
from ..rules.dependencies import Dependencies
from ..rules.normalise import literal_bodies
from ..rules.ruleset import Rule, Ruleset, signed_atoms
from ..rules.terms import Signature, Term, Variable
from .names import asp_term
from .translate import asp_literal, asp_relation

NEXT: Signature = ("next", 1)
ROOTS: tuple[Signature, ...] = (
    ("role", 1),
    ("init", 1),
    ("legal", 2),
    NEXT,
    ("terminal", 0),
    ("goal", 2),
)
"""What a game is made of; rules for anything else (``base``, ``input``) are left out."""

_STATE = """
over(t) :- p_terminal(t).
over(t) :- over(t-1).
"""
_STEP = """
{ p_does(R,A,t-1) : p_legal(R,A,t-1) } = 1 :- p_role(R), not over(t-1).
"""
# Asked by an external atom, so that other horizons can be asked afterwards.
_CHECK = """
#program check(t).
#external query(t).
:- query(t), not p_terminal(t).
:- query(t), over(t-1).
#program want(r,v,t).
#external want(r,v,t).
at_least(r,v,t) :- p_goal(r,W,t), W >= v, W <= 100.
:- want(r,v,t), not at_least(r,v,t).
"""


class TemporalProgram:
    """The stamped rules of a game, as text."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.classes = classify_relations(rules)
        self._parts: dict[Class, list[str]] = {each: [] for each in Class}
        self._defined: dict[Signature, None] = dict.fromkeys((("over", 1),))
        for relation in ROOTS:
            if relation != NEXT:
                self._define(relation)
        for rule in Dependencies(rules).slice(ROOTS):
            self._add(rule)

    @property
    def text(self) -> str:
        """The whole program; parts are grounded as they are needed."""
        defined = "".join(f"#defined {name}/{arity}.\n" for name, arity in self._defined)
        return (
            f"#program base.\n{defined}#show p_does/3.\n{_lines(self._parts[Class.STATIC])}"
            "#program root.\np_true(F,0) :- p_init(F).\n"
            f"#program state(t).{_STATE}{_lines(self._parts[Class.STATE])}"
            f"#program step(t).{_STEP}{_lines(self._parts[Class.ACTION])}{_CHECK}"
        )

    def _add(self, rule: Rule) -> None:
        kind = Class.ACTION if rule.signature == NEXT else self.classes[rule.signature]
        now = {Class.STATIC: "", Class.STATE: "t", Class.ACTION: "t-1"}[kind]
        for body in literal_bodies(rule, self.rules.source):
            variables: dict[Variable, str] = {}
            if rule.signature == NEXT:
                head = f"p_true({asp_term(rule.head.args[0], variables)},t)"
            else:
                head = self._atom(now)(rule.head, variables)
            literals = ", ".join(asp_literal(literal, variables, self._atom(now)) for literal in body)
            self._parts[kind].append(f"{head} :- {literals}." if literals else f"{head}.")
        for atom, _ in signed_atoms(rule.body):
            self._define(atom.term.signature)

    def _define(self, relation: Signature) -> None:
        name, arity = relation
        self._defined[asp_relation(name), arity + self._is_stamped(relation)] = None

    def _is_stamped(self, relation: Signature) -> bool:
        return self.classes.get(relation, Class.STATIC) is not Class.STATIC

    def _atom(self, now: str) -> Callable[[Term, dict[Variable, str]], str]:
        """How atoms are written in a rule about that moment."""

        def write(term: Term, variables: dict[Variable, str]) -> str:
            args = [asp_term(arg, variables) for arg in term.args]
            if self._is_stamped(term.signature):
                args.append(now)
            predicate = asp_relation(term.name)
            return f"{predicate}({','.join(args)})" if args else predicate

        return write


def _lines(rules: Iterable[str]) -> str:
    return "".join(f"{rule}\n" for rule in rules)
