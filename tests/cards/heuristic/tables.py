"""Positions at the start of a pass, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludorum.cards.heuristic.scheme import analysis_of
from ludorum.cards.language.deck import standard_pack
from ludorum.cards.language.terms import Term, number, player
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import CardPosition, hand, opening
from ludorum.cards.machine.reasons import NeedMove
from tests.cards.small_charts import cards


def table(
    game: CardGame,
    hands: Sequence[Sequence[str]],
    variables: Mapping[str, str] | None = None,
    scores: Sequence[int] = (),
) -> CardPosition:
    """A position at the header of the main loop; all other cards are undrawn."""
    analysis = analysis_of(game.chart)
    assert analysis is not None
    position = opening(analysis.main_loop.header, game.chart.players)
    held = [cards(*names) for names in hands]
    for index, own in enumerate(held):
        position.put(hand(index), own)
    used = {one for own in held for one in own}
    position.undrawn = tuple(one for one in standard_pack() if one not in used)
    position.order = (None,) * len(position.undrawn)
    for name, value in (variables or {}).items():
        position.variables[Term(name)] = Term(value)
    for index, score in enumerate(scores):
        position.variables[Term("score", (player(index),))] = number(score)
    return position


def asked(game: CardGame, position: CardPosition, *moves: str) -> CardPosition:
    """The position of the next decision after these cards were played."""
    machine: Machine = game.machine
    for name in (*moves, None):
        position, reason = machine.run(position)
        assert isinstance(reason, NeedMove)
        if name is not None:
            position = machine.supply(position, cards(name)[0])
    return position


TRUMPS = load_card_game("trumps")
KINGS_AND_JACKS = load_card_game("kings_and_jacks")
CRAZY_EIGHTS = load_card_game("crazy_eights_simple")
HIGHER_CARD = load_card_game("higher_card")
