"""All games that can be played: the library's, and those that people have uploaded."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ...processes.session import ChildLimitError, Limit, run_limited
from ...rules.library import find_sheet
from ...rules.source import RulesError
from ..config import SiteLimits
from ..live import GameText
from ..store.accounts import Account
from ..store.database import Database
from ..store.games import GameRow, add_game, find_game, list_games, same_game
from .card import GameCard, card_from, kept_cards, library_cards
from .examine import examine, own_fault
from .first_scene import first_scene

CARD_SECONDS = 120.0
SCENE_SECONDS = 10.0


@dataclass(frozen=True)
class OfferedGame:
    """A game with its rules."""

    card: GameCard
    text: str
    owner: str | None
    """The name of the person who uploaded it."""
    owner_id: str | None = None

    def as_text(self) -> GameText:
        """The game as live matches take it."""
        card = self.card
        return GameText(card.id, card.title, card.language, self.text, self.owner_id is None)


class Catalogue:
    """The games of a server."""

    def __init__(self, database: Database, limits: SiteLimits) -> None:
        self._database = database
        self._limits = limits
        self._library: asyncio.Future[dict[str, GameCard]] | None = None
        self._scenes: dict[str, asyncio.Future[dict[str, object] | None]] = {}
        self._checks = asyncio.Semaphore(limits.checks)

    def start(self) -> None:
        """Begin to read the library, so that the first visitor need not wait long."""
        if self._library is None:
            self._library = asyncio.ensure_future(self._read_library())

    def close(self) -> None:
        """Stop what is still being read."""
        for waiting in (self._library, *self._scenes.values()):
            if waiting is not None:
                waiting.cancel()

    async def cards(self) -> list[GameCard]:
        """All cards, the library's first."""
        uploaded = await self._database.read(list_games)
        return [*(await self._cards_of_library()).values(), *(_card(row) for row in uploaded)]

    async def find(self, game_id: str) -> OfferedGame | None:
        card = (await self._cards_of_library()).get(game_id)
        if card is not None:
            return OfferedGame(card, await asyncio.to_thread(_library_text, game_id), None)
        row = await self._database.read(find_game, game_id)
        return None if row is None else OfferedGame(_card(row), row.text, row.owner_name, row.owner)

    async def add(
        self, owner: Account, text: str, language: str | None, title: str
    ) -> tuple[OfferedGame | None, Sequence[dict[str, object]]]:
        """Check an upload and keep it if it can be played; all its faults come back as well."""
        same = await self._database.read(same_game, owner, text)
        if same is not None:
            return OfferedGame(_card(same), same.text, same.owner_name, same.owner), ()
        game_id = _new_id(title)
        async with self._checks:
            try:
                found = await asyncio.to_thread(
                    run_limited,
                    examine,
                    (game_id, text, language, title),
                    self._limits.check_seconds,
                    self._limits.check_megabytes,
                )
            except ChildLimitError as error:
                return None, (_limit_fault(error),)
        if found.card is None:
            return None, found.faults
        await self._database.write(add_game, game_id, owner, found.card.language, text, found.card.as_json())
        return OfferedGame(found.card, text, owner.name, owner.id), found.faults

    async def scene(self, game: OfferedGame) -> dict[str, object] | None:
        """The first position as a spectator sees it; None where it takes too long."""
        made = self._scenes.get(game.card.id)
        if made is None:
            made = self._scenes[game.card.id] = asyncio.ensure_future(self._make_scene(game))
        return await asyncio.shield(made)

    async def _make_scene(self, game: OfferedGame) -> dict[str, object] | None:
        card = game.card
        async with self._checks:
            try:
                return await asyncio.to_thread(
                    run_limited,
                    first_scene,
                    (card.id, card.language, game.text),
                    SCENE_SECONDS,
                    self._limits.check_megabytes,
                )
            except (ChildLimitError, RulesError):
                return None

    async def _read_library(self) -> dict[str, GameCard]:
        """The library's cards: those that come with the program, where they are of the same sheets."""
        cards = await asyncio.to_thread(kept_cards)
        if cards is None:
            # In another process: a thread would keep the interpreter from answering meanwhile.
            cards = await asyncio.to_thread(run_limited, library_cards, (), CARD_SECONDS)
        return {card.id: card for card in cards}

    async def _cards_of_library(self) -> dict[str, GameCard]:
        self.start()
        assert self._library is not None
        return await asyncio.shield(self._library)


@cache
def _library_text(game_id: str) -> str:
    return find_sheet(game_id).source.text


def _card(row: GameRow) -> GameCard:
    return card_from(row.card)


def _new_id(title: str) -> str:
    """A name for addresses that no other game has."""
    plain = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40]
    return f"{plain or 'game'}-{secrets.token_hex(5)}"


def _limit_fault(error: ChildLimitError) -> dict[str, object]:
    """What a check that had to be ended says to the author of the rules."""
    what = {Limit.TIME: "time", Limit.MEMORY: "memory"}.get(error.limit, "resources")
    hint = "look for rules whose variables take very many combinations of values"
    return own_fault("too-costly", f"the check of these rules took too much {what}: it {error}", hint)
