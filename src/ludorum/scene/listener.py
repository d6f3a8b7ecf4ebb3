"""The rules of a game with one more role: a listener that is told what is public, and does nothing.

What follows for the listener from the rules follows for every role, since each is told at least as much; so
a spectator that sees it teaches no role anything, not even what other roles know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..arena.table.person_knowledge import PersonFacts
from ..asp import SolverError
from ..asp.ground import GroundingError
from ..engine.errors import GameError
from ..engine.game import State
from ..knowledge.boxes.box_game import box_game
from ..knowledge.boxes.box_knower import BoxKnower
from ..knowledge.boxes.ground_sheet import TooManyRulesError, ground_sheet
from ..rules.ruleset import (
    Atom,
    Formula,
    Rule,
    Ruleset,
    format_kif,
    signed_atoms,
    with_other_terms,
)
from ..rules.terms import Pattern, Signature, Term, Variable
from .public import LEGAL, public_news, public_percepts

ROLE: Signature = ("role", 1)
DOES: Signature = ("does", 2)
LEVEL = 4
"""How much is reasoned (``Ladder``): all but invariants, which take seconds and add next to nothing."""
MOST_RULES = 50_000
"""Ground rules of a game that is reasoned about: a second of work, once for each game."""


class Listening:
    """A game with a listener, made ready for knowledge about its matches."""

    def __init__(self, rules: Ruleset) -> None:
        changed, self.listener, self.move = with_listener(rules)
        self.game = box_game(ground_sheet(changed, in_process=True, most_rules=MOST_RULES))

    def knower(self) -> BoxKnower:
        """The knowledge of the listener at the start of a match."""
        return BoxKnower(self.game, self.listener, LEVEL)


@lru_cache(maxsize=16)
def listening_to(rules: Ruleset) -> Listening | None:
    """The game of some rules with a listener; None where they are too large."""
    try:
        return Listening(rules)
    except (GameError, GroundingError, SolverError, TooManyRulesError):
        return None


class PublicKnowledge:
    """Follows one match for those that have no seat in it."""

    def __init__(self) -> None:
        self._first: State | None = None
        self._knower: BoxKnower | None = None

    def facts(self, states: Sequence[State]) -> PersonFacts | None:
        """What follows for all in the last of a match's states; None where that cannot be found out."""
        knower = self._follow(states)
        return None if knower is None else PersonFacts(knower.known_facts(), knower.possible_facts())

    def forced(self, states: Sequence[State]) -> frozenset[Term]:
        """The players of whom all know that they have a single move in the last of a match's states."""
        try:
            knower = self._follow(states)
        except (GameError, GroundingError, SolverError):
            return frozenset()
        if knower is None:
            return frozenset()
        players = states[0].game.info.players
        return frozenset(player for player in players if len(knower.possible_legal_of(player)) == 1)

    def _follow(self, states: Sequence[State]) -> BoxKnower | None:
        """The knowledge of the listener in the last of a match's states."""
        rules = states[0].game.rules
        public = None if rules is None else listening_to(rules)
        if public is None:
            return None
        knower = self._knower
        if knower is None or self._first is not states[0] or knower.step >= len(states):
            self._first, knower = states[0], public.knower()
        for state in states[knower.step + 1 :]:
            knower.update(public.move, public_percepts(state))
            knower.asked()
        self._knower = knower
        return knower


def with_listener(rules: Ruleset) -> tuple[Ruleset, Term, Term]:
    """The rules with a listener, the listener, and its only move.

    The other roles and all facts stay as they are: rules that speak of all roles go on to mean the roles of
    the game.
    """
    news = public_news(rules)
    text = format_kif(rules)
    listener, listens, plays = (Term(_unused(name, text)) for name in ("listener", "listens", "plays"))
    others = [_without_listener(rule, plays.name) for rule in rules.rules]
    own = [
        Rule(Term("role", (listener,))),
        Rule(Term("legal", (listener, listens))),
        Rule(Term("goal", (listener, Term("0")))),
        *(Rule(Term(plays.name, (role,))) for role in rules.roles),
        *(_without_listener(Rule(Term("sees", (listener, one.what)), one.body), plays.name) for one in news),
    ]
    return rules.with_rules([*others, *own]), listener, listens


def _unused(name: str, text: str) -> str:
    """A name that the text does not have."""
    while name in text:
        name += "_"
    return name


def _without_listener(rule: Rule, plays: str) -> Rule:
    """A rule that goes on to speak of the roles of the game only."""

    def renamed(pattern: Pattern) -> Pattern:
        is_role = isinstance(pattern, Term) and pattern.signature == ROLE
        return Term(plays, pattern.args) if is_role and isinstance(pattern, Term) else pattern

    changed = with_other_terms(rule, renamed)
    head = rule.head  # (role ?x) as a head goes on to be a role
    return Rule(head, (*changed.body, *(Atom(Term(plays, (one,))) for one in _open_roles(changed.body))))


def _open_roles(body: Iterable[Formula]) -> list[Variable]:
    """The variables of a body that stand for a role in a move."""
    terms = (atom.term for atom, is_positive in signed_atoms(body) if is_positive)
    found = (term.args[0] for term in terms if term.signature in (DOES, LEGAL))
    return list(dict.fromkeys(one for one in found if isinstance(one, Variable)))
