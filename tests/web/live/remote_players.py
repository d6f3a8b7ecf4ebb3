"""A book of players elsewhere for tests of live matches, and players that follow the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ludorum.arena.protocol.client import Dial, dial_any, parse_address
from ludorum.arena.protocol.dialects import DIALECTS, Language
from ludorum.arena.testing import Act, Heard
from ludorum.engine.game import Game, State
from ludorum.rules.kif import parse_term
from ludorum.web.live import RemoteEntry


class Book:
    """Players at addresses of this machine."""

    def __init__(self, **urls: str) -> None:
        self.urls = {f"remote:{name}": url for name, url in urls.items()}
        self.notes: list[tuple[str, bool]] = []
        self.silent: set[str] = set()
        self.languages: dict[str, Language] = {}

    @property
    def dial(self) -> Dial:
        return dial_any

    async def find(self, name: str) -> RemoteEntry | None:
        url = self.urls.get(name)
        if url is None:
            return None
        is_there = name not in self.silent
        language = self.languages.get(name)
        return RemoteEntry(name, parse_address(url), language, "POST", DIALECTS["ggp-base"], is_there)

    async def ask(self, name: str) -> RemoteEntry | None:
        return await self.find(name)

    async def note(self, name: str, is_reachable: bool) -> None:
        self.notes.append((name, is_reachable))


class FirstMover:
    """A player that knows the rules of an open game, and plays the first legal move of its role.

    It follows what it is told as a player of another author would: the position is what follows from the
    messages since START, so a message that is left out or comes twice leads it astray.
    """

    def __init__(self, game: Game, troubles: Mapping[int, Act] | None = None) -> None:
        """``troubles``: what it does instead of answering, by the number of the step."""
        self.game = game
        self.role = game.roles[0]
        self.troubles = dict(troubles or {})
        self.state: State | None = None
        self.asked = 0
        """About how many steps it was asked in this match."""

    def __call__(self, heard: Heard) -> Act:
        match heard.keyword:
            case "info":
                return f"((name first) (status {'available' if self.state is None else 'busy'}))"
            case "start":
                if self.state is not None:
                    return "busy"
                self.state = self.game.initial()
                self.role = self.game.role(heard.text.split()[3])
                self.asked = 0
                return "ready"
            case "play":
                return self._play(heard.text)
            case "stop" | "abort":
                self.state = None
                return "done"
        return "nil"

    def _play(self, text: str) -> Act:
        assert self.state is not None
        told = re.fullmatch(r"\( PLAY \S+ (NIL|\((.*)\)) \)", text)
        assert told is not None, text
        if told[2] is not None:
            self.state = self.state.play(parse_term(f"(joint {told[2]})").args)  # type: ignore[arg-type]
        self.asked += 1
        return self.troubles.pop(self.asked - 1, None) or str(self.state.legal(self.role)[0])
