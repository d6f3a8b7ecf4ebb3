"""Moves of WDL games in words: what chance drew for whom, and names without their modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..rules.ruleset import is_nature
from ..rules.terms import Pattern, Term, format_term
from ..rules.wdl.draws import with_events
from ..rules.wdl.names import without_module
from ..rules.wdl.sheet import WdlSheet
from ..rules.wdl.statements import private_parts
from ..rules.wdl.to_gdl2 import LEGAL, WdlRuleset
from ..rules.wdl.views import bare, whole_move
from .drawn_dice import dice_names, listed_events
from .model import CardFace
from .waiting import waits

A_DIE, A_CARD = "a die", "a card"


class WdlWords:
    """The words of the moves of one game.

    >>> from ludorum.rules.kif import parse_term
    >>> words = WdlWords(WdlRuleset(()), {})
    >>> words.of(parse_term("(draw ann games:dice 6 1)"))
    'ann dice 6'
    >>> words.of(parse_term("(get (visible ann cards:deck))"))
    'get deck'
    """

    def __init__(self, rules: WdlRuleset, faces: Mapping[str, CardFace]) -> None:
        """``faces``: cards that have names of their own."""
        self._rules = rules
        self._cards = {name: face.text for name, face in faces.items()}
        self._names: dict[str, str] = {}
        """What random names draw."""
        self._hidden: dict[Term, Term] = {}
        if (sheet := rules.sheet) is not None:
            dice = dice_names(sheet)
            if len(dice) == 1:  # several have names by which they are told apart
                self._names |= {str(name): A_DIE for name in dice}
            self._names |= {
                str(name): A_CARD for name, events in listed_events(sheet).items() if events <= faces.keys()
            }
            self._hidden = dict(_hidden_moves(sheet))

    def of(self, move: Term) -> str:
        """A move for people: as it was chosen, as it was made, or as one was told of it."""
        drawn = _drawn(self._rules, move)
        if drawn is not None:
            return " ".join(_words(part, self._cards) for part in drawn)
        return _words(bare(self._hidden.get(move, move)), self._names | self._cards)


def _words(pattern: Pattern, said: Mapping[str, str]) -> str:
    words = format_term(pattern).replace("(", "").replace(")", "").split()
    return " ".join(said.get(word) or without_module(word).replace("_", " ") for word in words)


def _hidden_moves(sheet: WdlSheet) -> Iterator[tuple[Term, Term]]:
    """What is left of moves for those that are not told what was drawn in them, and these moves.

    A hidden draw is a card, say; any other private part would be told to those from whom it is hidden.
    """
    for rule in sheet.master.by_signature.get(LEGAL, ()):
        move = rule.head.args[1]
        parts = list(private_parts(move))
        if isinstance(move, Term) and parts and all(part.args[1] in sheet.names for part in parts):
            public = [arg for arg in move.args if next(private_parts(arg), None) is None]
            seen = Term(move.name, tuple(public))
            if seen.is_ground:
                yield seen, move


def made_moves(
    rules: WdlRuleset, roles: Sequence[Term], joint: Sequence[Term]
) -> tuple[tuple[Term, Term], ...]:
    """The moves of a step that do something, with the events that were drawn in them: all is open."""
    drawn: dict[Pattern, dict[Pattern, Pattern]] = {}
    for move in joint:
        if (draw := _drawn(rules, move)) is not None:
            player, name, event = draw
            drawn.setdefault(player, {})[name] = event
    pairs = zip(roles, joint, strict=True)
    made = ((role, whole_move(with_events(move, drawn.get(role, {})))) for role, move in pairs)
    return tuple((role, move) for role, move in made if not is_nature(role) and not waits(move))


def told_moves(rules: WdlRuleset, percepts: Iterable[Term]) -> tuple[tuple[Term, Term], ...]:
    """The moves that do something, as far as percepts tell them."""
    return tuple(
        (role, move)
        for percept in percepts
        if percept.signature == (rules.did, 2)
        for role, move in [percept.args]
        if isinstance(role, Term) and isinstance(move, Term) and not waits(move)
    )


def _drawn(rules: WdlRuleset, move: Term) -> tuple[Pattern, Pattern, Pattern] | None:
    """What a move of nature draws: player, name and event; None for any other move."""
    return move.args[:3] if move.signature == (rules.draw, 4) else None  # type: ignore[return-value]
