"""Seconds from `git clone` to the end of a first game, as a newcomer waits for them.

    python bench/first_game.py [--limit 90] [--json]

Clones the last commit of this repository into a temporary folder and runs `make play` there without a
terminal, which plays a short demonstration. The stamps that the Makefile leaves say how long each part took.
Dependencies are installed while the kernels are compiled, so the parts add up to more than the whole. Seconds
of the processor, divided by its cores, are what an idle machine needs at least. Exits with 1 where the whole
took longer than the limit.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def first_game(folder: Path) -> dict[str, float]:
    """Seconds of each part and of the whole, of the clock and of the processor."""
    clone = folder / "ludorum"
    begun, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    done = subprocess.run(
        ["make", "play"], cwd=clone, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    ended, after = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode or "Game over" not in done.stdout:
        raise SystemExit(f"make play ended with {done.returncode}:\n{done.stdout}{done.stderr}")

    def stamp(name: str) -> float:
        return (clone / ".venv" / name).stat().st_mtime

    environment, ready = stamp("pyvenv.cfg"), stamp(".ludorum-play")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "environment": stamp("bin/.build-tools") - begun,
        "dependencies": stamp(".ludorum-dependencies") - environment,
        "compile": stamp(".ludorum-kernels") - stamp("bin/.build-tools"),
        "game": ended - ready,
        "seconds": ended - begun,
        "processor_seconds": used,
        "processor_seconds_by_cores": used / (os.cpu_count() or 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--limit", type=float, default=90.0, help="seconds that the whole may take")
    parser.add_argument("--json", action="store_true", help="print a JSON object instead of lines")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludorum-first-game-") as folder:
        found = first_game(Path(folder))
    if options.json:
        rounded = {name: round(seconds, 1) for name, seconds in found.items()}
        print(json.dumps(rounded | {"limit": options.limit, "cores": os.cpu_count()}))
    else:
        for name, seconds in found.items():
            print(f"{seconds:7.1f} s  {name.replace('_', ' ')}")
    return 0 if found["seconds"] <= options.limit else 1


if __name__ == "__main__":
    sys.exit(main())
