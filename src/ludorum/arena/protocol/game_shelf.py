"""Games a player has read lately: the next match of the same rules begins where the last one left off."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import nullcontext

from ...cards.wire import is_wired, read_wired
from ...engine.game import Game, GameError
from ...engine.load import make_game
from ...rules.library import Sheet, SheetInfo
from ...rules.source import RulesError, Source

LARGEST_RULES = 2_000_000
"""Characters, as much as is read of a file."""
LARGE_RULES = 100_000
"""Characters; of longer rules only one sheet is read at a time, since that takes time and memory."""


class GameShelf:
    """Makes games from rule texts and keeps the last few of them, with the circuits that belong to them."""

    def __init__(self, engine: str = "auto", places: int = 4) -> None:
        self._engine = engine
        self._places = places
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()
        self._large = threading.Lock()

    def game(self, rules: str) -> Game:
        """The game of some rules; RulesError or GameError where they cannot be played even leniently."""
        with self._lock:
            known = self._games.get(rules)
            if known is not None:
                self._games.move_to_end(rules)
                return known
        if len(rules) > LARGEST_RULES:
            raise GameError(f"{len(rules)} characters of rules; more than {LARGEST_RULES} are not read")
        with self._large if len(rules) > LARGE_RULES else nullcontext():
            made = self._make(rules)
        with self._lock:
            known = self._games.setdefault(rules, made)
            while len(self._games) > self._places:
                self._games.popitem(last=False)
        return known

    def _make(self, rules: str) -> Game:
        if is_wired(rules):
            return read_wired(rules, "match")
        # The suffix says that this is KIF, whatever it begins with.
        sheet = Sheet("match", "gdl", Source("match.kif", rules), SheetInfo())
        try:
            return make_game(sheet, self._engine)
        except RulesError:
            return make_game(sheet, self._engine, lenient=True)
