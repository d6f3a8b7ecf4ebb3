"""Our engines beside the rivals: measures our side and joins a file of theirs, taken on the same machine.

    python bench/compare.py RIVALS.json [--corpus FOLDER] [--parts lanes,single,lifted] [--seconds 1]
                            [--only NAME...] [--json FILE]

The file holds what other programs reach, by name of game or sheet and of rival (docs/speed.md says how they
were measured): playouts a second at the top, where ``ludorum bench engine --rivals`` reads them too, steps a
second of programs that hold one state under ``single_steps_per_s``, and of provers under
``lifted_steps_per_s``. All seconds are seconds of the processor, the best of three rounds.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludorum._core import Lanes, Network, Single
from ludorum.engine import LiftedGame, load_rules
from ludorum.engine.compiled import CompiledGame
from ludorum.rules.library import find_sheet
from ludorum.rules.reader import read_rules
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import Source

PARTS = ("lanes", "single", "lifted")
ROUNDS = 3
LONGEST = 500
"""Steps after which a lifted playout is given up; the provers were stopped there too."""


@dataclass(frozen=True)
class Contest:
    """A game played by us and by RBG with whole moves, and how many times its speed we want to have."""

    game: str
    target: float
    public: bool = False
    """Whether we play a public sheet and not our own."""
    changed: tuple[tuple[str, str], ...] = ()
    """Texts to change in our sheet so that both programs play by the same rules."""


CONTESTS = {
    contest.game: contest
    for contest in (
        Contest("tictactoe", 84),
        Contest("connect_four", 63),
        Contest("breakthrough", 75),
        Contest("othello", 52),
        # RBG's sheet is drawn after 20 quiet moves, ours after 80: neither counts any further.
        Contest("english_draughts", 36, changed=(("(quiet 80)", "(quiet 20)"), ("(succ 20 21)", ""))),
        # The public sheet moves in two steps, RBG in one: playouts are compared, not steps.
        Contest("amazons_10x10", 25, public=True),
        Contest("chess", 20),
        Contest("hex", 6),
    )
}


def main() -> None:
    asked = arguments()
    rivals = json.loads(asked.rivals.read_text(encoding="utf-8"))
    parts: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
        "lanes": lambda: lanes_rows(rivals, asked),
        "single": lambda: single_rows(rivals.get("single_steps_per_s", {}), asked),
        "lifted": lambda: lifted_rows(rivals.get("lifted_steps_per_s", {}), asked),
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for part in asked.parts.split(","):
        print(f"\n{part}: {'game':32} {'ours/s':>12}   ratio to each rival")
        found[part] = []
        for row in parts[part]():
            found[part].append(row)
            print(line(row), flush=True)
        print(mean_line(found[part]))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rivals", type=Path)
    parser.add_argument("--corpus", type=Path, help="where public sheets are found by name")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def lanes_rows(rivals: dict[str, Any], asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for name, contest in CONTESTS.items():
        if rivals.get(name) and wanted(name, asked):
            rules = rules_of(name, asked.corpus if contest.public else None, contest.changed)
            speed, length = lanes_speed(CompiledGame(rules, name).network, asked.seconds)
            yield row_of(name, speed, rivals[name]) | {"target": contest.target, "length": length}


def single_rows(rivals: dict[str, Any], asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for name, speeds in rivals.items():
        if wanted(name, asked):
            network = CompiledGame(rules_of(name, asked.corpus), name).network
            mode, speed = single_speed(network, asked.seconds)
            yield row_of(name, speed, speeds) | {"mode": mode, "target": 1}


def lifted_rows(rivals: dict[str, Any], asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for name, speeds in rivals.items():
        if wanted(name, asked):
            yield row_of(name, lifted_speed(rules_of(name, asked.corpus), name, asked.seconds), speeds)


def rules_of(name: str, corpus: Path | None, changed: tuple[tuple[str, str], ...] = ()) -> Ruleset:
    """The rules of a public sheet of that name if there is one, else of the library's."""
    paths = sorted(corpus.rglob(f"{name}.kif")) if corpus else []
    sheet = find_sheet(str(paths[0]) if paths else name)
    if not changed:
        return load_rules(sheet, lenient=True, keep_names=True)
    text = sheet.source.text
    for old, new in changed:
        if old not in text:
            raise ValueError(f"{name} does not say {old}: is it the sheet that was compared?")
        text = text.replace(old, new)
    return read_rules(Source(name, text))[0]


def lanes_speed(network: Network, seconds: float) -> tuple[float, float]:
    """Playouts a second in lanes on one thread, and the steps in a playout."""
    kernel = Lanes(network)
    best = max(rounds(kernel, 8 * kernel.lanes, seconds), key=lambda found: found.playouts_per_s)
    return best.playouts_per_s, best.steps_per_s / best.playouts_per_s


def single_speed(network: Network, seconds: float) -> tuple[str, float]:
    """Steps a second with one state at a time: the better way of evaluating, and what it reaches."""
    speeds = {}
    for mode in ("full", "incremental"):
        speeds[mode] = max(found.steps_per_s for found in rounds(Single(network, mode), 4, seconds))
    best = max(speeds, key=lambda mode: speeds[mode])
    return best, speeds[best]


@dataclass(frozen=True)
class Round:
    playouts_per_s: float
    steps_per_s: float


def rounds(kernel: Lanes | Single, count: int, seconds: float) -> list[Round]:
    """Rounds of counted playouts, as many in each as take about half the time.

    Counted and not timed: on a busy machine the time on the wall may end a round before it has begun.
    """
    while (spent := _timed(kernel, count, 0)[1]) < seconds / 4:
        count *= max(2, min(16, int(seconds / 2 / max(spent, 1e-3))))
    played = [_timed(kernel, count, seed) for seed in range(ROUNDS)]
    return [Round(found["playouts"] / spent, found["steps"] / spent) for found, spent in played]


def _timed(kernel: Lanes | Single, count: int, seed: int) -> tuple[Any, float]:
    began = time.process_time()
    found = kernel.playouts(count, seed=seed)
    return found, max(1e-9, time.process_time() - began)


def lifted_speed(rules: Ruleset, name: str, seconds: float) -> float:
    """Steps a second of the lifted engine once its plans are chosen."""
    played = LiftedGame(rules, name).measure_playouts(seconds=seconds, longest=LONGEST)
    return played.steps / max(1e-9, played.cpu_seconds - played.tuning_seconds)


def wanted(name: str, asked: argparse.Namespace) -> bool:
    return not asked.only or name in asked.only


def row_of(name: str, speed: float, rivals: dict[str, float]) -> dict[str, Any]:
    ratios = {rival: speed / theirs for rival, theirs in rivals.items() if theirs}
    return {"game": name, "ours": speed, "rivals": rivals, "ratios": ratios}


def line(row: dict[str, Any]) -> str:
    ratios = "  ".join(f"{rival} {ratio:.3g}" for rival, ratio in row["ratios"].items())
    wish = f"  (wanted {row['target']:g})" if "target" in row else ""
    return f"  {row['game']:38} {row['ours']:12,.0f}   {ratios}{wish}"


def mean_line(rows: list[dict[str, Any]]) -> str:
    logs: dict[str, list[float]] = {}
    for row in rows:
        for rival, ratio in row["ratios"].items():
            if ratio > 0:
                logs.setdefault(rival, []).append(math.log(ratio))
    means = (f"{name} {math.exp(statistics.fmean(own)):.3g} ({len(own)})" for name, own in logs.items())
    return "  geometric means: " + "  ".join(means)


if __name__ == "__main__":
    main()
