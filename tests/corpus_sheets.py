"""The sheets of the corpus, those in which something is hidden and the others."""

from __future__ import annotations

from pathlib import Path

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from tests.corpus_location import corpus_folder

NO_CIRCUIT = ("SmallDominion2__unsw", "small_dominion__uwa", "twogenerals__unsw")
"""Sheets of which no circuit is built within a minute."""
SLOW_CIRCUIT = ("dominion__uwa",)
"""One that takes longer to compile than its tests."""
NO_GROUND_GOALS = {
    "argentina-3361209022__aaai2006",
    "bonaparte__sancho",
    "brazil-3361208788__aaai2006",
    "chess",
    "chessAlex__disabled",
    "france-3361209275__aaai2006",
    "germany-3361209469__aaai2006",
    "italy-3361209402__aaai2006",
    "laikLee_hex",
    "locust-3359299013__aaai2006",
    "merrills",
    "pit221-3359299094__aaai2006",
    "portugal-3361209339__aaai2006",
    "ruleDepthExponential",
    "ruledepthexponential__ggprs",
    "slaughter",
    "sudoku",
}
"""Open sheets with more ground rules than theories of goals are made of (GroundingError)."""


def hidden_sheets() -> list[str]:
    """Names of the sheets in which something is hidden; none on a machine without the corpus."""
    folder = corpus_folder()
    return [] if folder is None else sorted(path.stem for path in (folder / "gdl2").glob("*.kif"))


def open_sheets() -> list[str]:
    """Names of the sheets in which nothing is hidden; none on a machine without the corpus."""
    folder = corpus_folder()
    return [] if folder is None else sorted(path.stem for path in (folder / "gdl1").glob("*.kif"))


def load_hidden(corpus: Path, name: str, engine: str = "compiled") -> Game:
    """The game of a sheet; without a circuit where it has none in time."""
    if name in NO_CIRCUIT or name in SLOW_CIRCUIT:
        engine = "lifted"
    return load_game(str(corpus / "gdl2" / f"{name}.kif"), engine, lenient=True)


def open_sheets_with_ground_goals() -> list[str]:
    """Those in which nothing is hidden, and whose goals can be expanded."""
    return [name for name in open_sheets() if name not in NO_GROUND_GOALS]
