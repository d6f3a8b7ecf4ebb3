"""The figures of 2012 beside ours, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .features import features_table
from .pairs import EXPERIMENTS
from .published import (
    FEATURE_GAMES,
    FEATURES,
    RESOLUTION,
    RESOLUTION_GAMES,
    RESOLUTION_MEANS,
)

Results = Mapping[str, Any]
CONSTRUCTION_SECONDS = (5.0, 100.0)
"""Start clocks for which it is told how many evaluations were ready. In 2012 nine of ten were by the last."""


def page_of(results: Results) -> str:
    """The page for the results of one run; experiments that were not run are named."""
    return "\n".join(_lines(results)) + "\n"


def _lines(results: Results) -> Iterator[str]:
    yield "# Evaluation from goals: the experiments of 2012"
    yield ""
    yield (
        "Made by `ludorum bench evaluation`, not by hand. The published figures are those of Michulke, "
        "*Evaluation Functions in General Game Playing* (2012); the games, the machine and the search are "
        "others, so the sign of a difference can be compared, and its size hardly."
    )
    for name, about in EXPERIMENTS.items():
        yield ""
        yield f"## {name}: {about}"
        yield ""
        found = results["experiments"].get(name)
        if found is None:
            yield "Not measured in this run."
        elif name == "E2":
            yield from _resolution(found)
        elif name == "E4":
            yield from _features(found)
        else:
            yield from _duels(found)


def _resolution(found: Results) -> Iterator[str]:
    summary = found["summary"]
    yield "| | published | ours |"
    yield "|---|--:|--:|"
    yield f"| games | {RESOLUTION_GAMES} | {summary['games']} |"
    words = {
        "larger": "interval larger with a weight for each",
        "smaller": "interval smaller",
        "more_distinct": "more first moves told apart",
        "fewer_distinct": "fewer told apart",
    }
    for key, text in words.items():
        yield f"| {text} | {RESOLUTION[key]} | {summary[key]} |"
    for at, version in enumerate(("one weight", "a weight for each")):
        published = [RESOLUTION_MEANS["all"][at], RESOLUTION_MEANS["larger"][at]]
        ours = [summary["mean_intervals"][at], summary["mean_intervals_where_larger"][at]]
        for where, one, other in zip(("all games", "where it is larger"), published, ours, strict=True):
            yield f"| mean interval, {version}, {where} | {one:.1e} | {other:.1e} |"


def _features(found: Sequence[Results]) -> Iterator[str]:
    counts = [row["features"] for row in found]
    yield features_table(counts)
    yield ""
    ours = sum(sum(own.values()) for own in counts) / len(counts)
    published = sum(row.features for row in FEATURES) / FEATURE_GAMES
    yield f"Together {ours:.1f} features a game in {len(counts)} games; published: {published:.1f}."
    seconds = [row["seconds"] for row in found]
    for limit in CONSTRUCTION_SECONDS:
        usable, whole = (sum(own[at] <= limit for own in seconds) for at in (0, 1))
        yield f"Within {limit:g} s {usable} of them could be used, and {whole} had nothing left to find out."
    yield ""
    yield "| game | nodes | leaves | features | usable after | all found after |"
    yield "|---|--:|--:|--:|--:|--:|"
    for row in found:
        usable, whole = row["seconds"]
        features = sum(row["features"].values())
        yield f"| {row['game']} | {row['nodes']} | {row['leaves']} | {features} | {usable} s | {whole} s |"


def _duels(found: Sequence[Results]) -> Iterator[str]:
    yield "| | published | ours | sure to 95 % | matches |"
    yield "|---|--:|--:|--:|--:|"
    for duel in found:
        matches = sum(game["matches"] for game in duel["games"])
        rate = "nobody had a point" if duel["rate"] is None else f"{duel['rate']:.1%}"
        low, high = duel["interval"]
        published = "" if duel["published"] is None else f"{duel['published']:.1f}%"
        yield f"| {duel['title']} | {published} | {rate} | {low:.1%} to {high:.1%} | {matches} |"
    yield ""
    yield "| game | players | share of points | states/s |"
    yield "|---|---|--:|--:|"
    for duel in found:
        for game in duel["games"]:
            rate = "" if game["rate"] is None else f"{game['rate']:.0%}"
            speeds = " : ".join(str(speed) for speed in game["states_per_second"].values() if speed)
            yield f"| {game['game']} | {' : '.join(game['points'])} | {rate} | {speeds} |"
    for duel in found:
        for name, reason in duel.get("left_out", {}).items():
            yield ""
            yield f"{name} is left out of {duel['title']}: {reason}"
