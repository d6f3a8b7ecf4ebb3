"""The left side of the screen, whatever the game: a board, cards, or the facts that the person may know."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from rich.style import Style
from rich.text import Text

from ...arena.table.table import Table
from ...rules.terms import Term, sort_key
from ...scene.card_games import is_card_game
from ...scene.fact_groups import telling_facts
from ...scene.move_words import MoveWords
from ...show.board import Marked, list_facts, wrap
from ...show.grid import Grid, Place
from ...show.marks import empty_contents
from ...show.pieces import role_colours
from ..sight_text import HIDDEN, hidden_note
from .board_picture import Look, draw_board
from .card_faces import large_card, text_of_words
from .palette import COLOURS, DIM, name_style
from .picture import ScreenPicture


class TablePicture:
    """Draws one table."""

    def __init__(self, table: Table, grid: Grid | None, words: MoveWords) -> None:
        self.table = table
        self.grid = grid
        self.look = Look.of(grid, words.pieces) if grid is not None else None
        roles = table.game.roles
        colours = role_colours([str(role) for role in roles])
        self.styles: Mapping[Term, Style] = {
            role: name_style(colour) for role, colour in zip(roles, colours, strict=True)
        }
        names = "|".join(re.escape(str(role)) for role in table.game.info.players)
        self._names = re.compile(rf"(?<![\w])(?:{names})(?![\w])") if names else None

    def draw(self, marked: Marked, targets: Collection[Place], room: tuple[int, int]) -> ScreenPicture:
        """The table as it is now, in at most ``room`` columns and lines where that is possible."""
        table = self.table
        if is_card_game(table.game):
            from .card_picture import draw_cards

            return draw_cards(table, self.styles, room)
        sight = table.sight()
        facts, hidden = sight.facts, ""
        if facts is None:
            known = table.known_facts()
            facts = None if known is None else known.known
            hidden = HIDDEN if known is None else hidden_note(table.game, known)
        return self._state(facts, hidden, marked, targets, room)

    def _state(
        self, facts: frozenset[Term] | None, hidden: str, marked: Marked, targets: Collection[Place],
        room: tuple[int, int],
    ) -> ScreenPicture:  # fmt: skip
        grid = self.grid
        rest: Iterable[Term] = facts or ()
        if grid is not None:
            rest = [fact for fact in rest if grid.spot(fact) is None]
        note = [Text(line, DIM) for line in wrap(hidden.split(), " ", room[0])] if hidden else []
        below = [*self._legend(facts), *self.facts(telling_facts(self.table.game, rest), room[0]), *note]
        if self.look is None or (facts is None and not self._can_point()):
            return ScreenPicture(below)
        space = room[0], room[1] - len(below)
        picture = draw_board(facts, self.look, marked, targets, space, hides=bool(hidden))
        picture.add([Text(""), *below] if below else [])
        return picture

    def _can_point(self) -> bool:
        """Whether moves name places, so that a board is drawn although nothing is known of it."""
        return self.grid is not None and any(self.grid.places_in(move) for move in self.table.legal)

    def facts(self, facts: Iterable[Term], width: int) -> list[Text]:
        """Facts in groups by their relation; those that name cards have them drawn."""
        cards: dict[str, list[str]] = {}
        plain = []
        for fact in sorted(facts, key=sort_key):
            words = [fact.name, *map(str, fact.args)]
            at = next((at for at in range(1, len(words)) if text_of_words(words[at:])), None)
            face = text_of_words(words[at:]) if at else None
            if face is None:
                plain.append(fact)
            else:
                cards.setdefault(" ".join(words[:at]).replace("_", " "), []).append(face)
        lines = [line for title, faces in cards.items() for line in self._hand(title, faces)]
        return lines + [self.named(line) for line in list_facts(plain, None, width)]

    def _hand(self, title: str, faces: list[str]) -> list[Text]:
        rows = [Text(), Text(), Text()]
        for face in faces:
            for row, part in zip(rows, large_card(face), strict=True):
                row.append_text(part).append(" ")
        return [self.named(title), *rows, Text("")]

    def _legend(self, facts: frozenset[Term] | None) -> list[Text]:
        """A legend of marks that are letters; pieces drawn as shapes need none."""
        if self.grid is None or self.look is None or facts is None:
            return []
        grid, pieces = self.grid, self.look.pieces
        present = {spot.content for fact in facts if (spot := grid.spot(fact))} - empty_contents(grid.marks)
        line = Text()
        for content, mark in grid.marks.items():
            piece = pieces.get(content)
            if (
                content in present
                and piece
                and piece.shape == "tile"
                and mark not in (content, content.upper())
            ):
                line.append(mark, Style(color=COLOURS[piece.colour], bold=True)).append(f" {content}  ")
        return [line] if line.cell_len else []

    def named(self, line: str) -> Text:
        """A line with the names of roles in their colours."""
        text = Text(line)
        for found in self._names.finditer(line) if self._names else ():
            role = next(role for role in self.styles if str(role) == found[0])
            text.stylize(self.styles[role], *found.span())
        return text
