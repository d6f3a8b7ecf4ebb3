"""A hundred ticks a second with eight players at addresses, two of them hostile. Bounds do not ask how busy
the machine is; `make bench-realtime` measures how punctual the clock is."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from ludorum.arena.world.inbox import MOST_AT_ONCE, MOVES_A_SECOND

BENCH = Path(__file__).parents[3] / "bench" / "realtime.py"


def load_bench() -> ModuleType:
    spec = spec_from_file_location("bench_realtime", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["bench_realtime"] = module  # data classes look themselves up there
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.spec("wdl", 32, 53)
@pytest.mark.parametrize("hostile", [[], ["stalled", "flooding"]])
def test_no_tick_is_lost_with_eight_players(hostile: list[str]) -> None:
    bench = load_bench()
    kinds = ["ordinary"] * (8 - len(hostile)) + hostile
    measured = asyncio.run(bench.measure(kinds, 2.0))
    assert measured.ticks == 200
    assert measured.missing == 0
    assert measured.untold == 0
    assert measured.same_states
    assert len(measured.at_host) == 200
    ordinary = 8 - len(hostile)
    assert len(measured.at_players) + measured.joined == 200 * ordinary
    assert measured.moves >= ordinary
    if "flooding" in hostile:
        assert measured.moves <= 2 * ordinary + 2 * MOVES_A_SECOND + 2 * MOST_AT_ONCE


def test_lateness_is_reported_in_steps() -> None:
    bench = load_bench()
    values = [0.0005, 0.0015, 0.004, 2.0]
    assert bench.share_of(values, 0.5) == 0.004
    assert bench.share_of([], 0.5) == 0.0
    found = {name: count for name, count in bench.histogram(values).items() if count}
    assert found == {"< 1 ms": 1, "< 2 ms": 1, "< 5 ms": 1, "more": 1}
