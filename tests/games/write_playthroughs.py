"""Write the playthrough files: ``python -m tests.games.write_playthroughs [GAME ...] [--steps N]``.

Keeps seed and length of files that exist.
"""

import argparse

from ludorum.engine.load import load_game
from ludorum.engine.playthrough import playthrough
from tests.games.test_playthroughs import FOLDER, NAMES, header


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    for name in options.games or NAMES:
        path = FOLDER / f"{name}.txt"
        told = header(path.read_text(encoding="utf-8")) if path.exists() else {"seed": "1", "steps": "40"}
        seed = int(told["seed"]) if options.seed is None else options.seed
        steps = int(told["steps"]) if options.steps is None else options.steps
        path.write_text(playthrough(load_game(name), seed, steps), encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
