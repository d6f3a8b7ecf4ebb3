"""Write the playthrough files: ``python -m tests.games.write_playthroughs [GAME ...] [--steps N]``.

Keeps seed and length of files that exist. Those of realtime games have so many moves.
"""

import argparse

from ludorum.engine.load import load_game
from ludorum.engine.playthrough import playthrough
from tests.games.test_playthroughs import FOLDER, NAMES, REALTIME_NAMES, header, realtime_text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    for name in options.games or [*NAMES, *REALTIME_NAMES]:
        by_clock = name in REALTIME_NAMES
        path = FOLDER / "realtime" / f"{name}.txt" if by_clock else FOLDER / f"{name}.txt"
        length = "moves" if by_clock else "steps"
        told = header(path.read_text(encoding="utf-8")) if path.exists() else {"seed": "1", length: "40"}
        seed = int(told["seed"]) if options.seed is None else options.seed
        steps = int(told[length]) if options.steps is None else options.steps
        text = realtime_text(name, seed, steps) if by_clock else playthrough(load_game(name), seed, steps)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
