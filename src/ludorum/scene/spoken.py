"""A scene as sentences, for people who hear the page instead of seeing it."""

from __future__ import annotations

from collections.abc import Sequence

from .model import BoardScene, CardPile, CardScene, FactGroup

MOST_SAID = 14
"""Cards of a place that are named; of more only the topmost."""


def spoken_scene(
    board: BoardScene | None,
    cards: CardScene | None,
    facts: Sequence[FactGroup],
    told: Sequence[str],
    is_hidden: bool,
) -> str:
    """The whole scene in sentences, the most important first."""
    sentences = [f"{fact.name or 'also'}: {', '.join(fact.entries)}." for fact in facts]
    if cards is not None:
        sentences += card_sentences(cards)
    if board is not None:
        sentences.append(_board_words(board))
    if told:
        sentences.append(f"{'You were told' if cards is None else 'Last'}: {', '.join(told)}.")
    if is_hidden:
        sentences.append("Some of this game is hidden from you.")
    return " ".join(one[0].upper() + one[1:] for one in sentences if one)


def _board_words(board: BoardScene) -> str:
    if board.shape == "points":
        return _stack_words(board)
    """What lies where, by content, as players list the men of each side."""
    places: dict[int, list[str]] = {}
    for at, contents in board.cells.items():
        for content in contents:
            places.setdefault(content, []).append(board.names[at])
    said = [
        f"{board.contents[content].words} on {', '.join(names)}" for content, names in sorted(places.items())
    ]
    nothing = "nothing on it that you know of" if board.is_unknown else "empty"
    size = f"board of {len(board.columns)} columns and {len(board.rows)} rows"
    parts = [f"{size}: {'; '.join(said) or nothing}."]
    if board.last:
        parts.append(f"Last move: {', '.join(board.names[at] for at in board.last)}.")
    return " ".join(parts)


def _stack_words(board: BoardScene) -> str:
    """How many men of each side stand on which points."""
    stacks: dict[int, list[str]] = {}
    for at, men in board.cells.items():
        for content in dict.fromkeys(men):
            stacks.setdefault(content, []).append(f"{men.count(content)} on {board.names[at]}")
    said = [
        f"{board.contents[content].words} {', '.join(found)}" for content, found in sorted(stacks.items())
    ]
    last = f" Last move: {', '.join(board.names[at] for at in board.last)}." if board.last else ""
    return f"men: {'; '.join(said) or 'none'}.{last}"


def card_sentences(cards: CardScene) -> list[str]:
    """The table, the own hand first."""
    found = []
    for hand in sorted(cards.hands, key=lambda one: not one.is_viewer):
        who = "your hand" if hand.is_viewer else hand.role
        notes = "".join(f", {note}" for note in hand.notes)
        score = "" if hand.score is None else f"; score {hand.score}"
        found.append(f"{who}: {_pile_words(hand.hand)}{score}{notes}.")
    if cards.trick:
        plays = ", ".join(f"{who} {card.words}" for who, card in cards.trick)
        found.append(f"{'trick taken' if cards.is_taken else 'trick'}: {plays}.")
    found += [f"{pile.name}: {_pile_words(pile)}." for pile in cards.piles]
    return found + [f"{name}: {suit}." for name, suit in cards.suits]


def _pile_words(pile: CardPile) -> str:
    if pile.count is None:
        return "cards that you do not see"
    if pile.cards is None or not pile.cards:
        return f"{pile.count} card{'' if pile.count == 1 else 's'}"
    if len(pile.cards) > MOST_SAID:
        return f"{pile.count} cards, on top {pile.cards[-1].words}"
    return ", ".join(card.words for card in pile.cards)
