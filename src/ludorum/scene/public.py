"""What all roles know to have been told to all, by the form of the rules: what a spectator may be told.

It is not enough that all roles were told the same: a role that reads the public page would learn that the
others were told it, too. So percepts are public by the rules that tell them. Each of these must tell all
players alike, ``(turned ?prize)``, or tell all but one of what that one did itself, ``(says alice bet)``:
then each player can find from its own moves and percepts what is public, and watching teaches no role
anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..engine.game import State
from ..rules.ruleset import (
    Atom,
    Distinct,
    Formula,
    Not,
    Rule,
    Ruleset,
    format_formula,
    formula_variables,
    is_nature,
    with_other_terms,
)
from ..rules.terms import (
    Pattern,
    Signature,
    Substitution,
    Term,
    Variable,
    format_term,
    match,
    sort_key,
    substitute,
    variables_of,
)
from ..rules.unify import unify
from .card_games import is_card_game

SEES: Signature = ("sees", 2)
LEGAL: Signature = ("legal", 2)
MOST_INSTANCES = 200
"""Instances of one rule for one player; of a rule with more nothing is public."""


def public_percepts(state: State) -> tuple[Term, ...]:
    """The percepts of the last step that are public, sorted."""
    game = state.game
    if game.rules is None or is_card_game(game):
        return ()
    public = public_news(game.rules)
    told = (
        {percept for player in game.info.players for percept in state.percepts(player)} if public else set()
    )
    return tuple(sorted((one for one in told if _is_told_by(one, public)), key=sort_key))


def _is_told_by(percept: Term, public: Iterable[SeesInstance]) -> bool:
    return any(match(one.what, percept, {}) is not None for one in public if isinstance(one.what, Term))


@dataclass(frozen=True)
class SeesInstance:
    """A rule of ``sees`` or ``legal`` for one role: the percept or move, and conditions that may change."""

    what: Pattern
    body: tuple[Formula, ...]

    def __str__(self) -> str:
        """The instance with its variables numbered, the same for every player that is told alike."""
        found = dict.fromkeys([*variables_of(self.what), *_variables(self.body)])
        names: Substitution = {one: Variable(str(at)) for at, one in enumerate(found)}
        rule = _changed(Rule(Term("told", (self.what,)), self.body), names)
        return " ".join([format_term(rule.head), *map(format_formula, rule.body)])


@lru_cache(maxsize=64)
def public_news(rules: Ruleset) -> tuple[SeesInstance, ...]:
    """What is public wherever it is told, and when that is: no player is told it in another way."""
    players = [role for role in rules.roles if not is_nature(role)]
    told: dict[str, dict[Term, SeesInstance]] = {}
    private: list[Pattern] = []
    for rule in rules.by_signature.get(SEES, ()):
        percept = rule.head.args[1]
        if not isinstance(percept, Term):
            return ()  # a variable may be any percept
        for player in players:
            found = _instances(rules, rule, player)
            if found is None:
                private.append(percept)
            for one in found or ():
                told.setdefault(str(one), {})[player] = one
    public: list[SeesInstance] = []
    for by_player in told.values():
        one = next(iter(by_player.values()))
        if _is_public(rules, players, by_player):
            public.append(one)
        else:
            private.append(one.what)
    return tuple(one for one in public if not any(_may_be_same(one.what, other) for other in private))


def _is_public(rules: Ruleset, players: Iterable[Term], told: dict[Term, SeesInstance]) -> bool:
    """Whether what these players are told is known to all."""
    others = [player for player in players if player not in told]
    return not others or (len(others) == 1 and _is_own_doing(rules, next(iter(told.values())), others[0]))


def _is_own_doing(rules: Ruleset, told: SeesInstance, player: Term) -> bool:
    """Whether a player knows from its own move alone if the others are told so."""
    done = [
        part.term.args[1]
        for part in told.body
        if isinstance(part, Atom) and part.term.signature == ("does", 2) and part.term.args[0] is player
    ]
    if len(done) != 1 or not set(variables_of(told.what)) <= set(variables_of(done[0])):
        return False
    doing = format_formula(Atom(Term("does", (player, done[0]))))
    conditions = [part for part in told.body if format_formula(part) != doing]
    return not conditions or _are_decided(rules, player, done[0], conditions)


def _are_decided(rules: Ruleset, player: Term, done: Pattern, conditions: Iterable[Formula]) -> bool:
    """Whether a move can only be legal where the conditions hold, or only where they do not."""
    legal = []
    for rule in rules.by_signature.get(LEGAL, ()):
        found = _instances(rules, rule, player)
        if found is None:
            return False
        legal += [one for one in found if _may_be_same(one.what, done)]
    return all(
        not list(formula_variables(condition)) and _decides(legal, format_formula(condition))
        for condition in conditions
    )


def _decides(legal: list[SeesInstance], condition: str) -> bool:
    with_it = [one.what for one in legal if condition in map(format_formula, one.body)]
    without = [one.what for one in legal if f"(not {condition})" in map(format_formula, one.body)]
    is_split = not any(_may_be_same(one, other) for one in with_it for other in without)
    return is_split and len(with_it) + len(without) == len(legal)


def _may_be_same(one: Pattern, other: Pattern) -> bool:
    renamed = {variable: Variable(f"{variable.name} ") for variable in variables_of(one)}
    return unify(substitute(one, dict(renamed)), other) is not None


def _instances(rules: Ruleset, rule: Rule, role: Term) -> list[SeesInstance] | None:
    """The instances of a rule for one role, with its conditions on listed facts solved; None for too many, or
    conditions of other forms."""
    who = rule.head.args[0]
    if isinstance(who, Term) and who is not role:
        return []
    if not all(isinstance(part, (Atom, Distinct, Not)) for part in rule.body):
        return None
    start: Substitution = {} if isinstance(who, Term) else {who: role}
    listed = [
        part.term for part in rule.body if isinstance(part, Atom) and _is_listed(rules, part.term.signature)
    ]
    solved = list(_solutions(rules, listed, start))
    if len(solved) >= MOST_INSTANCES:
        return None
    found = {}
    for values in solved:
        one = _instance(rule, listed, values)
        if one is not None:
            found[str(one)] = one
    return list(found.values())


def _instance(rule: Rule, listed: list[Term], values: Substitution) -> SeesInstance | None:
    """The rule with these values, without the conditions that they fulfil; None where they break one."""
    rest = tuple(part for part in rule.body if not (isinstance(part, Atom) and part.term in listed))
    changed = _changed(Rule(rule.head, rest), values)
    body: list[Formula] = []
    for part in changed.body:
        if isinstance(part, Distinct) and part.left.is_ground and part.right.is_ground:
            if part.left is part.right:
                return None
        else:
            body.append(part)
    return SeesInstance(changed.head.args[1], tuple(body))


def _solutions(rules: Ruleset, listed: list[Term], values: Substitution) -> Iterator[Substitution]:
    if not listed:
        yield values
        return
    count = 0
    for rule in rules.by_signature[listed[0].signature]:
        found = match(listed[0], rule.head, values)
        if found is not None:
            for solution in _solutions(rules, listed[1:], found):
                yield solution
                count += 1
                if count >= MOST_INSTANCES:
                    return


def _is_listed(rules: Ruleset, relation: Signature) -> bool:
    """Whether a relation is a list of facts."""
    found = rules.by_signature.get(relation, ())
    return bool(found) and all(not rule.body and rule.head.is_ground for rule in found)


def _variables(body: Iterable[Formula]) -> Iterator[Variable]:
    for part in body:
        yield from formula_variables(part)


def _changed(rule: Rule, values: Substitution) -> Rule:
    return with_other_terms(rule, lambda pattern: substitute(pattern, values))
