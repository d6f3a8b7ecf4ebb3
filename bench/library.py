"""How well the champion plays every card game of the library: against random and against greedy players.

    python bench/library.py [--games hearts spades] [--deals 100] [--seconds 20] [--json FILE]
    python bench/cards_library.py --page bench/results/cards-library.json > docs/card-games.md

Every deal is played once from every seat, all other seats by the opponent, with the same draws of nature.
What has been played is kept after every figure, so a run can be stopped (Ctrl-C) and taken up again;
``--seconds`` is how long, in processor time, each figure is worked at before the next has its turn. Charts
without a choice are left out: there is nothing to be good at.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from ludorum.arena.match.seeds import seed_from
from ludorum.arena.tournament.statistics import wilson_interval
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.experiments.paired import play_game
from ludorum.players import make_player
from ludorum.rules.library import chart_sheets

RESULTS = Path(__file__).parent / "results" / "cards-skill.json"
CHAMPION = "card_mind:playouts=1000,worlds=32"
"""A fixed number of looks, so that figures do not depend on what else is running."""
OPPONENTS = ("random", "card_greedy:n_worlds=10")
NO_CHOICE = {
    "war": "every card is turned as it comes",
    "beggar_my_neighbour": "every card is turned as it comes",
}


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def play_deal(game: CardGame, champion: str, opponent: str, deal: int) -> list[float]:
    """What the champion gets from every seat, 0 to 1."""
    roles = game.info.players
    found = []
    for seat, own in enumerate(roles):
        players = {
            role: make_player(champion if role is own else opponent, seed_from(0, deal, seat, at))
            for at, role in enumerate(roles)
        }
        end = play_game(game, players, seed_from(0, deal, "nature"))
        found.append((end.goal(own) or 0) / 100)
    return found


def work_at(game: CardGame, opponent: str, figure: dict[str, Any], deals: int, seconds: float) -> None:
    """Goes on with a figure until it has so many deals, or for so long."""
    begin = time.process_time()
    while figure["deals"] < deals and time.process_time() - begin < seconds:
        start = time.process_time()
        points = play_deal(game, figure["champion"], opponent, figure["deals"])
        figure["deals"] += 1
        figure["games"] += len(points)
        figure["points"] = round(figure["points"] + sum(points), 4)
        figure["seconds"] = round(figure["seconds"] + time.process_time() - start, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="*", help="only these")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    found = read(asked.json)
    for name in asked.games or [str(sheet.name) for sheet in chart_sheets()]:
        if name in NO_CHOICE:
            continue
        game = load_card_game(name)
        for opponent in OPPONENTS:
            figure = found.setdefault(name, {}).setdefault(
                opponent, {"champion": CHAMPION, "deals": 0, "games": 0, "points": 0.0, "seconds": 0.0}
            )
            work_at(game, opponent, figure, asked.deals, asked.seconds)
            asked.json.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            low, high = wilson_interval(figure["points"], figure["games"])
            share = figure["points"] / max(1, figure["games"])
            print(
                f"{name} v {opponent}: {share:.3f} ({low:.3f} to {high:.3f}), {figure['games']} games",
                flush=True,
            )


if __name__ == "__main__":
    main()
