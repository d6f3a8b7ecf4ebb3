"""Variants of library sheets that others have published figures of."""

from __future__ import annotations

from functools import cache

from ludorum._paths import games_folder
from ludorum.engine.compiled import CompiledGame
from ludorum.rules.kif import parse_kif

WILD_SIX = """
(<= (matches ?player ?face) (true (die ?player ?face)))
(<= (matches ?player ?face) (true (die ?player 6)) (face ?face))
(<= bid_is_true (true (last_bid ?_bidder 1 ?face)) (matches ?_player ?face))
(<= bid_is_true (true (last_bid ?_bidder 2 ?face)) (matches alice ?face) (matches bob ?face))
"""
"""The six counts as any face, which makes our liar's dice one-die Dudo, and that of OpenSpiel."""
HIGHEST_FIRST = """    (true turning)
    (true (prize ?prize))
    (not (higher_left ?prize)))
(<= (higher_left ?prize) (true (prize ?prize)) (true (prize ?other)) (less ?prize ?other))
"""
"""Prizes of goofspiel come in falling order."""


@cache
def wild_dice() -> CompiledGame:
    return CompiledGame(parse_kif(_sheet("liars_dice") + WILD_SIX), "wild_dice")


@cache
def descending_goofspiel() -> CompiledGame:
    text = _sheet("goofspiel")
    drawn = "    (true turning)\n    (true (prize ?prize)))\n"
    assert text.count(drawn) == 1
    return CompiledGame(parse_kif(text.replace(drawn, HIGHEST_FIRST)), "descending_goofspiel")


def _sheet(name: str) -> str:
    return (games_folder() / "gdl2" / f"{name}.kif").read_text()
