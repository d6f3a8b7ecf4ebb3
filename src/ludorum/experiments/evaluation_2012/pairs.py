"""The pairs of players that were compared in 2012, and the games in which ours are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..public_sheets import sheet_in

GAMES: Mapping[str, tuple[str, ...]] = {
    "structural": ("connect_four", "tictactoe", "pentago", "gomoku"),
    "distance": ("chinese_checkers", "racetrack", "pacman", "tron"),
    "piece": ("breakthrough", "english_draughts", "chess"),
    "other": ("othello", "hex", "dots_and_boxes", "nine_mens_morris", "amazons_8"),
}
"""Fixed places and lines of them; things that go somewhere; things that are taken; what is none of it."""
PUBLIC: Mapping[str, tuple[str, ...]] = {
    "structural": (
        "bidding-tictactoe__dresden", "conn4", "connect4", "connectFour", "connect5", "tictactoex9",
    ),
    "distance": (
        "chineseCheckers2", "crisscross", "ghostMaze2p", "hallway", "nim4", "pacman3p", "racer",
    ),
    "piece": (
        "breakthrough", "breakthroughsuicide_v2__dresden", "capture_the_king__dresden", "checkers-newgoals",
        "checkers-suicide-cylinder-mustjump", "checkers-mustjump-torus", "knightazons", "skirmish",
    ),
    "other": ("cephalopodMicro", "othello-comp2007", "quarto"),
}  # fmt: skip
"""The games of 2012 that are public, under the names of their sheets: 24 of 28."""


@dataclass(frozen=True)
class Pair:
    """Two evaluations, or players, and the published points of the first against the second, of 100."""

    experiment: str
    first: str
    second: str
    kinds: tuple[str, ...]
    """Kinds of games."""
    published: float | None

    @property
    def title(self) -> str:
        return f"{self.first} against {self.second}, {' and '.join(self.kinds)} games"

    @property
    def games(self) -> list[str]:
        """Those of the library."""
        return [game for kind in self.kinds for game in GAMES[kind]]

    def public_sheets(self, corpus: Path | None) -> list[Path]:
        """The games of 2012 themselves, as far as a folder of public sheets has them."""
        names = [name for kind in self.kinds for name in PUBLIC[kind]]
        found = [] if corpus is None else [sheet_in(corpus, name) for name in names]
        return [path for path in found if path is not None]


EVERY = tuple(GAMES)
PAIRS = (
    Pair("E1", "v1.0", "fluxplayer", ("structural",), 32.2),
    Pair("E3", "v1.1", "v1.0", ("structural",), 63.3),
    Pair("E3", "v1.1", "fluxplayer", ("structural",), 33.1),
    Pair("E5", "v1.1s", "fluxplayer", ("structural",), 38.13),
    Pair("E5", "v1.1p", "fluxplayer", ("structural",), 52.19),
    Pair("E5", "v1.1d", "fluxplayer", ("distance",), 80.14),
    Pair("E6", "v1.1a", "v1.1n", ("structural",), 72.81),
    Pair("E6", "v1.1a", "v1.1n", ("distance",), 32.01),
    Pair("E7", "final", "fluxplayer", EVERY, 55.4),
    Pair("E7", "final", "cadia", EVERY, 84.7),
)
EXPERIMENTS: Mapping[str, str] = {
    "E1": "networks with one weight for all, against Fluxplayer",
    "E2": "how finely first moves are told apart",
    "E3": "networks with a weight for each neuron, against those with one weight and against Fluxplayer",
    "E4": "how many features are found",
    "E5": "one group of features at a time, against Fluxplayer",
    "E6": "admissible distances against others",
    "E7": "all together, against other players",
}
