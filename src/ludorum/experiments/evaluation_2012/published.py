"""The published figures of 2012."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AgentRow:
    """The final agent against another, at one clock: points a match, and the share of all points."""

    opponent: str
    clock: str
    points: float
    opponents_points: float
    rate: float


FINAL_AGENT = (
    AgentRow("Centurio", "20,4", 70.3, 32.7, 0.683),
    AgentRow("Centurio", "40,8", 82.2, 23.3, 0.779),
    AgentRow("Centurio", "mean", 76.3, 28.0, 0.732),
    AgentRow("Cadiaplayer", "20,4", 70.1, 25.8, 0.731),
    AgentRow("Cadiaplayer", "40,8", 94.6, 3.9, 0.960),
    AgentRow("Cadiaplayer", "mean", 82.3, 14.9, 0.847),
    AgentRow("Fluxplayer", "20,4", 57.02, 45.39, 0.557),
    AgentRow("Fluxplayer", "40,8", 60.14, 44.38, 0.575),
    AgentRow("Fluxplayer", "120,8", 55.70, 49.66, 0.529),
    AgentRow("Fluxplayer", "mean", 57.62, 46.46, 0.554),
)
"""E7: 28 games."""


@dataclass(frozen=True)
class PairFigure:
    """The points of the row's player against the column's, of 100."""

    row: str
    column: str
    points: float


SELF_PLAY = (
    PairFigure("fluxplayer", "v1.0", 67.8),
    PairFigure("fluxplayer", "v1.1", 66.9),
    PairFigure("v1.0", "fluxplayer", 32.2),
    PairFigure("v1.0", "v1.1", 36.7),
    PairFigure("v1.1", "fluxplayer", 33.1),
    PairFigure("v1.1", "v1.0", 63.3),
)
"""E1 and E3: eight structural games."""


@dataclass(frozen=True)
class FeatureRow:
    """How many of 191 games have a kind of feature, and how many of them were found."""

    kind: str
    games: int
    features: int


FEATURES = (
    FeatureRow("solutions", 85, 467),
    FeatureRow("partial solutions", 38, 345),
    FeatureRow("order", 32, 106),
    FeatureRow("variable distance", 30, 43),
    FeatureRow("fixed distance", 114, 1056),
    FeatureRow("true persistence", 118, 2641),
    FeatureRow("false persistence", 23, 194),
)
"""E4."""
FEATURE_GAMES = 191

RESOLUTION_GAMES = 190
RESOLUTION = {"larger": 67, "smaller": 6, "more_distinct": 31, "fewer_distinct": 0}
"""E2: games in which a weight for each neuron gives a larger interval, and so on."""
RESOLUTION_MEANS = {"all": (8.8e-14, 5.8e-12), "larger": (9.9e-10, 2.0e-5)}
"""E2: mean intervals of v1.0 and v1.1."""
