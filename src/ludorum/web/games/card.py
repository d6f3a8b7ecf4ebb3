"""What lists show of a game, read off its rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path

from ...arena.world import RealtimeGame
from ...engine.board import find_grid
from ...engine.game import Game
from ...engine.load import make_game
from ...rules.library import CHARTS, Sheet, chart_sheets, library_sheets, realtime_sheets, wdl_sheets
from ...rules.logic_sheets import read_wdl_sheet
from ...rules.terms import format_term

KEPT = Path(__file__).with_name("library.json")
"""The cards of the library: reading them off the rules takes seconds, and the first visitor would wait."""
LONGEST_TITLE = 120
LONGEST_SUMMARY = 2000


@dataclass(frozen=True)
class GameCard:
    """A game as lists show it."""

    id: str
    title: str
    language: str
    roles: tuple[str, ...]
    """Those of players, without nature."""
    summary: str
    hides: bool
    """Whether some role does not see everything."""
    chance: bool
    seats: int
    kind: str
    """``board``, ``cards``, ``puzzle`` or ``other``."""
    realtime: bool = False
    """Whether nobody takes turns."""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def card_from(data: dict[str, object]) -> GameCard:
    """The card that ``as_json`` wrote."""
    known = {one.name: data[one.name] for one in fields(GameCard) if one.name in data}
    roles = known["roles"]
    assert isinstance(roles, Sequence)
    return GameCard(**known | {"roles": tuple(roles)})  # type: ignore[arg-type]


def card_of(sheet: Sheet, game: Game, title: str = "") -> GameCard:
    """The card of a game that was loaded from a sheet."""
    roles = tuple(format_term(role) for role in game.info.players)
    return GameCard(
        id=sheet.name,
        title=(title or sheet.info.title or sheet.name.replace("_", " ").capitalize())[:LONGEST_TITLE],
        language=sheet.language,
        roles=roles,
        summary=sheet.info.rules[:LONGEST_SUMMARY],
        hides=not game.info.is_open,
        chance=_has_chance(game),
        seats=len(roles),
        kind=_kind(sheet, game),
        realtime=sheet.is_realtime,
    )


def drawn_game(sheet: Sheet) -> Game:
    """The game of a sheet; one without rounds as its states."""
    return RealtimeGame(read_wdl_sheet(sheet)[0]) if sheet.is_realtime else make_game(sheet)


def library_cards() -> list[GameCard]:
    """The cards of all games of the library, by title; takes seconds."""
    cards = [card_of(sheet, drawn_game(sheet), _library_title(sheet)) for sheet in _sheets()]
    return sorted(cards, key=lambda card: (card.title.casefold(), card.id))


def kept_cards() -> list[GameCard] | None:
    """The cards of the library as they were kept; None where a sheet has changed since then."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    return [card_from(card) for card in kept["cards"]] if kept["digest"] == library_digest() else None


def keep_cards() -> None:
    """Write the file of the library's cards."""
    cards = [card.as_json() for card in library_cards()]
    text = json.dumps({"digest": library_digest(), "cards": cards}, indent=1, ensure_ascii=False)
    KEPT.write_text(text + "\n", encoding="utf-8")


def library_digest() -> str:
    """A digest of all sheets of the library."""
    found = sha256()
    for sheet in _sheets():
        found.update(f"{sheet.name} {len(sheet.source.text)} {sheet.source.text}".encode())
    return found.hexdigest()


def _sheets() -> Iterator[Sheet]:
    """All sheets of the library."""
    yield from library_sheets()
    yield from wdl_sheets()
    yield from realtime_sheets()
    yield from chart_sheets()


def _has_chance(game: Game) -> bool:
    if isinstance(game, RealtimeGame):
        return bool(game.master.sheet.names)
    return game.info.chance_role is not None


def _library_title(sheet: Sheet) -> str:
    """The title of a sheet, with the parameter of a variant: ``Hex (11)``."""
    _, _, value = sheet.name.rpartition("_")
    is_variant = value in sheet.info.values[1:]
    return f"{sheet.info.title} ({value})" if is_variant else sheet.info.title


def _kind(sheet: Sheet, game: Game) -> str:
    if sheet.language == CHARTS:
        return "cards"
    if len(game.info.players) == 1:
        return "puzzle"
    return "board" if find_grid(game) is not None else "other"
