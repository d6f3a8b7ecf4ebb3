"""The card games of the library under random play: length, choice, luck of the seat.

    python bench/cards_library.py --games 20000 > bench/results/cards-library.json
    python bench/cards_library.py --page bench/results/cards-library.json > docs/card-games.md

The first plays, in compiled code; the second writes the page, which a test compares with the results.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludorum.arena.tournament.statistics import wilson_interval
from ludorum.cards.compiled import CompiledCards
from ludorum.cards.load import load_card_game
from ludorum.cards.show.measures import fairness
from ludorum.rules.library import chart_sheets

Row = dict[str, Any]
SKILL = Path(__file__).parent / "results" / "cards-skill.json"
"""What ``bench/library.py`` has played."""

TEXT = """# The card games of the library

{count} games, each a [flow chart](languages/fcdl.md) under `games/fcdl/`. Made by `bench/cards_library.py`,
not by hand: {games} games of each were played at random in compiled code, seed {seed}. `decisions` is how
many a game has on average, `options` how many choices a decision has, `seats` what each seat gets (0 to 1,
the goal of the game, with the widest 95 % interval of the row), `fair` the fairness of the guide, `draws` the
games that the limit on decisions ended.

"""

SKILL_TEXT = """## Skill

What the champion of cards gets from one seat, 0 to 1 (the goal of the game: half is no better than others),
with its 95 % interval, against others who all play at random, or all are greedy. Made by `bench/library.py`:
every deal from every seat, {champion}. Few games give wide intervals;
games that are missing were not played yet, or have no choice in them: in war and beggar_my_neighbour every
card is turned as it comes. In go fish much is luck: a player made for it by hand, which asks for what fills
a book, or else for what somebody most likely has, got 0.40 against greedy players (33 games).

| game | against random | games | against greedy | games |
|---|---|---|---|---|
"""


def measure(games: int, seed: int) -> list[Row]:
    """A row for every game."""
    rows = []
    for sheet in chart_sheets():
        found = CompiledCards(load_card_game(sheet.name).chart).random_games(games, seed)
        seats = [goal / 100 for goal in found.goals]
        rows.append(
            {
                "game": sheet.name,
                "title": sheet.info.title,
                "rules": sheet.info.rules,
                "players": sheet.info.players,
                "games": games,
                "seed": seed,
                "decisions": round(found.decisions / games, 1),
                "options": round(found.options / max(1, found.decisions), 2),
                "seats": [round(seat, 4) for seat in seats],
                "fairness": round(fairness(seats), 3),
                "broken_off": found.broken_off,
            }
        )
    return rows


def page(rows: Sequence[Row]) -> str:
    """The page of these results."""
    lines = [
        "| game | players | decisions | options | seats | fair | draws |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        games = row["games"]
        widths = [high - low for low, high in (wilson_interval(seat * games, games) for seat in row["seats"])]
        seats = " ".join(f"{seat:.3f}" for seat in row["seats"])
        lines.append(
            f"| [{row['game']}](#{row['game']}) | {row['players']} | {row['decisions']} | {row['options']} "
            f"| {seats} ± {max(widths) / 2:.3f} | {row['fairness']:.3f} | {row['broken_off'] / games:.1%} |"
        )
    parts = [TEXT.format(count=len(rows), games=rows[0]["games"], seed=rows[0]["seed"]) + "\n".join(lines)]
    parts += skill()
    parts += [f"## {row['game']}\n\n{row['title']}. {row['rules']}" for row in rows]
    return "\n\n".join(parts) + "\n"


def skill() -> list[str]:
    """How well the champion plays, as far as it was measured."""
    if not SKILL.exists():
        return []
    found: dict[str, dict[str, Row]] = json.loads(SKILL.read_text(encoding="utf-8"))
    lines = []
    for game, figures in sorted(found.items()):
        cells = [_cells(figures, opponent) for opponent in ("random", "card_greedy")]
        lines.append(f"| [{game}](#{game}) | {' | '.join(cells)} |")
    champion = next(row["champion"] for figures in found.values() for row in figures.values())
    return [SKILL_TEXT.format(champion=f"`{champion}`") + "\n".join(lines)]


def _cells(figures: dict[str, Row], opponent: str) -> str:
    row = next((one for name, one in figures.items() if name.startswith(opponent) and one["games"]), None)
    if row is None:
        return "– | 0"
    low, high = wilson_interval(row["points"], row["games"])
    return f"{row['points'] / row['games']:.3f} ({low:.3f} to {high:.3f}) | {row['games']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", type=Path, help="write the page of these results instead of playing")
    asked = parser.parse_args()
    if asked.page is not None:
        print(page(json.loads(asked.page.read_text(encoding="utf-8"))), end="")
    else:
        print(json.dumps(measure(asked.games, asked.seed), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
