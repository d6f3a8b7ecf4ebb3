"""A proof from the rules of GDL-II that every player is always told enough to know all moves and the state.

For each player, by induction over steps: it knows the state, its own move and its percepts.

- A percept ``(sees ?r (did ?s ?m))`` tells a *unit* of a rule's conditions: the conditions of its own rule,
  if every variable of them is in the percept, and no other rule tells the same player a percept that could
  be mistaken for it. Then these conditions hold for exactly the values that the player was told.
- The moves of another role are known where every form that they may have is told so, but for one single
  move, which is known from the absence of all others.
- The next state is known where no chain of conditions leads from ``next`` to a ``does`` that is neither
  known nor told.

Moves of players must be known even where no state depends on them: they may be messages. What nature draws
need not: a draw that changes nothing and that no one is told is no event of the game.

Nothing here looks at states, so that some games are open which this cannot show
(``information.find_secret`` can); none is called open which hides something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeAlias

from ..rules.argument_domains import argument_domains
from ..rules.ruleset import (
    Atom,
    Distinct,
    Formula,
    Rule,
    Ruleset,
    formula_variables,
    is_nature,
    signed_atoms,
)
from ..rules.terms import Pattern, Signature, Substitution, Term, Variable, match, substitute, variables_of
from ..rules.unify import resolve, unify
from ..rules.wdl.rewriting import settled, substituted, with_terms
from ..rules.wdl.sheet import RANDOM_FACT
from ..rules.wdl.to_gdl2 import WdlRuleset

SEES: Signature = ("sees", 2)
DOES: Signature = ("does", 2)
LEGAL: Signature = ("legal", 2)
NEXT: Signature = ("next", 1)
_Place: TypeAlias = tuple[int, ...]
MOST_CASES = 1_000
"""Ways to put roles into the moves that a rule asks for; a rule with more counts as untold."""


def tells_all(rules: Ruleset, roles: Sequence[Term]) -> bool:
    """Whether percepts tell every player all moves and the state, as far as the form of the rules shows.

    ``roles``: the roles of the game, nature included.
    """
    if set(rules.roles) != set(roles):
        return False  # some role depends on more than facts
    if isinstance(rules, WdlRuleset) and not _resolves_openly(rules):
        return False
    players = [role for role in roles if not is_nature(role)]
    return all(_Told(rules, roles, player).knows_all() for player in players)


def _resolves_openly(rules: WdlRuleset) -> bool:
    """Whether a sheet of WDL has no private part, and resolved moves tell which moves were made."""
    sheet = rules.sheet
    if sheet is None or sheet.hides:
        return False
    moves: dict[Term, list[Pattern]] = {role: [] for role in sheet.roles}
    for role in sheet.roles:
        for head in (rule.head for rule in sheet.master.by_signature.get(LEGAL, ())):
            values = unify(head.args[0], role)
            if values is not None:
                moves[role].append(resolve(head.args[1], values))
    confusions = [
        events
        for forms in moves.values()
        for one, other in combinations(dict.fromkeys(forms), 2)
        if (events := _confusion(one, other, sheet.names)) is not None
    ]
    if not confusions:
        return True
    possible = argument_domains(sheet.master)[RANDOM_FACT][2]
    return not any(
        all(isinstance(event, Variable) or event.name in possible for event in events)
        for events in confusions
    )


def _confusion(one: Pattern, other: Pattern, names: frozenset[Term]) -> list[Pattern] | None:
    """The events by which different moves of two forms become the same; None where they never do."""
    places, others = dict(_names_at(one, names)), dict(_names_at(other, names))
    if places == others:
        return None
    values = unify(_resolved(one, places, ""), _resolved(other, others, " of the other"))
    if values is None:
        return None
    drawn = [_event(name, "") for name in places.values()]
    drawn += [_event(name, " of the other") for name in others.values()]
    return [resolve(event, values) for event in drawn]


def _names_at(move: Pattern, names: frozenset[Term], at: _Place = ()) -> Iterator[tuple[_Place, Pattern]]:
    """Where a move has names of random events."""
    for number, arg in enumerate(move.args if isinstance(move, Term) else ()):
        if arg in names:
            yield (*at, number), arg
        yield from _names_at(arg, names, (*at, number))


def _resolved(move: Pattern, places: dict[_Place, Pattern], whose: str) -> Pattern:
    """The move with a variable for each event; its other variables are its own as well."""
    own: Substitution = {one: Variable(one.name + whose) for one in variables_of(move)}
    return with_terms(substitute(move, own), {name: _event(name, whose) for name in places.values()})


def _event(name: Pattern, whose: str) -> Variable:
    return Variable(f"event of {name}{whose}")


@dataclass(frozen=True)
class _Unit:
    """Conditions that a player is told of: it knows for which values they hold."""

    conditions: tuple[Formula, ...]
    lost: frozenset[Variable]
    """Variables that the percept does not name: it is told for which values of the others there is one."""


class _Told:
    """What one player is told."""

    def __init__(self, rules: Ruleset, roles: Sequence[Term], player: Term) -> None:
        self._rules, self._roles, self._player = rules.by_signature, roles, player
        self._facts = frozenset(rule.head for rule in rules.rules if not rule.body and rule.head.is_ground)
        self._units = list(self._units_of(self._percepts()))
        self._forms = {role: list(self._moves_of(role)) for role in roles}
        self._known = {role for role in roles if role is player or self._knows_moves(role)}
        self._did = rules.did if isinstance(rules, WdlRuleset) else None
        self._parts = rules.parts if isinstance(rules, WdlRuleset) and self._knows_did() else frozenset()

    def knows_all(self) -> bool:
        return (self._knows_did() or self._knows_players()) and self._knows_next()

    def _knows_did(self) -> bool:
        """Whether it is told all moves of a sheet of WDL, as the language resolves them."""
        move = (Variable("player"), Variable("move"))
        return self._did is not None and self._is_told_alone(Atom(Term(self._did, move)))

    def _knows_players(self) -> bool:
        return all(role in self._known for role in self._roles if not is_nature(role))

    # --- percepts --------------------------------------------------------------------------------------

    def _percepts(self) -> list[Rule]:
        """The rules of ``sees`` for the player, its name put in."""
        return [rule for one in self._rules.get(SEES, ()) if (rule := self._for(one)) is not None]

    def _for(self, rule: Rule) -> Rule | None:
        values = unify(rule.head.args[0], self._player)
        found = None if values is None else settled(substituted(rule, values))
        if found is None:
            return None
        return Rule(found.head, tuple(part for part in found.body if not self._is_fact(part)))

    def _is_fact(self, part: Formula) -> bool:
        return isinstance(part, Atom) and part.term in self._facts

    def _units_of(self, percepts: list[Rule]) -> Iterator[_Unit]:
        for rule in percepts:
            others = (one for one in percepts if one is not rule)
            if rule.body and not any(_unifiable(rule.head.args[1], one.head.args[1]) for one in others):
                named = set(variables_of(rule.head.args[1]))
                inside = {one for part in rule.body for one in formula_variables(part)}
                yield _Unit(tuple(sorted(rule.body, key=_rank)), frozenset(inside - named))

    # --- moves -----------------------------------------------------------------------------------------

    def _moves_of(self, role: Term) -> Iterator[Pattern]:
        for rule in self._rules.get(LEGAL, ()):
            values = unify(rule.head.args[0], role)
            if values is not None:
                yield substituted(rule, values).head.args[1]

    def _knows_moves(self, role: Term) -> bool:
        forms = self._forms[role]
        untold = {move for move in forms if not self._is_told_alone(Atom(Term("does", (role, move))))}
        return not untold or (len(untold) == 1 and all(move.is_ground for move in untold))

    # --- states ----------------------------------------------------------------------------------------

    def _knows_next(self) -> bool:
        """Whether the next state depends on nothing but the state and what is known or told."""
        waiting, met = [NEXT], {NEXT}
        while waiting:
            for rule in self._rules.get(waiting.pop(), ()):
                if not rule.body:
                    continue
                asked = self._asked_beside_told(rule)
                if asked is None:
                    return False
                new = [one for one in asked if one not in met]
                met.update(new)
                waiting += dict.fromkeys(new)
        return True

    def _asked_beside_told(self, rule: Rule) -> set[Signature] | None:
        """The relations of which a rule depends beside what is told; None where some move is not known."""
        cases = self._cases(rule)
        if cases is None:
            return None
        asked: set[Signature] = set()
        for case in cases:
            told = {id(part) for parts in self._told_parts(case) for part in parts}
            for part in case.body:
                for atom, _ in () if id(part) in told else signed_atoms((part,)):
                    if atom.term.signature == DOES:
                        if not self._is_settled(atom.term):
                            return None
                    elif atom.term.signature not in self._parts and not self._is_told_alone(atom):
                        asked.add(atom.term.signature)
        return asked

    def _cases(self, rule: Rule) -> list[Rule] | None:
        """A rule with roles for the variables whose moves it asks for."""
        movers = [
            by
            for atom, _ in signed_atoms(rule.body)
            if atom.term.signature == DOES and isinstance(by := atom.term.args[0], Variable)
        ]
        movers = list(dict.fromkeys(movers))
        if len(self._roles) ** len(movers) > MOST_CASES:
            return None
        made = (
            settled(substituted(rule, dict(zip(movers, roles, strict=True))))
            for roles in product(self._roles, repeat=len(movers))
        )
        return [case for case in made if case is not None]

    def _is_settled(self, does: Term) -> bool:
        """Whether it is known whether a role has made a move: by its moves, or since it never can."""
        by, move = does.args
        forms = self._forms.get(by, ()) if isinstance(by, Term) else ()
        return by in self._known or not any(_unifiable(move, form) for form in forms)

    def _is_told_alone(self, atom: Atom) -> bool:
        """Whether the player is told for all values whether a condition holds."""
        asked = Rule(Term("asked", tuple(variables_of(atom.term))), (atom,))
        return any(True for _ in self._told_parts(asked))

    # --- units in the conditions of a rule ---------------------------------------------------------------

    def _told_parts(self, rule: Rule) -> Iterator[list[Formula]]:
        """The conditions of a rule that make up a unit which the player is told."""
        for unit in self._units:
            for values, parts in self._placed(unit.conditions, rule.body, {}, []):
                if _are_free(unit.lost, values, rule, parts):
                    yield parts

    def _placed(
        self, wanted: Sequence[Formula], body: Sequence[Formula], values: Substitution, found: list[Formula]
    ) -> Iterator[tuple[Substitution, list[Formula]]]:
        """Ways to find all conditions of a unit among those of a rule."""
        if not wanted:
            yield values, found
            return
        first, *others = wanted
        if self._holds(first, values):
            yield from self._placed(others, body, values, found)
        for part in body:
            more = _matched(first, part, values)
            if more is not None:
                yield from self._placed(others, body, more, [*found, part])

    def _holds(self, part: Formula, values: Substitution) -> bool:
        """Whether a condition of a unit is true whatever happens, with these values."""
        if isinstance(part, Distinct):
            left, right = substitute(part.left, values), substitute(part.right, values)
            return left.is_ground and right.is_ground and left is not right
        return isinstance(part, Atom) and substitute(part.term, values) in self._facts


def _rank(part: Formula) -> int:
    """The order in which the conditions of a unit are looked for: those that bind the most come first."""
    return (part.term.signature != DOES) if isinstance(part, Atom) else 2


def _matched(wanted: Formula, part: Formula, values: Substitution) -> Substitution | None:
    if isinstance(wanted, Atom) and isinstance(part, Atom):
        return match(wanted.term, part.term, values)
    if isinstance(wanted, Distinct) and isinstance(part, Distinct):
        left = match(wanted.left, part.left, values)
        return None if left is None else match(wanted.right, part.right, left)
    return None


def _are_free(lost: frozenset[Variable], values: Substitution, rule: Rule, parts: Sequence[Formula]) -> bool:
    """Whether the rule only asks for some value of the variables that a percept does not name."""
    images = [values.get(variable) for variable in lost]
    if len(set(images)) < len(images):
        return False
    inside = {id(part) for part in parts}
    elsewhere = {one for part in rule.body if id(part) not in inside for one in formula_variables(part)}
    elsewhere |= set(variables_of(rule.head))
    elsewhere |= {
        one for variable, image in values.items() if variable not in lost for one in variables_of(image)
    }
    return all(isinstance(image, Variable) and image not in elsewhere for image in images)


def _unifiable(one: Pattern, other: Pattern) -> bool:
    """Whether two patterns of different rules can mean the same: their variables have nothing in common."""
    apart: Substitution = {
        variable: Variable(f"{variable.name} of the other") for variable in variables_of(other)
    }
    return unify(one, substitute(other, apart)) is not None
