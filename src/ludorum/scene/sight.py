"""What one viewer may see of a match: the only part of ``scene`` that looks at states.

Everything else is made from a ``ViewerSight``, which holds nothing that its viewer may not see. The rule:

- Where the rules hide nothing, and after the end, all is open.
- A role knows its own moves, what it was told, and all that follows from these by the rules.
- A spectator is told what is public by the form of the rules (``public.py``), and knows what follows from
  that (``listener.py``), so that no role can learn anything by watching its own match; where one role plays
  alone against chance, it sees what that role sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..arena.table.person_knowledge import PersonFacts, PersonKnowledge
from ..asp import SolverError
from ..asp.ground import GroundingError
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..rules.ruleset import is_nature
from ..rules.terms import Term, sort_key
from ..rules.wdl.to_gdl2 import WdlRuleset
from .card_games import IDLE, is_card_game
from .listener import PublicKnowledge
from .public import public_percepts
from .waiting import is_deed
from .wdl_words import made_moves, told_moves

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame
    from .card_moment import CardMoment, CardWatch


@dataclass(frozen=True)
class ViewerSight:
    """What one viewer sees of one position, and of the step that led to it."""

    game: Game
    role: Term | None
    """None for a spectator."""
    step: int
    """Steps played so far."""
    is_open: bool
    """Whether the viewer sees everything."""
    facts: frozenset[Term] | None
    """What holds for certain; None where nothing is known."""
    before: frozenset[Term] | None = None
    """The facts one step ago; None where they are not all known."""
    possible: frozenset[Term] = frozenset()
    """Facts that may hold beside these."""
    moves: tuple[tuple[Term, Term], ...] = ()
    """Moves of the last step that the viewer knows of: of those that had a choice, or else of all."""
    percepts: tuple[Term, ...] = ()
    """What the viewer was told in the last step, where the rules hide something."""
    cards: CardMoment | None = None
    """The card table as the viewer knows it; None for games in logic."""
    seat: int | None = None
    """The viewer's number at the card table."""


class Watcher:
    """Follows one match for one viewer, so that what it knows need not be found out again at every step."""

    def __init__(self, game: Game, role: Term | None, opens_at_end: bool = True) -> None:
        """``opens_at_end``: the end of the match shows its viewer what was hidden until then."""
        self.game = game
        self.role = role
        self.opens_at_end = opens_at_end
        self._eyes = eyes_of(game, role)
        self._knowledge = PublicKnowledge() if self._eyes is None else PersonKnowledge(self._eyes)
        self._cards: dict[bool, CardWatch] = {}
        """The watch of a card table as the viewer sees it, and as it is."""

    def sight(self, states: Sequence[State], is_over: bool = False) -> ViewerSight:
        """What the viewer sees in the last of a match's states.

        ``is_over``: the match has ended, here or later, by the rules or otherwise, so that all is open.
        """
        state = states[-1]
        is_open = self.game.info.is_open or is_over or (self.opens_at_end and state.is_terminal)
        if is_card_game(self.game):
            return self._card_sight(self.game, states, is_open)
        if is_open:
            return self._open_sight(states)
        known = self._known(states)
        told = told_to(state, self._eyes)
        return ViewerSight(
            self.game,
            self.role,
            len(states) - 1,
            is_open=False,
            facts=None if known is None else known.known,
            possible=frozenset() if known is None else known.uncertain,
            moves=self._known_moves(states, told),
            percepts=told,
        )

    def _known_moves(self, states: Sequence[State], told: tuple[Term, ...]) -> tuple[tuple[Term, Term], ...]:
        rules = _wdl(self.game)
        if rules is not None:
            return told_moves(rules, told)
        return () if self._eyes is None else own_move(states, self._eyes)

    def _card_sight(self, game: CardGame, states: Sequence[State], is_open: bool) -> ViewerSight:
        from .card_moment import CardWatch

        seat = game.players.index(self.role) if self.role in game.players else None
        if is_open not in self._cards:
            listener = len(game.players) if seat is None else seat
            self._cards[is_open] = CardWatch(game, None if is_open else listener)
        return ViewerSight(
            game,
            self.role,
            len(states) - 1,
            is_open,
            facts=None,
            cards=self._cards[is_open].moment(states),
            seat=seat,
        )

    def _open_sight(self, states: Sequence[State]) -> ViewerSight:
        before = states[-2] if len(states) > 1 else None
        return ViewerSight(
            self.game,
            self.role,
            len(states) - 1,
            is_open=True,
            facts=states[-1].facts(),
            before=None if before is None else before.facts(),
            moves=made_moves(rules, self.game.roles, joint)
            if (rules := _wdl(self.game)) is not None and (joint := states[-1].joint) is not None
            else chosen_moves(states),
        )

    def _known(self, states: Sequence[State]) -> PersonFacts | None:
        if len(states) == 1:
            facts = states[0].facts()
            return PersonFacts(facts, facts)
        if self.game.rules is None:
            return None
        try:
            return self._knowledge.facts(states)
        except (GameError, GroundingError, SolverError):
            return None  # the rules are too large to reason about: what was told is still shown


def sight_of(game: Game, states: Sequence[State], role: Term | None, is_over: bool = False) -> ViewerSight:
    """What a viewer sees in the last of a match's states; for one look. ``Watcher`` is for whole matches."""
    return Watcher(game, role).sight(states, is_over)


def _wdl(game: Game) -> WdlRuleset | None:
    return game.rules if isinstance(game.rules, WdlRuleset) else None


def eyes_of(game: Game, role: Term | None) -> Term | None:
    """The role whose knowledge a viewer shares: its own; for a spectator that of a role that plays alone."""
    players = game.info.players
    return players[0] if role is None and len(players) == 1 else role


def told_to(state: State, role: Term | None) -> tuple[Term, ...]:
    """What a viewer was told in the step that led to a state; a spectator what is told to all."""
    if role is not None:
        return tuple(sorted(state.percepts(role), key=sort_key))
    return public_percepts(state)


def movers(game: Game, state: State) -> frozenset[Term]:
    """The roles whose moves are worth naming: those with a choice, else those that do something, else all."""
    legal = {role: state.legal(role) for role in game.roles}
    chosen = frozenset(role for role, moves in legal.items() if len(moves) > 1)
    busy = frozenset(role for role, moves in legal.items() if any(move.name != IDLE for move in moves))
    return chosen or busy or frozenset(game.roles)


def only_nature_moves(game: Game, state: State) -> bool:
    """Whether no player does anything worth naming in a state, and nature does."""
    return all(map(is_nature, movers(game, state)))


def chosen_moves(states: Sequence[State], busy: bool = False) -> tuple[tuple[Term, Term], ...]:
    """The moves of the last step that are worth naming, where all are known.

    ``busy``: not even those where no role had a choice and none did anything.
    """
    joint = states[-1].joint
    if joint is None or len(states) < 2:
        return ()
    shown = movers(states[-1].game, states[-2])
    pairs = zip(states[-1].game.roles, joint, strict=True)
    found = tuple((role, move) for role, move in pairs if role in shown)
    return () if busy and all(move.name == IDLE for _, move in found) else found


def own_move(states: Sequence[State], role: Term) -> tuple[tuple[Term, Term], ...]:
    """A role's own move of the last step, if it did something."""
    joint, game = states[-1].joint, states[-1].game
    if joint is None or len(states) < 2 or not is_deed(states[-2].legal(role)):
        return ()
    return ((role, joint[game.roles.index(role)]),)
