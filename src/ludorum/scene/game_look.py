"""How the positions of one game are drawn and spoken: everything that depends on the game alone.

It is found from the rules and from one random match of its own, never from the match that is watched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal
from weakref import WeakKeyDictionary

from ..asp import SolverError
from ..asp.ground import GroundingError
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..rules.move_counters import move_counters
from ..rules.terms import Term, sort_key
from ..rules.wdl.to_gdl2 import WdlRuleset
from ..show.board import spaced
from ..show.grid import Grid, Place, place_name
from ..show.marks import empty_contents
from ..show.picture import LINES, Picture
from ..show.pieces import CHESSMEN, Piece, make_pieces
from .amounts import find_amounts
from .card_faces import listed_faces
from .card_games import is_card_game
from .drawn_dice import DrawnDice, find_dice
from .floor import find_floor
from .hexagons import hexagon_lean
from .model import BoardScene, PieceLook
from .move_words import MoveWords
from .points import PointsBoard, find_points
from .sheet_cards import find_cards

SAMPLE_STATES = 40
"""States of a random match in which whose turn it is and where things stand must show."""


class GameLook:
    """What is the same in all scenes of a game."""

    def __init__(self, game: Game) -> None:
        self.has_cards = is_card_game(game)
        self.roles = tuple(str(role) for role in game.roles)
        self.players = game.info.players
        self.rules = game.rules
        picture = None if self.has_cards else _picture(game)
        sample = [] if self.has_cards else _sample(game)
        self.grid: Grid | None = None if picture is None else picture.grid
        self._floor = None
        if self.grid is None and self.rules is not None:
            self._floor = find_floor(self.rules, [state.facts() for state in sample])
            self.grid = None if self._floor is None else self._floor.grid
        self.look = LINES if picture is None else picture.look
        self.faces = {} if self.rules is None else listed_faces(self.rules)
        """Cards that the rules call by names of their own."""
        facts = [state.facts() for state in sample]
        self.cards = find_cards(self.players, facts, self.faces) if self.rules else None
        """The facts of a rule sheet that are cards."""
        wdl = self.rules.sheet if isinstance(self.rules, WdlRuleset) else None
        self.dice = DrawnDice() if wdl is None else find_dice(wdl)
        self.counters = frozenset[str]() if game.rules is None else move_counters(game.rules)
        self.amounts = find_amounts(facts)
        """The relations that say how many of something there are."""
        self.points: PointsBoard | None = None
        """The board of points, where that is how men stand."""
        if self.grid is None and self.rules is not None and self.amounts:
            self.points = find_points(self.rules, self.players, self.amounts, sample)
        self.words = MoveWords(game, self.grid, self.points, self.faces)
        self.turn = _turn_marker(game, sample)
        """The relation that names the role to move."""
        self._titles = (
            () if self.grid is None else tuple(f"{one.name} " for one in self.grid.layers if one.titled)
        )

    @cached_property
    def board(self) -> BoardScene | None:
        """The board without any piece."""
        grid = self.grid
        if grid is None:
            return None
        shape: Literal["square", "hex"] = "hex" if self._lean else "square"
        return BoardScene(
            columns=grid.columns,
            rows=self.rows,
            shape=shape,
            look=self.look,  # type: ignore[arg-type]
            names=tuple(map(place_name, self.numbers)),
            absent=tuple(sorted(self.numbers[place] for place in grid.absent)),
            contents=(
                *(self.piece_look(words, piece) for words, piece in self.words.pieces.items()),
                *(PieceLook(spaced(name), "tile", "grey", name[:1].upper(), True) for name in self._marks),
            ),
            cells={},
            last=(),
        )

    @cached_property
    def _lean(self) -> int:
        """To which side hexagons lean, 0 where there are none."""
        if self.grid is None or self.rules is None or self.look != LINES:
            return 0
        return hexagon_lean(self.rules, self.grid)

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The rows from the top; hexagons that lean to the left are turned upside down."""
        rows = () if self.grid is None else self.grid.rows
        return rows if self._lean < 0 else rows[::-1]

    @cached_property
    def numbers(self) -> Mapping[Place, int]:
        """The number of each place, counted row by row from the top left."""
        if self.grid is None:
            return {}
        places = [(column, row) for row in self.rows for column in self.grid.columns]
        return {place: at for at, place in enumerate(places)}

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        """Marks of places that never change."""
        return () if self._floor is None else tuple(dict.fromkeys(name for _, name in self._floor.marks))

    @cached_property
    def marked(self) -> Mapping[int, tuple[int, ...]]:
        """The marks of places, by numbers of both."""
        found: dict[int, tuple[int, ...]] = {}
        for place, name in () if self._floor is None else self._floor.marks:
            number = len(self.words.pieces) + self._marks.index(name)
            found[self.numbers[place]] = (*found.get(self.numbers[place], ()), number)
        return found

    @cached_property
    def content_numbers(self) -> Mapping[str, int]:
        """The number of each content that is drawn."""
        return {words: at for at, words in enumerate(self.words.pieces)}

    @cached_property
    def empty(self) -> frozenset[str]:
        """Contents that are not drawn."""
        return frozenset() if self.grid is None else empty_contents(self.grid.marks)

    def piece_look(self, content: str, piece: Piece) -> PieceLook:
        return PieceLook(
            content_words(content, piece),
            piece.shape,
            piece.colour,
            piece.text,
            content.startswith(self._titles),
        )

    def more_contents(self, contents: Iterable[str]) -> tuple[dict[str, int], tuple[PieceLook, ...]]:
        """Numbers and looks of contents that did not occur when the board was found."""
        assert self.grid is not None
        new = sorted(set(contents) - self.content_numbers.keys() - self.empty)
        pieces = make_pieces(dict(self.grid.marks) | {one: one[:2] for one in new}, self.roles) if new else {}
        first = len(self.content_numbers) + len(self._marks)
        return (
            {content: first + at for at, content in enumerate(new)},
            tuple(self.piece_look(content, pieces[content]) for content in new),
        )


