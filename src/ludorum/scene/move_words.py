"""How the moves of a game are written for people, and the other ways in which people type them.

``(move b 1 c 3)`` is shown as ``♘ b1 c3`` and may be typed ``Nc3``, ``b1c3`` or ``b1 c3``; the move that
plays a card is shown as ``K♥`` and may be typed ``kh``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

from ..arena.table.typed_moves import Writings
from ..engine.game import Game
from ..rules.terms import Term, format_term
from ..rules.wdl.to_gdl2 import WdlRuleset
from ..show.grid import Grid, Place
from ..show.marks import empty_contents
from ..show.pieces import CHESSMEN, Piece, make_pieces
from .card_games import is_card_game
from .model import CardFace
from .points import PointsBoard
from .wdl_words import WdlWords

FILLED = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}
OUTLINED = {"king": "♔", "queen": "♕", "rook": "♖", "bishop": "♗", "knight": "♘", "pawn": "♙"}
"""Chessmen as signs; without colours the outlined ones are white."""

_LETTERS = {name: "" if name == "pawn" else letter.upper() for letter, name in CHESSMEN.items()}
_CASTLING = {
    "castle kingside": ("O-O", "0-0", "o-o"),
    "castle queenside": ("O-O-O", "0-0-0", "o-o-o"),
}
NO_FACES: Mapping[str, CardFace] = MappingProxyType({})
_MOST_KEPT = 64
"""States whose pieces are remembered."""


class MoveWords:
    """The words of one game's moves. ``facts`` are those before a move, None where they are hidden."""

    def __init__(
        self,
        game: Game,
        grid: Grid | None,
        points: PointsBoard | None = None,
        faces: Mapping[str, CardFace] = NO_FACES,
    ) -> None:
        self.grid = grid
        self._points = points
        self.has_cards = is_card_game(game)
        self._wdl = WdlWords(game.rules, faces) if isinstance(game.rules, WdlRuleset) else None
        roles = [str(role) for role in game.roles]
        self.pieces: dict[str, Piece] = make_pieces(grid.marks, roles) if grid else {}
        self._empty = empty_contents(grid.marks) if grid else frozenset()
        self._men: dict[frozenset[Term], Mapping[Place, str]] = {}
        self._written: dict[tuple[Term, frozenset[Term] | None], tuple[str, ...]] = {}

    def label(self, move: Term, facts: frozenset[Term] | None = None) -> str:
        """The writing that is shown to people."""
        return self.writings(move, facts)[0]

    def at(self, facts: frozenset[Term] | None) -> Writings:
        """The writings of moves in one state."""
        return partial(self.writings, facts=facts)

    def writings(self, move: Term, facts: frozenset[Term] | None = None) -> tuple[str, ...]:
        """All ways to write a move besides the words of the rules, the one for people first."""
        key = move, facts
        if key not in self._written:
            if len(self._written) > 1 << 14:
                self._written.clear()
            self._written[key] = _card_writings(move) if self.has_cards else self._board_writings(move, facts)
        return self._written[key]

    def in_order(self, moves: Sequence[Term]) -> tuple[Term, ...]:
        """Moves as a list shows them: cards by suit and rank, as people hold them, and then the rest."""
        return _by_suit(moves) if self.has_cards else tuple(moves)

    def contents(self, facts: frozenset[Term]) -> Mapping[Place, str]:
        """The content of each place, by the words of the facts; of several the first layer's."""
        if facts not in self._men:
            if len(self._men) > _MOST_KEPT:
                self._men.clear()
            spots = sorted(spot for fact in facts if self.grid and (spot := self.grid.spot(fact)))
            found: dict[Place, str] = {}
            for spot in spots:
                if spot.content not in self._empty:
                    found.setdefault(spot.place, spot.content)
            self._men[facts] = found
        return self._men[facts]

    def _board_writings(self, move: Term, facts: frozenset[Term] | None) -> tuple[str, ...]:
        words = _words(move)
        if self._points is not None and (named := self._points.label(move)):
            return (*named, words)
        if self._wdl is not None and (plain := self._wdl.of(move)) != words:
            return (plain, words)
        places = self.grid.places_in(move) if self.grid else []
        if not places:
            return (words, *_CASTLING.get(words, ()))
        rest = _rest(move, places)
        if rest is None:
            return (words,)
        names = [_place_name(place) for place in places]
        men = self.contents(facts) if facts is not None else {}
        man = self.pieces.get(men.get(places[0], ""))
        if man is not None and man.shape in FILLED and len(places) == 2:
            return _chess_writings(man, places, rest, places[1] in men)
        if len(names) > 1:  # where several places are numbers, commas tell them apart
            names = [name.replace(" ", ",") for name in names]
        shown = names if move.name == "move" else [move.name.replace("_", " "), *names]
        lettered = [_lettered(place) for place in places]
        other = ("".join(lettered),) if all(lettered) else ()
        return (" ".join([*shown, *rest]), *other)


