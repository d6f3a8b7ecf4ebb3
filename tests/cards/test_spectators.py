"""Whoever only watches a card game sees what is public, and nothing more."""

from __future__ import annotations

import pytest

from ludorum.cards.debugger import Debugger
from ludorum.cards.load import load_card_game
from ludorum.cards.position import hand
from ludorum.cards.terms import format_term
from ludorum.cli.cards_step import SPECTATOR, as_values, picture_lines, read_view, walk
from ludorum.rules.library import chart_sheets

NAMES = [str(sheet.name) for sheet in chart_sheets()]


@pytest.mark.spec("card-games-fcdl", 86)
@pytest.mark.parametrize("name", NAMES)
def test_spectators_see_only_what_every_player_sees(name: str) -> None:
    game = load_card_game(name)
    walker = Debugger(game.machine, 5)
    found = list(walk(walker, 160))
    shown = as_values(walker, found, read_view("spectator", len(game.players)))
    table = shown["table"]
    assert isinstance(table, dict)
    players = range(len(game.players))
    for place, cards in walker.position.places.items():
        public = all(walker.position.sees(index, place) for index in players)
        seen = table[format_term(place)]
        assert seen == ([format_term(one) for one in cards] if public else len(cards)), place
    for step in found:
        for event in step.events:
            told = event.as_seen_by(SPECTATOR)
            assert told == (event.seen if event.witnesses is None else event.told)


@pytest.mark.spec("card-games-fcdl", 86)
def test_the_picture_for_spectators_shows_backs_and_what_was_played() -> None:
    walker = Debugger(load_card_game("trumps").machine, 4)
    list(walk(walker, 12))
    lines = "\n".join(picture_lines(walker, SPECTATOR))
    held = [card for index in (0, 1) for card in walker.position.cards(hand(index))]
    assert held
    open_picture = "\n".join(picture_lines(walker, None))
    assert lines != open_picture
    assert "(you)" not in lines
    from ludorum.cards.faces import face

    assert not any(face(card) in lines for card in held)
    assert all(face(card) in open_picture for card in held)