def content_words(content: str, piece: Piece) -> str:
    """A content in words: ``white knight`` also for ``wn``."""
    if piece.shape in CHESSMEN.values() and len(content) == 2:
        return f"{piece.colour} {piece.shape}"
    return spaced(content)


def _picture(game: Game) -> Picture | None:
    """How the states are drawn; None where the rules are too large to find out."""
    try:
        return game.picture
    except (GroundingError, SolverError):
        return None


_looks: WeakKeyDictionary[Game, GameLook] = WeakKeyDictionary()


def look_of_game(game: Game) -> GameLook:
    """The look of a game, which is found once."""
    found = _looks.get(game)
    if found is None:
        found = _looks[game] = GameLook(game)
    return found


@dataclass(frozen=True)
class _Candidate:
    """A relation that may name the role to move."""

    name: str
    proofs: int = 0


def _sample(game: Game) -> list[State]:
    """Some states of a random match, as far as the rules can be played."""
    found: list[State] = []
    try:
        for state in islice(game.playout(0), SAMPLE_STATES):
            found.append(state)
    except GameError:
        pass  # rules that break on the way are reported by the match, not here
    return found


def _turn_marker(game: Game, states: Iterable[State]) -> str | None:
    """The relation of one argument that always names one role, the only one with a choice.

    Where nature decides, or several roles at once, nothing is asked of it.
    """
    roles = set(game.roles)
    candidates: dict[str, _Candidate] | None = None
    for state in states:
        if state.is_terminal:
            break
        named: dict[str, list[Term]] = {}
        for fact in sorted(state.facts(), key=sort_key):
            if len(fact.args) == 1:
                named.setdefault(fact.name, []).extend(arg for arg in fact.args if isinstance(arg, Term))
        choosing = [role for role in game.roles if len(state.legal(role)) > 1]
        if candidates is None:
            candidates = {name: _Candidate(name) for name in named}
        candidates = {
            name: replace(one, proofs=one.proofs + len(choosing))
            for name, one in candidates.items()
            if len(args := named.get(name, [])) == 1 and args[0] in roles and set(choosing) <= {args[0]}
        }
    proved = [one for one in (candidates or {}).values() if one.proofs > 1]
    return max(proved, key=lambda one: (one.proofs, one.name)).name if proved else None
