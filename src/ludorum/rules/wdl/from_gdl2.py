"""GDL-II to WDL, where WDL can say it: percepts become private parts of moves, ``random`` a role like others.

A player's move is wrapped, so that nobody is told even its kind, and carries what each role sees of it. Where
bob sees something of ann's moves, these are

    (legal ann (act (visible ann ?move) (visible bob ?told)))

The role of nature, which the server plays, has one move with a random name, whose events are the legal moves
of ``random``, each of weight 1. An event is shown whole or not at all, so percepts must tell all of a draw.
What depends on the moves of several roles cannot be said (T04).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..dependencies import Dependencies
from ..normalise.expand_connectives import Literal, literal_bodies
from ..quoting import quoted
from ..ruleset import (
    RANDOM,
    Atom,
    Formula,
    Not,
    Rule,
    Ruleset,
    formula_variables,
    signed_atoms,
    with_other_terms,
)
from ..source import Diagnostic, RulesError, Severity
from ..syntax import Node
from ..terms import Pattern, Signature, Substitution, Term, Variable, match, substitute, variables_of
from ..unify import unify
from ..unused_name import names_of_rules
from .rewriting import free_name, settled, substituted, with_other_relations
from .statements import VISIBLE
from .to_gdl2 import Translation

LEGAL, DOES, SEES, NEXT = ("legal", 2), ("does", 2), ("sees", 2), ("next", 1)
OWN_NAMES = (
    "nature",
    "outcome",
    "act",
    "possible",
    "did",
    "told",
    "heard",
    "nothing",
    "drawn",
    "shows",
    "hides",
    "hears",
)
CLASHES = ("random", VISIBLE, "set", "include", "clock")
"""Words of WDL that a sheet in GDL-II may use for relations and functions of its own."""
MOVE, TOLD = Variable("move"), Variable("told")


def from_gdl2(rules: Ruleset) -> Translation:
    """The same game in WDL; RulesError with T04 for each percept that WDL cannot say."""
    if RANDOM not in rules.roles and not rules.has_hidden_information:
        return Translation(rules, ())
    translator = _Translator(rules)
    made = tuple(translator.rules())
    if translator.faults:
        raise RulesError(translator.faults)
    return Translation(Ruleset(made, rules.source), ())


@dataclass(frozen=True)
class _Percept:
    """What a role sees of a move of one form: a term over the variables of the move, and when."""

    viewer: Term
    mover: Term
    move: Pattern
    told: Pattern
    conditions: tuple[Formula, ...]
    node: Node

    @property
    def form(self) -> tuple[Pattern, Pattern]:
        """Move and term with variables by their order: equal for percepts of one form."""
        names: Substitution = {}
        for variable in (*variables_of(self.move), *variables_of(self.told)):
            names.setdefault(variable, Variable(f"x{len(names)}"))
        return substitute(self.move, names), substitute(self.told, names)


@dataclass
class _Slot:
    """All percepts of one form, which one private part of a move tells."""

    percepts: list[_Percept]
    number: int

    @property
    def viewer(self) -> Term:
        return self.percepts[0].viewer

    @property
    def mover(self) -> Term:
        return self.percepts[0].mover


class _Translator:
    def __init__(self, rules: Ruleset) -> None:
        self.faults: list[Diagnostic] = []
        self._source = rules.source
        taken = names_of_rules(rules)
        self._own = {name: free_name(taken, name) for name in OWN_NAMES}
        self._nature = Term(self._own["nature"])
        words = {word: free_name(taken, f"{word}_") for word in CLASHES}
        self._rules = [_renamed(rule, words, {RANDOM: self._nature}) for rule in rules.rules]
        self._plain = Ruleset(tuple(self._rules), rules.source)
        self._roles = self._plain.roles
        self._slots = self._slots_of(list(self._percepts()))

    def rules(self) -> Iterator[Rule]:
        """All rules, those of the sheet first."""
        relations = {DOES: self._own["did"], LEGAL: self._own["possible"]}
        for rule in self._rules:
            if rule.signature != SEES:
                changed = with_other_relations(rule, relations)
                if rule.signature == LEGAL:
                    changed = Rule(self._term("possible", *rule.head.args), changed.body, rule.node)
                yield changed
        for role in self._roles:
            yield from self._moves_of_nature() if role is self._nature else self._moves_of(role)

    def _term(self, name: str, *args: Pattern) -> Term:
        return Term(self._own[name], args)

    def _numbered(self, name: str, slot: _Slot, *args: Pattern) -> Term:
        return self._term(name, Term(str(slot.number)), *args)

    # -- percepts -----------------------------------------------------------------------------------------

    def _percepts(self) -> Iterator[_Percept]:
        """Every percept by viewer, mover and form of the move; those that WDL cannot say are faults."""
        later = _leading_to(self._plain, {DOES, NEXT})
        for rule in self._plain.by_signature.get(SEES, ()):
            for body in literal_bodies(rule, self._source):
                yield from self._percepts_of(rule, body, later)

    def _percepts_of(
        self, rule: Rule, body: tuple[Literal, ...], later: set[Signature]
    ) -> Iterator[_Percept]:
        does = [one for one in body if isinstance(one, Atom) and one.term.signature == DOES]
        others = tuple(one for one in body if one not in does)
        if any(atom.term.signature in later for atom, _ in signed_atoms(others)) or len(does) != 1:
            self._refuse(rule, "depends on other than exactly one move and the state before it")
            return
        for viewer in self._roles:
            for mover in self._roles:
                values = unify(rule.head.args[0], viewer)
                values = None if values is None else unify(does[0].term.args[0], mover, values)
                found = None if values is None else settled(substituted(Rule(rule.head, body), values))
                if found is None or viewer is self._nature:
                    continue
                found = with_other_relations(found, {LEGAL: self._own["possible"]})
                move = next(
                    atom.term.args[1] for atom, _ in signed_atoms(found.body) if atom.term.signature == DOES
                )
                conditions = tuple(
                    one for one in found.body if not (isinstance(one, Atom) and one.term.signature == DOES)
                )
                yield _Percept(viewer, mover, move, found.head.args[1], conditions, rule.head_node)

    def _slots_of(self, percepts: list[_Percept]) -> list[_Slot]:
        slots: list[_Slot] = []
        for one in percepts:
            if not set(variables_of(one.told)) <= set(variables_of(one.move)):
                self._refuse_percept(
                    one, "has variables that are not those of the move, so there may be several"
                )
                continue
            for slot in slots:
                other = slot.percepts[0]
                if slot.viewer is one.viewer and slot.mover is one.mover and other.form == one.form:
                    slot.percepts.append(one)
                    break
                if slot.viewer is one.viewer and unify(_apart(other.told), one.told) is not None:
                    self._refuse_percept(
                        one, "may be the same as one of another move, which WDL would tell apart"
                    )
                    break
            else:
                slots.append(_Slot([one], len(slots) + 1))
        return slots

    # -- moves --------------------------------------------------------------------------------------------

    def _moves_of(self, role: Term) -> Iterator[Rule]:
        slots = [slot for slot in self._slots if slot.mover is role]
        possible = Atom(self._term("possible", role, MOVE))
        told = [Variable(f"told{slot.number}") for slot in slots]
        parts = [Term(VISIBLE, (slot.viewer, part)) for slot, part in zip(slots, told, strict=True)]
        move = self._term("act", Term(VISIBLE, (role, MOVE)), *parts)
        telling = [
            Atom(self._numbered("told", slot, MOVE, part)) for slot, part in zip(slots, told, strict=True)
        ]
        yield Rule(Term("legal", (role, move)), (possible, *telling))
        yield self._did(role, len(slots))
        for slot in slots:
            for one in slot.percepts:
                body = (Atom(self._term("possible", role, one.move)), *one.conditions)
                yield Rule(self._numbered("told", slot, one.move, one.told), body)
                yield Rule(self._numbered("heard", slot, one.move), body)
            silent = Not(Atom(self._numbered("heard", slot, MOVE)))
            yield Rule(self._numbered("told", slot, MOVE, self._term("nothing")), (possible, silent))

    def _did(self, role: Term, others: int) -> Rule:
        """What rules ask for: the bare move, whatever is told of it."""
        rest = [Variable(f"_part{at}") for at in range(others)]
        return Rule(
            self._term("did", role, MOVE), (Atom(Term("does", (role, self._term("act", MOVE, *rest)))),)
        )

    def _moves_of_nature(self) -> Iterator[Rule]:
        """One move, whose event every role is shown that sees something of the draw."""
        nature, outcome = self._nature, self._term("outcome")
        slots = [slot for slot in self._slots if slot.mover is nature]
        viewers = list(dict.fromkeys(slot.viewer for slot in slots))
        yield Rule(Term("random", (outcome, Term("1"), MOVE)), (Atom(self._term("possible", nature, MOVE)),))
        shown: list[Pattern] = [Variable(f"viewer{at}") for at in range(len(viewers))]
        parts = [Term(VISIBLE, (viewer, outcome)) for viewer in (nature, *shown)]
        hears = [Atom(self._term("hears", one, part)) for one, part in zip(viewers, shown, strict=True)]
        yield Rule(Term("legal", (nature, self._term("act", *parts))), tuple(hears))
        yield self._did(nature, len(viewers))
        goals = self._plain.by_signature.get(("goal", 2), ())
        if all(unify(rule.head.args[0], nature) is None for rule in goals):
            yield Rule(Term("goal", (nature, Term("100"))))
        for viewer in viewers:
            shows, hides = Atom(self._term("shows", viewer)), Atom(self._term("hides", viewer))
            yield Rule(self._term("hears", viewer, viewer), (shows, Not(hides)))
            yield Rule(self._term("hears", viewer, nature), (hides, Not(shows)))
        for slot in slots:
            for one in slot.percepts:
                self._check_draw(one)
                yield Rule(self._numbered("heard", slot), one.conditions)
        for number, rule in enumerate(self._draws(), start=1):
            drawn = Atom(self._term("drawn", Term(str(number))))
            yield Rule(drawn.term, with_other_relations(rule, {LEGAL: self._own["possible"]}).body)
            for viewer in viewers:
                yield from self._showing(viewer, rule, drawn, slots)

    def _showing(self, viewer: Term, rule: Rule, drawn: Atom, slots: list[_Slot]) -> Iterator[Rule]:
        """Whether a viewer is shown the moves of a rule of nature's: all of them or none."""
        meant = [
            slot
            for slot in slots
            if slot.viewer is viewer and unify(_apart(slot.percepts[0].move), rule.head.args[1]) is not None
        ]
        for slot in meant:
            if match(slot.percepts[0].move, _frozen(rule.head.args[1]), {}) is None:
                self._refuse_percept(
                    slot.percepts[0], "is seen of some draws only, and a draw is shown whole or not"
                )
        if len(meant) > 1:
            self._refuse_percept(
                meant[1].percepts[0], "is a second one of the same draw, which is shown only once"
            )
        hides = self._term("hides", viewer)
        if not meant:
            yield Rule(hides, (drawn,))
            return
        heard = Atom(self._numbered("heard", meant[0]))
        yield Rule(self._term("shows", viewer), (drawn, heard))
        yield Rule(hides, (drawn, Not(heard)))

    def _draws(self) -> Iterator[Rule]:
        for rule in self._plain.by_signature.get(LEGAL, ()):
            values = unify(rule.head.args[0], self._nature)
            found = None if values is None else settled(substituted(rule, values))
            if found is not None:
                yield found

    def _check_draw(self, one: _Percept) -> None:
        inside = set(variables_of(one.move))
        if not inside <= set(variables_of(one.told)):
            self._refuse_percept(one, "tells a part of a draw, which WDL shows whole or not at all")
        elif any(
            variable in inside for condition in one.conditions for variable in formula_variables(condition)
        ):
            self._refuse_percept(one, "depends on what was drawn, and a draw is shown whole or not at all")

    # -- faults -------------------------------------------------------------------------------------------

    def _refuse(self, rule: Rule, reason: str) -> None:
        self._fault(rule.head_node, f"{quoted(rule.head)} {reason}")

    def _refuse_percept(self, percept: _Percept, reason: str) -> None:
        self._fault(percept.node, f"{quoted(percept.told)} for {percept.viewer} {reason}")

    def _fault(self, node: Node, message: str) -> None:
        hint = "WDL tells what stands in one move; keep such a game in GDL-II"
        fault = Diagnostic("T04", Severity.ERROR, node.span, message, hint, self._source)
        if fault not in self.faults:
            self.faults.append(fault)


