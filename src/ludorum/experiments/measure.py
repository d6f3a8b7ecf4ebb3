"""How fast the engines play a game: random play in lanes, one state at a time, lifted, and by the reference.

All rates are steps or playouts for each second of the processor, the best of a few rounds that take turns, so
that other programs on the machine disturb them little; ratios of one run are what to trust. A step is one
joint move with all its questions: is the game over, what is legal, what comes next.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from .._core import Lanes, Network, Single, SplitMix64, load_nanoseconds
from ..engine.circuit_report import report_circuit
from ..engine.lifted import LiftedGame
from ..engine.network import make_network
from ..engine.reference import ReferenceGame
from ..rules.ruleset import Ruleset

if TYPE_CHECKING:
    from ..engine.game import Game

ENGINES = ("lanes", "single", "lifted", "reference")

ROUNDS = 3
"""Rounds of each measurement: enough to step around the hiccups of a shared machine."""

DRAIN = 8
"""A round of lanes lasts at least so many times as long as one block of games takes from start to end: the
last games of a round run in lanes that empty, which belongs to the end of a run and not to its speed."""

SMALLEST_SET = 4096
"""Bytes below which the speed of loads is not measured: it is the same there."""


@dataclass
class Speeds:
    """What was measured of one game; None where it was not, or not yet."""

    game: str
    source: str = "library"
    """Where the sheet comes from: ``library`` or ``corpus``."""
    ground_rules: int | None = None
    gates: int | None = None
    literals: int | None = None
    """Inputs of all gates together."""
    build_s: float | None = None
    """Processor seconds from the rules to kernels that are ready, grounding in its own process included."""
    lanes: int | None = None
    lanes_steps_per_s: float | None = None
    playouts_per_s: float | None = None
    single: str | None = None
    """Which way of evaluating one state the engine chose."""
    single_steps_per_s: dict[str, float] = field(default_factory=dict)
    """By way of evaluating: ``full`` and ``incremental``."""
    lifted_first_s: float | None = None
    """Processor seconds from the rules to the first legal moves of every role, lifted."""
    lifted_steps_per_s: float | None = None
    reference_steps_per_s: float | None = None
    bytes_per_state: int | None = None
    bytes_per_lane: float | None = None
    two_threads: float | None = None
    """Steps a second of the clock on the wall with two threads, over those with one."""
    two_threads_processor: float | None = None
    """Twice the steps a processor second with two threads, over those with one: what the wall would say if
    nobody else used the machine."""
    load_ns: float | None = None
    """Nanoseconds to load 64 bytes from as much memory as a block of lanes takes."""
    load_limit: float | None = None
    """The share of the time that loading takes at the least: every input of the gates evaluated, in each
    round of a loop, and every legal literal to choose among; 1 is the limit."""
    load_limit_gates: float | None = None
    """The same without the literals that are only chosen among."""
    load_limit_once: float | None = None
    """The same as if one round were enough for every loop."""
    rivals: dict[str, float] = field(default_factory=dict)
    """Playouts a second of other programs, measured on the same machine."""
    error: str | None = None

    @property
    def chosen_single(self) -> float | None:
        return self.single_steps_per_s.get(self.single or "")

    def ratios(self) -> dict[str, float]:
        """What can be compared: engines with each other, and lanes with rivals."""
        pairs = {
            "lanes/single": (self.lanes_steps_per_s, self.chosen_single),
            "single/lifted": (self.chosen_single, self.lifted_steps_per_s),
            "lifted/reference": (self.lifted_steps_per_s, self.reference_steps_per_s),
            **{f"lanes/{name}": (self.playouts_per_s, speed) for name, speed in self.rivals.items()},
        }
        return {name: one / other for name, (one, other) in pairs.items() if one and other}

    def as_json(self) -> dict[str, object]:
        return asdict(self) | {"ratios": self.ratios()}


def geometric_means(rows: Iterable[Speeds]) -> dict[str, float]:
    """The geometric mean of each ratio, of load limits and of two threads, over the games that have it."""
    logs: dict[str, list[float]] = {}
    for row in rows:
        shares = {
            "load_limit": row.load_limit,
            "load_limit_gates": row.load_limit_gates,
            "load_limit_once": row.load_limit_once,
            "two_threads": row.two_threads_processor,
        }
        for name, value in (row.ratios() | {key: one for key, one in shares.items() if one}).items():
            logs.setdefault(name, []).append(math.log(value))
    return {name: math.exp(sum(values) / len(values)) for name, values in logs.items()}


def measure_game(
    rules: Ruleset, row: Speeds, *, seconds: float = 1.0, seed: int = 0, engines: Iterable[str] = ENGINES
) -> Iterator[str]:
    """Fills in a row, a measurement at a time, and says before each what comes next.

    Whoever stops half-way keeps what has been measured. ``seconds`` are the length of each measurement.
    """
    asked = set(engines)
    if asked & {"lanes", "single"}:
        yield "building"
        network = _build(rules, row)
        if "lanes" in asked:
            yield from _measure_lanes(network, row, seconds, seed)
        if "single" in asked:
            yield from _measure_single(network, row, seconds, seed)
    if "lifted" in asked:
        yield "lifted"
        _measure_lifted(rules, row, seconds, seed)
    if "reference" in asked:
        yield "reference"
        row.reference_steps_per_s = plain_steps_per_s(ReferenceGame(rules, row.game), seconds, seed)


def _build(rules: Ruleset, row: Speeds) -> Network:
    start = processor_seconds()
    report = report_circuit(rules, processor_time=True)
    network = make_network(report.circuit)
    kernel = Lanes(network)
    row.build_s = processor_seconds() - start
    row.ground_rules = report.ground["rules"]
    row.gates, row.literals = network.gates, network.literals
    row.bytes_per_state = (network.fluents + 7) // 8
    row.lanes = kernel.lanes
    row.bytes_per_lane = kernel.block_bytes / kernel.lanes
    return network


def _measure_lanes(network: Network, row: Speeds, seconds: float, seed: int) -> Iterator[str]:
    kernel = Lanes(network)
    row.load_ns = load_nanoseconds(max(SMALLEST_SET, kernel.block_bytes))
    start = time.perf_counter()
    kernel.playouts(kernel.lanes, seed=seed)
    # Once more warm: the first block of games also touches its memory for the first time.
    start, cold = time.perf_counter(), time.perf_counter() - start
    kernel.playouts(kernel.lanes, seed=seed)
    block = min(cold, time.perf_counter() - start)
    length = max(seconds / ROUNDS, DRAIN * block)
    both = (os.cpu_count() or 1) > 1
    wall, processor = [0.0, 0.0], [0.0, 0.0]
    for number in range(ROUNDS):
        yield f"lanes, round {number + 1} of {ROUNDS}"
        for threads in (1, 2) if both else (1,):
            began = time.process_time()
            found = kernel.playouts(seconds=length, seed=seed + number, threads=threads)
            spent = max(1e-9, time.process_time() - began)
            rate = found["steps"] / spent
            wall[threads - 1] = max(wall[threads - 1], found["steps"] / max(1e-9, found["seconds"]))
            if threads == 1 and rate > processor[0]:
                row.lanes_steps_per_s, row.playouts_per_s = rate, found["playouts"] / spent
                share = row.load_ns * 1e-9 * kernel.lanes / 512 / spent
                row.load_limit_once = share * found["literals"]
                row.load_limit_gates = row.load_limit_once + share * found["loop_literals"]
                row.load_limit = row.load_limit_gates + share * found["legal_literals"]
            processor[threads - 1] = max(processor[threads - 1], rate)
    if both:
        row.two_threads = wall[1] / wall[0] if wall[0] else None
        row.two_threads_processor = 2 * processor[1] / processor[0] if processor[0] else None


def _measure_single(network: Network, row: Speeds, seconds: float, seed: int) -> Iterator[str]:
    row.single = Single(network).mode
    kernels = {mode: Single(network, mode) for mode in ("full", "incremental")}
    for number in range(ROUNDS):
        yield f"one state at a time, round {number + 1} of {ROUNDS}"
        for mode, kernel in kernels.items():
            began = time.process_time()
            found = kernel.playouts(seconds=seconds / ROUNDS, seed=seed + number)
            rate = found["steps"] / max(1e-9, time.process_time() - began)
            row.single_steps_per_s[mode] = max(rate, row.single_steps_per_s.get(mode, 0.0))


def _measure_lifted(rules: Ruleset, row: Speeds, seconds: float, seed: int) -> None:
    start = time.process_time()
    game = LiftedGame(rules, row.game)
    state = game.initial()
    for role in game.roles:
        state.legal(role)
    row.lifted_first_s = time.process_time() - start
    played = game.measure_playouts(seconds=seconds, seed=seed)
    row.lifted_steps_per_s = played.steps / max(1e-9, played.cpu_seconds - played.tuning_seconds)


def plain_steps_per_s(game: Game, seconds: float, seed: int = 0, longest: int = 1000) -> float:
    """Steps for each processor second of random play through ``State``, at least one; 0 if there is none."""
    chooser = SplitMix64(seed)
    steps = length = 0
    began = time.process_time()
    state = game.initial()
    while (spent := time.process_time() - began) < seconds or not steps:
        choices = [state.legal(role) for role in game.roles]
        if state.is_terminal or not all(choices) or length == longest:
            if length == 0:
                return 0.0
            state, length = game.initial(), 0
            continue
        state = state.play([moves[chooser.below(len(moves))] for moves in choices])
        steps, length = steps + 1, length + 1
    return steps / spent


def processor_seconds() -> float:
    """Processor time of this process and the children it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
