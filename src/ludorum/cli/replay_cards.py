"""The card tables of a recorded match, step by step, and what happened at them in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..rules.terms import Pattern, Term
from ..scene.model import CardPile, CardScene
from .card_table import Lines

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame


def tables_of(
    game: CardGame, states: Iterable[frozenset[Term]], percepts: Sequence[Iterable[Term]]
) -> list[CardScene]:
    """Each state as a table with all cards face up; ``percepts`` are those of all roles, step by step."""
    from ..cards.machine.facts_of_position import position_of
    from ..scene.card_moment import CardMoment, next_moment, sorted_events
    from ..scene.card_scene import card_scene

    found: list[CardScene] = []
    moment: CardMoment | None = None
    for facts, told in zip(states, ((), *percepts), strict=True):
        moment = next_moment(position_of(facts, len(game.players)), sorted_events(told), moment)
        found.append(card_scene(moment, _names(game), None))
    return found


def tables_seen(game: CardGame, role: Term, percepts: Iterable[Sequence[Term]]) -> list[CardScene]:
    """The table as a player knew it at the start and after each step, from its percepts alone."""
    from ..cards.worlds.knowledge import Knowledge
    from ..scene.card_moment import next_moment, sorted_events
    from ..scene.card_scene import card_scene

    viewer = game.players.index(role)
    knowledge = Knowledge.of(game, viewer)
    moment = next_moment(knowledge.position, (), None)
    found = [card_scene(moment, _names(game), viewer, viewer)]
    for told in percepts:
        moment = next_moment(knowledge.observe(told).position, sorted_events(told), moment)
        found.append(card_scene(moment, _names(game), viewer, viewer))
    return found


def _names(game: CardGame) -> list[str]:
    return [str(role) for role in game.players]


def table_lines(table: CardScene) -> Lines:
    """The table in words, a line a place."""
    found = []
    for hand in table.hands:
        name = f"{hand.role} (you)" if hand.is_viewer else hand.role
        notes = f"  [{', '.join(hand.notes)}]" if hand.notes else ""
        found.append(f"{name}  score {hand.score}  {_pile_text(hand.hand)}{notes}")
    if table.trick:
        plays = ", ".join(f"{who} {card.text}" for who, card in table.trick)
        found.append(f"{'trick taken' if table.is_taken else 'trick'}  {plays}")
    found += [f"{pile.name:<8} {_pile_text(pile)}" for pile in table.piles]
    if table.suits:
        found.append(", ".join(f"{name} {suit}" for name, suit in table.suits))
    return tuple(found)


def _pile_text(pile: CardPile) -> str:
    from ..cards.show.faces import backs

    if pile.cards is None:
        return "cards that you do not see" if pile.count is None else backs(pile.count)
    texts = [card.text for card in pile.cards]
    return (", " if any(" " in text for text in texts) else " ").join(texts)


def events_said(told: Iterable[Term]) -> list[str]:
    """The events of a step, a sentence each; cards that go the same way are told together."""
    from ..cards.show.faces import event_text, value_text
    from ..scene.card_moment import sorted_events

    found: dict[tuple[str, ...], list[str]] = {}
    for what in sorted_events(told):
        if what.name == "moved":
            start, end, *cards = what.args
            way = _way(start, end)
            found.setdefault(way, []).extend(map(value_text, cards or [A_CARD]))
        elif what.name == "drew":
            who, *cards = what.args
            found.setdefault((f"{value_text(who)} draws ", ""), []).extend(map(value_text, cards or [A_CARD]))
        elif text := event_text(what):
            found[text, ""] = []
    return [_sentence(before, cards, after) for (before, after), cards in found.items()]


def _sentence(before: str, cards: Sequence[str], after: str) -> str:
    verb = "" if before or not after else " goes" if len(cards) == 1 else " go"
    return f"{before}{_cards_said(cards)}{verb}{after}"


A_CARD = Term("card")
"""Stands for a card that the viewer does not see."""


def _cards_said(cards: Sequence[str]) -> str:
    if cards and set(cards) == {A_CARD.name}:
        return "a card" if len(cards) == 1 else f"{len(cards)} cards"
    return " ".join(cards)


def _way(start: Pattern, end: Pattern) -> tuple[str, str]:
    """The words before and after cards that go from one place to another."""
    from ..cards.show.faces import spoken, value_text
    from ..cards.show.picture import place_phrase

    if not isinstance(start, Term) or not isinstance(end, Term):
        return "", ""
    if start.name == "hand" and end.name == "pile":
        who, (name, *owner) = value_text(start.args[0]), map(value_text, end.args)
        if owner in ([], [who]):
            return f"{who} puts ", f" on the pile {spoken(name)}"
    return "", f" from {place_phrase(start)} to {place_phrase(end)}"
