"""One moment at a card table as a viewer knows it: places, the trick in the middle, and what was told.

A role's moments are made from its percepts alone, by ``Knowledge``, which follows the chart with veiled
cards. A spectator is a listener with no cards: it hears what is told to players that witness nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..cards.language.terms import player, player_number
from ..cards.machine.game import CardGame, CardState
from ..cards.machine.position import STACK, CardPosition
from ..cards.show.faces import is_event
from ..cards.worlds.knowledge import Knowledge
from ..engine.game import State
from ..rules.terms import Term, as_integer

FRESH = frozenset({"drew", "random"})
"""Events that leave a trick on the table that is over: players draw cards while they look at it."""


@dataclass(frozen=True)
class Trick:
    """Cards in the middle, by the players' numbers in the order they were played."""

    plays: tuple[tuple[int, Term], ...] = ()
    is_taken: bool = False
    """Whether the trick is over: it lies there until something else happens."""
    winner: int | None = None
    """The player that has taken it, where the chart says so."""
    age: int = 0
    """Steps since it was taken."""


NO_TRICK = Trick()


@dataclass(frozen=True)
class CardMoment:
    """One moment at a card table."""

    position: CardPosition
    """With veiled cards where the viewer does not see them."""
    events: tuple[Term, ...] = ()
    """What the viewer saw happen in the last step."""
    trick: Trick = NO_TRICK
    asked: int | None = None
    """The player that decides now."""


class CardWatch:
    """Follows a card game for one viewer."""

    def __init__(self, game: CardGame, viewer: int | None) -> None:
        """``viewer`` is a player's number, the number of players for a spectator, None for all cards open."""
        self.game = game
        self.viewer = viewer
        self._last: State | None = None
        self._taken = 0
        """States that were taken into account."""
        self._restart()

    def moment(self, states: Sequence[State]) -> CardMoment:
        """The moment of the last of a match's states."""
        if self._taken > len(states) or (self._taken and states[self._taken - 1] is not self._last):
            self._restart()
        for state in states[self._taken :]:
            assert isinstance(state, CardState)
            self._take(state)
            self._taken, self._last = self._taken + 1, state
        return self._moment

    def _restart(self) -> None:
        self._taken = 0
        # The number behind the last player's is a listener without cards, which ``of`` does not offer.
        self._knowledge = None if self.viewer is None else Knowledge(self.game, self.viewer)
        self._moment = CardMoment(self.game.machine.start())

    def _take(self, state: CardState) -> None:
        if self._knowledge is None or self.viewer is None:
            position = state.position
            asked = self.game.players.index(state.asked) if state.asked in self.game.players else None
            events = tuple(event.seen for event in state.events)
        else:
            self._knowledge.observe(percepts_of(state, self.viewer))
            position, asked = self._knowledge.position, self._knowledge.asked
            events = tuple(events_seen(state, self.viewer))
        self._moment = next_moment(position, events, self._moment, None if state.is_terminal else asked)


def next_moment(
    position: CardPosition, events: Iterable[Term], before: CardMoment | None, asked: int | None = None
) -> CardMoment:
    """The moment after a step, from the one before it."""
    happened = tuple(events)
    trick = next_trick(position, happened, NO_TRICK if before is None else before.trick)
    return CardMoment(position, happened, trick, asked)


def percepts_of(state: CardState, viewer: int) -> list[Term]:
    """The percepts of a step, also for the listener that is no player."""
    return [
        Term("event", (Term(str(event.step)), Term(str(at)), what))
        for at, event in enumerate(state.events)
        if (what := event.as_seen_by(viewer)) is not None
    ]


def events_seen(state: CardState, viewer: int | None) -> list[Term]:
    """The events of the step to a state, as a viewer was told, or as they were."""
    if viewer is None:
        return [event.seen for event in state.events]
    found = (event.as_seen_by(viewer) for event in state.events)
    return [what for what in found if what is not None]


def next_trick(position: CardPosition, events: Iterable[Term], before: Trick) -> Trick:
    """The trick after a step.

    A chart takes the cards away in the step that completes a trick, so that the last trick is put together
    from the one before and the cards played to it. A stack that keeps growing is a pile, not a trick.
    """
    happened = list(events)
    stack = position.cards(STACK)
    if stack:
        middles = {position.variables[Term("middle", (player(at),))]: at for at in range(position.players)}
        if all(card in middles for card in stack):
            return Trick(tuple((middles[card], card) for card in stack))
        return NO_TRICK
    played = _played(happened)
    if played:
        earlier = () if before.is_taken else before.plays
        return Trick((*earlier, *played), True, _winner(position))
    if before.is_taken and all(what.name in FRESH for what in happened) and before.age < position.players:
        return Trick(before.plays, True, before.winner, before.age + 1)
    return NO_TRICK


def _played(events: Iterable[Term]) -> list[tuple[int, Term]]:
    """Players and the cards that they put on the stack in one step, each once."""
    found: dict[tuple[int, Term], None] = {}
    for what in events:
        if what.name == "played" and len(what.args) == 2:
            who, card = what.args
            number = player_number(who) if isinstance(who, Term) else None
            if number is not None and isinstance(card, Term):
                found[number, card] = None
    return list(found)


def _winner(position: CardPosition) -> int | None:
    winner = position.variables.get(Term("trickWinner"))
    return None if winner is None else player_number(winner)


def sorted_events(told: Iterable[Term]) -> list[Term]:
    """The events of a step, in order; of an event that was told to several the fullest account."""
    fullest: dict[tuple[int, ...], Term] = {}
    for percept in filter(is_event, told):
        *when, what = percept.args
        at = tuple(as_integer(part) or 0 for part in when if isinstance(part, Term))
        if isinstance(what, Term) and (at not in fullest or len(what.args) > len(fullest[at].args)):
            fullest[at] = what
    return [fullest[at] for at in sorted(fullest)]
