"""What a role at a card table knows of hands, for certain and by worlds that agree with all it was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...cards.machine.game import CardGame
from ...cards.machine.position import CardPosition, hand
from ...cards.machine.story import is_veiled
from ...cards.show.faces import face
from ...cards.worlds import sample_worlds
from ...cards.worlds.knowledge import Knowledge
from ...rules.terms import Term, format_term
from .plan import Json

WORLDS = 200
"""Worlds of an opinion, as for games in logic."""
CERTAIN = 1 - 1e-9
"""Weights of worlds are rounded: a share above this is told as known, not as likely."""


def known_hands(game: CardGame, position: CardPosition, own: int) -> list[str]:
    """The own hand, and the cards that the role knows to be in other hands, which it does not see."""
    found = []
    for at, cards in _hands(position, own):
        known = [face(card) for card in cards if not is_veiled(card)]
        if known:
            found.append(f"{_owner(game, at, own)}: {', '.join(known)}")
    return found


def likely_hands(game: CardGame, role: Term, told: Iterable[Iterable[Term]], most: int) -> Json:
    """How likely other hands have the cards that they may have; ``told`` are percepts, step by step.

    GameError where no world was found.
    """
    own = game.players.index(role)
    knowledge = Knowledge.of(game, own)
    for percepts in told:
        knowledge.observe(percepts)
    worlds = sample_worlds(knowledge, WORLDS, 0)
    shares: dict[str, float] = {}
    for world in worlds:
        for at, cards in _hands(world.position, own):
            if at != own:
                for words in {f"{_owner(game, at, own)}: {face(card)}" for card in cards}:
                    shares[words] = shares.get(words, 0.0) + world.weight
    uncertain = sorted(
        ((words, share) for words, share in shares.items() if share < CERTAIN),
        key=lambda one: (-one[1], one[0]),
    )
    return {
        "worlds": len(worlds),
        "is_all": len(worlds) < WORLDS,
        "opinion": [{"words": words, "value": round(share, 4)} for words, share in uncertain[:most]],
    }


def _hands(position: CardPosition, own: int) -> Iterator[tuple[int, tuple[Term, ...]]]:
    """The own hand, and those of others that do not lie open."""
    for at in range(position.players):
        if at == own or not position.sees(own, hand(at)):
            yield at, position.cards(hand(at))


def _owner(game: CardGame, at: int, own: int) -> str:
    return "you" if at == own else format_term(game.players[at])
