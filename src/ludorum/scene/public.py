"""What all roles know to have been told to all, by the form of the rules: what a spectator may be told.

It is not enough that all roles were told the same: a role that reads the public page would learn that the
others were told it, too. So percepts are public by the rules that tell them. Each of these must tell all
players alike, ``(turned ?prize)``, or tell all but one of what that one did itself, ``(says alice bet)``:
then each player can find from its own moves and percepts what is public, and watching teaches no role
anything. So it does where one event tells each player something that nothing else tells it: one hears
``won`` and the other ``lost``, and spectators ``(alice won)`` and ``(bob lost)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ..engine.game import State
from ..rules.ruleset import Atom, Formula, Ruleset, format_formula, formula_variables, is_nature
from ..rules.terms import Pattern, Signature, Term, match, sort_key, variables_of
from .card_games import is_card_game
from .sees_instances import SeesInstance, instances_of, may_be_same
from .told_apart import told_apart, told_of

SEES: Signature = ("sees", 2)
LEGAL: Signature = ("legal", 2)


def public_percepts(state: State) -> tuple[Term, ...]:
    """The percepts of the last step that are public, sorted."""
    game = state.game
    if game.rules is None or is_card_game(game):
        return ()
    public = public_news(game.rules)
    told: set[Term] = set()
    for player in game.info.players if public else ():
        for percept in state.percepts(player):
            told |= {percept, told_of(player, percept)}
    return tuple(sorted((one for one in told if _is_told_by(one, public)), key=sort_key))


def _is_told_by(percept: Term, public: Iterable[SeesInstance]) -> bool:
    return any(match(one.what, percept, {}) is not None for one in public if isinstance(one.what, Term))


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
            found = instances_of(rules, rule, player)
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
    alike = [one for one in public if not any(may_be_same(one.what, other) for other in private)]
    apart = told_apart(rules, players)
    return (*alike, *(one for one in apart if not any(may_be_same(one.what, other.what) for other in alike)))


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
        found = instances_of(rules, rule, player)
        if found is None:
            return False
        legal += [one for one in found if may_be_same(one.what, done)]
    return all(
        not list(formula_variables(condition)) and _decides(legal, format_formula(condition))
        for condition in conditions
    )


def _decides(legal: list[SeesInstance], condition: str) -> bool:
    with_it = [one.what for one in legal if condition in map(format_formula, one.body)]
    without = [one.what for one in legal if f"(not {condition})" in map(format_formula, one.body)]
    is_split = not any(may_be_same(one, other) for one in with_it for other in without)
    return is_split and len(with_it) + len(without) == len(legal)
