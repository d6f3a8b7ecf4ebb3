"""Heuristics on disk, found again by the shape of the rules, whatever their names.

A folder for each shape of rules (``rules.identity``), in it a file for each heuristic and a line for each
match that one was used in, with its result. Every file is written once and lines are only added, so
processes need not wait for each other. The best rated heuristic is the one to use (asp-player, 15.7).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..rules.identity import rules_id, shape_id
from ..rules.ruleset import Ruleset
from .features import Features
from .heuristic import Heuristic, parse_heuristic

VERSION = 1


class HeuristicStoreError(Exception):
    """A folder that cannot be used, or a file in it that holds no heuristic."""


@dataclass(frozen=True)
class HeuristicRating:
    """The results of matches with a heuristic."""

    matches: int = 0
    points: float = 0.0
    """A win counts 1, a draw a half: the share of 100 goal points."""

    @property
    def expected(self) -> float:
        """The share of points to expect, as if there had been a win and a loss besides.

        >>> HeuristicRating().expected, round(HeuristicRating(10, 8).expected, 2)
        (0.5, 0.75)
        """
        return (self.points + 1) / (self.matches + 2)


@dataclass(frozen=True)
class Stored:
    """A heuristic as stored on disk."""

    id: str
    data: Mapping[str, object]
    rules: str
    """``rules_id`` of the sheet it was learned with."""
    examples: int
    made: float
    """Seconds since 1970."""
    rating: HeuristicRating = field(default_factory=HeuristicRating)

    def bind(self, features: Features) -> Heuristic:
        """The heuristic for the names of a sheet of this shape."""
        try:
            return parse_heuristic(self.data, features)
        except (ValueError, KeyError, TypeError) as error:
            raise HeuristicStoreError(f"heuristic {self.id} does not fit this sheet: {error}") from error


class HeuristicStore:
    """A folder of heuristics: ``save`` and ``find`` them, ``rate`` them by the matches they were used in."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder).expanduser()

    def save(self, heuristic: Heuristic, examples: int) -> str:
        """Store a heuristic and return its id. One that is stored already is left as it is."""
        rules = heuristic.features.rules
        found = heuristic.id
        data = {
            "version": VERSION,
            "rules": rules_id(rules),
            "examples": examples,
            "made": time.time(),
            "heuristic": heuristic.as_json(),
        }
        path = self._place(rules) / f"{found}.json"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                draft = path.with_suffix(f".{os.getpid()}.draft")
                draft.write_text(json.dumps(data), encoding="utf-8")
                draft.replace(path)  # readers never see half a file
        except OSError as error:
            raise HeuristicStoreError(f"{path}: cannot be written: {error.strerror or error}") from error
        return found

    def all(self, rules: Ruleset) -> list[Stored]:
        """The heuristics for the shape of some rules, the best rated first; of equal ones the newest."""
        place = self._place(rules)
        ratings = self._ratings(place)
        found = [self._read(path, ratings) for path in sorted(place.glob("*.json"))]
        return sorted(found, key=lambda each: (-each.rating.expected, -each.made))

    def find(self, features: Features) -> tuple[Heuristic, Stored] | None:
        """The best heuristic for a game, found by its rules or by their shape; None for a new game."""
        known = self.all(features.rules)
        return (known[0].bind(features), known[0]) if known else None

    def rate(self, heuristic: Heuristic, role: str, goal: int, match_id: str = "") -> None:
        """Note the goal of a role that used the heuristic in a match, and the features with a weight."""
        place = self._place(heuristic.features.rules)
        line = {
            "heuristic": heuristic.id,
            "match": match_id,
            "role": role,
            "goal": goal,
            "features": sorted(_used(heuristic)),
            "at": time.time(),
        }
        try:
            place.mkdir(parents=True, exist_ok=True)
            with (place / "matches.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise HeuristicStoreError(f"{place}: cannot be written: {error.strerror or error}") from error

    def matches(self, rules: Ruleset) -> list[dict[str, object]]:
        """The matches in which heuristics of this shape were used, oldest first."""
        return list(self._lines(self._place(rules)))

    def _place(self, rules: Ruleset) -> Path:
        return self.folder / shape_id(rules)

    def _ratings(self, place: Path) -> dict[str, HeuristicRating]:
        found: dict[str, HeuristicRating] = {}
        for line in self._lines(place):
            name, goal = line.get("heuristic"), line.get("goal")
            if isinstance(name, str) and isinstance(goal, int | float):
                so_far = found.get(name, HeuristicRating())
                found[name] = HeuristicRating(
                    so_far.matches + 1, so_far.points + min(100, max(0, goal)) / 100
                )
        return found

    def _lines(self, place: Path) -> Iterator[dict[str, object]]:
        try:
            text = (place / "matches.jsonl").read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except (OSError, UnicodeError) as error:
            raise HeuristicStoreError(f"{place / 'matches.jsonl'}: {error}") from error
        for line in text.splitlines():
            try:
                data = json.loads(line)
            except ValueError:
                continue  # cut short by a crash: the other lines count
            if isinstance(data, dict):
                yield data

    def _read(self, path: Path, ratings: Mapping[str, HeuristicRating]) -> Stored:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["version"] != VERSION:
                raise ValueError(f"version {data['version']}, and this program reads {VERSION}")
            if not isinstance(data["heuristic"], dict):
                raise TypeError("`heuristic` is no table")
            return Stored(
                path.stem,
                data["heuristic"],
                str(data["rules"]),
                int(data["examples"]),
                float(data["made"]),
                ratings.get(path.stem, HeuristicRating()),
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise HeuristicStoreError(
                f"{path}: not a heuristic file ({type(error).__name__}: {error}); remove the file"
            ) from error


def _used(heuristic: Heuristic) -> set[str]:
    """The features with a weight."""
    used: set[str] = set()
    for role in heuristic.combinations:
        for feature in heuristic.features.all:
            if heuristic.weight(feature, role):
                used.add(feature.key)
        combination = heuristic.combinations[role]
        used |= {heuristic.features.keys[at] for at in getattr(combination, "chosen", ())}
    return used
