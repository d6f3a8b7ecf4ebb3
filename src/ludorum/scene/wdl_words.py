"""Moves of WDL games in words: what chance drew for whom, and names without their modules."""

from __future__ import annotations

from collections.abc import Iterator

from ..rules.terms import Pattern, Term, format_term
from ..rules.wdl.to_gdl2 import WdlRuleset
from ..rules.wdl.views import bare


def wdl_words(rules: WdlRuleset, move: Term) -> str:
    """A move for people.

    >>> from ludorum.rules.kif import parse_term
    >>> words = wdl_words(WdlRuleset(()), parse_term("(draws (draw ann games:dice 6 1) none)"))
    >>> words, wdl_words(WdlRuleset(()), parse_term("(get (visible ann cards:deck))"))
    ('ann dice 6', 'get deck')
    """
    drawn = list(_drawn(rules, move))
    if move.name == rules.draws and not drawn:
        return "nothing"
    if drawn:
        return ", ".join(f"{_words(player)} {_words(name)} {_words(event)}" for player, name, event in drawn)
    return _words(bare(move))


def _drawn(rules: WdlRuleset, move: Term) -> Iterator[tuple[Pattern, Pattern, Pattern]]:
    """The draws of a move of ``random``: player, name and event."""
    for entry in move.args if move.name == rules.draws else (move,):
        if isinstance(entry, Term) and entry.signature == (rules.draw, 4):
            player, name, event, _ = entry.args
            yield player, name, event


def _words(pattern: Pattern) -> str:
    text = format_term(pattern).replace("(", "").replace(")", "").replace("_", " ")
    return " ".join(word.rpartition(":")[2] or word for word in text.split())
