"""How strong the champion of card games is: what was recorded, and a few of those games played again."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from ludorum.arena.tournament.statistics import wilson_interval
from ludorum.cards.load import load_card_game
from ludorum.experiments.paired import compare, paired_game, paired_games

RESULTS = Path(__file__).parents[2] / "bench" / "results" / "cards-strength.json"


def recorded(part: str) -> dict[str, dict[str, Any]]:
    """What ``bench/cards.py`` has measured."""
    found: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))[part]
    return found


TARGETS = {
    ("trumps", "random"): 0.71,
    ("kings_and_jacks", "random"): 0.74,
    ("trumps", "card_greedy"): 0.58,
    ("kings_and_jacks", "card_greedy"): 0.54,
}


@pytest.mark.parametrize("pair", TARGETS, ids="-".join)
def test_the_champion_reached_its_targets(pair: tuple[str, str]) -> None:
    game, rival = pair
    row = recorded("figures")[f"{game}: champion:playouts=2000 v {rival}"]
    assert row["games"] >= 4000
    assert row["share"] >= TARGETS[pair]
    assert row["wilson"][0] > 0.5


def again(row: dict[str, Any], first: str, deals: int) -> list[float]:
    """The first games of a figure, played once more."""
    games = paired_games(load_card_game(row["game"]), first, row["second"], deals, row["seed"])
    return [points for _, _, points in games]


@pytest.mark.long
def test_recorded_games_are_played_again_as_they_were() -> None:
    """Other machines round sines and logarithms otherwise: a game in four may go another way."""
    equal = count = 0
    for game, rival in TARGETS:
        row = recorded("figures")[f"{game}: champion:playouts=2000 v {rival}"]
        points = again(row, row["first"], 2)
        equal += sum(one == other for one, other in zip(points, row["sample"], strict=False))
        count += len(points)
    assert equal >= 0.75 * count


def test_the_page_has_the_losses_that_were_measured() -> None:
    """With as many looks the prior loses clearly less at trumps, and no more at kings and jacks."""
    root = RESULTS.parents[2]
    rows = json.loads((RESULTS.parent / "cards-losses.json").read_text(encoding="utf-8"))
    script = runpy.run_path(str(root / "bench" / "card_losses.py"))
    assert script["table"](rows) in (root / "docs" / "cards-strength.md").read_text(encoding="utf-8")
    for game in ("trumps", "kings_and_jacks"):
        row = rows[f"{game}: prior=0.4, 300 playouts"]
        more, half = row["more"]
        assert row["against"] == "prior=0.0"
        assert more < (-half if game == "trumps" else 0)


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 64)
def test_crazy_eights_is_played_better_than_at_random() -> None:
    game = load_card_game("crazy_eights_simple")
    standing = compare(game, "champion:playouts=40", "random", 6, seed=2)
    assert standing.interval[0] > 0.5


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 64)
def test_crazy_eights_figures_are_clearly_above_one_half() -> None:
    """Against random and against who counts cards; more games are played again than agree by chance."""
    rows = [row for row in recorded("figures").values() if row["game"] == "crazy_eights_simple"]
    own = [row for row in rows if row["first"].startswith("champion")]
    assert {row["second"].partition(":")[0] for row in own} == {"random", "card_greedy"}
    for row in own:
        assert row["games"] >= 4000
        assert row["wilson"][0] > 0.5
        assert row["wilson"] == pytest.approx(
            wilson_interval(row["share"] * row["games"], row["games"]), abs=1e-4
        )
        deals = 3 if row["second"] == "random" else 6
        points = again(row, row["first"], deals)
        assert len(points) == 2 * deals
        equal = sum(one == other for one, other in zip(points, row["sample"], strict=False))
        assert equal >= 0.75 * len(points)


LEARNT = "card_mind:playouts=300,longest=3,prior=0,model=learnt"
NONE = "card_mind:playouts=300,longest=3,prior=0,model=none"


def gain_again(row: dict[str, Any], first: str) -> float:
    """The recorded games in which the model made a difference, played again by both.

    In most games both come to the same: there a model that says nothing would not be noticed.
    """
    game = load_card_game(row["game"])
    more, less = row["sample"]
    differ = [at for at, (one, other) in enumerate(zip(more, less, strict=True)) if one != other]
    assert differ
    gain, equal = 0.0, 0
    for at in differ:
        points = [
            paired_game(game, player, row["second"], at // 2, at % 2, row["seed"]) for player in (first, NONE)
        ]
        equal += points == [more[at], less[at]]
        gain += points[0] - points[1]
    assert equal >= 0.6 * len(differ)
    return gain


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 89)
def test_a_model_of_others_wins_more_games() -> None:
    """Against who bids what the hand is worth, on the same deals; some games of both are played again."""
    row = recorded("gains")[f"one_card_poker: {LEARNT} over {NONE} v card_honest"]
    assert row["games"] >= 400
    assert row["interval"][0] > 0.05
    assert gain_again(row, LEARNT) > 0


@pytest.mark.spec("card-games-fcdl", 89)
@pytest.mark.long
def test_likelier_worlds_alone_win_more_games() -> None:
    """Where the model says nothing about what others will do, only which worlds are likely."""
    row = recorded("gains")[f"one_card_poker: {LEARNT},foresee=false over {NONE} v card_honest"]
    assert row["games"] >= 400
    assert row["interval"][0] > 0.02
    assert gain_again(row, f"{LEARNT},foresee=false") > 0


@pytest.mark.slow
@pytest.mark.spec("card-games-fcdl", 89)
def test_a_model_of_others_wins_more_games_on_fresh_deals() -> None:
    game = load_card_game("one_card_poker")
    more, less = (
        [points for _, _, points in paired_games(game, player, "card_honest", 120, 2026)]
        for player in (LEARNT, NONE)
    )
    gains = [one - other for one, other in zip(more, less, strict=True)]
    assert fmean(gains) - 1.96 * stdev(gains) / len(gains) ** 0.5 > 0


@pytest.mark.slow
@pytest.mark.spec("card-games-fcdl", 64)
def test_crazy_eights_against_who_counts_cards() -> None:
    game = load_card_game("crazy_eights_simple")
    standing = compare(game, "champion:playouts=200", "card_greedy:n_worlds=5", 150, seed=9)
    assert standing.interval[0] > 0.5