def _leading_to(rules: Ruleset, targets: set[Signature]) -> set[Signature]:
    """The targets, and all relations that depend on them."""
    found = set(targets)
    edges = Dependencies(rules).edges
    while more := {edge.head for edge in edges if edge.body in found} - found:
        found |= more
    return found


def _renamed(rule: Rule, words: Mapping[str, str], constants: Mapping[Pattern, Pattern]) -> Rule:
    """A rule with other words for relations and functions, and other constants, at its old place."""

    def changed(pattern: Pattern) -> Pattern:
        if not isinstance(pattern, Term):
            return pattern
        if not pattern.args:
            return constants.get(pattern, pattern)
        return Term(words.get(pattern.name, pattern.name), tuple(map(changed, pattern.args)))

    made = with_other_terms(rule, changed)
    return Rule(made.head, made.body, rule.node)


def _apart(pattern: Pattern) -> Pattern:
    """The pattern with variables that no other pattern has."""
    return substitute(
        pattern, {variable: Variable(f"{variable.name} apart") for variable in variables_of(pattern)}
    )


def _frozen(pattern: Pattern) -> Pattern:
    """The pattern with a constant of its own for each variable."""
    return substitute(pattern, {variable: Term(f" {variable.name}") for variable in variables_of(pattern)})
