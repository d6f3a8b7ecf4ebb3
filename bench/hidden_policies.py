"""What search over beliefs gets where one role decides alone: its policy followed through all worlds.

    python bench/hidden_policies.py [GAME...] [--work 1000000] [--json FILE]

No matches are drawn: every world and every answer is followed, so the means are exact. Beside them stands
what the best policy gets, by brute force on the puzzle itself (mastermind also by the literature). Sheets
of a corpus may be named by their path.
"""

from __future__ import annotations

import argparse
import json
import time
from datetime import date
from pathlib import Path

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.experiments.machine import describe_machine
from ludorum.knowledge.worlds import PackedWorlds
from ludorum.search.belief_policy import follow_policy
from ludorum.search.belief_search import BeliefConfig, BeliefSearch
from ludorum.search.budget import TO_THE_END

BEST: dict[str, tuple[float | None, float | None]] = {
    "number_guessing": (100.0, 5.0),
    "mastermind": (100.0, 905 / 256),
    "minesweeper": (100 * 400 / 560, None),
    "monty_hall_random": (100 * 2 / 3, None),
    # Their answers name the places that are right, which makes it another puzzle.
    "Mastermind448__unsw": (100.0, 926 / 256),
    "mastermind448__scully": (100.0, 926 / 256),
    "mastermind__uwa": (100.0, 926 / 256),
}
"""The goal and the number of own moves of the best policy, where known."""


def first_belief(game: CompiledGame) -> PackedWorlds:
    """The worlds of the only player where it has a choice for the first time that more than one world has."""
    (role,) = game.info.players
    worlds, state = PackedWorlds(game, role, most=1 << 17), game.initial()
    while len(state.legal(role)) == 1 or worlds.size == 1:
        state = state.play([state.legal(one)[0] for one in game.roles])
        assert state.joint is not None
        worlds.update(state.joint[game.roles.index(role)], state.percepts(role))
    return worlds


def measure(name: str, work: int) -> dict[str, object]:
    game = load_game(name, "compiled")
    assert isinstance(game, CompiledGame)
    worlds = first_belief(game)
    cloud, shares = worlds.sample_rows(1 << 17, 0)
    search = BeliefSearch(game, worlds.role, BeliefConfig(work=work))
    begin = time.monotonic()
    found = follow_policy(search, cloud.rows, shares, TO_THE_END)
    goal, steps = BEST.get(Path(name).stem, (None, None))
    return {
        "game": Path(name).stem,
        "worlds": len(cloud),
        "goal": round(found.goal, 4),
        "best_goal": goal and round(goal, 4),
        "moves": round(found.steps, 4),
        "best_moves": steps and round(steps, 4),
        "decisions": found.decisions,
        "proven": found.proven,
        "given_away": found.given_away,
        "seconds": round(time.monotonic() - begin, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [name for name in BEST if name.islower() and "__" not in name]
    parser.add_argument("games", nargs="*", default=names)
    parser.add_argument("--work", type=int, default=BeliefConfig().work, help="joint moves of a decision")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows = []
    print(
        "| game | worlds | mean goal | the best | mean moves | the best | decisions | proven | given away |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in asked.games:
        row = measure(name, asked.work)
        rows.append(row)
        cells = [
            "" if value is None else str(value)
            for key, value in row.items()
            if key not in ("game", "seconds")
        ]
        print(f"| {row['game']} | {' | '.join(cells)} |", flush=True)
    if asked.json is not None:
        whole = {"date": str(date.today()), "machine": describe_machine(), "work": asked.work, "rows": rows}
        asked.json.write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
