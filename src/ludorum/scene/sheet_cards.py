"""Card tables of rule sheets that name cards as people do: ``(holds alice jack)``, ``(table queen hearts)``.

Facts that name a role and a card are hands, those that name a card alone are piles. Where a role may hold
cards that the viewer does not know, as many lie face down as such hands have in a sample of states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..rules.terms import Signature, Term, sort_key
from ..show.board import spaced
from .card_faces import face_of_args
from .model import CardFace, CardHand, CardPile, CardScene
from .sight import ViewerSight


@dataclass(frozen=True)
class SheetCards:
    """The facts of a game that are cards."""

    players: tuple[Term, ...]
    hands: tuple[Signature, ...]
    piles: tuple[Signature, ...]
    size: int | None
    """Cards of a hand; None where hands differ."""
    listed: Mapping[str, CardFace]
    """Cards that have names of their own."""

    def is_card(self, fact: Term) -> bool:
        """Whether a fact is shown by a card that lies somewhere."""
        return fact.signature in self.hands or fact.signature in self.piles

    def scene(self, sight: ViewerSight) -> CardScene | None:
        """The table as far as the viewer knows it; None where nothing is known."""
        if sight.facts is None:
            return None
        facts = sorted(filter(self.is_card, sight.facts), key=sort_key)
        hands = tuple(self._hand(role, facts, sight) for role in self.players)
        piles = []
        for name, arity in self.piles:
            cards = tuple(self._face(fact, 0) for fact in facts if fact.signature == (name, arity))
            if cards:
                piles.append(CardPile(spaced(name), len(cards), cards))
        return CardScene(hands, (), False, tuple(piles), ())

    def _hand(self, role: Term, facts: Sequence[Term], sight: ViewerSight) -> CardHand:
        cards = tuple(self._face(fact, 1) for fact in facts if self._is_held(fact, role))
        may_hold = any(self._is_held(fact, role) for fact in sight.possible)
        is_seen = bool(cards) or not may_hold
        pile = CardPile(f"hand of {role}", len(cards) if is_seen else self.size, cards if is_seen else None)
        return CardHand(str(role), role is sight.role, None, (), pile)

    def _is_held(self, fact: Term, role: Term) -> bool:
        return fact.signature in self.hands and fact.args[0] is role

    def _face(self, fact: Term, at: int) -> CardFace:
        face = face_of_args(fact.args[at:], self.listed)
        assert face is not None
        return face


def find_cards(
    players: tuple[Term, ...], states: Iterable[frozenset[Term]], listed: Mapping[str, CardFace]
) -> SheetCards | None:
    """The cards of a game by some of its states; None where no role holds any."""
    found: dict[Signature, list[Term]] = {}
    sizes: set[int] = set()
    for state in states:
        held: dict[Term, int] = {}
        for fact in state:
            found.setdefault(fact.signature, []).append(fact)
            if _names(fact, 1, listed) and isinstance(role := fact.args[0], Term) and role in players:
                held[role] = held.get(role, 0) + 1
        sizes.update(held.values())
    size = sizes.pop() if len(sizes) == 1 else None
    named = {one: all(_names(fact, 1, listed) for fact in facts) for one, facts in found.items()}
    hands = [one for one in found if named[one] and all(fact.args[0] in players for fact in found[one])]
    piles = [one for one, facts in found.items() if all(_names(fact, 0, listed) for fact in facts)]
    return SheetCards(players, tuple(sorted(hands)), tuple(sorted(piles)), size, listed) if hands else None


def _names(fact: Term, at: int, listed: Mapping[str, CardFace]) -> bool:
    """Whether the arguments of a fact from one on name a card."""
    return face_of_args(fact.args[at:], listed) is not None