def _words(move: Term) -> str:
    return format_term(move).replace("(", "").replace(")", "").replace("_", " ")


def _place_name(place: Place) -> str:
    column, row = place
    return column + row if column.isalpha() and row.isdigit() else f"{column} {row}"


def _lettered(place: Place) -> str:
    """A place whose column is a number, with a letter for it as chess players write; nothing for others."""
    column, row = place
    if not (column.isdigit() and row.isdigit() and 1 <= int(column) <= 26):
        return ""
    return chr(ord("a") + int(column) - 1) + row


def _rest(move: Term, places: list[Place]) -> list[str] | None:
    """The words of a move after its places, such as a promotion; None where some stand before."""
    words = _words(move).split()[1:]
    named = [part for place in places for part in place]
    if words[: len(named)] == named:
        return words[len(named) :]
    joined = ["".join(place) for place in places]
    return words[len(joined) :] if words[: len(joined)] == joined else None


def _chess_writings(man: Piece, places: list[Place], rest: list[str], takes: bool) -> tuple[str, ...]:
    """A chess move as players write it: the man and the target, with as much of the start as is wanted."""
    letter = _LETTERS[man.shape]
    (column, row), target = places[0], "".join(places[1])
    sign = (OUTLINED if man.colour == "white" else FILLED)[man.shape]
    becomes = [f" = {rest[0]}"] if rest else [""]
    shown = f"{sign} {column}{row} {'x ' if takes else ''}{target}{becomes[0]}"
    ends = [rest[0], _LETTERS.get(rest[0], "")] if rest else [""]
    starts = ("", column, row, column + row)
    writings = [f"{letter}{start}{target}{end}" for end in ends for start in starts]
    writings += [f"{column}{row}{target}{end.lower()}" for end in ends]
    return (shown, *dict.fromkeys(writings))


def _by_suit(moves: Sequence[Term]) -> tuple[Term, ...]:
    from ..cards.language.deck import sorted_cards
    from ..cards.language.terms import is_card

    by_card: dict[Term, list[Term]] = {}
    for move in moves:
        card = move.args[0] if move.args else None
        if isinstance(card, Term) and is_card(card):
            by_card.setdefault(card, []).append(move)
    cards = [move for card in sorted_cards(by_card) for move in by_card[card]]
    return (*cards, *(move for move in moves if move not in cards))


def _card_writings(move: Term) -> tuple[str, ...]:
    """A card by its face, by letters (``kh``, ``10s``) and by its words."""
    from ..cards.language.terms import is_card
    from ..cards.show.faces import move_text

    text = move_text(move)
    card = move.args[0] if move.args else None
    if not isinstance(card, Term) or not is_card(card):
        return (text,)
    rank, suit = map(str, card.args)
    short = rank if rank.isdigit() else rank[:1]
    return text, f"{short}{suit[:1]}", f"{rank} {suit}", f"{rank} of {suit}"
