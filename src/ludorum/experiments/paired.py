"""Paired games of chance: the same draws of nature for every seat, so that luck cancels out.

Quick and plain, for thousands of games on one core: players are trusted to answer, no clocks run, nothing is
written down. Nature's n-th draw of a game depends on the seed of its deal alone.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .._core import SplitMix64
from ..arena.match.loop import MoveSource, play_on, without_waiting
from ..arena.match.match import Match, Reply
from ..arena.match.seeds import seed_from
from ..arena.tournament.statistics import wilson_interval
from ..engine.errors import GameError, IllegalMoveError
from ..engine.game import Game, State
from ..engine.sight import position_of
from ..players import Player, make_player
from ..rules.terms import Term

LONG = 3600.0
"""Seconds a player has: it is not the clock that is tested here."""
BLOCK = 40
"""Games of a block, whose shares say how far such a number of games is from being enough."""


@dataclass
class PairedStanding:
    """What a player has won against others; ``points`` are by game, in order of play."""

    points: list[float] = field(default_factory=list)

    @property
    def games(self) -> int:
        return len(self.points)

    @property
    def share(self) -> float:
        """Of all points; a draw is half a win."""
        return sum(self.points) / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, 95 % sure (Wilson)."""
        return wilson_interval(sum(self.points), self.games)

    @property
    def deviation(self) -> float:
        """Standard deviation of the shares of blocks; 0 where there are not two of them."""
        whole = self.games // BLOCK
        shares = [sum(self.points[at * BLOCK : (at + 1) * BLOCK]) / BLOCK for at in range(whole)]
        if whole < 2:
            return 0.0
        mean = sum(shares) / whole
        return math.sqrt(sum((share - mean) ** 2 for share in shares) / (whole - 1))

    def as_json(self) -> dict[str, object]:
        return {
            "games": self.games,
            "won": sum(one > 0.5 for one in self.points),
            "drawn": sum(one == 0.5 for one in self.points),
            "lost": sum(one < 0.5 for one in self.points),
            "share": round(self.share, 5),
            "wilson": [round(bound, 5) for bound in self.interval],
            "deviation": round(self.deviation, 5),
        }


def play_game(game: Game, players: dict[Term, Player], deal: int) -> State:
    """The end of a game; ``deal`` is the seed of nature. GameError where it does not come to an end."""
    match = DealtMatch(game, deal)
    without_waiting(play_on(match, _Trusted(match, players), limit=sys.maxsize))
    if not match.is_over:
        raise GameError(f"{game.name} does not come to an end")
    return match.state


class DealtMatch(Match):
    """A match in which nature's n-th draw is the same, however many steps lie between the draws."""

    def __init__(self, game: Game, deal: int) -> None:
        super().__init__(game, deal)
        self._nature = SplitMix64(deal)

    def draw(self, role: Term) -> Term:
        draws = self.state.legal(role)
        return self.game.chances.draw(draws, self._nature) if len(draws) > 1 else draws[0]


class _Trusted(MoveSource):
    """Players that are asked without a guard: what goes wrong ends the game with an error."""

    def __init__(self, match: Match, players: dict[Term, Player]) -> None:
        self._match = match
        self._players = players

    async def prepare(self) -> dict[Term, Reply]:
        for role, player in self._players.items():
            player.start(self._match.game, role, LONG)
        return {}

    async def ask(self) -> dict[Term, Reply]:
        return {role: Reply(self._choose(role, player)) for role, player in self._players.items()}

    def _choose(self, role: Term, player: Player) -> Term:
        position = position_of(self._match.state, role)
        move = player.choose(position, LONG)
        if move not in position.legal:
            raise IllegalMoveError(f"{move} is not legal for {role}")
        return move

    async def stop(self) -> None:
        for player in self._players.values():
            player.stop()

    async def abort(self) -> None:
        await self.stop()


def paired_games(
    game: Game, first: str, second: str, deals: int, seed: int = 0
) -> Iterator[tuple[int, int, float]]:
    """Each deal played once from every seat by ``first``, all other seats by ``second``.

    Yields deal, seat and the points of ``first``: the share of goal 100.
    """
    for deal in range(deals):
        for seat in range(len(game.info.players)):
            yield deal, seat, paired_game(game, first, second, deal, seat, seed)


def paired_game(game: Game, first: str, second: str, deal: int, seat: int, seed: int = 0) -> float:
    """One of these games, alone: the points of ``first`` in this seat."""
    roles = game.info.players
    players = {
        role: make_player(first if at == seat else second, seed_from(seed, deal, seat, at))
        for at, role in enumerate(roles)
    }
    end = play_game(game, players, seed_from(seed, deal, "nature"))
    return (end.goal(roles[seat]) or 0) / 100


def compare(
    game: Game,
    first: str,
    second: str,
    deals: int,
    seed: int = 0,
    progress: Callable[[PairedStanding], object] | None = None,
) -> PairedStanding:
    """How ``first`` stands against ``second`` after so many deals; ``progress`` is told after every game."""
    found = PairedStanding()
    for _, _, points in paired_games(game, first, second, deals, seed):
        found.points.append(points)
        if progress is not None:
            progress(found)
    return found


def sweep_worlds(
    game: Game, first: str, second: str, worlds: Sequence[int], deals: int, seed: int = 0
) -> Iterator[tuple[int, PairedStanding]]:
    """How a player that samples worlds stands with so many of them, on the same deals."""
    for count in worlds:
        join = "," if ":" in first else ":"
        yield count, compare(game, f"{first}{join}n_worlds={count}", second, deals, seed)
