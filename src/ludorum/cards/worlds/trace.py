"""A player's observations of a deal, as passages of cards from place to place, with what is known of each.

Every card of the pack is a token. A passage takes one token from a place to another: a draw, a play, a card
that went unseen. Of some passages the card is known, of others what it must fit; between them stand *checks*
of what hands held. A world is a choice of a token for every passage; ``journeys`` keeps one and changes it.
"""

from __future__ import annotations

from collections import Counter

from ..language.deck import sorted_cards
from ..language.terms import Term, number
from ..machine.position import PACK, hand
from ..machine.story import (
    Came,
    Chose,
    Crept,
    Decided,
    Drew,
    Left,
    Recycled,
    Sifted,
    Tested,
    Turned,
    is_veiled,
)
from .amounts import Held, KnownAmount, done
from .checks import check_of
from .knowledge import Knowledge
from .passages import IN_PACK, OPEN, DealTrace, Passage, PlaceCheck


def trace_of(knowledge: Knowledge) -> DealTrace:
    """The trace of the current deal; events that were read before are not read again."""
    reader = knowledge.story.reading
    if not isinstance(reader, _Reader):
        reader = knowledge.story.reading = _Reader(knowledge)
    for happening in knowledge.story.happenings[len(reader.found.begins) :]:
        reader.found.begins.append(len(reader.found.acts))
        if isinstance(happening, Tested):
            reader.found.acts += check_of(happening, reader.found, reader.hidden)
        else:
            reader.take_in(happening)
    return reader.found


class _Reader:
    def __init__(self, knowledge: Knowledge) -> None:
        self.found = DealTrace(sorted_cards(knowledge.story.cards))
        players = range(len(knowledge.game.players))
        self.hidden = frozenset(hand(at) for at in players if at != knowledge.player)
        for place in sorted(self.hidden, key=str):
            self.found.place(place)
        self.lying: dict[Term, Passage] = {}
        """For every veil that lies somewhere, the passage by which it came there."""
        self.under: Counter[Term] = Counter()
        """Cards that were put under the pack and are known."""

    def take_in(self, happening: object) -> None:
        match happening:
            case Drew(_, _, place, what, _):
                self._drew(place, what)
            case Came(_, place, what):
                if place is PACK:
                    self.under[what] += 1
                    return
                self.under[what] -= self.under[what] > 0
                self._pass(OPEN, self.found.place(place), self.found.tokens(what))
            case Left(_, place, what, _) if place in self.hidden:
                self._pass(self.found.place(place), OPEN, self.found.tokens(what))
            case Crept():
                self._crept(happening)
            case Sifted():
                self._sifted(happening)
            case Turned(_, veil, what):
                self._turned(veil, what)
            case Recycled(_, cards):
                for one in cards:
                    self._pass(OPEN, IN_PACK, self.found.tokens(one))
            case Decided():
                self.found.decisions.append(happening)
            case Chose():
                self.found.sayings.append(happening)

    def _pass(self, source: int, target: int, allowed: frozenset[int] | None = None) -> Passage:
        found = Passage(source, target, allowed)
        self.found.acts.append(found)
        return found

    def _drew(self, place: Term, what: Term) -> None:
        if not is_veiled(what):
            if self.under[what]:
                self.under[what] -= 1  # it was known all the time
            else:
                self._pass(IN_PACK, OPEN, self.found.tokens(what))
        elif what in self.lying:
            self._move_veil(what, place)
        elif place in self.hidden:
            self._pass(IN_PACK, self.found.place(place))
        else:
            self.lying[what] = self._pass(IN_PACK, self.found.place(what))

    def _crept(self, crept: Crept) -> None:
        if crept.source not in self.hidden:
            self._move_veil(crept.what, crept.target)
            return
        target = crept.target if crept.target in self.hidden else crept.what
        passage = self._pass(self.found.place(crept.source), self.found.place(target))
        self._limit(passage, crept)
        if target is crept.what:
            self.lying[target] = passage

    def _limit(self, passage: Passage, crept: Crept) -> None:
        how = crept.how
        if how is None:
            return
        passage.last = how.name == "last"
        if how.args:
            assert isinstance(how.args[0], Term)
            passage.allowed = self.found.fitting(how.args[0])
        # Between two hands it does not matter which of several cards is said to have gone first.
        if how.name == "first" and crept.target not in self.hidden:
            passage.first = passage.allowed

    def _sifted(self, sifted: Sifted) -> None:
        """Moves all cards of a pile to a heap; some go from there, and the rest goes back in its order."""
        found = self.found
        heap, fitting = found.place(Term("heap", (number(sifted.time),))), found.fitting(sifted.fit)
        begin = len(found.acts)
        for one in sifted.before:
            if is_veiled(one):
                self.lying.pop(one, None)
                self._pass(found.place(one), heap)
            else:
                self._pass(OPEN, heap, found.tokens(one))
        queue = tuple(range(begin, len(found.acts)))
        rest = None if sifted.chosen else frozenset(range(len(found.names))) - fitting
        if not sifted.chosen:
            self._count(heap, fitting, len(sifted.gone))
        for one in sifted.gone:
            passage = self._leave(heap, one, sifted.target)
            passage.allowed = fitting if passage.allowed is None else fitting & passage.allowed
            if not sifted.chosen and sifted.target not in self.hidden:
                passage.first, passage.queue = fitting, queue
        for one in sifted.left:
            passage = self.lying[one] = self._pass(heap, found.place(one), rest)
            passage.first, passage.queue = frozenset(range(len(found.names))), queue

    def _leave(self, source: int, what: Term, target: Term) -> Passage:
        """Moves a card from a hidden place to one where it is known, or is not."""
        if not is_veiled(what):
            self.under[what] += target is PACK
            return self._pass(source, OPEN, self.found.tokens(what))
        if target in self.hidden:
            return self._pass(source, self.found.place(target))
        self.lying[what] = found = self._pass(source, self.found.place(what))
        return found

    def _count(self, place: int, tokens: frozenset[int], wanted: int) -> None:
        """A check that so many of some tokens are in a place."""
        excess = done("abs", done("subtract", Held(0, tokens), KnownAmount(wanted)))
        self.found.acts.append(
            PlaceCheck((place,), excess, tokens, None, tuple(excess.code(self.found.tables)))
        )

    def _move_veil(self, veil: Term, target: Term) -> None:
        if target in self.hidden:
            self.lying.pop(veil, None)
            self._pass(self.found.place(veil), self.found.place(target))

    def _turned(self, veil: Term, what: Term) -> None:
        """Notes that the veiled card that went there was this card all the time."""
        named = self.found.tokens(what)
        came = self.lying.pop(veil, None)
        if came is not None:
            came.allowed = named if came.allowed is None else came.allowed & named
            if came.last:
                self._order_those_before(came)
        self._pass(self.found.place(veil), OPEN, named)

    def _order_those_before(self, known: Passage) -> None:
        """Notes that the highest of a sorted hand goes first: every card that went before a known one was
        higher.

        Worlds must have it so in any case, but ``build`` would find out too late.
        """
        assert known.allowed is not None
        higher = frozenset(range(min(known.allowed, default=0) + 1, len(self.found.names)))
        acts = self.found.acts
        at = next(at for at in range(len(acts) - 1, -1, -1) if acts[at] is known)
        for act in reversed(acts[:at]):
            if not isinstance(act, Passage):
                continue
            if act.target == known.source:
                return  # later cards may be higher than earlier ones
            if act.source == known.source and act.last:
                act.allowed = higher if act.allowed is None else act.allowed & higher
