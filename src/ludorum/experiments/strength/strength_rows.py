"""The results of the strength bench: a line of JSON for each version, opponent and game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ...arena.tournament.statistics import PairedSprt, StrengthAnswer, wilson_interval


@dataclass(frozen=True)
class SideWork:
    """What the decisions of one side took."""

    decisions: int = 0
    processor_seconds: float = 0.0
    playouts: int = 0
    faults: int = 0
    """Moves that were late, illegal or failed, so that another one was made."""
    fallbacks: int = 0
    """Matches in which the side went on with another method than its own."""

    def __add__(self, other: SideWork) -> SideWork:
        return SideWork(
            self.decisions + other.decisions,
            round(self.processor_seconds + other.processor_seconds, 4),
            self.playouts + other.playouts,
            self.faults + other.faults,
            self.fallbacks + other.fallbacks,
        )

    @property
    def seconds_a_move(self) -> float:
        return self.processor_seconds / self.decisions if self.decisions else 0.0


@dataclass(frozen=True)
class StrengthRow:
    """The matches of one player against another in one game, in one run."""

    version: str
    """A commit, or the label that was given."""
    date: str
    machine: str
    allowance: str
    seed: int
    player: str
    rival: str
    game: str
    kind: str
    origin: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0
    """Of these matches: ended by the bound on their length, and counted as they stood."""
    sets: Mapping[str, int] = field(default_factory=dict)
    """How many sets of matches (same opening, all seats) had which mean of points."""
    own: SideWork = SideWork()
    theirs: SideWork = SideWork()

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def key(self) -> tuple[object, ...]:
        """Results of the same key are of the same matches: the later ones count."""
        return self.version, self.allowance, self.player, self.rival, self.game, self.seed

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def row_from_json(value: Mapping[str, object]) -> StrengthRow:
    """The twin of ``StrengthRow.as_json``."""
    raw: dict[str, object] = dict(value)
    for side in ("own", "theirs"):
        work = raw[side]
        assert isinstance(work, dict)
        raw[side] = SideWork(**work)
    return StrengthRow(**raw)  # type: ignore[arg-type]


def read_rows(path: Path) -> list[StrengthRow]:
    """All results of a file, the last where several are of the same matches; none where there is no file."""
    if not path.exists():
        return []
    rows: dict[tuple[object, ...], StrengthRow] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = row_from_json(json.loads(line))
        except (ValueError, TypeError, KeyError, AssertionError) as error:
            raise ValueError(
                f"{path}:{number}: this line is no result of the strength bench ({error})"
            ) from None
        rows[row.key] = row
    return list(rows.values())


def keep_rows(path: Path, fresh: Iterable[StrengthRow]) -> None:
    """Put results into the file; those of the same matches are replaced, all others stay."""
    rows = {row.key: row for row in [*read_rows(path), *fresh]}
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row.as_json(), ensure_ascii=False) + "\n" for row in rows.values())
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


@dataclass(frozen=True)
class PooledScore:
    """Results of several rows together."""

    wins: int
    draws: int
    losses: int
    sets: Counter[float]
    own: SideWork
    theirs: SideWork
    unfinished: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson_interval(self.points, self.games)

    def answer(self, margin: float = 40.0) -> StrengthAnswer:
        """What the sequential tests say of all sets."""
        mirrored = Counter({1 - mean: count for mean, count in self.sets.items()})
        if PairedSprt(0.0, margin, means=self.sets).result is True:
            return StrengthAnswer.STRONGER
        worse = PairedSprt(0.0, margin, means=mirrored).result is True
        return StrengthAnswer.WEAKER if worse else StrengthAnswer.NOT_KNOWN


def pooled(rows: Sequence[StrengthRow]) -> PooledScore:
    """The sum of results: of several games, or of several runs."""
    sets: Counter[float] = Counter()
    for row in rows:
        sets.update({float(mean): count for mean, count in row.sets.items()})
    return PooledScore(
        sum(row.wins for row in rows),
        sum(row.draws for row in rows),
        sum(row.losses for row in rows),
        sets,
        sum((row.own for row in rows), SideWork()),
        sum((row.theirs for row in rows), SideWork()),
        sum(row.unfinished for row in rows),
    )
