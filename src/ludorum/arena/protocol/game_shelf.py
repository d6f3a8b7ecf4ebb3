"""Games a player has read lately, for the matches of one process: the next match with the same rules reuses
them. Where each match has a process of its own, that is a match after its preview."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import nullcontext
from functools import partial

from ...cards.wire import is_wired, read_wired
from ...engine.auto import AutoGame
from ...engine.errors import GameError
from ...engine.game import Game
from ...engine.load import load_rules, make_game
from ...rules.library import WDL, Sheet, SheetInfo
from ...rules.logic_sheets import is_wdl
from ...rules.ruleset import Ruleset
from ...rules.source import RulesError, Source

LARGEST_RULES = 2_000_000
"""Most characters of rules, the same as for a file."""
LARGE_RULES = 100_000
"""Characters; longer rules are read one sheet at a time, since that takes time and memory."""
CIRCUIT_SHARE = 0.6
"""The share of a match's memory that compiling its circuit may take."""


class GameShelf:
    """Makes games from rule texts and keeps the last few of them, with the circuits that belong to them."""

    def __init__(self, engine: str = "auto", places: int = 4, megabytes: float | None = None) -> None:
        """``megabytes``: the memory of this process; a circuit that needs most of that is given up, and the
        game is played without it."""
        self._engine = engine
        self._megabytes = None if megabytes is None else CIRCUIT_SHARE * megabytes
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
        # The suffix marks the text as KIF, whatever it begins with.
        language = WDL if is_wdl(rules) else "gdl"
        sheet = Sheet("match", language, Source("match.kif", rules), SheetInfo())
        try:
            return self._make_game(sheet, lenient=False)
        except RulesError:
            return self._make_game(sheet, lenient=True)

    def _make_game(self, sheet: Sheet, lenient: bool) -> Game:
        if self._engine == "auto" and self._megabytes is not None:
            return AutoGame(load_rules(sheet, lenient), sheet.name, partial(_compile, self._megabytes))
        return make_game(sheet, self._engine, lenient)


def _compile(megabytes: float, rules: Ruleset, name: str, stop: threading.Event) -> Game:
    from ...engine.compiled import CompiledGame  # imports clingo and the circuit passes

    return CompiledGame(rules, name, megabytes=megabytes, stop=stop)
