"""A seat whose player is reached over the network by the GGP protocol."""

from __future__ import annotations

from ...engine.game import Game
from ..match.clocks import Clocks
from ..match.match import Reply
from ..match.seat import Briefing, Seat, Turn
from .client import Address, parse_address
from .dialects import DIALECTS, Dialect, Language
from .player_line import Exchange
from .remote_player import RemotePlayer, wired_game
from .replies import InfoReply
from .scramble import Scrambler


class RemoteSeat(Seat):
    """One role, played by the player at an address."""

    follows = True

    def __init__(
        self,
        url: str,
        game: Game,
        *,
        language: Language | None = None,
        dialect: Dialect = DIALECTS["ggp-base"],
        scrambler: Scrambler | None = None,
        method: str = "POST",
        name: str = "",
        rejoin: bool = False,
    ) -> None:
        """``language``: what the player speaks; None for the one the game needs.

        ``scrambler``: other words for the names of the game. ``rejoin``: the player is in the match already
        and must not be started again. ValueError where such a player cannot play such a game.
        """
        address = parse_address(url)
        self.name = name or str(address)
        wired = wired_game(game, language, scrambler, self.name)
        self.language = wired.language
        self._player = RemotePlayer(
            address, wired, dialect=dialect, method=method, name=self.name, rejoin=rejoin
        )

    @property
    def address(self) -> Address:
        return self._player.address

    @property
    def exchanges(self) -> list[Exchange]:
        return self._player.exchanges

    async def start(self, briefing: Briefing) -> Reply:
        return await self._player.start(briefing)

    async def play(self, turn: Turn) -> Reply:
        return await self._player.play(turn.briefing, turn.notice)

    async def stop(self, turn: Turn) -> None:
        await self._player.stop(turn.briefing, turn.notice)

    async def abort(self, briefing: Briefing) -> None:
        await self._player.abort(briefing)

    async def info(self, clocks: Clocks, seconds: float = 2.0) -> InfoReply | None:
        """What the player says about itself; None where it says nothing, as very old players do."""
        return await self._player.info(clocks, seconds)

    async def ping(self, clocks: Clocks, seconds: float = 2.0) -> bool:
        """Whether a player answers."""
        return await self._player.ping(clocks, seconds)

    async def preview(self, clocks: Clocks, seconds: float) -> bool:
        """Show the rules before the match. Many players drop this message, so silence means nothing."""
        return await self._player.preview(clocks, seconds)
