"""Measures whether features are worth their time: matches with a kind of feature against matches without it.

Both sides learn from the same games, but one side lacks the feature. They search as many states a move, begin
with the same random moves, and change seats. A feature is kept only if play with it is better than without
(asp-player, sections 15.4 and 15.5; Utgoff).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .._core import SplitMix64
from ..engine.game import Game, State
from ..evaluate.features import Features
from ..evaluate.heuristic import Heuristic
from ..evaluate.learning import Examples, learn
from ..players.feature_searcher import heuristic_search
from ..rules.terms import Term
from ..search.budget import Budget
from .tournament.statistics import wilson_interval

TABLE_BYTES = 1 << 20
"""For searches of a few hundred states: a larger table takes longer to make than they do."""


@dataclass(frozen=True)
class ReportConfig:
    """The settings of a report."""

    matches: int = 40
    """For each comparison; half of them with the seats changed."""
    nodes: int = 100
    """States that each side looks at for a move."""
    opening: int = 2
    """Random joint moves at the start, so that matches differ."""
    most_steps: int = 300
    each: bool = False
    """Whether every feature is compared by itself, not all of a kind together."""
    seed: int = 0


@dataclass(frozen=True)
class Comparison:
    """Points of the side with the features against the side without."""

    left_out: str
    """What the other side lacked: a kind, or the key of a feature; ``all`` for a search without any."""
    texts: tuple[str, ...]
    matches: int
    points: float

    @property
    def share(self) -> float:
        return self.points / self.matches if self.matches else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the true share (Wilson)."""
        return wilson_interval(self.points, self.matches)

    @property
    def verdict(self) -> str:
        low, high = self.interval
        return "helps" if low > 0.5 else "hurts" if high < 0.5 else "open"

    @property
    def is_kept(self) -> bool:
        """Whether play with it was better than without, as far as these matches show."""
        return self.share > 0.5

    def as_json(self) -> dict[str, object]:
        return {
            "left_out": self.left_out,
            "features": list(self.texts),
            "matches": self.matches,
            "points": self.points,
            "share": round(self.share, 4),
            "interval": [round(bound, 4) for bound in self.interval],
            "verdict": self.verdict,
            "kept": self.is_kept,
        }


def compare_features(
    features: Features,
    examples: Examples,
    config: ReportConfig | None = None,
    report: Callable[[int], None] | None = None,
) -> Iterator[Comparison]:
    """All features against none, then against all but those of each kind; one comparison after the other.

    ``report`` is called with the number of matches played.
    """
    config = config or ReportConfig()
    whole = learn(features, examples, seed=config.seed)
    played = _Counter(report)
    yield _compared("all", features.keys, whole, None, config, played)
    groups = _each(features) if config.each else _kinds(features)
    for name, keys in groups.items():
        if len(groups) == 1:
            return  # without the only kind no features are left, and that was compared
        lesser = learn(features, examples, without=keys, seed=config.seed)
        yield _compared(name, keys, whole, lesser, config, played)


def ineffective_keys(features: Features, report: Iterable[Comparison]) -> list[str]:
    """The features that are to be left out: those without which play was no worse."""
    by_text = {feature.text: feature.key for feature in features.all}
    return [
        by_text[text]
        for found in report
        if found.left_out != "all" and not found.is_kept
        for text in found.texts
    ]


def noted_effect(lines: Iterable[Mapping[str, object]], keys: Sequence[str]) -> dict[str, Effect]:
    """The results of matches in which a feature took part, and of those without it."""
    found = {key: Effect() for key in keys}
    for line in lines:
        goal, used = line.get("goal"), line.get("features")
        if isinstance(goal, int | float) and isinstance(used, list):
            for key, effect in found.items():
                (effect.having if key in used else effect.lacking).append(min(100.0, max(0.0, goal)) / 100)
    return found


@dataclass(frozen=True)
class Effect:
    """Shares of the goal points of matches, with a feature and without."""

    having: list[float] = field(default_factory=list)
    lacking: list[float] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        return {"with": _summary(self.having), "without": _summary(self.lacking)}


def _summary(shares: Sequence[float]) -> dict[str, object]:
    low, high = wilson_interval(sum(shares), len(shares))
    mean = sum(shares) / len(shares) if shares else None
    return {"matches": len(shares), "share": mean, "interval": [round(low, 4), round(high, 4)]}


class _Counter:
    def __init__(self, report: Callable[[int], None] | None) -> None:
        self.report = report
        self.matches = 0

    def count(self) -> None:
        self.matches += 1
        if self.report is not None:
            self.report(self.matches)


def _kinds(features: Features) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for feature in features.all:
        found.setdefault(feature.kind, []).append(feature.key)
    return found


def _each(features: Features) -> dict[str, list[str]]:
    return {key: [key] for key in features.keys}


def _compared(
    name: str,
    keys: Iterable[str],
    whole: Heuristic,
    lesser: Heuristic | None,
    config: ReportConfig,
    played: _Counter,
) -> Comparison:
    game, wanted = whole.features.game, set(keys)
    texts = tuple(feature.text for feature in whole.features.all if feature.key in wanted)
    seats = game.info.players
    points = 0.0
    for number in range(config.matches):
        points += _points(game, seats[number % len(seats)], whole, lesser, config, number // len(seats))
        played.count()
    return Comparison(name, texts, config.matches, points)


def _points(
    game: Game, own: Term, whole: Heuristic, lesser: Heuristic | None, config: ReportConfig, number: int
) -> float:
    """The points of the side that has all features. In a game for one role it is compared with a play of the
    other side."""
    if len(game.info.players) == 1:
        ends = [_played(game, {own: each}, config, number).goal(own) or 0 for each in (whole, lesser)]
        return 1.0 if ends[0] > ends[1] else 0.0 if ends[0] < ends[1] else 0.5
    minds: dict[Term, Heuristic | None] = dict.fromkeys(game.info.players, lesser)
    minds[own] = whole
    end = _played(game, minds, config, number)
    mine = end.goal(own) or 0
    others = [end.goal(role) or 0 for role in game.info.players if role is not own]
    best = max(others)
    return 1.0 if mine > best else 0.0 if mine < best else 0.5


def _played(game: Game, minds: Mapping[Term, Heuristic | None], config: ReportConfig, number: int) -> State:
    """The end of a match, or where it was given up."""
    chance = SplitMix64((config.seed * 1_000_003 + number) % 2**64)
    searchers = {role: heuristic_search(game, mind, config.seed, TABLE_BYTES) for role, mind in minds.items()}
    state = game.initial()
    for step in range(config.most_steps):
        if state.is_terminal or not all(state.legal(role) for role in game.roles):
            break
        joint = []
        for role in game.roles:
            legal = state.legal(role)
            if len(legal) == 1 or step < config.opening or role not in searchers:
                joint.append(legal[chance.below(len(legal))])
            else:
                joint.append(searchers[role].search(state, role, Budget(nodes=config.nodes)).move)
        state = state.play(joint)
    return state
