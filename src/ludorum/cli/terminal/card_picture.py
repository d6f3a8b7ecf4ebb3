"""A card table in colours: backs of the others' cards, the trick, and the person's hand to click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.text import Text

from ...arena.table.table import Phase, Table
from ...cards.machine.game import CardState
from ...cards.machine.outcome import scores
from ...cards.machine.position import DISCARD, PACK, STACK, CardPosition, hand
from ...cards.show.faces import BACK, face, value_text
from ...cards.show.picture import named_suits, place_words
from ...rules.terms import Term, sort_key
from ...scene.card_moment import Trick
from ...scene.card_words import trick_of
from .card_faces import (
    BACKS,
    LARGE_HEIGHT,
    LARGE_WIDTH,
    fits_large,
    large_card,
    small_card,
)
from .palette import DIM, STRONG
from .picture import ScreenPicture, Spot

MOST_BACKS = 20
SMALL_WIDTH = 12
"""Columns of a card with a name of its own, as packs have that are not the usual one."""
BUTTON = Style(reverse=True, bold=True)


def draw_cards(table: Table, styles: Mapping[Term, Style], room: tuple[int, int]) -> ScreenPicture:
    """The table as the person may see it."""
    state = table.match.state
    assert isinstance(state, CardState)
    viewer = None if table.sees_all or table.role is None else state.game.players.index(table.role)
    you = None if table.role is None else state.game.players.index(table.role)
    trick = trick_of(table.match.states, viewer)
    picture = ScreenPicture()
    others = [at for at in range(len(state.game.players)) if at != you]
    for at in others:
        picture.add(_other(state, at, viewer, styles, room[0]))
    picture.add([Text("")])
    _add_trick(picture, state, trick, styles, you)
    _add_places(picture, state.position, trick, viewer, room[0])
    said = "   ".join(f"{name} {value}" for name, value in named_suits(state.position))
    picture.add([Text(said, STRONG)] if said else [])
    if you is not None:
        _add_hand(picture, table, state, you, room)
    return picture


def _other(
    state: CardState, at: int, viewer: int | None, styles: Mapping[Term, Style], width: int
) -> list[Text]:  # fmt: skip
    score = f"  score {scores(state.position)[at]}  "
    line = Text.assemble(_name(state, at, None, styles), (score, DIM))
    cards = state.position.cards(hand(at))
    if viewer is None:
        return [line, *_rows(cards, width)]
    return [line + Text(BACK * min(len(cards), MOST_BACKS), BACKS) + Text(f" {len(cards)}", DIM)]


def _name(state: CardState, at: int, you: int | None, styles: Mapping[Term, Style]) -> Text:
    role = state.game.players[at]
    return Text("you" if at == you else str(role), styles.get(role, STRONG))


def _rows(cards: Sequence[Term], width: int) -> list[Text]:
    """Small cards in lines."""
    lines = [Text()]
    for card in cards:
        chip = small_card(face(card))
        if lines[-1].cell_len and lines[-1].cell_len + chip.cell_len + 1 > width:
            lines.append(Text())
        lines[-1].append_text(chip).append(" ")
    return lines if cards else []


def _add_trick(
    picture: ScreenPicture, state: CardState, trick: Trick, styles: Mapping[Term, Style], you: int | None
) -> None:  # fmt: skip
    if not trick.plays:
        return
    title = "in the middle"
    if trick.is_taken:
        winner = (
            ""
            if trick.winner is None
            else f", taken by {'you' if trick.winner == you else f'player{trick.winner}'}"
        )
        title = f"the last trick{winner}"
    picture.add([Text(title, DIM)])
    lines = [Text() for _ in range(LARGE_HEIGHT + 1)]
    for at, card in trick.plays:
        name = _name(state, at, you, styles)
        drawn = large_card(face(card), bright=not trick.is_taken)
        width = max(name.cell_len, drawn[0].cell_len) + 2
        for line, part in zip(lines, (name, *drawn), strict=True):
            line.append_text(part).append(" " * (width - part.cell_len))
    picture.add([*lines, Text("")])


def _add_places(
    picture: ScreenPicture, position: CardPosition, trick: Trick, viewer: int | None, width: int
) -> None:
    """Open piles and the pack; cards that lie there as the trick are not shown twice."""
    played = {card for _, card in trick.plays}
    for place in sorted(position.places, key=sort_key):
        cards = position.cards(place)
        if place.name == "hand" or not cards or (place is STACK and played.issuperset(cards)):
            continue
        words = Text.assemble((f"{place_words(place)}  ", DIM))
        if place in (STACK, DISCARD):  # of these heaps people see the topmost card
            words.append_text(small_card(face(cards[-1]))).append(f" {len(cards)}", DIM)
            picture.add([words])
        elif viewer is None or position.sees(viewer, place):
            picture.add([words, *_rows(cards, width)])
        else:
            backs = BACK * min(len(cards), MOST_BACKS)
            picture.add([words.append(backs, BACKS).append(f" {len(cards)}", DIM)])
    if position.count(PACK):
        picture.add([Text.assemble(("pack  ", DIM), (BACK, BACKS), (f" {position.count(PACK)}", DIM))])


def _add_hand(
    picture: ScreenPicture, table: Table, state: CardState, you: int, room: tuple[int, int]
) -> None:
    """The person's cards, bright where they can be played, and buttons for all other choices."""
    legal = table.legal if table.phase is Phase.CHOICE else ()
    by_card = {move.args[0]: move for move in legal if move.args}
    cards = state.position.cards(hand(you))
    score = scores(state.position)[you]
    picture.add([Text(""), Text.assemble(("your cards", STRONG), (f"  score {score}", DIM))])
    per_row = max(1, (room[0] + 1) // (LARGE_WIDTH + 1))  # small cards take as many columns as large ones
    width = LARGE_WIDTH if all(fits_large(face(card)) for card in cards) else SMALL_WIDTH
    rows = -(-len(cards) // per_row)
    large = width == LARGE_WIDTH and len(picture.lines) + rows * LARGE_HEIGHT + 2 <= room[1]
    if width != LARGE_WIDTH:
        per_row = max(1, (room[0] + 1) // (width + 1))
    for start in range(0, len(cards), per_row):
        row = cards[start : start + per_row]
        lines = [Text() for _ in range(LARGE_HEIGHT if large else 1)]
        for at, card in enumerate(row):
            bright = card in by_card or not legal
            drawn = large_card(face(card), bright) if large else [small_card(face(card), bright)]
            if card in by_card:
                spot = Spot(at * (width + 1), len(picture.lines), width, len(lines), by_card[card])
                picture.spots.append(spot)
            for line, part in zip(lines, drawn, strict=True):
                line.append_text(part).append(" " * (width + 1 - part.cell_len))
        picture.add([*lines, Text("")] if large and start + per_row < len(cards) else lines)
    _add_buttons(picture, [move for move in legal if not move.args or move.args[0] not in cards], room[0])


def _add_buttons(picture: ScreenPicture, moves: Sequence[Term], width: int) -> None:
    if not moves:
        return
    picture.add([Text(""), Text()])
    for move in moves:
        text = f" {value_text(move.args[0]) if move.args else move.name} "
        if picture.lines[-1].cell_len + len(text) > width:
            picture.add([Text()])
        spot = Spot(picture.lines[-1].cell_len, len(picture.lines) - 1, len(text), 1, move)
        picture.spots.append(spot)
        picture.lines[-1].append(text, BUTTON).append(" ")
