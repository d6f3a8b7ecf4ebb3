"""What is told to all roles at once, by the form of the rules: what a spectator may be told.

It is not enough that all roles were told the same: a role that reads the public page would learn that the
others were told it, too. So percepts are public by their relation, where each of its rules tells all players
alike. The percepts of a role that plays alone against chance are public. Then what is public can be found
from the percepts of each role alone, and watching teaches no role anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..engine.game import State
from ..rules.ruleset import RANDOM, And, Atom, Distinct, Formula, Not, Or, Rule, Ruleset
from ..rules.terms import Pattern, Signature, Term, Variable, sort_key
from .card_games import is_card_game

SEES: Signature = ("sees", 2)


def public_percepts(state: State) -> tuple[Term, ...]:
    """The percepts of the last step that are told to all players, sorted."""
    game = state.game
    players = game.info.players
    if len(players) == 1:
        return tuple(sorted(state.percepts(players[0]), key=sort_key))
    if game.rules is None or is_card_game(game):
        return ()
    public = public_relations(game.rules)
    found = [percept for percept in state.percepts(players[0]) if percept.signature in public]
    return tuple(sorted(found, key=sort_key))


@lru_cache(maxsize=64)
def public_relations(rules: Ruleset) -> frozenset[Signature]:
    """The relations of percepts that every player is told under the same conditions."""
    players = [role for role in rules.roles if role is not RANDOM]
    told: dict[Signature, list[set[str]]] = {}
    for rule in rules.by_signature.get(SEES, ()):
        percept = rule.head.args[1]
        if not isinstance(percept, Term):
            return frozenset()  # a variable may be any percept
        by_player = told.setdefault(percept.signature, [set() for _ in players])
        for found, player in zip(by_player, players, strict=True):
            if (written := _told_as(rule, player)) is not None:
                found.add(written)
    return frozenset(
        one for one, by_player in told.items() if all(each == by_player[0] for each in by_player)
    )


def _told_as(rule: Rule, player: Term) -> str | None:
    """A rule of ``sees`` as it reads for one player, with numbered variables; None where it is for others."""
    who = rule.head.args[0]
    if isinstance(who, Term):
        return _written(rule, {}) if who is player else None
    return _written(rule, {who: player})


def _written(rule: Rule, given: Mapping[Variable, Term]) -> str:
    """The percept and the conditions of a rule, with some variables replaced and the others numbered."""
    names: dict[Variable, str] = {}

    def term(pattern: Pattern) -> str:
        if isinstance(pattern, Variable):
            known = given.get(pattern)
            return names.setdefault(pattern, f"?{len(names)}") if known is None else str(known)
        return f"({' '.join([pattern.name, *map(term, pattern.args)])})" if pattern.args else pattern.name

    def formula(part: Formula) -> str:
        match part:
            case Atom(atom):
                return term(atom)
            case Distinct(left, right):
                return f"(distinct {term(left)} {term(right)})"
            case Not(body):
                return f"(not {formula(body)})"
            case And(parts):
                return f"(and {' '.join(map(formula, parts))})"
            case Or(parts):
                return f"(or {' '.join(map(formula, parts))})"

    told = term(rule.head.args[1])
    holds = {
        text for player in given.values() for text in (f"(role {player})", f"(distinct {player} random)")
    }
    return " ".join([told, *(text for part in rule.body if (text := formula(part)) not in holds)])
